"""Springs in joints: energy, derivatives, known frequencies, equilibria, and the rigid robot as the limit."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

import armillary as arm
from armillary.errors import ModelError, RobotError
from armillary.expr.arithmetics import COMPLEXES
from armillary.expr.evaluate import evaluate as evaluate_expressions
from armillary.formats import toml
from armillary.program import to_graph
from reference.random_trees import random_state, random_tree

Floats = NDArray[np.float64]


def elastic(seed: int) -> tuple[arm.Robot, np.random.Generator]:
    """A random tree in which every second joint that can has a spring, and no motor."""
    rng = np.random.default_rng([seed, 11])
    robot = random_tree(
        rng, 2 + seed % 6, kinds=("revolute", "prismatic", "helical", "spherical"), losses=seed % 2 == 0
    )
    bodies = [
        replace(b, stiffness=float(rng.uniform(1, 50)), reference=float(rng.normal()), actuated=False)
        if b.joint.nv == 1 and rng.random() < 0.5
        else b
        for b in robot.bodies
    ]
    return arm.Robot.of(replace(robot, bodies=tuple(bodies))), rng


def given(model: arm.Model, q: Floats, qd: Floats, qdd: Floats) -> dict[str, Floats]:
    values = {"q": q, "qd": qd, "qdd": qdd}
    return {x.name: values[x.name] for x in model.states}


def spring_torques(robot: arm.Robot, q: Floats) -> Floats:
    out, k = np.zeros(robot.nv), 0
    for place, name in enumerate(robot.v_names):
        body = next(b for b in robot.bodies if name in b.velocities)
        if body.stiffness:
            k = robot.q_names.index(body.coordinates[0])
            out[place] = float(body.stiffness) * (q[k] - float(body.reference))
    return out


@pytest.mark.parametrize("seed", range(100))
def test_springs_add_to_every_model_that_has_torques(seed: int) -> None:
    """What a robot without springs does, and the springs' torques."""
    robot, rng = elastic(seed)
    rigid = arm.Robot.of(replace(robot, bodies=tuple(replace(b, stiffness=0, reference=0) for b in robot.bodies)))
    q, qd, qdd = random_state(rng, robot)
    s = spring_torques(robot, q)

    def both(name: str, **more: Floats) -> tuple[dict[str, Floats], dict[str, Floats]]:
        values = {"q": q, "qd": qd, "qdd": qdd, **more}
        made = robot.derive(name), rigid.derive(name)
        one, other = (m.evaluate(**{x.name: values[x.name] for x in m.states}) for m in made)
        return one, other

    for name, output in (("inverse-dynamics", "tau"), ("bias-torques", "H"), ("reaction-wrenches", "tau")):
        here, there = both(name)
        assert np.allclose(here[output], there[output] + s, rtol=1e-12, atol=1e-10), name
    for name in ("gravity-torques", "coriolis-torques", "inertia-matrix"):
        here, there = both(name)
        for key in here:
            assert np.array_equal(here[key], there[key]), name
    here, there = both("inverse-dynamics-derivatives")
    K = np.diag([float(next(b for b in robot.bodies if name in b.velocities).stiffness) for name in robot.v_names])
    assert np.allclose(here["dtau_dq"], there["dtau_dq"] + K, rtol=1e-12, atol=1e-10)
    assert np.allclose(here["dtau_dqd"], there["dtau_dqd"]) and np.allclose(here["tau"], there["tau"] + s)
    tau = robot.inverse_dynamics().evaluate(q=q, qd=qd, qdd=qdd)["tau"]
    A = robot.inertia_matrix().evaluate(q=q)["A"]
    if np.linalg.eigvalsh(A).min() > 1e-6 * np.abs(A).max():
        for method in ("articulated", "matrix"):
            found = robot.direct_dynamics(method).evaluate(q=q, qd=qd, tau=tau)["qdd"]
            assert np.linalg.norm(A @ (found - qdd)) <= 1e-11 * (
                np.linalg.norm(A, 2) * np.linalg.norm(found) + np.linalg.norm(tau)
            )
    made = robot.regressor()
    Y = made.evaluate(**given(made, q, qd, qdd))["Y"]
    values = {(b.name, key): float(x) for b in robot.bodies for key, x in b.values() if key != "reference"}
    chi = [values[column.partition("_")[2], column.partition("_")[0]] for column in made.outputs[0].columns]
    assert np.allclose(Y @ chi, tau, rtol=1e-10, atol=1e-9)
    made = robot.regressor(base_parameters=True)
    columns = made.outputs[0].columns
    assert [x for x in columns if x.startswith("stiffness_")] == [
        f"stiffness_{b.name}" for b in robot.bodies if b.stiffness
    ]


