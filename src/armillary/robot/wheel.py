"""What is said of a robot's wheels: which bodies roll on the ground, and whose axles steering gear makes meet.

How a wheel is mounted follows from the joints that carry it, see `mounting`.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from armillary.robot.value import Value


@dataclass(frozen=True, slots=True)
class Wheel:
    """A body that rolls on the ground without slipping: it turns about the z axis of its frame, whose origin is its centre.

    `roller` is None for a plain wheel. A Swedish wheel has rollers on its rim; it is the angle (rad), about the vertical, from the
    direction in which the wheel rolls forwards to the axis of the roller on the ground: 0 for an omni wheel, π/4 for a
    Mecanum wheel.
    """

    name: str
    body: str
    radius: Value
    roller: Value | None = None

    def values(self) -> Iterator[tuple[str, Value]]:
        """(name, value) of every parameter."""
        yield "radius", self.radius
        if self.roller is not None:
            yield "roller", self.roller


@dataclass(frozen=True, slots=True)
class Ackermann:
    """Steering gear: it holds the axles of three wheels, some of which are steered, to meet in one point, or to be parallel."""

    name: str
    wheels: tuple[str, str, str]
