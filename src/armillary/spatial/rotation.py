"""Rotations kept as products of turns about coordinate axes, and applied turn by turn.

A turn costs a vector four products and two sums; one by a multiple of a right angle costs nothing, one by an angle that
is zero is not there at all. For the frames of robots this is cheaper than the product matrix, and never dearer.
"""

from dataclasses import dataclass

from armillary.spatial.matrix import Matrix, Symmetric
from armillary.spatial.scalar import Scalar, cos, sin
from armillary.spatial.vector import Vector

X, Y, Z = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Turn:
    """The rotation about a coordinate axis (0, 1, 2) by the angle with cosine c and sine s."""

    axis: int
    c: Scalar
    s: Scalar

    def apply(self, v: Vector) -> Vector:
        """R v."""
        return _turned(v, self.axis, self.c, self.s)

    def apply_inverse(self, v: Vector) -> Vector:
        """Rᵀ v."""
        return _turned(v, self.axis, self.c, -self.s)

    def conjugate(self, m: Matrix) -> Matrix:
        """R M Rᵀ."""
        return m.turned(self.axis, self.c, self.s)

    def conjugate_inverse(self, m: Matrix) -> Matrix:
        """Rᵀ M R."""
        return m.turned(self.axis, self.c, -self.s)

    def conjugate_symmetric(self, m: Symmetric) -> Symmetric:
        """R S Rᵀ."""
        return m.turned(self.axis, self.c, self.s)


def turn(axis: int, angle: Scalar) -> Turn:
    """The rotation by `angle` (rad) about a coordinate axis."""
    return Turn(axis, cos(angle), sin(angle))


def _turned(v: Vector, axis: int, c: Scalar, s: Scalar) -> Vector:
    if axis == Z:
        return Vector(c * v.x - s * v.y, s * v.x + c * v.y, v.z)
    if axis == X:
        return Vector(v.x, c * v.y - s * v.z, s * v.y + c * v.z)
    return Vector(c * v.x + s * v.z, v.y, c * v.z - s * v.x)


@dataclass(frozen=True, slots=True)
class Dense:
    """A rotation given by its matrix."""

    matrix: Matrix

    def apply(self, v: Vector) -> Vector:
        """R v."""
        return self.matrix.apply(v)

    def apply_inverse(self, v: Vector) -> Vector:
        """Rᵀ v."""
        return self.matrix.T.apply(v)

    def conjugate(self, m: Matrix) -> Matrix:
        """R M Rᵀ."""
        return self.matrix.times(m).times(self.matrix.T)

    def conjugate_inverse(self, m: Matrix) -> Matrix:
        """Rᵀ M R."""
        return self.matrix.T.times(m).times(self.matrix)

    def conjugate_symmetric(self, m: Symmetric) -> Symmetric:
        """R S Rᵀ, its upper triangle alone."""
        half = self.matrix.times(m.full())
        r = self.matrix
        return Symmetric(
            half.x.dot(r.x), half.x.dot(r.y), half.x.dot(r.z), half.y.dot(r.y), half.y.dot(r.z), half.z.dot(r.z)
        )


@dataclass(frozen=True, slots=True)
class Rotation:
    """R = R_1 R_2 … R_k: takes components in the frame after the turns to components in the frame before them."""

    factors: tuple[Turn | Dense, ...] = ()

    def apply(self, v: Vector) -> Vector:
        """R v."""
        for factor in reversed(self.factors):
            v = factor.apply(v)
        return v

    def apply_inverse(self, v: Vector) -> Vector:
        """Rᵀ v."""
        for factor in self.factors:
            v = factor.apply_inverse(v)
        return v

    def conjugate(self, m: Matrix) -> Matrix:
        """R M Rᵀ."""
        for factor in reversed(self.factors):
            m = factor.conjugate(m)
        return m

    def conjugate_inverse(self, m: Matrix) -> Matrix:
        """Rᵀ M R."""
        for factor in self.factors:
            m = factor.conjugate_inverse(m)
        return m

    def conjugate_symmetric(self, m: Symmetric) -> Symmetric:
        """R S Rᵀ."""
        for factor in reversed(self.factors):
            m = factor.conjugate_symmetric(m)
        return m

    def then(self, other: "Rotation") -> "Rotation":
        """This rotation followed, in the turned frame, by another."""
        return Rotation(self.factors + other.factors)

    def matrix(self) -> Matrix:
        """The product as one matrix."""
        columns = (Vector(1, 0, 0), Vector(0, 1, 0), Vector(0, 0, 1))
        return Matrix(*(self.apply(e) for e in columns)).T