@pytest.mark.parametrize("seed", range(300))
def test_unactuated_joints_move_as_direct_dynamics_says(seed: int) -> None:
    """Given what it found, direct dynamics finds the accelerations; friction and springs of the joints without motors are in it."""
    robot, rng = elastic(seed)
    q, qd, qdd = random_state(rng, robot)
    A = robot.inertia_matrix().evaluate(q=q)["A"]
    held = [k for k, name in enumerate(robot.v_names) if next(b for b in robot.bodies if name in b.velocities).actuated]
    loose = [k for k in range(robot.nv) if k not in held]
    block = A[np.ix_(loose, loose)]
    if loose and np.linalg.eigvalsh(block).min() <= 1e-6 * np.abs(A).max():
        return
    made = robot.underactuated_inverse_dynamics()
    found = made.evaluate(q=q, qd=qd, **({"qdd_a": qdd[held]} if held else {}))
    assert np.array_equal(found["qdd"][held], qdd[held]) and not found["tau"][loose].any()
    tau = robot.inverse_dynamics().evaluate(q=q, qd=qd, qdd=found["qdd"])["tau"]
    size = np.linalg.norm(A, 2) * np.linalg.norm(found["qdd"]) + np.linalg.norm(tau) + 1
    assert np.linalg.norm(tau - found["tau"]) <= 1e-11 * size


@pytest.mark.parametrize("seed", range(15))
def test_energy_balance(seed: int) -> None:
    """Kinetic, potential and spring energy change by the power of the motors, less what friction takes."""
    robot, rng = elastic(seed)
    q, qd, qdd = random_state(rng, robot)

    def rate(name: str) -> float:
        made = robot.derive(name).time_derivative()
        return float(next(iter(made.evaluate(**given(made, q, qd, qdd)).values())))

    tau = robot.inverse_dynamics().evaluate(q=q, qd=qd, qdd=qdd)["tau"]
    by = [next(b for b in robot.bodies if name in b.velocities) for name in robot.v_names]
    taken = sum(float(b.FV) * v * v + float(b.FS) * abs(v) for b, v in zip(by, qd, strict=True))
    power = qd @ tau - taken
    change = rate("kinetic-energy") + rate("potential-energy") + rate("spring-energy")
    assert abs(change - power) <= 1e-9 * max(1, abs(power))


@pytest.mark.parametrize("seed", range(10))
def test_derivatives_by_complex_steps(seed: int) -> None:
    rng = np.random.default_rng([seed, 12])
    robot = random_tree(rng, 4, kinds=("revolute", "prismatic"), losses=False)
    bodies = tuple(replace(b, stiffness=2.0 + k, reference=0.1 * k, FV=0.3) for k, b in enumerate(robot.bodies))
    robot = arm.Robot.of(replace(robot, bodies=bodies))
    q, qd, qdd = random_state(rng, robot)
    made = robot.inverse_dynamics()
    _, results = to_graph(made)
    values = {"q": q, "qd": qd, "qdd": qdd}
    labels = {label: float(x) for i in made.states for label, x in zip(i.labels, values[i.name], strict=True)}
    found = robot.inverse_dynamics_derivatives().evaluate(q=q, qd=qd, qdd=qdd)["dtau_dq"]
    for j, label in enumerate(made.input("q").labels):
        stepped = {name: complex(x, 1e-30 if name == label else 0) for name, x in labels.items()}
        column = np.imag(np.array(evaluate_expressions(results[0].elements, stepped, COMPLEXES), dtype=complex)) / 1e-30
        assert np.abs(found[:, j] - column).max() <= 1e-11 * max(1, np.abs(column).max())


def two_masses(actuated: bool = False) -> arm.Robot:
    """wall - k - m - k - m on a line."""
    return arm.describe(
        "two masses",
        arm.prismatic("first", mass=2.0, stiffness=50.0, actuated=actuated),
        arm.prismatic("second", r=1.0, mass=2.0, stiffness=50.0, actuated=actuated),
        gravity=(0, 0, 0),
    )


@pytest.mark.parametrize("actuated", [False, True])
def test_two_masses_and_two_springs(actuated: bool) -> None:
    """ω² = k/m (3 ∓ √5)/2: the golden ratio."""
    swing = two_masses(actuated).modes()
    assert swing.squares == pytest.approx([25 * (3 - 5**0.5) / 2, 25 * (3 + 5**0.5) / 2], rel=1e-13)
    moved = np.cumsum(swing.shapes, axis=0)
    assert abs(moved[1, 0] / moved[0, 0]) == pytest.approx((1 + 5**0.5) / 2)
    assert swing.frequencies == pytest.approx(np.sqrt(swing.squares))


