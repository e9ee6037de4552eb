"""Vectors of three scalars."""

from collections.abc import Iterator
from dataclasses import dataclass

from armillary.spatial.scalar import Scalar, named


@dataclass(frozen=True, slots=True)
class Vector:
    """Components along x, y, z of some frame."""

    x: Scalar
    y: Scalar
    z: Scalar

    def __iter__(self) -> Iterator[Scalar]:
        yield self.x
        yield self.y
        yield self.z

    def __getitem__(self, k: int) -> Scalar:
        return (self.x, self.y, self.z)[k]

    def __add__(self, b: "Vector") -> "Vector":
        return Vector(self.x + b.x, self.y + b.y, self.z + b.z)

    def __sub__(self, b: "Vector") -> "Vector":
        return Vector(self.x - b.x, self.y - b.y, self.z - b.z)

    def __neg__(self) -> "Vector":
        return Vector(-self.x, -self.y, -self.z)

    def __mul__(self, s: Scalar) -> "Vector":
        return Vector(self.x * s, self.y * s, self.z * s)

    __rmul__ = __mul__

    def dot(self, b: "Vector") -> Scalar:
        """aᵀb."""
        return self.x * b.x + self.y * b.y + self.z * b.z

    def cross(self, b: "Vector") -> "Vector":
        """a × b."""
        return Vector(self.y * b.z - self.z * b.y, self.z * b.x - self.x * b.z, self.x * b.y - self.y * b.x)

    def named(self, name: str, index: object = "") -> "Vector":
        """Itself, its components remembered as name1, name2, name3 (followed by `index`)."""
        return Vector(
            named(self.x, f"{name}1{index}"), named(self.y, f"{name}2{index}"), named(self.z, f"{name}3{index}")
        )


ZERO = Vector(0, 0, 0)
