"""Rigid transforms between two frames, as steps along and about coordinate axes that are taken one after another.

A step is a turn about, or a shift along, x, y or z of the frame reached so far. The transform ᵃT_b of steps leading from
frame a to frame b takes points of b to points of a: p_a = R p_b + P.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from armillary.spatial.matrix import Matrix
from armillary.spatial.rotation import Dense, Rotation, Turn, X, Y, Z, turn
from armillary.spatial.scalar import Scalar
from armillary.spatial.vector import ZERO, Vector

Step = tuple[str, Scalar]
"""("Rz", angle in rad) or ("Tx", length in m): a turn about or a shift along a coordinate axis."""

_AXES = {"x": X, "y": Y, "z": Z}
_UNITS = {"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1)}


@dataclass(frozen=True, slots=True)
class Transform:
    """ᵃT_b: rotation R = ᵃR_b and position P = ᵃP_b of the origin of b in a."""

    rotation: Rotation
    position: Vector

    def point(self, p: Vector) -> Vector:
        """p_a = R p_b + P."""
        return self.rotation.apply(p) + self.position

    def then(self, other: "Transform") -> "Transform":
        """ᵃT_c = ᵃT_b ᵇT_c."""
        return Transform(self.rotation.then(other.rotation), self.point(other.position))

    def inverse(self) -> "Transform":
        """ᵇT_a."""
        factors: list[Turn | Dense] = []
        for factor in reversed(self.rotation.factors):
            factors.append(
                Turn(factor.axis, factor.c, -factor.s) if isinstance(factor, Turn) else Dense(factor.matrix.T)
            )
        return Transform(Rotation(tuple(factors)), -self.rotation.apply_inverse(self.position))

    def force(self, f: Vector, n: Vector) -> tuple[Vector, Vector]:
        """A wrench (f, n) about the origin of b, components in b, as one about the origin of a, components in a."""
        turned = self.rotation.apply(f)
        return turned, self.rotation.apply(n) + self.position.cross(turned)

    def matrix(self) -> list[list[Scalar]]:
        """The 4 x 4 homogeneous matrix."""
        rows = zip(self.rotation.matrix(), self.position, strict=True)
        return [[*row, p] for row, p in rows] + [[0, 0, 0, 1]]


IDENTITY = Transform(Rotation(), ZERO)


def walk(steps: Sequence[Step]) -> Transform:
    """The transform of `steps`; the position is found from the last step backwards, so that it meets few turns."""
    position = ZERO
    turns: list[Turn | Dense] = []
    for kind, value in reversed(steps):
        axis = kind[1]
        if kind[0] == "T":
            position = position + Vector(*(value if unit else 0 for unit in _UNITS[axis]))
        else:
            factor = turn(_AXES[axis], value)
            turns.insert(0, factor)
            position = factor.apply(position)
    return Transform(Rotation(tuple(turns)), position)


def rotated(matrix: Matrix) -> Transform:
    """The transform of a rotation given by its matrix."""
    return Transform(Rotation((Dense(matrix),)), ZERO)
