"""Inverse dynamics of closed loops, subsystem after subsystem.

When the loops are cut, what hangs on the base is a number of trees, the subsystems. Each has an equation for each of its joint
velocities: the torques Γ_tr that its bodies need. With unit columns s_k for the joints that have motors,

    Σ s_k Γ_k + Jᵀ λ = Γ_tr

is one linear system for the torques Γ of as many motors as the robot is mobile, and the forces λ along the rows of its constraints.
Most of its elements are 0: a motor is in one equation alone, a cut joint in those of its loop. So it is put into block-triangular form
and solved step by step. Forces of a cut joint may be taken along the axes of either side, whichever leaves the smaller steps: along
those of a leg, what is square to it follows from the leg alone. Subsystems whose equations need each other make a block, and a block
needs only those before it (S. K. Saha, Recursive Robot Dynamics, lectures 3 and 4). A step with more unknowns than equations is one
that the motion leaves open; its least solution is taken.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from armillary.dynamics.closed import Closed, Partition
from armillary.dynamics.loops import cut_torques, cut_wrenches, tree_torques
from armillary.dynamics.newton_euler import Wrench
from armillary.kinematics.constraint import Constraint
from armillary.kinematics.loops import turned_round
from armillary.kinematics.motion import BaseMotion
from armillary.robot.tree import Scalars, Tree
from armillary.spatial.blocks import Block, Pattern, components, independent_blocks
from armillary.spatial.linear import Matrix, solve_in_blocks
from armillary.spatial.scalar import named


@dataclass(frozen=True, slots=True)
class Subsystem:
    """One tree that hangs on the base: places of its bodies in the robot's tree, and of their velocities in q'."""

    bodies: tuple[int, ...]
    velocities: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Stage:
    """A block: subsystems (places in `Order.subsystems`) whose equations need each other, the steps that solve them, and the places of the
    blocks whose unknowns they need: these are solved before.

    A step is a part of the matrix `equations`: (rows, columns).
    """

    subsystems: tuple[int, ...]
    steps: tuple[Block, ...]
    after: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Order:
    """The subsystems, and the blocks in the order in which they are solved.

    The unknowns are the torques of the motors and the forces along `rows`, places among the rows of all constraints; the cut joints
    `turned` (places among the loops) are seen from their side b.
    """

    subsystems: tuple[Subsystem, ...]
    blocks: tuple[Stage, ...]
    rows: tuple[int, ...]
    turned: tuple[int, ...]

    @property
    def steps(self) -> list[Block]:
        """Those of all blocks."""
        return [step for block in self.blocks for step in block.steps]


def subsystems(tree: Tree) -> list[Subsystem]:
    """The trees on the base."""
    bodies: dict[int, list[int]] = {}
    for k in range(len(tree)):
        bodies.setdefault(tree.path(k)[0], []).append(k)
    velocities = range(tree.nv)
    return [
        Subsystem(tuple(own), tuple(v for k in own for v in velocities[tree.bodies[k].v])) for own in bodies.values()
    ]


def all_rows(closed: Closed, turned: Collection[int]) -> Matrix:
    """The rows of all constraints; of those cut joints (places among the loops) from their side b."""
    seen = [turned_round(closed.tree, loop) if k in turned else loop for k, loop in enumerate(closed.loops)]
    constraints: list[Constraint] = [*seen, *closed.constraints[len(seen) :]]
    return [row for constraint in constraints for row in constraint.rows(closed.q)]


def equations(p: Partition, rows: Matrix) -> Matrix:
    """[s, Jᵀ]: a row for each joint velocity, columns for the motors and for these rows of constraints."""
    velocities = range(len(p.independent) + len(p.dependent))
    return [[*(int(a == k) for a in p.actuated), *(row[k] for row in rows)] for k in velocities]


def order(tree: Tree, p: Partition, pattern: Pattern, rows: Sequence[int], turned: Sequence[int]) -> Order:
    """The order in which the zeros of `equations` allow them to be solved.

    Equations of joints without motors know of the λ alone, and determine them; a torque then follows from the one equation it is in.
    """
    motors = len(p.actuated)
    slack = [k for k in range(tree.nv) if k not in p.actuated]
    steps = [
        (tuple(slack[i] for i in own), tuple(motors + j for j in unknowns))
        for own, unknowns in independent_blocks([pattern[k][motors:] for k in slack])
    ]
    steps += [((k,), (place,)) for place, k in enumerate(p.actuated)]
    parts = subsystems(tree)
    home = {v: n for n, part in enumerate(parts) for v in part.velocities}
    known_from = {j: {home[i] for i in own} for own, unknowns in steps for j in unknowns}
    needs: list[set[int]] = [set() for _ in parts]
    for i, row in enumerate(pattern):
        needs[home[i]].update(*(known_from[j] for j, x in enumerate(row) if x and j in known_from))
    blocks = components(needs)
    number = {n: place for place, block in enumerate(blocks) for n in block}
    return Order(
        tuple(parts),
        tuple(
            Stage(
                tuple(block),
                tuple(step for step in steps if number[home[step[0][0]]] == place),
                tuple(sorted({number[m] for n in block for m in needs[n]} - {place})),
            )
            for place, block in enumerate(blocks)
        ),
        tuple(rows),
        tuple(turned),
    )


def subsystem_inverse_dynamics(
    closed: Closed, ways: Order, qd: Scalars, qdd: Scalars, base: BaseMotion
) -> tuple[list[Any], list[Wrench]]:
    """Γ of the motors, and what the cut joints exert (see `dynamics.loops.cut_reactions`), from q' and q'' of independent joints."""
    p = closed.partition
    rates = closed.velocities(qd)
    accelerations = closed.accelerations(qdd, rates)
    needed = tree_torques(closed, rates, accelerations, base)
    rows = all_rows(closed, ways.turned)
    A = equations(p, [rows[i] for i in ways.rows])
    found = [x for [x] in solve_in_blocks(A, [[t] for t in needed], ways.steps)]
    torques = [named(x, f"GAM{k + 1}") for k, x in zip(p.actuated, found, strict=False)]
    forces = dict(zip(ways.rows, found[len(p.actuated) :], strict=True))
    losses = cut_torques(closed, rates, accelerations)
    return torques, cut_wrenches(closed, forces, losses, ways.turned)
