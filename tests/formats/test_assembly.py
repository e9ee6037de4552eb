"""Robots from links and joints of any frames: where bodies stand, what they are called, how inertias are merged."""

import math

import numpy as np
import pytest

from armillary.expr.numbers import PI, PiMultiple
from armillary.formats.assembly import MASSLESS, assemble, inertia_about_origin
from armillary.formats.frames import Joint, groups
from armillary.geometry.pose import pose as pose_of
from armillary.robot import Description, Placement, tree, value
from armillary.robot.place import pose
from armillary.spatial.inertia import Inertia
from reference.pinocchio import Floats, elementary

Z = np.array([0.0, 0.0, 1.0])


def at(*steps: tuple[str, float]) -> Floats:
    """A pose by steps."""
    T = np.eye(4)
    for kind, x in steps:
        T = T @ elementary(kind, x)
    return T


def joint(name: str, parent: str, child: str, T: Floats, axis: Floats = Z, kind: str = "revolute") -> Joint:
    return Joint(name, kind, parent, child, T, axis)


def robot(*joints: Joint, **inertias: Inertia) -> Description:
    links = ["root", *(j.child for j in joints)]
    return assemble("r", "root", {name: inertias.get(name, MASSLESS) for name in links}, joints)


def test_a_six_axis_arm_gets_the_table_of_the_textbook() -> None:
    """Link frames that only shift, axes along y as URDFs have them: RX-90's table but for signs and where q is 0."""
    y = np.array([0.0, 1.0, 0.0])
    d = robot(
        joint("1", "root", "l1", at(("Tz", 0.42))),
        joint("2", "l1", "l2", at(("Tx", 0.0)), y),
        joint("3", "l2", "l3", at(("Tz", 0.45)), y),
        joint("4", "l3", "l4", at(("Tz", 0.2)), Z),
        joint("5", "l4", "l5", at(("Tz", 0.25)), y),
        joint("6", "l5", "l6", at(("Tz", 0.1)), Z),
    )
    lengths = [tuple(abs(x) for x in (b.placement.b, b.placement.d, b.placement.r)) for b in d.bodies]  # type: ignore[arg-type]
    assert lengths == [(0, 0, 0.42), (0, 0, 0), (0, 0.45, 0), (0, 0, 0.45), (0, 0, 0), (0, 0, 0)]
    twists = [abs(float(b.placement.alpha)) for b in d.bodies]  # type: ignore[arg-type]
    assert twists == [0, math.pi / 2, 0, math.pi / 2, math.pi / 2, math.pi / 2]
    for b in d.bodies:
        assert (b.placement.gamma, b.placement.beta) == (0, 0) or b is d.bodies[0]
        assert b.placement.theta == 0 or isinstance(b.placement.theta, PiMultiple)


def test_planar_arm() -> None:
    d = robot(
        joint("1", "root", "l1", np.eye(4)),
        joint("2", "l1", "l2", at(("Tx", 0.5))),
        joint("3", "l2", "l3", at(("Tx", 0.4))),
    )
    assert [b.placement for b in d.bodies] == [Placement(), Placement(d=value("0.5")), Placement(d=value("0.4"))]


def test_the_axis_of_a_slide_goes_through_the_origin_before_it() -> None:
    """A direction has no place: d = b = 0, and the link stays where the file has it."""
    d = robot(
        joint("1", "root", "l1", np.eye(4)),
        joint("2", "l1", "l2", at(("Tx", 0.3), ("Ty", 0.2), ("Rx", 0.5)), Z, "prismatic"),
    )
    assert (d.bodies[1].placement.d, d.bodies[1].placement.b) == (0, 0)
    frame = d.frame("l2").placement
    ours = pose(d.bodies[0].placement) @ pose(d.bodies[1].placement) @ pose(frame)
    assert np.abs(ours - at(("Tx", 0.3), ("Ty", 0.2), ("Rx", 0.5))).max() < 1e-15


@pytest.mark.parametrize("seed", range(50))
def test_links_stand_at_zero_as_the_file_says(seed: int) -> None:
    rng = np.random.default_rng(seed)
    joints: list[Joint] = []
    where = {"root": np.eye(4)}
    for k in range(8):
        parent = list(where)[rng.integers(len(where))]
        T = at(("Rz", rng.normal()), ("Tx", rng.normal()), ("Rx", rng.normal()), ("Ty", rng.normal()))
        axis = rng.normal(size=3)
        kind = ("revolute", "prismatic", "fixed")[rng.integers(3)]
        joints.append(joint(f"j{k}", parent, f"l{k}", T, axis / np.linalg.norm(axis), kind))
        where[f"l{k}"] = where[parent] @ T
    d = robot(*joints)
    robot_tree = tree(d, float)
    for link, T in where.items():
        ours = np.array(pose_of(robot_tree, [0.0] * d.nq, link, "root").matrix(), dtype=float)
        assert np.abs(ours - T).max() < 1e-13
    assert d.joint_names == tuple(j.name for j in joints if j.kind != "fixed")


