"""Constants that stay exact as far as the input is: integers, fractions, rational multiples of pi; floats otherwise.

Exact arithmetic goes on while numerators and denominators fit in a double's 53 bits; beyond that the result is the
nearest float. A float in the calculation makes the result a float.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from armillary.errors import ExpressionError

_LIMIT = 1 << 53


@dataclass(frozen=True, slots=True)
class PiMultiple:
    """ratio · pi, with a rational ratio that is not zero."""

    ratio: Fraction

    def __float__(self) -> float:
        return float(self.ratio) * math.pi

    def __str__(self) -> str:
        n, d = self.ratio.numerator, self.ratio.denominator
        head = {1: "pi", -1: "-pi"}.get(n, f"{n}*pi")
        return head if d == 1 else f"{head}/{d}"


Number = int | Fraction | float | PiMultiple
"""What a constant may be."""


def normalise(value: object) -> Number:
    """The one form of a number: integers as int, integer-valued floats too, no -0, nothing infinite."""
    kind = type(value)
    if kind is int:
        return value if -_LIMIT <= value <= _LIMIT else _finite(float(value))  # type: ignore[operator,return-value,arg-type]
    if isinstance(value, Fraction):
        return _shrink(value)
    if isinstance(value, PiMultiple):
        return value if value.ratio else 0
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise ExpressionError(f"{value!r} is not a number; use an int, a float, a Fraction or a symbol") from None
    _finite(number)
    return int(number) if number.is_integer() and abs(number) < _LIMIT else number


def _finite(value: float) -> float:
    if not math.isfinite(value):
        raise ExpressionError(f"{value} cannot be a constant: constants are finite numbers")
    return value


def _shrink(value: Fraction) -> Number:
    if value.denominator == 1 and abs(value.numerator) <= _LIMIT:
        return value.numerator
    if value.denominator > _LIMIT or abs(value.numerator) > _LIMIT:
        return normalise(float(value))
    return value


def is_exact(value: Number) -> bool:
    """Whether no rounding has happened yet."""
    return type(value) is not float


def add(a: Number, b: Number) -> Number:
    """a + b."""
    if type(a) is int and type(b) is int:
        return normalise(a + b)
    if isinstance(a, PiMultiple) or isinstance(b, PiMultiple):
        if isinstance(a, PiMultiple) and isinstance(b, PiMultiple):
            return _pi(a.ratio + b.ratio)
        if a == 0:
            return b
        if b == 0:
            return a
        return normalise(float(a) + float(b))
    if type(a) is float or type(b) is float:
        return normalise(float(a) + float(b))
    return _shrink(Fraction(a) + Fraction(b))


def negative(a: Number) -> Number:
    """-a."""
    return PiMultiple(-a.ratio) if isinstance(a, PiMultiple) else -a


def multiply(a: Number, b: Number) -> Number:
    """a · b."""
    if type(a) is int and type(b) is int:
        return normalise(a * b)
    if isinstance(b, PiMultiple):
        a, b = b, a
    if isinstance(a, PiMultiple):
        if isinstance(b, PiMultiple) or type(b) is float:
            return normalise(float(a) * float(b))
        return _pi(a.ratio * b)  # type: ignore[operator]
    if type(a) is float or type(b) is float:
        return normalise(float(a) * float(b))
    return _shrink(Fraction(a) * Fraction(b))  # type: ignore[arg-type]


def divide(a: Number, b: Number) -> Number:
    """a / b."""
    if b == 0:
        raise ExpressionError(f"division of {a} by zero")
    if isinstance(a, PiMultiple):
        if isinstance(b, PiMultiple):
            return _shrink(a.ratio / b.ratio)
        if type(b) is not float:
            return _pi(a.ratio / b)  # type: ignore[operator]
    if isinstance(a, PiMultiple) or isinstance(b, PiMultiple) or type(a) is float or type(b) is float:
        return normalise(float(a) / float(b))
    return _shrink(Fraction(a) / Fraction(b))


def _pi(ratio: Fraction) -> Number:
    return PiMultiple(Fraction(ratio)) if ratio else 0


def near_right_angle(value: float, tolerance: float = 1e-12) -> Number:
    """`value` as an exact multiple of pi/2 where it lies within `tolerance` of one, else unchanged."""
    quarter = round(value / (math.pi / 2))
    if abs(value - quarter * (math.pi / 2)) <= tolerance:
        return _pi(Fraction(quarter, 2))
    return normalise(value)


def text(value: Number) -> str:
    """The number as the parser reads it back, exactly."""
    return repr(value) if type(value) is float else str(value)
