"""The native file: written and read again it is the same robot; what is wrong in it is one error with file and line."""

import random
import time
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from armillary import library
from armillary.errors import ArmillaryError, FormatError, RobotError, RobotWarning
from armillary.formats import toml
from armillary.robot import Base, Description, Formula, Frame, Inertial, Limits, Parameter, Placement
from armillary.robot.check import check
from armillary.robot.make import couple, cut, describe, fixed, frame, helical, prismatic, revolute, side, spherical
from reference.random_trees import random_tree

pytestmark = pytest.mark.filterwarnings("ignore::armillary.errors.RobotWarning")

ARM = """
name = "Elbow arm"
gravity = [0, -9.81, 0]

[parameters]
L1 = 0.3
L2 = { default = 0.25, unit = "m", doc = "from the elbow to the tool" }
h = {}

[base]
r = "h"

[[body]]
name = "upper arm"
inertials = "symbolic"      # XX1 … M1 and IA1

[[body]]
name = "forearm"
d = "L1"
mass = 0.4
center = [0.125, 0, 0]
inertia = [0, 0, 0, 0.0021, 0, 0.0021]
lower = "-pi/2"
upper = 2

[[frame]]
name = "tool"
d = "L2"
"""


def everything() -> Description:
    """A robot that uses all that a description can say."""
    return describe(
        'A "robot" \\ with\ttab, ü and 𝔐',
        revolute(
            "a b", alpha="pi/2", gamma=1 / 3, b="2*L1 + 0.1", r="1/3", theta="-3*pi/2", beta=1e-7, lower=-1, effort=3
        ),
        prismatic("slide", XX=1e-300, MX="-m*L1", M="m", IA=0.5, FV=1e16, FS="sin(mu)**2", wrench=(0, "F", 0, 0, 0, 1)),
        fixed("welded", "a b", M=3, joint="weld", inertials="symbolic"),
        helical("screw", pitch="pitch", coordinates="th1", velocities="rate", actuated=False),
        spherical("ball", "base", lower=(-1, float("-inf"), 0), joint="socket", friction="symbolic"),
        prismatic("gear", "base", actuated=True),
        cut("pin", type="spherical", a=side("slide", d="L1"), b=side("base", r=2)),
        cut("hinge", a=side("slide"), b=side("gear", r=2), FV="fv", stiffness=3, reference="th0"),
        couple("slide", "a b", ratio="1/3", offset="x0"),
        couple("gear", "slide", name="train"),
        frame("tool", "ball", d="L2", alpha="pi"),
        frame("eye", "base", gamma=0.1),
        base={"alpha": "pi", "r": "h", "beta": 0.01},
        gravity=("gx", 0, -1.62),
        velocity=(0, 0, "v", 0, 0, 1),
        acceleration=(1, 2, 3, 4, 5, "w"),
        parameters={"L1": 0.3, "h": None, "m": Parameter("m", 2.0, "kg", 'a "mass"\nof two lines')},
        source="somewhere",
        doc='Two lines,\nthe second with \\ and """ and é.\n',
    )


def test_the_file_one_would_write_by_hand():
    robot = toml.read(ARM)
    assert (robot.name, robot.q_names) == ("Elbow arm", ("q1", "q2"))
    assert robot.base == Base(Placement(r=Formula("h")), gravity=(0, -9.81, 0))
    upper, fore = robot.bodies
    assert (upper.parent, fore.parent, robot.frames) == (
        "base", "upper arm", (Frame("tool", "forearm", Placement(d=Formula("L2"))),)
    )  # fmt: skip
    assert (str(upper.inertia.XX), str(upper.IA), fore.placement.d) == ("XX1", "IA1", Formula("L1"))
    assert fore.inertia == Inertial(YY=0.0021 + 0.4 * 0.125**2, ZZ=0.0021 + 0.4 * 0.125**2, MX=0.05, M=0.4)
    assert fore.limits == (Limits(-np.pi / 2, 2.0),)
    assert robot.parameters["L2"] == Parameter("L2", 0.25, "m", "from the elbow to the tool")
    assert robot.parameters["h"].default is None


