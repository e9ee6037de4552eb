"""MJCF against MuJoCo itself, where it is installed: everything that is read, in random files.

Its soft constraints are left out of the forces and compared by what they measure.
"""

import numpy as np
import pytest

from armillary.dynamics.inertia_matrix import inertia_matrix
from armillary.dynamics.newton_euler import inverse_dynamics
from armillary.errors import RobotError
from armillary.formats import mjcf
from armillary.geometry.pose import pose
from armillary.kinematics.motion import base_motion
from armillary.robot import Description, Limits, Tree, tree
from armillary.robot.tree import Mount
from reference.random_mjcf import Floats, random_mjcf

mujoco = pytest.importorskip("mujoco")


def state(rng: np.random.Generator, model: "mujoco.MjModel") -> Floats:
    """A random q, its quaternions of length 1."""
    q = rng.normal(size=model.nq)
    for k, at in zip(model.jnt_type, model.jnt_qposadr, strict=True):
        first = at + {int(mujoco.mjtJoint.mjJNT_FREE): 3, int(mujoco.mjtJoint.mjJNT_BALL): 0}.get(int(k), model.nq)
        if first < model.nq:
            q[first : first + 4] /= np.linalg.norm(q[first : first + 4])
    return q


def matrix(T: object) -> Floats:
    return np.array([[float(x) for x in row] for row in T.matrix()])  # type: ignore[attr-defined]


def close(a: Floats, b: Floats, what: str) -> None:
    assert np.linalg.norm(np.asarray(a) - b) <= 1e-9 * max(1.0, float(np.linalg.norm(b))), what


def check_frames(robot: Tree, q: Floats, model: "mujoco.MjModel", data: "mujoco.MjData") -> None:
    for k in range(1, model.nbody):
        T = matrix(pose(robot, q, model.body(k).name, "world"))
        close(T[:3], np.c_[data.xmat[k].reshape(3, 3), data.xpos[k]], model.body(k).name)
    for k in range(model.nsite):
        T = matrix(pose(robot, q, model.site(k).name, "world"))
        close(T[:3], np.c_[data.site_xmat[k].reshape(3, 3), data.site_xpos[k]], model.site(k).name)


def check_dynamics(
    d: Description, robot: Tree, q: Floats, v: Floats, a: Floats, model: "mujoco.MjModel", data: "mujoco.MjData"
) -> None:
    """A body that floats has its velocity along the world's axes there, along its own here: v = B v_own."""
    B, acceleration = np.eye(model.nv), a.copy()
    if model.jnt_type[0] == mujoco.mjtJoint.mjJNT_FREE:
        R = np.zeros(9)
        mujoco.mju_quat2Mat(R, q[3:7])
        B[:3, :3] = R.reshape(3, 3)
        acceleration[:3] += np.cross(v[3:6], v[:3])
    off = mujoco.mjtDisableBit
    model.opt.disableflags |= off.mjDSBL_CONTACT | off.mjDSBL_CONSTRAINT
    data.qpos[:], data.qvel[:], data.qacc[:] = q, B @ v, B @ acceleration
    mujoco.mj_inverse(model, data)
    lost = np.array([float(b.FS) for b in d.bodies for _ in range(b.joint.nv)]) * np.sign(v)  # type: ignore[arg-type]
    tau = np.array(inverse_dynamics(robot, q, v, a, base_motion(robot)), dtype=float)
    close(tau, B.T @ data.qfrc_inverse + lost, "torques")
    M = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, M)
    close(np.array(inertia_matrix(robot, q), dtype=float).reshape(M.shape), B.T @ M @ B, "inertia matrix")


def check_ties(d: Description, robot: Tree, q: Floats, model: "mujoco.MjModel", data: "mujoco.MjData") -> None:
    """Distances of the points held together, sines of half the angles of the bodies, and how far coordinates are off."""
    rows = {k: data.efc_pos[(data.efc_id == k) & (data.efc_type == 0)] for k in range(model.neq)}
    names = [body.name for body in robot.bodies]
    coordinates = dict(zip(d.q_names, q, strict=True))

    def place(mount: Mount) -> Floats:
        k, T = mount
        return (matrix(pose(robot, q, names[k] if k >= 0 else "base", "world"))) @ matrix(T)

    cuts, couplings = iter(robot.cuts), iter(d.couplings)
    for k in range(model.neq):
        found = rows[k]
        if model.eq_type[k] == mujoco.mjtEq.mjEQ_JOINT:
            c = next(couplings)
            ours = coordinates[c.joint] - float(c.ratio) * coordinates[c.leader] - float(c.offset)  # type: ignore[arg-type]
            close(np.array([ours]), found, "coupling")
            continue
        cut = next(cuts)
        a, b = place(cut.a), place(cut.b)
        close(np.linalg.norm(a[:3, 3] - b[:3, 3]), np.linalg.norm(found[:3]), cut.name)
        assert cut.kind.kind == ("spherical" if len(found) == 3 else "fixed")
        if len(found) == 6:
            half = np.sqrt(max(0.0, 3 - np.trace(a[:3, :3].T @ b[:3, :3]))) / 2
            assert abs(half - np.linalg.norm(found[3:])) < 1e-7, cut.name


