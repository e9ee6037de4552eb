"""Joints that move together, q_j = ratio · q_k + offset, as a constraint: the row is constant."""

from dataclasses import dataclass
from typing import Any

from armillary.kinematics.constraint import Row
from armillary.robot.tree import Coupled, Scalars, Tree


@dataclass(frozen=True, slots=True)
class Together:
    """One coupling among `nv` joint velocities."""

    coupled: Coupled
    nv: int

    @property
    def name(self) -> str:
        return self.coupled.name

    @property
    def holonomic(self) -> bool:
        return True

    @property
    def conditions(self) -> tuple[str, ...]:
        return (self.name,)

    def residual(self, q: Scalars) -> list[Any]:
        """q_j - ratio · q_k - offset."""
        c = self.coupled
        return [q[c.q] - c.ratio * q[c.leader_q] - c.offset]

    def rows(self, q: Scalars, *, closed: bool = True) -> list[Row]:
        """1 at j, -ratio at k."""
        row: Row = [0] * self.nv
        row[self.coupled.v], row[self.coupled.leader_v] = 1, -self.coupled.ratio
        return [row]

    def drift(self, q: Scalars, qd: Scalars) -> list[Any]:
        """Nothing."""
        return [0]


def couplings(tree: Tree) -> list[Together]:
    """Every coupling of a tree."""
    return [Together(coupled, tree.nv) for coupled in tree.couplings]
