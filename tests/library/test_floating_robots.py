"""The robots of the library that nothing holds: what they weigh, where they stand at q = 0, and that they are whole."""

import numpy as np
import pytest
from numpy.typing import NDArray

import armillary as arm

Floats = NDArray[np.float64]
MASSES = {
    "planar_biped": 32.0, "biped": 49.6, "quadruped": 19.6, "humanoid30": 72.2, "snake": 4.0, "space_manipulator": 441.0,
    "quadrotor_arm": 2.05, "underwater_arm": 170.0,
}  # fmt: skip
HIGH = {
    ("planar_biped", "left_foot"): (0, 0, -0.8), ("biped", "right_sole"): (0, -0.09, -0.88), ("quadruped", "left_hind_foot"): (-0.2, 0.14, -0.4),
    ("humanoid30", "left_palm"): (0, 0.2, -0.1), ("humanoid30", "right_sole"): (0, -0.09, -0.88), ("eel12", "tail"): (-1.44, 0, 0),
    ("snake", "tail"): (-1.5, 0, 0), ("space_manipulator", "tool"): (3.1, 0, 0.6), ("quadrotor_arm", "rotor3"): (-0.2, -0.2, 0.04),
    ("quadrotor_arm", "gripper"): (0, 0, -0.35), ("underwater_arm", "tool"): (1.5, 0, -0.3),
}  # fmt: skip


def at_rest(robot: arm.Robot) -> Floats:
    """q = 0, without a turn."""
    q, k = np.zeros(robot.nq), 0
    for body in robot.bodies:
        if body.joint.quaternion is not None:
            q[k + body.joint.quaternion] = 1
        k += body.joint.nq
    return q


@pytest.mark.parametrize("name", MASSES)
def test_mass(name: str) -> None:
    robot = arm.load(name)
    assert robot.center_of_mass().evaluate(q=at_rest(robot))["mass"] == pytest.approx(MASSES[name])


@pytest.mark.parametrize(("name", "frame"), HIGH)
def test_where_things_are(name: str, frame: str) -> None:
    robot = arm.load(name)
    T = robot.pose(frame).evaluate(q=at_rest(robot))["T"]
    assert T[:3, 3] == pytest.approx(HIGH[name, frame], abs=1e-9)


@pytest.mark.parametrize("name", [*MASSES, "eel12"])
def test_both_sides_are_alike(name: str) -> None:
    """The centre of mass lies in the middle, and the root alone has no motor."""
    robot = arm.load(name)
    found = robot.momentum_matrix().evaluate(q=at_rest(robot))
    assert abs(found["c"][1]) < 1e-9 and abs(found["Ic"][0, 1]) < 1e-6 and abs(found["Ic"][1, 2]) < 1e-6
    assert [b.actuated for b in robot.bodies] == [False] + [True] * (len(robot.bodies) - 1)


def test_joints_of_the_humanoid() -> None:
    robot = arm.load("humanoid30")
    assert robot.nv == 36 and len(robot.tips) == 5
    assert sum(name.startswith("left_") for name in robot.joint_names) == 13
    assert sum(name.startswith("right_") for name in robot.joint_names) == 13


@pytest.mark.parametrize("name", ["biped", "quadruped", "humanoid30"])
def test_standing(name: str) -> None:
    """Wrenches on the feet that carry the weight keep it at rest: no torque is left on the root."""
    robot = arm.load(name)
    feet = [f for f in robot.frames if f.name.endswith(("sole", "_foot"))]
    q = at_rest(robot)
    center = robot.center_of_mass().evaluate(q=q)
    made = robot.inverse_dynamics(inputs=tuple(f"wrench:{f.body}" for f in feet))
    states = {"q": q, "qd": np.zeros(robot.nv), "qdd": np.zeros(robot.nv)}
    for foot in feet:
        T = robot.pose(foot.body).evaluate(q=q)["T"]
        f = np.array([0, 0, -9.81 * center["mass"] / len(feet)])
        n = np.cross(center["c"] - T[:3, 3], f)
        states[f"wrench_{foot.body}"] = np.r_[T[:3, :3].T @ f, T[:3, :3].T @ n]
    tau = made.evaluate(**{x.name: states[x.name] for x in made.inputs})["tau"]
    assert np.abs(tau[:6]).max() < 1e-9


def test_space_is_free_of_forces() -> None:
    """Whatever the arm does, no momentum comes or goes."""
    robot = arm.load("space_manipulator")
    rng = np.random.default_rng(0)
    q = at_rest(robot)
    q[7:] = rng.normal(size=6)
    qd = rng.normal(size=12)
    qdd = robot.underactuated_inverse_dynamics().evaluate(q=q, qd=qd, qdd_a=rng.normal(size=6))["qdd"]
    assert np.abs(robot.momentum_rate().evaluate(q=q, qd=qd, qdd=qdd)["hp"]).max() < 1e-9


def test_the_arm_with_springs() -> None:
    robot = arm.load("elastic_arm")
    rest = robot.equilibrium()
    assert rest.stable and rest.free == ("q2", "q4") and np.all(rest.q[[1, 3]] < 0) and np.all(rest.q[[0, 2]] == 0)
    slow = robot.modes(rest.q).frequencies
    assert np.all(slow > 5) and np.all(slow < 100)