@pytest.mark.parametrize("seed", range(200))
def test_random_files(seed: int) -> None:
    rng = np.random.default_rng([seed, 5])
    text, _ = random_mjcf(rng, 1 + seed % 9, floats=seed % 3 == 0, tied=seed % 2 == 0)
    model = mujoco.MjModel.from_xml_string(text)
    try:
        d = mjcf.read(text)
    except RobotError as error:
        assert "give it two links that joints move against each other" in str(error)
        return
    data, robot = mujoco.MjData(model), tree(d, float)
    assert d.joint_names == tuple(model.joint(k).name for k in range(model.njnt))
    assert (d.nq, d.nv) == (model.nq, model.nv)
    for k, body in enumerate(d.bodies):
        if body.joint.nv == 1:
            [said] = body.limits or [Limits()]
            assert (said.lower is not None) == bool(model.jnt_limited[k])
            close([said.lower or 0, said.upper or 0], model.jnt_range[k], body.name)
            close([float(body.stiffness)], [model.jnt_stiffness[k]], body.name)  # type: ignore[arg-type]
    q, v, a = state(rng, model), *rng.normal(size=(2, model.nv))
    data.qpos[:] = q
    mujoco.mj_forward(model, data)
    check_frames(robot, q, model, data)
    check_ties(d, robot, q, model, data)
    if d.nv:
        check_dynamics(d, robot, q, v, a, model, data)


SOLID = '<geom type="box" size="0.1 0.2 0.3" pos="0.1 0 0"/>'

FILES = {
    "classes": (
        '<default><joint damping="1" armature="2"/><default class="a"><joint damping="3" axis="1 0 0"/><default class="b">'
        '<joint armature="4"/></default></default></default><default><joint springref="6" stiffness="5"/></default>',
        f'<body><joint/>{SOLID}<body childclass="b"><joint/>{SOLID}<body><joint class="a"/>{SOLID}</body><body childclass="a">'
        f'<joint damping="7"/>{SOLID}</body><frame childclass="main"><body><joint/>{SOLID}</body></frame></body></body>',
        "",
    ),
    "default orientations": (
        '<default><geom euler="90 0 30"/><site euler="0 90 0"/><default class="q"><geom quat="1 2 3 4"/></default></default>',
        f'<body><joint type="ball"/>{SOLID}<geom class="q" type="ellipsoid" size="0.1 0.2 0.3"/><site name="s"/>'
        '<geom type="box" size="0.1 0.2 0.3" zaxis="1 2 3"/></body>',
        "",
    ),
    "bounds": (
        '<compiler boundmass="3" boundinertia="0.5" balanceinertia="true" inertiagrouprange="1 2"/>',
        '<body><joint type="ball"/><inertial pos="0 0 0" mass="1" diaginertia="1 2 9" quat="1 2 3 4"/>'
        '<body><joint/><inertial pos="1 0 0" mass="8" fullinertia="0.3 0.4 0.6 0.1 0 0.1"/></body>'
        '<body><joint/><geom type="box" size="0.9 0.2 0.3" group="1"/><geom size="1" group="3"/></body></body>',
        "",
    ),
    "inertia from geoms": (
        '<compiler inertiafromgeom="true"/>',
        f'<body><joint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>{SOLID}</body>',
        "",
    ),
    "actuators": (
        '<default><general gear="10"/><default class="m"><position gear="3"/></default></default>',
        f'<body><joint name="a"/>{SOLID}<body pos="0 1 0"><joint name="b" type="slide"/>{SOLID}</body></body>',
        '<actuator><motor joint="a" armature="2" damping="3"/><motor class="m" joint="b" armature="1"/>'
        '<motor joint="b" gear="0.5" damping="4"/></actuator>',
    ),
    "a floating body in honey": ("", f'<body><joint type="free" damping="2"/>{SOLID}</body>', ""),
    "total mass": (
        '<compiler settotalmass="7" boundmass="0.5"/>',
        f'<body>{SOLID}</body><body><joint/><inertial pos="1 0 0" mass="0.1" diaginertia="1 1 1"/></body>',
        "",
    ),
    "weightless": ('<option gravity="1 2 3"><flag gravity="disable"/></option>', f"<body><joint/>{SOLID}</body>", ""),
}


@pytest.mark.parametrize("name", FILES)
def test_settings_and_classes(name: str) -> None:
    rng = np.random.default_rng(len(name))
    before, inner, after = FILES[name]
    text = f"<mujoco>{before}<worldbody>{inner}</worldbody>{after}</mujoco>"
    model, d = mujoco.MjModel.from_xml_string(text), mjcf.read(text)
    data, robot = mujoco.MjData(model), tree(d, float)
    q, v, a = state(rng, model), *rng.normal(size=(2, model.nv))
    data.qpos[:] = q
    mujoco.mj_forward(model, data)
    for k in range(model.nsite):
        T = matrix(pose(robot, q, model.site(k).name, "world"))
        close(T[:3], np.c_[data.site_xmat[k].reshape(3, 3), data.site_xpos[k]], model.site(k).name)
    check_dynamics(d, robot, q, v, a, model, data)
