"""Python functions: the one that does the work on parameters, and those from states to outputs."""

from collections.abc import Iterable, Mapping, Sequence

from armillary.expr.ops import SOLVE
from armillary.program.program import Output, Program
from armillary.targets import header
from armillary.targets.names import Namer
from armillary.targets.page import Page
from armillary.targets.python.layout import INDENT, assignment, docstring, listed, unpacking
from armillary.targets.python.operations import NOTATION
from armillary.targets.schedule import elements, indices, live, used_values

LIMIT = 80
"""How wide an expression may become: with an indent and a name before it, lines stay within the width of a page."""

_FIELDS = "(np.asarray(x, dtype=float) for x in vars(p).values())"


def setup_function(
    setup: Program, fields: Mapping[str, str], constants: Sequence[str], taken: Iterable[str]
) -> list[str]:
    """`setup`: parameters to constants, a tuple."""
    values = setup.outputs[0].values
    names = [fields[label] for x in setup.inputs for label in x.labels]
    given = {v: name for v, name in zip(values, constants, strict=True) if v >= setup.first_result}
    page = Page(setup, NOTATION, names, {*taken, *names, *constants}, given, LIMIT)
    lines = [*_quiet(setup), "def setup(p: Parameters) -> tuple[Array, ...]:"]
    lines += docstring(["Do the work on the parameters, once for every set of them."])
    lines += unpacking(_used(setup, names), (len(names),), _FIELDS)
    lines += _apart(_statements(page))
    cells = [page.value(v) for v in values]
    return [*lines, *listed("return (", cells, ",)" if len(cells) == 1 else ")")]


def run_function(
    name: str, run: Program, fields: Mapping[str, str], constants: Sequence[str], taken: Iterable[str]
) -> list[str]:
    """A function from states, and constants or parameters, to outputs.

    `fields` are the names of parameters' labels, `constants` those of what setup gives, `taken` all that the module uses.
    """
    namer = Namer({*taken, *constants, *fields.values()})
    states = {x.name: namer.name(x.name) for x in run.states}
    outputs = {x.name: namer.name(x.name) for x in run.outputs}
    carried = namer.name("constants") if constants else ""
    names: list[str] = []
    for x in run.inputs:
        if x.role == "state":
            names += [namer.name(label) for label in x.labels] if x.shape else [states[x.name]]
        else:
            names += constants or [fields[label] for label in x.labels]

    arguments = [f"{word}: ArrayLike" for word in states.values()]
    arguments += [f"{carried}: tuple[Array, ...]"] if carried else ["p: Parameters"] if fields else []
    gives = ["Array"] * len(outputs)
    result = "None" if not gives else gives[0] if len(gives) == 1 else f"tuple[{', '.join(gives)}]"
    lines = [*_quiet(run), *(line[4:] for line in listed(f"def {name}(", arguments, f") -> {result}:"))]
    lines += docstring(_documentation(run, states, outputs, carried))
    lines += _arrays(run, states, carried)
    lines += _elements(run, states, _used(run, names), carried)
    page = Page(run, NOTATION, names, {*namer.given, *names}, limit=LIMIT)
    lines += _apart(_statements(page))
    for out in run.outputs:
        lines += _output(page, out, outputs[out.name], "batch" if run.inputs else "")
    return [*lines, f"{INDENT}return {', '.join(outputs.values())}"] if outputs else lines


def _apart(lines: list[str]) -> list[str]:
    """The lines with an empty one before and after them."""
    return ["", *lines, ""] if lines else []


def _quiet(program: Program) -> list[str]:
    """NumPy computes both branches of a selection: the one not taken must not warn."""
    return ['@np.errstate(all="ignore")'] if any(x.op == "select" for x in live(program)) else []


def _used(program: Program, names: Sequence[str]) -> list[str]:
    """The names, _ in the place of those that nothing uses."""
    used = used_values(program, live(program))
    return [name if k in used else "_" for k, name in enumerate(names)]


