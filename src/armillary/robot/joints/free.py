"""No joint at all: a body that floats."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from armillary.robot.joints.kind import UNIT_SHIFTS, UNIT_TURNS, Twist
from armillary.spatial.quaternion import angular_velocity, rate, rotation_matrix
from armillary.spatial.rotation import Dense
from armillary.spatial.transform import Step
from armillary.spatial.vector import Vector


@dataclass(frozen=True, slots=True)
class Free:
    """Any pose: q is (x, y, z) of the origin in the placement (m) and a unit quaternion (w, x, y, z).

    q' is the velocity of the origin (m/s) and the angular velocity (rad/s), both along the axes of the moved frame; the
    torque is the wrench that acts on the body from outside, along the same axes and about the same origin. q has seven
    numbers and q' six.
    """

    kind: str = "free"
    nq: int = 7
    nv: int = 6
    sigma: int | None = None
    units: tuple[str, str] = ("", "")
    marks: tuple[tuple[str, ...], tuple[str, ...]] = (
        ("x", "y", "z", "ow", "ox", "oy", "oz"),
        ("vx", "vy", "vz", "wx", "wy", "wz"),
    )
    quaternion: int | None = 3

    def way(self, steps: list[Step], q: Sequence[Any], pitch: Any) -> list[Step]:
        """The placement, then the shift, then R(q)."""
        x, y, z = q[:3]
        return [*steps, ("Tx", x), ("Ty", y), ("Tz", z), ("R", rotation_matrix(q[3:]))]

    def motion(self, pitch: Any) -> tuple[Twist, ...]:
        """v = x, y, z, then ω = x, y, z."""
        return (*UNIT_SHIFTS, *UNIT_TURNS)

    def rates(self, q: Sequence[Any], v: Sequence[Any]) -> list[Any]:
        """(R v, ½ p ⊗ (0, ω))."""
        shift = Dense(rotation_matrix(q[3:])).apply(Vector(*v[:3]))
        return [*shift, *rate(q[3:], Vector(*v[3:]))]

    def velocities(self, q: Sequence[Any], rates: Sequence[Any]) -> list[Any]:
        """(Rᵀ ẋ, 2 Im(p* ⊗ ṗ))."""
        shift = Dense(rotation_matrix(q[3:])).apply_inverse(Vector(*rates[:3]))
        return [*shift, *angular_velocity(q[3:], rates[3:])]
