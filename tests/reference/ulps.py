"""How far numbers are from the truth, in units of the last place that a float of its size has."""

from collections.abc import Callable

import mpmath
import numpy as np
from mpmath import mp

LONG: dict[str, Callable[..., np.ndarray]] = {
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "atan2": np.arctan2,
    "exp": np.exp,
    "log": np.log,
    "tanh": np.tanh,
}
"""The C library's functions; over `np.longdouble` they have eleven bits more than a double."""

has_long_double = np.finfo(np.longdouble).nmant >= 63

DIGITS = 400
"""Decimal digits with which every double less its quarter turns is right to many more than it has itself."""


def errors(found: np.ndarray, *args: np.ndarray, op: str) -> np.ndarray:
    """Errors of results of `op` in ulps of the exact ones, by long doubles; infinite where one is NaN and the other not."""
    limits = np.finfo(found.dtype)
    with np.errstate(all="ignore"):
        exact = LONG[op](*(a.astype(np.longdouble) for a in args))
        exponent = np.frexp(exact)[1] - 1
        ulp = np.ldexp(np.longdouble(1), np.maximum(exponent, limits.minexp) - limits.nmant)
        error = np.abs(found - exact) / ulp
        overflow = np.abs(exact) >= np.longdouble(limits.max) * (1 + np.longdouble(limits.epsneg) / 2)
        same = np.isnan(exact) & np.isnan(found) | overflow & np.isinf(found) & (np.sign(found) == np.sign(exact))
    return np.where(same, 0, np.where(np.isnan(error), np.inf, error)).astype(float)


def error(found: float, exact: mpmath.mpf, dtype: type) -> float:
    """The error of one finite result in ulps of the exact one."""
    limits = np.finfo(dtype)
    with mp.workdps(DIGITS):
        exponent = mpmath.frexp(exact)[1] - 1 if exact else limits.minexp
        ulp = mpmath.ldexp(1, max(exponent, int(limits.minexp)) - limits.nmant)
        return float(abs(mpmath.mpf(float(found)) - exact) / ulp)


def every_binade(dtype: type, count: int, rng: np.random.Generator) -> np.ndarray:
    """`count` numbers of either sign between each two powers of 2, subnormal ones included."""
    limits = np.finfo(dtype)
    exponents = np.arange(limits.minexp - limits.nmant, limits.maxexp)
    sizes = np.ldexp(rng.uniform(1, 2, (exponents.size, count)), exponents[:, None])
    with np.errstate(over="ignore"):
        x = np.minimum(sizes.ravel(), limits.max).astype(dtype)
    return np.concatenate([x, -x])
