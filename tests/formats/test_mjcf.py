"""MJCF: what each element means, by what it must come to; what is refused, by name; files that mean harm."""

import contextlib
import math
import re
from pathlib import Path

import numpy as np
import pytest

from armillary.dynamics.inertia_matrix import inertia_matrix
from armillary.errors import ArmillaryError, FormatError
from armillary.formats import mjcf
from armillary.geometry.pose import pose
from armillary.robot import Description, Limits, Placement, tree
from armillary.robot.coupling import Coupling
from armillary.robot.place import pose as place_pose
from reference.random_mjcf import Floats, random_mjcf

BALL = '<inertial pos="0 0 0" mass="1" diaginertia="0.1 0.1 0.1"/>'


def file(inner: str, *, before: str = "", after: str = "") -> str:
    """A file with `inner` in the world, on lines of their own."""
    return f'<mujoco model="m">\n{before}\n<worldbody>\n{inner}\n</worldbody>\n{after}\n</mujoco>'


def arm(joint: str, *, before: str = "", after: str = "", body: str = BALL, place: str = "") -> str:
    """One body with a joint; the body stands on line 4, the joint on line 5."""
    return file(f'<body name="b" {place}>\n{joint}\n{body}</body>', before=before, after=after)


RADIAN = '<compiler angle="radian"/>'


def place_of(d: Description, name: str, q: list[float]) -> Floats:
    return np.array(pose(tree(d, float), q, name, "world").matrix(), dtype=float)


# ---- joints ----


def test_what_a_joint_says() -> None:
    given = (
        '<joint name="j" axis="0 0 -3" range="-1 2" damping="0.5" frictionloss="0.25" armature="0.125" stiffness="8" '
        'springref="0.75" actuatorfrcrange="-30 30"/>'
    )
    d = mjcf.read(arm(given, before=RADIAN, place='pos="1 2 3"'))
    [body] = d.bodies
    assert (d.name, d.source, body.name, body.joint_name, body.parent) == ("m", "", "j", "j", "base")
    assert (d.q_names, d.v_names) == (("j",), ("j",))
    assert body.limits == (Limits(-1, 2, None, 30),)
    assert (body.FV, body.FS, body.IA, body.stiffness, body.reference) == (0.5, 0.25, 0.125, 8, 0.75)
    assert d.frame_names == ("world", "base", "j", "b")
    assert d.base.gravity == (0, 0, -9.81)


def test_angles_are_degrees_unless_the_compiler_says_radian() -> None:
    given = '<joint ref="30" springref="45" stiffness="1" range="-90 180"/>'
    [body] = mjcf.read(arm(given)).bodies
    assert (body.reference, body.limits) == (math.radians(45), (Limits(math.radians(-90), math.radians(180)),))
    slide = mjcf.read(arm(given.replace("<joint", '<joint type="slide"'))).bodies[0]
    assert (slide.reference, slide.limits) == (45, (Limits(-90, 180),))


def test_the_robot_stands_as_drawn_where_q_is_ref() -> None:
    """An axis off the origin: the body turns about its point; a slide shifts along its axis."""
    hinge = mjcf.read(arm('<joint name="j" pos="1 0 0" ref="90"/>', place='pos="0 0 1"'))
    assert np.allclose(place_of(hinge, "b", [math.pi / 2])[:3, 3], [0, 0, 1])
    assert np.allclose(place_of(hinge, "b", [0.0])[:3, 3], [1, 1, 1])
    slide = mjcf.read(arm('<joint name="j" type="slide" axis="0 2 0" ref="0.25"/>'))
    assert np.allclose(place_of(slide, "b", [0.25])[:3, 3], 0) and np.allclose(
        place_of(slide, "b", [1.0])[:3, 3], [0, 0.75, 0]
    )


def test_several_joints_of_a_body_act_one_after_another() -> None:
    """Rot(x, a) Rot(y, b), then a slide along the turned z."""
    d = mjcf.read(
        arm('<joint name="x" axis="1 0 0"/><joint name="y" axis="0 1 0"/><joint name="z" type="slide" axis="0 0 1"/>')
    )
    a, b, c = 0.3, -0.7, 0.2
    Rx = np.array([[1, 0, 0], [0, math.cos(a), -math.sin(a)], [0, math.sin(a), math.cos(a)]])
    Ry = np.array([[math.cos(b), 0, math.sin(b)], [0, 1, 0], [-math.sin(b), 0, math.cos(b)]])
    T = place_of(d, "b", [a, b, c])
    assert np.allclose(T[:3, :3], Rx @ Ry) and np.allclose(T[:3, 3], Rx @ Ry @ [0, 0, c])
    assert [body.inertia.M for body in d.bodies] == [0, 0, 1]
    assert d.frame_names == ("world", "base", "x", "y", "z", "b")


