"""MATLAB functions: help text, a line for each result worth one, then the outputs."""

from collections.abc import Mapping, Sequence

from armillary.expr.ops import SOLVE
from armillary.program.program import Output, Program
from armillary.targets import header
from armillary.targets.matlab.operations import NOTATION
from armillary.targets.page import Page
from armillary.targets.schedule import elements, indices

LIMIT = 84
"""How wide an expression may become: with a name before it, lines stay within the width of a page."""


def function(
    name: str, arguments: Sequence[str], results: Sequence[str], help_: Sequence[str], body: Sequence[str]
) -> list[str]:
    """A definition; its help text is what `help NAME` shows."""
    given = results[0] if len(results) == 1 else f"[{', '.join(results)}]"
    head = f"function {f'{given} = ' if results else ''}{name}({', '.join(arguments)})"
    comment = [
        f"%{_printable(line)}".rstrip() for line in (f"{name.upper()}  {help_[0]}", *(f"  {h}" for h in help_[1:]))
    ]
    return [*broken(head), *comment, "", *body, "end"]


def statements(page: Page) -> list[str]:
    """A line for each result worth one."""
    lines: list[str] = []
    for line in page.plan.lines:
        if line.op != SOLVE:
            text = page.expression(line)
            lines += broken(f"{page.name(line.first)} = {text};")
            continue
        matrix, right = page.system(line)
        X, m = page.namer.name("X"), len(right[0])
        lines += broken(f"{X} = solve_or_nan({_matrix(matrix)}, {_matrix(right)});")
        page.call({line.first + k: f"{X}({k // m + 1}, {k % m + 1})" for k in range(line.count)})
    return lines


def _matrix(rows: Sequence[Sequence[str]]) -> str:
    return f"[{'; '.join(', '.join(row) for row in rows)}]"


def output(page: Page, out: Output, name: str) -> list[str]:
    """The array and its elements: zeros stay as they were made, an element that equals an earlier one is copied from it."""
    lines: list[str] = []
    if out.shape:
        sides = (*out.shape, 1) if len(out.shape) == 1 else out.shape
        lines.append(f"{name} = zeros({', '.join(map(str, sides))});")
    places = element_names(name, out.shape)
    first = dict(zip(indices(out.shape), places, strict=True))
    for place, x in zip(places, elements(page.plan.program, out), strict=True):
        if out.shape and page.plan.program.constant(x.value) == 0:
            continue
        copied = x.mirrors is not None and x.value not in page.names
        lines += broken(f"{place} = {first[x.mirrors] if copied and x.mirrors is not None else page.value(x.value)};")
    return lines


def element_names(name: str, shape: tuple[int, ...]) -> list[str]:
    """`q(1)`, `A(1, 2)`: counted from 1; the name itself for a scalar."""
    return [f"{name}({', '.join(str(k + 1) for k in index)})" if index else name for index in indices(shape)]


def run_body(
    program: Program, inputs: Sequence[str], outputs: Mapping[str, str], taken: frozenset[str], longest: int
) -> list[str]:
    """The body of a function from input elements, given by their texts, to outputs, given by their names."""
    page = Page(program, NOTATION, inputs, taken, limit=LIMIT, longest=longest)
    lines = statements(page)
    if lines and program.outputs:
        lines.append("")
    return lines + [line for out in program.outputs for line in output(page, out, outputs[out.name])]


def broken(line: str) -> list[str]:
    """A line of code, continued below where it is too wide for the page."""
    lines: list[str] = []
    while len(line) > header.WIDTH:
        start = len(line) - len(line.lstrip())
        cut = line.rfind(" ", start, header.WIDTH - 3)
        if cut < 0:
            break
        lines.append(f"{line[:cut]} ...")
        line = "    " + line[cut + 1 :]
    return [*lines, line]


def _printable(line: str) -> str:
    return "".join(c for c in line if c.isprintable())
