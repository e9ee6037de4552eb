"""Trees whose joint velocities are tied together: what a few of them make of the others, and of forces.

J q' = 0 are the rows of `kinematics.constraints` that are independent. With independent and dependent joint velocities, J = [J_i, J_d],

    q'_d = W q'_i,   W = -J_d⁻¹ J_i,   G = dq_tr/dq_i = [1; W]
    J_d q''_d = -(J_i q''_i + J̇ q')

and forces Γ_tr along all joint velocities do on the independent ones (Khalil 2010, equation 56, the transpose of W put right)

    Gᵀ Γ_tr = Γ_i + Wᵀ Γ_d = Γ_i - J_iᵀ λ,   J_dᵀ λ = Γ_d

λ are the forces along the rows: for a cut joint those that its body a exerts on its body b.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from armillary.kinematics.constraint import Constraint, product
from armillary.kinematics.constraints import constraints
from armillary.kinematics.loops import Loop
from armillary.robot.tree import Scalars, Tree
from armillary.spatial.scalar import named, solve

Matrix = list[list[Any]]


@dataclass(frozen=True, slots=True)
class Leg:
    """A square part of a system, by places of rows and of unknowns; other such parts have none of its unknowns.

    `inner` are such parts of it.
    """

    rows: tuple[int, ...]
    unknowns: tuple[int, ...]
    inner: tuple[Leg, ...] = ()

    def within(self, rows: Sequence[int], unknowns: Sequence[int]) -> Leg:
        """The same by places in a part of the system."""
        inner = tuple(leg.within(self.rows, self.unknowns) for leg in self.inner)
        return Leg(tuple(rows.index(i) for i in self.rows), tuple(unknowns.index(k) for k in self.unknowns), inner)

    @property
    def transposed(self) -> Leg:
        """The same of the transpose."""
        return Leg(self.unknowns, self.rows, tuple(leg.transposed for leg in self.inner))


@dataclass(frozen=True, slots=True)
class Partition:
    """Places of the joint velocities that the motion is given by, of the others, of those with motors, and of the rows of all
    constraints that determine the dependent ones.

    `blocks` are square parts of J_d, (places in `rows`, places in `dependent`), such that each needs of the unknowns only its own
    and those of blocks before it. `legs` are parts of blocks that are solved for what the rest of their block leaves open. `others`
    are rows that depend on `rows`, and are not 0 by structure. `loose` are velocities that may still change while those with
    motors are held.
    """

    independent: tuple[int, ...]
    dependent: tuple[int, ...]
    actuated: tuple[int, ...]
    rows: tuple[int, ...]
    blocks: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    others: tuple[int, ...] = ()
    loose: tuple[int, ...] = ()
    legs: tuple[Leg, ...] = ()

    def whole(self, independent: Scalars, dependent: Scalars) -> list[Any]:
        """Values of independent and of dependent velocities in the order of q'."""
        values: list[Any] = [0] * (len(self.independent) + len(self.dependent))
        for places, given in ((self.independent, independent), (self.dependent, dependent)):
            for k, x in zip(places, given, strict=True):
                values[k] = x
        return values


