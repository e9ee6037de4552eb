"""Where a frame stands in another: the six numbers of Khalil and Kleinfinger, and Hayati's angle for nearly parallel axes.

ⁱT_j = Rot(z, γ) Trans(z, b) Rot(x, α) Trans(x, d) Rot(y, β) Rot(z, θ) Trans(z, r)

Every rigid transform can be written so. β is 0 except where two z axes are parallel to within a hair, where the common
normal that the other six are measured along lies too far away to compute with.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from armillary.expr.numbers import PiMultiple, near_right_angle
from armillary.robot.value import Formula, Value, value
from armillary.spatial.transform import Step

QuarterTurns = tuple[int, int | None]

_STEPS = {"gamma": "Rz", "b": "Tz", "alpha": "Rx", "d": "Tx", "beta": "Ry", "theta": "Rz", "r": "Tz"}


@dataclass(frozen=True, slots=True)
class Placement:
    """γ, b, α, d, β, θ, r: angles in rad, lengths in m."""

    gamma: Value = 0
    b: Value = 0
    alpha: Value = 0
    d: Value = 0
    beta: Value = 0
    theta: Value = 0
    r: Value = 0

    @staticmethod
    def of(**given: object) -> "Placement":
        """From numbers, formulas or their texts."""
        return Placement(**{name: value(x) for name, x in given.items()})

    def items(self) -> Iterator[tuple[str, Value]]:
        """(name, value) of the seven, in the order they act."""
        for f in fields(self):
            yield f.name, getattr(self, f.name)

    def squared(self) -> "Placement":
        """The same with right angles that were given as decimals made exact; β, which is small by nature, stays as it is."""
        angles = {name: x for name, x in self.items() if name in ("gamma", "alpha", "theta")}
        return replace(self, **{name: near_right_angle(x) for name, x in angles.items() if isinstance(x, float)})

    def steps(self, scalar: Callable[[Value], Any]) -> list[Step]:
        """The steps that are not nothing, their values in the caller's scalars."""
        return [(_STEPS[name], scalar(x)) for name, x in self.items() if isinstance(x, Formula) or x != 0]

    def turns(self) -> tuple[QuarterTurns, ...]:
        """The turns among the steps: the axis (0, 1, 2) of each, and how many right angles it is where it is that exactly."""
        return tuple(
            ("xyz".index(_STEPS[name][1]), _right_angles(x))
            for name, x in self.items()
            if _STEPS[name][0] == "R" and (isinstance(x, Formula) or x != 0)
        )


def _right_angles(angle: Value) -> int | None:
    quarters = 2 * angle.ratio if isinstance(angle, PiMultiple) else None
    return None if quarters is None or quarters.denominator != 1 else int(quarters)


def coordinate_axis(turns: Sequence[QuarterTurns]) -> tuple[int, int, int] | None:
    """The z axis after `turns`, in components before them, where it is a coordinate axis whatever the other angles are."""
    direction = [0, 0, 1]
    for axis, quarters in reversed(turns):
        if direction[axis]:
            continue
        if quarters is None:
            return None
        for _ in range(quarters % 4):
            i, j = (axis + 1) % 3, (axis + 2) % 3
            direction[i], direction[j] = -direction[j], direction[i]
    return direction[0], direction[1], direction[2]


HERE = Placement()
