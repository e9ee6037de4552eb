"""q with more numbers than q': a ball in the chain, in everything that takes or gives q, q' or a derivative by them."""

import numpy as np
import pytest
from numpy.typing import NDArray

import armillary as arm
from armillary.expr.arithmetics import COMPLEXES
from armillary.expr.evaluate import evaluate as evaluate_expressions
from armillary.models import CATALOGUE
from armillary.program import to_graph
from reference.every_model import ball_robot, inputs, model
from reference.gcc import compiled
from reference.mass_points import MassPoints
from reference.matlab_calls import Case, computed_by_octave
from reference.octave import NoOctave
from reference.python_calls import call

Floats = NDArray[np.float64]
ROBOT = ball_robot()
NQ, NV = 7, 6
MOVED = slice(1, 5)
"""The quaternion in q."""
NUMBERS = {"ms": 0.8, "L": 0.3}


def state(seed: int = 0, batch: int | None = None) -> dict[str, Floats]:
    """q with a unit quaternion, q', q'', Γ."""
    rng = np.random.default_rng(seed)
    rows = () if batch is None else (batch,)
    q = rng.normal(size=(*rows, NQ))
    q[..., MOVED] /= np.linalg.norm(q[..., MOVED], axis=-1, keepdims=True)
    return {"q": q} | {name: rng.normal(size=(*rows, NV)) for name in ("qd", "qdd", "tau")}


def given(m: arm.Model, values: dict[str, Floats]) -> dict[str, Floats]:
    return {x.name: values[x.name] for x in m.states}


def turned(q: Floats, delta: Floats) -> Floats:
    """q moved along the joint velocities by a small δ: the ball by exp(δφ) in its moved frame, the others by adding."""
    w, x = q[1], q[2:5]
    d = delta[1:4]
    angle = np.linalg.norm(d)
    e = np.r_[np.cos(angle / 2), np.sinc(angle / (2 * np.pi)) / 2 * d]
    ball = np.r_[w * e[0] - x @ e[1:], w * e[1:] + e[0] * x + np.cross(x, e[1:])]
    return np.r_[q[0] + delta[0], ball, q[5:] + delta[4:]]


def test_sizes_and_names() -> None:
    assert (ROBOT.nq, ROBOT.nv) == (NQ, NV)
    assert ROBOT.q_names == ("q1", "q2w", "q2x", "q2y", "q2z", "q3", "q4")
    assert ROBOT.v_names == ("q1", "q2x", "q2y", "q2z", "q3", "q4")


@pytest.mark.parametrize("entry", [m for m in CATALOGUE if CATALOGUE[m].loops != "only"])
def test_shapes_of_every_model(entry: str) -> None:
    """States have NQ or NV numbers as they should; no output has a row or a column for a number of q."""
    m = model("ball", entry)
    assert {x.name: x.shape for x in m.states if x.name == "q"} in ({}, {"q": (NQ,)})
    assert all(x.shape == (NV,) for x in m.states if x.name not in ("q", "theta", "thetad"))
    assert all(NQ not in x.shape for x in m.outputs)


@pytest.mark.parametrize("entry", [m for m in CATALOGUE if CATALOGUE[m].loops != "only"])
def test_a_batch_is_its_rows(entry: str) -> None:
    m = model("ball", entry)
    if not m.states:
        return
    many = inputs("ball", entry, 4)
    whole = m.evaluate(**many)
    for k in range(4):
        one = m.evaluate(**{x.name: many[x.name][k] if x.role == "state" else many[x.name] for x in m.inputs})
        for name, value in one.items():
            assert np.allclose(whole[name][k], value, rtol=1e-13, atol=1e-13)


