"""Laws that every tree obeys, whatever it was computed with."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from armillary.expr.arithmetics import COMPLEXES
from armillary.expr.evaluate import evaluate as evaluate_expressions
from armillary.models import Model, Robot
from armillary.program import to_graph
from armillary.robot import Description
from reference.pinocchio import losses
from reference.random_trees import random_state, random_tree

Floats = NDArray[np.float64]
SEEDS = range(60)


def robot_of(seed: int, most: int = 10, **options: object) -> tuple[Robot, np.random.Generator]:
    rng = np.random.default_rng(1000 + seed)
    while True:
        robot = random_tree(rng, 1 + int(rng.integers(most)), **options)  # type: ignore[arg-type]
        if robot.nv:
            return Robot.of(robot), rng


def state(robot: Description, rng: np.random.Generator) -> dict[str, Floats]:
    q, qd, qdd = random_state(rng, robot)
    return {"q": q, "qd": qd, "qdd": qdd}


def value(model: Model, given: dict[str, Floats]) -> Floats:
    return next(iter(model.evaluate(**{x.name: given[x.name] for x in model.inputs}).values()))


@pytest.mark.parametrize("seed", SEEDS)
def test_energy_changes_by_the_power_of_the_joints(seed: int) -> None:
    """d(E + U)/dt = q'·(Γ - friction): the derivative in time is taken on the graph, quaternions included."""
    robot, rng = robot_of(seed)
    given = state(robot, rng)
    rate = value(robot.kinetic_energy().time_derivative(), given) + value(
        robot.potential_energy().time_derivative(), given
    )
    friction = losses(robot, given["qd"], 0 * given["qdd"])
    power = given["qd"] @ (value(robot.inverse_dynamics(), given) - friction)
    assert abs(rate - power) <= 1e-9 * max(1, abs(power))


