"""Subsystems and free bodies as models: sizes of record, the library, one mechanism cut in several ways, what is printed."""

import warnings
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

import armillary as arm
from armillary.errors import ModelError
from armillary.models.closed_states import closed_configurations
from armillary.models.subsystem_table import Size, roman
from reference.closed_loops import ClosedCase
from reference.library_cases import LIBRARY, case_of, library_case
from reference.mechanisms import PASSIVE, five_bar, four_bar, sarrus, stewart, three_rrr, wiper
from reference.with_numbers import arrays, with_numbers

BOTH = ("subsystem-inverse-dynamics", "free-body-dynamics")


@pytest.fixture(autouse=True)
def _quiet() -> object:  # type: ignore[misc]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", arm.RobotWarning)
        yield


def square(*sizes: int) -> tuple[Size, ...]:
    return tuple(Size(n, n) for n in sizes)


# ---- sizes of record ----


@pytest.mark.parametrize(
    ("robot", "blocks", "free_bodies"),
    [
        (arm.load("four_bar"), (3,), 9),
        (four_bar("ground"), (3,), 9),
        (four_bar("pin"), (2, 1), 9),
        (arm.load("five_bar"), (4,), 12),
        (five_bar(), (3, 1), 12),
        (three_rrr(), (5, 1, 1), 21),
        (stewart(), (24,), 108),
    ],
    ids=["four-bar", "four-bar 3+0", "four-bar 1+2", "five-bar", "five-bar 3+1", "3-RRR", "Stewart"],
)
def test_sizes_of_the_lecture(robot: arm.Robot, blocks: tuple[int, ...], free_bodies: int) -> None:
    found = robot.subsystems()
    assert tuple(block.size for block in found.blocks) == square(*blocks)
    assert found.free_bodies == square(free_bodies)
    assert found.at_once == Size(sum(blocks), sum(blocks))
    assert found.with_multipliers.equations == robot.nv + (sum(blocks) - len(closed_torques(robot)))


def closed_torques(robot: arm.Robot) -> tuple[str, ...]:
    return robot.closed_inverse_dynamics().outputs[0].rows


def test_the_four_bar_has_five_unknowns_with_multipliers() -> None:
    assert arm.load("four_bar").subsystems().with_multipliers == Size(5, 5)


@pytest.mark.parametrize("a", ["leg", "platform"])
def test_the_platform_on_six_legs_needs_one_system_of_six(a: str) -> None:
    """What is square to the legs follows from each leg alone; the forces along them from the platform; then the motors' forces.

    Whichever side of the cut joints is a: forces are seen from the leg.
    """
    [block] = stewart(a).subsystems().blocks
    assert [size.equations for size in block.steps] == [1] * 12 + [6] + [1] * 6
    assert all(size.equations == size.unknowns for size in block.steps)


def test_what_is_cut_decides_what_comes_first() -> None:
    found = five_bar().subsystems()
    first, second = found.subsystems
    assert (first.bodies, first.torques, first.forces) == (
        ("crank1", "coupler1", "coupler2"),
        ("q1",),
        (("elbow", ("x", "y")),),
    )
    assert (second.bodies, second.torques, second.forces) == (("crank2",), ("q4",), ())
    assert [block.after for block in found.blocks] == [(), (1,)]
    assert [part.block for part in four_bar("pin").subsystems().subsystems] == [2, 1]


def test_an_arm_beside_a_loop_is_a_subsystem_of_its_own() -> None:
    robot = arm.load("five_bar").with_parts(
        arm.revolute("shoulder", "base", r=1, mass=1), arm.prismatic("hand", alpha="pi/2", mass=1)
    )
    loop, beside = robot.subsystems().blocks
    assert (loop.size, beside.size, beside.subsystems, beside.after) == (*square(4, 2), ("III",), ())


def test_loops_that_hold_more_than_they_need() -> None:
    found = sarrus().subsystems()
    assert found.at_once == Size(5, 6) and found.with_multipliers == Size(9, 9)
    assert any(step.unknowns > step.equations for block in found.blocks for step in block.steps)
    assert "least norm" in str(found)


# ---- torques and reactions ----


