"""Rows of wheels and of steering gear against Pinocchio's kinematics and against their own differences; the five types."""

from functools import cache

import numpy as np
import pytest

import armillary as arm
from armillary.errors import ModelError
from armillary.formats import toml
from armillary.kinematics.closure import moved
from armillary.kinematics.mobility import null_space
from armillary.kinematics.wheels import wheels
from armillary.robot import tree
from armillary.robot.check import check
from armillary.robot.mounting import mounting
from reference.opaque import Opaque, revealed
from reference.wheeled import WheeledCase, WheelRows, wheeled_case

CASES = 150


@cache
def cases() -> list[WheeledCase]:
    return [wheeled_case(seed) for seed in range(CASES)]


def velocities(case: WheeledCase, seed: int) -> np.ndarray:
    """Random ones that the wheels allow."""
    J, _ = WheelRows(case.robot, case.q).at(np.zeros(case.robot.nv))
    N = null_space(J)
    return N @ np.random.default_rng(seed).normal(size=N.shape[1])


def test_the_cases_are_many_kinds_and_all_are_robots() -> None:
    kinds = [mounting(check(c.robot), wheel).kind for c in cases() for wheel in c.robot.wheels]
    assert min(kinds.count(k) for k in ("fixed", "steering", "castor", "Swedish")) > 75
    assert sum(bool(c.robot.ackermanns) for c in cases()) > 25
    assert sum(len(mounting(c.robot, w).forks) > 1 for c in cases() for w in c.robot.wheels) > 15


def test_rows_and_their_rates_against_pinocchio() -> None:
    for seed, case in enumerate(cases()):
        qd = velocities(case, seed)
        found = wheels(tree(case.robot, float).welded())
        J, rate = WheelRows(case.robot, case.q).at(qd)
        ours = [row for constraint in found for row in constraint.rows(case.q.tolist())]
        assert np.allclose(np.array(ours, dtype=float), J, rtol=0, atol=1e-12)
        drift = [x for constraint in found for x in constraint.drift(case.q.tolist(), qd.tolist())]
        assert np.allclose(np.array(drift, dtype=float), rate, rtol=0, atol=1e-11 * (1 + np.abs(qd).max() ** 2))


def test_rates_are_differences_along_the_motion() -> None:
    """Of rows times q', and of the residual of steering gear, also where its axles do not meet."""
    h = 1e-5
    for seed, case in enumerate(cases()[:60]):
        robot, joints = tree(case.robot, float), [b.joint for b in case.robot.bodies]
        qd = velocities(case, seed)
        for constraint in wheels(robot):
            ends = [moved(joints, case.q, sign * h * qd) for sign in (1, -1)]
            rates = [np.array(constraint.rows(q.tolist()), dtype=float) @ qd for q in ends]
            drift = np.array(constraint.drift(case.q.tolist(), qd.tolist()), dtype=float)
            assert np.allclose((rates[0] - rates[1]) / (2 * h), drift, rtol=0, atol=1e-7 * (1 + np.abs(qd).max() ** 2))
            if constraint.holonomic:
                away = moved(joints, case.q, np.full(case.robot.nv, 0.3))
                there = [
                    np.array(constraint.residual(moved(joints, away, s * h * qd).tolist()), dtype=float)
                    for s in (1, -1)
                ]
                row = np.array(constraint.rows(away.tolist(), closed=False), dtype=float)
                assert np.allclose(
                    (there[0] - there[1]) / (2 * h), row @ qd, rtol=0, atol=1e-7 * (1 + np.abs(qd).max())
                )
                assert np.abs(np.array(constraint.residual(case.q.tolist()), dtype=float)).max() < 1e-12


