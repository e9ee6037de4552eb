"""2,000 random trees, traced, optimised and interpreted, against Pinocchio: norm-wise to 1e-9, solves by their residual.

Pinocchio shares no formula with the algorithms here: it works with spatial vectors at joint frames, and knows neither
rotor inertia nor friction the way the description does; those are added by hand (`losses`).
"""

from dataclasses import replace

import numpy as np
import pinocchio as pin
import pytest
from numpy.typing import NDArray
from reference.pinocchio import Peer, losses, peer, rotor_inertias
from reference.random_trees import random_placement, random_state, random_tree

from armillary.models import derive
from armillary.program import evaluate
from armillary.robot import Description, Frame

Floats = NDArray[np.float64]
TREES = 2000
CHUNKS = 80
TOLERANCE = 1e-9


def tree_of(seed: int) -> tuple[Description, np.random.Generator]:
    """1 to 30 bodies, few more often than many; every third carries wrenches, every second further frames."""
    rng = np.random.default_rng(seed)
    n = 1 + int(30 * rng.random() ** 2)
    robot = random_tree(rng, n, losses=seed % 4 != 0)
    if seed % 3 == 0:
        bodies = [replace(b, wrench=tuple(rng.normal(size=6).tolist())) for b in robot.bodies]
        robot = replace(robot, bodies=tuple(bodies))
    if seed % 2 == 0:
        on = robot.bodies[rng.integers(n)].name
        robot = replace(robot, frames=(Frame("tool", on, random_placement(rng)),))
    base = replace(robot.base, placement=random_placement(rng))
    return replace(robot, base=base), rng


