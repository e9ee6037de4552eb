"""The source of a C module: its functions, written as a person would, and the helpers that they call."""

from collections.abc import Iterable, Mapping

from armillary.expr.ops import SOLVE
from armillary.program.program import Input, Output, Program
from armillary.targets import header
from armillary.targets.c.interface import Argument, Module, declaration, names_of_module
from armillary.targets.c.operations import CALLS, RESERVED, Precision, comment
from armillary.targets.names import Namer, wishes
from armillary.targets.notation import Text
from armillary.targets.schedule import Operation, Schedule, elements, expression, live, schedule, used_values, write

LIMIT = 68
"""How wide an expression may become: `    const double name = …;` then stays within the width of a page."""

_INDENT = "    "


def source_file(m: Module) -> str:
    """NAME.c: the functions that NAME.h declares."""
    ops = used_operations([m.run, *([m.setup] if m.setup is not None else [])])
    lines = comment([f"{m.name}.c", "", *header.about(m.program)])
    lines += [f'#include "{m.name}.h"', "", *includes(ops)]
    lines += [line for helper in m.precision.helpers(ops) for line in helper.splitlines() + [""]]
    return "\n".join([*lines, *functions(m)]).rstrip("\n") + "\n"


def functions(m: Module) -> list[str]:
    """The functions of a module, each followed by an empty line."""
    lines: list[str] = []
    if m.has_defaults:
        lines += [*_defaults(m), ""]
    reserved = RESERVED | names_of_module(m.name)
    if m.setup is not None:
        arguments = [m.parameters(), m.carried(const=False)]
        inputs = _fields(m, m.setup.inputs)
        body = statements(m.setup, inputs, {"setup": m.array}, reserved | {m.pointer, m.array}, m.precision)
        lines += [*function(f"{m.name}_setup", arguments, body), ""]
    arguments = m.run_arguments()
    names = reserved | {a.name for a in arguments}
    unused = _unused(m, arguments)
    body = [f"{_INDENT}(void){name};" for name in unused]
    body += statements(m.run, _elements(m), m.names, names, m.precision)
    return [*lines, *function(m.name, arguments, body), ""]


def used_operations(programs: Iterable[Program]) -> set[str]:
    """The operations that some output depends on."""
    return {x.op for program in programs for x in live(program)}


def includes(ops: set[str]) -> list[str]:
    """What of the standard library these operations need."""
    return ["#include <math.h>", ""] if ops & {*CALLS, SOLVE} else []


def function(name: str, arguments: list[Argument], body: list[str], prefix: str = "") -> list[str]:
    """A definition."""
    return [*declaration(name, arguments, "restrict", prefix=prefix), "{", *body, "}"]


def _defaults(m: Module) -> list[str]:
    lines: list[str] = []
    for x in m.program.parameters:
        for label, value in zip(x.labels, x.default or (), strict=True):
            lines.append(f"{_INDENT}{m.pointer}->{m.fields[label]} = {m.precision.decimal(value)};")
    return function(f"{m.name}_defaults", [m.parameters(const=False)], lines)


def _fields(m: Module, inputs: Iterable[Input]) -> list[str]:
    return [f"{m.pointer}->{m.fields[label]}" for x in inputs for label in x.labels]


def _elements(m: Module) -> list[str]:
    """How `run` writes the elements of its inputs."""
    texts: list[str] = []
    inputs = m.run.inputs
    if m.setup is not None:
        inputs, carried = inputs[:-1], inputs[-1]
    for x in inputs:
        texts += _fields(m, [x]) if x.role == "parameter" else element_names(m.names[x.name], x.shape)
    if m.setup is not None:
        texts += element_names(m.array, carried.shape)
    return texts


def element_names(name: str, shape: tuple[int, ...]) -> list[str]:
    """`name` itself for a scalar, `name[k]` for the elements of an array, row by row."""
    size = 1
    for n in shape:
        size *= n
    return [f"{name}[{k}]" for k in range(size)] if shape else [name]


def _unused(m: Module, arguments: list[Argument]) -> list[str]:
    """Arguments that no statement mentions; compilers want to know that this is meant."""
    used = used_values(m.run, live(m.run))
    mentioned = {text.split("[")[0].split("->")[0] for k, text in enumerate(_elements(m)) if k in used}
    mentioned |= {m.names[x.name] for x in m.program.outputs if x.size}
    return [a.name for a in arguments if a.name not in mentioned]


