"""Routines in machine code against their interpreter: every statement, Newton, Runge-Kutta, one state and batches."""

from math import nan

import numpy as np
import pytest

from armillary.errors import ModelError
from armillary.program import Input, Output, Program, Trace
from armillary.routine import (
    DORMAND_PRINCE,
    RK4,
    Routine,
    Status,
    Variable,
    assign,
    call,
    if_,
    interpret,
    newton,
    repeat,
    return_,
    runge_kutta,
    verify,
    while_,
)
from armillary.runtime import Function, compile_routine
from reference.routines import curves, four_bar, pendulum, spinning, unit_quaternion


def arithmetic() -> Program:
    """y = A x / 2, big = |x|² - limit."""
    trace = Trace()
    A = trace.input(Input("A", (2, 2)))
    x = trace.input(Input("x", (2,)))
    (limit,) = trace.input(Input("limit", role="parameter", default=(0.2,)))
    trace.output(Output("y", (2,), ()), [(A[0] * x[0] + A[1] * x[1]) / 2, (A[2] * x[0] + A[3] * x[1]) / 2])
    trace.output(Output("big", (), ()), [x[0] * x[0] + x[1] * x[1] - limit])
    return trace.program("arithmetic")


def inner() -> Routine:
    """x, A x / 2, … until it is small, at most 6; then whatever it is."""
    return verify(
        Routine(
            "inner",
            (Input("A", (2, 2)), Input("x", (2,)), Input("limit")),
            (Variable("y", (2,)), Variable("passes")),
            (Variable("next", (2,)), Variable("big")),
            (Status("small"), Status("still_big")),
            (
                assign("y", "x"),
                assign("passes", 0.0),
                call(arithmetic(), {"x": "y"}, {"y": "next", "big": "big"}),
                while_(
                    "big",
                    6,
                    [
                        assign("passes", "k"),
                        assign("y", "next"),
                        call(arithmetic(), {"x": "y"}, {"y": "next", "big": "big"}),
                    ],
                    "k",
                ),
                if_("big", [return_("still_big")], [return_("small")]),
            ),
        )
    )


def everything() -> Routine:
    """Nested loops with rows of a table by both counters, a Routine called, returns from within."""
    return verify(
        Routine(
            "everything",
            (Input("A", (2, 2)), Input("x", (2,)), Input("limit", role="parameter", default=(0.2,))),
            (Variable("table", (12, 2)), Variable("sum", (3,)), Variable("found")),
            (Variable("now", (2,)), Variable("passes"), Variable("code"), Variable("flag")),
            (Status("done"), Status("hopeless"), Status("early")),
            (
                assign("table", nan),
                assign("table[0]", "x"),
                assign("sum", 1.5),
                assign("found", -1.0),
                assign("flag", 0),
                repeat(
                    3,
                    [
                        assign("sum[i]", "i"),
                        repeat(
                            3,
                            [
                                call(inner(), {"x": "table[j]"}, {"y": "now", "passes": "passes"}, "code"),
                                if_("code", [if_("i", [return_("hopeless")], [assign("flag", "i")])]),
                                assign("table[j+3]", "now"),
                                if_("passes", [assign("found", "passes")]),
                                assign("table[j+1]", "table[j+3]"),
                                if_("j", [assign("flag", 7)]),
                            ],
                            "j",
                        ),
                        assign("table[i+9]", "now"),
                    ],
                    "i",
                ),
                if_("found", [return_("early")]),
                assign("sum[2]", "flag"),
                return_("done"),
            ),
        )
    )


def same(f: Function, routine: Routine, inputs: dict[str, object], tolerance: float = 1e-12) -> int:
    """The results of one run are the interpreter's; the number of its status."""
    want = interpret(routine, inputs)
    states = {x.name: inputs[x.name] for x in f.signature.states if x.name in inputs}
    parameters = {x.name: inputs[x.name] for x in f.signature.parameters if x.name in inputs}
    got = f(**states, parameters=parameters) if parameters else f(**states)
    assert got.status == want.code
    for name, value in want.outputs.items():
        np.testing.assert_allclose(getattr(got, name), value, rtol=tolerance, atol=tolerance)
    return want.code


@pytest.fixture(scope="module")
def all_statements() -> Function:
    return compile_routine(everything(), cache=False)


def test_every_statement(all_statements: Function) -> None:
    rng = np.random.default_rng(0)
    codes = set()
    for _ in range(200):
        A, x = rng.normal(size=(2, 2)) * rng.uniform(0.5, 2), rng.normal(size=2) * rng.uniform(0.1, 2)
        inputs = {"A": A, "x": x, "limit": float(rng.uniform(0.01, 1))}
        codes.add(same(all_statements, everything(), inputs))
    assert codes == {0, 1, 2}


def test_batches_run_state_by_state(all_statements: Function) -> None:
    rng = np.random.default_rng(1)
    A, x = rng.normal(size=(57, 2, 2)) * 1.4, rng.normal(size=(57, 2))
    whole = all_statements(A, np.asfortranarray(x))
    assert len(set(whole.status)) > 1
    for k in range(57):
        for array, one in zip(whole, all_statements(A[k], x[k]), strict=True):
            np.testing.assert_array_equal(array[k], one)


