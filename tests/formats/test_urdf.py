"""URDF against Pinocchio's reader and algorithms: frames, Jacobians, wrenches, dynamics; and what each element means."""

import math
from dataclasses import dataclass

import numpy as np
import pinocchio as pin
import pytest

from armillary.dynamics.inertia_matrix import inertia_matrix
from armillary.dynamics.newton_euler import newton_euler
from armillary.formats import urdf
from armillary.geometry.pose import pose
from armillary.kinematics.jacobian import Route, jacobian
from armillary.kinematics.motion import base_motion
from armillary.robot import Description, Tree, tree
from reference.random_urdf import Floats, random_urdf


@dataclass
class Pair:
    """One file, read by both."""

    ours: Description
    tree: Tree
    model: pin.Model
    data: pin.Data
    root: str

    def q(self, q: Floats) -> Floats:
        """Our q as Pinocchio's, which keeps the cosine and sine of a continuous joint."""
        out = pin.neutral(self.model)
        for name, x in zip(self.ours.q_names, q, strict=True):
            j = self.model.joints[self.model.getJointId(name)]
            out[j.idx_q : j.idx_q + j.nq] = [x] if j.nq == 1 else [math.cos(x), math.sin(x)]
        return out

    @property
    def places(self) -> list[int]:
        """Where each of our velocities stands in Pinocchio's."""
        return [self.model.joints[self.model.getJointId(name)].idx_v for name in self.ours.joint_names]

    def v(self, v: Floats) -> Floats:
        out = np.zeros(self.model.nv)
        out[self.places] = v
        return out


def both(text: str, root: str = "base_link", **options: float) -> Pair:
    ours = urdf.read(text, **options)
    model = pin.buildModelFromXML(text)
    return Pair(ours, tree(ours, float), model, model.createData(), root)


def matrix(T: object) -> Floats:
    return np.array([[float(x) for x in row] for row in T.matrix()])  # type: ignore[attr-defined]


def state(rng: np.random.Generator, pair: Pair) -> tuple[Floats, Floats, Floats]:
    n = pair.ours.nv
    return rng.uniform(-3, 3, n), rng.normal(size=n), rng.normal(size=n)


def close(a: Floats, b: Floats, tolerance: float = 1e-9) -> bool:
    """|a - b| <= tolerance max(1, |b|)."""
    return bool(np.linalg.norm(np.asarray(a) - b) <= tolerance * max(1.0, float(np.linalg.norm(b))))


def check_frames(pair: Pair, q: Floats) -> None:
    """Pose and Jacobian of every link, in the root's frame."""
    theirs = pair.q(q)
    pin.forwardKinematics(pair.model, pair.data, theirs)
    pin.updateFramePlacements(pair.model, pair.data)
    if pair.ours.nv:  # with no joint at all Pinocchio's Jacobians crash
        pin.computeJointJacobians(pair.model, pair.data, theirs)
    links = [f for f in pair.model.frames if f.type == pin.FrameType.BODY]
    assert {f.name for f in links} <= set(pair.ours.frame_names)
    for frame in links:
        k = pair.model.getFrameId(frame.name, pin.FrameType.BODY)
        assert close(matrix(pose(pair.tree, q, frame.name, pair.root)), pair.data.oMf[k].homogeneous), frame.name
        if not pair.ours.nv:
            continue
        J = np.array(jacobian(pair.tree, q, frame.name, pair.root, Route("base", 0)), dtype=float).reshape(6, -1)
        expected = np.reshape(pin.getFrameJacobian(pair.model, pair.data, k, pin.LOCAL_WORLD_ALIGNED), (6, -1))
        assert close(J, expected[:, pair.places]), frame.name


def check_dynamics(pair: Pair, q: Floats, v: Floats, a: Floats) -> None:
    """Torques, the wrench through every joint, and the mass matrix."""
    theirs = pair.q(q)
    tau = pin.rnea(pair.model, pair.data, theirs, pair.v(v), pair.v(a))[pair.places]
    lost = np.array([float(b.FV) for b in pair.ours.bodies]) * v
    lost += np.array([float(b.FS) for b in pair.ours.bodies]) * np.sign(v)
    found = newton_euler(pair.tree, q, v, a, base_motion(pair.tree))
    assert close(np.array(found.torques, dtype=float), tau + lost)
    for body, (f, n) in zip(pair.tree.bodies, found.wrenches, strict=True):
        k = pair.model.getJointId(pair.ours.body(body.name).joint_name)
        child = next(
            f.name
            for f in pair.model.frames
            if f.type == pin.FrameType.BODY and f.parentJoint == k and np.allclose(f.placement.homogeneous, np.eye(4))
        )
        f, n = pose(pair.tree, q, body.name, child).force(f, n)
        assert close(np.array([*f, *n], dtype=float), pair.data.f[k].vector), body.name
    M = pin.crba(pair.model, pair.data, theirs)
    M = np.reshape(M, (len(q), len(q)))
    M = np.triu(M) + np.triu(M, 1).T
    ours = np.array(inertia_matrix(pair.tree, q), dtype=float).reshape(len(q), len(q))
    assert close(ours, M[np.ix_(pair.places, pair.places)])


@pytest.mark.parametrize("seed", range(300))
def test_random_trees_agree_with_pinocchio(seed: int) -> None:
    rng = np.random.default_rng(seed)
    root = ("base_link", "base", "world", "root")[seed % 4]
    pair = both(random_urdf(rng, int(rng.integers(1, 13)), root=root), root)
    assert sorted(pair.ours.joint_names) == sorted(pair.model.names[1:])
    assert pair.ours.nv == pair.model.nv
    for _ in range(2):
        q, v, a = state(rng, pair)
        check_frames(pair, q)
        if pair.ours.nv:
            check_dynamics(pair, q, v, a)
