"""Random robots whose first body floats or glides, and the same in Pinocchio, with its free-flyer and planar joints."""

from dataclasses import replace

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from armillary.models import Robot
from armillary.robot import JOINTS, Body, Description
from reference.pinocchio import elementary
from reference.random_trees import random_inertial, random_placement, random_tree

Floats = NDArray[np.float64]
PEERS = {
    "revolute": pin.JointModelRZ,
    "prismatic": pin.JointModelPZ,
    "spherical": pin.JointModelSpherical,
    "free": pin.JointModelFreeFlyer,
    "planar": pin.JointModelPlanar,
}


def moving(rng: np.random.Generator, n: int, kind: str) -> Robot:
    """A chain of n bodies, the first of which floats, or the last one too."""
    chain = random_tree(rng, n, kinds=("revolute", "prismatic", "spherical"), losses=False)
    joint = JOINTS[kind]
    coordinates, velocities = (tuple(f"base{mark}" for mark in marks) for marks in joint.marks)
    root = Body(
        "root",
        "base",
        joint,
        random_placement(rng),
        random_inertial(rng),
        joint_name="float",
        actuated=False,
        coordinates=coordinates,
        velocities=velocities,
    )
    names = ["root", *(b.name for b in chain.bodies)]
    bodies = [replace(b, parent=names[k]) for k, b in enumerate(chain.bodies)]
    return Robot.of(replace(chain, bodies=(root, *bodies)))


def peer(robot: Description) -> pin.Model:
    """The robot in Pinocchio, without rotors and friction."""
    model = pin.Model()
    model.gravity = pin.Motion(np.array([float(x) for x in robot.base.gravity]), np.zeros(3))
    carrier = 0
    for body in robot.bodies:
        T = np.eye(4)
        for kind, value in body.placement.steps(float):
            T = T @ elementary(kind, value)
        XX, XY, XZ, YY, YZ, ZZ, MX, MY, MZ, M = map(float, body.inertia)
        c = np.array([MX, MY, MZ]) / M if M else np.zeros(3)
        S = pin.skew(c)
        inertia = pin.Inertia(M, c, np.array([[XX, XY, XZ], [XY, YY, YZ], [XZ, YZ, ZZ]]) + M * S @ S)
        carrier = model.addJoint(carrier, PEERS[body.joint.kind](), pin.SE3(T), body.name)
        model.appendBodyToJoint(carrier, inertia, pin.SE3.Identity())
    return model


def state(robot: Description, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """q as ours and as Pinocchio's."""
    ours: list[float] = []
    theirs: list[float] = []
    for body in robot.bodies:
        joint = body.joint
        start = joint.nq if joint.quaternion is None else joint.quaternion
        plain = rng.normal(size=start).tolist()
        e = rng.normal(size=4)
        e /= np.linalg.norm(e)
        if joint.quaternion is not None:
            ours += [*plain, *e.tolist()]
            theirs += [*plain, *e[1:].tolist(), float(e[0])]
        elif joint.kind == "planar":
            ours += plain
            theirs += [*plain[:2], np.cos(plain[2]), np.sin(plain[2])]
        else:
            ours += plain
            theirs += plain
    return np.array(ours), np.array(theirs)


def close(ours: Floats, theirs: Floats, what: str) -> None:
    """Within 1e-9 of its norm."""
    assert np.linalg.norm(ours - theirs) <= 1e-9 * max(1.0, np.linalg.norm(theirs)), what
