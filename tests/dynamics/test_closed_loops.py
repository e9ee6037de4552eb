"""Robots with closed loops against the KKT system of Pinocchio's kinematics, solved in extended precision."""

import numpy as np
import pytest

from armillary.dynamics.formulations.gauss import least_constraint
from armillary.dynamics.loops import (
    closed_direct_dynamics,
    closed_inertia_matrix,
    closed_inverse_dynamics,
    cut_reactions,
    direct_dynamics_with_multipliers,
    tree_torques,
)
from armillary.kinematics.closure import close, moved
from armillary.kinematics.loops import loops, relative_twists
from armillary.kinematics.motion import base_motion
from armillary.robot import CUTS, tree
from reference.closed_loops import ClosedCase, Kkt, closed_cases

NEEDED = 300


def cases() -> list[ClosedCase]:
    """Random robots with loops."""
    return closed_cases(NEEDED)


def near(found: object, expected: np.ndarray, scale: float = 1.0) -> bool:
    size = max(scale, float(np.linalg.norm(expected)))
    return bool(np.linalg.norm(np.asarray(found, dtype=float) - expected) <= 1e-8 * size)


def test_the_cases_are_many_kinds() -> None:
    kinds = [cut.kind.kind for case in cases() for cut in case.robot.cuts]
    assert set(kinds) == set(CUTS) and min(kinds.count(k) for k in CUTS) > 8
    assert sum(len(case.robot.cuts) == 2 for case in cases()) > 20
    assert sum(bool(case.partition.others) for case in cases()) > 20
    assert sum(any(b.joint.nv == 3 for b in case.robot.bodies) for case in cases()) > 20


def test_inverse_dynamics_and_multipliers() -> None:
    for case in cases():
        closed, t = case.closed, case.truth
        base = base_motion(closed.tree)
        rates = closed.velocities(case.qd_a.tolist())
        assert near(rates, t.qd)
        assert near(closed.accelerations(case.qdd_a.tolist(), rates), t.qdd, float(np.linalg.norm(t.qd) ** 2))
        found = closed_inverse_dynamics(closed, case.qd_a.tolist(), case.qdd_a.tolist(), base)
        assert near(found, t.torques, float(np.linalg.norm(t.multipliers)))
        forces = closed.least_multipliers(tree_torques(closed, t.qd.tolist(), t.qdd.tolist(), base))
        assert near(
            [forces.get(i, 0) for i in range(len(t.multipliers))], t.multipliers, float(np.linalg.norm(t.torques))
        )


def test_direct_dynamics_both_ways() -> None:
    """The torques that the KKT system found give its accelerations again; so does the least compulsion, from all of q' and Γ."""
    for case in cases():
        closed, t = case.closed, case.truth
        if np.linalg.cond(np.array(closed_inertia_matrix(closed), dtype=float)) > 1e5:
            continue
        given = case.qd_a.tolist(), t.torques.tolist()
        whole = case.partition.whole(given[1], [0.0] * len(case.partition.dependent))
        ways = [
            solve(closed, *given, base_motion(closed.tree))
            for solve in (closed_direct_dynamics, direct_dynamics_with_multipliers)
        ]
        ways.append(least_constraint(closed.tree, case.q.tolist(), t.qd.tolist(), whole, case.partition.rows))
        for found in ways:
            size = (
                float(np.linalg.norm(t.torques))
                + float(np.linalg.norm(t.multipliers))
                + float(np.linalg.norm(t.qd) ** 2)
            )
            assert near(found, t.qdd, size)


def test_inertia_matrix() -> None:
    """Gᵀ M G, G from the rows of Pinocchio."""
    for case in cases():
        p, system = case.partition, Kkt(case.robot, case.q)
        J = system.J(np.zeros(case.robot.nv))[0][list(p.rows)]
        G = np.zeros((case.robot.nv, len(p.independent)))
        G[list(p.independent)] = np.eye(len(p.independent))
        G[list(p.dependent)] = -np.linalg.solve(J[:, p.dependent], J[:, p.independent])
        assert near(closed_inertia_matrix(case.closed), G.T @ system.inertia(np.zeros(case.robot.nv)) @ G)


def test_cut_joints_do_no_work_but_their_losses() -> None:
    """The wrench on b, on the motion of b in a, has the power -Γ_k q'_c; and it is that of the multipliers."""
    for case in cases():
        closed, t = case.closed, case.truth
        found = cut_reactions(closed, case.qd_a.tolist(), case.qdd_a.tolist(), base_motion(closed.tree))
        start, system = 0, Kkt(case.robot, case.q)
        J, _, free = system.J(t.qd)
        for cut, (f, n), coordinate in zip(case.robot.cuts, found, free, strict=True):
            part = slice(start, start + len(cut.kind.rows))
            start = part.stop
            expected = J[part].T @ t.multipliers[part]
            if coordinate is not None:
                row, drift = coordinate
                rate = row @ t.qd
                loss = float(cut.IA) * (row @ t.qdd + drift) + float(cut.FV) * rate + float(cut.FS) * np.sign(rate)
                expected = expected - row * loss
            at = closed.loops[[c.name for c in case.robot.cuts].index(cut.name)]
            twists = relative_twists(at, case.q.tolist(), closed=False)
            got = np.array([v.dot(f) + w.dot(n) for v, w in twists], dtype=float)
            assert near(got, expected, float(np.linalg.norm(t.torques)))


@pytest.mark.parametrize("closed", [False, True])
def test_rows_are_rates_of_residuals(closed: bool) -> None:
    """By central differences; also away from closure, with the rows that hold there."""
    for case in cases()[:100]:
        robot = tree(case.robot, float).welded()
        joints = [b.joint for b in case.robot.bodies]
        q = case.q if closed else moved(joints, case.q, np.full(case.robot.nv, 0.3))
        for loop in loops(robot):
            J = np.array(loop.rows(q.tolist(), closed=closed), dtype=float)
            for k in range(robot.nv):
                step = np.zeros(robot.nv)
                step[k] = 1e-6
                ends = [np.array(loop.residual(moved(joints, q, s).tolist()), dtype=float) for s in (step, -step)]
                assert np.allclose((ends[0] - ends[1]) / 2e-6, J[:, k], rtol=0, atol=2e-8)


def test_virtual_work_along_closed_motions() -> None:
    """Γ_c·δq_a = Γ_tr·δq for a small motion that keeps the loops closed, found by Newton's method."""
    done = 0
    for case in cases():
        robot, t = tree(case.robot, float).welded(), case.truth
        if any(cut.kind.free and (cut.IA or cut.FV or cut.FS) for cut in case.robot.cuts):
            continue
        joints = [b.joint for b in case.robot.bodies]
        if any(j.nq != j.nv for j in joints):
            continue
        ends = []
        for sign in (1, -1):
            start = case.q + sign * 1e-4 * t.qd / max(1.0, float(np.linalg.norm(t.qd)))
            attempt = close(robot, joints, start)
            assert attempt.closed
            ends.append(attempt.q)
        change = (ends[0] - ends[1]) / 2
        torques = np.array(tree_torques(case.closed, t.qd.tolist(), t.qdd.tolist(), base_motion(robot)), dtype=float)
        found = np.array(
            closed_inverse_dynamics(case.closed, case.qd_a.tolist(), case.qdd_a.tolist(), base_motion(robot)),
            dtype=float,
        )
        work, active = torques @ change, found @ change[list(case.partition.independent)]
        assert abs(work - active) <= 1e-7 * np.linalg.norm(change) * (np.linalg.norm(torques) + np.linalg.norm(found))
        done += 1
    assert done > 60