def test_everything_a_description_can_say_is_written_and_read():
    robot = everything()
    assert toml.read(toml.write(robot)) == robot


def test_writing_gives_the_same_bytes_again():
    text = toml.write(everything())
    assert toml.write(toml.read(text)) == text
    assert all(len(line) < 400 for line in text.splitlines())


@pytest.mark.parametrize("name", library.names())
def test_the_library_is_written_and_read(name):
    robot = toml.read(library.path(name))
    assert toml.read(toml.write(robot)) == robot


def test_random_trees_are_written_and_read():
    rng = np.random.default_rng(8)
    for k in range(200):
        robot = random_tree(rng, int(rng.integers(1, 21)))
        if k % 2:
            order = rng.permutation(len(robot.bodies))
            robot = replace(robot, bodies=tuple(robot.bodies[i] for i in order))
        assert toml.read(toml.write(robot)) == check(robot)


def test_texts_of_every_character_are_written_and_read():
    rng = random.Random(9)
    for _ in range(200):
        doc = "".join(
            chr(rng.choice((rng.randrange(0xD800), rng.randrange(0xE000, 0x110000), *b'\n\n\\"\t\r\0')))
            for _ in range(30)
        )
        robot = describe("r", revolute("a"), doc=doc, parameters={"L": Parameter("L", None, doc, doc)})
        assert toml.read(toml.write(robot)) == robot


def test_robots_of_nothing_are_written_and_read():
    for robot in (
        describe("nothing"),
        describe("frames only", frame("camera", d=1)),
        describe("screw", helical("a", pitch=0)),
    ):
        assert toml.read(toml.write(robot)) == robot


def test_inertials_and_friction_of_all_bodies_at_once():
    robot = toml.read(
        'name = "r"\ninertials = "symbolic"\nfriction = "symbolic"\n[[body]]\nname = "a"\n[[body]]\nname = "b"\nM = 2\nFV = 1\n'
    )
    a, b = robot.bodies
    assert (str(a.inertia.MZ), str(a.FS), b.inertia, b.FV, b.FS) == ("MZ1", "FS1", Inertial(M=2), 1, 0)


def test_windows_lines_and_byte_order_marks_are_read(tmp_path: Path):
    file = tmp_path / "arm.toml"
    file.write_bytes(b"\xef\xbb\xbf" + ARM.replace("\n", "\r\n").encode())
    assert toml.read(file) == toml.read(ARM)


# ---- errors ----


