"""Parallel robots against the KKT system of Pinocchio's kinematics, in extended precision: by their motors and by their platform."""

from functools import cache

import numpy as np
import pytest

from armillary.dynamics.loops import (
    closed_direct_dynamics,
    closed_inertia_matrix,
    closed_inverse_dynamics,
    direct_dynamics_with_multipliers,
    tree_torques,
)
from armillary.kinematics.closure import close, moved
from armillary.kinematics.motion import base_motion
from armillary.robot import tree
from reference.closed_loops import Kkt
from reference.parallel_robots import NAMES, ParallelCase, from_platform, parallel_case

EACH = 50


@cache
def cases(name: str) -> list[ParallelCase]:
    return [parallel_case(name, seed) for seed in range(EACH)]


def near(found: object, expected: np.ndarray, scale: float = 1.0) -> bool:
    size = max(scale, float(np.linalg.norm(expected)))
    return bool(np.linalg.norm(np.asarray(found, dtype=float) - expected) <= 1e-8 * size)


@pytest.mark.parametrize("name", NAMES)
def test_inverse_dynamics_by_motors_and_by_platform(name: str) -> None:
    for case in cases(name):
        mine, t = case.by_motors, case.by_motors.truth
        base = base_motion(mine.closed.tree)
        given = mine.qd_a.tolist(), mine.qdd_a.tolist()
        scale = float(np.linalg.norm(t.multipliers))
        assert near(closed_inverse_dynamics(mine.closed, *given, base), t.torques, scale)
        given = from_platform(case, t.qd), from_platform(case, t.qdd)
        assert near(closed_inverse_dynamics(case.by_platform, *given, base), t.torques, scale)
        assert near(case.by_platform.velocities(given[0]), t.qd)


@pytest.mark.parametrize("name", NAMES)
def test_direct_dynamics_by_motors_by_platform_and_with_multipliers(name: str) -> None:
    """The torques that the KKT system found give its accelerations again."""
    for case in cases(name):
        mine, t = case.by_motors, case.by_motors.truth
        base = base_motion(mine.closed.tree)
        size = float(np.linalg.norm(t.torques)) + float(np.linalg.norm(t.multipliers)) + float(t.qd @ t.qd)
        torques = t.torques.tolist()
        assert near(closed_direct_dynamics(case.by_platform, from_platform(case, t.qd), torques, base), t.qdd, size)
        if case is cases(name)[0]:
            for solve in (closed_direct_dynamics, direct_dynamics_with_multipliers):
                assert near(solve(mine.closed, mine.qd_a.tolist(), torques, base), t.qdd, size)


@pytest.mark.parametrize("name", NAMES)
def test_multipliers_of_least_norm(name: str) -> None:
    """Of all rows, the three that the orthoglide's legs hold twice among them."""
    for case in cases(name)[:10]:
        mine, t = case.by_motors, case.by_motors.truth
        torques = tree_torques(mine.closed, t.qd.tolist(), t.qdd.tolist(), base_motion(mine.closed.tree))
        forces = mine.closed.least_multipliers(torques)
        found = [forces.get(i, 0) for i in range(len(t.multipliers))]
        assert near(found, t.multipliers, float(np.linalg.norm(t.torques)))
        assert bool(mine.partition.others) == (name == "orthoglide")


@pytest.mark.parametrize("name", NAMES)
def test_inertia_of_the_platform(name: str) -> None:
    """Gᵀ M G, G from the rows of Pinocchio."""
    for case in cases(name)[:10]:
        p, system = case.partition, Kkt(case.by_motors.robot, case.by_motors.q)
        J = system.J(np.zeros(case.by_motors.robot.nv))[0][list(p.rows)]
        G = np.zeros((case.by_motors.robot.nv, len(p.independent)))
        G[list(p.independent)] = np.eye(len(p.independent))
        G[list(p.dependent)] = -np.linalg.solve(J[:, p.dependent], J[:, p.independent])
        expected = G.T @ system.inertia(np.zeros(case.by_motors.robot.nv)) @ G
        assert near(closed_inertia_matrix(case.by_platform), expected)


@pytest.mark.parametrize("name", NAMES)
def test_virtual_work_along_closed_motions(name: str) -> None:
    """Γ_a·δq_a = Γ_tr·δq for a small motion between two states at which Newton's method closed the loops."""
    for case in cases(name)[:10]:
        mine, t = case.by_motors, case.by_motors.truth
        robot, joints = tree(mine.robot, float).welded(), [b.joint for b in mine.robot.bodies]
        length = 1e-4 / max(1.0, float(np.linalg.norm(t.qd)))
        ends = [close(robot, joints, moved(joints, mine.q, sign * length * t.qd)) for sign in (1, -1)]
        assert all(end.closed for end in ends)
        plain = [k for k, b in enumerate(b for b in mine.robot.bodies for _ in range(b.joint.nv)) if b.joint.nv == 1]
        places = [k for k, b in enumerate(b for b in mine.robot.bodies for _ in range(b.joint.nq)) if b.joint.nv == 1]
        rates = (ends[0].q - ends[1].q)[places] / (2 * length)
        assert np.allclose(rates, t.qd[plain], rtol=0, atol=1e-6 * max(1.0, float(t.qd @ t.qd)))
        torques = np.array(tree_torques(mine.closed, t.qd.tolist(), t.qdd.tolist(), base_motion(robot)), dtype=float)
        power = torques @ t.qd
        found = closed_inverse_dynamics(mine.closed, mine.qd_a.tolist(), mine.qdd_a.tolist(), base_motion(robot))
        assert abs(power - np.asarray(found, dtype=float) @ t.qd[list(mine.partition.actuated)]) <= 1e-8 * float(
            np.linalg.norm(torques) * np.linalg.norm(t.qd)
        )
