"""Bodies that float or glide: every model against Pinocchio's free-flyer and planar joints."""

from dataclasses import replace

import numpy as np
import pinocchio as pin
import pytest
from numpy.typing import NDArray
from reference.pinocchio import elementary
from reference.random_trees import random_inertial, random_placement, random_tree

from armillary.models import Robot
from armillary.robot import JOINTS, Body, Description

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
        coordinates=coordinates,
        velocities=velocities,
    )
    names = ["root", *(b.name for b in chain.bodies)]
    bodies = [replace(b, parent=names[k]) for k, b in enumerate(chain.bodies)]
    return Robot.of(replace(chain, bodies=(root, *bodies)))


def peer(robot: Description) -> pin.Model:
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
    assert np.linalg.norm(ours - theirs) <= 1e-9 * max(1.0, np.linalg.norm(theirs)), what


@pytest.mark.parametrize("kind", ["free", "planar"])
@pytest.mark.parametrize("seed", range(50))
def test_against_pinocchio(seed: int, kind: str) -> None:
    rng = np.random.default_rng(seed)
    robot = moving(rng, 1 + seed % 7, kind)
    model = peer(robot)
    data = model.createData()
    q, pq = state(robot, rng)
    v, a = rng.normal(size=(2, robot.nv))
    tau = pin.rnea(model, data, pq, v, a)
    given = {"q": q, "qd": v, "qdd": a, "tau": tau}

    def value(name: str, **options: str) -> Floats:
        made = robot.derive(name, **options)
        return next(iter(made.evaluate(**{x.name: given[x.name] for x in made.inputs}).values()))

    close(value("inverse-dynamics"), tau, "inverse dynamics")
    A = np.triu(pin.crba(model, data, pq))
    A = A + np.triu(A, 1).T
    close(value("inertia-matrix"), A, "inertia matrix")
    G = pin.computeGeneralizedGravity(model, data, pq)
    close(value("gravity-torques"), G, "gravity")
    close(value("coriolis-matrix") @ v, pin.rnea(model, data, pq, v, 0 * a) - G, "Coriolis matrix")
    close(value("kinetic-energy"), np.array(pin.computeKineticEnergy(model, data, pq, v)), "kinetic energy")
    if np.linalg.eigvalsh(A).min() > 1e-6 * np.abs(A).max():
        for method in ("articulated", "matrix"):
            found = value("direct-dynamics", method=method)
            residual = np.linalg.norm(A @ (found - a))
            assert residual <= 1e-11 * (np.linalg.norm(A, 2) * np.linalg.norm(found) + np.linalg.norm(tau)), method
    made = robot.inverse_dynamics_derivatives().evaluate(q=q, qd=v, qdd=a)
    pin.computeRNEADerivatives(model, data, pq, v, a)
    close(made["dtau_dq"], data.dtau_dq, "∂Γ/∂q")
    close(made["dtau_dqd"], data.dtau_dv, "∂Γ/∂q'")
    last = robot.bodies[-1].name
    pin.forwardKinematics(model, data, pq, v, a)
    close(robot.pose(last).evaluate(q=q)["T"], data.oMi[model.njoints - 1].homogeneous, "pose")
    frame = pin.getClassicalAcceleration(model, data, model.njoints - 1, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)
    found = robot.frame_acceleration(last).evaluate(q=q, qd=v, qdd=a)["a"]
    close(found, np.r_[frame.linear, frame.angular], "acceleration of the last link")


@pytest.mark.parametrize("kind", ["free", "planar"])
@pytest.mark.parametrize("seed", range(10))
def test_laws(seed: int, kind: str) -> None:
    """The energy changes by the power of all joints, the floating one's with them; base parameters are proven."""
    rng = np.random.default_rng(100 + seed)
    robot = moving(rng, 1 + seed % 4, kind)
    q, _ = state(robot, rng)
    qd, qdd = rng.normal(size=(2, robot.nv))
    given = {"q": q, "qd": qd, "qdd": qdd}

    def rate(model: str) -> Floats:
        made = robot.derive(model).time_derivative()
        return next(iter(made.evaluate(**{x.name: given[x.name] for x in made.inputs}).values()))

    tau = robot.inverse_dynamics().evaluate(**given)["tau"]
    assert abs(rate("kinetic-energy") + rate("potential-energy") - qd @ tau) <= 1e-9 * max(1, abs(qd @ tau))
    C = robot.coriolis_matrix().evaluate(q=q, qd=qd)["C"]
    S = rate("inertia-matrix") - 2 * C
    assert np.abs(S + S.T).max() <= 1e-10 * max(1, np.abs(C).max())
    base = robot.base_parameters()
    assert base.proof.rank == base.rank
    grouped = robot.inverse_dynamics(base_parameters=True).evaluate(**given)["tau"]
    assert np.abs(grouped - tau).max() <= 1e-9 * max(1, np.abs(tau).max())
