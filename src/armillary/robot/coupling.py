"""Joints that move together: q_j = ratio · q_k + offset, by gears, belts or the mimics of a file; exactly, or by a spring."""

from collections.abc import Iterator
from dataclasses import dataclass

from armillary.robot.value import Value


@dataclass(frozen=True, slots=True)
class Coupling:
    """The coordinate of `joint` is `ratio` times that of `leader` plus `offset`; both joints have one coordinate each.

    Joints are named by their own name. The ratio is in the units of the two coordinates, rad or m; the offset in that of `joint`.
    One with a `stiffness` (N m/rad; N/m) gives: with s = q_j - ratio · q_k - offset it takes T = stiffness · s + damping · s' at the
    joint and -ratio · T at the leader. One without is a constraint.
    """

    name: str
    joint: str
    leader: str
    ratio: Value = 1
    offset: Value = 0
    stiffness: Value = 0
    damping: Value = 0

    @property
    def elastic(self) -> bool:
        """Whether it gives."""
        return self.stiffness != 0

    def values(self) -> Iterator[tuple[str, Value]]:
        """(name, value) of every parameter."""
        yield "ratio", self.ratio
        yield "offset", self.offset
        yield "stiffness", self.stiffness
        yield "damping", self.damping
