"""A ball in its socket."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from armillary.robot.joints.kind import UNIT_TURNS, Twist
from armillary.spatial.quaternion import angular_velocity, rate, rotation_matrix
from armillary.spatial.transform import Step
from armillary.spatial.vector import Vector


@dataclass(frozen=True, slots=True)
class Spherical:
    """Any rotation: q is a unit quaternion (w, x, y, z), q' the angular velocity (rad/s) in the moved frame.

    q has four numbers and q' three; q must have length 1, which is neither checked nor enforced.
    """

    kind: str = "spherical"
    nq: int = 4
    nv: int = 3
    sigma: int | None = None
    units: tuple[str, str] = ("", "N·m")
    marks: tuple[tuple[str, ...], tuple[str, ...]] = (("w", "x", "y", "z"), ("x", "y", "z"))
    quaternion: int | None = 0

    def way(self, steps: list[Step], q: Sequence[Any], pitch: Any) -> list[Step]:
        """The placement, then R(q)."""
        return [*steps, ("R", rotation_matrix(q))]

    def motion(self, pitch: Any) -> tuple[Twist, ...]:
        """ω = x, y, z."""
        return UNIT_TURNS

    def rates(self, q: Sequence[Any], v: Sequence[Any]) -> list[Any]:
        """½ q ⊗ (0, ω)."""
        return list(rate(q, Vector(*v)))

    def velocities(self, q: Sequence[Any], rates: Sequence[Any]) -> list[Any]:
        """ω = 2 Im(p* ⊗ ṗ)."""
        return [*angular_velocity(q, rates)]
