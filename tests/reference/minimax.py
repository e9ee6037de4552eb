"""Best polynomials: where the coefficients of the compiled functions come from.

`fit(f, weight, low, high, n)` is the polynomial p with n coefficients that makes max |w (p - f)| on an interval least
(Remez's exchange), its coefficients rounded one after another from the lowest: each is fixed in its turn and the rest
fitted again, so that later ones make good what rounding took from the earlier.
"""

from collections.abc import Callable, Sequence

import mpmath
import numpy as np
from mpmath import mp, mpf

Function = Callable[[mpf], mpf]
DIGITS = 90
POINTS = 400


def fit(f: Function, weight: Function, low: float, high: float, n: int, real: type = np.float64) -> tuple[float, ...]:
    """Coefficients of p, lowest first, in the precision `real`; low >= 0, or no coefficient makes good for another."""
    with mp.workdps(DIGITS):
        x = _chebyshev_points(low, high)
        values, weights = [f(t) for t in x], [weight(t) for t in x]
        if low < 0:
            return tuple(_rounded(c, real) for c in _remez(x, values, weights, n))
        fixed: list[float] = []
        for k in range(n):
            rest = [(v - _value(fixed, t)) / t**k for v, t in zip(values, x, strict=True)]
            fixed.append(_rounded(_remez(x, rest, [w * t**k for w, t in zip(weights, x, strict=True)], n - k)[0], real))
        return tuple(fixed)


def _rounded(value: mpf, real: type) -> float:
    return float(real(mpmath.nstr(value, 30)))


def error(f: Function, weight: Function, low: float, high: float, coefficients: Sequence[float]) -> float:
    """max |w (p - f)| on the interval."""
    with mp.workdps(DIGITS):
        return float(max(abs(weight(x) * (_value(coefficients, x) - f(x))) for x in _chebyshev_points(low, high)))


def _chebyshev_points(low: float, high: float) -> list[mpf]:
    """Points from one end of the interval to the other, closer together at its ends; never 0."""
    middle, half = (mpf(low) + mpf(high)) / 2, (mpf(high) - mpf(low)) / 2
    return [middle - half * mpmath.cos(mpmath.pi * (i + mpf(1) / 2) / POINTS) for i in range(POINTS)]


def _value(coefficients: Sequence[float | mpf], x: mpf) -> mpf:
    p = mpf(0)
    for c in reversed(coefficients):
        p = p * x + c
    return p


def _remez(x: list[mpf], f: list[mpf], w: list[mpf], n: int) -> list[mpf]:
    """The n coefficients whose weighted error over the points x swings n + 1 times between its extremes."""
    chosen = [round(i * (len(x) - 1) / n) for i in range(n + 1)]
    for _ in range(30):
        system = mpmath.matrix(n + 1, n + 1)
        for row, i in enumerate(chosen):
            for k in range(n):
                system[row, k] = x[i] ** k
            system[row, n] = (-1) ** row / w[i]
        solution = mpmath.lu_solve(system, mpmath.matrix([f[i] for i in chosen]))
        p = [solution[k] for k in range(n)]
        errors = [w[i] * (_value(p, x[i]) - f[i]) for i in range(len(x))]
        extremes = _extremes(errors)
        if len(extremes) < n + 1 or extremes[: n + 1] == chosen:
            break
        chosen = _largest_run(extremes, errors, n + 1)
    return p


def _extremes(errors: list[mpf]) -> list[int]:
    """Where the error is largest between each two changes of its sign."""
    best: list[int] = [0]
    for i in range(1, len(errors)):
        if (errors[i] > 0) != (errors[best[-1]] > 0):
            best.append(i)
        elif abs(errors[i]) > abs(errors[best[-1]]):
            best[-1] = i
    return best


def _largest_run(extremes: list[int], errors: list[mpf], count: int) -> list[int]:
    """`count` neighbours among the extremes, dropping the smaller end while there are too many."""
    run = list(extremes)
    while len(run) > count:
        run.pop(0 if abs(errors[run[0]]) < abs(errors[run[-1]]) else -1)
    return run