def at(line: str, new: str) -> str:
    assert line in ARM
    return ARM.replace(line, new)


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (at('d = "L1"', 'dd = "L1"'), 19, "body 'forearm' has the unknown key 'dd'; did you mean 'd'"),
        (at('d = "L1"', 'd = "L1 +"'), 19, r"forearm has d = 'L1 \+': formula"),
        (at('d = "L1"', "d = nan"), 19, "forearm has d = 'nan'"),
        (at('d = "L1"', "d = true"), 19, "forearm has d = 'True'"),
        (at('d = "L1"', "d = 1979-05-27"), 19, "forearm has d = "),
        (at('d = "L1"', "d = [1, 2]"), 19, r"forearm has d = '\[1, 2\]'"),
        (at('d = "L1"', "d = {a = 1}"), 19, "forearm has d = "),
        (at('d = "L1"', f"d = 1{'0' * 400}"), 19, "larger than any double"),
        (at('d = "L1"', 'd = "q1"'), 19, "'q1' is the name of a coordinate"),
        (at("mass = 0.4", "mass = -0.4"), 17, "forearm has the mass -0.4 kg"),
        (at("[0.125, 0, 0]", "[0.125, 0]"), 21, "it must be 3 values"),
        (at("[0.125, 0, 0]", "0.125"), 21, "center = '0.125': it must be a list"),
        (at('inertials = "symbolic"', "inertials = 3"), 15, 'it can only be "symbolic"'),
        (at('name = "forearm"', 'name = "upper arm"'), 18, "two bodies or frames are called 'upper arm'"),
        (at('name = "forearm"', "name = 3"), 18, "name = 3: it must be a text"),
        (at('name = "forearm"', ""), 17, r"\[\[body\]\] number 2 has no name"),
        (at('d = "L1"', 'type = "revolut"'), 19, "there are revolute, .*did you mean 'revolute'"),
        (at('d = "L1"', 'parent = "uper arm"'), 19, "forearm hangs on 'uper arm', .*did you mean 'upper arm'"),
        (at('d = "L1"', 'parent = "forearm"'), 19, "round in a circle"),
        (at('d = "L2"', 'on = "elbow"'), 28, "tool hangs on 'elbow'"),
        (at('d = "L2"', "mass = 3"), 28, "frame 'tool' has the unknown key 'mass'"),
        (at("L1 = 0.3", 'L1 = "long"'), 6, "L1 = 'long': a default is a number"),
        (at("L1 = 0.3", "L1 = inf"), 6, "default inf; it must be finite"),
        (at("L1 = 0.3", "q2 = 0.3"), 6, "'q2' has the name of a coordinate"),
        (at("L1 = 0.3", "L1 = { defualt = 0.3 }"), 5, "'defualt'; did you mean 'default'"),
        (at("[0, -9.81, 0]", "[0, -9.81]"), 3, "gravity = .*it must be 3 values"),
        (at("[0, -9.81, 0]", "-9.81"), 3, "gravity = '-9.81': it must be a list"),
        (at('r = "h"', "z = 1"), 11, "has the unknown key 'z'"),
        (at("[base]", "[bass]"), 10, "a robot's file has the unknown key 'bass'; did you mean 'base'"),
        (at('name = "Elbow arm"', ""), 1, "the robot has no name"),
        (at('name = "Elbow arm"', 'name = "Elbow arm"\nbody = 3').replace("[[body]]", "[[frame]]"), 3, "body = 3: it must be tables"),
        (at("upper = 2", 'upper = "L1"'), 24, "upper = 'L1'; a bound is a number"),
        (at("upper = 2", "upper = -2"), 23, "lower = -1.57.* above upper = -2.0"),
        (at("upper = 2", "joint = 2"), 24, "joint = 2: it must be a text"),
        (at("upper = 2", "coordinates = [[1]]"), 24, "they must be texts"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_line(text, line, said, tmp_path: Path):
    file = tmp_path / "arm.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(RobotError, match=said) as raised:
        toml.read(file)
    assert str(raised.value).startswith(f"{file}, line {line}: ")
    assert len(str(raised.value)) < 600


def test_a_warning_says_file_and_line(tmp_path: Path):
    file = tmp_path / "arm.toml"
    file.write_text(ARM.replace("0.0021, 0, 0.0021", "0.0021, 0, 0.0051"), encoding="utf-8")
    with pytest.warns(RobotWarning, match="line 17: forearm: .*0.0051"):
        toml.read(file)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "no \\[\\[body\\]\\]"),
        (b"name = 'x'", "no \\[\\[body\\]\\]"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00", "is not TOML"),
        (bytes(range(256)) * 40, "is not TOML"),
        (b"name = 'x'\nd = = 3", "is not TOML.*line 2"),
        (b"\0" * 1000, "is not TOML"),
        (random.Random(0).randbytes(10_000_000), "10000000 bytes; at most"),
        (b"x" * 1_900_000, "is not TOML"),
        (b"[" * 500_000, "nested|is not TOML"),
        (b"a = " + b"[" * 500_000, "nested"),
        (b"a = " + b"[\n" * 500_000, "nested"),
        (b"a = " + b"{a=" * 300_000, "nested"),
        (b"a." * 900_000 + b"a = 1", "more than 300 dots"),
        (b"a = 1\n" * 300_000, "is not TOML"),
        (b"a = " + b"9" * 1_000_000, "is not TOML"),
        (b"d = '" + b"9" * 1_000_000 + b"'", "unknown key 'd'"),
        (b"name = 'x'\n[[body]]\nname='a'\nd = '" + b"(" * 1_000_000 + b"'", "formula of 1,000,000 characters"),
        (b"name = '" + b"x" * 1_000_000 + b"'\nbody = " + b"[" + b"{}," * 200_000 + b"]", "number 1 has no name"),
        (b"name = 'x'\n" + b"[[body]]\n" * 100_000, "number 1 has no name"),
    ],
)  # fmt: skip
def test_garbage_is_one_error_and_quick(data, said, tmp_path: Path):
    file = tmp_path / "arm.toml"
    file.write_bytes(data)
    start = time.process_time()
    with pytest.raises(RobotError, match=said) as raised:
        toml.read(file)
    assert time.process_time() - start < 5
    assert str(raised.value).startswith(str(file))
    assert len(str(raised.value)) < 600


