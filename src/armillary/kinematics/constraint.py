"""What every constraint on the joint velocities of a tree says of itself: rows J with J q' = 0, and what is left of their rate."""

from collections.abc import Sequence
from typing import Any, Protocol

from armillary.robot.tree import Scalars

Row = list[Any]
"""A number for each joint velocity of the robot."""


class Constraint(Protocol):
    """A cut joint, a coupling, a wheel: conditions on the motion, each a row on q' and, where it comes from the geometry, a residual.

    `conditions` has a name for each row. One that is not `holonomic` restrains velocities alone, and has no residuals.
    """

    @property
    def name(self) -> str: ...
    @property
    def holonomic(self) -> bool: ...
    @property
    def conditions(self) -> tuple[str, ...]: ...

    def residual(self, q: Scalars) -> list[Any]:
        """Φ(q), one for each condition, all 0 while the constraint is met; nothing where it is not holonomic."""
        ...

    def rows(self, q: Scalars, *, closed: bool = True) -> list[Row]:
        """Row · q' is the rate of Φ, or what vanishes; with `closed` the rows may be those that hold only where Φ = 0."""
        ...

    def drift(self, q: Scalars, qd: Scalars) -> list[Any]:
        """J̇ q' where Φ = 0: what q'' has to balance, J q'' + J̇ q' = 0."""
        ...


def product(row: Row, rates: Sequence[Any]) -> Any:
    """row · rates."""
    return sum(x * rate for x, rate in zip(row, rates, strict=True))
