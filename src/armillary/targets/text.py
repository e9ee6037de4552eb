"""Mathematics to read, as plain text: one equation a line, names as the model has them."""

from dataclasses import dataclass
from fractions import Fraction

from armillary.expr.numbers import Number, PiMultiple, text
from armillary.expr.ops import SOLVE
from armillary.program.program import Input, Output, Program
from armillary.targets import header
from armillary.targets.names import FUNCTIONS, Namer
from armillary.targets.notation import ARITHMETIC, ATOM, PRODUCT, SUM, Notation, Rule, Text, number_text
from armillary.targets.page import Page
from armillary.targets.schedule import elements, indices
from armillary.targets.target import Target


def _number(value: Number) -> Text:
    """The number, exactly."""
    written = text(value)
    quotient = isinstance(value, Fraction | PiMultiple) and any(c in written for c in "*/")
    return number_text(written, PRODUCT if quotient else ATOM)


_ONE = "sin cos tan asin acos atan sqrt abs sign exp log tanh".split()

NOTATION = Notation(
    {
        **ARITHMETIC,
        **{op: Rule(f"{op}({{}})") for op in _ONE},
        **{op: Rule(f"{op}({{}}, {{}})") for op in ("atan2", "min", "max")},
        "less": Rule("({} < {} ? 1 : 0)", ATOM, (SUM, SUM)),
        "select": Rule("({} != 0 ? {} : {})", ATOM, (SUM, SUM, SUM)),
        "select_less": Rule("({} < {} ? {} : {})", ATOM, (SUM, SUM, SUM, SUM)),
    },
    _number,
)


@dataclass(frozen=True, slots=True)
class Options:
    """There are none."""


def files(program: Program, options: Options) -> dict[str, str]:
    """The listing, by its name."""
    name = Namer(()).name(program.name)
    arguments = [(x.name, _what(x)) for x in (*program.inputs, *program.outputs)]
    bare = [name for name, what in arguments if not what]
    table = [row for row in arguments if row[1]] + ([("parameters", ", ".join(bare))] if bare else [])
    lines = [*header.about(program), "", *header.table(table), "", *equations(program)]
    return {f"{name}.txt": "\n".join(lines) + "\n"}


def equations(program: Program) -> list[str]:
    """Every equation, intermediate results first; = stands in one column."""
    labels = [label for x in program.inputs for label in x.labels]
    page = Page(program, NOTATION, labels, {*FUNCTIONS, *labels, *(x.name for x in program.outputs)})
    rows: list[tuple[str, str]] = []
    for line in page.plan.lines:
        if line.op == SOLVE:
            matrix, right = page.system(line)
            X = page.namer.name("X")
            m = len(right[0])
            rows.append((X, f"solve({_matrix(matrix)}, {_matrix(right)})"))
            page.call({line.first + k: f"{X}[{k // m},{k % m}]" for k in range(line.count)})
        else:
            text = page.expression(line)
            rows.append((page.name(line.first), text))
    for out in program.outputs:
        rows += _elements(page, out)
    column = min(max((len(name) for name, _ in rows), default=0), 16)
    return [f"{name:<{column}} = {text}" for name, text in rows]


def _elements(page: Page, out: Output) -> list[tuple[str, str]]:
    places = [f"{out.name}[{','.join(map(str, index))}]" if index else out.name for index in indices(out.shape)]
    first = dict(zip(indices(out.shape), places, strict=True))
    rows: list[tuple[str, str]] = []
    for place, x in zip(places, elements(page.plan.program, out), strict=True):
        copied = x.mirrors is not None and x.value not in page.names
        rows.append((place, first[x.mirrors] if copied and x.mirrors is not None else page.value(x.value)))
    return rows


def _matrix(rows: list[list[str]]) -> str:
    inner = ", ".join(f"[{', '.join(row)}]" for row in rows)
    return f"[{inner}]"


def _what(x: Input | Output) -> str:
    shape = f"({', '.join(map(str, x.shape))})  " if x.shape else ""
    return f"{shape}{header.argument(x)}".rstrip() or (
        "" if isinstance(x, Input) and x.role == "parameter" else "a number"
    )


TARGET = Target("text", "equations as plain text", (".txt",), Options, files)
