"""Dynamics of robots with closed loops: that of the tree, projected on the active joints or held by multipliers.

J q' = 0 are the rows of `kinematics.loops` that are independent. With active and passive joint velocities, J = [J_a, J_p],

    q'_p = W q'_a,   W = -J_p⁻¹ J_a,   G = dq_tr/dq_a = [1; W]
    J_p q''_p = -(J_a q''_a + J̇ q')

and with Γ_tr the torques that the tree alone would need (Khalil 2010, equation 56, the transpose of W put right),

    Γ_c = Gᵀ Γ_tr = Γ_a + Wᵀ Γ_p = Γ_a - J_aᵀ λ,   J_pᵀ λ = Γ_p
    A_c = Gᵀ A G,   H_c = Γ_c with q''_a = 0

λ are the forces along the rows that body a of each cut joint exerts on body b. A cut joint with the coordinate q_c has the torque
Γ_k = IA q''_c + FV q'_c + FS sign(q'_c) + stiffness (q_c - reference); it adds (∂q'_c/∂q')ᵀ Γ_k to Γ_tr, and that is why the result
does not depend on which joint of a loop is cut.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from armillary.dynamics.inertia_matrix import inertia_matrix
from armillary.dynamics.newton_euler import Wrench, inverse_dynamics
from armillary.kinematics.loops import (
    AXES,
    Loop,
    directions,
    drift,
    free_coordinate,
    free_drift,
    free_row,
    loops,
    product,
    rows,
)
from armillary.kinematics.motion import BaseMotion
from armillary.robot.tree import Scalars, Tree
from armillary.spatial.blocks import Block
from armillary.spatial.linear import Matrix, solve_in_blocks, solve_positive
from armillary.spatial.scalar import named, sign, solve
from armillary.spatial.vector import ZERO


@dataclass(frozen=True, slots=True)
class Partition:
    """Places of the active and the passive joint velocities, and of the rows of all loops that determine the passive ones.

    `blocks` are square parts of J_p, (places in `rows`, places in `passive`), such that each needs of the unknowns only its own
    and those of blocks before it. `others` are rows that depend on `rows`, and are not 0 by structure.
    """

    active: tuple[int, ...]
    passive: tuple[int, ...]
    rows: tuple[int, ...]
    blocks: tuple[Block, ...]
    others: tuple[int, ...] = ()

    def whole(self, active: Scalars, passive: Scalars) -> list[Any]:
        """Values of active and of passive joints in the order of q'."""
        values: list[Any] = [0] * (len(self.active) + len(self.passive))
        for places, given in ((self.active, active), (self.passive, passive)):
            for k, x in zip(places, given, strict=True):
                values[k] = x
        return values


