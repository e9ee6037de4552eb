"""The numbers that expressions can be evaluated over, each a table of its constants, operations and linear systems."""

import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from armillary.errors import ExpressionError
from armillary.expr.numbers import Number, PiMultiple, text
from armillary.expr.ops import OPS

Matrix = list[list[Any]]
Operation = Callable[..., Any]

_real: Operation = np.real


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """One kind of number: what a constant is in it, what each operation does, and X with A X = B."""

    name: str
    constant: Callable[[Number], Any]
    ops: Mapping[str, Operation]
    solve: Callable[[Matrix, Matrix], Matrix]


_RING: dict[str, Operation] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "neg": operator.neg,
}


def modular(prime: int) -> Arithmetic:
    """Integers modulo a prime. They have no order, and therefore no signs and no branches."""

    def inverse(b: int) -> int:
        if b % prime == 0:
            raise ExpressionError(f"division by {b}, which is zero modulo {prime}")
        return pow(b, -1, prime)

    def constant(value: Number) -> int:
        fraction = _fraction(value)
        return fraction.numerator * inverse(fraction.denominator) % prime

    def residue(exact: Operation) -> Operation:
        return lambda *args: exact(*args) % prime

    def quotient(a: int, b: int) -> int:
        return a * inverse(b) % prime

    ops = {name: residue(exact) for name, exact in _RING.items()} | {"div": quotient}
    return Arithmetic(f"integers modulo {prime}", constant, ops, _elimination(ops))


def _fraction(value: Number) -> Fraction:
    if isinstance(value, PiMultiple):
        raise ExpressionError(f"the constant {text(value)} is not a fraction")
    return Fraction(value)


def _quotient(a: Fraction, b: Fraction) -> Fraction:
    """a / b, which is a fraction for integers too."""
    if b == 0:
        raise ExpressionError(f"division of {a} by zero")
    return Fraction(a, b)


def _square_root(a: Fraction) -> Fraction:
    if a >= 0:
        root = Fraction(math.isqrt(a.numerator), math.isqrt(a.denominator))
        if root * root == a:
            return root
    raise ExpressionError(f"the square root of {a} is not a fraction")


def _exact_sign(a: Fraction) -> Fraction:
    return Fraction((a > 0) - (a < 0))


def _exact_less(a: Fraction, b: Fraction) -> Fraction:
    return Fraction(a < b)


def _exact_select(condition: Fraction, yes: Fraction, no: Fraction) -> Fraction:
    return yes if condition else no


_EXACT: dict[str, Operation] = _RING | {
    "div": _quotient,
    "sqrt": _square_root,
    "abs": operator.abs,
    "sign": _exact_sign,
    "min": min,
    "max": max,
    "less": _exact_less,
    "select": _exact_select,
}


def _elimination(ops: Mapping[str, Operation]) -> Callable[[Matrix, Matrix], Matrix]:
    """Gauss-Jordan elimination over a field, with the first pivot that is not 0."""
    sub, mul, div = ops["sub"], ops["mul"], ops["div"]

    def solve(matrix: Matrix, right: Matrix) -> Matrix:
        n = len(matrix)
        rows = [[*a, *b] for a, b in zip(matrix, right, strict=True)]
        for k in range(n):
            pivot = next((i for i in range(k, n) if rows[i][k] != 0), None)
            if pivot is None:
                raise _singular(n)
            rows[k], rows[pivot] = rows[pivot], rows[k]
            rows[k] = [div(x, rows[k][k]) for x in rows[k]]
            for i in range(n):
                if i != k and rows[i][k] != 0:
                    rows[i] = [sub(x, mul(rows[i][k], y)) for x, y in zip(rows[i], rows[k], strict=True)]
        return [row[n:] for row in rows]

    return solve


def _solve_arrays(matrix: Matrix, right: Matrix) -> Matrix:
    """By LAPACK, all systems of a batch at once."""
    n, m = len(matrix), len(right[0])
    entries = np.stack(np.broadcast_arrays(*[x for row in (*matrix, *right) for x in row]), axis=-1)
    batch = entries.shape[:-1]
    try:
        x = np.linalg.solve(entries[..., : n * n].reshape(*batch, n, n), entries[..., n * n :].reshape(*batch, n, m))
    except np.linalg.LinAlgError:
        raise _singular(n) from None
    return [[x[..., i, j] for j in range(m)] for i in range(n)]


def _singular(n: int) -> ExpressionError:
    return ExpressionError(f"the {n} x {n} matrix of a solve is singular")


def _complex_abs(z: Any) -> Any:
    return z * np.sign(_real(z))


def _complex_sign(z: Any) -> Any:
    return np.sign(_real(z))


def _complex_atan2(y: Any, x: Any) -> Any:
    """The real parts' angle φ, and how far (x, y) is turned beyond it: atan2(y, x) = φ + atan(across / along).

    With the real parts (x_r, y_r), along = x x_r + y y_r and across = y x_r - x y_r, which has no real part: however
    small the imaginary parts, nothing is rounded away.
    """
    x_r, y_r = _real(x), _real(y)
    return np.arctan2(y_r, x_r) + np.arctan((y * x_r - x * y_r) / (x * x_r + y * y_r))


def _complex_less(a: Any, b: Any) -> Any:
    return OPS["less"].numpy(_real(a), _real(b))


def _complex_min(a: Any, b: Any) -> Any:
    return OPS["select"].numpy(_complex_less(a, b), a, b)


def _complex_max(a: Any, b: Any) -> Any:
    return OPS["select"].numpy(_complex_less(b, a), a, b)


FLOATS = Arithmetic("floats", float, {name: op.numpy for name, op in OPS.items()}, _solve_arrays)
"""Doubles, or arrays of them that broadcast."""

COMPLEXES = Arithmetic(
    "complex numbers",
    float,
    {
        **FLOATS.ops,
        "abs": _complex_abs,
        "sign": _complex_sign,
        "atan2": _complex_atan2,
        "less": _complex_less,
        "min": _complex_min,
        "max": _complex_max,
    },
    _solve_arrays,
)
"""Complex numbers near the real line: branches follow the real part, so that imaginary parts carry derivatives."""

RATIONALS = Arithmetic("fractions", _fraction, _EXACT, _elimination(_EXACT))
"""Exact fractions; the value of every symbol is a Fraction or an int."""
