"""The op table: what every operation is called, means, costs and differentiates to. One row an operation.

`partials(y, a, …)` gives ∂y/∂a for each argument as expressions, written with operators only, so that the table needs
no engine. `sign` has value and derivative 0 at 0. Comparisons and selections have the derivative of the branch taken.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Partials = Callable[..., tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Op:
    """One operation on scalars.

    `cost` is the column of a cost table it counts in; `numpy` its value over arrays; `commutes` whether the order of its two
    arguments is free. `code` is its number in the bytes of a Program.
    """

    name: str
    arity: int
    cost: str
    numpy: Callable[..., Any]
    partials: Partials | None
    meaning: str
    commutes: bool = False
    code: int = 0


def _select(condition: Any, yes: Any, no: Any) -> Any:
    return np.where(np.asarray(condition) != 0, yes, no)


def _less(a: Any, b: Any) -> Any:
    return np.where(np.less(a, b), 1.0, 0.0)


def _minimum_partials(y: Any, a: Any, b: Any) -> tuple[Any, ...]:
    first = a.less(b)
    return first, 1 - first


def _maximum_partials(y: Any, a: Any, b: Any) -> tuple[Any, ...]:
    first = b.less(a)
    return first, 1 - first


_ROWS = (
    Op("add", 2, "add", np.add, lambda y, a, b: (1, 1), "a + b", commutes=True),
    Op("sub", 2, "add", np.subtract, lambda y, a, b: (1, -1), "a - b"),
    Op("mul", 2, "mul", np.multiply, lambda y, a, b: (b, a), "a b", commutes=True),
    Op("div", 2, "div", np.divide, lambda y, a, b: (1 / b, -y / b), "a / b"),
    Op("neg", 1, "free", np.negative, lambda y, a: (-1,), "-a"),
    Op("sin", 1, "trig", np.sin, lambda y, a: (a.cos(),), "sine, radians"),
    Op("cos", 1, "trig", np.cos, lambda y, a: (-a.sin(),), "cosine, radians"),
    Op("tan", 1, "trig", np.tan, lambda y, a: (1 + y * y,), "tangent, radians"),
    Op("asin", 1, "trig", np.arcsin, lambda y, a: (1 / (1 - a * a).sqrt(),), "arc sine"),
    Op("acos", 1, "trig", np.arccos, lambda y, a: (-1 / (1 - a * a).sqrt(),), "arc cosine"),
    Op("atan", 1, "trig", np.arctan, lambda y, a: (1 / (1 + a * a),), "arc tangent"),
    Op("atan2", 2, "trig", np.arctan2, lambda y, a, b: (b / (a * a + b * b), -a / (a * a + b * b)), "angle of (b, a)"),
    Op("sqrt", 1, "other", np.sqrt, lambda y, a: (0.5 / y,), "square root"),
    Op("abs", 1, "other", np.abs, lambda y, a: (a.sign(),), "absolute value"),
    Op("sign", 1, "other", np.sign, lambda y, a: (0,), "-1, 0 or 1"),
    Op("exp", 1, "other", np.exp, lambda y, a: (y,), "exponential"),
    Op("log", 1, "other", np.log, lambda y, a: (1 / a,), "natural logarithm"),
    Op("tanh", 1, "other", np.tanh, lambda y, a: (1 - y * y,), "hyperbolic tangent"),
    Op("min", 2, "other", np.minimum, _minimum_partials, "the smaller", commutes=True),
    Op("max", 2, "other", np.maximum, _maximum_partials, "the larger", commutes=True),
    Op("less", 2, "other", _less, lambda y, a, b: (0, 0), "1 where a < b, else 0"),
    Op("select", 3, "other", _select, lambda y, c, a, b: (0, c.select(1, 0), c.select(0, 1)), "a where c is not 0, else b"),
)

OPS: dict[str, Op] = {
    row.name: Op(row.name, row.arity, row.cost, row.numpy, row.partials, row.meaning, row.commutes, code)
    for code, row in enumerate(_ROWS)
}
"""Every operation with one result, by name."""

SOLVE = "solve"
"""x = A⁻¹ B with row pivoting: arguments are A (n x n) and then B (n x m), both by rows; results x (n x m) by rows."""

SOLVE_CODE = len(_ROWS)
NAMES: tuple[str, ...] = (*OPS, SOLVE)
"""Operation names by code."""

COLUMNS = ("mul", "add", "div", "trig", "other")
"""The columns of a cost."""


def solve_cost(n: int, m: int) -> dict[str, int]:
    """Operations of Gaussian elimination with m right-hand sides (comparisons of the pivot search not counted)."""
    elimination = sum(k * (k + m) for k in range(1, n))
    back = m * n * (n - 1) // 2
    divisions = n * (n - 1) // 2 + n * m
    return {"mul": elimination + back, "add": elimination + back, "div": divisions, "trig": 0, "other": 0}
