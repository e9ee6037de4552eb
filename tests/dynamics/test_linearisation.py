"""The linearised dynamics against finite variations of the nonlinear ones, quaternions moved by their exponential."""

import numpy as np
import pytest
from numpy.typing import NDArray

import armillary as arm
from reference.random_trees import random_state, random_tree

Floats = NDArray[np.float64]


def moved(robot: arm.Robot, q: Floats, delta: Floats) -> Floats:
    """q varied along the joint velocities; a ball by exp(δφ) in its moved frame."""
    result, k, v = [], 0, 0
    for body in robot.bodies:
        joint = body.joint
        own, d = q[k : k + joint.nq], delta[v : v + joint.nv]
        if joint.nq == 4:
            angle = np.linalg.norm(d)
            e = np.r_[np.cos(angle / 2), np.sinc(angle / (2 * np.pi)) / 2 * d]
            w, x = own[0], own[1:]
            own = np.r_[w * e[0] - x @ e[1:], w * e[1:] + e[0] * x + np.cross(x, e[1:])]
            result += own.tolist()
        else:
            result += (own + d).tolist()
        k, v = k + joint.nq, v + joint.nv
    return np.array(result)


@pytest.mark.parametrize("seed", range(25))
def test_against_differences(seed: int) -> None:
    rng = np.random.default_rng(seed)
    robot = arm.Robot.of(random_tree(rng, 1 + seed % 6, losses=seed % 2 == 0))
    if not robot.nv or any(float(b.inertia.M) == 0 for b in robot.bodies):
        return
    q, qd, tau = random_state(rng, robot)
    A = robot.inertia_matrix().evaluate(q=q)["A"]
    if np.linalg.cond(A) > 1e4:
        return
    n = robot.nv
    found = robot.linearisation().evaluate(q=q, qd=qd, tau=tau)
    direct = robot.direct_dynamics()

    def qdd(dq: Floats, dv: Floats, dt: Floats) -> Floats:
        return direct.evaluate(q=moved(robot, q, dq), qd=qd + dv, tau=tau + dt)["qdd"]

    assert np.allclose(found["qdd"], qdd(*np.zeros((3, n))), rtol=1e-9, atol=1e-9)
    h = 1e-5
    columns = []
    for k in range(3 * n):
        step = np.zeros(3 * n)
        step[k] = h
        columns.append((qdd(*np.split(step, 3)) - qdd(*np.split(-step, 3))) / (2 * h))
    expected = np.array(columns).T
    got = np.concatenate([found["F"][n:], found["G"][n:]], axis=1)
    size = max(1.0, np.abs(expected).max())
    assert np.abs(got - expected).max() <= 1e-6 * size * max(1, np.linalg.cond(A) / 1e2)
    assert (found["F"][:n, n:] == np.eye(n)).all() and (found["G"][:n] == 0).all()


def test_a_turn_of_a_ball_turns_with_it() -> None:
    """(δφ)˙ = δω - ω × δφ: seen on two neighbouring motions integrated for a moment."""
    ball = arm.describe("ball", arm.spherical("ball", mass=1, center=(0, 0, 0.3), inertia=(0.1, 0, 0, 0.2, 0, 0.3)))
    rng = np.random.default_rng(1)
    q, qd, _ = random_state(rng, ball)
    F = ball.linearisation().evaluate(q=q, qd=qd, tau=np.zeros(3))["F"]
    delta, h, small = rng.normal(size=3), 1e-6, 1e-4

    def after(dq: Floats) -> Floats:
        return moved(ball, moved(ball, q, dq), qd * h)

    a, b = after(np.zeros(3)), after(small * delta)
    relative = np.r_[a @ b, -b[0] * a[1:] + a[0] * b[1:] - np.cross(a[1:], b[1:])]
    rate = (2 * relative[1:] * np.sign(relative[0]) / small - delta) / h
    assert np.allclose(rate, F[:3, :3] @ delta, rtol=0, atol=1e-2 * np.abs(F[:3, :3]).max())


def test_a_pendulum_upright_and_hanging() -> None:
    """θ̈ = Γ/(m l²) ∓ (g/l) δθ: a point on a massless rod."""
    r = arm.describe("rod", arm.revolute("rod", mass=2, center=(0.5, 0, 0)), gravity=(9.81, 0, 0))
    for angle, sign in ((0.0, -1), (np.pi, 1)):
        found = r.linearisation().evaluate(q=[angle], qd=[0], tau=[0])
        assert np.allclose(found["F"], [[0, 1], [sign * 9.81 / 0.5, 0]], rtol=0, atol=1e-12)
        assert np.allclose(found["G"], [[0], [1 / (2 * 0.25)]], rtol=1e-14)
