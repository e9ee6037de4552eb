"""The body of a C function: a line for each result worth one, as a person would write it, then the outputs."""

from collections.abc import Iterable, Mapping, Sequence

from armillary.expr.ops import SOLVE
from armillary.program.program import Output, Program
from armillary.targets import header
from armillary.targets.c.function import INDENT, broken
from armillary.targets.c.operations import Precision
from armillary.targets.page import Page
from armillary.targets.schedule import Operation, elements

LIMIT = 68
"""How wide an expression may become: `    const double name = …;` then stays within the width of a page."""


def statements(
    program: Program,
    inputs: Sequence[str],
    places: Mapping[str, Sequence[str]],
    taken: Iterable[str],
    precision: Precision,
) -> list[str]:
    """The lines of the body.

    `inputs` are the texts of the input elements, `places` where the elements of every output go, `taken` names not to be
    used again.
    """
    page = _Body(Page(program, precision.notation, inputs, taken, limit=LIMIT), precision.real)
    for line in page.page.plan.lines:
        page.line(line)
    if page.lines and program.outputs:
        page.lines.append("")
    for out in program.outputs:
        page.output(out, places[out.name])
    return page.lines


class _Body:
    """The lines written so far."""

    def __init__(self, page: Page, real: str) -> None:
        self.page = page
        self.real = real
        self.lines: list[str] = []

    def line(self, line: Operation) -> None:
        """`const double F1 = …;`."""
        if line.op == SOLVE:
            self.solve(line)
            return
        text = self.page.expression(line)
        self.lines += broken(f"{INDENT}const {self.real} {self.page.name(line.first)} = {text};")

    def solve(self, line: Operation) -> None:
        """The matrix and the right-hand sides in arrays; the second holds the solution afterwards."""
        matrix, right = self.page.system(line)
        A, X = self.page.namer.name("A"), self.page.namer.name("X")
        n, m = len(right), len(right[0])
        self.lines += self.array(A, matrix) + self.array(X, right)
        self.lines.append(f"{INDENT}solve({A}, {X}, {n}, {m});")
        self.page.call({line.first + k: f"{X}[{k}]" for k in range(n * m)})

    def array(self, name: str, rows: list[list[str]]) -> list[str]:
        """An array with its values, by rows where they do not fit on one line."""
        cells = [", ".join(row) for row in rows]
        head = f"{INDENT}{self.real} {name}[{sum(map(len, rows))}] = {{"
        one = f"{head}{', '.join(cells)}}};"
        if len(one) <= header.WIDTH:
            return [one]
        return [head, *(line for row in cells for line in broken(f"{INDENT * 2}{row},")), f"{INDENT}}};"]

    def output(self, out: Output, places: Sequence[str]) -> None:
        """The elements of an output; an element that equals an earlier one is copied from it."""
        first: dict[tuple[int, ...], str] = {}
        for place, x in zip(places, elements(self.page.plan.program, out), strict=True):
            first[x.index] = place
            if x.mirrors is None or x.value in self.page.names:
                text = self.page.value(x.value)
            else:
                text = first[x.mirrors]
            self.lines += broken(f"{INDENT}{place} = {text};")
