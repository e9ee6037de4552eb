"""Residues of a prime field as scalars for the algorithms of dynamics, with sines where they stand for angles."""

from collections.abc import Callable
from typing import Any

from armillary.grouping.field import Field
from armillary.grouping.sampled import Samples
from armillary.robot.value import Formula, Value


class Residue:
    """An element of a field; as an angle it is `unit()` = exp(iφ), so that the sum of two angles is the product of these."""

    __slots__ = ("field", "unit", "value")

    def __init__(self, field: Field, value: int, unit: Callable[[], int] | None = None) -> None:
        self.field = field
        self.value = value
        self.unit = unit

    def __add__(self, other: Any) -> "Residue":
        if not isinstance(other, Residue):
            return self if other == 0 else Residue(self.field, (self.value + other) % self.field.prime)
        total = Residue(self.field, (self.value + other.value) % self.field.prime)
        a, b = self.unit, other.unit
        if a is not None and b is not None:
            total.unit = lambda: a() * b() % self.field.prime
        return total

    __radd__ = __add__

    def __neg__(self) -> "Residue":
        unit = self.unit
        back = None if unit is None else lambda: self.field.inverse(unit())
        return Residue(self.field, -self.value % self.field.prime, back)

    def __sub__(self, other: Any) -> "Residue":
        return self + -other

    def __rsub__(self, other: Any) -> "Residue":
        return -self + other

    def __mul__(self, other: Any) -> Any:
        if not isinstance(other, Residue):
            return 0 if other == 0 else self if other == 1 else self._times(other)
        return Residue(self.field, self.value * other.value % self.field.prime)

    __rmul__ = __mul__

    def _times(self, count: int) -> "Residue":
        """A whole multiple, which for an angle is one too."""
        unit = self.unit
        turned = None if unit is None else lambda: pow(unit(), count, self.field.prime)
        return Residue(self.field, self.value * count % self.field.prime, turned)

    def cos(self) -> "Residue":
        return self._circle(0)

    def sin(self) -> "Residue":
        return self._circle(1)

    def _circle(self, part: int) -> "Residue":
        assert self.unit is not None, "not an angle"
        return Residue(self.field, self.field.cos_sin(self.unit())[part])


def residue_of(x: Any, field: Field) -> int:
    """The value of a residue or an integer."""
    return x.value if isinstance(x, Residue) else x % field.prime


def residue_at(samples: Samples, given: Value) -> Any:
    """A value of a description at the point of the samples."""
    if not isinstance(given, Formula) and given == 0:
        return 0
    expr = samples.formula(samples.scalar(given))
    point = samples.point
    return Residue(point.field, point.value(expr), lambda: point.unit(expr))