def _documentation(run: Program, states: Mapping[str, str], outputs: Mapping[str, str], carried: str) -> list[str]:
    """What the function computes, then every argument and result with its shape, unit and elements."""
    facts = run.about
    of = f" of {facts.robot}" if facts.robot else ""
    what = (
        f"{facts.model[:1].upper()}{facts.model[1:]}{of}." if facts.model else f"Compute {', '.join(outputs.values())}."
    )
    takes = [(states[x.name], f"{_shape(x.shape)}  {header.argument(x)}") for x in run.states]
    takes += [(carried, "the result of setup(Parameters(...))")] if carried else []
    takes += [("p", "the parameters")] if any(x.size for x in run.parameters) and not carried else []
    gives = [(outputs[x.name], f"{_shape(x.shape)}  {header.argument(x)}") for x in run.outputs]
    width = header.WIDTH - len(INDENT)
    lines = [what, "", "Arrays hold one state, or a batch of them along axes in front.", ""]
    rows = header.table([*takes, ("Returns", ""), *gives], width=width)
    return [*lines, *rows]


def _shape(shape: tuple[int, ...]) -> str:
    return f"(..., {', '.join(map(str, shape))})" if shape else "(...)"


def _arrays(run: Program, states: Mapping[str, str], carried: str) -> list[str]:
    """The states as arrays, and the shape of the batch."""
    lines = [f"{INDENT}{word} = np.asarray({word}, dtype=float)" for word in states.values()]
    shapes: list[str] = []
    for x in run.states:
        shapes.append(f"{states[x.name]}.shape" + (f"[:-{len(x.shape)}]" if x.shape else ""))
    if carried:
        shapes.append(f"*map(np.shape, {carried})")
    elif any(x.size for x in run.parameters):
        shapes.append("*map(np.shape, vars(p).values())")
    if shapes and run.outputs:
        alone = len(shapes) == 1 and not shapes[0].startswith("*")
        lines += [f"{INDENT}batch = {shapes[0]}"] if alone else listed("batch = np.broadcast_shapes(", shapes, ")")
    return lines


def _elements(run: Program, states: Mapping[str, str], names: Sequence[str], carried: str) -> list[str]:
    """Names for the elements of the arguments."""
    lines: list[str] = []
    start = 0
    for x in run.states:
        n = len(x.shape)
        if n:
            source, order = (-1, 0) if n == 1 else (tuple(range(-n, 0)), tuple(range(n)))
            array = f"np.moveaxis({states[x.name]}, {source}, {order})"
            lines += unpacking(names[start : start + x.size], x.shape, array)
        start += x.size
    rest = names[start:]
    return lines + unpacking(rest, (len(rest),), carried or _FIELDS)


def _statements(page: Page) -> list[str]:
    """A line for each result worth one."""
    lines: list[str] = []
    for line in page.plan.lines:
        if line.op != SOLVE:
            text = page.expression(line)
            lines += assignment(page.name(line.first), text)
            continue
        matrix, right = page.system(line)
        X, columns = page.namer.name("X"), len(right[0])
        rows = [f"[{', '.join([*a, *b])}]" for a, b in zip(matrix, right, strict=True)]
        lines += listed(f"{X} = _solve([", rows, "])")
        page.call({line.first + k: f"{X}[..., {k // columns}, {k % columns}]" for k in range(line.count)})
    return lines


def _output(page: Page, out: Output, name: str, batch: str) -> list[str]:
    """The array and its elements: zeros stay as they were made, an element that equals an earlier one is copied from it."""
    program = page.plan.program
    zero = [program.constant(v) == 0 for v in out.values]
    sides = ", ".join(([f"*{batch}"] if batch else []) + [str(n) for n in out.shape])
    shape = batch if batch and not out.shape else f"({sides}{',' if len(out.shape) == 1 and not batch else ''})"
    lines = [f"{INDENT}{name} = np.{'zeros' if any(zero) else 'empty'}({shape or '()'})"]
    places = [f"{name}[{', '.join(['...', *map(str, index)])}]" for index in indices(out.shape)]
    first = dict(zip(indices(out.shape), places, strict=True))
    for place, x, is_zero in zip(places, elements(program, out), zero, strict=True):
        if not is_zero:
            copied = x.mirrors is not None and x.value not in page.names
            lines += assignment(place, first[x.mirrors] if copied and x.mirrors is not None else page.value(x.value))
    return lines
