"""How many base parameters there are: published figures, and the exact rank of the regressor of robots of every geometry."""

import random

import numpy as np
import pytest

from armillary.dynamics.regressor import regressor
from armillary.formats import load
from armillary.grouping import base_parameters
from armillary.kinematics.motion import base_motion
from armillary.robot import Base, Body, Description, Placement, tree
from armillary.robot.joints import JOINTS
from reference.random_trees import random_state, random_tree
from reference.special_trees import exact_regressor, rank, special_tree

COUNTED = {
    "rx90": 40,
    "puma560": 40,
    "ur5": 40,
    "lwr": 48,
    "panda": 48,
    "stanford": 37,
    "stanford4": 21,
    "torso": 31,
    "general6r": 43,
    "testloop_tree": 10,
    "sr400_tree": 55,
    "gantry6": 22,
    "scara": 11,
    "rpr": 14,
}
"""Independently computed, rotor inertias counted and friction not."""


@pytest.mark.filterwarnings("ignore::armillary.errors.RobotWarning")
@pytest.mark.parametrize("name", COUNTED)
def test_published_counts(name: str) -> None:
    base = base_parameters(load(name))
    assert base.rank == len(base.kept) == COUNTED[name]
    assert base.proof.rank == COUNTED[name]


@pytest.mark.filterwarnings("ignore::armillary.errors.RobotWarning")
@pytest.mark.parametrize(("name", "count"), [("puma560", 36), ("panda", 43)])
def test_published_counts_without_rotors(name: str, count: int) -> None:
    base = base_parameters(load(name), rotors=False)
    assert base.rank == count == base.proof.rank
    assert not any(parameter == "IA" for _, parameter in base.columns)


@pytest.mark.parametrize("seed", range(300))
def test_trees_of_special_geometry(seed: int) -> None:
    """As many as the exact rank of the whole regressor, evaluated by another road; and the proof holds."""
    rng = random.Random(seed)
    rotors = rng.random() < 0.6
    robot = special_tree(rng, rng.choice((1, 2, 2, 3, 3, 4, 5)))
    base = base_parameters(robot, rotors=rotors)
    assert base.proof.rank == base.rank
    assert rank(exact_regressor(robot, 14, seed, rotors)) == base.rank


@pytest.mark.parametrize("seed", range(1000, 1100))
def test_trees_on_a_base_that_moves(seed: int) -> None:
    rng = random.Random(seed)
    robot = special_tree(rng, rng.choice((1, 2, 2, 3, 3, 4)), moving=True)
    base = base_parameters(robot)
    assert base.proof.rank == base.rank == rank(exact_regressor(robot, 16, seed, True))


@pytest.mark.parametrize("seed", range(40))
def test_trees_of_numbers(seed: int) -> None:
    """The rank of the regressor over floats, by its singular values."""
    rng = np.random.default_rng(seed)
    robot = random_tree(rng, int(rng.integers(1, 6)))
    d = tree(robot, float)
    rows: list[list[float]] = []
    for _ in range(25):
        columns = regressor(d, *random_state(rng, robot), base_motion(d))
        rows += zip(*(c.torques for c in columns if c.parameter not in ("FV", "FS")), strict=True)
    found = np.linalg.matrix_rank(np.array(rows, dtype=float), tol=1e-8) if rows else 0
    assert base_parameters(robot).rank == found


def test_thirty_joints() -> None:
    robot = random_tree(np.random.default_rng(7), 30)
    base = base_parameters(robot)
    assert base.proof.rank == base.rank > 100


def slides(angle: object) -> Description:
    """Two slides at an angle, no gravity."""
    first = Body("cart", joint=JOINTS["prismatic"], joint_name="x", coordinates=("x",), velocities=("x",))
    second = Body(
        "arm",
        "cart",
        JOINTS["prismatic"],
        Placement.of(alpha=angle),
        joint_name="y",
        coordinates=("y",),
        velocities=("y",),
    )
    return Description("slides", (first, second), base=Base(gravity=(0, 0, 0)))


def test_an_angle_is_what_it_says() -> None:
    """At a right angle the second mass and rotor act together; 1.5708, 1e-6 rad off, tells them apart, and so does 90.0001°."""
    assert base_parameters(slides("pi/2")).kept == ("M1", "M2")
    assert base_parameters(slides(1.5708)).kept == ("M1", "M2", "IA2")
    assert base_parameters(slides("pi/3")).kept == ("M1", "M2", "IA2")
    assert base_parameters(slides("900001*pi/1800000")).kept == ("M1", "M2", "IA2")


@pytest.mark.parametrize(("back", "kept"), [(-3.1416, ("ZZ4",)), (-3.1415, ("ZZ4", "MX4", "MY4"))])
def test_doubles_add_up_as_doubles(back: float, kept: tuple[str, ...]) -> None:
    """A hinge tilted twice by 1.5708 and back by 3.1416 is along gravity again."""
    tilts = [
        Body(f"b{k}", f"b{k - 1}" if k else "base", JOINTS["fixed"], Placement.of(alpha=x))
        for k, x in enumerate((1.5708, 1.5708, back))
    ]
    hinge = Body("link", "b2", joint_name="h", coordinates=("h",), velocities=("h",))
    assert base_parameters(Description("tilted", (*tilts, hinge))).kept == kept


def test_gravity_decides() -> None:
    """One hinge: along gravity only its inertia counts, across it the mass moments too."""
    hinge = Body("link", joint_name="h", coordinates=("h",), velocities=("h",))
    robot = Description("hinge", (hinge,))
    kept = {
        g: base_parameters(Description("hinge", (hinge,), base=Base(gravity=g))).kept
        for g in ((0, 0, -9.81), (9.81, 0, 0), (0, 0, 0))
    }
    assert kept[0, 0, -9.81] == kept[0, 0, 0] == ("ZZ1",) == base_parameters(robot).kept
    assert kept[9.81, 0, 0] == ("ZZ1", "MX1", "MY1")


def test_nothing_moves() -> None:
    assert base_parameters(Description("nothing", ())).rank == 0
    fixed = Description("fixed", (Body("plate", joint=JOINTS["fixed"]),))
    base = base_parameters(fixed)
    assert base.kept == () and base.proof.rank == 0
    assert len(base.without_effect) == 11
