"""Derivatives in time of high order against closed forms."""

from math import cos, pi

import numpy as np
import pytest

import armillary as arm
from armillary.errors import ModelError


@pytest.mark.parametrize("order", [1, 2, 5, 9, 14])
def test_of_a_steady_turn(order: int) -> None:
    """cos(ωt) has the nth derivative ωⁿ cos(ωt + n π/2)."""
    speed, q = 1.3, 0.4
    moving = arm.describe("arm", arm.revolute("link")).pose("link").time_derivative(order)
    given = {x.name: np.zeros(x.shape) for x in moving.inputs} | {"q": [q], "qd": [speed]}
    found = moving.evaluate(**given)[f"T_d{order}t"][0, 0]
    assert found == pytest.approx(speed**order * cos(q + order * pi / 2), rel=1e-12)


@pytest.mark.parametrize("order", [3, 8])
def test_torque_of_a_slide_follows_its_acceleration(order: int) -> None:
    """Γ = M q'' has the nth derivative M dⁿ⁺²q/dtⁿ⁺²."""
    rate = (
        arm.describe("slide", arm.prismatic("mass", M=2), gravity=(0, 0, 0)).inverse_dynamics().time_derivative(order)
    )
    highest = rate.states[-1]
    assert highest.name == {3: "q5d", 8: "q10d"}[order] and highest.unit == {3: "m/s⁵", 8: "m/s¹⁰"}[order]
    given = {x.name: [0.0] for x in rate.inputs} | {highest.name: [1.5]}
    assert rate.evaluate(**given)[f"tau_d{order}t"][0] == 3


def test_an_order_may_be_reached_in_steps() -> None:
    pose = arm.load("planar2r").pose()
    twice, once = pose.time_derivative(4).time_derivative(3), pose.time_derivative(7)
    assert [x.name for x in twice.inputs] == [x.name for x in once.inputs]
    given = {x.name: np.random.default_rng(0).uniform(-1, 1, x.shape) for x in once.inputs}
    (a,), (b,) = twice.evaluate(**given).values(), once.evaluate(**given).values()
    assert np.allclose(a, b, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("order", [0, -1, 1.5, True, "2"])
def test_orders_are_counted(order: object) -> None:
    with pytest.raises(ModelError, match="the order of a time derivative is 1, 2, …, not"):
        arm.load("planar2r").pose().time_derivative(order)  # type: ignore[arg-type]