def test_threads_share_a_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    from armillary.runtime import function

    monkeypatch.setattr(function, "_SHARE", 100)
    rng = np.random.default_rng(1)
    A, x = rng.normal(size=(301, 2, 2)), rng.normal(size=(301, 2))
    alone, together = (compile_routine(everything(), threads=n, cache=False)(A, x) for n in (1, 3))
    for a, b in zip(alone, together, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("dtype", ["double", "float"])
def test_newton_on_curves(dtype: str) -> None:
    routine = newton(curves(), "x", "r", "J")
    f = compile_routine(routine, dtype=dtype, cache=False)
    rng = np.random.default_rng(2)
    for _ in range(50):
        x, R = rng.uniform(0.8, 1.5, 2), rng.uniform(1.2, 2)
        if dtype == "double":
            same(f, routine, {"x_start": x, "R": R}, 1e-9)
        else:
            got = f(x_start=x, R=R, parameters={"tolerance": 1e-4})
            if interpret(routine, {"x_start": x, "R": R}).code == 0:
                assert got.status == 0
                np.testing.assert_allclose(got.x @ got.x, R * R, rtol=1e-4)


def test_newton_says_how_it_failed() -> None:
    routine = newton(curves(), "x", "r", "J", most=2)
    f = compile_routine(routine, cache=False)
    codes = {same(f, routine, {"x_start": x, "R": 2.0}) for x in ([1.1, 1.6], [90.0, 7.0], [nan, 1.0])}
    assert {routine.statuses[c].name for c in codes} >= {"not_converged", "singular"}


def test_newton_closes_a_linkage_for_a_batch() -> None:
    lengths = {"l1": 1.0, "l2": 3.0, "l3": 2.5, "l4": 3.2}
    f = compile_routine(newton(four_bar(), "x", "r", "J"), cache=False)
    q = np.linspace(0, 2 * np.pi, 200)
    starts = np.tile([0.9, 1.7], (200, 1))
    names = [x.name for x in f.signature.states]
    given = {"x_start": starts, "q": q, **lengths}
    got = f(**{n: given[n] for n in names}, parameters={n: v for n, v in given.items() if n not in names})
    coupler, rocker = got.x[got.status == 0].T
    pin = np.exp(1j * q[got.status == 0])
    assert len(coupler) > 150
    assert np.max(np.abs(pin + 3 * np.exp(1j * coupler) - 3.2 - 2.5 * np.exp(1j * rocker))) < 1e-11


@pytest.mark.parametrize("tableau", [RK4, DORMAND_PRINCE])
def test_runge_kutta(tableau: object) -> None:
    routine = runge_kutta(pendulum(), {"q": "qd", "w": "wd"}, 40, tableau=tableau, path=True)  # type: ignore[arg-type]
    f = compile_routine(routine, cache=False)
    rng = np.random.default_rng(3)
    for _ in range(5):
        inputs = {x.name: rng.uniform(0.1, 1, x.shape) for x in routine.inputs if x.default is None}
        same(f, routine, {**inputs, "h": 0.01})


def test_runge_kutta_has_its_order() -> None:
    """Half the step, a sixteenth of the error, against many small steps."""
    ends: list[float] = []
    for steps in (10, 20, 4000):
        f = compile_routine(runge_kutta(pendulum(), {"q": "qd", "w": "wd"}, steps), cache=False)
        ends.append(f(q_start=[1.0], w_start=[0.3], h=2 / steps).q[0])
    assert 12 < (ends[0] - ends[2]) / (ends[1] - ends[2]) < 20


def test_a_quaternion_keeps_its_length() -> None:
    routine = runge_kutta(spinning(), {"Q": "Qd", "w": "wd"}, 25, projection=unit_quaternion())
    f = compile_routine(routine, cache=False)
    rng = np.random.default_rng(4)
    inputs = {x.name: rng.uniform(0.5, 1, x.shape) for x in routine.inputs if x.default is None}
    inputs["Q_start"] /= np.linalg.norm(inputs["Q_start"])
    same(f, routine, {**inputs, "h": 0.02})


def test_nested_routines() -> None:
    routine = runge_kutta(newton(curves(), "x", "r", "J"), {"R": "steps"}, 2)
    f = compile_routine(routine, cache=False)
    same(f, routine, {x.name: np.full(x.shape, 1.2) for x in routine.inputs if x.default is None})


def test_inputs_left_out() -> None:
    f = compile_routine(newton(curves(), "x", "r", "J"), cache=False)
    with pytest.raises(ModelError, match="x_start"):
        f()
    assert repr(f) == "<Function curves_newton(x_start) -> x, steps, status, float64>" or "curves" in repr(f)


def test_code_is_kept(tmp_path: object) -> None:
    first = compile_routine(everything(), cache=tmp_path)  # type: ignore[arg-type]
    second = compile_routine(everything(), cache=tmp_path)  # type: ignore[arg-type]
    for a, b in zip(first(np.eye(2), np.ones(2)), second(np.eye(2), np.ones(2)), strict=True):
        np.testing.assert_array_equal(a, b)