def test_a_body_that_floats_has_the_coordinates_of_mujoco() -> None:
    d = mjcf.read(file('<body name="torso" pos="0 0 2" euler="90 0 0"><freejoint/>' + BALL + "</body>"))
    assert d.joint_names == ("torso_joint",) and d.bodies[0].name == "torso_body" and not d.bodies[0].actuated
    T = place_of(d, "torso", [1, 2, 3, 1, 0, 0, 0])
    assert np.allclose(T, [[1, 0, 0, 1], [0, 1, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]])
    assert mjcf.read(file(f'<body name="base"><freejoint/>{BALL}</body>')).frame_names == ("world", "base", "base_body")


def test_a_ball_turns_about_its_point() -> None:
    d = mjcf.read(arm('<joint name="j" type="ball" pos="0 0 1" damping="2"/>', place='pos="1 0 0" euler="0 0 90"'))
    [body] = d.bodies
    assert (body.joint.kind, body.FV, d.q_names) == ("spherical", 2, ("j_w", "j_x", "j_y", "j_z"))
    half = math.sqrt(0.5)
    assert np.allclose(place_of(d, "b", [1, 0, 0, 0])[:3, 3], [1, 0, 0])
    assert np.allclose(place_of(d, "b", [half, half, 0, 0])[:3, 3], [0, 0, 1])  # about x of the body, y of the world


def test_bodies_without_joints_and_names() -> None:
    d = mjcf.read(
        file(f'<body><joint/>{BALL}<body name="body"><joint/><joint/>{BALL}</body><body>{BALL}</body></body>')
    )
    assert d.joint_names == ("body2_joint", "body_joint", "body_joint2")
    assert set(d.frame_names) >= {"body2", "body", "body3"}
    assert d.bodies[0].inertia.M == 2


def test_the_order_of_q_is_that_of_mujoco() -> None:
    """A body's joints come before those of the bodies in it, wherever they stand."""
    inner = f'<body><frame><body><joint name="c"/>{BALL}</body></frame><joint name="b"/>{BALL}</body>'
    assert mjcf.read(file(f'<body>{inner}{BALL}<joint name="a"/></body>')).joint_names == ("a", "b", "c")


# ---- classes, frames, orientations ----


def test_classes() -> None:
    """A class has what the one around it has; childclass holds for all below, class for one element."""
    before = (
        '<default><joint damping="1" armature="2"/><default class="a"><joint damping="3"/><default class="b"><joint armature="4"/>'
        '</default></default><joint stiffness="5"/></default><default><joint frictionloss="6"/></default>'
    )
    inner = (
        f'<body name="1"><joint/>{BALL}<body name="2" childclass="b"><joint/>{BALL}<body name="3"><joint class="a"/>{BALL}</body>'
        f'<body name="4" childclass="a"><joint damping="7"/>{BALL}</body><frame childclass="main"><body name="5"><joint/>{BALL}</body>'
        "</frame></body></body>"
    )
    d = mjcf.read(file(inner, before=before))
    said = [(b.FV, b.IA, b.stiffness, b.FS) for b in d.bodies]
    assert said == [(1, 2, 5, 6), (3, 4, 5, 0), (3, 2, 5, 0), (7, 2, 5, 0), (1, 2, 5, 6)]


def test_frames_place_what_is_in_them() -> None:
    inner = (
        '<frame pos="1 0 0" euler="0 0 90"><frame pos="1 0 0"><body name="b" pos="0 0 1"><frame euler="90 0 0" pos="0 1 0">'
        f'<joint name="j" axis="0 0 1"/>{BALL}<site name="s" pos="0 0 1"/></frame></body></frame></frame>'
    )
    d = mjcf.read(file(inner))
    assert np.allclose(place_of(d, "b", [0.0])[:3, 3], [1, 1, 1])
    assert np.allclose(place_of(d, "s", [0.0])[:3, 3], [1, 1, 1] + np.array([0, 0, 0]))
    assert np.allclose(place_of(d, "j", [0.0])[:3, 2], [1, 0, 0])  # z of the frame is -y of the body, x of the world
    assert (d.bodies[0].inertia.M, np.linalg.norm([float(x) for x in list(d.bodies[0].inertia)[6:9]])) == (1, 0)


@pytest.mark.parametrize(
    "given",
    [
        'quat="0.5 0.5 0.5 0.5"',
        'quat="3 3 3 3"',
        'axisangle="1 1 1 120"',
        'xyaxes="0 2 0 0 0.1 1"',
        'euler="90 90 0"',
        'euler="90 0 90"',
    ],
)
def test_ways_to_turn(given: str) -> None:
    """x goes to y, y to z, z to x; capital letters are turns about axes that stand still."""
    seq = "XYZ" if given == 'euler="90 0 90"' else "xyz"
    text = file(f'<body name="b" {given}/>', before=f'<compiler eulerseq="{seq}"/>')
    T = place_of(mjcf.read(text), "b", [])
    assert np.abs(T[:3, :3] - [[0, 0, 1], [1, 0, 0], [0, 1, 0]]).max() < 1e-15


