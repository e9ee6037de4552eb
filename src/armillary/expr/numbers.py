"""Constants that stay exact as far as the input is: integers, fractions, rational multiples of pi; floats otherwise.

A number has one form. Integers within a double's 53 bits are `int`. A `Fraction` has numerator and denominator within
53 bits, and every fraction that a double holds with at most ten binary places (0.5, 0.375) is one, whether it was
written as 1/2 or as 0.5. Any other decimal (0.1, 1.5708) is the nearest `float`, as it is in every file and in every
generated program, and prints back as it was written. Exact arithmetic that outgrows these limits, or meets a float,
goes on in floats.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import SupportsFloat

from armillary.errors import ExpressionError

_LARGEST = 1 << 53
_BINARY_PLACES = 1 << 10


@dataclass(frozen=True, slots=True)
class PiMultiple:
    """ratio · pi, with a rational ratio that is not zero."""

    ratio: Fraction

    def __float__(self) -> float:
        return self.ratio.numerator * math.pi / self.ratio.denominator

    def __str__(self) -> str:
        n, d = self.ratio.numerator, self.ratio.denominator
        head = {1: "pi", -1: "-pi"}.get(n, f"{n}*pi")
        return head if d == 1 else f"{head}/{d}"


Number = int | Fraction | float | PiMultiple
"""What a constant may be."""

PI = PiMultiple(Fraction(1))
"""The number pi."""


def normalise(value: object) -> Number:
    """The one form of a number."""
    if type(value) is int:
        return value if -_LARGEST <= value <= _LARGEST else _large(value)
    if isinstance(value, Fraction):
        return _shrink(value)
    if isinstance(value, PiMultiple):
        return _pi(value.ratio)
    if isinstance(value, float):
        return _from_float(float(value))
    if isinstance(value, SupportsFloat) and not isinstance(value, str):
        try:
            return _from_float(float(value))
        except (TypeError, ValueError, OverflowError):
            pass
    raise ExpressionError(f"{value!r} is not a number; use an int, a float, a Fraction or a symbol")


def _from_float(value: float) -> Number:
    if not math.isfinite(value):
        raise ExpressionError(f"{value} cannot be a constant: constants are finite numbers")
    if abs(value) < _LARGEST:
        scaled = value * _BINARY_PLACES
        if scaled.is_integer() and abs(scaled) <= _LARGEST:
            return int(value) if value.is_integer() else Fraction(int(scaled), _BINARY_PLACES)
        if value.is_integer():
            return int(value)
    return value


def _large(value: int | Fraction) -> Number:
    try:
        return _from_float(float(value))
    except OverflowError:
        raise ExpressionError("a constant is larger than any double, 1.8e308") from None


def _shrink(value: Fraction) -> Number:
    n, d = value.numerator, value.denominator
    if d == 1:
        return normalise(n)
    if d > _LARGEST or abs(n) > _LARGEST or (d > _BINARY_PLACES and d & (d - 1) == 0):
        return _large(value)
    return value


def _pi(ratio: Fraction) -> Number:
    if not ratio:
        return 0
    if ratio.denominator > _LARGEST or abs(ratio.numerator) > _LARGEST:
        return _from_float(float(ratio) * math.pi)
    return PiMultiple(ratio)


def is_exact(value: Number) -> bool:
    """Whether the number is known as more than the nearest double."""
    return type(value) is not float


def is_negative(value: Number) -> bool:
    """value < 0."""
    return value.ratio < 0 if isinstance(value, PiMultiple) else value < 0


def add(a: Number, b: Number) -> Number:
    """a + b."""
    if isinstance(a, PiMultiple):
        if isinstance(b, PiMultiple):
            return _pi(a.ratio + b.ratio)
        return a if b == 0 else _from_float(float(a) + float(b))
    if isinstance(b, PiMultiple):
        return add(b, a)
    return normalise(a + b)


def negative(a: Number) -> Number:
    """-a."""
    return PiMultiple(-a.ratio) if isinstance(a, PiMultiple) else -a


def multiply(a: Number, b: Number) -> Number:
    """a · b."""
    if isinstance(a, PiMultiple):
        if isinstance(b, PiMultiple | float):
            return _from_float(float(a) * float(b))
        return _pi(a.ratio * b)
    if isinstance(b, PiMultiple):
        return multiply(b, a)
    return normalise(a * b)


def divide(a: Number, b: Number) -> Number:
    """a / b."""
    if b == 0:
        raise ExpressionError(f"division of {text(a)} by zero")
    if isinstance(a, PiMultiple) and isinstance(b, PiMultiple):
        return _shrink(a.ratio / b.ratio)
    if isinstance(a, PiMultiple) and not isinstance(b, float | PiMultiple):
        return _pi(a.ratio / b)
    if isinstance(a, float | PiMultiple) or isinstance(b, float | PiMultiple):
        return _from_float(float(a) / float(b))
    return _shrink(Fraction(a) / Fraction(b))


def near_right_angle(value: float, tolerance: float = 1e-12) -> Number:
    """`value` as an exact multiple of pi/2 where it lies within `tolerance` of one, else unchanged."""
    if math.isfinite(value):
        quarter = round(value / (math.pi / 2))
        if abs(value - quarter * (math.pi / 2)) <= tolerance:
            return _pi(Fraction(quarter, 2))
    return normalise(value)


def text(value: Number) -> str:
    """The number as the parser reads it back, exactly: 3, 0.5, 1/3, pi/2, 1e-07."""
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, Fraction) and value.denominator & (value.denominator - 1) == 0:
        return repr(float(value))
    return str(value)
