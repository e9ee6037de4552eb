"""A screw."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from armillary.robot.joints.kind import UP, Twist, along_z
from armillary.spatial.transform import Step
from armillary.spatial.vector import Vector


@dataclass(frozen=True, slots=True)
class Helical:
    """A turn by q (rad) about z and with it a shift by pitch · q along z; the pitch is in m/rad."""

    kind: str = "helical"
    nq: int = 1
    nv: int = 1
    sigma: int | None = None
    units: tuple[str, str] = ("rad", "N·m")
    marks: tuple[tuple[str, ...], tuple[str, ...]] = (("",), ("",))
    quaternion: int | None = None

    def way(self, steps: list[Step], q: Sequence[Any], pitch: Any) -> list[Step]:
        """Rot(z, θ + q) Trans(z, r + pitch q) at the end of the placement."""
        return along_z(steps, angle=q[0], shift=pitch * q[0])

    def motion(self, pitch: Any) -> tuple[Twist, ...]:
        """ω = z, v = pitch z."""
        return ((Vector(0, 0, pitch), UP),)

    def rates(self, q: Sequence[Any], v: Sequence[Any]) -> list[Any]:
        """q̇ = q'."""
        return list(v)

    def velocities(self, q: Sequence[Any], rates: Sequence[Any]) -> list[Any]:
        """q' = q̇."""
        return list(rates)