def test_a_missing_file_is_named(tmp_path: Path):
    for path in (tmp_path / "none.toml", tmp_path, "a\0b.toml"):
        with pytest.raises(FormatError, match="cannot be read"):
            toml.read(path)


def test_damaged_files_are_errors_or_robots():
    """Characters struck out, doubled and swapped: whatever comes of it is a robot or one of our errors."""
    rng = random.Random(10)
    texts = [ARM, toml.write(everything())]
    outcomes = {True: 0, False: 0}
    for k in range(600):
        given = list(texts[k % 2])
        for _ in range(rng.randint(1, 3)):
            i = rng.randrange(len(given))
            given[i] = rng.choice(("", given[i] * 2, rng.choice("[]{}=\"'.,#\n-0a"), given[rng.randrange(len(given))]))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                toml.read("".join(given) + "\n")
                outcomes[True] += 1
            except ArmillaryError as error:
                assert str(error)
                outcomes[False] += 1
    assert min(outcomes.values()) > 50


COUPLED = """
name = "gripper"
[[body]]
name = "left"
type = "prismatic"
[[body]]
name = "right"
parent = "base"
type = "prismatic"
{motor}
[[coupling]]
joint = "right"
leader = "left"
{more}
"""


def test_a_joint_that_follows_another_has_no_motor_unless_it_is_said_to():
    robot = toml.read(COUPLED.format(motor="", more="ratio = -1\noffset = 0.02"))
    [c] = robot.couplings
    assert (c.name, c.joint, c.leader, c.ratio, c.offset) == ("right with left", "right", "left", -1, 0.02)
    assert [b.actuated for b in robot.bodies] == [True, False]
    driven = toml.read(COUPLED.format(motor="actuated = true", more='name = "rack"'))
    assert [b.actuated for b in driven.bodies] == [True, True] and driven.couplings[0].name == "rack"
    for given in (robot, driven):
        assert toml.read(toml.write(given)) == given


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("ratios = 2", "line 14: coupling 'right with left' has the unknown key 'ratios'; did you mean 'ratio'"),
        ("ratio = 0", "line 14: right with left couples right to left with the ratio 0"),
        ('offset = "2*"', "line 14: right with left has offset = '2\\*'"),
        ('[[coupling]]\njoint = "left"\nleader = "right"', "couplings lead round in a circle"),
        ('[[coupling]]\njoint = "left"\nleader = "middle"', "line 16: .* couples 'middle', which is no joint"),
        ('[[coupling]]\njoint = "left"', "line 14: the coupling left with None does not say its leader"),
        ("[[coupling]]\njoint = 3", "line 15: the coupling 3 with None does not say its joint"),
    ],
)
def test_what_is_wrong_with_a_coupling(more: str, message: str):
    with pytest.raises(RobotError, match=message):
        toml.read(COUPLED.format(motor="", more=more))
