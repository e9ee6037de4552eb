"""In which order the statements of a Program are computed: any order in which arguments come first gives the same values,
but not the same speed.

A `Unit` is what is computed together: one statement, or sines and cosines that share their work.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from armillary.program.program import Program

SHORT = 8
"""Sums of inputs that an angle may be."""

_WAVES = ("sin", "cos")
_SUMS = ("add", "sub", "neg")


@dataclass(frozen=True, slots=True)
class Statement:
    """Operation `op` on the values `args` makes the values first … first + count - 1."""

    number: int
    op: str
    args: tuple[int, ...]
    first: int
    count: int


Unit = tuple[Statement, ...]


def statements(program: Program) -> list[Statement]:
    """The statements of a Program, as it has them."""
    return [Statement(k, op, tuple(args), first, count) for k, op, args, first, count in program.statements()]


def as_written(program: Program) -> list[Unit]:
    """The Program's own order."""
    return _together(program, statements(program))


def _together(program: Program, ordered: list[Statement]) -> list[Unit]:
    """The statements in this order, but for sines and cosines: those of one angle come together, at the first of them.

    Those of angles that are all but inputs come before everything else: there is a branch in them for angles far away,
    and whatever is being held in registers would have to be put aside for it.
    """
    waves: dict[int, list[Statement]] = {}
    for x in ordered:
        if x.op in _WAVES:
            waves.setdefault(x.args[0], []).append(x)
    needs = _needs(program, ordered)
    first = {x.number: x for angle in waves if angle in needs for x in needs[angle]}
    early = [angle for angle in waves if angle in needs]
    rest = [
        tuple(waves.pop(x.args[0], ())) if x.op in _WAVES else (x,)
        for x in ordered
        if x.number not in first and not (x.op in _WAVES and x.args[0] in needs)
    ]
    return [*((x,) for x in first.values()), *(tuple(waves[a]) for a in early), *(u for u in rest if u)]


def _needs(program: Program, ordered: list[Statement]) -> dict[int, tuple[Statement, ...]]:
    """For every value that is an input, or made of inputs in at most SHORT sums: those sums, in their order."""
    needs: dict[int, tuple[Statement, ...]] = dict.fromkeys(range(program.first_result), ())
    for x in ordered:
        if x.op in _SUMS and all(a in needs for a in x.args):
            made = {y.number: y for a in x.args for y in needs[a]}
            if len(made) < SHORT:
                needs[x.first] = (*made.values(), x)
    return needs


def by_outputs(program: Program) -> list[Unit]:
    """Depth first from the outputs: everything an output needs, arguments from the left, before the next output."""
    return _together(program, _depth_first(program, lambda args: args))


def by_outputs_deepest_first(program: Program) -> list[Unit]:
    """Depth first from the outputs; of a statement's arguments the one with the longest way to the inputs comes first."""
    depth = [0] * program.n_values
    for x in statements(program):
        d = 1 + max((depth[a] for a in x.args), default=0)
        depth[x.first : x.first + x.count] = [d] * x.count
    return _together(program, _depth_first(program, lambda args: sorted(args, key=lambda a: -depth[a])))


def _depth_first(program: Program, inner: Callable[[tuple[int, ...]], Sequence[int]]) -> list[Statement]:
    """The statements that the outputs need, each after its arguments, which come in the order that `inner` puts them in."""
    maker = {v: x for x in statements(program) for v in range(x.first, x.first + x.count)}
    done: set[int] = set()
    ordered: list[Statement] = []
    for out in program.outputs:
        for value in out.values:
            stack = [(value, False)]
            while stack:
                v, ready = stack.pop()
                x = maker.get(v)
                if x is None or x.number in done:
                    continue
                if ready:
                    done.add(x.number)
                    ordered.append(x)
                else:
                    stack.append((v, True))
                    stack += [(a, False) for a in reversed(inner(x.args))]
    return ordered
