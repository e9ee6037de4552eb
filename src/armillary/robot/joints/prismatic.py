"""A slide."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from armillary.robot.joints.kind import UP, Twist, along_z
from armillary.spatial.transform import Step
from armillary.spatial.vector import ZERO


@dataclass(frozen=True, slots=True)
class Prismatic:
    """A shift by q (m) along z; r of the placement is where q starts from."""

    kind: str = "prismatic"
    nq: int = 1
    nv: int = 1
    sigma: int | None = 1
    units: tuple[str, str] = ("m", "N")
    marks: tuple[tuple[str, ...], tuple[str, ...]] = (("",), ("",))
    quaternion: int | None = None

    def way(self, steps: list[Step], q: Sequence[Any], pitch: Any) -> list[Step]:
        """Rot(z, θ) Trans(z, r + q) at the end of the placement."""
        return along_z(steps, shift=q[0])

    def motion(self, pitch: Any) -> tuple[Twist, ...]:
        """v = z."""
        return ((UP, ZERO),)

    def rates(self, q: Sequence[Any], v: Sequence[Any]) -> list[Any]:
        """q̇ = q'."""
        return list(v)

    def velocities(self, q: Sequence[Any], rates: Sequence[Any]) -> list[Any]:
        """q' = q̇."""
        return list(rates)
