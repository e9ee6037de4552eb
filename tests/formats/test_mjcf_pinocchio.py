"""MJCF against Pinocchio's own reader of it: frames, torques, inertia matrix.

Pinocchio knows one hinge after another, balls and bodies that float, given inertias and solids; it has no friction in its
torques, and no springs, references or frames within bodies, which `test_mjcf` checks otherwise.
"""

from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

from armillary.dynamics.inertia_matrix import inertia_matrix
from armillary.dynamics.newton_euler import inverse_dynamics
from armillary.formats import mjcf
from armillary.geometry.pose import pose
from armillary.kinematics.motion import base_motion
from armillary.robot import Description, tree
from reference.random_mjcf import Floats, random_mjcf


def places(d: Description, model: pin.Model) -> tuple[list[int], list[int]]:
    """Where our coordinates and velocities stand in Pinocchio's, which has a body's joints in one, named for the first."""
    q, v = list[int](), list[int]()
    k = 0
    while k < len(d.bodies):
        name = d.bodies[k].joint_name
        joint = model.joints[model.getJointId(next(n for n in (name, f"Composite_{name}") if model.existJointName(n)))]
        last = k
        nv = 0
        while nv < joint.nv:
            nv += d.bodies[last].joint.nv
            last += 1
        at_q, at_v = joint.idx_q, joint.idx_v
        for body in d.bodies[k:last]:
            own = list(range(at_q, at_q + body.joint.nq))
            first = body.joint.quaternion
            if first is not None:  # (w, x, y, z) is (x, y, z, w) there
                own[first:] = [own[-1], *own[first:-1]]
            q += own
            v += range(at_v, at_v + body.joint.nv)
            at_q, at_v = at_q + body.joint.nq, at_v + body.joint.nv
        k = last
    return q, v


def state(rng: np.random.Generator, d: Description) -> Floats:
    """A random q, its quaternions of length 1."""
    q, at = rng.normal(size=d.nq), 0
    for body in d.bodies:
        first = body.joint.quaternion
        if first is not None:
            q[at + first : at + first + 4] /= np.linalg.norm(q[at + first : at + first + 4])
        at += body.joint.nq
    return q


def close(a: Floats, b: Floats, what: str) -> None:
    assert np.linalg.norm(np.asarray(a) - b) <= 1e-9 * max(1.0, float(np.linalg.norm(b))), what


@pytest.mark.parametrize("seed", range(150))
def test_random_files(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng([seed, 3])
    text, _ = random_mjcf(rng, 1 + seed % 9, plain=True, floats=seed % 3 == 0)
    path = tmp_path / "random.xml"
    path.write_text(text)
    d = mjcf.read(path)
    model = pin.buildModelFromMJCF(str(path))
    model.gravity.linear = np.array([float(x) for x in d.base.gravity])  # type: ignore[arg-type]
    data = model.createData()
    assert (d.nq, d.nv) == (model.nq, model.nv)
    at_q, at_v = places(d, model)
    q, v, a = state(rng, d), *rng.normal(size=(2, d.nv))
    theirs, rate, acceleration = pin.neutral(model), np.zeros(d.nv), np.zeros(d.nv)
    theirs[at_q], rate[at_v], acceleration[at_v] = q, v, a
    robot = tree(d, float)
    pin.framesForwardKinematics(model, data, theirs)
    for frame in model.frames:
        if frame.type in (pin.FrameType.BODY, pin.FrameType.OP_FRAME):
            ours = np.array(pose(robot, q, frame.name, "world").matrix(), dtype=float)
            close(ours, data.oMf[model.getFrameId(frame.name, frame.type)].homogeneous, frame.name)
    if not d.nv:
        return
    lost, spans = np.zeros(d.nv), iter(range(d.nv))
    for body in d.bodies:
        for k in [next(spans) for _ in range(body.joint.nv)]:
            lost[k] = float(body.FV) * v[k] + float(body.FS) * np.sign(v[k])  # type: ignore[arg-type]
    tau = np.array(inverse_dynamics(robot, q, v, a, base_motion(robot)), dtype=float)
    close(tau, pin.rnea(model, data, theirs, rate, acceleration)[at_v] + lost, "torques")
    M = np.reshape(pin.crba(model, data, theirs), (d.nv, d.nv))
    M = np.triu(M) + np.triu(M, 1).T
    ours = np.array(inertia_matrix(robot, q), dtype=float).reshape(d.nv, d.nv)
    close(ours, M[np.ix_(at_v, at_v)], "inertia matrix")
    for k, body in zip(at_v, (b for b in d.bodies for _ in range(b.joint.nv)), strict=True):
        if body.joint.nv == 1:  # the damping of a ball is lost there
            assert (model.damping[k], model.friction[k]) == (float(body.FV), float(body.FS))  # type: ignore[arg-type]
