"""Wheels as they are said by hand and in a file: what kind each is, what does not roll, and how to mend it."""

import pytest

import armillary as arm
from armillary.errors import RobotError
from armillary.formats import toml
from armillary.robot.mounting import mounting
from armillary.robot.part import Part
from armillary.robot.symbolic import symbolic

KINDS = {
    "unicycle": ["fixed"],
    "differential_drive": ["fixed", "fixed", "castor"],
    "car": ["fixed", "fixed", "steering", "steering"],
    "castor3": ["castor"] * 3,
    "omni3": ["Swedish"] * 3,
    "mecanum4": ["Swedish"] * 4,
    "mobile_manipulator": ["fixed", "fixed", "castor"],
}
LEFT = {"b": 0.1, "alpha": "-pi/2"}
"""A wheel's body: its axle to the left, its centre 0.1 m up."""


def cart(*parts: Part, **platform: object) -> arm.Robot:
    return arm.describe("cart", arm.planar("platform", mass=5, **platform), *parts)  # type: ignore[arg-type]


def castor(**said: object) -> list[Part]:
    """A fork and its wheel, 0.05 m behind."""
    fork = {"actuated": False, "d": 0.2} | {k: x for k, x in said.items() if k in ("actuated", "alpha", "beta")}
    disc = {**LEFT, "d": -0.05} | {k: x for k, x in said.items() if k in ("d", "b", "r", "gamma")}
    return [
        arm.revolute("fork", "platform", **fork),  # type: ignore[arg-type]
        arm.revolute("disc", actuated=False, **disc),  # type: ignore[arg-type]
        arm.wheel("rear wheel", radius=0.1),
    ]


@pytest.mark.parametrize("name", KINDS)
def test_kinds_of_the_library(name: str) -> None:
    robot = arm.load(name)
    assert [mounting(robot, wheel).kind for wheel in robot.wheels] == KINDS[name]
    assert {mounting(robot, wheel).platform for wheel in robot.wheels} == {"platform"}


@pytest.mark.parametrize("name", KINDS)
def test_written_and_read_again(name: str) -> None:
    robot = arm.load(name)
    again = toml.read(toml.write(robot))
    assert again.wheels == robot.wheels and again.ackermanns == robot.ackermanns
    assert robot.opened().wheels == () == robot.opened().ackermanns


def test_a_wheel_beside_its_forks_axis_is_no_castor() -> None:
    """A scrub radius moves the contact along the axle: the wheel still cannot swing sideways."""
    beside = cart(*castor(d=0, r=0.07, actuated=True))
    behind = cart(*castor(r=0.07))
    kinds = [mounting(r, r.wheels[0]).kind for r in (beside, behind)]
    assert kinds == ["steering", "castor"]


def test_a_trailer() -> None:
    """Wheels on a body that is hitched to the platform are castors of a kind, also where its own steering stands between."""
    parts = [
        arm.revolute("trailer", "platform", d=-0.5, actuated=False),
        arm.revolute("drawbar", d=-1, actuated=False),
        arm.revolute("disc", "drawbar", d=-0.2, actuated=False, **LEFT),
        arm.wheel("wheel", radius=0.1),
    ]
    robot = cart(*parts)
    assert mounting(robot, robot.wheels[0]).forks == ("trailer", "drawbar")
    assert mounting(robot, robot.wheels[0]).kind == "castor"


def test_the_wheel_is_the_part_before_unless_it_says() -> None:
    robot = cart(arm.revolute("disc", **LEFT), arm.revolute("other", "platform", **LEFT), arm.wheel("w", radius=0.1))
    assert robot.wheels[0].body == "other"


def test_formulas_that_are_one() -> None:
    """r and 2*r/2 are one height; r and h are not, whatever their defaults."""
    disc = {"alpha": "-pi/2", "b": "2*r/2"}
    robot = cart(arm.revolute("disc", **disc), arm.wheel("w", radius="r"))
    assert set(robot.symbols) == {"r"}
    with pytest.raises(RobotError, match="the same formula"):
        arm.describe(
            "cart",
            arm.planar("platform"),
            arm.revolute("disc", alpha="-pi/2", b="h"),
            arm.wheel("w", radius="r"),
            parameters={"h": 0.1, "r": 0.1},
        )