def close(ours: Floats, theirs: Floats, what: str, size: float = 0.0) -> None:
    """|ours - theirs| <= 1e-9 max(|theirs|, size, 1)."""
    error = np.linalg.norm(np.asarray(ours) - np.asarray(theirs))
    assert error <= TOLERANCE * max(np.linalg.norm(theirs), size, 1.0), f"{what}: off by {error}"


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_trees(chunk: int) -> None:
    for seed in range(chunk * TREES // CHUNKS, (chunk + 1) * TREES // CHUNKS):
        robot, rng = tree_of(seed)
        try:
            compare(robot, rng, seed)
        except AssertionError as error:
            raise AssertionError(f"tree {seed}: {error}") from None


def compare(robot: Description, rng: np.random.Generator, seed: int) -> None:
    other = peer(robot)
    q, qd, qdd = random_state(rng, robot)
    given = {"q": q, "qd": qd, "qdd": qdd}
    if robot.nv:
        dynamics(robot, other, given, rng)
    kinematics(robot, other, given, rng)


def run(robot: Description, model: str, given: dict[str, Floats], **options: object) -> dict[str, Floats]:
    program = derive(robot, model, **options)  # type: ignore[arg-type]
    return evaluate(program, {x.name: given[x.name] for x in program.inputs})


def dynamics(robot: Description, other: Peer, given: dict[str, Floats], rng: np.random.Generator) -> None:
    q, qd, qdd = given["q"], given["qd"], given["qdd"]
    m, data, pq, pv, pa = other.model, other.data, other.q(q), other.v(qd), other.v(qdd)
    outside = external(robot, other)
    tau = run(robot, "inverse-dynamics", given)["tau"]
    their_tau = other.ours(pin.rnea(m, data, pq, pv, pa, outside)) + losses(robot, qd, qdd)
    close(tau, their_tau, "inverse dynamics")

    A = run(robot, "inertia-matrix", given)["A"]
    upper = np.triu(np.reshape(pin.crba(m, data, pq), (m.nv, m.nv)))
    theirs = other.ours_square(upper + np.triu(upper, 1).T) + rotor_inertias(robot)
    close(A, theirs, "inertia matrix")

    zero = np.zeros(m.nv)
    gravity = other.ours(pin.computeGeneralizedGravity(m, data, pq))
    close(run(robot, "gravity-torques", given)["G"], gravity, "gravity torques")
    h = other.ours(pin.rnea(m, data, pq, pv, zero)) - gravity
    close(run(robot, "coriolis-torques", given)["h"], h, "Coriolis torques", float(np.linalg.norm(gravity)))
    C = run(robot, "coriolis-matrix", given)["C"]
    close(C @ qd, h, "Coriolis matrix times velocity", float(np.linalg.norm(gravity)))
    bias = other.ours(pin.rnea(m, data, pq, pv, zero, outside)) + losses(robot, qd, 0 * qdd)
    close(run(robot, "bias-torques", given)["H"], bias, "bias")

    kinetic = pin.computeKineticEnergy(m, data, pq, pv) + 0.5 * qd @ rotor_inertias(robot) @ qd
    close(run(robot, "kinetic-energy", given)["E"], kinetic, "kinetic energy")
    potential = pin.computePotentialEnergy(m, data, pq)
    close(run(robot, "potential-energy", given)["U"], potential, "potential energy")

    if np.linalg.eigvalsh(theirs).min() > 1e-9 * np.abs(theirs).max():
        for method in ("articulated", "matrix"):
            found = run(robot, "direct-dynamics", given | {"tau": their_tau}, method=method)["qdd"]
            residual = theirs @ found + bias - their_tau
            size = np.linalg.norm(theirs, 2) * np.linalg.norm(found) + np.linalg.norm(bias) + np.linalg.norm(their_tau)
            assert np.linalg.norm(residual) <= 1e-11 * size, f"{method}: residual {np.linalg.norm(residual) / size}"
        known = [bool(b) for b in rng.random(robot.nv) < 0.5]
        mixed = np.where(known, qdd, their_tau)
        names = tuple(name for name, held in zip(robot.v_names, known, strict=True) if held)
        found = run(robot, "hybrid-dynamics", given | {"given": mixed}, known=names)["found"]
        a, t = np.where(known, qdd, found), np.where(known, found, their_tau)
        size = np.linalg.norm(theirs, 2) * np.linalg.norm(a) + np.linalg.norm(bias) + np.linalg.norm(t)
        assert np.linalg.norm(theirs @ a + bias - t) <= 1e-11 * size, "hybrid dynamics"


def kinematics(robot: Description, other: Peer, given: dict[str, Floats], rng: np.random.Generator) -> None:
    m, data = other.model, other.data
    pq, pv, pa = other.q(given["q"]), other.v(given["qd"]), other.v(given["qdd"])
    pin.forwardKinematics(m, data, pq, pv, pa)
    pin.computeJointJacobians(m, data, pq)
    body = robot.bodies[rng.integers(len(robot.bodies))]
    joint, offset = other.joint_of[body.name]
    there = data.oMi[joint] * offset
    close(run(robot, "pose", given, frame=body.name)["T"], there.homogeneous, "pose")
    if not robot.nv:
        return

    frame = pin.Frame("asked", joint, 0, offset, pin.FrameType.OP_FRAME)
    k = m.addFrame(frame, False)
    data = m.createData()
    pin.forwardKinematics(m, data, pq, pv, pa)
    pin.computeJointJacobians(m, data, pq)
    pin.updateFramePlacements(m, data)
    aligned = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
    J = pin.getFrameJacobian(m, data, k, aligned)
    ours = np.zeros((6, m.nv))
    ours[:, other.v_order] = np.reshape(J, (6, m.nv))
    asked = {"frame": body.name, "expressed_in": "base"}
    close(run(robot, "jacobian", given, **asked)["J"], ours, "Jacobian")
    v = pin.getFrameVelocity(m, data, k, aligned)
    close(run(robot, "frame-velocity", given, **asked)["v"], np.r_[v.linear, v.angular], "frame velocity")
    a = pin.getFrameClassicalAcceleration(m, data, k, aligned)
    a = np.r_[a.linear, a.angular]
    close(run(robot, "frame-acceleration", given, **asked)["a"], a, "frame acceleration")
    rate = run(robot, "jacobian-rate", given, **asked)["JPQP"]
    close(rate + ours @ given["qdd"], a, "J̇ q'")
    local = pin.getFrameVelocity(m, data, k, pin.ReferenceFrame.LOCAL)
    place = [b.name for b in robot.bodies].index(body.name)
    order = [robot.bodies[i].name for i in robot.order]
    V = run(robot, "velocities", given)["V"][order.index(robot.bodies[place].name)]
    close(V, np.r_[local.linear, local.angular], "velocity of a link")
    acceleration = pin.getFrameClassicalAcceleration(m, data, k, pin.ReferenceFrame.LOCAL)
    VP = run(robot, "accelerations", given)["VP"][order.index(body.name)]
    close(VP, np.r_[acceleration.linear, acceleration.angular], "acceleration of a link")


def external(robot: Description, other: Peer) -> list[pin.Force]:
    """Pinocchio's external forces act on the links, ours are what links exert: the opposite sign."""
    forces = [pin.Force.Zero() for _ in range(other.model.njoints)]
    for body in robot.bodies:
        joint, offset = other.joint_of[body.name]
        w = np.array([float(x) for x in body.wrench])
        if joint:
            forces[joint] = forces[joint] - offset.act(pin.Force(w[:3], w[3:]))
    return forces