@pytest.mark.parametrize(
    ("g", "torques"), [(0.0, (7.09775557991, 4.79935873712)), (9.81, (-9.89366284234, 21.7907771594))]
)
@pytest.mark.parametrize("model", BOTH)
def test_the_five_bar_of_the_lecture(model: str, g: float, torques: tuple[float, float]) -> None:
    """To the last digit known, from the library's robot (4) and from the one that is cut at an elbow (3 + 1)."""
    qd, qdd = [1, -0.5], [0.3, 0.7]
    given = {"qd_a": qd, "qdd_a": qdd}
    tip = arm.load("five_bar").derive(model).evaluate(q=[np.pi / 2, -np.pi / 6, np.pi / 2, np.pi / 6], g=g, **given)
    robot = replace(five_bar(), base=replace(five_bar().base, gravity=(0, -g, 0)))
    elbow = robot.derive(model).evaluate(q=[np.pi / 2, -np.pi / 6, -2 * np.pi / 3, np.pi / 2], **given)
    for found in (tip, elbow):
        assert np.allclose(found["tau_a"], torques, rtol=6e-12, atol=0)


def test_the_four_bar_needs_the_same_torque_however_it_is_cut() -> None:
    """At the pin of the coupler, at the ground, and between crank and coupler, all the way round; what joints carry too."""
    library = with_numbers(arm.load("four_bar"), {})
    robots = {"library": arm.Robot.of(library), "ground": four_bar("ground"), "pin": four_bar("pin")}
    models = {(name, model): robot.derive(model) for name, robot in robots.items() for model in BOTH}
    for th in np.linspace(0, 6, 25):
        coupler, rocker = angles(float(th))
        states = {
            "library": [th, coupler - th, rocker],
            "ground": [th, coupler - th, rocker + np.pi - coupler],
            "pin": [th, rocker, coupler + np.pi - rocker],
        }
        found = {key: model.evaluate(q=states[key[0]], qd_a=[1.3], qdd_a=[-0.4]) for key, model in models.items()}
        expected = found["library", BOTH[0]]
        size = np.linalg.norm(expected["F"])
        for values in found.values():
            assert np.allclose(values["tau_a"], expected["tau_a"], rtol=0, atol=1e-11 * size)
        # on the crank at the ground: the one joint that no robot cuts
        cranks = [found[name, BOTH[1]]["F"][0] for name in robots]
        assert np.allclose(cranks, cranks[0], rtol=0, atol=1e-11 * size)


def angles(th: float) -> tuple[float, float]:
    """Of coupler and rocker to the ground, by the law of cosines on the diagonal."""
    a0, a1, a2, a3 = 0.19, 0.038, 0.2304, 0.1152
    pin = a1 * np.exp(1j * th)
    diagonal = a0 - pin
    d = abs(diagonal)
    coupler = np.angle(diagonal) + np.arccos((a2**2 + d * d - a3**2) / (2 * a2 * d))
    return float(coupler), float(np.angle(pin + a2 * np.exp(1j * coupler) - a0))


@cache
def models_of(robot: arm.Robot) -> dict[str, arm.Model]:
    reactions = ("cut-reactions",) if robot.cuts else ()
    return {name: robot.derive(name) for name in ("closed-inverse-dynamics", *reactions, *BOTH)}


def agree_on(robot: arm.Robot, given: dict[str, Any], values: dict[str, float]) -> np.ndarray:
    """Both ways with projection and with the multipliers; the torques."""
    found = {name: m.evaluate(**given, **arrays(values, m.parameters)) for name, m in models_of(robot).items()}
    projected, subsystems, bodies = (found[name] for name in ("closed-inverse-dynamics", *BOTH))
    size = max(1.0, float(np.linalg.norm(bodies["F"])))
    for way in (subsystems, bodies):
        assert np.allclose(way["tau_a"], projected["tau_a"], rtol=0, atol=1e-9 * size)
    if robot.cuts:
        assert np.allclose(subsystems["F"], found["cut-reactions"]["F"], rtol=0, atol=1e-9 * size)
    return subsystems["tau_a"]


def agree(robot: arm.Robot, case: ClosedCase, values: dict[str, float]) -> None:
    """The same at a state of record, and with the KKT system there."""
    given = {"q": case.q, "qd_a": case.qd_a, "qdd_a": case.qdd_a}
    torques = agree_on(robot, given, values)
    # the reference has no joint that floats, and no surfaces
    if not any(b.joint.kind == "free" for b in robot.bodies) and not robot.contacts:
        expected = case.truth.torques
        assert np.allclose(
            torques, expected, rtol=0, atol=1e-9 * max(1.0, float(np.linalg.norm(case.truth.multipliers)))
        )


@pytest.mark.parametrize("name", LIBRARY)
def test_library(name: str) -> None:
    robot = arm.load(name)
    for seed in range(3):
        agree(robot, *library_case(name, seed))


@pytest.mark.parametrize("robot", [three_rrr(), sarrus(), stewart(), stewart("platform")], ids=lambda r: r.name)
def test_mechanisms(robot: arm.Robot) -> None:
    for seed in range(3):
        agree(robot, case_of(robot, seed), {})