def test_the_shortest_way_to_z() -> None:
    for axis in ((1, 2, 3), (0, 0, -1), (0, 1, 0), (1e-9, 0, -1)):
        R = place_of(mjcf.read(file(f'<body name="b" zaxis="{" ".join(map(repr, axis))}"/>')), "b", [])[:3, :3]
        unit = np.array(axis) / np.linalg.norm(axis)
        assert np.allclose(R[:, 2], unit) and np.allclose(R @ R.T, np.eye(3))
        assert math.isclose(np.trace(R), 1 + 2 * unit[2], abs_tol=1e-12)  # the angle is that between the two axes


def test_rounded_right_angles_are_square_when_asked() -> None:
    text = file('<body name="b" quat="0.7071 0.7072 0 0"/>')
    assert mjcf.read(text).frame("b").placement.alpha not in (0, math.pi / 2)
    assert mjcf.read(text, snap=1e-3).frame("b").placement == Placement.of(alpha="pi/2")


def test_sites_are_frames() -> None:
    d = mjcf.read(
        file('<site name="w" pos="1 0 0"/><site/><body name="b"><site name="b" pos="0 0 2"/><site name="base"/></body>')
    )
    assert d.frame_names == ("world", "base", "b", "w", "b_frame", "base_frame")
    line = mjcf.read(file('<site name="s" fromto="0 0 0 2 0 0"/>'))
    assert np.allclose(place_of(line, "s", [])[:3, 2:].T, [[-1, 0, 0], [1, 0, 0]])  # z from the second to the first


def test_gravity_and_a_base_that_is_turned() -> None:
    d = mjcf.read(
        file(
            '<body name="base" euler="180 0 0"><body><joint/>' + BALL + "</body></body>",
            before='<option gravity="0 1 -2"/>',
        )
    )
    assert d.base.gravity == (0, -1, 2)
    flag = '<option><flag gravity="disable"/></option>'
    assert mjcf.read(arm("<joint/>", before=flag)).base.gravity == (0, 0, 0)


# ---- inertia ----


def of_geom(geom: str, before: str = "") -> list[float]:
    [body] = mjcf.read(arm("<joint/>", body=geom, before=before)).bodies
    return [float(x) for x in body.inertia]  # type: ignore[arg-type]


def by_integration(inside: np.ndarray, at: np.ndarray, cell: float) -> list[float]:
    """Mass 1000 kg/m³ and moments of inertia of the points inside, each a cell."""
    p, m = at[inside], 1000 * cell
    x, y, z = p.T
    return [m * float(s.sum()) for s in (y**2 + z**2, x**2 + z**2, x**2 + y**2)] + [m * len(p)]


@pytest.mark.parametrize(
    ("geom", "inside"),
    [
        ('type="sphere" size="0.4"', lambda x, y, z: x**2 + y**2 + z**2 < 0.16),
        ('type="ellipsoid" size="0.4 0.3 0.2"', lambda x, y, z: (x / 0.4) ** 2 + (y / 0.3) ** 2 + (z / 0.2) ** 2 < 1),
        ('type="cylinder" size="0.3 0.2"', lambda x, y, z: (x**2 + y**2 < 0.09) & (abs(z) < 0.2)),
        ('type="capsule" size="0.2 0.2"', lambda x, y, z: x**2 + y**2 + np.maximum(abs(z) - 0.2, 0) ** 2 < 0.04),
        ('type="box" size="0.4 0.3 0.2"', lambda x, y, z: (abs(x) < 0.4) & (abs(y) < 0.3) & (abs(z) < 0.2)),
    ],
)
def test_solids_against_their_integrals(geom: str, inside) -> None:
    n = 100
    side = (np.arange(n) + 0.5) / n - 0.5
    at = np.stack(np.meshgrid(side, side, side), axis=-1).reshape(-1, 3)
    expected = by_integration(inside(*at.T), at, 1 / n**3)
    J = of_geom(f"<geom {geom}/>")
    assert np.allclose([J[0], J[3], J[5], J[9]], expected, rtol=0.01)
    assert np.allclose([J[1], J[2], J[4], *J[6:9]], 0)


