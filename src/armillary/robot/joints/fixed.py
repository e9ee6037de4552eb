"""A rigid connection."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from armillary.robot.joints.kind import Twist
from armillary.spatial.transform import Step


@dataclass(frozen=True, slots=True)
class Fixed:
    """No motion: the link is one body with its antecedent."""

    kind: str = "fixed"
    nq: int = 0
    nv: int = 0
    sigma: int | None = 2
    units: tuple[str, str] = ("", "")
    marks: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    quaternion: int | None = None

    def way(self, steps: list[Step], q: Sequence[Any], pitch: Any) -> list[Step]:
        """The placement itself."""
        return steps

    def motion(self, pitch: Any) -> tuple[Twist, ...]:
        """None."""
        return ()

    def rates(self, q: Sequence[Any], v: Sequence[Any]) -> list[Any]:
        """Nothing moves."""
        return list(v)

    def velocities(self, q: Sequence[Any], rates: Sequence[Any]) -> list[Any]:
        """q' = q̇."""
        return list(rates)