def geared() -> arm.Robot:
    """A five-bar with a slide on its first coupler that the second crank drives, and a screw beside it that the first one turns."""
    slide = arm.prismatic("slide", "coupler1", alpha="pi/2", mass=1, center=(0.1, 0, 0), FV=0.2, **PASSIVE)
    screw = arm.helical("screw", "base", alpha="pi/3", pitch=0.1, mass=2, center=(0.1, 0.2, 0), IA=0.1, **PASSIVE)
    joined = [arm.couple(*pair) for pair in (("slide", "crank2", 0.3, 0.1), ("screw", "crank1", -2, 0))]
    return five_bar().with_parts(slide, screw, *joined)


def test_couplings_are_forces_too() -> None:
    """They tie subsystems as cut joints do. Both ways agree, and screw and slide transmit along their motions what the gears give."""
    robot = geared()
    found = robot.subsystems()
    assert [block.subsystems for block in found.blocks] == [("III",), ("I",), ("II",)]
    assert tuple(block.size for block in found.blocks) == square(1, 4, 1)
    assert found.subsystems[2].forces == (("screw with crank1", ("",)),)
    q = [np.pi / 2, -np.pi / 6, -2 * np.pi / 3, np.pi / 2, 0.3 * np.pi / 2 + 0.1, -np.pi]
    given: dict[str, Any] = {"q": q, "qd_a": [1, -0.5], "qdd_a": [0.3, 0.7]}
    agree_on(robot, given, {})
    rates = robot.loop_jacobian().evaluate(q=q, qd_a=given["qd_a"])["qd"]
    wrenches = robot.free_body_dynamics().evaluate(**given)["F"]
    lifted = robot.opened().reaction_wrenches().evaluate(q=q, qd=rates, qdd=accelerations(robot, given))
    # nothing else than the gear holds the screw: what it needs alone is what comes through its joint
    assert np.allclose(wrenches[5], lifted["F"][5], rtol=0, atol=1e-12 * np.linalg.norm(wrenches))


def accelerations(robot: arm.Robot, given: dict[str, Any]) -> np.ndarray:
    """q'' of all joints, by direct dynamics from the torques of inverse dynamics."""
    tau = robot.closed_inverse_dynamics().evaluate(**given)["tau_a"]
    return robot.closed_direct_dynamics().evaluate(q=given["q"], qd_a=given["qd_a"], tau_a=tau)["qdd"]


def test_surfaces_press_on_bodies() -> None:
    """The pressures that subsystems find as multipliers, and free bodies as forces on a body and on the one with the surface."""
    robot = wiper()
    for seed in range(3):
        agree(robot, case_of(robot, seed), {})
    plate, links = robot.subsystems().subsystems
    assert (plate.torques, plate.forces, plate.block) == (("q1",), (), 2)
    assert links.forces == (("wall", ("",)), ("wire", ("1", "2")))


def test_the_motion_may_be_given_by_other_joints() -> None:
    """The same state in the velocities of the couplers: the motors' torques and all reactions are what they were."""
    q = [np.pi / 2, -np.pi / 6, -2 * np.pi / 3, np.pi / 2]
    first: dict[str, Any] = {"q": q, "qd_a": [1, -0.5], "qdd_a": [0.3, 0.7]}
    robot = five_bar()
    rates = robot.loop_jacobian().evaluate(q=q, qd_a=first["qd_a"])["qd"]
    other = {"q": q, "qd_a": rates[1:3], "qdd_a": accelerations(robot, first)[1:3]}
    for model in BOTH:
        expected = robot.derive(model).evaluate(**first)
        found = robot.derive(model, independent=("q2", "q3")).evaluate(**other)
        assert all(np.allclose(found[name], expected[name], rtol=0, atol=1e-11) for name in expected)


def test_forces_of_least_norm_do_not_depend_on_what_gives_the_motion() -> None:
    robot = sarrus()
    first: dict[str, Any] = {"q": case_of(robot, 1).q, "qd_a": [0.7], "qdd_a": [-0.4]}
    rates = robot.loop_jacobian().evaluate(q=first["q"], qd_a=first["qd_a"])["qd"]
    other = {"q": first["q"], "qd_a": rates[4:], "qdd_a": accelerations(robot, first)[4:]}
    expected = robot.subsystem_inverse_dynamics().evaluate(**first)
    found = robot.subsystem_inverse_dynamics(independent=("q5",)).evaluate(**other)
    same = robot.cut_reactions(independent=("q5",)).evaluate(**other)
    size = float(np.linalg.norm(expected["F"]))
    assert np.allclose(found["tau_a"], expected["tau_a"], rtol=0, atol=1e-9 * size)
    for F in (found["F"], same["F"]):
        assert np.allclose(F, expected["F"], rtol=0, atol=1e-9 * size)


