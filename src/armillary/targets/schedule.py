"""From single operations to lines that a person would write: what is folded into where it is used, and what gets a line.

A result has a line of its own if it has a name (`Program.hints`), is used more than once, is a sine or cosine, comes from
`solve`, or would make the line that uses it too long. All else is folded into its only use, operands and grouping
unchanged. Sines and cosines of one angle stand together, because compilers compute both at once.
"""

from collections.abc import Callable
from dataclasses import dataclass

from armillary.expr.ops import SOLVE
from armillary.program.program import Output, Program
from armillary.targets.notation import ATOM, Notation, Rule, Text, is_better_swapped

LINE = 84
"""How wide an expression may become: with an indent, a type and a name before it, lines stay within about 100 columns."""

CELL = 24
"""How wide an element of a system to `solve` may become."""

_PARENTHESES = 2
_PARTNER = {"sin": "cos", "cos": "sin"}


@dataclass(frozen=True, slots=True)
class Operation:
    """A statement of a Program: the arguments, and the first of the `count` values it makes."""

    number: int
    op: str
    args: tuple[int, ...]
    first: int
    count: int


@dataclass(frozen=True)
class Schedule:
    """`lines` in the order in which they are to stand; `folded` are the operations without a line, by their value."""

    program: Program
    lines: tuple[Operation, ...]
    folded: dict[int, Operation]


@dataclass(frozen=True, slots=True)
class Element:
    """An element of an output: `index` in its array, the value, and the earlier element it equals by structure, if any."""

    index: tuple[int, ...]
    value: int
    mirrors: tuple[int, ...] | None = None


def schedule(program: Program, notation: Notation, leaf: Callable[[int], int], limit: int = LINE) -> Schedule:
    """The lines of a Program. `leaf(value)` is the width of a value that stands by its name or as a number."""
    operations = live(program)
    lined = _lined(program, operations, notation, leaf, limit)
    folded = {x.first: x for x in operations if x.first not in lined}
    return Schedule(program, tuple(_ordered([x for x in operations if x.first in lined])), folded)


def live(program: Program) -> list[Operation]:
    """The statements that some output depends on."""
    listed = [Operation(k, op, tuple(args), first, count) for k, op, args, first, count in program.statements()]
    needed = {v for out in program.outputs for v in out.values}
    kept: list[Operation] = []
    for x in reversed(listed):
        if any(v in needed for v in range(x.first, x.first + x.count)):
            needed.update(x.args)
            kept.append(x)
    return kept[::-1]


def used_values(program: Program, operations: list[Operation]) -> set[int]:
    """Every value that an operation takes or an output gives."""
    return {a for x in operations for a in x.args} | {v for out in program.outputs for v in out.values}


def _lined(
    program: Program, operations: list[Operation], notation: Notation, leaf: Callable[[int], int], limit: int
) -> set[int]:
    """First values of the operations that get a line."""
    uses = _uses(program, operations)
    fits = _Widths(program.first_result, notation, leaf)
    for x in operations:
        fits.fold(x, CELL if x.op == SOLVE else limit)
        apart = x.op in (SOLVE, "sin", "cos") or uses[x.first] > 1 or (x.first in program.hints and uses[x.first] > 0)
        if apart and not (x.op == "neg" and fits.is_leaf(x.args[0])):
            fits.lined.add(x.first)
            if x.op == SOLVE:
                fits.lined.update(range(x.first, x.first + x.count))
    return fits.lined


class _Widths:
    """How wide every value is where it is used, and which values have a line so far."""

    def __init__(self, first_result: int, notation: Notation, leaf: Callable[[int], int]) -> None:
        self.first_result = first_result
        self.notation = notation
        self.leaf = leaf
        self.lined: set[int] = set()
        self.wide: dict[int, tuple[int, Rule]] = {}

    def is_leaf(self, value: int) -> bool:
        return value < self.first_result or value in self.lined

    def level(self, value: int) -> int:
        return ATOM if self.is_leaf(value) else self.wide[value][1].level

    def operand(self, value: int, need: int) -> int:
        if self.is_leaf(value):
            return self.leaf(value)
        width, rule = self.wide[value]
        return width + (_PARENTHESES if rule.level < need else 0)

    def fold(self, x: Operation, limit: int) -> None:
        """Note the width of x; while it is beyond the limit, its widest operand gets a line."""
        if x.op == SOLVE:
            self.lined.update(a for a in x.args if not self.is_leaf(a) and self.operand(a, 0) > limit)
            return
        rule = self.notation.rules[x.op]
        while True:
            args = x.args[::-1] if is_better_swapped(x.op, rule, [self.level(a) for a in x.args]) else x.args
            widths = [self.operand(a, need) for a, need in zip(args, rule.needs, strict=False)]
            width = sum(widths) + rule.own_width
            inner = [(w, a) for w, a in zip(widths, args, strict=True) if not self.is_leaf(a)]
            if width <= limit or not inner:
                self.wide[x.first] = (width, rule)
                return
            self.lined.add(max(inner, key=lambda pair: pair[0])[1])


def _uses(program: Program, operations: list[Operation]) -> list[int]:
    """In how many places every value is used: as an argument, and once for every output that it is in."""
    uses = [0] * program.n_values
    for x in operations:
        for a in x.args:
            uses[a] += 1
    argued = list(uses)
    for out in program.outputs:
        for v in set(out.values):
            uses[v] += 1
    # A name is for those who use the value again: what is only put out is named by its output.
    return [0 if argued[v] == 0 and n == 1 else n for v, n in enumerate(uses)]


def _ordered(lines: list[Operation]) -> list[Operation]:
    """The lines in the Program's order, but for the second of a sine and cosine of one angle, which follows the first."""
    waves = {(x.op, x.args[0]): x for x in lines if x.op in _PARTNER}
    placed: set[int] = set()
    ordered: list[Operation] = []
    for x in lines:
        partner = waves.get((_PARTNER.get(x.op, ""), x.args[0])) if x.args else None
        for line in sorted((x, partner) if partner else (x,), key=lambda y: y.op, reverse=True):
            if line.first not in placed:
                placed.add(line.first)
                ordered.append(line)
    return ordered


def write(plan: Schedule, notation: Notation, names: dict[int, Text], value: int) -> Text:
    """The text of a value: its name, or the expression that was folded into this place."""
    return names[value] if value in names else expression(plan, notation, names, plan.folded[value])


def expression(plan: Schedule, notation: Notation, names: dict[int, Text], x: Operation) -> Text:
    """The text of an operation: the right-hand side of a line, or what is folded into one."""
    op, args = x.op, x.args
    inner = plan.folded.get(args[0])
    if op == "select" and inner is not None and inner.op == "less":
        op, args = "select_less", (*inner.args, *args[1:])
    return notation.write(op, [write(plan, notation, names, a) for a in args])


def elements(program: Program, out: Output) -> list[Element]:
    """The elements of an output row by row; results that stood in it before are marked as mirrors."""
    seen: dict[int, tuple[int, ...]] = {}
    listed: list[Element] = []
    for index, value in zip(indices(out.shape), out.values, strict=True):
        earlier = seen.get(value) if value >= program.first_result else None
        listed.append(Element(index, value, earlier))
        seen.setdefault(value, index)
    return listed


def indices(shape: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The indices of an array's elements, row by row."""
    found: list[tuple[int, ...]] = [()]
    for n in shape:
        found = [(*index, k) for index in found for k in range(n)]
    return found
