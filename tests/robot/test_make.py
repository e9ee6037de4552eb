"""Robots by hand."""

import math

import numpy as np
import pytest

from armillary.errors import ExpressionError, RobotError
from armillary.expr.numbers import PI, PiMultiple
from armillary.robot import HERE, Formula, Inertial, Limits, Parameter, symbols
from armillary.robot.make import describe, fixed, frame, helical, prismatic, revolute, spherical


def test_each_part_hangs_on_the_one_before_it():
    robot = describe(
        "r", revolute("a"), revolute("b"), prismatic("c", "a"), fixed("d"), frame("tool"), frame("eye", "a")
    )
    assert [b.parent for b in robot.bodies] == ["base", "a", "a", "c"]
    assert [f.body for f in robot.frames] == ["d", "a"]
    assert describe("r", frame("camera")).frames[0].body == "base"


def test_coordinates_are_numbered_by_the_joints_that_move():
    robot = describe("r", revolute("a"), fixed("b"), spherical("c"), helical("d", pitch=0.1))
    assert robot.q_names == ("q1", "q2w", "q2x", "q2y", "q2z", "q3")
    assert robot.v_names == ("q1", "q2x", "q2y", "q2z", "q3")
    assert robot.joint_names == ("a", "c", "d")


def test_names_of_coordinates_are_free():
    robot = describe("r", revolute("a", coordinates="th1", joint="hinge"), spherical("b", velocities=("p", "q", "r")))
    assert (robot.q_names[0], robot.v_names[0]) == ("th1", "th1")
    assert robot.v_names[1:] == ("p", "q", "r")
    assert robot.joint_names == ("hinge", "b")


def test_values_are_numbers_texts_or_formulas():
    (L,) = symbols("L")
    body = describe("r", revolute("a", alpha="pi/2", d="2*L + 0.1", r=L, theta="-pi", b=0.5)).bodies[0]
    assert body.placement.alpha == PI.__class__(PI.ratio / 2)
    assert body.placement.d == Formula("2*L + 0.1")
    assert body.placement.r == L
    assert body.placement.theta == PiMultiple(-PI.ratio)
    assert describe("r", revolute("a")).bodies[0].placement == HERE


def test_inertia_about_the_centre_of_mass_is_moved_to_the_origin():
    rng = np.random.default_rng(1)
    for _ in range(50):
        m, c = rng.uniform(0.1, 5), rng.normal(size=3)
        points = rng.normal(size=(5, 3))
        J = sum(np.dot(p, p) * np.eye(3) - np.outer(p, p) for p in points)
        said = [float(J[i, k]) for i, k in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))]
        body = describe("r", revolute("a", mass=m, center=list(map(float, c)), inertia=said)).bodies[0]
        about_origin = J + m * (c @ c * np.eye(3) - np.outer(c, c))
        expected = [*(about_origin[np.triu_indices(3)]), *(m * c), m]
        assert np.allclose([float(x) for x in body.inertia], expected, rtol=1e-14, atol=1e-14)


def test_inertia_about_the_centre_of_mass_in_symbols():
    body = describe("r", revolute("a", mass="m", center=("c", 0, 0), inertia=(0, 0, 0, "I", 0, "I"))).bodies[0]
    assert [str(x) for x in body.inertia][6:] == ["c*m", "0", "0", "m"]
    assert body.inertia.YY == body.inertia.ZZ == Formula("I + c*m*c")


def test_symbolic_inertials_are_numbered_by_the_bodies():
    robot = describe(
        "r", revolute("a", inertials="symbolic", friction="symbolic"), fixed("b", inertials="symbolic"), revolute("c")
    )
    first, second, third = robot.bodies
    assert [str(x) for x in first.inertia] == "XX1 XY1 XZ1 YY1 YZ1 ZZ1 MX1 MY1 MZ1 M1".split()
    assert [str(x) for x in (first.IA, first.FV, first.FS)] == ["IA1", "FV1", "FS1"]
    assert [str(x) for x in (second.inertia.M, second.IA)] == ["M2", "0"]
    assert third.inertia == Inertial()


def test_some_of_the_symbolic_inertials_may_be_given():
    body = describe("r", revolute("a", inertials="symbolic", M=2, XY=0)).bodies[0]
    assert [str(x) for x in body.inertia] == "XX1 0 XZ1 YY1 YZ1 ZZ1 MX1 MY1 MZ1 2".split()


def test_bounds():
    one, three = describe(
        "r",
        revolute("a", lower="-pi/2", upper=1, velocity=float("inf")),
        spherical("b", effort=(1, 2, float("inf"))),
    ).bodies
    assert one.limits == (Limits(lower=-np.pi / 2, upper=1.0),)
    assert three.limits == (Limits(effort=1.0), Limits(effort=2.0), Limits())
    assert describe("r", revolute("a", effort=float("inf"))).bodies[0].limits == ()


