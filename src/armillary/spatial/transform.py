"""Rigid transforms between two frames, as steps along and about coordinate axes that are taken one after another.

A step is a turn about, or a shift along, x, y or z of the frame reached so far. The transform ᵃT_b of steps leading from
frame a to frame b takes points of b to points of a: p_a = R p_b + P.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from armillary.spatial.rotation import Dense, Rotation, Turn, X, Y, Z, turn
from armillary.spatial.scalar import Scalar
from armillary.spatial.vector import ZERO, Vector

Step = tuple[str, Scalar]
"""("Rz", angle in rad) or ("Tx", length in m): a turn about or a shift along a coordinate axis; ("R", matrix): any turn."""

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


def walk(steps: Sequence[Step], end: Transform = IDENTITY) -> Transform:
    """The transform of `steps` and then `end`.

    The position is found from the last step backwards, so that it meets few turns. Turns about one axis with nothing but
    shifts between them are one turn by the sum of their angles, with each shift turned by the angles before it:

        Rz(a) Tx(d) Rz(b) p = Rz(a) d + Rz(a + b) p
    """
    position = end.position
    factors = list(end.rotation.factors)
    for run in reversed(_runs(steps)):
        if isinstance(run, Dense):
            factors.insert(0, run)
            position = run.apply(position)
        else:
            position, factor = _along(run, position)
            if factor is not None:
                factors.insert(0, factor)
    return Transform(Rotation(tuple(factors)), position)


def _runs(steps: Sequence[Step]) -> list[Dense | list[Step]]:
    """The steps in runs that turn about one axis each; a turn given by its matrix stands alone."""
    runs: list[Dense | list[Step]] = []
    about = ""
    for step in steps:
        kind, value = step
        if kind == "R":
            runs.append(Dense(value))
            about = ""
            continue
        last = runs[-1] if runs else None
        if not isinstance(last, list) or (kind[0] == "R" and about not in ("", kind[1])):
            last = list[Step]()
            runs.append(last)
            about = ""
        last.append(step)
        about = kind[1] if kind[0] == "R" else about
    return runs


def _along(run: list[Step], position: Vector) -> tuple[Vector, Turn | None]:
    """A position at the end of a run, seen from its start, and the turn that the run is."""
    angle: Scalar = None
    shifted: list[Vector] = []
    factor: Turn | None = None
    for kind, value in run:
        if kind[0] == "R":
            angle = value if angle is None else angle + value
            factor = turn(_AXES[kind[1]], angle)
        else:
            shift = Vector(*(value if unit else 0 for unit in _UNITS[kind[1]]))
            shifted.append(shift if factor is None else factor.apply(shift))
    for shift in reversed(shifted if factor is None else []):
        position = position + shift
    if factor is not None:
        position = factor.apply(position)
        for shift in reversed(shifted):
            position = position + shift
    return position, factor