# ---- statements ----


def statements(
    program: Program, inputs: list[str], outputs: Mapping[str, str], taken: Iterable[str], precision: Precision
) -> list[str]:
    """The body of a function: a line for each result worth one, then the outputs.

    `inputs` are the texts of the input elements, `outputs` the names of the outputs' arrays, `taken` names not to be used again.
    """
    notation = precision.notation
    texts = [Text(text) for text in inputs] + [notation.number(c) for c in program.constants]
    wished = wishes(program)

    def leaf(value: int) -> int:
        return len(texts[value].text) if value < program.first_result else len(wished.get(value, "t1000"))

    plan = schedule(program, notation, leaf, LIMIT)
    page = _Page(plan, precision, dict(enumerate(texts)), Namer(taken), wished)
    for line in plan.lines:
        page.line(line)
    if plan.lines and program.outputs:
        page.lines.append("")
    for out in program.outputs:
        page.output(out, outputs[out.name])
    return page.lines


class _Page:
    """The lines written so far, and the names of the values that have one."""

    def __init__(
        self, plan: Schedule, precision: Precision, names: dict[int, Text], namer: Namer, wished: dict[int, str]
    ) -> None:
        self.plan = plan
        self.precision = precision
        self.names = names
        self.namer = namer
        self.wished = wished
        self.lines: list[str] = []

    def line(self, line: Operation) -> None:
        """`const double F1 = …;`."""
        if line.op == SOLVE:
            self.solve(line)
            return
        text = expression(self.plan, self.precision.notation, self.names, line).text
        wish = self.wished.get(line.first)
        name = self.namer.name(wish) if wish else self.namer.next()
        self.names[line.first] = Text(name)
        self.lines += broken(f"{_INDENT}const {self.precision.real} {name} = {text};")

    def solve(self, line: Operation) -> None:
        """The matrix and the right-hand sides in arrays; the second holds the solution afterwards."""
        n, m = self.plan.program.system(line.number)
        A, X = self.namer.name("A"), self.namer.name("X")
        cells = [self.value(a).text for a in line.args]
        self.lines += self.array(A, n, cells[: n * n]) + self.array(X, m, cells[n * n :])
        self.lines.append(f"{_INDENT}solve({A}, {X}, {n}, {m});")
        self.names |= {line.first + k: Text(f"{X}[{k}]") for k in range(n * m)}

    def array(self, name: str, columns: int, cells: list[str]) -> list[str]:
        """An array with its values, by rows where they do not fit on one line."""
        head = f"{_INDENT}{self.precision.real} {name}[{len(cells)}] = {{"
        one = f"{head}{', '.join(cells)}}};"
        if len(one) <= header.WIDTH:
            return [one]
        lines = [head]
        for k in range(0, len(cells), columns):
            lines += broken(f"{_INDENT * 2}{', '.join(cells[k : k + columns])},")
        return [*lines, f"{_INDENT}}};"]

    def output(self, out: Output, name: str) -> None:
        """The elements of an output; an element that equals an earlier one is copied from it."""
        places = element_names(name, out.shape) if out.shape else [f"*{name}"]
        first: dict[tuple[int, ...], str] = {}
        for place, x in zip(places, elements(self.plan.program, out), strict=True):
            first[x.index] = place
            named = x.value in self.names
            text = self.value(x.value).text if named or x.mirrors is None else first[x.mirrors]
            self.lines += broken(f"{_INDENT}{place} = {text};")

    def value(self, value: int) -> Text:
        return write(self.plan, self.precision.notation, self.names, value)


def broken(line: str) -> list[str]:
    """A line of code, continued below at a space where it is too wide for the page."""
    if len(line) <= header.WIDTH:
        return [line]
    indent = line[: len(line) - len(line.lstrip())] + _INDENT
    lines: list[str] = []
    while len(line) > header.WIDTH:
        start = len(line) - len(line.lstrip())
        cut = line.rfind(" ", start, header.WIDTH + 1)
        if cut < 0:
            cut = line.find(" ", start)
        if cut < 0:
            break
        lines.append(line[:cut])
        line = indent + line[cut + 1 :]
    return [*lines, line]
