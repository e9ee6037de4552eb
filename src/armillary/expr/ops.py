"""The op table: what every operation is called, means, costs and differentiates to. One row an operation.

`partials(y, a, …)` gives ∂y/∂a for each argument as expressions, written with operators only, so that the table needs
no engine. `sign` has value and derivative 0 at 0. Comparisons and selections have the derivative of the branch taken.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

_where: Callable[..., Any] = np.where

Partials = Callable[..., tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Op:
    """One operation on scalars.

    `cost` is the column of a cost table it counts in; `numpy` its value over arrays; `commutes` whether the order of
    its two arguments is free. `code` is its number in the bytes of a Program.
    """

    name: str
    arity: int
    cost: str
    numpy: Callable[..., Any]
    partials: Partials
    meaning: str
    commutes: bool = False
    code: int = 0


def _unary(name: str, cost: str, value: Callable[..., Any], slope: Callable[[Any, Any], Any], meaning: str) -> Op:
    def partials(y: Any, a: Any) -> tuple[Any, ...]:
        return (slope(y, a),)

    return Op(name, 1, cost, value, partials, meaning)


def _select(condition: Any, yes: Any, no: Any) -> Any:
    return _where(np.not_equal(condition, 0), yes, no)


def _less(a: Any, b: Any) -> Any:
    return _where(np.less(a, b), 1.0, 0.0)


def _add_partials(y: Any, a: Any, b: Any) -> tuple[Any, ...]:
    return 1, 1


def _sub_partials(y: Any, a: Any, b: Any) -> tuple[Any, ...]:
    return 1, -1


def _mul_partials(y: Any, a: Any, b: Any) -> tuple[Any, ...]:
    return b, a


def _div_partials(y: Any, a: Any, b: Any) -> tuple[Any, ...]:
    inverse = 1 / b
    return inverse, -(y * inverse)


def _atan2_partials(y: Any, a: Any, b: Any) -> tuple[Any, ...]:
    inverse = 1 / (a * a + b * b)
    return b * inverse, -(a * inverse)


def _min_partials(y: Any, a: Any, b: Any) -> tuple[Any, ...]:
    first = a.less(b)
    return first, 1 - first


def _max_partials(y: Any, a: Any, b: Any) -> tuple[Any, ...]:
    first = b.less(a)
    return first, 1 - first


def _less_partials(y: Any, a: Any, b: Any) -> tuple[Any, ...]:
    return 0, 0


def _select_partials(y: Any, condition: Any, yes: Any, no: Any) -> tuple[Any, ...]:
    return 0, condition.select(1, 0), condition.select(0, 1)


_ROWS = (
    Op("add", 2, "add", np.add, _add_partials, "a + b", commutes=True),
    Op("sub", 2, "add", np.subtract, _sub_partials, "a - b"),
    Op("mul", 2, "mul", np.multiply, _mul_partials, "a b", commutes=True),
    Op("div", 2, "div", np.divide, _div_partials, "a / b"),
    _unary("neg", "free", np.negative, lambda y, a: -1, "-a"),
    _unary("sin", "trig", np.sin, lambda y, a: a.cos(), "sine, radians"),
    _unary("cos", "trig", np.cos, lambda y, a: -a.sin(), "cosine, radians"),
    _unary("tan", "trig", np.tan, lambda y, a: 1 + y * y, "tangent, radians"),
    _unary("asin", "trig", np.arcsin, lambda y, a: 1 / (1 - a * a).sqrt(), "arc sine"),
    _unary("acos", "trig", np.arccos, lambda y, a: -1 / (1 - a * a).sqrt(), "arc cosine"),
    _unary("atan", "trig", np.arctan, lambda y, a: 1 / (1 + a * a), "arc tangent"),
    Op("atan2", 2, "trig", np.arctan2, _atan2_partials, "angle of (b, a)"),
    _unary("sqrt", "other", np.sqrt, lambda y, a: 0.5 / y, "square root"),
    _unary("abs", "other", np.abs, lambda y, a: a.sign(), "absolute value"),
    _unary("sign", "other", np.sign, lambda y, a: 0, "-1, 0 or 1"),
    _unary("exp", "other", np.exp, lambda y, a: y, "exponential"),
    _unary("log", "other", np.log, lambda y, a: 1 / a, "natural logarithm"),
    _unary("tanh", "other", np.tanh, lambda y, a: 1 - y * y, "hyperbolic tangent"),
    Op("min", 2, "other", np.minimum, _min_partials, "the smaller", commutes=True),
    Op("max", 2, "other", np.maximum, _max_partials, "the larger", commutes=True),
    Op("less", 2, "other", _less, _less_partials, "1 where a < b, else 0"),
    Op("select", 3, "other", _select, _select_partials, "a where c is not 0, else b"),
)

OPS: dict[str, Op] = {row.name: replace(row, code=code) for code, row in enumerate(_ROWS)}
"""Every operation with one result, by name."""

SOLVE = "solve"
"""x = A⁻¹ B with row pivoting: arguments are A (n x n) and then B (n x m), both by rows; results x (n x m) by rows."""

RESULT = "result"
"""One of the results of a `solve`."""

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