def test_rows_do_not_ask_for_values() -> None:
    for seed, case in enumerate(cases()[:30]):
        qd = velocities(case, seed)
        plain, hidden = tree(case.robot, float), tree(case.robot, lambda x: Opaque(float(x)))  # type: ignore[arg-type]
        q, v = [Opaque(x) for x in case.q], [Opaque(x) for x in qd]
        for ours, theirs in zip(wheels(plain), wheels(hidden), strict=True):
            expected = [ours.rows(case.q.tolist()), ours.drift(case.q.tolist(), qd.tolist())]
            found = revealed([theirs.rows(q), theirs.drift(q, v)])
            assert np.array_equal(np.array(found[0], dtype=float), np.array(expected[0], dtype=float))
            assert np.array_equal(np.array(found[1], dtype=float), np.array(expected[1], dtype=float))


# ---- types ----

UP = {"b": 0.1, "alpha": "-pi/2"}


def cart(
    fixed: tuple[tuple[float, float], ...] = (), steered: tuple[tuple[float, float], ...] = (), castors: int = 0
) -> arm.Robot:
    """Wheels at (x, y) with their axles to the left, steered ones on forks with motors, castors anywhere."""
    parts = [arm.planar("platform", mass=1)]
    for k, (x, y) in enumerate(fixed):
        parts += [arm.revolute(f"f{k}", "platform", d=x, r=y, **UP), arm.wheel(f"fixed{k}", radius=0.1)]
    for k, (x, y) in enumerate(steered):
        parts += [
            arm.fixed(f"mount{k}", "platform", d=x),
            arm.revolute(f"fork{k}", gamma="pi/2", d=y, theta="-pi/2"),
            arm.revolute(f"s{k}", **UP),
            arm.wheel(f"steered{k}", radius=0.1),
        ]
    for k in range(castors):
        parts += [
            arm.revolute(f"swivel{k}", "platform", gamma=2.1 * k, d=0.5, actuated=False),
            arm.revolute(f"c{k}", d=-0.05, actuated=False, **UP),
            arm.wheel(f"castor{k}", radius=0.1),
        ]
    return arm.describe("cart", *parts)


TYPES = {
    "three castors": (cart(castors=3), (3, 0)),
    "two wheels on an axle": (cart(fixed=((0, 0.3), (0, -0.3)), castors=1), (2, 0)),
    "one wheel": (cart(fixed=((0, 0),)), (2, 0)),
    "one steered wheel": (cart(steered=((0.4, 0.1),), castors=2), (2, 1)),
    "a tricycle": (cart(fixed=((0, 0.3), (0, -0.3)), steered=((0.8, 0),)), (1, 1)),
    "a bicycle": (cart(fixed=((0, 0),), steered=((1, 0),)), (1, 1)),
    "two steered wheels": (cart(steered=((0.5, 0), (-0.5, 0.2)), castors=1), (1, 2)),
    "a steered wheel that stands on the fixed axle": (cart(fixed=((0, 0.3),), steered=((0, -0.3),)), (1, 0)),
    "four fixed wheels on two axles": (cart(fixed=((0, 0.3), (0, -0.3), (0.5, 0.3), (0.5, -0.3))), (1, 0)),
    "three steered wheels at will": (cart(steered=((0.5, 0), (-0.5, 0.2), (0, -0.4))), (0, 0)),
    "two fixed, two steered at will": (cart(fixed=((0, 0.3), (0, -0.3)), steered=((1, 0.3), (1, -0.3))), (0, 0)),
}
LIBRARY = {
    "unicycle": (2, 0), "differential_drive": (2, 0), "mobile_manipulator": (2, 0), "car": (1, 1),
    "castor3": (3, 0), "omni3": (3, 0), "mecanum4": (3, 0),
}  # fmt: skip


@pytest.mark.parametrize("name", [*TYPES, *LIBRARY])
def test_types_by_name(name: str) -> None:
    robot, expected = TYPES[name] if name in TYPES else (arm.load(name), LIBRARY[name])
    found = robot.mobility()
    assert found.type == expected
    assert found.maneuverability == sum(expected)
    assert f"type ({expected[0]}, {expected[1]})" in str(found) or "none of the five types" in str(found)