DISC = arm.revolute("disc", "platform", **LEFT)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        (
            [arm.revolute("disc", "platform", b=0.12, alpha="-pi/2"), arm.wheel("left", radius=0.1)],
            r"the wheel left has no ground contact: its centre, the origin of disc, stands 0.12 m above the ground, .* and its "
            r"radius is 0.1 m; place disc at the height 0.1",
        ),
        ([DISC, arm.wheel("left", radius=-0.1)], "left has no ground contact: its radius is -0.1 m; give it a radius above 0"),
        (
            [arm.revolute("disc", "platform", b=0.1, alpha=-1.5), arm.wheel("left", radius=0.1)],
            r"left has no ground contact: its axle, the z axis of disc, leans by 4\.06° .* \(alpha = -pi/2",
        ),
        (castor(d=0), "the wheel rear wheel is a castor without offset: nothing drives fork, .* place the axle behind the axis"),
        (castor(alpha=0.1), r"the wheel rear wheel hangs on fork, whose axis is not vertical: it leans by 5\.73°"),
        ([arm.wheel("left", radius=0.1)], "the wheel left: a planar joint carries platform; the body of a wheel turns"),
        ([DISC, arm.fixed("tyre"), arm.wheel("left", radius=0.1)], "the wheel left: a fixed joint carries tyre"),
        (
            [arm.prismatic("strut", "platform"), arm.revolute("disc", **LEFT), arm.wheel("left", radius=0.1)],
            "the wheel left hangs on strut, which a prismatic joint carries",
        ),
        (
            [arm.revolute("disc", "base", **LEFT), arm.wheel("left", radius=0.1)],
            "the wheel left has no platform: no body between it and the base glides on the ground",
        ),
        ([arm.free("boat", "base"), arm.revolute("disc", **LEFT), arm.wheel("left", radius=0.1)], "hangs on boat, which floats"),
        (
            [arm.revolute("turntable", "base"), arm.planar("p2"), arm.revolute("disc", **LEFT), arm.wheel("w", radius=0.1)],
            "the wheel w has no platform: its platform p2 does not stand on the base",
        ),
        (
            [DISC, arm.wheel("a", radius=0.1), arm.planar("p2", "base"), arm.revolute("d2", **LEFT), arm.wheel("b", radius=0.1)],
            "wheels stand under several platforms .a under platform, b under p2.; a robot has one",
        ),
        ([DISC, arm.wheel("a", radius=0.1), arm.wheel("b", radius=0.1)], "the wheels a and b are both disc"),
        ([DISC, arm.wheel("a", radius=0.1, roller="pi/2")], "the rollers of the wheel a turn about its axle"),
        ([DISC, arm.wheel("a", radius=0.1, roler=0)], "unknown key 'roler'; did you mean 'roller'"),
        ([DISC, arm.wheel("a")], "the wheel a has no radius"),
        ([DISC, arm.wheel("a", body="disk", radius=0.1)], "a hangs on 'disk', which is no body.*did you mean 'disc'"),
        ([DISC, arm.wheel("a", radius=0.1), arm.ackermann("g", wheels=("a", "b", "c"))], "holds 'b', which is no wheel; there are a"),
        ([DISC, arm.wheel("a", radius=0.1), arm.ackermann("g", wheels=("a", "a", "a"))], "makes the axles of three wheels meet"),
    ],
)  # fmt: skip
def test_what_does_not_roll_is_told(parts: list[Part], message: str) -> None:
    with pytest.raises(RobotError, match=message):
        cart(*parts)


def test_steering_gear_holds_axles_that_can_meet() -> None:
    wheels = [arm.revolute(f"disc{k}", "platform", **LEFT) for k in range(3)]
    rolling = [arm.wheel(f"w{k}", body=f"disc{k}", radius=0.1) for k in range(3)]
    with pytest.raises(RobotError, match="w0, w1, w2, none of which is steered"):
        cart(*wheels, *rolling, arm.ackermann("g", wheels=("w0", "w1", "w2")))
    with pytest.raises(RobotError, match="holds rear wheel, a castor wheel"):
        cart(*wheels, *castor(), *rolling, arm.ackermann("g", wheels=("w0", "w1", "rear wheel")))


def test_a_passive_fork_that_gear_turns_is_no_castor() -> None:
    """The right fork of the car has no motor and its wheel no offset."""
    car = arm.load("car")
    assert not car.body("right_fork").actuated
    text = toml.write(car)
    with pytest.raises(RobotError, match="front right is a castor without offset: nothing drives right_fork"):
        toml.read(text[: text.index("[[ackermann]]")])


def test_a_file_says_the_line() -> None:
    lines = toml.write(arm.load("differential_drive")).replace(
        'body = "left"\nradius = "r"', 'body = "left"\nradius = 0.2'
    )
    line = lines.split("\n").index('body = "left"') + 1
    with pytest.raises(RobotError, match=f"line {line}: the wheel left wheel has no ground contact"):
        toml.read(lines)


def test_a_wheel_cannot_be_held() -> None:
    robot = arm.load("differential_drive")
    with pytest.raises(RobotError, match="left is the body of the wheel left wheel, which would slip"):
        robot.lock({"left": 0})
    held = robot.lock({"fork": 0.3})
    assert mounting(held, held.wheels[2]).kind == "fixed"


def test_the_par_format_cannot_say_it() -> None:
    from armillary.errors import FormatError
    from armillary.formats.par.writer import write

    with pytest.raises(FormatError, match="no place for wheels"):
        write(arm.load("omni3"))


def test_numbers_from_turns_that_only_add_up() -> None:
    """An axis that is vertical, and an axle that is horizontal, by the sum of angles that are no right ones."""
    fork = arm.revolute("fork", "tilted", alpha=-0.3, actuated=False)
    robot = cart(
        arm.fixed("tilted", "platform", alpha=0.3),
        fork,
        arm.revolute("disc", alpha="-pi/2", b=0.1, d=-0.05),
        arm.wheel("w", radius=0.1),
    )
    assert mounting(robot, robot.wheels[0]).kind == "castor"


def test_lengths_as_symbols_leave_wheels_on_the_ground() -> None:
    """A height and a radius that were one number stay that number."""
    robot = cart(*castor(), arm.revolute("mast", "platform", d=0.3))
    named = symbolic(robot)
    assert mounting(named, named.wheels[0]).kind == "castor"
    assert str(named.body("mast").placement.d) == "D4" and named.body("disc").placement.b == 0.1


def test_formulas_without_a_value_are_no_height() -> None:
    with pytest.raises(RobotError, match="stands nan m above the ground"):
        cart(arm.revolute("disc", alpha="-pi/2", b="sqrt(-1 - r**2)"), arm.wheel("w", radius="r"))
