"""Universal and cylindrical joints: two of one coordinate each, and a link without mass that makes no model singular."""

import numpy as np
import pytest

import armillary as arm
from armillary.errors import ArmillaryError, RobotError
from armillary.formats import toml
from armillary.geometry.pose import pose
from armillary.robot import CUTS, tree

ROD = {"mass": 2, "center": (0.1, 0.2, 0.3), "inertia": (0.3, 0.01, 0.02, 0.4, 0.03, 0.5)}


def arm_of(kind: str, **link: object) -> arm.Robot:
    """A hinge, a link on that joint, and a hinge beyond."""
    make = {"universal": arm.universal, "cylindrical": arm.cylindrical}[kind]
    return arm.describe(
        "arm",
        arm.revolute("a", d=0.3, **ROD),  # type: ignore[arg-type]
        make("b", alpha="pi/3", d=0.2, r="L", **{**ROD, **link}),  # type: ignore[arg-type]
        arm.revolute("c", alpha=0.4, d=0.5, **ROD),  # type: ignore[arg-type]
        parameters={"L": 0.7},
    )


@pytest.mark.parametrize("kind", ["universal", "cylindrical"])
def test_one_part_is_two_bodies(kind: str) -> None:
    between = {"universal": "b cross", "cylindrical": "b sleeve"}[kind]
    robot = arm_of(kind, FV=(0.1, 0.2), IA=0.3, actuated=(False, True), wrench=(1, 2, 3, 4, 5, 6))
    assert robot.joint_names == ("a", between, "b", "c") and robot.q_names == ("q1", "q2", "q3", "q4")
    first, second = robot.body(between), robot.body("b")
    assert [(x.FV, x.IA, x.actuated) for x in (first, second)] == [(0.1, 0.3, False), (0.2, 0.3, True)]
    assert not any(first.inertia) and second.inertia.M == 2 and second.wrench == (1, 2, 3, 4, 5, 6)
    assert robot.body("c").parent == "b"


@pytest.mark.parametrize("kind", ["universal", "cylindrical"])
def test_the_axes_are_those_of_the_cut_joint(kind: str) -> None:
    """A cut joint of that kind between the same links has nothing to hold, wherever they are."""
    robot = arm_of(kind)
    at_b = {"universal": {"gamma": "pi/2", "alpha": "pi/2"}, "cylindrical": {}}[kind]
    turned = {"alpha": "-pi/2", "theta": "-pi/2"} if at_b else {}
    side = {"body": "a", "alpha": "pi/3", "d": 0.2, "r": "L"}
    closed = robot.with_parts(arm.cut("same", type=kind, a=side, b=arm.side("b", **turned)))  # type: ignore[arg-type]
    residual = closed.loop_residual()
    assert residual.output("residual").shape == (len(CUTS[kind].rows),)
    rng = np.random.default_rng(3)
    for _ in range(20):
        assert np.abs(residual.evaluate(q=rng.uniform(-3, 3, 4))["residual"]).max() < 1e-14


def test_the_frame_of_a_universal_joint() -> None:
    """x along y, y along z, the first axis, while q is 0."""
    T = pose(tree(arm.describe("u", arm.universal("u", mass=1)), float), [0.0, 0.0], "u", "base")
    R = np.array([list(row) for row in T.rotation.matrix()])
    assert np.allclose(R @ [1, 0, 0], [0, 1, 0]) and np.allclose(R @ [0, 1, 0], [0, 0, 1])


GIVEN = (
    {},
    {"FV": 0.1, "FS": (0, "mu"), "IA": (0.1, 0), "actuated": False},
    {"friction": "symbolic", "joint": ("x", "y"), "coordinates": ("s", "t"), "stiffness": (3, 0), "reference": (0.1, 0)},
    {"actuated": (True, False), "velocities": ("v", "w"), "lower": (-1, -2), "upper": (1, float("inf")), "wrench": (0, 0, 1, 0, 0, 0)},
    {"inertials": "symbolic", "FV": (0, "FV3"), "FS": (0, "FS3")},
)  # fmt: skip


@pytest.mark.parametrize("kind", ["universal", "cylindrical"])
@pytest.mark.parametrize("given", GIVEN)
def test_written_and_read_again(kind: str, given: dict[str, object]) -> None:
    make = {"universal": arm.universal, "cylindrical": arm.cylindrical}[kind]
    link = {**({} if "inertials" in given else ROD), **given}
    robot = arm.describe("r", arm.revolute("a", mass=1), make("b", "a", d="L", alpha="pi/2", **link), arm.revolute("c"))  # type: ignore[arg-type]
    text = toml.write(robot)
    assert f'type = "{kind}"' in text and text.count("[[body]]") == 3
    assert toml.read(text).bodies == robot.bodies


def test_bodies_that_only_look_alike_are_written_as_two() -> None:
    robot = arm.describe(
        "r",
        arm.revolute("b cross", M=0.1),
        arm.revolute("b", gamma="pi/2", alpha="pi/2", M=1),
    )
    text = toml.write(robot)
    assert "universal" not in text and toml.read(text).bodies == robot.bodies


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"FV": (1, 2, 3)}, "b has FV = .*; a universal joint is made of two with one coordinate each, and FV is two"),
        ({"coordinates": "q7"}, "b has coordinates = q7; .* coordinates is two values$"),
        ({"lower": 1}, "lower is two values"),
        ({"pitch": 1}, "b has the unknown key 'pitch'; a universal part may have"),
        ({"masss": 1}, "unknown key 'masss'.*mass"),
        ({"actuated": (1, 0)}, "b cross has actuated = '1'"),
    ],
)
def test_what_is_wrong_is_told(given: dict[str, object], message: str) -> None:
    with pytest.raises(RobotError, match=message):
        arm_of("universal", **given)


def test_a_file_says_the_line() -> None:
    text = 'name = "x"\n[[body]]\nname = "b"\ntype = "universal"\nFV = [1, "sin("]\n'
    with pytest.raises(ArmillaryError, match=r"line 5: b has FV = 'sin\('"):
        toml.read(text)
    with pytest.raises(ArmillaryError, match=r"line 4: .* universal, cylindrical"):
        toml.read(text.replace('"universal"', '"hinge"'))


@pytest.mark.parametrize("kind", ["universal", "cylindrical"])
def test_no_link_without_mass_makes_a_model_singular(kind: str) -> None:
    """Direct dynamics both ways undo the inverse; the link without mass has no base parameters of its own."""
    robot = arm_of(kind)
    inverse = robot.inverse_dynamics()
    rng = np.random.default_rng(5)
    for method in ("articulated", "matrix"):
        direct = robot.direct_dynamics(method=method)
        for _ in range(20):
            q, qd, qdd = rng.uniform(-2, 2, (3, 4))
            tau = inverse.evaluate(q=q, qd=qd, qdd=qdd)["tau"]
            assert np.allclose(direct.evaluate(q=q, qd=qd, tau=tau)["qdd"], qdd, rtol=1e-9, atol=1e-9)
    grouped = robot.inverse_dynamics(base_parameters=True)
    for _ in range(20):
        q, qd, qdd = rng.uniform(-2, 2, (3, 4))
        state = {"q": q, "qd": qd, "qdd": qdd}
        assert np.allclose(grouped.evaluate(**state)["tau"], inverse.evaluate(**state)["tau"], rtol=1e-11, atol=1e-11)
