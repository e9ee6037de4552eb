"""Dynamics of robots on wheels against the KKT system of Pinocchio's kinematics in extended precision, and laws of motion."""

from functools import cache

import numpy as np

from armillary.dynamics.closed import Closed
from armillary.dynamics.loops import (
    closed_direct_dynamics,
    closed_inertia_matrix,
    closed_inverse_dynamics,
    direct_dynamics_with_multipliers,
)
from armillary.dynamics.wheel_forces import wheel_forces
from armillary.kinematics.motion import base_motion
from armillary.robot import tree
from reference.wheeled import Dynamics, wheeled_case

NEEDED = 300


@cache
def cases() -> list[Dynamics]:
    """The first 300 seeds that give a motion which is well conditioned."""
    found: list[Dynamics] = []
    seed = 0
    while len(found) < NEEDED:
        case = wheeled_case(seed).dynamics(seed)
        if case is not None and case.robot.wheels and np.linalg.cond(case.M) < 1e8:
            found.append(case)
        seed += 1
    return found


def closed(case: Dynamics) -> Closed:
    return Closed(tree(case.robot, float).welded(), case.q.tolist(), case.partition)


def near(found: object, expected: np.ndarray, scale: float) -> bool:
    return bool(np.linalg.norm(np.asarray(found, dtype=float) - expected) <= 1e-8 * max(1.0, scale))


def size(case: Dynamics) -> float:
    """Of the forces and the velocities squared that an error is measured by."""
    qdd, torques, forces = case.solution
    return float(sum(map(np.linalg.norm, (qdd, torques, forces))) + np.linalg.norm(case.qd) ** 2)


def test_the_cases_are_many_kinds() -> None:
    assert sum(bool(case.partition.others) for case in cases()) > 100
    assert sum(bool(case.robot.ackermanns) for case in cases()) > 40
    assert sum(any(w.roller is not None for w in case.robot.wheels) for case in cases()) > 100
    assert sum(any(b.joint.nv == 3 for b in case.robot.bodies if b.joint.kind != "planar") for case in cases()) > 20


def test_inverse_dynamics() -> None:
    for case in cases():
        c, (qdd, torques, _) = closed(case), case.solution
        rates = c.velocities(case.qd_i.tolist())
        assert near(rates, case.qd, 1.0 + float(np.linalg.norm(case.qd)))
        assert near(c.accelerations(case.qdd_i.tolist(), rates), qdd, size(case))
        found = closed_inverse_dynamics(c, case.qd_i.tolist(), case.qdd_i.tolist(), base_motion(c.tree))
        assert near(found, torques, size(case))


def test_direct_dynamics_both_ways() -> None:
    """The torques of the KKT system give its accelerations again."""
    done = 0
    for case in cases()[:150]:
        c, (qdd, torques, _) = closed(case), case.solution
        if np.linalg.cond(np.array(closed_inertia_matrix(c), dtype=float)) > 1e5:
            continue
        for solve in (closed_direct_dynamics, direct_dynamics_with_multipliers):
            assert near(solve(c, case.qd_i.tolist(), torques.tolist(), base_motion(c.tree)), qdd, size(case))
        done += 1
    assert done > 100


def test_inertia_matrix() -> None:
    """Gᵀ M G."""
    for case in cases():
        p, c = case.partition, closed(case)
        J = np.array(c.J, dtype=float)
        G = np.zeros((case.robot.nv, len(p.independent)))
        G[list(p.independent)] = np.eye(len(p.independent))
        G[list(p.dependent)] = -np.linalg.solve(J[:, p.dependent], J[:, p.independent])
        expected = G.T @ case.M @ G
        assert near(closed_inertia_matrix(c), expected, float(np.linalg.norm(expected)))


def test_forces_on_the_wheels() -> None:
    """They are the multipliers of least norm, and what they add up to on the platform moves it and all it carries."""
    for case in cases():
        c, (_, _, forces) = closed(case), case.solution
        pairs, total = wheel_forces(c, case.qd_i.tolist(), case.qdd_i.tolist(), base_motion(c.tree))
        place, sums = 0, np.zeros(3)
        platform = case.robot.v_names.index("platform_vx")
        rows = np.array(c.all_rows, dtype=float)[:, platform : platform + 3]
        motor = [k - platform for k in case.partition.independent if platform <= k < platform + 3]
        for wheel, pair in zip(case.robot.wheels, pairs, strict=True):
            if wheel.roller is None:
                expected = forces[place : place + 2]
            else:
                expected = forces[place] * np.array([np.cos(float(wheel.roller)), np.sin(float(wheel.roller))])
            assert near(pair, expected, size(case))
            n = 1 if wheel.roller is not None else 2
            sums += forces[place : place + n] @ rows[place : place + n]
            place += n
        # a motor of the test at the platform itself takes its part
        assert near(np.delete(np.array(total, dtype=float), motor), np.delete(sums, motor), size(case))