def test_masses_of_geoms() -> None:
    volume = 8 * 0.1 * 0.2 * 0.3
    box = '<geom type="box" size="0.1 0.2 0.3" {}/>'
    for given, mass in (("", 1000 * volume), ('density="3"', 3 * volume), ('mass="5"', 5), ('mass="5" density="3"', 5)):
        J = of_geom(box.format(given))
        assert np.isclose(J[9], mass) and np.isclose(J[0], mass * (0.04 + 0.09) / 3)
    both = of_geom(box.format('mass="1" pos="1 0 0"') + box.format('mass="3" pos="-1 0 0"'))
    assert np.isclose(both[9], 4) and np.isclose(both[6], -2) and np.isclose(both[3], 4 + 4 * (0.01 + 0.09) / 3)
    assert of_geom(box.format('mass="0"') + BALL)[9] == 1  # <inertial> is all there is
    groups = '<compiler inertiagrouprange="0 1"/>'
    assert np.isclose(of_geom(box.format('mass="1" group="2"') + box.format('mass="3"'), groups)[9], 3)
    assert of_geom(box.format('mass="2"') + BALL, '<compiler inertiafromgeom="true"/>')[9] == 2
    assert of_geom(box.format('mass="2"'), '<compiler inertiafromgeom="false"/>')[9] == 0


def test_a_rod_between_two_points() -> None:
    J = of_geom('<geom type="capsule" size="0.001" fromto="0 0 0 0 2 0" mass="3"/>')
    assert np.allclose([J[0], J[5], J[7], J[9]], [4, 4, 3, 3], rtol=1e-3) and J[3] < 1e-5


def test_inertia_given() -> None:
    full = '<inertial pos="1 0 0" mass="2" fullinertia="3 4 5 0.1 0.2 0.3"/>'
    assert np.allclose(of_geom(full), [3, 0.1, 0.2, 4 + 2, 0.3, 5 + 2, 2, 0, 0, 2])
    turned = '<inertial pos="0 0 0" mass="2" diaginertia="3 4 5" euler="90 0 0"/>'
    assert np.allclose(of_geom(turned), [3, 0, 0, 5, 0, 4, 0, 0, 0, 2])
    light = '<inertial pos="0 0 0" mass="1" diaginertia="1 2 9"/>'
    assert of_geom(light, '<compiler balanceinertia="true" boundmass="3"/>')[::9] == [4, 3]
    assert of_geom(light, '<compiler boundinertia="8.5"/>')[:6:5] == [8.5, 9]
    assert np.allclose(of_geom(full, '<compiler boundinertia="6" balanceinertia="true"/>')[0:6:5], [6, 8])


def test_a_total_mass_scales_all_bodies() -> None:
    """2 kg that move and 1 kg that does not, made 6 kg: twice as much of everything."""
    still = '<body><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body>'
    moving = '<body><joint/><inertial pos="1 0 0" mass="2" diaginertia="3 4 5"/></body>'
    [body] = mjcf.read(file(still + moving, before='<compiler settotalmass="6"/>')).bodies
    assert [float(x) for x in body.inertia] == [6, 0, 0, 8 + 4, 0, 10 + 4, 4, 0, 0, 4]  # type: ignore[arg-type]
    assert mjcf.read(file(still + moving, before='<compiler settotalmass="-1"/>')).bodies[0].inertia.M == 2


def test_what_stands_still_may_be_of_any_material() -> None:
    inner = f'<geom type="plane" size="1 1 1"/><body><geom type="mesh" mesh="m"/><body><joint/>{BALL}</body></body>'
    assert mjcf.read(file(inner)).nv == 1


def test_meshes_have_no_mass_only_when_asked() -> None:
    mesh = '<geom type="mesh" mesh="m"/><geom type="sphere" size="0.1" mass="2"/>'
    with pytest.raises(
        FormatError, match="line 6: the body has no <inertial>, and of a <geom> of type 'mesh' the mass is not known"
    ):
        mjcf.read(arm("<joint/>", body=mesh))
    assert mjcf.read(arm("<joint/>", body=mesh), massless_meshes=True).bodies[0].inertia.M == 2
    assert of_geom('<geom type="mesh" mesh="m" mass="0"/><geom size="0.1" mass="2"/>')[9] == 2


# ---- what ties and drives ----

PAIR = '<body name="a" pos="1 0 0"><joint name="p"/>{0}<site name="s"/></body><body name="b" pos="0 1 0"><joint name="q" ref="{1}"/>{0}<site name="t" pos="0 0 1"/></body>'


def pair(after: str, ref: float = 0) -> Description:
    return mjcf.read(file(PAIR.format(BALL, ref), after=after))


def sides(d: Description) -> tuple[Floats, Floats]:
    """The two frames of the only cut joint, in the world as the file draws the robot."""
    [cut] = d.cuts
    return tuple(place_of(d, side.body, [0.0, 0.0]) @ place_pose(side.placement) for side in (cut.a, cut.b))  # type: ignore[return-value]


