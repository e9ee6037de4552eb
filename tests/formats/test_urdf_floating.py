"""URDF files whose root floats, against Pinocchio's reading of them with a free-flyer."""

import math

import numpy as np
import pinocchio as pin
import pytest

import armillary as arm
from armillary.errors import FormatError
from armillary.formats import urdf
from reference.random_urdf import Floats, random_urdf


def close(a: Floats, b: Floats, what: str) -> None:
    assert np.linalg.norm(a - b) <= 1e-9 * max(1.0, float(np.linalg.norm(b))), what


@pytest.mark.parametrize("seed", range(60))
def test_against_pinocchio(seed: int) -> None:
    rng = np.random.default_rng([seed, 7])
    text = random_urdf(rng, 1 + seed % 9, root="base" if seed % 3 == 0 else "trunk")
    robot = arm.Robot.of(urdf.read(text, floating=True))
    model = pin.buildModelFromXML(text, pin.JointModelFreeFlyer())
    data = model.createData()
    assert robot.nv == model.nv and not robot.bodies[0].actuated and all(b.actuated for b in robot.bodies[1:])
    e = rng.normal(size=4)
    e /= np.linalg.norm(e)
    x, joints = rng.normal(size=3), rng.uniform(-3, 3, robot.nv - 6)
    v, a = rng.normal(size=(2, robot.nv))
    theirs, places = pin.neutral(model), list(range(6))
    theirs[:7] = [*x, *e[1:], e[0]]
    for name, value in zip(robot.joint_names[1:], joints, strict=True):
        j = model.joints[model.getJointId(name)]
        theirs[j.idx_q : j.idx_q + j.nq] = [value] if j.nq == 1 else [math.cos(value), math.sin(value)]
        places.append(j.idx_v)

    def sorted_(u: Floats) -> Floats:
        out = np.zeros(model.nv)
        out[places] = u
        return out

    q = np.r_[x, e, joints]
    lost = np.r_[
        np.zeros(6), [float(b.FV) * r + float(b.FS) * np.sign(r) for b, r in zip(robot.bodies[1:], v[6:], strict=True)]
    ]
    tau = robot.inverse_dynamics().evaluate(q=q, qd=v, qdd=a)["tau"]
    close(tau, pin.rnea(model, data, theirs, sorted_(v), sorted_(a))[places] + lost, "torques")
    close(robot.center_of_mass().evaluate(q=q)["c"], pin.centerOfMass(model, data, theirs), "centre of mass")
    pin.framesForwardKinematics(model, data, theirs)
    for frame in model.frames:
        if frame.type == pin.FrameType.BODY and frame.name not in ("base", "universe"):
            k = model.getFrameId(frame.name, pin.FrameType.BODY)
            close(robot.pose(frame.name).evaluate(q=q)["T"], data.oMf[k].homogeneous, frame.name)


def test_names() -> None:
    text = '<robot name="r"><link name="trunk"><inertial><mass value="2"/>{}</inertial></link></robot>'.format(
        '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
    )
    robot = urdf.read(text, floating=True)
    assert robot.joint_names == ("root_joint",) and robot.bodies[0].name == "trunk_body"
    assert robot.frame_names == ("world", "base", "trunk_body", "trunk")
    assert robot.q_names[:4] == ("root_joint_x", "root_joint_y", "root_joint_z", "root_joint_ow")
    assert robot.bodies[0].inertia.M == 2
    assert urdf.read(text).nv == 0


def test_a_world_cannot_float() -> None:
    text = (
        '<robot name="r"><link name="world"/><link name="trunk"/>'
        '<joint name="j" type="fixed"><parent link="world"/><child link="trunk"/></joint></robot>'
    )
    with pytest.raises(FormatError, match="the link 'world' moves"):
        urdf.read(text, floating=True)