def test_a_pendulum_with_a_torsional_spring() -> None:
    """Hanging ω² = (k + m g l)/(J + m l²), upright (k - m g l)/(J + m l²): stable where the spring is stiff enough."""
    m, l, J, g = 1.5, 0.4, 0.02, 9.81
    for k in (1.0, 20.0):
        for upright in (False, True):
            robot = arm.describe(
                "pendulum",
                arm.revolute("rod", theta="pi/2" if upright else "-pi/2", mass=m, center=(l, 0, 0),
                             inertia=(0, 0, 0, J, 0, J), stiffness="k", actuated=False),
                gravity=(0, -g, 0), parameters={"k": None},
            )  # fmt: skip
            swing = robot.modes(parameters={"k": k})
            square = (k + (-1 if upright else 1) * m * g * l) / (J + m * l * l)
            assert swing.squares == pytest.approx([square], rel=1e-12)
            assert np.isnan(swing.frequencies[0]) == (square < 0)
            assert robot.equilibrium(parameters={"k": k}).stable == (square > 0)


def flexible_arm(stiffness: float) -> arm.Robot:
    """A motor joint with a spring joint in series, twice."""
    link = {"mass": 1.0, "center": (0.25, 0, 0), "inertia": (0, 0, 0, 0.02, 0, 0.02)}
    return arm.describe(
        "flexible arm",
        arm.revolute("motor1", ZZ=0.05),
        arm.revolute("link1", stiffness=stiffness, actuated=False, **link),
        arm.revolute("motor2", d=0.5, ZZ=0.05),
        arm.revolute("link2", stiffness=stiffness, actuated=False, **link),
        gravity=(0, -9.81, 0),
    )


def test_sagging_under_its_weight() -> None:
    """Motors hold, springs give until they carry the weight; its potential is a minimum there."""
    robot = flexible_arm(40.0)
    rest = robot.equilibrium([0.3, 0, -0.5, 0])
    assert rest.stable and rest.free == ("q2", "q4") and rest.q[[0, 2]] == pytest.approx([0.3, -0.5], abs=0)
    G = robot.gravity_torques().evaluate(q=rest.q)["G"]
    assert rest.q[[1, 3]] == pytest.approx(-G[[1, 3]] / 40, rel=1e-11)
    assert rest.torques[[0, 2]] == pytest.approx(G[[0, 2]], rel=1e-10)

    def energy(q: Floats) -> float:
        return float(robot.potential_energy().evaluate(q=q)["U"] + robot.spring_energy().evaluate(q=q)["US"])

    for step in 1e-3 * np.random.default_rng(1).normal(size=(20, 2)):
        assert energy(rest.q + np.array([0, step[0], 0, step[1]])) > energy(rest.q)
    assert np.all(robot.modes(rest.q).squares > 0)


def test_stiff_springs_make_the_rigid_robot() -> None:
    """Held at rest in its springs, torques of the motors tend to those of the rigid arm as 1/k; the slow motion too."""
    link = {"mass": 1.0, "center": (0.25, 0, 0), "inertia": (0.05, 0, 0, 0.02, 0, 0.02 + 0.05)}
    rigid = arm.describe(
        "rigid arm", arm.revolute("a", **link), arm.revolute("b", d=0.5, **link), gravity=(0, -9.81, 0)
    )
    q = np.array([0.3, -0.5])
    errors: list[float] = []
    for k in (1e3, 1e4, 1e5):
        rest = flexible_arm(k).equilibrium(np.array([0.3, 0, -0.5, 0]))
        errors.append(float(np.abs(rest.torques[[0, 2]] - rigid.gravity_torques().evaluate(q=q)["G"]).max()))
    assert errors[1] == pytest.approx(errors[0] / 10, rel=0.05) and errors[2] == pytest.approx(errors[1] / 10, rel=0.05)
    slow = flexible_arm(1e9)
    rest = slow.equilibrium([0.3, 0, -0.5, 0])
    A = slow.inertia_matrix().evaluate(q=rest.q)["A"][np.ix_([0, 2], [0, 2])]
    assert np.allclose(A, rigid.inertia_matrix().evaluate(q=q)["A"], rtol=1e-6)