def test_connect() -> None:
    d = pair('<equality><connect body1="a" body2="b" anchor="0 0 2"/></equality>')
    assert (d.cuts[0].name, d.cuts[0].kind.kind, d.cuts[0].a.body, d.cuts[0].b.body) == (
        "a to b",
        "spherical",
        "p",
        "q",
    )
    assert all(np.allclose(T[:3, 3], [1, 0, 2]) for T in sides(d))
    world = pair('<equality><connect name="pin" body1="a" anchor="0 0 2"/></equality>')
    assert (world.cuts[0].name, world.cuts[0].b.body) == ("pin", "base")
    a, b = sides(pair('<equality><connect site1="s" site2="t"/></equality>'))
    assert np.allclose(a[:3, 3], [1, 0, 0]) and np.allclose(b[:3, 3], [0, 1, 1])


def test_weld() -> None:
    d = pair('<equality><weld body1="a" body2="b" anchor="0 0 1"/></equality>')
    a, b = sides(d)
    assert d.cuts[0].kind.kind == "fixed" and np.allclose(a, b) and np.allclose(b[:3, 3], [0, 1, 1])
    a, b = sides(pair('<equality><weld body1="a" body2="b" relpose="1 2 3 2 2 0 0"/></equality>'))
    assert np.allclose(a[:3, 3], [2, 2, 3]) and np.allclose(a[:3, :3], [[1, 0, 0], [0, 0, -1], [0, 1, 0]])
    assert np.allclose(b[:3, 3], [0, 1, 0]) and np.allclose(b[:3, :3], np.eye(3))
    assert pair('<equality><weld body1="a" body2="b" torquescale="0"/></equality>').cuts[0].kind.kind == "spherical"
    a, b = sides(pair('<equality><weld site1="s" site2="t"/></equality>'))
    assert np.allclose(a[:3, 3], [1, 0, 0]) and np.allclose(b[:3, 3], [0, 1, 1])


def test_joints_that_move_together() -> None:
    """q_1 - ref_1 = a_0 + a_1 (q_2 - ref_2)."""
    d = pair('<equality><joint joint1="p" joint2="q"/></equality>')
    assert d.couplings == (Coupling("p with q", "p", "q"),) and [b.actuated for b in d.bodies] == [False, True]
    d = pair('<equality><joint name="gear" joint1="q" joint2="p" polycoef="0.5 -2 0 0 0"/></equality>', ref=30)
    [c] = d.couplings
    assert (c.name, c.joint, c.leader, c.ratio) == ("gear", "q", "p", -2)
    assert math.isclose(float(c.offset), 0.5 + math.radians(30))  # type: ignore[arg-type]
    assert pair('<equality><joint joint1="p" joint2="q" polycoef="0.5"/></equality>').couplings[0].ratio == 1
    idle = '<default><equality active="false"/></default><equality><joint joint1="p" joint2="q"/></equality>'
    assert pair(idle).couplings == ()


def test_actuators_tell_which_joints_have_motors() -> None:
    assert [b.actuated for b in pair("").bodies] == [True, True]
    assert [b.actuated for b in pair('<actuator><position joint="q" kp="3"/></actuator>').bodies] == [False, True]
    assert [b.actuated for b in pair('<actuator><adhesion body="a"/></actuator>').bodies] == [False, False]
    both = '<tendon><fixed name="f"><joint joint="p" coef="1"/><joint joint="q" coef="2"/></fixed></tendon>'
    assert [b.actuated for b in pair(both + '<actuator><motor tendon="f"/></actuator>').bodies] == [True, True]
    ball = mjcf.read(arm('<joint type="ball"/>', after=""))
    assert not ball.bodies[0].actuated


def test_what_an_actuator_adds_to_its_joint() -> None:
    """Its armature and damping, seen through the gear: times its square."""
    default = '<default><general gear="10"/></default>'
    d = pair(default + '<actuator><motor joint="p" armature="2" damping="3"/></actuator>')
    assert [(b.IA, b.FV) for b in d.bodies] == [(200, 300), (0, 0)]
    q = [0.2, 0.1]
    assert np.isclose(np.array(inertia_matrix(tree(d, float), q), dtype=float).reshape(2, 2)[0, 0], 200.1)


def test_what_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "arm.xml"
    before = (
        '<size njmax="3"/><visual><global/></visual><statistic extent="1"/><asset><mesh name="m" file="m.stl"/></asset>'
        '<option timestep="0.1" integrator="implicit"/><default><material/><camera/></default>'
    )
    after = '<contact><exclude body1="b" body2="b"/></contact><sensor/><keyframe/><custom/>'
    inner = '<camera name="c"/><light/><joint group="2" margin="1"/>' + '<geom type="plane" mass="0"/>'
    path.write_text(arm(inner, before=before, after=after).replace(' model="m"', ""))
    d = mjcf.read(path)
    assert (d.name, d.source, d.nv) == ("arm", "arm.xml", 1)