@dataclass(frozen=True)
class Closed:
    """A tree with its loops closed at q: the rows J that hold it together, and what they make of active joints."""

    tree: Tree
    q: Scalars
    partition: Partition
    loops: list[Loop] = field(init=False)
    all_rows: Matrix = field(init=False)

    def __post_init__(self) -> None:
        found = loops(self.tree)
        object.__setattr__(self, "loops", found)
        object.__setattr__(self, "all_rows", [row for loop in found for row in rows(loop, self.q)])

    @property
    def J(self) -> Matrix:
        """The independent rows, a column for each joint velocity."""
        return [self.all_rows[i] for i in self.partition.rows]

    def drift(self, qd: Scalars) -> list[Any]:
        """J̇ q' of the independent rows."""
        found = [x for loop in self.loops for x in drift(loop, self.q, qd)]
        return [found[i] for i in self.partition.rows]

    # ---- passive joints ----

    def velocities(self, active: Scalars) -> list[Any]:
        """q' of all joints from that of the active ones."""
        passive = self.solve([[-product(row, active)] for row in self._part(self.partition.active)])
        return self.partition.whole(
            active, [named(x, f"QP{k + 1}") for k, [x] in zip(self.partition.passive, passive, strict=True)]
        )

    def accelerations(self, active: Scalars, qd: Scalars) -> list[Any]:
        """q'' of all joints from that of the active ones, and all velocities."""
        pairs = zip(self._part(self.partition.active), self.drift(qd), strict=True)
        passive = self.solve([[-(product(row, active) + bias)] for row, bias in pairs])
        return self.partition.whole(
            active, [named(x, f"QDP{k + 1}") for k, [x] in zip(self.partition.passive, passive, strict=True)]
        )

    def W(self) -> Matrix:
        """dq_p/dq_a."""
        return self.solve([[-x for x in row] for row in self._part(self.partition.active)])

    def solve(self, right: Matrix) -> Matrix:
        """X with J_p X = right, block by block."""
        return solve_in_blocks(self._part(self.partition.passive), right, self.partition.blocks)

    # ---- forces ----

    def multipliers(self, torques: Scalars) -> list[Any]:
        """λ with J_pᵀ λ = Γ_p, the last block first."""
        p = self.partition
        transposed = [[row[k] for row in self.J] for k in p.passive]
        blocks = [(unknowns, rows_) for rows_, unknowns in reversed(p.blocks)]
        return [x for [x] in solve_in_blocks(transposed, [[torques[k]] for k in p.passive], blocks)]

    def projected(self, torques: Scalars) -> list[Any]:
        """Gᵀ Γ = Γ_a - J_aᵀ λ."""
        multipliers = self.multipliers(torques)
        return [
            torques[k] - sum(row[k] * x for row, x in zip(self.J, multipliers, strict=True))
            for k in self.partition.active
        ]

    def least_multipliers(self, torques: Scalars) -> dict[int, Any]:
        """λ of all rows that are not 0 by structure; of least norm where they are dependent: λ = J_p (J_pᵀ J_p)⁻¹ Γ_p."""
        p = self.partition
        if not p.others:
            return dict(zip(p.rows, self.multipliers(torques), strict=True))
        places = sorted((*p.rows, *p.others))
        transposed = [[self.all_rows[i][k] for i in places] for k in p.passive]
        whole = tuple(range(len(p.passive))), tuple(range(len(places)))
        found = solve_in_blocks(transposed, [[torques[k]] for k in p.passive], [whole])
        return {i: x for i, [x] in zip(places, found, strict=True)}

    def _part(self, places: Sequence[int]) -> Matrix:
        return [[row[k] for k in places] for row in self.J]


# ---- models ----


def tree_torques(closed: Closed, qd: Scalars, qdd: Scalars, base: BaseMotion) -> list[Any]:
    """Γ_tr, what the cut joints lose and their inertia in it."""
    torques = inverse_dynamics(closed.tree, closed.q, qd, qdd, base)
    for loop, torque in zip(closed.loops, cut_torques(closed, qd, qdd), strict=True):
        if loop.junction.kind.free:
            torques = [t + x * torque for t, x in zip(torques, free_row(loop, closed.q), strict=True)]
    return torques


def cut_torques(closed: Closed, qd: Scalars, qdd: Scalars) -> list[Any]:
    """Γ_k = IA q''_c + FV q'_c + FS sign(q'_c) + stiffness (q_c - reference), 0 for kinds without one coordinate."""
    return [_cut_torque(loop, closed.q, qd, qdd) if loop.junction.kind.free else 0 for loop in closed.loops]


def _cut_torque(loop: Loop, q: Scalars, qd: Scalars, qdd: Scalars) -> Any:
    cut, row = loop.junction, free_row(loop, q)
    rate, acceleration = product(row, qd), product(row, qdd) + free_drift(loop, q, qd)
    torque = cut.IA * acceleration + cut.FV * rate + cut.FS * sign(rate)
    return torque + cut.stiffness * (free_coordinate(loop, q) - cut.reference) if cut.elastic else torque


def closed_inverse_dynamics(closed: Closed, qd: Scalars, qdd: Scalars, base: BaseMotion) -> list[Any]:
    """Γ_c from q' and q'' of the active joints."""
    rates = closed.velocities(qd)
    accelerations = closed.accelerations(qdd, rates)
    found = closed.projected(tree_torques(closed, rates, accelerations, base))
    return [named(t, f"GAM{k + 1}") for k, t in zip(closed.partition.active, found, strict=True)]


