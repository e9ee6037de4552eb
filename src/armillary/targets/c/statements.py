"""The body of a C function: a line for each result worth one, as a person would write it, then the outputs."""

from collections.abc import Iterable, Mapping, Sequence

from armillary.expr.ops import SOLVE
from armillary.program.program import Output, Program
from armillary.targets import header
from armillary.targets.c.function import INDENT, broken
from armillary.targets.c.operations import Precision
from armillary.targets.names import Namer, wishes
from armillary.targets.notation import Text
from armillary.targets.schedule import Operation, Schedule, elements, expression, schedule, write

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
        page.output(out, places[out.name])
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
        self.lines += broken(f"{INDENT}const {self.precision.real} {name} = {text};")

    def solve(self, line: Operation) -> None:
        """The matrix and the right-hand sides in arrays; the second holds the solution afterwards."""
        n, m = self.plan.program.system(line.number)
        A, X = self.namer.name("A"), self.namer.name("X")
        cells = [self.value(a).text for a in line.args]
        self.lines += self.array(A, n, cells[: n * n]) + self.array(X, m, cells[n * n :])
        self.lines.append(f"{INDENT}solve({A}, {X}, {n}, {m});")
        self.names |= {line.first + k: Text(f"{X}[{k}]") for k in range(n * m)}

    def array(self, name: str, columns: int, cells: list[str]) -> list[str]:
        """An array with its values, by rows where they do not fit on one line."""
        head = f"{INDENT}{self.precision.real} {name}[{len(cells)}] = {{"
        one = f"{head}{', '.join(cells)}}};"
        if len(one) <= header.WIDTH:
            return [one]
        lines = [head]
        for k in range(0, len(cells), columns):
            lines += broken(f"{INDENT * 2}{', '.join(cells[k : k + columns])},")
        return [*lines, f"{INDENT}}};"]

    def output(self, out: Output, places: Sequence[str]) -> None:
        """The elements of an output; an element that equals an earlier one is copied from it."""
        first: dict[tuple[int, ...], str] = {}
        for place, x in zip(places, elements(self.plan.program, out), strict=True):
            first[x.index] = place
            if x.mirrors is None or x.value in self.names:
                text = self.value(x.value).text
            else:
                text = first[x.mirrors]
            self.lines += broken(f"{INDENT}{place} = {text};")

    def value(self, value: int) -> Text:
        return write(self.plan, self.precision.notation, self.names, value)
