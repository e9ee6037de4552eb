"""Derivatives of inverse dynamics: against Pinocchio, which uses none of these formulas, and against differences along the joints."""

from dataclasses import replace

import numpy as np
import pinocchio as pin
import pytest

from armillary.dynamics.derivatives import inverse_dynamics_derivatives
from armillary.dynamics.newton_euler import inverse_dynamics
from armillary.kinematics.motion import BaseMotion, base_motion
from armillary.robot import Description, Tree, tree
from armillary.spatial.vector import Vector
from reference.pinocchio import Peer, peer, rotor_inertias
from reference.random_trees import Floats, random_state, random_tree


def _ours(robot: Description, state: tuple[Floats, Floats, Floats]) -> tuple[Floats, Floats, Floats, Floats]:
    T = tree(robot, float).welded()
    d = inverse_dynamics_derivatives(T, *state, base_motion(T))
    found = (d.torques, d.by_position, d.by_velocity, d.by_acceleration)
    return tuple(np.array(x, dtype=float) for x in found)  # type: ignore[return-value]


def _close(ours: Floats, theirs: Floats) -> None:
    assert np.linalg.norm(ours - theirs) <= 1e-11 * max(1.0, float(np.linalg.norm(theirs)))


def _symmetric(upper: Floats) -> Floats:
    return np.triu(upper) + np.triu(upper, 1).T


@pytest.mark.parametrize("seed", range(200))
def test_pinocchio_agrees(seed: int) -> None:
    rng = np.random.default_rng(seed)
    robot = random_tree(rng, int(rng.integers(1, 10)))
    if not robot.nv:
        return
    q, v, a = state = random_state(rng, robot)
    p: Peer = peer(robot)
    by_q, by_v, M = pin.computeRNEADerivatives(p.model, p.data, p.q(q), p.v(v), p.v(a))
    friction = np.diag([float(b.FV) for b in robot.bodies for _ in range(b.joint.nv)])
    _, dq, dv, da = _ours(robot, state)
    _close(dq, p.ours_square(by_q))
    _close(dv, p.ours_square(by_v) + friction)
    _close(da, p.ours_square(_symmetric(M)) + rotor_inertias(robot))


@pytest.mark.parametrize("seed", range(20))
def test_moving_base_and_external_wrenches(seed: int) -> None:
    """Central differences along the joint velocities, where Pinocchio has no peer."""
    rng = np.random.default_rng(1000 + seed)
    robot = random_tree(rng, int(rng.integers(1, 7)), ("revolute", "prismatic", "helical"))
    bodies = tuple(replace(b, wrench=tuple(map(float, rng.normal(size=6)))) for b in robot.bodies)
    T = tree(replace(robot, bodies=bodies), float).welded()
    base = BaseMotion(*(Vector(*map(float, rng.normal(size=3))) for _ in range(3)))
    q, v, a = random_state(rng, robot)
    d = inverse_dynamics_derivatives(T, q, v, a, base)

    def torques(q: Floats, v: Floats, a: Floats) -> Floats:
        return np.array(inverse_dynamics(T, q, v, a, base), dtype=float)

    _close(np.array(d.torques, dtype=float), torques(q, v, a))
    for k in range(T.nv):
        e = np.zeros(T.nv)
        e[k] = 1e-5
        for ours, (plus, minus) in {
            "q": (d.by_position, ((q + e, v, a), (q - e, v, a))),
            "v": (d.by_velocity, ((q, v + e, a), (q, v - e, a))),
            "a": (d.by_acceleration, ((q, v, a + e), (q, v, a - e))),
        }.values():
            slope = (torques(*plus) - torques(*minus)) / 2e-5
            column = np.array([row[k] for row in ours], dtype=float)
            assert np.linalg.norm(column - slope) <= 1e-7 * max(1.0, float(np.linalg.norm(slope)))


def test_turns_of_a_ball_are_differentiated_along_its_moved_axes() -> None:
    """Positions vary by q ⊗ (1, ε/2), the quaternion of a small turn about axes of the moved frame."""
    rng = np.random.default_rng(7)
    robot = random_tree(rng, 3, ("spherical",))
    T = tree(robot, float).welded()
    q, v, a = random_state(rng, robot)
    d = inverse_dynamics_derivatives(T, q, v, a, base_motion(T))
    for k in range(T.nv):
        slope = (_turned(T, q, v, a, k, 1e-5) - _turned(T, q, v, a, k, -1e-5)) / 2e-5
        column = np.array([row[k] for row in d.by_position], dtype=float)
        assert np.linalg.norm(column - slope) <= 1e-7 * max(1.0, float(np.linalg.norm(slope)))


def _turned(T: Tree, q: Floats, v: Floats, a: Floats, k: int, angle: float) -> Floats:
    body, axis = T.bodies[k // 3], k % 3
    q = q.copy()
    w, vector = q[body.q][0], q[body.q][1:]
    half = np.zeros(3)
    half[axis] = np.sin(angle / 2)
    c = np.cos(angle / 2)
    q[body.q] = [w * c - vector @ half, *(w * half + c * vector + np.cross(vector, half))]
    return np.array(inverse_dynamics(T, q, v, a, base_motion(T)), dtype=float)
