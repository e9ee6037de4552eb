"""Subsystems and free bodies, on random robots with closed loops, against projection, the KKT system and the tree's recursion."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from armillary.dynamics.closed import Closed
from armillary.dynamics.free_bodies import FreeBodies, Solved, free_bodies
from armillary.dynamics.loops import closed_inverse_dynamics, cut_reactions
from armillary.dynamics.newton_euler import newton_euler
from armillary.dynamics.subsystems import Order, all_rows, equations, order, subsystem_inverse_dynamics, subsystems
from armillary.kinematics.loops import side
from armillary.kinematics.motion import base_motion
from armillary.robot import CUTS, tree
from armillary.robot.tree import Mount, Tree
from armillary.spatial.blocks import Block, Pattern, independent_blocks
from armillary.spatial.transform import Transform
from armillary.spatial.vector import Vector
from reference.closed_loops import ClosedCase, closed_cases
from reference.library_cases import case_of
from reference.mechanisms import four_bar
from reference.opaque import Opaque, revealed

NEEDED = 120


def cases() -> list[ClosedCase]:
    """Random robots with loops."""
    return closed_cases(NEEDED)


def there(A: list[list[float]]) -> Pattern:
    """Where numbers are not 0."""
    return [[abs(float(x)) > 1e-13 for x in row] for row in A]


def whole(A: list[list[float]]) -> list[Block]:
    """One block."""
    return [(tuple(range(len(A))), tuple(range(len(A[0]))))]


def near(found: object, expected: object, scale: float) -> bool:
    wanted = np.asarray(expected, dtype=float)
    return bool(np.linalg.norm(np.asarray(found, dtype=float) - wanted) <= 1e-9 * max(1.0, scale))


def size_of(case: ClosedCase) -> float:
    return float(np.linalg.norm(case.truth.torques) + np.linalg.norm(case.truth.multipliers))


def flat(wrenches: object) -> list[float]:
    return [float(x) for f, n in wrenches for x in (*f, *n)]  # type: ignore[attr-defined]


def ways_of(case: ClosedCase, turned: Sequence[int] = ()) -> Order:
    """The order of solving, with these cut joints seen from b."""
    p = case.partition
    rows = all_rows(case.closed, turned)
    places = [i for i, row in enumerate(there(rows)) if any(row)]
    return order(case.closed.tree, p, there(equations(p, [rows[i] for i in places])), places, turned)


def bodies_of(case: ClosedCase) -> FreeBodies:
    return free_bodies(case.closed, case.qd_a.tolist(), case.qdd_a.tolist(), base_motion(case.closed.tree))


def test_the_cases_are_many_kinds() -> None:
    kinds = [cut.kind.kind for case in cases() for cut in case.robot.cuts]
    assert set(kinds) == set(CUTS)
    assert sum(len(subsystems(case.closed.tree)) > 1 for case in cases()) > 30
    assert sum(bool(case.partition.others) for case in cases()) > 10
    assert sum(len(case.robot.cuts) == 2 for case in cases()) > 8
    assert sum(len(b.A) < len(b.A[0]) for b in map(bodies_of, cases())) > 10


@pytest.mark.parametrize("from_b", [False, True])
def test_subsystems_give_torques_and_reactions(from_b: bool) -> None:
    """Those of the projection and of the KKT system, also where loops hold more than they need, from both sides of cut joints."""
    turned_some = 0
    for case in cases():
        closed, t = case.closed, case.truth
        given = case.qd_a.tolist(), case.qdd_a.tolist(), base_motion(closed.tree)
        turned = [k for k, cut in enumerate(case.robot.cuts) if cut.kind.mutual] if from_b else []
        turned_some += bool(turned)
        torques, wrenches = subsystem_inverse_dynamics(closed, ways_of(case, turned), *given)
        assert near(torques, closed_inverse_dynamics(closed, *given), size_of(case))
        assert near(torques, t.torques, size_of(case))
        assert near(flat(wrenches), flat(cut_reactions(closed, *given)), size_of(case))
    assert turned_some > 30 or not from_b


def test_blocks_of_subsystems_are_in_order() -> None:
    """What an equation needs has been found in its block or in one that its block names; without them nothing but its block would be left."""
    several = 0
    for case in cases():
        tree_, ways = case.closed.tree, ways_of(case)
        A = there(equations(case.partition, [case.closed.all_rows[i] for i in ways.rows]))
        assert sorted(v for part in ways.subsystems for v in part.velocities) == list(range(tree_.nv))
        unknowns = [{j for _, part in block.steps for j in part} for block in ways.blocks]
        for place, block in enumerate(ways.blocks):
            own = [v for n in block.subsystems for v in ways.subsystems[n].velocities]
            assert sorted(own) == sorted(i for rows, _ in block.steps for i in rows)
            present = {j for v in own for j, x in enumerate(A[v]) if x}
            assert max(block.after, default=-1) < place
            assert present <= unknowns[place].union(*(unknowns[k] for k in block.after))
            assert all(present & unknowns[k] for k in block.after)
        several += len(ways.blocks) > 1
    assert several > 10


@pytest.mark.parametrize("blockwise", [True, False])
def test_free_bodies_give_the_same_torques(blockwise: bool) -> None:
    """By blocks, and by one system of all equations, of least norm where the robot is over-constrained."""
    for case in cases():
        bodies = bodies_of(case)
        found = bodies.solve(independent_blocks(there(bodies.A)) if blockwise else whole(bodies.A))
        assert near(found.torques, case.truth.torques, size_of(case))
        if len(bodies.A) == len(bodies.A[0]):
            given = case.qd_a.tolist(), case.qdd_a.tolist(), base_motion(case.closed.tree)
            assert near(flat(found.cuts), flat(cut_reactions(case.closed, *given)), size_of(case))


def test_the_recursion_of_the_tree_finds_the_wrenches_of_free_bodies() -> None:
    """What cut joints exert, given to the open tree as wrenches on its bodies: its recursion gives every joint's wrench and torque."""
    for case in cases():
        closed = case.closed
        bodies = bodies_of(case)
        found = bodies.solve(independent_blocks(there(bodies.A)))
        rates = closed.velocities(case.qd_a.tolist())
        accelerations = closed.accelerations(case.qdd_a.tolist(), rates)
        held = loaded(case, found)
        reactions = newton_euler(held, closed.q, rates, accelerations, base_motion(held))
        size = float(np.linalg.norm(flat(found.joints)))
        assert near(flat(found.joints), flat(reactions.wrenches), size)
        torques = np.array(reactions.torques, dtype=float)
        assert near(torques[list(case.partition.actuated)], found.torques, size)
        assert near(torques[list(case.partition.dependent)], np.zeros(len(case.partition.dependent)), size)