def test_what_is_wrong_is_said() -> None:
    for link, message in (
        ({"stiffness": -1}, "a spring pulls back, its stiffness is 0 or more"),
        ({"reference": 1}, "no spring; give its stiffness"),
    ):
        with pytest.raises(RobotError, match=message):
            arm.describe("x", arm.revolute("a", **link))
    with pytest.raises(RobotError, match="a spherical joint has 3 velocities, a spring acts on one"):
        arm.describe("x", arm.spherical("a", stiffness=1))
    free = arm.describe("x", arm.revolute("a", mass=1, center=(1, 0, 0), actuated=False))
    with pytest.raises(ModelError, match="nothing pulls back q1"):
        free.equilibrium(torques=[1.0])
    with pytest.raises(ModelError, match="no joint velocity q7"):
        free.modes(free=("q7",))
    unknown = arm.describe("x", arm.revolute("a", mass=1, stiffness="k", actuated=False))
    with pytest.raises(ModelError, match="the parameter k has no default"):
        unknown.modes()
    with pytest.raises(ModelError, match="no parameter kk"):
        unknown.modes(parameters={"kk": 1.0})


def test_the_native_file_has_springs() -> None:
    robot = arm.describe(
        "arm",
        arm.revolute("a", mass=1, stiffness="k1", reference="pi/4", actuated=False),
        arm.prismatic("b", mass=1, stiffness=20.5, reference=0.1),
        arm.free("c", "base", mass=1),
        arm.free("d", "base", mass=1, actuated=True),
        parameters={"k1": 3.0},
    )
    text = toml.write(robot)
    assert toml.read(text).bodies == robot.bodies
    assert [b.actuated for b in toml.read(text).bodies] == [False, True, False, True]
    assert 'stiffness = "k1"' in text and "actuated = true" in text


def simulated(robot: arm.Robot, q: Floats, qd: Floats, tau: Floats, seconds: float, steps: int) -> Floats:
    """q at every step, by Runge and Kutta's classical method."""
    f = robot.direct_dynamics().compile(cache=False)
    h, x, n = seconds / steps, np.r_[q, qd], len(q)
    found = [x[:n]]

    def rate(y: Floats) -> Floats:
        return np.r_[y[n:], f(y[:n], y[n:], tau)]

    for _ in range(steps):
        a = rate(x)
        b = rate(x + h / 2 * a)
        c = rate(x + h / 2 * b)
        x = x + h / 6 * (a + 2 * b + 2 * c + rate(x + h * c))
        found.append(x[:n])
    return np.array(found)


def test_modes_are_those_of_small_motions() -> None:
    """Released along a mode, the simulated pendulum of two springs comes back after 2π/ω."""
    link = {"mass": 1.0, "center": (0.25, 0, 0), "inertia": (0, 0, 0, 0.02, 0, 0.02)}
    robot = arm.describe(
        "springs",
        arm.revolute("a", stiffness=30.0, actuated=False, **link),
        arm.revolute("b", d=0.5, stiffness=20.0, reference=0.4, actuated=False, **link),
        gravity=(0, -9.81, 0),
    )
    rest = robot.equilibrium()
    swing = robot.modes(rest.q)
    for k, period in enumerate(2 * np.pi / swing.frequencies):
        small = 1e-5 * swing.shapes[:, k]
        found = simulated(robot, rest.q + small, np.zeros(2), np.zeros(2), float(period), 400) - rest.q
        assert np.linalg.norm(found[-1] - small) <= 1e-4 * np.linalg.norm(small)
        assert np.linalg.norm(found[200] + small) <= 1e-4 * np.linalg.norm(small)


def test_a_stiff_simulation_moves_as_the_rigid_robot() -> None:
    """Started with its springs at their equilibrium, the flexible arm falls as the rigid one does, the nearer the stiffer."""
    link = {"mass": 1.0, "center": (0.25, 0, 0), "inertia": (0.05, 0, 0, 0.02, 0, 0.02 + 0.05)}
    rigid = arm.describe(
        "rigid arm", arm.revolute("a", **link), arm.revolute("b", d=0.5, **link), gravity=(0, -9.81, 0)
    )
    expected = simulated(rigid, np.array([0.3, -0.5]), np.zeros(2), np.zeros(2), 0.4, 400)[-1]
    errors: list[float] = []
    for k in (1e3, 1e4):
        start = np.array([0.3, 0, -0.5, 0])
        end = simulated(flexible_arm(k), start, np.zeros(4), np.zeros(4), 0.4, 8000)[-1]
        errors.append(float(np.linalg.norm(end[[0, 2]] + end[[1, 3]] - expected)))
    assert errors[0] < 0.05 and errors[1] < errors[0] / 5
