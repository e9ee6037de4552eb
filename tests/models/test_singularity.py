"""Singular states by name, and the screws of what they lose and gain, which are at right angles to what the legs can do."""

import warnings
from dataclasses import replace

import numpy as np
import pytest

import armillary as arm
from armillary.errors import ModelError
from armillary.models.singularity import Screw, screw
from armillary.robot import Placement
from reference.closed_loops import frame_poses
from reference.parallel_robots import robot
from reference.with_numbers import with_numbers

ACROSS = {"gamma": "pi/2", "alpha": "pi/2"}


@pytest.fixture(autouse=True)
def _quiet() -> object:  # type: ignore[misc]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", arm.RobotWarning)
        yield


def five_bar() -> arm.Robot:
    """Four rods of 1 m, 1 m apart; the tip is a point on two slides."""
    return arm.describe(
        "five-bar",
        *(arm.prismatic(name, actuated=False, **ACROSS) for name in ("across", "tip")),  # type: ignore[arg-type]
        *(
            part
            for k, at in ((1, -0.5), (2, 0.5))
            for part in (
                arm.revolute(f"crank{k}", "base", d=at, mass=1),
                arm.revolute(f"coupler{k}", d=1, actuated=False, mass=1),
            )
        ),
        *(arm.cut(f"pin{k}", a=arm.side("tip", **ACROSS), b=arm.side(f"coupler{k}", d=1)) for k in (1, 2)),  # type: ignore[arg-type]
    )


def along(angle: float) -> np.ndarray:
    return np.array([np.cos(angle), np.sin(angle), 0])


def test_a_regular_state() -> None:
    q = five_bar().leg_geometry().evaluate(x=[0.2, 1.1])["q"][0]
    found = five_bar().singularity(q)
    assert found.types == () and not found.stuck and not found.lost and not found.gained and not found.released
    assert found.usual == (2, 6, 4) and [r.rank for r in found.here] == [2, 6, 4]
    assert str(found).startswith("five-bar, tip: no singularity\n")


def test_the_stretched_leg_of_a_five_bar() -> None:
    """Type 1: the leg resists a force along itself, with its motor slack."""
    tip = along(1.2) * 2 - [0.5, 0, 0]
    leg2 = five_bar().leg_geometry().evaluate(x=tip[:2])["q"][0][4:]
    found = five_bar().singularity([*tip[:2], 1.2, 0, *leg2])
    assert found.types == ("type 1",) and not found.gained and found.stuck == ("pin1",)
    [lost] = found.lost
    assert lost.kind == "wrench" and lost.pitch == 0
    assert np.allclose(lost.axis, along(1.2), atol=1e-12) and np.allclose(lost.point, tip, atol=1e-12)
    assert "lost      the legs resist a force along (0.3624, 0.932, 0) through (0.2247, 1.864, 0)" in str(found)


def test_a_five_bar_without_a_platform() -> None:
    """The library's, for its tip as a point: the same as on slides."""
    q = [np.pi / 2, -np.pi / 6, np.pi / 2, np.pi / 6]
    assert arm.load("five_bar").singularity(q, frame="tip", point=True).types == ()
    stretched = arm.load("five_bar")
    tip = 2 * along(1.0)
    half = np.arccos(np.linalg.norm(tip - [1, 0, 0]) / 2)
    heading = np.arctan2(tip[1], tip[0] - 1)
    found = stretched.singularity([1.0, 0, heading - half, 2 * half], frame="tip", point=True)
    assert found.types == ("type 1",) and np.allclose(found.lost[0].axis, along(1.0), atol=1e-12)


def test_aligned_couplers_of_a_five_bar() -> None:
    """Type 2: with both cranks held the tip moves square to the couplers."""
    th = np.pi / 3
    found = five_bar().singularity([0, np.sin(th), np.pi - th, th - np.pi, th, np.pi - th])
    assert found.types == ("type 2",) and not found.lost and found.idle == 0
    [gained] = found.gained
    assert np.isinf(gained.pitch) and np.allclose(gained.axis, [0, 1, 0], atol=1e-12)
    assert "gained    translation along (0, 1, 0)" in str(found)


