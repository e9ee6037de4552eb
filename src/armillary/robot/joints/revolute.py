"""A hinge."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from armillary.robot.joints.kind import UP, Twist, along_z
from armillary.spatial.transform import Step
from armillary.spatial.vector import ZERO


@dataclass(frozen=True, slots=True)
class Revolute:
    """A turn by q (rad) about z; θ of the placement is where q starts from."""

    kind: str = "revolute"
    nq: int = 1
    nv: int = 1
    sigma: int | None = 0
    units: tuple[str, str] = ("rad", "N·m")
    marks: tuple[tuple[str, ...], tuple[str, ...]] = (("",), ("",))
    quaternion: int | None = None

    def way(self, steps: list[Step], q: Sequence[Any], pitch: Any) -> list[Step]:
        """Rot(z, θ + q) Trans(z, r) at the end of the placement."""
        return along_z(steps, angle=q[0])

    def motion(self, pitch: Any) -> tuple[Twist, ...]:
        """ω = z."""
        return ((ZERO, UP),)

    def rates(self, q: Sequence[Any], v: Sequence[Any]) -> list[Any]:
        """q̇ = q'."""
        return list(v)

    def velocities(self, q: Sequence[Any], rates: Sequence[Any]) -> list[Any]:
        """q' = q̇."""
        return list(rates)