# ---- errors: one, with file, line, element and what is allowed ----

TWO = f'<body name="b"><joint name="k"/>{BALL}</body>'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (file('<include file="x.xml"/>'), "line 4: <include> is not read: put the text of the file in its place"),
        ('<mujoco>\n<include file="x.xml"/></mujoco>', "line 2: <include> is not read"),
        (file("<replicate/>"), "line 4: <replicate> is not read"),
        (file('<attach model="x"/>'), "line 4: <attach> is not read"),
        (file("<composite/>"), "line 4: <composite> is not read"),
        (file("<flexcomp/>"), "line 4: <flexcomp> is not read"),
        (arm("<plugin/>"), "line 5: <plugin> is not read: what a plugin does"),
        (file("<boddy/>"), "line 4: <boddy> is unknown here and might change the mechanics; .*did you mean 'body'"),
        (file("", after="<actuators/>"), "line 6: <actuators> is unknown here.* did you mean 'actuator'"),
        (file("", after="<deformable/>"), "line 6: <deformable> is not read"),
        (file("<joint/>"), "line 4: <joint> stands in the world, which has none"),
        ("<robot/>", "line 1: the outermost element is <robot>; an MJCF file begins with <mujoco>"),
        ("<mujoco>", "is not XML"),
        # settings
        (file("", before='<compiler coordinate="global"/>'), "line 2: global coordinates are not read"),
        (
            file("", before='<compiler angle="gradian"/>'),
            "line 2: <compiler angle> is 'gradian'; allowed are degree, radian",
        ),
        (file("", before='<compiler eulerseq="xyw"/>'), "line 2: <compiler eulerseq> is 'xyw'; it is three letters"),
        (file("", before='<compiler alignfree="true"/>'), "line 2: alignfree moves the frames"),
        (file("", before='<compiler angel="radian"/>'), "line 2: <compiler angel> is unknown .*did you mean 'angle'"),
        (file("", before='<option density="1000"/>'), "line 2: <option density> is the air's or the water's"),
        (file("", before='<option viscosity="1"/>'), "line 2: <option viscosity>"),
        (file("", before='<option gravity="0 0"/>'), "line 2: <option gravity> has 2 numbers; it takes 3"),
        (
            file("", before='<option><flag passive="disable"/></option>'),
            "line 2: <flag passive> disables what the file says",
        ),
        (file("", before='<default class="x"/>'), "line 2: the outermost default class is called 'x'"),
        (file("", before="<default><default/></default>"), "line 2: a <default> within another has no class"),
        (
            file("", before='<default><default class="main"/></default>'),
            "line 2: two default classes are called 'main'",
        ),
        (file("", before="<default><gem/></default>"), "line 2: <gem> is unknown here .*did you mean 'geom'"),
        # bodies
        (
            file('<body childclass="c"/>'),
            "line 4: <body childclass> is 'c', and there is no default class of that name",
        ),
        (file('<body mocap="true"/>'), "line 4: a body that is moved from outside .mocap. is not read"),
        (file('<body gravcomp="1"/>'), "line 4: gravcomp is the work of motors"),
        (file('<body name="world"/>'), "line 4: a body is called 'world'"),
        (file('<body name="base"><joint/></body>'), "line 4: the body 'base' moves"),
        (file('<body name="b"/>\n<body name="b"/>'), "line 5: two bodies are called 'b'; the first stands on line 4"),
        (file('<body euler="1 2 3" quat="1 0 0 0"/>'), "line 4: <body> is turned by quat and by euler; give one"),
        (file('<body quat="0 0 0 0"/>'), "line 4: <body> has the quaternion 0 0 0 0"),
        (file('<body xyaxes="1 0 0 2 0 0"/>'), "line 4: <body> has the axis 0 0 0"),
        (file('<body pos="1 2"/>'), "line 4: <body pos> has 2 numbers; it takes 3"),
        (file('<body pos="1 2 nan"/>'), "line 4: <body pos> has 'nan', which is not a finite number"),
        (file('<body pos="1 2 1e999"/>'), "line 4: <body pos> has '1e999'"),
        (file('<body pos="1 2 three"/>'), "line 4: <body pos> has 'three'"),
        (file('<body posn="1 2 3"/>'), "line 4: <body posn> is unknown and might change the mechanics"),
        (arm("<freejoint/><joint/>"), "line 4: the body 'b' floats; it has one joint then"),
        (file("<body>\n<body><freejoint/></body></body>"), "line 5: the body 'body2' floats; .* stands in <worldbody>"),
        # joints
        (arm('<joint type="screw"/>'), "line 5: <joint type> is 'screw'; allowed are hinge, slide, ball, free"),
        (arm('<joint axis="0 0 0"/>'), "line 5: <joint> has the axis 0 0 0, which points nowhere"),
        (arm('<joint name="j"/>\n<joint name="j"/>'), "line 6: two joints are called 'j'; the first stands on line 5"),
        (arm('<joint springdamper="1 1"/>'), "line 5: springdamper is made into stiffness and damping"),
        (arm('<joint springyield="1 2 3"/>'), "line 5: a spring that yields"),
        (arm('<joint stiffness="1 2"/>'), "line 5: <joint stiffness> is a polynomial, '1 2'; read is one number"),
        (arm('<joint damping=""/>'), "line 5: <joint damping> is empty; it takes numbers"),
        (arm('<joint damping="-1"/>'), "line 5: <joint damping> is -1; it is 0 or more"),
        (
            arm('<joint type="ball" stiffness="1"/>'),
            'line 5: <joint stiffness> acts on one coordinate.* write stiffness="0"',
        ),
        (
            arm('<joint type="ball" armature="1"/>'),
            "line 5: <joint armature> acts on one coordinate, and a ball joint has several",
        ),
        (arm('<joint type="free" frictionloss="1"/>'), "line 5: <joint frictionloss> acts on one coordinate"),
        (arm('<joint range="2 1"/>'), "line 5: b_joint has lower = .* above upper"),
        (arm('<joint class="c"/>'), "line 5: <joint class> is 'c', and there is no default class"),
        (arm('<freejoint align="true"/>'), "line 5: align moves the frame"),
        # inertia
        (arm("<joint/>", body='<inertial pos="0 0 0"/>'), "line 6: <inertial> without mass"),
        (arm("<joint/>", body='<inertial mass="1"/>'), "line 6: <inertial> without pos"),
        (arm("<joint/>", body='<inertial mass="-1" pos="0 0 0"/>'), "line 6: <inertial> has the mass -1 kg"),
        (arm("<joint/>", body=BALL + BALL), "line 6: two <inertial> in one body"),
        (
            arm("<joint/>", body='<inertial mass="1" pos="0 0 0" fullinertia="1 1 1 0 0 0" quat="1 0 0 0"/>'),
            "line 6: <inertial> has fullinertia and quat",
        ),
        (
            arm("<joint/>", body='<geom size="0"/>'),
            "line 6: <geom size> of a sphere is 1 lengths above 0 and below 1e.12 m, not '0'",
        ),
        (arm("<joint/>", body="<geom/>"), "line 6: <geom> without size"),
        (arm("<joint/>", body='<geom size="1" mass="-1"/>'), "line 6: <geom> has the mass -1"),
        (arm("<joint/>", body='<geom type="blob" size="1"/>'), "line 6: .* of type 'blob' the mass is not known"),
        (arm("<joint/>", body='<geom size="1" shellinertia="true"/>'), "line 6: the inertia of a shell is not read"),
        (
            arm("<joint/>", body='<geom size="1" fromto="0 0 0 1 0 0"/>'),
            "line 6: <geom fromto> does not go with the type sphere",
        ),
        (
            arm("<joint/>", body='<geom type="box" size="1" fromto="0 0 0 0 0 0"/>'),
            "line 6: <geom fromto> has both ends in one place",
        ),
        # ties and motors
        (file(TWO, after='<equality>\n<connect body1="b"/></equality>'), "line 7: <connect> without anchor"),
        (
            file(TWO, after='<equality>\n<connect body1="c"/></equality>'),
            "line 7: <connect body1> is 'c', and there is no body",
        ),
        (file(TWO, after='<equality>\n<weld site1="s"/></equality>'), "line 7: <weld> takes site1 and site2, or"),
        (
            file(TWO, after='<equality>\n<weld site1="s" site2="t"/></equality>'),
            "line 7: <weld site1> is 's', and there is no site",
        ),
        (
            file(TWO, after='<equality>\n<weld body1="b" body2="b"/></equality>'),
            "line 7: the cut joint b to b stands between",
        ),
        (file(TWO, after='<equality>\n<weld body1="b" body3="b"/></equality>'), "line 7: <weld body3> is unknown"),
        (
            file(TWO, after='<equality>\n<joint joint1="k"/></equality>'),
            "line 7: the joint 'k' is held still, having no joint2",
        ),
        (
            file(TWO, after='<equality>\n<joint joint1="k" joint2="k" polycoef="0 1 2"/></equality>'),
            "line 7: <joint polycoef> is '0 1 2'; joints are tied by a line",
        ),
        (
            file(TWO, after='<equality>\n<joint joint1="k" joint2="k"/></equality>'),
            "line 7: couplings lead round in a circle",
        ),
        (file(TWO, after="<equality>\n<tendon/></equality>"), "line 7: the equality of a tendon is not read"),
        (
            file(TWO, after='<actuator>\n<motor joint="l"/></actuator>'),
            "line 7: <motor> acts on the joint 'l', and there is no",
        ),
        (
            file(TWO, after='<actuator>\n<motor tendon="l"/></actuator>'),
            "line 7: <motor tendon> is 'l', and there is no",
        ),
        (file(TWO, after="<actuator>\n<moter/></actuator>"), "line 7: <moter> is unknown here.* did you mean 'motor'"),
        (
            file(TWO, after='<tendon>\n<fixed stiffness="1"/></tendon>'),
            "line 7: <fixed stiffness> acts on several joints",
        ),
    ],
)
def test_errors(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.xml"
    path.write_text(text)
    with pytest.raises(ArmillaryError, match=message) as caught:
        mjcf.read(path)
    assert str(path) in str(caught.value)
    assert len(str(caught.value)) < 900


# ---- files that mean harm ----

LOLS = '<!DOCTYPE mujoco [<!ENTITY a "{}">{}]><mujoco model="&z;"/>'.format(
    "lol" * 100, "".join(f'<!ENTITY {b} "{f"&{a};" * 100}">' for a, b in zip("abcdefghy", "bcdefghyz", strict=True))
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (LOLS, "a document type or an entity is declared"),
        ('<!DOCTYPE mujoco SYSTEM "file:///etc/passwd"><mujoco/>', "a document type or an entity"),
        ('<mujoco model="&x;"/>', "is not XML"),
        ("<mujoco>" + "<worldbody>" * 100_000, "stands more than 1000 elements deep"),
        ("<mujoco><worldbody>" + "<body>" * 2000, "stands more than 1000 elements deep"),
        ("<mujoco><default>" + "<default class='a'>" * 5000, "stands more than 1000 elements deep"),
        (file(f'<body pos="{"9" * 400} 0 0"/>'), "is not a finite number"),
        (file(f'<body pos="{" 1" * 100_000}"/>'), "has 100000 numbers; it takes 3"),
        (file('<body pos="inf 0 0"/>'), "'inf', which is not a finite number"),
        (file('<body name="a&#10;b"><joint/></body>'), "printable"),
        (file(f'<body name="{"x" * 10_000}"><joint/></body>'), "characters"),
        (arm('<joint range="nan nan"/>'), "'nan', which is not a finite number"),
        (arm("<joint/>", body='<geom size="nan"/>'), "'nan', which is not a finite number"),
        (
            arm("<joint/>", body='<geom size="1e99"/>'),
            "<geom size> of a sphere is 1 lengths above 0 and below 1e\\+12 m",
        ),
    ],
    ids=range(14),
)
def test_files_that_mean_harm_are_one_short_error(text: str, message: str) -> None:
    with pytest.raises(ArmillaryError, match=message) as caught:
        mjcf.read(text)
    assert len(str(caught.value)) < 900


