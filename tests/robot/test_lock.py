"""Joints held in place: the torques of the others are those of the whole robot with that joint at rest."""

import numpy as np
import pytest

import armillary as arm
from armillary.errors import RobotError


def test_held_joints_are_at_rest() -> None:
    r = arm.load("panda")
    held = r.lock({"joint2": 0.4, "link5": "pi/3"})
    assert held.nv == 5 and "joint2" not in held.joint_names
    rng = np.random.default_rng(0)
    q, qd, qdd = rng.normal(size=(3, 7))
    q[1], q[4], qd[[1, 4]], qdd[[1, 4]] = 0.4, np.pi / 3, 0, 0
    free = [0, 2, 3, 5, 6]
    whole = r.inverse_dynamics().evaluate(q=q, qd=qd, qdd=qdd)["tau"]
    part = held.inverse_dynamics().evaluate(q=q[free], qd=qd[free], qdd=qdd[free])["tau"]
    assert np.allclose(part, whole[free], rtol=1e-12, atol=1e-12)
    assert held.inverse_dynamics().cost.total < r.inverse_dynamics().cost.total
    assert np.allclose(held.pose("flange").evaluate(q=q[free])["T"], r.pose("flange").evaluate(q=q)["T"], atol=1e-14)


def test_a_slide_held() -> None:
    r = arm.load("stanford")
    held = r.lock({"joint3": "L"})
    assert "L" in held.symbols and held.nv == 5


def test_what_cannot_be_held_is_named() -> None:
    with pytest.raises(RobotError, match="no joint 'joint9'; did you mean"):
        arm.load("panda").lock({"joint9": 0})
    ball = arm.describe("ball", arm.spherical("ball", mass=1))
    with pytest.raises(RobotError, match="spherical joint; revolute and prismatic"):
        ball.lock({"ball": 0})
