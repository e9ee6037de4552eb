"""Explicit Runge-Kutta methods as data, one row a method.

With s stages, the step from (t, x) to (t + h, x⁺) of x' = f(t, x) is

    k_i = f(t + c_i h, x + h Σ_{j<i} a_ij k_j),   x⁺ = x + h Σ_i b_i k_i,   c_i = Σ_j a_ij.

Source: Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I (1993), II.1, II.5.
"""

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Tableau:
    """An explicit method of an order: row i of `a` holds a_i1 … a_i,i-1.

    `error` holds the weights of x⁺ - x̂⁺, h Σ_i e_i k_i, for methods that come as a pair with one of another order.
    """

    name: str
    order: int
    a: tuple[tuple[Fraction, ...], ...]
    b: tuple[Fraction, ...]
    error: tuple[Fraction, ...] = ()

    @property
    def stages(self) -> int:
        return len(self.b)


def _row(text: str) -> tuple[Fraction, ...]:
    return tuple(Fraction(word) for word in text.split())


EULER = Tableau("euler", 1, ((),), _row("1"))

HEUN = Tableau("heun", 2, ((), _row("1")), _row("1/2 1/2"))

RK4 = Tableau("rk4", 4, ((), _row("1/2"), _row("0 1/2"), _row("0 0 1")), _row("1/6 1/3 1/3 1/6"))

DORMAND_PRINCE = Tableau(
    "dormand_prince",
    5,
    (
        (),
        _row("1/5"),
        _row("3/40 9/40"),
        _row("44/45 -56/15 32/9"),
        _row("19372/6561 -25360/2187 64448/6561 -212/729"),
        _row("9017/3168 -355/33 46732/5247 49/176 -5103/18656"),
        _row("35/384 0 500/1113 125/192 -2187/6784 11/84"),
    ),
    _row("35/384 0 500/1113 125/192 -2187/6784 11/84 0"),
    _row("71/57600 0 -71/16695 71/1920 -17253/339200 22/525 -1/40"),
)
"""Order 5 with an estimate of order 4; its last stage stands at the end of the step."""

TABLEAUS: dict[str, Tableau] = {t.name: t for t in (EULER, HEUN, RK4, DORMAND_PRINCE)}
"""Every method, by name."""
