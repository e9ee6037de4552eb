"""A body that glides on a plane."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from armillary.robot.joints.kind import UNIT_SHIFTS, UP, Twist
from armillary.spatial.rotation import turn
from armillary.spatial.transform import Step
from armillary.spatial.vector import ZERO, Vector


@dataclass(frozen=True, slots=True)
class Planar:
    """A pose in the xy plane: q is (x, y) of the origin in the placement (m) and the angle (rad) about z.

    q' is the velocity of the origin along the x and y axes of the moved frame (m/s) and the angular velocity about z
    (rad/s); the torque is the force along these axes and the moment about z. q has as many numbers as q', but q' is
    not the derivative of q.
    """

    kind: str = "planar"
    nq: int = 3
    nv: int = 3
    sigma: int | None = None
    units: tuple[str, str] = ("", "")
    marks: tuple[tuple[str, ...], tuple[str, ...]] = (("x", "y", "o"), ("vx", "vy", "w"))
    quaternion: int | None = None

    def way(self, steps: list[Step], q: Sequence[Any], pitch: Any) -> list[Step]:
        """The placement, then the shift, then Rot(z, q_3)."""
        x, y, angle = q
        return [*steps, ("Tx", x), ("Ty", y), ("Rz", angle)]

    def motion(self, pitch: Any) -> tuple[Twist, ...]:
        """v = x, y, then ω = z."""
        return (UNIT_SHIFTS[0], UNIT_SHIFTS[1], (ZERO, UP))

    def rates(self, q: Sequence[Any], v: Sequence[Any]) -> list[Any]:
        """(Rot(z, q_3) v, ω)."""
        shift = turn(2, q[2]).apply(Vector(v[0], v[1], 0))
        return [shift.x, shift.y, v[2]]

    def velocities(self, q: Sequence[Any], rates: Sequence[Any]) -> list[Any]:
        """(Rot(z, q_3)ᵀ ẋ, ω)."""
        shift = turn(2, q[2]).apply_inverse(Vector(rates[0], rates[1], 0))
        return [shift.x, shift.y, rates[2]]
