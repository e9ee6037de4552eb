"""One mechanism from files of several kinds: loops and couplings come to the same models."""

import math

import numpy as np
import pytest

import armillary as arm
from armillary.formats import mjcf, urdf
from armillary.models import Robot
from armillary.robot import Description

MASSES = {"crank": (1.0, 0.4), "coupler": (2.0, 0.9), "rocker": (1.5, 0.6)}
"""Mass (kg), and where its centre is along the link (m); the moment of inertia about it is a tenth of the mass."""

MJCF = """
<mujoco><option gravity="0 0 -9.81"/><worldbody>
  <body name="crank"><joint name="q1" axis="0 1 0"/>{crank}
    <body name="coupler" pos="1 0 0"><joint name="q2" axis="0 1 0"/>{coupler}</body></body>
  <body name="rocker" pos="2 0 0"><joint name="q3" axis="0 1 0"/>{rocker}</body>
</worldbody><equality>
  <connect site1="tip" site2="end"/>
</equality></mujoco>
"""


def four_bar_mjcf() -> Robot:
    """Crank 1 m, coupler 2.2 m, rocker 1.4 m, ground 2 m, all turning about y; the pin is a ball, which holds as much."""
    inertials = {
        name: f'<inertial pos="{c} 0 0" mass="{m}" diaginertia="{m / 10} {m / 10} {m / 10}"/>'
        for name, (m, c) in MASSES.items()
    }
    inertials["coupler"] += '<site name="tip" pos="2.2 0 0"/>'
    inertials["rocker"] += '<site name="end" pos="1.4 0 0"/>'
    text = MJCF.format(**inertials).replace("</worldbody>", "</worldbody>\n<actuator><motor joint='q1'/></actuator>")
    return Robot.of(mjcf.read(text))


def four_bar_urdf() -> Robot:
    links = "".join(
        f'<link name="{name}"><inertial><origin xyz="{c} 0 0"/><mass value="{m}"/>'
        f'<inertia ixx="{m / 10}" iyy="{m / 10}" izz="{m / 10}" ixy="0" ixz="0" iyz="0"/></inertial></link>'
        for name, (m, c) in MASSES.items()
    )
    joint = '<joint name="{}" type="continuous"><parent link="{}"/><child link="{}"/><origin xyz="{} 0 0"/><axis xyz="0 1 0"/></joint>'
    joints = "".join(
        joint.format(*x)
        for x in (("q1", "ground", "crank", 0), ("q2", "crank", "coupler", 1), ("q3", "ground", "rocker", 2))
    )
    loop = (
        '<loop_joint name="pin" type="continuous"><axis xyz="0 1 0"/><link1 link="rocker" xyz="1.4 0 0"/>'
        '<link2 link="coupler" xyz="2.2 0 0"/></loop_joint>'
    )
    d = urdf.read(f'<robot><link name="ground"/>{links}{joints}{loop}</robot>')
    return Robot.of(d)


def four_bar_by_hand() -> Robot:
    """The same in the plane: x of the links, z of their axes along -y of the files."""

    def link(name: str) -> dict[str, object]:
        m, c = MASSES[name]
        return {"mass": m, "center": (c, 0, 0), "inertia": (m / 10, 0, 0, m / 10, 0, m / 10)}

    return Robot.of(
        arm.describe(
            "four-bar",
            arm.revolute("q1", **link("crank")),  # type: ignore[arg-type]
            arm.revolute("q2", d=1, actuated=False, **link("coupler")),  # type: ignore[arg-type]
            arm.revolute("q3", "base", d=2, actuated=False, **link("rocker")),  # type: ignore[arg-type]
            arm.cut("pin", a=arm.side("q3", d=1.4), b=arm.side("q2", d=2.2)),
            gravity=(0, -9.81, 0),
        )
    )