def test_jacobian_has_a_column_for_each_velocity() -> None:
    """Its columns are what the joint velocities do, by differences of where things are."""
    values = state()
    J = ROBOT.jacobian("hinge").evaluate(q=values["q"])["J"]
    from reference.with_numbers import with_numbers

    expected = MassPoints(with_numbers(ROBOT, NUMBERS), values["q"]).jacobian("hinge")
    assert J.shape == (6, NV) and np.linalg.norm(J - expected) <= 1e-12 * np.linalg.norm(expected)
    v = ROBOT.frame_velocity("hinge").evaluate(q=values["q"], qd=values["qd"])["v"]
    assert np.allclose(J @ values["qd"], v, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("mode", ["forward", "reverse", "auto"])
def test_derivative_by_the_numbers_of_q(mode: str) -> None:
    """Seven columns, the quaternion's numbers taken for independent: complex steps."""
    values = state(1)
    m = ROBOT.inverse_dynamics()
    _, results = to_graph(m)
    labels = {label: float(x) for i in m.states for label, x in zip(i.labels, values[i.name], strict=True)} | NUMBERS
    found = m.derivative("tau", "q", mode=mode).evaluate(**given(m, values))["dtau_dq"]
    assert found.shape == (NV, NQ)
    for j, label in enumerate(m.input("q").labels):
        stepped = {name: complex(x, 1e-30 if name == label else 0) for name, x in labels.items()}
        column = np.imag(np.array(evaluate_expressions(results[0].elements, stepped, COMPLEXES), dtype=complex)) / 1e-30
        assert np.abs(found[:, j] - column).max() <= 1e-10 * max(1, np.abs(column).max())


def test_derivative_in_the_tangent_space() -> None:
    """Six columns, along the joint velocities: by differences, and equal to the recursive derivatives."""
    values = state(2)
    m = ROBOT.inverse_dynamics()
    found = m.derivative("tau", "q", tangent_space=True).evaluate(**given(m, values))["dtau_dq"]
    assert found.shape == (NV, NV)
    h = 1e-5
    for j, e in enumerate(np.eye(NV)):
        there, back = (m.evaluate(**given(m, values | {"q": turned(values["q"], s * h * e)}))["tau"] for s in (1, -1))
        assert np.allclose(found[:, j], (there - back) / (2 * h), rtol=0, atol=1e-7 * max(1, np.abs(found).max()))
    recursive = ROBOT.inverse_dynamics_derivatives().evaluate(**given(m, values))["dtau_dq"]
    assert np.linalg.norm(found - recursive) <= 1e-11 * np.linalg.norm(found)


@pytest.mark.parametrize("order", [1, 2, 3])
def test_time_derivatives_of_a_pose(order: int) -> None:
    """Along q(t) with q' = ω + α t + j t²/2 in the moved frame, the ball's path found by small turns one after another."""
    rng = np.random.default_rng(order)
    values = state(3)
    jerk = rng.normal(size=NV)
    pose = ROBOT.pose("hinge")
    m = pose.time_derivative(order)
    known = {"q": values["q"], "qd": values["qd"], "qdd": values["qdd"], "qddd": jerk}
    exact = m.evaluate(**{x.name: known[x.name] for x in m.states})[f"T_d{order}t"]

    def at(t: float) -> Floats:
        q, steps = values["q"], 40
        for k in range(steps):
            # Midpoint and the commutator of the two Gauss points: fourth order and more than enough for these intervals.
            a, b = (t * (k + c) / steps for c in (0.5 - 3**0.5 / 6, 0.5 + 3**0.5 / 6))
            u, v = (values["qd"] + values["qdd"] * s + jerk * s * s / 2 for s in (a, b))
            step = (u + v) / 2 * t / steps
            step[1:4] += np.cross(u[1:4], v[1:4]) * 3**0.5 / 12 * (t / steps) ** 2
            q = turned(q, step)
        return pose.evaluate(q=q)["T"]

    h = 0.02
    T = {k: at(k * h) for k in range(-4, 5)}
    weights = {
        1: {1: 4 / 5, 2: -1 / 5, 3: 4 / 105, 4: -1 / 280},
        2: {0: -205 / 72, 1: 8 / 5, 2: -1 / 5, 3: 8 / 315, 4: -1 / 560},
        3: {1: -61 / 30, 2: 169 / 120, 3: -3 / 10, 4: 7 / 240},
    }[order]
    sign = 1 if order == 2 else -1
    slope = sum(w * (T[k] if k == 0 else T[k] + sign * T[-k]) for k, w in weights.items()) / h**order
    assert np.abs(exact - slope).max() <= 1e-6 * max(1, np.abs(exact).max())


def test_direct_dynamics_gives_angular_accelerations() -> None:
    values = state(4)
    tau = ROBOT.inverse_dynamics().evaluate(q=values["q"], qd=values["qd"], qdd=values["qdd"])["tau"]
    for method in ("articulated", "matrix"):
        found = ROBOT.direct_dynamics(method).evaluate(q=values["q"], qd=values["qd"], tau=tau)["qdd"]
        assert np.allclose(found, values["qdd"], rtol=1e-9, atol=1e-9)


def test_linearisation_has_twice_six_states() -> None:
    found = ROBOT.linearisation().evaluate(**given(ROBOT.linearisation(), state(5)))
    assert found["F"].shape == (2 * NV, 2 * NV) and found["G"].shape == (2 * NV, NV)


# ---- generated and compiled ----


def tangent_model() -> arm.Model:
    """∂Γ/∂q in the tangent space: takes seven numbers and gives six columns."""
    return ROBOT.inverse_dynamics().derivative("tau", "q", tangent_space=True)


def test_generated_c() -> None:
    m, values = tangent_model(), state(6)
    found = compiled(m)(**given(m, values))["dtau_dq"]
    assert np.allclose(found, m.evaluate(**given(m, values))["dtau_dq"], rtol=1e-11, atol=1e-11)


def test_generated_python() -> None:
    m, values = tangent_model(), state(6, batch=5)
    found = call(m, given(m, values))["dtau_dq"]
    assert found.shape == (5, NV, NV)
    assert np.allclose(found, m.evaluate(**given(m, values))["dtau_dq"], rtol=1e-11, atol=1e-11)


def test_generated_matlab(tmp_path_factory: pytest.TempPathFactory) -> None:
    m, values = tangent_model(), state(6)
    numbers = given(m, values) | {name: np.array(x) for name, x in NUMBERS.items()}
    try:
        found = computed_by_octave({"tangent": Case(m, numbers)}, tmp_path_factory.mktemp("matlab"))["tangent"]
    except NoOctave as reason:
        pytest.skip(str(reason))
    assert np.allclose(found, m.evaluate(**given(m, values))["dtau_dq"].ravel(), rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize(("dtype", "tolerance"), [("double", 1e-11), ("float", 1e-4)])
def test_compiled_on_batches(dtype: str, tolerance: float) -> None:
    """Rows of q and of q' have different lengths; rows of any stride are read in place."""
    m, values = tangent_model(), state(7, batch=13)
    f = m.compile(dtype=dtype, cache=False)
    expected = m.evaluate(**given(m, values))["dtau_dq"]
    wide = {name: np.repeat(x, 2, axis=1).astype(f.dtype)[:, ::2] for name, x in values.items()}
    for states in (values, wide):
        found = f(*given(m, states).values())
        assert found.shape == (13, NV, NV) and np.abs(found - expected).max() <= tolerance * np.abs(expected).max()
    one = f(*(x[3] for x in given(m, values).values()))
    assert one.shape == (NV, NV) and np.abs(one - expected[3]).max() <= tolerance * np.abs(expected).max()


# ---- fixed inputs ----


def test_a_ball_held_in_place() -> None:
    """Its four coordinates and three velocities fixed: the values are those of the full model, for less work."""
    values = state(8)
    values["q"][MOVED] = (0.5, 0.5, -0.5, 0.5)
    for rates in ("qd", "qdd"):
        values[rates][1:4] = 0
    held = dict(zip(ROBOT.inverse_dynamics().input("q").labels[MOVED], ("1/2", "1/2", "-1/2", "1/2"), strict=True))
    held |= {f"{rate}{k}": 0 for rate in ("QP", "QDP") for k in (2, 3, 4)}
    full, part = ROBOT.inverse_dynamics(), ROBOT.inverse_dynamics(fixed=held)
    assert part.cost.total < 0.6 * full.cost.total
    left = {
        x.name: np.array(
            [v for label, v in zip(full.input(x.name).labels, values[x.name], strict=True) if label in x.labels]
        )
        for x in part.states
    }
    assert [x.size for x in part.states] == [3, 3, 3]
    found = part.evaluate(**left)["tau"]
    expected = full.evaluate(**given(full, values))["tau"]
    assert np.linalg.norm(found - expected) <= 1e-12 * np.linalg.norm(expected)
    bound = full.bind({"q": values["q"]})
    assert np.linalg.norm(bound.evaluate(**given(bound, values))["tau"] - expected) <= 1e-12 * np.linalg.norm(expected)
