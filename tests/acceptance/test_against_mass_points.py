"""Fifty random trees against heaps of mass points whose positions are differentiated in sixty digits.

A second reference besides Pinocchio, and one that also knows bases that move, reaction wrenches and rotors.
"""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from armillary.models import derive
from armillary.program import evaluate
from armillary.robot import Description
from reference.mass_points import MassPoints
from reference.random_trees import KINDS, random_state, random_tree, tilted

Floats = NDArray[np.float64]
TREES = 50
TOLERANCE = 1e-10


def tree_of(seed: int) -> tuple[Description, np.random.Generator]:
    """1 to 6 bodies with wrenches, rotors and friction; the base moves in every second one; every kind of joint has its turn."""
    rng = np.random.default_rng([seed, 50])
    first = (KINDS[2 + seed % 5],)
    robot = random_tree(rng, 1 + seed % 6, kinds=first if seed % 6 == 0 else KINDS)
    if seed % 3 == 0:
        robot = replace(robot, bodies=tuple(tilted(b, rng) for b in robot.bodies))
    bodies = tuple(replace(b, wrench=tuple(rng.normal(size=6).tolist())) for b in robot.bodies)
    base = robot.base
    if seed % 2:
        base = replace(
            base, velocity=tuple(rng.normal(size=6).tolist()), acceleration=tuple(rng.normal(size=6).tolist())
        )
    return replace(robot, bodies=bodies, base=base), rng


def close(ours: object, theirs: object, what: str) -> None:
    a, b = np.asarray(ours, dtype=float), np.asarray(theirs, dtype=float)
    error = np.linalg.norm(a - b)
    assert a.shape == b.shape and error <= TOLERANCE * max(1.0, float(np.linalg.norm(b))), f"{what}: off by {error}"


def run(robot: Description, model: str, given: dict[str, Floats], **options: object) -> dict[str, Floats]:
    program = derive(robot, model, **options)  # type: ignore[arg-type]
    return evaluate(program, {x.name: given[x.name] for x in program.inputs})


def at_rest(robot: Description) -> Description:
    """Without what the Coriolis and gravity models leave out: friction, wrenches, the base's motion."""
    bodies = tuple(replace(b, FV=0, FS=0, wrench=(0,) * 6) for b in robot.bodies)
    return replace(robot, bodies=bodies, base=replace(robot.base, velocity=(0,) * 6, acceleration=(0,) * 6))


@pytest.mark.parametrize("seed", range(TREES))
def test_every_model(seed: int) -> None:
    robot, rng = tree_of(seed)
    q, qd, qdd = random_state(rng, robot)
    given = {"q": q, "qd": qd, "qdd": qdd}
    heap = MassPoints(robot, q, qd, qdd)
    if robot.nv:
        dynamics(robot, heap, given)
    kinematics(robot, heap, given, robot.bodies[rng.integers(len(robot.bodies))].name)


def dynamics(robot: Description, heap: MassPoints, given: dict[str, Floats]) -> None:
    q, qd, qdd = (given[x] for x in ("q", "qd", "qdd"))
    tau, A = heap.torques(), heap.inertia_matrix()
    close(run(robot, "inverse-dynamics", given)["tau"], tau, "inverse dynamics")
    close(run(robot, "inertia-matrix", given)["A"], A, "inertia matrix")
    H = MassPoints(robot, q, qd).torques()
    close(run(robot, "bias-torques", given)["H"], H, "bias")
    close(run(robot, "kinetic-energy", given)["E"], heap.kinetic_energy(), "kinetic energy")
    close(run(robot, "potential-energy", given)["U"], heap.potential_energy(), "potential energy")
    still = at_rest(robot)
    G = MassPoints(still, q).torques()
    h = MassPoints(still, q, qd).torques() - G
    close(run(robot, "gravity-torques", given)["G"], G, "gravity")
    close(run(robot, "coriolis-torques", given)["h"], h, "Coriolis torques")
    close(run(robot, "coriolis-matrix", given)["C"] @ qd, h, "Coriolis matrix")
    found = run(robot, "reaction-wrenches", given)
    close(found["F0"], heap.reaction("base"), "wrench on the base")
    order = [robot.bodies[k].name for k in robot.order]
    close(found["F"], [heap.reaction(name) for name in order], "reaction wrenches")
    Y = derive(robot, "regressor").output("Y")
    chi = [parameter(robot, label) for label in Y.columns]
    outside = tau - MassPoints(replace(robot, bodies=without_wrenches(robot)), q, qd, qdd).torques()
    if all(b.joint.kind != "fixed" for b in robot.bodies):
        close(run(robot, "regressor", given)["Y"] @ chi + outside, tau, "regressor")
    if np.linalg.cond(A) < 1e8:
        known = robot.v_names[::2]
        held = np.array([name in known for name in robot.v_names])
        found = {
            m: run(robot, "direct-dynamics", given | {"tau": tau}, method=m)["qdd"] for m in ("articulated", "matrix")
        }
        mixed = run(robot, "hybrid-dynamics", given | {"given": np.where(held, qdd, tau)}, known=known)["found"]
        for a in found.values():
            solved(A, a, H, tau)
        solved(A, np.where(held, qdd, mixed), H, np.where(held, mixed, tau))
        solved(A, run(robot, "linearisation", given | {"tau": tau})["qdd"], H, tau)
    derivatives = run(robot, "inverse-dynamics-derivatives", given)
    close(derivatives["A"], A, "derivative by accelerations")
    close(derivatives["tau"], tau, "torques beside derivatives")


def solved(A: Floats, a: Floats, H: Floats, tau: Floats) -> None:
    size = np.linalg.norm(A, 2) * np.linalg.norm(a) + np.linalg.norm(H) + np.linalg.norm(tau)
    assert np.linalg.norm(A @ a + H - tau) <= 1e-11 * size


def parameter(robot: Description, label: str) -> float:
    name, body = label.split("_", 1)
    b = robot.body(body)
    return float(getattr(b if name in ("IA", "FV", "FS") else b.inertia, name))


def without_wrenches(robot: Description) -> tuple[object, ...]:
    return tuple(replace(b, wrench=(0,) * 6) for b in robot.bodies)


def kinematics(robot: Description, heap: MassPoints, given: dict[str, Floats], name: str) -> None:
    T, v, a, J = heap.pose(name), heap.velocity(name), heap.acceleration_of(name), heap.jacobian(name)
    asked = {"frame": name, "expressed_in": "base"}
    close(run(robot, "pose", given, frame=name)["T"], T, "pose")
    if not robot.nv:
        return
    close(run(robot, "frame-velocity", given, **asked)["v"], v, "velocity of a frame")
    close(run(robot, "frame-acceleration", given, **asked)["a"], a, "acceleration of a frame")
    close(run(robot, "jacobian", given, **asked)["J"], J, "Jacobian")
    rate = MassPoints(robot, heap.q, given["qd"]).acceleration_of(name)
    close(run(robot, "jacobian-rate", given, **asked)["JPQP"], rate, "J̇ q'")
    own = np.kron(np.eye(2), T[:3, :3].T)
    row = [robot.bodies[k].name for k in robot.order].index(name)
    close(run(robot, "velocities", given)["V"][row], own @ v, "velocity of a link")
    close(run(robot, "accelerations", given)["VP"][row], own @ a, "acceleration of a link")