def closed(angle: float) -> list[float]:
    """q of the plane where the loop is closed, by the law of cosines, the pin above the line from elbow to ground."""
    elbow = np.array([math.cos(angle), math.sin(angle)])
    way = np.array([2.0, 0.0]) - elbow
    L = float(np.linalg.norm(way))
    along = (2.2**2 + L**2 - 1.4**2) / (2 * L)
    pin = elbow + along * way / L + math.sqrt(2.2**2 - along**2) * np.array([-way[1], way[0]]) / L
    coupler, rocker = pin - elbow, pin - [2.0, 0.0]
    return [angle, math.atan2(coupler[1], coupler[0]) - angle, math.atan2(rocker[1], rocker[0])]


def test_a_four_bar_from_three_places() -> None:
    """A_c and H_c of the crank; turning about y the files count against the plane."""
    models = {
        name: (robot, robot.closed_inertia_matrix(independent=("q1",)), robot.closed_bias(independent=("q1",)))
        for name, robot in (("hand", four_bar_by_hand()), ("mjcf", four_bar_mjcf()), ("urdf", four_bar_urdf()))
    }
    assert [b.actuated for b in models["mjcf"][0].bodies] == [True, False, False]
    assert [b.actuated for b in models["urdf"][0].bodies] == [True, True, True]
    for angle in (0.7, -0.5, 1.3):
        found: dict[str, tuple[float, float]] = {}
        for name, (robot, inertia, bias) in models.items():
            sign = 1 if name == "hand" else -1
            q = [sign * x for x in closed(angle)]
            assert np.abs(robot.loop_residual().evaluate(q=q)["residual"]).max() < 1e-12
            [A] = inertia.evaluate(q=q).values()
            [H] = bias.evaluate(q=q, qd_a=[sign * 1.5]).values()
            found[name] = (float(np.ravel(A)[0]), sign * float(np.ravel(H)[0]))
        assert np.allclose(found["mjcf"], found["hand"], rtol=1e-10) and np.allclose(
            found["urdf"], found["hand"], rtol=1e-10
        )


FINGERS = (
    '<robot><link name="palm"/><link name="a"><inertial><mass value="2"/>{0}</inertial></link>'
    '<link name="b"><inertial><mass value="3"/>{0}</inertial></link>'
    '<joint name="left" type="prismatic"><parent link="palm"/><child link="a"/><axis xyz="0 0 1"/></joint>'
    '<joint name="right" type="prismatic"><parent link="palm"/><child link="b"/><axis xyz="0 0 1"/>'
    '<mimic joint="left" multiplier="-2" offset="0.1"/></joint></robot>'
).format('<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>')

FINGERS_MJCF = """<mujoco><option gravity="0 0 -9.81"/><worldbody>
<body><joint name="left" type="slide"/><inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/></body>
<body><joint name="right" type="slide" ref="0.3"/><inertial pos="0 0 0" mass="3" diaginertia="1 1 1"/></body>
</worldbody><equality><joint joint1="right" joint2="left" polycoef="-0.2 -2 0 0 0"/></equality></mujoco>"""


@pytest.mark.parametrize("robot", [urdf.read(FINGERS), mjcf.read(FINGERS_MJCF)], ids=["urdf", "mjcf"])
def test_two_fingers_on_one_motor(robot: Description) -> None:
    """q_r = 0.1 - 2 q_l: force = (m_l + 4 m_r) q'' + (m_l - 2 m_r) g."""
    d = Robot.of(robot)
    model = d.closed_inverse_dynamics()
    for x, a in ((0.0, 0.0), (0.02, 1.5), (-0.3, -0.7)):
        q = [x, 0.1 - 2 * x]
        assert np.abs(d.loop_residual().evaluate(q=q)["residual"]).max() < 1e-15
        [force] = model.evaluate(q=q, qd_a=[0.4], qdd_a=[a]).values()
        assert np.allclose(force, (2 + 4 * 3) * a + (2 - 2 * 3) * 9.81, rtol=1e-14)