@pytest.mark.parametrize("seed", SEEDS)
def test_inertia_rate_minus_twice_coriolis_is_skew(seed: int) -> None:
    robot, rng = robot_of(seed)
    given = state(robot, rng)
    rate, C = value(robot.inertia_matrix().time_derivative(), given), value(robot.coriolis_matrix(), given)
    S = rate - 2 * C
    assert np.abs(S + S.T).max() <= 1e-10 * max(1, np.abs(C).max())
    assert np.allclose(
        C @ given["qd"], value(robot.coriolis_torques(), given), rtol=0, atol=1e-9 * max(1, np.abs(C).max())
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_inertia_matrix_is_that_of_the_energy(seed: int) -> None:
    """E = ½ q'ᵀ A q', and A is symmetric and positive definite where every link has inertia."""
    robot, rng = robot_of(seed)
    given = state(robot, rng)
    A, E = value(robot.inertia_matrix(), given), value(robot.kinetic_energy(), given)
    assert abs(0.5 * given["qd"] @ A @ given["qd"] - E) <= 1e-10 * max(1, abs(E))
    assert (A == A.T).all()
    if all(float(b.inertia.M) > 0 for b in robot.bodies):
        assert np.linalg.eigvalsh(A).min() > 0


@pytest.mark.parametrize("seed", SEEDS)
def test_gravity_torques_are_the_slope_of_the_potential(seed: int) -> None:
    robot, rng = robot_of(seed)
    given = state(robot, rng)
    slope = robot.potential_energy().derivative("U", "q", tangent_space=True)
    G = value(robot.gravity_torques(), given)
    assert np.abs(value(slope, given) - G).max() <= 1e-10 * max(1, np.abs(G).max())


@pytest.mark.parametrize("seed", SEEDS)
def test_direct_dynamics_undoes_inverse_dynamics(seed: int) -> None:
    robot, rng = robot_of(seed, most=6)
    given = state(robot, rng)
    given["tau"] = value(robot.inverse_dynamics(), given)
    A = value(robot.inertia_matrix(), given)
    if np.linalg.cond(A) < 1e6:
        for method in ("articulated", "matrix"):
            found = value(robot.direct_dynamics(method), given)
            assert np.linalg.norm(found - given["qdd"]) <= 1e-9 * np.linalg.cond(A) * max(
                1, np.linalg.norm(given["qdd"])
            )


@pytest.mark.parametrize("seed", SEEDS)
def test_torque_is_linear_in_the_parameters(seed: int) -> None:
    """Y χ = Γ, χ read off the description by the labels of the columns."""
    robot, rng = robot_of(seed, kinds=("revolute", "prismatic", "helical", "spherical"))
    given = state(robot, rng)
    model = robot.regressor()
    Y = value(model, given)
    chi = []
    for label in model.output("Y").columns:
        parameter, name = label.split("_", 1)
        body = robot.body(name)
        chi.append(float(getattr(body if parameter in ("IA", "FV", "FS") else body.inertia, parameter)))
    tau = value(robot.inverse_dynamics(), given)
    assert np.abs(Y @ chi - tau).max() <= 1e-10 * max(1, np.abs(tau).max())


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("mode", ["forward", "reverse"])
def test_derivatives_equal_complex_steps(seed: int, mode: str) -> None:
    """∂Γ/∂q, ∂Γ/∂q', ∂Γ/∂q'' column by column, q's numbers independent of each other."""
    robot, rng = robot_of(seed, most=6)
    given = state(robot, rng)
    model = robot.inverse_dynamics()
    graph, results = to_graph(model)
    del graph
    labels = [label for x in model.inputs for label in x.labels]
    flat = np.concatenate([given[x.name] for x in model.inputs])
    derivative = model.derivative("tau", ("q", "qd", "qdd"), mode=mode)
    out = derivative.evaluate(**given)
    J = np.concatenate([out[f"dtau_d{name}"].reshape(robot.nv, -1) for name in ("q", "qd", "qdd")], axis=1)
    for j in range(len(labels)):
        stepped = {
            name: complex(x, 1e-30 if k == j else 0) for k, (name, x) in enumerate(zip(labels, flat, strict=True))
        }
        expected = (
            np.imag(np.array(evaluate_expressions(results[0].elements, stepped, COMPLEXES), dtype=complex)) / 1e-30
        )
        assert np.abs(J[:, j] - expected).max() <= 1e-9 * max(1, np.abs(expected).max()), labels[j]


@pytest.mark.parametrize("seed", range(20))
def test_second_time_derivative_against_differences(seed: int) -> None:
    """d²T/dt² of a pose along a motion, against central differences."""
    robot, rng = robot_of(seed, most=5, kinds=("revolute", "prismatic", "helical"))
    given = state(robot, rng)
    frame = robot.bodies[-1].name
    pose = robot.pose(frame)
    exact = pose.time_derivative(2).evaluate(**given)["T_d2t"]
    h = 1e-4

    def at(t: float) -> Floats:
        return pose.evaluate(q=given["q"] + given["qd"] * t + given["qdd"] * t * t / 2)["T"]

    differences = (-at(2 * h) + 16 * at(h) - 30 * at(0) + 16 * at(-h) - at(-2 * h)) / (12 * h * h)
    assert np.abs(exact - differences).max() <= 1e-5 * max(1, np.abs(exact).max())


@pytest.mark.parametrize("seed", range(20))
def test_kinematics_are_derivatives_in_time(seed: int) -> None:
    """J̇ q', taken on the graph, is the model of that name; the derivative of a frame's velocity is its acceleration."""
    robot, rng = robot_of(seed, most=6)
    given = state(robot, rng)
    frame = robot.bodies[-1].name
    J = robot.jacobian(frame)
    rate = value(J.time_derivative(), given) @ given["qd"]
    assert np.allclose(rate, value(robot.jacobian_rate(frame), given), rtol=0, atol=1e-10 * max(1, np.abs(rate).max()))
    a = value(robot.frame_acceleration(frame), given)
    assert np.allclose(
        value(robot.frame_velocity(frame).time_derivative(), given), a, rtol=0, atol=1e-10 * max(1, np.abs(a).max())
    )
    assert np.allclose(value(J, given) @ given["qdd"] + rate, a, rtol=0, atol=1e-10 * max(1, np.abs(a).max()))


@pytest.mark.parametrize("seed", range(20))
def test_turning_everything_changes_nothing(seed: int) -> None:
    """Gravity turned and the first placements turned with it: the same torques, whatever frame the base is given in."""
    robot, rng = robot_of(seed, most=6)
    given = state(robot, rng)
    angle = float(rng.uniform(-3, 3))
    c, s = np.cos(angle), np.sin(angle)
    gx, gy, gz = map(float, robot.base.gravity)
    bodies = [
        replace(b, placement=replace(b.placement, gamma=float(b.placement.gamma) + angle)) if b.parent == "base" else b
        for b in robot.bodies
    ]
    base = replace(robot.base, gravity=(c * gx - s * gy, s * gx + c * gy, gz))
    other = Robot.of(replace(robot, bodies=tuple(bodies), base=base))
    tau = value(robot.inverse_dynamics(), given)
    assert np.abs(value(other.inverse_dynamics(), given) - tau).max() <= 1e-10 * max(1, np.abs(tau).max())
