"""What every kind of joint says of itself."""

from collections.abc import Sequence
from typing import Any, Protocol

from armillary.spatial.transform import Step
from armillary.spatial.vector import ZERO, Vector

Twist = tuple[Vector, Vector]
"""(linear, angular) velocity of the moved frame, per unit of one joint velocity, in the moved frame and at its origin."""


class Joint(Protocol):
    """A kind of joint: `nq` coordinates, `nv` velocities, and the motion they make along and about z of the joint's frame.

    `sigma` is Khalil's number (0 revolute, 1 prismatic, 2 fixed), None for kinds that he has no number for.
    """

    @property
    def kind(self) -> str: ...
    @property
    def nq(self) -> int: ...
    @property
    def nv(self) -> int: ...
    @property
    def sigma(self) -> int | None: ...
    @property
    def units(self) -> tuple[str, str]:
        """Unit of the coordinates, and of the torque or force."""
        ...

    @property
    def marks(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What tells its coordinates apart in their default names, and its velocities."""
        ...

    @property
    def quaternion(self) -> int | None:
        """Where among its coordinates a unit quaternion (w, x, y, z) starts, None where there is none."""
        ...

    def way(self, steps: list[Step], q: Sequence[Any], pitch: Any) -> list[Step]:
        """The way from the antecedent's frame to the link's: the steps of the placement, then the joint's motion."""
        ...

    def motion(self, pitch: Any) -> tuple[Twist, ...]:
        """A constant twist for each joint velocity."""
        ...

    def rates(self, q: Sequence[Any], v: Sequence[Any]) -> list[Any]:
        """q̇ of the coordinates for the joint velocities."""
        ...

    def velocities(self, q: Sequence[Any], rates: Sequence[Any]) -> list[Any]:
        """The joint velocities for q̇ of the coordinates, those of a quaternion keeping its length."""
        ...


def along_z(steps: list[Step], angle: Any = None, shift: Any = None) -> list[Step]:
    """A placement followed by a turn about and a shift along z, joined with those that the placement ends with."""
    angles, shifts, rest = [angle], [shift], list(steps)
    while rest and rest[-1][0] in ("Rz", "Tz"):
        kind, amount = rest.pop()
        (angles if kind == "Rz" else shifts).append(amount)
    ends: list[Step] = [("Rz", _sum(angles)), ("Tz", _sum(shifts))]
    return rest + [end for end in ends if end[1] is not None]


def _sum(terms: list[Any]) -> Any:
    """The sum of the terms that are there, None where none is."""
    total = None
    for term in terms:
        if term is not None:
            total = term if total is None else total + term
    return total


UP = Vector(0, 0, 1)
UNIT_SHIFTS: tuple[Twist, ...] = ((Vector(1, 0, 0), ZERO), (Vector(0, 1, 0), ZERO), (UP, ZERO))
UNIT_TURNS: tuple[Twist, ...] = ((ZERO, Vector(1, 0, 0)), (ZERO, Vector(0, 1, 0)), (ZERO, UP))
