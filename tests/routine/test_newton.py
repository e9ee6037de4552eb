"""Newton on curves and linkages whose solutions are known by other means."""

import numpy as np
import pytest

from armillary.errors import ProgramError, RoutineError
from armillary.program import Input, Output, Program, Trace, evaluate
from armillary.routine import interpret, newton
from reference.routines import curves, four_bar

CURVES = newton(curves(), "x", "r", "J")
FOUR_BAR = newton(four_bar(), "x", "r", "J")


def one(formula: str) -> Program:
    """A scalar equation with its derivative."""
    trace = Trace()
    (x,) = trace.input(Input("x", (1,)))
    r, J = {"square": (x * x, 2 * x), "square + 1": (x * x + 1, 2 * x), "x + 1": (x + 1, x * 0 + 1)}[formula]
    trace.output(Output("r", (1,), ()), [r])
    trace.output(Output("J", (1, 1), ()), [[J]])
    return trace.program("one")


def test_a_circle_meets_a_cubic() -> None:
    """x³ - x on a circle: x² = u is the root of u (u - 1)² + u = R², found as the root of a polynomial."""
    for R in (0.5, 1.0, 2.0, 3.7):
        roots = np.roots([1, -2, 2, -R * R])
        u = roots[np.abs(roots.imag) < 1e-9].real[0]
        x = np.sqrt(u)
        got = interpret(CURVES, {"x_start": [x + 0.3, x**3 - x - 0.2], "R": R, "a": 1})
        assert got.status == "converged" and got.code == 0
        assert np.allclose(np.abs(got["x"]), np.abs([x, x**3 - x]), rtol=0, atol=1e-12)


def freudenstein(q: float, l1: float, l2: float, l3: float, l4: float) -> tuple[float, float]:
    """Angles of coupler and rocker by the law of cosines on the diagonal from crank pin to rocker pivot."""
    pin = l1 * np.exp(1j * q)
    diagonal = l4 - pin
    d = abs(diagonal)
    at_pin = np.arccos((l2 * l2 + d * d - l3 * l3) / (2 * l2 * d))
    coupler = np.angle(diagonal) + at_pin
    return coupler, np.angle(pin + l2 * np.exp(1j * coupler) - l4)


def test_a_four_bar_linkage_closes_all_the_way_round() -> None:
    """Every start is the last solution, as one would close a loop along a motion: three steps are enough."""
    lengths = {"l1": 1.0, "l2": 3.0, "l3": 2.5, "l4": 3.2}
    x = np.array(freudenstein(0.0, **lengths))
    for q in np.linspace(0, 2 * np.pi, 100):
        got = interpret(FOUR_BAR, {"x_start": x, "q": q, **lengths})
        assert got.status == "converged" and got["steps"] <= 4
        expected = freudenstein(q, **lengths)
        assert np.allclose(np.exp(1j * got["x"]), np.exp(1j * np.array(expected)), rtol=0, atol=1e-11)
        x = got["x"]


def test_the_derivatives_of_the_examples_are_right() -> None:
    """Column by column, against central differences."""
    rng = np.random.default_rng(1)
    for program, others in (
        (curves(), {"R": 1.3, "a": 0.7}),
        (four_bar(), {"q": 0.4, "l1": 1, "l2": 3, "l3": 2.5, "l4": 3.2}),
    ):
        x = rng.normal(size=2)
        J = evaluate(program, {"x": x, **others})["J"]
        for k, e in enumerate(np.eye(2) * 1e-6):
            change = evaluate(program, {"x": x + e, **others})["r"] - evaluate(program, {"x": x - e, **others})["r"]
            assert np.allclose(J[:, k], change / 2e-6, rtol=0, atol=1e-8)


def test_right_digits_double() -> None:
    """Stopped after k steps, the errors are e, C e², C³ e⁴, …"""
    exact = interpret(CURVES, {"x_start": [2.5, 0.5], "R": 2})["x"]
    errors = []
    for most in range(1, 5):
        got = interpret(newton(curves(), "x", "r", "J", most=most), {"x_start": [2.5, 0.5], "R": 2, "tolerance": 0})
        assert got.status == "not_converged"
        errors.append(np.abs(got["x"] - exact).max())
    rate = np.log(errors[1:]) / np.log(errors[:-1])
    assert errors[0] < 0.5 and errors[3] < 1e-6 and (rate > 1.6).all()


def test_a_start_on_the_solution_takes_no_step() -> None:
    x = interpret(CURVES, {"x_start": [1, 1], "R": 2})["x"]
    got = interpret(CURVES, {"x_start": x, "R": 2})
    assert (got["steps"], got.status) == (0, "converged") and np.array_equal(got["x"], x)


def test_how_it_fails() -> None:
    no_root = interpret(newton(one("square + 1"), "x", "r", "J", most=7), {"x_start": [0.3]})
    assert (no_root.status, no_root.code, no_root["steps"]) == ("not_converged", 1, 7)
    flat = interpret(newton(one("square + 1"), "x", "r", "J"), {"x_start": [0.0]})
    assert (flat.status, flat.code, flat["x"]) == ("singular", 2, [0.0])
    nan = interpret(CURVES, {"x_start": [np.nan, 1], "R": 2})
    assert nan.status == "singular"
    double = interpret(newton(one("square"), "x", "r", "J", most=60), {"x_start": [1.0]})
    assert double.status == "converged" and double["steps"] == 20  # a double root: half the distance each step
    stretched = interpret(
        newton(four_bar(), "x", "r", "J"), {"x_start": [0, 0.1], "q": 0, "l1": 1, "l2": 1, "l3": 1, "l4": 9}
    )
    assert stretched.status in ("not_converged", "singular")


def test_the_tolerance_is_an_input() -> None:
    coarse = interpret(newton(one("square"), "x", "r", "J", most=60), {"x_start": [1.0], "tolerance": 0.1})
    assert coarse["steps"] == 2 and coarse["x"] == [0.25]


def test_refusals() -> None:
    with pytest.raises(RoutineError, match=r"as many equations as unknowns: in one the unknown 'x' has shape \(1,\)"):
        newton(one("x + 1").with_(outputs=(one("x + 1").outputs[0], Output("J", (1,), (0,)))), "x", "r", "J")
    with pytest.raises(ProgramError, match="no output 'residual'; it has r, J"):
        newton(one("x + 1"), "x", "residual", "J")
    with pytest.raises(RoutineError, match="two variables are called steps"):
        trace = Trace()
        (x,) = trace.input(Input("steps", (1,)))
        trace.output(Output("r", (1,), ()), [x])
        trace.output(Output("J", (1, 1), ()), [[1]])
        newton(trace.program("one"), "steps", "r", "J")