def test_a_rope_of_300_bodies_is_read() -> None:
    """Each within the one before, which no limit of the language's own recursion may stop."""
    n = 300
    text = file(f'<body pos="0 0 1"><joint type="ball"/>{BALL}' * n + "</body>" * n)
    d = mjcf.read(text)
    assert d.nv == 3 * n
    assert np.allclose(place_of(d, "body300", [1, 0, 0, 0] * n)[:3, 3], [0, 0, 300])


@pytest.mark.filterwarnings("ignore::armillary.errors.RobotWarning")
@pytest.mark.parametrize("seed", range(200))
def test_damaged_files_are_read_or_refused(seed: int) -> None:
    """Attributes and elements exchanged, doubled, emptied or struck out: an ArmillaryError or a robot, nothing else."""
    rng = np.random.default_rng(seed)
    text, _ = random_mjcf(rng, 3, floats=seed % 2 == 0, tied=True)
    for _ in range(int(rng.integers(1, 5))):
        words = re.findall(r'\w+="[^"]*"|<\w+|"[^"]*"', text)
        old, new = (words[rng.integers(len(words))] for _ in range(2))
        if rng.random() < 0.5:
            new = ("", 'pos=""', "<body", "<joint", "<frame", '"0 0 0 0"', '"-1"', '"nan"', '"1e308"')[rng.integers(9)]
        at = [m.start() for m in re.finditer(re.escape(old), text)]
        k = at[rng.integers(len(at))]
        text = text[:k] + new + text[k + len(old) :]
    with contextlib.suppress(ArmillaryError):
        mjcf.read(text)