def test_three_couplers_of_a_3rrr_that_meet() -> None:
    """Type 2: the plate turns about where they meet, the middle by symmetry."""
    corner, ground, crank, coupler = 0.4 / np.sqrt(3), 1.2 / np.sqrt(3), 0.4, 0.6
    rho = corner + coupler
    turn = np.arccos((ground**2 + rho**2 - crank**2) / (2 * ground * rho))
    q = [0.0, 0.0, turn]
    for angle in np.radians([210, 330, 90]):
        elbow, foot = rho * along(angle + turn), ground * along(angle)
        first = np.arctan2(*(elbow - foot)[1::-1])
        q += [first, angle + turn + np.pi - first]
    found = robot("rrr3").singularity(q)
    assert found.types == ("type 2",)
    [gained] = found.gained
    assert np.allclose(gained.axis, [0, 0, 1]) and gained.pitch == 0 and np.allclose(gained.point, 0, atol=1e-9)


def power(found: Screw, at: np.ndarray, origin: np.ndarray, force: np.ndarray) -> float:
    """Of a force at a point on a twist about the platform's origin."""
    return float(force @ (found.linear + np.cross(found.angular, at - origin)))


def leg_lines(made: arm.Robot, q: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """(end on the platform, direction) of each leg of a Gough-Stewart platform with numbers, by Pinocchio."""
    T = frame_poses(made, q)
    return [(T[f"rod{k}"][:3, 3], T[f"rod{k}"][:3, 2]) for k in range(1, 7)]


def test_a_gough_stewart_turned_by_a_right_angle() -> None:
    """Fichter's: a screw about the vertical, on which no leg does work."""
    made = arm.Robot.of(with_numbers(robot("gough_stewart"), {}))
    half = np.sqrt(0.5)
    q = made.leg_geometry().evaluate(x=[0, 0, 0, half, 0, 0, half])["q"][0]
    found = made.singularity(q)
    assert found.types == ("type 2",)
    [gained] = found.gained
    assert np.allclose(gained.axis, [0, 0, 1]) and abs(gained.pitch) > 0.1
    for end, direction in leg_lines(made, q):
        assert abs(power(gained, end, np.array([0, 0, 0.65]), direction)) < 1e-9


def test_hunts_singularity() -> None:
    """Legs in pairs to three corners of the platform; one pair lies in its plane, and all legs meet the edge opposite, about which it turns."""
    made = with_numbers(robot("gough_stewart"), {})
    corners = np.radians([60, 60, 180, 180, 300, 300])
    cuts = tuple(
        replace(c, a=replace(c.a, placement=Placement.of(gamma=float(corners[k]), d=0.35)))
        for k, c in enumerate(made.cuts)
    )
    octahedron = arm.Robot.of(replace(made, cuts=cuts))
    # the corner at 60 degrees is carried by legs from 15 and 105 degrees: the platform is in their plane
    B = [0.6 * along(x) for x in np.radians([15, 105])]
    middle, tilt = (B[0] + B[1]) / 2, 0.9
    out, up = along(np.radians(60)), np.array([0, 0, 1.0])
    inwards = -out * np.cos(tilt) + up * np.sin(tilt)
    x = -inwards  # from the platform's middle to that corner, down towards the pair's feet
    y = np.cross(np.cross(x, along(np.radians(150))), x)
    R60 = np.column_stack([x, y / np.linalg.norm(y), np.cross(x, y / np.linalg.norm(y))])
    back = np.array([[0.5, np.sqrt(0.75), 0], [-np.sqrt(0.75), 0.5, 0], [0, 0, 1]])
    R = R60 @ back
    corner = middle + 0.35 * inwards
    center = corner - 0.35 * x
    w = np.sqrt(1 + np.trace(R)) / 2
    e = [w, *((R[j, i] - R[i, j]) / (4 * w) for i, j in ((1, 2), (2, 0), (0, 1)))]
    q = octahedron.leg_geometry().evaluate(x=[*(center - [0, 0, 0.65]), *e])["q"][0]
    found = octahedron.singularity(q)
    assert found.types == ("type 2",)
    [gained] = found.gained
    edge = [center + R @ (0.35 * along(np.radians(x))) for x in (180, 300)]
    direction = (edge[1] - edge[0]) / np.linalg.norm(edge[1] - edge[0])
    assert abs(gained.pitch) < 1e-9 and abs(abs(gained.axis @ direction) - 1) < 1e-9
    assert np.linalg.norm(np.cross(gained.point - edge[0], direction)) < 1e-9
    for end, leg in leg_lines(octahedron, q):
        assert abs(power(gained, end, center, leg)) < 1e-9


def test_constraint_singularity_of_a_delta() -> None:
    """Longer arms bring all rods level: their couples lie in one plane, and the platform can turn; and it can fall."""
    shorter = with_numbers(robot("delta"), {})
    places = {"platform": Placement.of(r=-0.45)} | {f"rod{k} cross": Placement.of(d=0.5) for k in (1, 2, 3)}
    bodies = tuple(replace(b, placement=places.get(b.name, b.placement)) for b in shorter.bodies)
    made = arm.Robot.of(replace(shorter, bodies=bodies))
    bend = np.arccos((0.6 + 0.05 - 0.2) / 0.5)
    ways = made.leg_geometry().evaluate(x=[0, 0, 0.45 - 0.5 * np.sin(bend), 1, 0, 0, 0])["q"]
    level = [way for way in ways if np.allclose(np.sin(way[7] + way[8]), -1, atol=1e-6)]
    assert level
    found = made.singularity(level[0])
    assert found.types == ("type 2", "constraint") and found.released == 1
    assert {bool(np.isinf(x.pitch)) for x in found.gained} == {True, False} and len(found.gained) == 2
    assert all(np.allclose(x.axis, [0, 0, 1], atol=1e-9) for x in found.gained)
    assert "released  1 of the conditions that hold elsewhere" in str(found)


def test_a_stretched_leg_of_a_delta() -> None:
    """Type 1: of the wrenches that the legs alone resist one is new, a force along arm and rod; the others are couples, always there."""
    made, reach, home = robot("delta"), 0.85, np.sqrt(0.2)
    angle = 1.9
    x = 0.2 + reach * np.cos(angle) - 0.05
    with np.errstate(invalid="ignore"):
        ways = made.leg_geometry().evaluate(x=[x, 0, home - reach * np.sin(angle), 1, 0, 0, 0])["q"]
    legs = [way[10:] for way in ways if np.isfinite(way[10:]).all()]
    q = [x, 0, home - reach * np.sin(angle), 1, 0, 0, 0, angle, -np.pi / 2 - np.arctan2(0.4, home), 0, *legs[0]]
    residual = np.abs(made.loop_residual().evaluate(q=q)["residual"]).max()
    assert residual < 1e-12
    found = made.singularity(q)
    assert found.types == ("type 1",) and found.stuck == ("joint1",)
    [lost] = found.lost
    assert np.allclose(lost.axis, [-np.cos(angle), 0, np.sin(angle)], atol=1e-4) or np.allclose(
        lost.axis, [np.cos(angle), 0, -np.sin(angle)], atol=1e-4
    )


@pytest.mark.parametrize("pitch", [0.0, 0.3])
def test_screws(pitch: float) -> None:
    """Point and axis give the six numbers back."""
    rng = np.random.default_rng(2)
    for kind in ("twist", "wrench"):
        axis, point, origin = rng.normal(size=(3, 3))
        axis /= np.linalg.norm(axis)
        rest = np.cross(point - origin, axis) + pitch * axis
        six = np.concatenate([rest, axis] if kind == "twist" else [axis, rest])
        found = screw(kind, 2.5 * six, origin)
        assert found.pitch == pytest.approx(pitch, abs=1e-12)
        assert abs(abs(found.axis @ axis) - 1) < 1e-12
        assert np.linalg.norm(np.cross(found.point - point, axis)) < 1e-12


def test_what_is_wrong_is_told() -> None:
    made = five_bar()
    with pytest.raises(ModelError, match=r"at this q pin1 is open by .*; take one at which the loops close"):
        made.singularity([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    with pytest.raises(ModelError, match="has 6 coordinates, not 3"):
        made.singularity([0, 0, 0])
    with pytest.raises(ModelError, match="has no frame 'tp'"):
        made.singularity(made.leg_geometry().evaluate(x=[0.2, 1.1])["q"][0], frame="tp")
    with pytest.raises(ModelError, match="3-RRR has no parameter a7"):
        robot("rrr3").singularity(np.zeros(9), parameters={"a7": 1})
