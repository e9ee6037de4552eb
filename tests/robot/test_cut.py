"""Joints that close loops, as they are said by hand and in a file, and what is wrong with them."""

import pytest

import armillary as arm
from armillary.errors import ArmillaryError, RobotError
from armillary.formats import toml
from armillary.robot import CUTS


def five_bar(**closing: object) -> arm.Robot:
    given = {"a": arm.side("l2", d="L"), "b": arm.side("l4", d=1, gamma="pi/2")} | closing
    return arm.describe(
        "five-bar",
        arm.revolute("l1", mass=6, center=(0.5, 0, 0)),
        arm.revolute("l2", d="L", actuated=False),
        arm.revolute("l3", "base", d=1),
        arm.revolute("l4", d=1, actuated=False),
        arm.fixed("tool", d=0.2),
        arm.cut("P", **given),  # type: ignore[arg-type]
    )


@pytest.mark.filterwarnings("ignore::armillary.RobotWarning")
@pytest.mark.parametrize("kind", CUTS)
def test_every_kind_is_written_and_read_again(kind: str) -> None:
    losses = {"IA": 0.1, "FV": "mu", "FS": 0.3, "stiffness": 5, "reference": 0.1} if CUTS[kind].free else {}
    robot = five_bar(type=kind, **losses)
    again = toml.read(toml.write(robot))
    assert again.cuts == robot.cuts and again.cuts[0].kind is CUTS[kind]
    assert set(again.symbols) == {"L", *(["mu"] if losses else [])}


@pytest.mark.filterwarnings("ignore::armillary.RobotWarning")
def test_opened_it_is_the_tree() -> None:
    robot = five_bar()
    assert robot.opened().cuts == () and robot.opened().bodies == robot.bodies and isinstance(robot.opened(), arm.Robot)


@pytest.mark.parametrize(
    ("closing", "message"),
    [
        ({"b": arm.side("l2", d=1)}, "the cut joint P stands between l2 and itself"),
        ({"a": arm.side("tool"), "b": arm.side("l4")}, "P stands between tool and l4, which is fixed to it"),
        ({"b": arm.side("l9")}, "P hangs on 'l9', which is no body"),
        ({"b": {"d": 1}}, "P does not say what its side b stands on"),
        ({"type": "hinge"}, "a cut joint of the kind 'hinge'; there are revolute, prismatic"),
        ({"a": {"body": "l2", "dd": 1}}, "unknown key 'dd'"),
        ({"type": "planar", "FV": 2}, "P has FV = 2; only a revolute or a prismatic cut joint"),
        ({"a": arm.side("l2", d="sin(")}, "P has d = 'sin\\('"),
    ],
)
def test_what_is_wrong_is_told(closing: dict[str, object], message: str) -> None:
    with pytest.raises(RobotError, match=message):
        five_bar(**closing)


def test_a_file_says_the_line() -> None:
    text = 'name = "x"\n[[body]]\nname = "a"\n\n[[cut]]\nname = "P"\na = { body = "a" }\nb = { body = "a", d = 1 }\n'
    with pytest.raises(ArmillaryError, match="line 8: the cut joint P stands between a and itself"):
        toml.read(text)


def test_no_two_joints_have_one_name() -> None:
    with pytest.raises(RobotError, match="two joints are called 'l1'"):
        arm.describe("x", arm.revolute("l1"), arm.revolute("l2"), arm.cut("l1", a=arm.side("base"), b=arm.side("l2")))