def test_bodies_are_called_as_their_joints_unless_a_link_is() -> None:
    d = robot(
        joint("l2", "root", "l1", np.eye(4)),
        joint("base", "l1", "l2", np.eye(4)),
        joint("l2_body", "l2", "l3", np.eye(4)),
        joint("l1", "l3", "l4", np.eye(4)),
    )
    assert [b.name for b in d.bodies] == ["l2_body2", "base_body", "l2_body", "l1_body"]
    assert [b.joint_name for b in d.bodies] == ["l2", "base", "l2_body", "l1"]
    assert len(set(d.frame_names)) == len(d.frame_names)


def test_links_behind_fixed_joints_are_one_body() -> None:
    """Two balls of 1 kg, 1 m either side of the axis."""
    ball = inertia_about_origin(1.0, np.zeros(3), 0.1 * np.eye(3))
    d = robot(
        joint("j", "root", "a", np.eye(4)),
        joint("f", "a", "b", at(("Tx", 1.0)), kind="fixed"),
        joint("g", "b", "c", at(("Tx", -2.0), ("Rz", 0.7)), kind="fixed"),
        b=ball,
        c=ball,
    )
    [body] = d.bodies
    assert body.placement == Placement()
    I = body.inertia
    assert (I.M, I.MX, I.MY, I.MZ) == (2, 0, 0, 0)
    assert (I.XX, I.YY, I.ZZ, I.XY, I.XZ, I.YZ) == (0.2, 2.2, 2.2, 0, 0, 0)


def test_what_rounding_leaves_is_zero() -> None:
    """A plate turned by right angles and back has no products of inertia and tidy numbers."""
    plate = inertia_about_origin(1.0, np.array([0.1, 0.0, 0.0]), np.diag([0.01, 0.02, 0.03]))
    d = robot(joint("j", "root", "a", at(("Rx", math.pi / 2)), np.array([0.0, 1.0, 0.0])), a=plate)
    I = d.bodies[0].inertia
    assert [x for x in (I.XY, I.XZ, I.YZ) if x == 0] == [0, 0, 0]
    assert sorted(map(float, (I.XX, I.YY, I.ZZ))) == [0.01, 0.03, 0.04]  # type: ignore[arg-type]


def test_links_that_stand_still_are_frames_of_the_base() -> None:
    heavy = inertia_about_origin(100.0, np.zeros(3), np.eye(3))
    d = robot(
        joint("f", "root", "base", at(("Tz", 1.0), ("Rx", math.pi / 2)), kind="fixed"),
        joint("g", "base", "table", at(("Tx", 2.0)), kind="fixed"),
        joint("j", "table", "arm", np.eye(4)),
        root=heavy,
        table=heavy,
    )
    assert [(f.name, f.body) for f in d.frames] == [("root", "base"), ("table", "base"), ("arm", "j")]
    assert (
        d.base.placement == Placement(alpha=value("pi/2"), b=1)
        or np.abs(pose(d.base.placement) - at(("Tz", 1.0), ("Rx", math.pi / 2))).max() < 1e-15
    )
    assert d.base.gravity == (0, -9.81, 0)


def test_groups_count_the_joints_outwards() -> None:
    """The longer branch decides where a body's frame stands."""
    joints = [
        joint("a", "root", "l1", np.eye(4)),
        joint("short", "l1", "s", at(("Rx", 0.3), ("Tz", 1.0))),
        joint("long", "l1", "l2", at(("Tx", 0.5))),
        joint("longer", "l2", "l3", at(("Tx", 0.5))),
    ]
    assert {name: g.joints for name, g in groups("root", joints).items()} == {
        "root": 5,
        "l1": 4,
        "s": 1,
        "l2": 2,
        "l3": 1,
    }
    d = robot(*joints)
    assert d.body("long").placement == Placement(d=value("0.5"))
    assert d.body("short").placement.alpha == 0.3


def test_axes_that_point_apart_are_half_a_turn() -> None:
    d = robot(joint("1", "root", "a", np.eye(4)), joint("2", "a", "b", at(("Tx", 1.0)), -Z))
    assert d.bodies[1].placement.alpha == PI
