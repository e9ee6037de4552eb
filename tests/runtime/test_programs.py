"""Whole Programs in machine code against the interpreter: random ones, long ones, systems, models of robots."""

import numpy as np
import pytest

from armillary.dynamics.hybrid import direct_dynamics_articulated
from armillary.dynamics.newton_euler import inverse_dynamics
from armillary.expr.graph import Expr
from armillary.kinematics.motion import base_motion
from armillary.program import Input, Output, Program, Trace, evaluate
from armillary.robot import Description, tree
from armillary.runtime import compile, search
from reference.random_programs import random_inputs, random_program
from reference.random_trees import random_state, random_tree

SMOOTH = ("add", "sub", "mul", "div", "neg", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sqrt")
SMOOTH += ("exp", "log", "tanh", "abs", "min", "max")
"""Operations that carry small errors on as small errors."""


@pytest.mark.parametrize("seed", range(100))
def test_random_program_has_the_interpreters_values(seed: int) -> None:
    rng = np.random.default_rng(seed)
    program = random_program(rng, size=int(rng.integers(5, 60)), ops=SMOOTH)
    inputs = random_inputs(rng, program, int(rng.integers(2, 30)))
    want = evaluate(program, inputs)
    states = [inputs[x.name] for x in program.states]
    parameters = {x.name: inputs[x.name] for x in program.parameters}
    for dtype, tolerance in (("double", 1e-10), ("float", 2e-2)):
        f = compile(program, dtype=dtype, cache=False)
        for got, out in zip(f(*states, parameters=parameters), program.outputs, strict=True):
            assert got.shape == want[out.name].shape
            scale = 1 + np.abs(want[out.name])
            assert np.max(np.abs(got - want[out.name]) / scale) < tolerance


@pytest.mark.parametrize("seed", range(10))
def test_random_program_with_every_operation_has_the_interpreters_values(seed: int) -> None:
    rng = np.random.default_rng(1000 + seed)
    program = random_program(rng, size=30)
    inputs = random_inputs(rng, program, 20)
    want = evaluate(program, inputs)
    f = compile(program, cache=False)
    got = f(*(inputs[x.name] for x in program.states), parameters={x.name: inputs[x.name] for x in program.parameters})
    for array, out in zip(got, program.outputs, strict=True):
        assert np.max(np.abs(array - want[out.name]) / (1 + np.abs(want[out.name]))) < 1e-10


def traced(robot: Description, direct: bool = False) -> Program:
    """τ(q, q', q''), or q''(q, q', τ) by articulated bodies."""
    trace = Trace()
    bodies = tree(robot, trace.graph.const).welded()
    q = trace.input(Input("q", (bodies.nq,)))
    qd, third = (trace.input(Input(name, (bodies.nv,))) for name in ("qd", "tau" if direct else "qdd"))
    law = direct_dynamics_articulated if direct else inverse_dynamics
    trace.output(Output("y", (bodies.nv,), ()), law(bodies, q, qd, third, base_motion(bodies)))
    return trace.program("direct" if direct else "inverse")


@pytest.mark.parametrize("seed", range(10))
def test_models_of_random_trees(seed: int) -> None:
    rng = np.random.default_rng(seed)
    robot = random_tree(rng, int(rng.integers(1, 9)))
    program = traced(robot)
    states = [np.array(x) for x in zip(*(random_state(rng, robot) for _ in range(11)), strict=True)]
    want = evaluate(program, dict(zip(("q", "qd", "qdd"), states, strict=True)))["y"]
    size = 1 + np.linalg.norm(want, axis=1, keepdims=True)
    assert np.max(np.abs(compile(program, cache=False)(*states) - want) / size, initial=0) < 1e-12
    assert np.max(np.abs(compile(program, dtype="float", cache=False)(*states) - want) / size, initial=0) < 1e-4


def test_long_program_is_cut_and_right() -> None:
    rng = np.random.default_rng(5)
    robot = random_tree(rng, 30, kinds=("revolute", "prismatic"))
    program = traced(robot, direct=True)
    assert len(program.ops) > 5000
    f = compile(program, cache=False)
    states = [np.array(x) for x in zip(*(random_state(rng, robot) for _ in range(100)), strict=True)]
    want = evaluate(program, dict(zip(("q", "qd", "tau"), states, strict=True)))["y"]
    got = f(*states)
    assert np.max(np.abs(got - want) / (1 + np.linalg.norm(want, axis=1, keepdims=True))) < 1e-9
    for k in (0, 57, 99):
        np.testing.assert_array_equal(f(*(x[k] for x in states)), got[k])


def test_every_order_of_statements_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(2)
    robot = random_tree(rng, 4)
    program = traced(robot)
    state = random_state(rng, robot)
    want = evaluate(program, dict(zip(("q", "qd", "qdd"), state, strict=True)))["y"]
    for chosen in search.ORDERS:
        monkeypatch.setattr(search, "ORDERS", (chosen,))
        np.testing.assert_allclose(compile(program, cache=False)(*state), want, rtol=1e-10, atol=1e-12)


# ---- systems ----


def system(n: int, m: int) -> Program:
    """X with A X = B."""
    trace = Trace()
    A = trace.input(Input("A", (n, n)))
    B = trace.input(Input("B", (n, m)))
    rows = trace.graph.solve([A[i * n : (i + 1) * n] for i in range(n)], [B[i * m : (i + 1) * m] for i in range(n)])
    trace.output(Output("X", (n, m), ()), rows)
    return trace.program("system")


@pytest.mark.parametrize(("n", "m"), [(1, 1), (2, 1), (2, 3), (3, 2), (4, 1), (6, 6), (9, 2)])
def test_solve_leaves_no_residual(n: int, m: int) -> None:
    rng = np.random.default_rng(n + m)
    A, B = rng.normal(size=(200, n, n)), rng.normal(size=(200, n, m))
    A[::3] = rng.permutation(np.eye(n)) + 1e-9 * A[::3]
    if n > 1:
        A[1::7, 0, 0] = 0
    for dtype, tolerance in (("double", 1e-12), ("float", 1e-4)):
        X = compile(system(n, m), dtype=dtype, cache=False)(A, B)
        size = np.abs(A).sum(axis=(1, 2)) * np.abs(X).max(axis=(1, 2)) + 1
        assert np.max(np.abs(A @ X - B).max(axis=(1, 2)) / size) < tolerance


def test_singular_systems_are_nan_and_their_neighbours_are_not() -> None:
    A = np.tile(np.array([[1.0, 2.0], [3.0, 5.0]]), (20, 1, 1))
    A[3] = [[1, 2], [2, 4]]
    A[9] = 0
    A[12] = [[0, 1], [0, 1]]
    B = np.ones((20, 2, 1))
    X = compile(system(2, 1), cache=False)(A, B)
    singular = np.isin(np.arange(20), (3, 9, 12))
    assert np.isnan(X[singular]).all()
    np.testing.assert_allclose(X[~singular], np.linalg.solve(A[~singular], B[~singular]), rtol=1e-14)


# ---- odd shapes ----


def test_outputs_that_are_inputs_constants_and_each_other() -> None:
    trace = Trace()
    x, y = trace.input(Input("x", (2,)))
    p = trace.input(Input("p", role="parameter", default=(3.0,)))[0]
    total: Expr = x + y
    trace.output(Output("a", (6,), ()), [x, trace.graph.const(7), total, total, p, p * p])
    trace.output(Output("b", (), ()), [total])
    trace.output(Output("none", (0,), ()), [])
    f = compile(trace.program("odd"), cache=False)
    a, b, none = f(np.array([1.0, 2.0]))
    np.testing.assert_array_equal(a, [1, 7, 3, 3, 3, 9])
    assert b == 3 and b.shape == () and none.shape == (0,)
    batch = f(np.arange(20.0).reshape(10, 2))
    assert batch.a.shape == (10, 6) and batch.b.shape == (10,) and batch.none.shape == (10, 0)
    np.testing.assert_array_equal(batch.a[:, 1], 7)


def test_a_program_without_inputs() -> None:
    trace = Trace()
    trace.output(Output("y", (2,), ()), [trace.graph.const(1), trace.graph.const(2)])
    np.testing.assert_array_equal(compile(trace.program("constant"), cache=False)(), [1, 2])


def test_a_program_without_outputs() -> None:
    trace = Trace()
    trace.input(Input("x"))
    assert compile(trace.program("nothing"), cache=False)(1.0) == ()