def test_base_and_parameters():
    robot = describe(
        "r",
        revolute("a", d="L"),
        base={"r": "h", "alpha": "pi"},
        gravity=(0, "-g", 0),
        velocity=(1, 0, 0, 0, 0, 0),
        parameters={"L": 0.3, "g": None, "h": Parameter("h", 1.0, "m", "height")},
        source="nowhere",
        doc="nothing",
    )
    assert robot.base.gravity == (0, Formula("-g"), 0)
    assert (robot.base.placement.r, robot.base.placement.alpha) == (Formula("h"), PI)
    assert robot.base.velocity[0] == 1
    assert robot.parameters == {
        "L": Parameter("L", 0.3),
        "g": Parameter("g"),
        "h": Parameter("h", 1.0, "m", "height"),
    }


@pytest.mark.parametrize(
    ("part", "said"),
    [
        (revolute("a", alfa=1), "'alfa'; did you mean 'alpha'"),  # type: ignore[call-arg]
        (frame("a", XX=1), "unknown key 'XX'"),  # type: ignore[call-arg]
        (revolute("a", alpha="2*"), r"alpha = '2\*': formula '2\*', column 3"),
        (revolute("a", alpha=float("nan")), "alpha = 'nan'"),
        (revolute("a", M=float("inf")), "M = 'inf'"),
        (revolute("a", M=True), "M = 'True'"),
        (revolute("a", M=1, mass=2), "XX … M about the origin"),
        (revolute("a", center=(0, 0, 1)), "center but no mass"),
        (revolute("a", mass=1, center=(0, 1)), r"center = \(0, 1\): it must be 3 values"),
        (revolute("a", mass=1, center=3), "center = '3': it must be a list"),  # type: ignore[arg-type]
        (revolute("a", mass=1, inertials="symbolic"), "symbolic inertials and a mass of its own"),
        (revolute("a", inertials="numbers"), "inertials = 'numbers'; it can only be \"symbolic\""),
        (revolute("a", wrench=(1, 2)), "it must be 6 values"),
        (helical("a"), "no pitch"),
        (revolute("a", pitch=1), "only a helical joint"),
        (revolute("a", upper="L"), "upper = 'L'; a bound is a number"),
        (spherical("a", upper=1), "upper = '1': it must be a list"),
        (revolute("a", actuated=1), "actuated = '1': it must be true or false"),  # type: ignore[arg-type]
        (revolute("a", coordinates=[1]), "they must be texts"),  # type: ignore[list-item]
    ],
)
def test_what_cannot_be_said(part, said):
    with pytest.raises(RobotError, match=f"^bench: .*{said}"):
        describe("bench", part)


@pytest.mark.parametrize("angle", ["gamma", "alpha", "theta"])
def test_right_angles_given_as_decimals_are_exact(angle: str) -> None:
    """math.pi/2 means a right angle; 1.5708 is what was written."""
    given = describe("arm", revolute("link", **{angle: math.pi / 2}), frame("end", **{angle: -math.pi}))
    exact = describe("arm", revolute("link", **{angle: "pi/2"}), frame("end", **{angle: "-pi"}))
    assert given == exact
    assert describe("arm", revolute("link", **{angle: 1.5708})).bodies[0].placement != exact.bodies[0].placement


def test_what_is_no_part_and_what_is_no_name() -> None:
    with pytest.raises(RobotError, match=r"^bench: 'a' is no part; parts are made by revolute, prismatic"):
        describe("bench", "a")  # type: ignore[arg-type]
    with pytest.raises(RobotError, match="a hangs on 5, which is no body; there are base, a"):
        describe("bench", revolute("a", 5))  # type: ignore[arg-type]
    with pytest.raises(RobotError, match="base has the unknown key '1'"):
        describe("bench", base=[1, 2])  # type: ignore[arg-type]
    for name in ("L1+L2", "5", "pi"):
        with pytest.raises(ExpressionError, match="is no name; a symbol has letters"):
            symbols(name)


def test_defaults_of_parameters() -> None:
    robot = describe("bench", revolute("a", d="L"), parameters={"L": "1/4"})
    assert robot.parameters["L"] == Parameter("L", 0.25)
    for given, said in (
        ("x", "has the default 'x'; it must be a number"),
        ([1], "has the default '\\[1\\]'"),
        (float("inf"), "inf"),
    ):
        with pytest.raises(RobotError, match=f"^bench: the parameter L .*{said}"):
            describe("bench", revolute("a", d="L"), parameters={"L": given})  # type: ignore[dict-item]
    with pytest.raises(RobotError, match="a parameter cannot be called '3'"):
        describe("bench", parameters={3: 1})  # type: ignore[dict-item]