def test_reactions_where_joints_hold_more_than_they_need() -> None:
    """The document says of which forces the norm is least; in a plane mechanism too, across the plane."""
    models = [sarrus().derive(model).outputs for model in BOTH] + [arm.load("four_bar").free_body_dynamics().outputs]
    assert all("least norm" in outputs[1].doc for outputs in models)
    assert "least norm" not in arm.load("four_bar").subsystem_inverse_dynamics().outputs[1].doc


# ---- what is printed, what is refused ----


def test_the_table() -> None:
    lines = str(five_bar().subsystems()).splitlines()
    assert lines == [
        "five-bar: subsystems with elbow cut",
        "  subsystem  bodies                      equations  unknowns           block      solved with",
        "  I          crank1, coupler1, coupler2          3  Γ q1, elbow (x y)  1 (3 × 3)  no other",
        "  II         crank2                              1  Γ q4               2 (1 × 1)  no other, after block 1",
        "  block 1: 3 × 3 in steps of 1 (3 times)",
        "  other ways: 4 × 4 at once; 6 × 6 with multipliers; with free bodies 12",
    ]


def test_roman_numbers() -> None:
    known = {1: "I", 4: "IV", 9: "IX", 14: "XIV", 40: "XL", 90: "XC", 444: "CDXLIV", 999: "CMXCIX", 2024: "MMXXIV"}
    assert {n: roman(n) for n in known} == known


def test_robots_without_loops_are_refused() -> None:
    with pytest.raises(ModelError, match="has nothing that ties its joints together"):
        arm.load("panda").subsystems()


def test_more_motors_than_mobility_are_refused() -> None:
    robot = five_bar()
    bodies = tuple(replace(b, actuated=b.name != "coupler2") for b in robot.bodies)
    strong = arm.Robot.of(replace(robot, bodies=bodies))
    for take in (strong.subsystems, strong.subsystem_inverse_dynamics, strong.free_body_dynamics):
        with pytest.raises(
            ModelError, match=r"has 3 motors, q1, q2, q4, for the mobility 2: .* make 1 of them passive"
        ):
            take()


@pytest.mark.parametrize("name", ["differential_drive", "omni3", "mobile_manipulator"])
def test_the_ground_acts_on_wheels_as_on_free_bodies(name: str) -> None:
    """Each body by itself, the wheels pushed by forces where they touch the ground: the torques of the projection."""
    robot = arm.load(name)
    inverse, bodies = robot.closed_inverse_dynamics(), robot.free_body_dynamics()
    rng = np.random.default_rng(5)
    for _ in range(5):
        given = {x.name: rng.normal(size=x.shape) for x in inverse.states}
        given |= {x.name: np.reshape(x.default, x.shape) for x in inverse.parameters}
        expected = inverse.evaluate(**given)["tau_a"]
        found = bodies.evaluate(**{x.name: given[x.name] for x in bodies.inputs})["tau_a"]
        assert np.allclose(found, expected, rtol=0, atol=1e-9 * max(1.0, float(np.abs(expected).max())))


@pytest.mark.parametrize("name", ["gough_stewart", "rrr3", "rp2", "delta", "prrrp", "orthoglide"])
def test_free_bodies_bear_out_parallel_robots(name: str) -> None:
    """Torques for a motion of the platform, with each leg solved for it, and by Newton and Euler for every body."""
    robot = arm.load(name)
    floating = tuple(b.name for b in robot.bodies if b.joint.kind in ("free", "planar"))
    platform = floating or tuple(b.name for b in robot.bodies[:2])
    short = robot.closed_inverse_dynamics(independent=platform)
    bodies = robot.free_body_dynamics(independent=platform)
    rng = np.random.default_rng(2)
    values = {name: p.default for name, p in robot.parameters.items() if p.default is not None}
    for state in closed_configurations(robot, values, home=True)[:2]:
        n = short.input("qd_a").size
        given = {"q": state.q, "qd_a": rng.normal(size=n), "qdd_a": rng.normal(size=n)} | values
        taken = ({x.name: given[x.name] for x in model.inputs if x.name in given} for model in (short, bodies))
        expected, found = (m.evaluate(**g)["tau_a"] for m, g in zip((short, bodies), taken, strict=True))
        assert np.allclose(found, expected, rtol=0, atol=1e-8 * np.abs(expected).max())
