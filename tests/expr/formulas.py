"""Random formulas: lists of steps that can be run on floats as they stand, or through the laws of a graph."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from armillary.expr.graph import Expr, Graph
from armillary.expr.numbers import Number, PiMultiple
from armillary.expr.ops import OPS

NAMES = ("x", "y", "z")
BRANCHING = ("sign", "abs", "min", "max", "less", "select")

numbers = st.one_of(
    st.integers(-4, 4),
    st.fractions(-3, 3, max_denominator=6),
    st.sampled_from((0.1, 2.5, -0.75, 1e-3)),
    st.sampled_from([PiMultiple(Fraction(n, d)) for n in (-3, -1, 1, 2) for d in (1, 2, 3, 4)]),
)
"""Constants of every kind."""

points = st.fixed_dictionaries({name: st.floats(-2, 2).filter(lambda v: abs(v) > 1e-3) for name in NAMES})
"""A value for each symbol."""


@dataclass(frozen=True)
class Formula:
    """Leaves (names and numbers), then steps `(op, operand indices)`; the last step is the value."""

    leaves: tuple[str | Number, ...]
    steps: tuple[tuple[str, tuple[int, ...]], ...]

    def run(self, leaf: Callable[[str | Number], Any], apply: Callable[[str, Sequence[Any]], Any]) -> list[Any]:
        """The values of leaves and steps; a divisor, root or arc is kept where the function is smooth."""
        values = [leaf(x) for x in self.leaves]
        one = leaf(1)
        for op, operands in self.steps:
            args = [values[i] for i in operands]
            if op in ("sqrt", "log"):
                args = [apply("add", (apply("mul", (args[0], args[0])), one))]
            elif op == "div":
                args[1] = apply("add", (apply("mul", (args[1], args[1])), one))
            elif op in ("asin", "acos"):
                args = [apply("mul", (leaf(Fraction(1, 2)), apply("sin", (args[0],))))]
            elif op in ("tan", "exp"):
                args = [apply("sin", (args[0],))]
            elif op == "atan2":
                args[1] = apply("add", (apply("mul", (args[1], args[1])), one))
            values.append(apply(op, args))
        return values

    def build(self, graph: Graph) -> Expr:
        """Through the laws."""
        values = self.run(
            lambda x: graph.symbol(x) if isinstance(x, str) else graph.const(x), lambda op, args: graph.apply(op, *args)
        )
        return values[-1]

    def value(self, point: dict[str, float]) -> float:
        """Step by step in floats, no law used; points where it is large or close to a branch are thrown away."""

        def apply(op: str, args: Sequence[float]) -> float:
            if op in BRANCHING:
                near = args[0] - args[1] if op in ("min", "max", "less") else args[0]
                assume(near == 0 or abs(near) > 1e-6)
            result = float(OPS[op].numpy(*args))
            assume(abs(result) < 1e4)
            return result

        return self.run(lambda x: point[x] if isinstance(x, str) else float(x), apply)[-1]


@st.composite
def formulas(draw: st.DrawFn, ops: Sequence[str] = tuple(OPS), size: int = 12) -> Formula:
    """A formula of at most `size` steps; operands are mostly recent, so that chains and sharing both occur."""
    leaves = (*NAMES, *draw(st.lists(numbers, min_size=1, max_size=4)))
    steps: list[tuple[str, tuple[int, ...]]] = []
    for _ in range(draw(st.integers(1, size))):
        op = draw(st.sampled_from(ops))
        known = len(leaves) + len(steps)
        operands = tuple(draw(st.integers(0, known - 1)) for _ in range(OPS[op].arity))
        steps.append((op, operands))
    return Formula(leaves, tuple(steps))


def close(a: float, b: float) -> bool:
    """Equal but for rounding, in formulas whose values stay below 1e4."""
    return math.isclose(a, b, rel_tol=1e-7, abs_tol=1e-7)
