"""Parts added to a robot: a payload on a frame is a mass there."""

import numpy as np
import pytest

import armillary as arm
from armillary.errors import RobotError


def test_a_payload_on_a_frame() -> None:
    """A point mass at the flange adds Jᵀ m (J̇ q' + J q'' - g) to the torques."""
    r = arm.load("panda")
    loaded = r.with_parts(arm.fixed("payload", "flange", M="m"), parameters={"m": 2.0})
    rng = np.random.default_rng(0)
    q, qd, qdd = rng.normal(size=(3, 7))
    a = r.frame_acceleration("flange").evaluate(q=q, qd=qd, qdd=qdd)["a"][:3] - [0, 0, -9.81]
    J = r.jacobian("flange").evaluate(q=q)["J"][:3]
    difference = loaded.inverse_dynamics().evaluate(q=q, qd=qd, qdd=qdd)["tau"]
    difference = difference - r.inverse_dynamics().evaluate(q=q, qd=qd, qdd=qdd)["tau"]
    assert np.allclose(difference, J.T @ (2.0 * a), rtol=1e-10, atol=1e-10)
    assert [x.name for x in loaded.inverse_dynamics().parameters] == ["m"]
    assert np.allclose(loaded.pose("flange").evaluate(q=q)["T"], r.pose("flange").evaluate(q=q)["T"], atol=1e-14)


def test_a_second_arm() -> None:
    r = arm.load("planar2r").with_parts(
        arm.revolute("left", "base", b=0.1), arm.revolute("hand", d=0.2), arm.frame("tip", d=0.1)
    )
    assert r.nv == 4 and len(r.tips) == 2 and "tip" in r.frame_names


def test_what_is_wrong_is_told() -> None:
    with pytest.raises(RobotError, match="payload"):
        arm.load("panda").with_parts(arm.fixed("payload", "flnge", M=1))
    with pytest.raises(RobotError, match="two"):
        arm.load("planar2r").with_parts(arm.revolute("link2"))