def closed_inertia_matrix(closed: Closed) -> Matrix:
    """A_c = A_aa + A_ap W + Wᵀ (A_pa + A_pp W)."""
    a, p = closed.partition.active, closed.partition.passive
    A, W = tree_inertia(closed), closed.W()
    AW = [
        [A[i][k] + sum(A[i][j] * w[c] for j, w in zip(p, W, strict=True)) for c, k in enumerate(a)]
        for i in range(len(A))
    ]
    found: Matrix = [[0] * len(a) for _ in a]
    for r, i in enumerate(a):
        for c in range(r + 1):
            value = AW[i][c] + sum(w[r] * AW[j][c] for j, w in zip(p, W, strict=True))
            found[r][c] = found[c][r] = named(value, f"A{r + 1}{c + 1}")
    return found


def tree_inertia(closed: Closed) -> Matrix:
    """A of the tree, with the inertia IA of cut joints: A + Σ IA rowᵀ row."""
    A = inertia_matrix(closed.tree, closed.q)
    for loop in closed.loops:
        if loop.junction.kind.free:
            row = free_row(loop, closed.q)
            scaled = [loop.junction.IA * x for x in row]
            A = [[x + s * r for x, r in zip(line, row, strict=True)] for line, s in zip(A, scaled, strict=True)]
    return A


def closed_direct_dynamics(closed: Closed, qd: Scalars, torques: Scalars, base: BaseMotion) -> list[Any]:
    """q'' of all joints from q' and Γ of the active ones: A_c q''_a = Γ_a - H_c."""
    rates = closed.velocities(qd)
    nothing = closed.accelerations([0] * len(closed.partition.active), rates)
    H = closed.projected(tree_torques(closed, rates, nothing, base))
    A = closed_inertia_matrix(closed)
    return closed.accelerations(solve_positive(A, [t - h for t, h in zip(torques, H, strict=True)]), rates)


def direct_dynamics_with_multipliers(closed: Closed, qd: Scalars, torques: Scalars, base: BaseMotion) -> list[Any]:
    """The same from one system: [[A, -Jᵀ], [J, 0]] (q'', λ) = (Γ - H, -J̇ q')."""
    rates = closed.velocities(qd)
    nv, J = closed.tree.nv, closed.J
    H = tree_torques(closed, rates, [0] * nv, base)
    applied = closed.partition.whole(torques, [0] * len(closed.partition.passive))
    A = tree_inertia(closed)
    matrix = [[*A[i], *(-row[i] for row in J)] for i in range(nv)] + [[*row, *([0] * len(J))] for row in J]
    right = [[t - h] for t, h in zip(applied, H, strict=True)] + [[-x] for x in closed.drift(rates)]
    return [x for [x] in solve(matrix, right)[:nv]]


def cut_reactions(closed: Closed, qd: Scalars, qdd: Scalars, base: BaseMotion) -> list[Wrench]:
    """(f, n) that body a of each cut joint exerts on body b, along the axes of a and about the origin of b."""
    rates = closed.velocities(qd)
    accelerations = closed.accelerations(qdd, rates)
    forces = closed.least_multipliers(tree_torques(closed, rates, accelerations, base))
    return cut_wrenches(closed, forces, cut_torques(closed, rates, accelerations))


def cut_wrenches(closed: Closed, forces: Mapping[int, Any], losses: Scalars) -> list[Wrench]:
    """f = Σ λ e over axes e that are held, n = Σ λ (u × e) over pairs that are square, and along z what the joint loses."""
    wrenches: list[Wrench] = []
    start = 0
    for loop, loss in zip(closed.loops, losses, strict=True):
        f, n = lost(loop, loss)
        for place, (axis, turning) in enumerate(reaction_axes(loop, closed.q), start):
            force = forces.get(place, 0)
            f, n = f + axis * force, n + turning * force
        wrenches.append((f, n))
        start += len(loop.junction.kind.rows)
    return wrenches


def reaction_axes(loop: Loop, q: Scalars) -> list[Wrench]:
    """(f, n) on b for a force of 1 along each row, along the axes of a and about the origin of b: e, or u × e."""
    held = loop.junction.kind.held
    return [*((AXES[e], ZERO) for e in held), *((ZERO, d) for d in directions(loop, q))]


def lost(loop: Loop, loss: Any) -> Wrench:
    """(f, n) on b of what the coordinate of the cut joint takes, `cut_torques`."""
    along = AXES["z"] * -loss
    return (along, ZERO) if loop.junction.kind.free == "slide" else (ZERO, along)