@dataclass(frozen=True)
class Closed:
    """A tree that meets its constraints at q: the rows J that hold it together, and what they make of independent joints."""

    tree: Tree
    q: Scalars
    partition: Partition
    constraints: list[Constraint] = field(init=False)
    all_rows: Matrix = field(init=False)

    def __post_init__(self) -> None:
        found = constraints(self.tree)
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
        J_d = self._part(self.partition.dependent)
        columns = len(right[0]) if right else 0
        X: Matrix = [[0] * columns for _ in self.partition.dependent]
        known: list[int] = []
        for rows_, unknowns in self.partition.blocks:
            rest = [[right[i][c] - sum(J_d[i][k] * X[k][c] for k in known) for c in range(columns)] for i in rows_]
            found = _bordered([[J_d[i][k] for k in unknowns] for i in rows_], rest, self._legs(rows_, unknowns))
            for k, row in zip(unknowns, found, strict=True):
                X[k] = row
            known += unknowns
        return X

    # ---- forces ----

    def multipliers(self, torques: Scalars) -> list[Any]:
        """λ with J_dᵀ λ = Γ_d, the last block first."""
        J_d = self._part(self.partition.dependent)
        multipliers: list[Any] = [0] * len(self.partition.rows)
        known: list[int] = []
        for rows_, unknowns in reversed(self.partition.blocks):
            rest = [
                [torques[self.partition.dependent[k]] - sum(J_d[i][k] * multipliers[i] for i in known)]
                for k in unknowns
            ]
            legs = [leg.transposed for leg in self._legs(rows_, unknowns)]
            found = _bordered([[J_d[i][k] for i in rows_] for k in unknowns], rest, legs)
            for i, [x] in zip(rows_, found, strict=True):
                multipliers[i] = x
            known += rows_
        return multipliers

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
        places = sorted((*p.rows, *p.others))
        J_d = [[self.all_rows[i][k] for k in p.dependent] for i in places]
        gram = [[sum(row[j] * row[k] for row in J_d) for k in range(len(p.dependent))] for j in range(len(p.dependent))]
        y = solve(gram, [[torques[k]] for k in p.dependent])
        return {i: sum(x * w for x, [w] in zip(row, y, strict=True)) for i, row in zip(places, J_d, strict=True)}

    def _part(self, places: Sequence[int]) -> Matrix:
        return [[row[k] for k in places] for row in self.J]

    def _legs(self, rows: Sequence[int], unknowns: Sequence[int]) -> list[Leg]:
        """The legs of a block, by places in it."""
        found = [leg for leg in self.partition.legs if set(leg.rows) <= set(rows) and len(leg.rows) < len(rows)]
        return [leg.within(rows, unknowns) for leg in found]


def _bordered(matrix: Matrix, right: Matrix, legs: Sequence[Leg]) -> Matrix:
    """X with matrix · X = right, where only a border ties square parts A_l on the diagonal together:

    A_l x_l + B_l y = b_l,   Σ C_l x_l + D y = d:   (D - Σ C_l A_l⁻¹ B_l) y = d - Σ C_l A_l⁻¹ b_l
    """
    if not legs:
        return solved(matrix, right)
    rows = [i for i in range(len(matrix)) if all(i not in leg.rows for leg in legs)]
    border = [k for k in range(len(matrix)) if all(k not in leg.unknowns for leg in legs)]
    width = len(border)
    left = [[*(matrix[i][k] for k in border), *right[i]] for i in rows]
    inner: list[Matrix] = []
    for leg in legs:
        both = [[*(matrix[i][k] for k in border), *right[i]] for i in leg.rows]
        found = _bordered([[matrix[i][k] for k in leg.unknowns] for i in leg.rows], both, leg.inner)
        inner.append(found)
        for i, line in zip(rows, left, strict=True):
            for c in range(len(line)):
                line[c] = line[c] - sum(matrix[i][k] * x[c] for k, x in zip(leg.unknowns, found, strict=True))
    y = solved([line[:width] for line in left], [line[width:] for line in left]) if width else []
    X: Matrix = [[] for _ in matrix]
    for k, line in zip(border, y, strict=True):
        X[k] = line
    for leg, found in zip(legs, inner, strict=True):
        for k, x in zip(leg.unknowns, found, strict=True):
            X[k] = [b - sum(x[j] * line[c] for j, line in enumerate(y)) for c, b in enumerate(x[width:])]
    return X


def solved(matrix: Matrix, right: Matrix) -> Matrix:
    """X with matrix · X = right; systems of one and two by the inverse, which several right-hand sides share."""
    if len(matrix) == 1:
        inverse = 1 / matrix[0][0]
        return [[x * inverse for x in right[0]]]
    if len(matrix) == 2:
        (a, b), (c, d) = matrix
        inverse = 1 / (a * d - b * c)
        pairs = list(zip(right[0], right[1], strict=True))
        return [[(d * x - b * y) * inverse for x, y in pairs], [(a * y - c * x) * inverse for x, y in pairs]]
    return solve(matrix, right)
