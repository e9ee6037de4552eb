"""Trees whose joint velocities are tied together: what a few of them make of the others, and of forces.

J q' = 0 are the rows of `kinematics.constraints` that are independent. With independent and dependent joint velocities, J = [J_i, J_d],

    q'_d = W q'_i,   W = -J_d⁻¹ J_i,   G = dq_tr/dq_i = [1; W]
    J_d q''_d = -(J_i q''_i + J̇ q')

and forces Γ_tr along all joint velocities do on the independent ones (Khalil 2010, equation 56, the transpose of W put right)

    Gᵀ Γ_tr = Γ_i + Wᵀ Γ_d = Γ_i - J_iᵀ λ,   J_dᵀ λ = Γ_d

λ are the forces along the rows: for a cut joint those that its body a exerts on its body b.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from armillary.kinematics.constraint import Constraint, product
from armillary.kinematics.constraints import constraints
from armillary.kinematics.loops import Loop
from armillary.robot.tree import Scalars, Tree
from armillary.spatial.blocks import Block, Leg
from armillary.spatial.linear import Matrix, solve_in_blocks
from armillary.spatial.scalar import named


@dataclass(frozen=True, slots=True)
class Partition:
    """Places of the joint velocities that the motion is given by, of the others, of those with motors, and of the rows of all
    constraints that determine the dependent ones.

    `blocks` are square parts of J_d, (places in `rows`, places in `dependent`), such that each needs of the unknowns only its own
    and those of blocks before it. `others` are rows that depend on `rows`, and are not 0 by structure. `loose` are velocities that
    may still change while those with motors are held. `legs` are parts of blocks that are solved for what the
    rest of their block leaves open.
    """

    independent: tuple[int, ...]
    dependent: tuple[int, ...]
    actuated: tuple[int, ...]
    rows: tuple[int, ...]
    blocks: tuple[Block, ...]
    others: tuple[int, ...] = ()
    loose: tuple[int, ...] = ()
    legs: tuple[Leg, ...] = ()

    @property
    def present(self) -> list[int]:
        """The rows that are not 0 by structure."""
        return sorted((*self.rows, *self.others))

    def whole(self, independent: Scalars, dependent: Scalars) -> list[Any]:
        """Values of independent and of dependent velocities in the order of q'."""
        values: list[Any] = [0] * (len(self.independent) + len(self.dependent))
        for places, given in ((self.independent, independent), (self.dependent, dependent)):
            for k, x in zip(places, given, strict=True):
                values[k] = x
        return values


@dataclass(frozen=True)
class Closed:
    """A tree that meets its constraints at q: the rows J that hold it together, and what they make of independent joints.

    `more` are further constraints that hold in the one way to assemble it that is meant.
    """

    tree: Tree
    q: Scalars
    partition: Partition
    more: Sequence[Constraint] = ()
    constraints: list[Constraint] = field(init=False)
    all_rows: Matrix = field(init=False)

    def __post_init__(self) -> None:
        found = [*constraints(self.tree), *self.more]
        object.__setattr__(self, "constraints", found)
        object.__setattr__(self, "all_rows", [row for constraint in found for row in constraint.rows(self.q)])

    @property
    def loops(self) -> list[Loop]:
        """The cut joints among the constraints, which come first."""
        return [constraint for constraint in self.constraints if isinstance(constraint, Loop)]

    @property
    def J(self) -> Matrix:
        """The independent rows, a column for each joint velocity."""
        return [self.all_rows[i] for i in self.partition.rows]

    def drift(self, qd: Scalars) -> list[Any]:
        """J̇ q' of the independent rows."""
        found = [x for constraint in self.constraints for x in constraint.drift(self.q, qd)]
        return [found[i] for i in self.partition.rows]

    # ---- dependent joints ----

    def velocities(self, independent: Scalars) -> list[Any]:
        """q' of all joints from the independent ones."""
        found = self.solve([[-product(row, independent)] for row in self._part(self.partition.independent)])
        return self._whole("QP", independent, found)

    def accelerations(self, independent: Scalars, qd: Scalars) -> list[Any]:
        """q'' of all joints from the independent ones, and all velocities."""
        pairs = zip(self._part(self.partition.independent), self.drift(qd), strict=True)
        return self._whole(
            "QDP", independent, self.solve([[-(product(row, independent) + bias)] for row, bias in pairs])
        )

    def _whole(self, letters: str, independent: Scalars, found: Matrix) -> list[Any]:
        places = self.partition.dependent
        return self.partition.whole(
            independent, [named(x, f"{letters}{k + 1}") for k, [x] in zip(places, found, strict=True)]
        )

    def W(self) -> Matrix:
        """dq_d/dq_i."""
        return self.solve([[-x for x in row] for row in self._part(self.partition.independent)])

    def solve(self, right: Matrix) -> Matrix:
        """X with J_d X = right, block by block."""
        p = self.partition
        return solve_in_blocks(self._part(p.dependent), right, p.blocks, p.legs)

    # ---- forces ----

    def multipliers(self, torques: Scalars) -> list[Any]:
        """λ with J_dᵀ λ = Γ_d, the last block first."""
        p = self.partition
        transposed = [[row[k] for row in self.J] for k in p.dependent]
        blocks = [(unknowns, rows_) for rows_, unknowns in reversed(p.blocks)]
        legs = [leg.transposed for leg in p.legs]
        return [x for [x] in solve_in_blocks(transposed, [[torques[k]] for k in p.dependent], blocks, legs)]

    def projected(self, torques: Scalars) -> list[Any]:
        """Gᵀ Γ = Γ_i - J_iᵀ λ."""
        multipliers = self.multipliers(torques)
        return [
            torques[k] - sum(row[k] * x for row, x in zip(self.J, multipliers, strict=True))
            for k in self.partition.independent
        ]

    def least_multipliers(self, torques: Scalars) -> dict[int, Any]:
        """λ of all rows that are not 0 by structure; of least norm where they are dependent: λ = J_d (J_dᵀ J_d)⁻¹ Γ_d."""
        p = self.partition
        if not p.others:
            return dict(zip(p.rows, self.multipliers(torques), strict=True))
        places = p.present
        transposed = [[self.all_rows[i][k] for i in places] for k in p.dependent]
        whole = tuple(range(len(p.dependent))), tuple(range(len(places)))
        found = solve_in_blocks(transposed, [[torques[k]] for k in p.dependent], [whole])
        return {i: x for i, [x] in zip(places, found, strict=True)}

    def _part(self, places: Sequence[int]) -> Matrix:
        return [[row[k] for k in places] for row in self.J]