def loaded(case: ClosedCase, found: Solved) -> Tree:
    """The tree with what its cut joints exert on its bodies as external wrenches."""
    tree_ = case.closed.tree
    branches = list(tree_.bodies)

    def push(mount: Mount, to_body: Transform, f: Vector, n: Vector, sign: int) -> None:
        k = mount[0]
        if k >= 0:
            force, moment = to_body.force(f, n)
            on = branches[k].wrench
            branches[k] = replace(branches[k], wrench=(on[0] + force * sign, on[1] + moment * sign))

    for loop, (f, n) in zip(case.closed.loops, found.cuts, strict=True):
        T = side(loop, case.closed.q)
        at_b = Transform(T.rotation, Vector(0, 0, 0))
        push(loop.junction.b, loop.junction.b[1].then(at_b.inverse()), f, n, -1)
        push(loop.junction.a, loop.junction.a[1].then(T).then(at_b.inverse()), f, n, 1)
    return replace(tree_, bodies=tuple(branches))


def test_runs_on_opaque_scalars() -> None:
    """Nothing but arithmetic is done with scalars: numbers that refuse to be asked give the same, to the last bit."""
    for robot in (four_bar("pin"), four_bar("ground")):
        case = case_of(robot, 0)
        plain, numbers = case.closed, (case.qd_a.tolist(), case.qdd_a.tolist())
        base = base_motion(plain.tree)
        ways = ways_of(case, [0])
        T = tree(case.robot, lambda x: Opaque(float(x))).welded()  # type: ignore[arg-type]
        hidden = Closed(T, [Opaque(x) for x in plain.q], plain.partition)
        opaque = [[Opaque(x) for x in part] for part in numbers]
        torques, wrenches = subsystem_inverse_dynamics(plain, ways, *numbers, base)
        same_torques, same_wrenches = subsystem_inverse_dynamics(hidden, ways, *opaque, base_motion(T))
        assert revealed(same_torques) == torques
        assert [revealed([*f, *n]) for f, n in same_wrenches] == [[*f, *n] for f, n in wrenches]
        bodies, same = free_bodies(plain, *numbers, base), free_bodies(hidden, *opaque, base_motion(T))
        assert revealed(same.A) == bodies.A and revealed(same.b) == bodies.b
