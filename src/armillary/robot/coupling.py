"""Joints that move together: q_j = ratio · q_k + offset, by gears, belts or the mimics of a file."""

from collections.abc import Iterator
from dataclasses import dataclass

from armillary.robot.value import Value


@dataclass(frozen=True, slots=True)
class Coupling:
    """The coordinate of `joint` is `ratio` times that of `leader` plus `offset`; both joints have one coordinate each.

    Joints are named by their own name. The ratio is in the units of the two coordinates, rad or m; the offset in that of `joint`.
    """

    name: str
    joint: str
    leader: str
    ratio: Value = 1
    offset: Value = 0

    def values(self) -> Iterator[tuple[str, Value]]:
        """(name, value) of every parameter."""
        yield "ratio", self.ratio
        yield "offset", self.offset
