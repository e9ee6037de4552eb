"""Any rigid transform as a placement and back: exact right angles, zeros where they are due, axes that nearly agree."""

import math
from itertools import product

import numpy as np
import pytest

from armillary.errors import RobotError
from armillary.expr.numbers import PiMultiple
from armillary.robot import Placement, Value, value
from armillary.robot.place import NEAR, approach, inverse, length, place, pose, tidy
from reference.pinocchio import Floats, elementary

STEPS = {"gamma": "Rz", "b": "Tz", "alpha": "Rx", "d": "Tx", "beta": "Ry", "theta": "Rz", "r": "Tz"}
QUARTERS: tuple[Value, ...] = tuple(value(x) for x in ("0", "pi/2", "pi", "-pi/2"))


def product_of(placement: Placement) -> Floats:
    """The same by matrices of floats written elsewhere."""
    T = np.eye(4)
    for name, x in placement.items():
        T = T @ elementary(STEPS[name], float(x))  # type: ignore[arg-type]
    return T


def rotation(rng: np.random.Generator) -> Floats:
    """Uniform over all rotations, or one axis a hair from z or -z."""
    if rng.random() < 0.5:
        w, x, y, z = (q := rng.normal(size=4)) / np.linalg.norm(q)
        return np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
            ]
        )
    tilt = float(rng.choice([0, 1e-15, 1e-13, 1e-10, 1e-8, 1e-6, 1e-3, 0.9 * NEAR, 1.1 * NEAR])) + math.pi * int(
        rng.integers(2)
    )
    turns = (("Rz", float(rng.uniform(-4, 4))), ("Rx", tilt), ("Rz", float(rng.uniform(-4, 4))))
    return np.linalg.multi_dot([elementary(kind, x) for kind, x in turns])[:3, :3]


@pytest.mark.parametrize("seed", range(400))
def test_any_transform_is_placed(seed: int) -> None:
    """To 2e-12: the size of what is taken for a right angle."""
    rng = np.random.default_rng(seed)
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = rotation(rng), rng.normal(size=3) * rng.choice([0, 1e-6, 1, 1, 1000], size=3)
    found = place(T)
    size = max(1.0, float(np.abs(T).max()))
    assert np.abs(pose(found) - T).max() <= 2e-12 * size
    assert np.abs(product_of(found) - T).max() <= 2e-12 * size
    assert found.beta == 0 or math.hypot(T[0, 2], T[1, 2]) < NEAR
    assert max(abs(float(x)) for _, x in found.items()) <= 10 * size / NEAR


@pytest.mark.parametrize("turns", list(product(QUARTERS, repeat=3)), ids=str)
def test_right_angles_stay_exact(turns: tuple[Value, Value, Value]) -> None:
    """All 24 rotations by right angles come back as multiples of pi/2, and their matrices have no rounding."""
    gamma, alpha, theta = turns
    T = pose(Placement(gamma=gamma, b=0.3, alpha=alpha, d=-0.2, theta=theta, r=0.1))
    assert set(np.abs(T[:3, :3]).ravel()) == {0.0, 1.0}
    found = place(T)
    for angle in (found.gamma, found.alpha, found.beta, found.theta):
        assert angle == 0 or isinstance(angle, PiMultiple)
    assert np.abs(pose(found) - T).max() < 1e-15


def test_parallel_axes_need_neither_b_nor_beta_and_equal_ones_no_gamma() -> None:
    T = elementary("Rz", 0.4) @ elementary("Tx", 0.5) @ elementary("Rz", 0.2) @ elementary("Tz", 0.7)
    found = place(T)
    assert (found.b, found.alpha, found.beta, found.d, found.r) == (0, 0, 0, 0.5, 0.7)
    assert found.gamma == pytest.approx(0.4)
    found = place(elementary("Tz", 0.7) @ elementary("Rz", 0.6))
    assert found == Placement(theta=0.6, r=0.7)


def test_intersecting_axes_have_no_d() -> None:
    found = place(elementary("Rx", 0.5) @ elementary("Tz", 0.7))
    assert found == Placement(alpha=0.5, r=0.7)


@pytest.mark.parametrize("tilt", [1e-11, 1e-6, 0.04])
def test_nearly_parallel_axes_keep_hayatis_beta_and_lengths_stay_small(tilt: float) -> None:
    """The common normal of axes 1e-6 rad apart stands a million times further off than the axes."""
    T = elementary("Tx", 1) @ elementary("Ry", tilt)
    found = place(T)
    assert found.beta == pytest.approx(tilt)
    assert abs(float(found.b)) < 1 and found.d == 1  # type: ignore[arg-type]
    assert np.abs(pose(found) - T).max() < 1e-15


def test_angles_are_snapped_as_far_as_asked() -> None:
    T = elementary("Rx", 1.5708)
    assert place(T).alpha == 1.5708
    assert place(T, snap=1e-4).alpha == value("pi/2")
    assert place(elementary("Rx", math.pi / 2 + 5e-13)).alpha == value("pi/2")
    assert place(elementary("Rx", math.pi / 2 + 5e-12)).alpha != value("pi/2")


def test_lengths_below_rounding_are_zero_and_numbers_tidy() -> None:
    assert length(1e-17, 1.0) == 0
    assert length(1e-13, 1.0) == 1e-13
    assert tidy(0.08249999999999999, 1.0) == 0.0825
    assert tidy(0.0824999, 1.0) == 0.0824999
    assert length(1e-17, 0) == 1e-17


@pytest.mark.parametrize("seed", range(100))
def test_the_way_to_an_axis(seed: int) -> None:
    """`approach` ends on the line, along its direction."""
    rng = np.random.default_rng(seed)
    point, axis = rng.normal(size=3), rotation(rng)[:, 2]
    onto = approach(point, axis, scale=1.0)
    assert (onto.theta, onto.r) == (0, 0)
    T = pose(onto)
    assert np.abs(T[:3, 2] - axis).max() < 2e-12
    assert np.abs(np.cross(T[:3, 3] - point, axis)).max() < 1e-11


def test_inverse() -> None:
    T = pose(Placement.of(gamma=0.1, b=1, alpha=0.2, d=2, theta=0.3, r=3))
    assert np.abs(inverse(T) @ T - np.eye(4)).max() < 1e-15


def test_placements_with_symbols_have_no_numbers() -> None:
    with pytest.raises(RobotError, match="L is not a number"):
        pose(Placement.of(d="L"))