def test_mobility_is_what_the_slides_leave() -> None:
    """3 less the rank of the slides of fixed and steered wheels, from Pinocchio; δ_s is the rank of those steered (Campion)."""
    for case in cases()[:60]:
        robot = arm.Robot.of(case.robot)
        if not robot.wheels:
            continue
        kinds = [mounting(robot, wheel).kind for wheel in robot.wheels]
        J, _ = WheelRows(case.robot, case.q).at(np.zeros(robot.nv))
        rows: dict[str, list[np.ndarray]] = {"fixed": [], "steering": []}
        place = 0
        platform = [robot.v_names.index(f"platform_{mark}") for mark in ("vx", "vy", "w")]
        for kind in kinds:
            if kind in rows:
                rows[kind].append(J[place + 1, platform])
            place += 1 if kind == "Swedish" else 2
        C = np.array([*rows["fixed"], *rows["steering"]]).reshape(-1, 3)
        found = robot.mobility()
        assert found.mobility == 3 - np.linalg.matrix_rank(C, 1e-9)
        steered = np.linalg.matrix_rank(np.array(rows["steering"]).reshape(-1, 3), 1e-9)
        assert found.steerability == (1 if robot.ackermanns else steered)


def test_what_holds_the_platform_is_told() -> None:
    """Two uncoupled steered wheels before a fixed axle: every model of motion says so; steering gear mends it."""
    robot = TYPES["two fixed, two steered at will"][0]
    message = "axles of fixed0, fixed1, steered0 and steered1 do not meet in one point; tie their steering together"
    assert message in str(robot.mobility())
    for model in (
        "closed-inverse-dynamics",
        "closed-direct-dynamics",
        "configuration-kinematics",
        "posture-kinematics",
    ):
        with pytest.raises(ModelError, match=f"its platform cannot move, the mobility is 0: the {message}"):
            robot.derive(model)
    geared = robot.with_parts(arm.ackermann("gear", wheels=("fixed0", "steered0", "steered1")))
    assert geared.mobility().type == (1, 1)


def test_a_car_steered_by_a_linkage_of_rods() -> None:
    """A coupling of the forks one to one is no Ackermann gear: the axles meet straight ahead alone."""
    text = toml.write(arm.load("car"))
    loose = arm.Robot.of(toml.read(text[: text.index("[[ackermann]]")].replace("actuated = false\n", "")))
    assert loose.with_parts(arm.couple("right_fork", "left_fork")).mobility().mobility == 0


def test_centre_of_turning() -> None:
    """Of the car on the rear axle where the left front axle meets it; of two parallel axles, none; of a fixed one, for ever."""
    car = arm.load("car")
    found = car.mobility()
    left = 0.4
    x, y = 0.0, 0.75 + 2.5 / np.tan(left)
    right = np.arctan2(2.5, y + 0.75)
    q = np.zeros(car.nq)
    q[[car.q_names.index(n) for n in ("q4", "q6")]] = left, right
    assert found.center(q) == pytest.approx((x, y), rel=1e-9, abs=1e-9)
    assert found.center(np.zeros(car.nq)) is None
    assert "it goes straight" in str(TYPES["four fixed wheels on two axles"][0].mobility())
    crossed = arm.describe(
        "crossed",
        arm.planar("platform"),
        arm.revolute("a", "platform", d=0.3, **UP),
        arm.revolute("b", "platform", gamma="pi/2", d=0.2, **UP),
        arm.wheel("A", body="a", radius=0.1),
        arm.wheel("B", body="b", radius=0.1),
    )
    assert crossed.mobility().type == (1, 0)
    assert "at (0.3, 0.2) m for ever" in str(crossed.mobility())
    with pytest.raises(ModelError, match="can move in 3 ways at once"):
        arm.load("omni3").mobility().center(np.zeros(6))


def test_robots_without_wheels_are_told() -> None:
    with pytest.raises(ModelError, match="RX-90 has no wheels"):
        arm.load("rx90").mobility()
    with pytest.raises(
        ModelError, match="wheel-constraints is for robots on wheels; Five-bar has no wheels: say which bodies roll"
    ):
        arm.load("five_bar").wheel_constraints()
    with pytest.raises(
        ModelError, match="has the wheels omni1, omni2, omni3, which tie its joints together: take closed-inverse"
    ):
        arm.load("omni3").inverse_dynamics()
