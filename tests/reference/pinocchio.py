"""The same robot in Pinocchio, an independent library, built joint by joint from a description with numbers."""

from dataclasses import dataclass

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from armillary.robot import Branch, Description, tree

Floats = NDArray[np.float64]


def elementary(kind: str, value: float) -> Floats:
    """The 4 x 4 matrix of a turn about, or a shift along, a coordinate axis."""
    T = np.eye(4)
    k = "xyz".index(kind[1])
    if kind[0] == "T":
        T[k, 3] = value
    else:
        i, j = (k + 1) % 3, (k + 2) % 3
        T[i, i] = T[j, j] = np.cos(value)
        T[j, i], T[i, j] = np.sin(value), -np.sin(value)
    return T


@dataclass
class Peer:
    """A Pinocchio model, its data, and the places of our coordinates and velocities in its vectors."""

    model: pin.Model
    data: pin.Data
    q_order: list[int]
    v_order: list[int]
    joint_of: dict[str, tuple[int, pin.SE3]]
    on_circle: list[int]

    def q(self, q: Floats) -> Floats:
        """Our q in Pinocchio's order; the angle of a planar joint is its cosine and its sine there."""
        theirs = np.asarray(q)[self.q_order]
        for k in self.on_circle:
            theirs[k : k + 2] = np.cos(theirs[k]), np.sin(theirs[k])
        return theirs

    def v(self, v: Floats) -> Floats:
        """Our q' or q'' in Pinocchio's order."""
        return np.asarray(v)[self.v_order]

    def ours(self, v: Floats) -> Floats:
        """A vector of velocities or torques of Pinocchio in our order."""
        out = np.empty(len(self.v_order))
        out[self.v_order] = v
        return out

    def ours_square(self, M: Floats) -> Floats:
        """A matrix of Pinocchio in our order."""
        out = np.empty_like(M)
        out[np.ix_(self.v_order, self.v_order)] = M
        return out


def depth_first(bodies: tuple[Branch, ...]) -> list[Branch]:
    """The order that Pinocchio's composite-body algorithm takes for granted."""
    found: list[Branch] = []

    def visit(parent: int) -> None:
        for k, body in enumerate(bodies):
            if body.parent == parent:
                found.append(body)
                visit(k)

    visit(-1)
    return found


def peer(robot: Description) -> Peer:
    """The robot in Pinocchio."""
    model = pin.Model()
    model.gravity = pin.Motion(np.array([float(x) for x in robot.base.gravity]), np.zeros(3))
    joint_of: dict[str, tuple[int, pin.SE3]] = {"base": (0, pin.SE3.Identity())}
    bodies = tree(robot, float).bodies
    q_order: list[int] = []
    v_order: list[int] = []
    on_circle: list[int] = []
    for branch in depth_first(bodies):
        body = robot.body(branch.name)
        T = np.eye(4)
        for kind, value in branch.steps:
            T = T @ elementary(kind, value)
        host, offset = joint_of[body.parent]
        placement = offset * pin.SE3(T)
        XX, XY, XZ, YY, YZ, ZZ, MX, MY, MZ, M = map(float, body.inertia)
        J, MS = np.array([[XX, XY, XZ], [XY, YY, YZ], [XZ, YZ, ZZ]]), np.array([MX, MY, MZ])
        c = MS / M if M else np.zeros(3)
        S = pin.skew(c)
        inertia = pin.Inertia(M, c, J + M * S @ S)
        match body.joint.kind:
            case "fixed":
                if host:
                    model.appendBodyToJoint(host, inertia, placement)
                joint_of[body.name] = (host, placement)
                continue
            case "revolute":
                joint = pin.JointModelRZ()
            case "prismatic":
                joint = pin.JointModelPZ()
            case "helical":
                joint = pin.JointModelHZ(float(body.pitch))
            case "free":
                joint = pin.JointModelFreeFlyer()
            case "planar":
                joint = pin.JointModelPlanar()
            case _:
                joint = pin.JointModelSpherical()
        k = model.addJoint(host, joint, placement, body.joint_name)
        model.appendBodyToJoint(k, inertia, pin.SE3.Identity())
        joint_of[body.name] = (k, pin.SE3.Identity())
        q = list(range(branch.q.start, branch.q.stop))
        if body.joint.kind == "planar":
            on_circle.append(len(q_order) + 2)
            q.append(q[2])
        quaternion = body.joint.quaternion
        q_order += q if quaternion is None else [*q[:quaternion], *q[quaternion + 1 :], q[quaternion]]
        v_order += range(branch.v.start, branch.v.stop)
    return Peer(model, model.createData(), q_order, v_order, joint_of, on_circle)


def losses(robot: Description, qd: Floats, qdd: Floats) -> Floats:
    """IA q'' + FV q' + FS sign(q'), which Pinocchio's algorithms leave out."""
    IA, FV, FS = (
        np.array([float(getattr(b, name)) for b in robot.bodies for _ in range(b.joint.nv)])
        for name in ("IA", "FV", "FS")
    )
    return IA * qdd + FV * qd + FS * np.sign(qd)


def rotor_inertias(robot: Description) -> Floats:
    """diag(IA)."""
    return np.diag([float(b.IA) for b in robot.bodies for _ in range(b.joint.nv)])
