"""Integration with a fixed step: order, invariants, closed forms."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest

from armillary.errors import RoutineError
from armillary.program import Input, Output, Trace, evaluate
from armillary.routine import DORMAND_PRINCE, RK4, TABLEAUS, Tableau, interpret, newton, runge_kutta
from reference.routines import curves, pendulum, quadrature, spinning, unit_quaternion

METHODS = list(TABLEAUS.values())
PENDULUM = {"q": "qd", "w": "wd"}


@pytest.mark.parametrize("tableau", METHODS, ids=lambda t: t.name)
def test_order_conditions(tableau: Tableau) -> None:
    """Σ b_i Φ_i(t) = 1/γ(t) for the rooted trees up to four nodes (Hairer, Nørsett, Wanner, II.2), exactly."""
    s = tableau.stages
    a = [[*row, *[Fraction(0)] * (s - len(row))] for row in tableau.a]
    c = [sum(row) for row in a]
    ac = [sum(x * y for x, y in zip(row, c, strict=True)) for row in a]
    trees = [
        (1, [Fraction(1)] * s, 1),
        (2, c, 2),
        (3, [x**2 for x in c], 3),
        (3, ac, 6),
        (4, [x**3 for x in c], 4),
        (4, [x * y for x, y in zip(c, ac, strict=True)], 8),
        (4, [sum(x * y**2 for x, y in zip(row, c, strict=True)) for row in a], 12),
        (4, [sum(x * y for x, y in zip(row, ac, strict=True)) for row in a], 24),
        (5, [x**4 for x in c], 5),
    ]
    for order, weights, gamma in trees:
        total = sum(b * w for b, w in zip(tableau.b, weights, strict=True))
        if order <= tableau.order:
            assert total == Fraction(1, gamma)
        if tableau.error and order <= tableau.order - 1:
            assert sum(e * w for e, w in zip(tableau.error, weights, strict=True)) == 0
    assert (
        any(
            order > tableau.order and sum(b * w for b, w in zip(tableau.b, weights, strict=True)) != Fraction(1, gamma)
            for order, weights, gamma in trees
        )
        or tableau is DORMAND_PRINCE
    )


def swing(steps: int, span: float, tableau: Tableau = RK4) -> float:
    """q(span) of a pendulum let go at 1 rad."""
    routine = runge_kutta(pendulum(), PENDULUM, steps, tableau=tableau)
    return float(interpret(routine, {"q_start": [1.0], "w_start": [0.0], "h": span / steps})["q"][0])


def elliptic(t: float, amplitude: float = 1.0, ratio: float = 9.81) -> float:
    """2 asin(k cd(√(g/l) t, k)), k = sin(amplitude / 2): the pendulum's closed form."""
    k = mpmath.sin(amplitude / 2)
    return float(2 * mpmath.asin(k * mpmath.ellipfun("cd", mpmath.sqrt(ratio) * t, m=k * k)))


@pytest.mark.parametrize("tableau", METHODS, ids=lambda t: t.name)
def test_a_pendulum_swings_as_elliptic_functions_say(tableau: Tableau) -> None:
    """And the error falls with the order of the method."""
    coarse, fine = (abs(swing(n, 1.0, tableau) - elliptic(1.0)) for n in (60, 120))
    assert 0.75 * 2**tableau.order < coarse / fine < 1.4 * 2**tableau.order
    assert fine < {1: 0.5, 2: 5e-3, 4: 2e-6, 5: 1e-8}[tableau.order]


def test_the_energy_of_a_pendulum_drifts_with_the_fifth_power_of_the_step() -> None:
    """RK4 loses energy at a rate that falls 32 times as the step is halved (its dissipation is of odd order)."""
    drifts = []
    for steps in (200, 400, 800):
        path = interpret(
            runge_kutta(pendulum(), PENDULUM, steps, path=True), {"q_start": [2.0], "w_start": [0.0], "h": 10 / steps}
        )
        energy = evaluate(pendulum(), {"q": path["q_path"], "w": path["w_path"]})["E"]
        drifts.append(abs(energy[-1] - energy[0]) / energy[0])
    assert drifts[2] < 1e-6 and drifts[0] > 25 * drifts[1] > 25 * 25 * drifts[2]


def test_time_is_a_state_of_its_own() -> None:
    """x' = 5 t⁴: the quadrature of a polynomial is exact for a method of that order."""
    routine = runge_kutta(quadrature(), {"x": "xd"}, 10, tableau=DORMAND_PRINCE, time="t")
    got = interpret(routine, {"x_start": 1.0, "t_start": 1.0, "h": 0.1})
    assert got["t"] == pytest.approx(2.0, abs=1e-14) and got["x"] == pytest.approx(32.0, abs=1e-13)


def test_quaternions_stay_of_unit_length_and_momentum_stays_where_it_is() -> None:
    """Q has four numbers and its rate ω three; with a projection |Q| = 1 after every step."""
    rates = {"Q": "Qd", "w": "wd"}
    start = {"Q_start": [1, 0, 0, 0], "w_start": [0.1, 2.0, 0.3], "h": 0.02}
    free = interpret(runge_kutta(spinning(), rates, 500), start)
    kept = interpret(runge_kutta(spinning(), rates, 500, projection=unit_quaternion(), path=True), start)
    assert abs(np.linalg.norm(free["Q"]) - 1) > 1e-10
    assert np.allclose(np.linalg.norm(kept["Q_path"], axis=1), 1, rtol=0, atol=1e-15)
    for Q, w in zip(kept["Q_path"], kept["w_path"], strict=True):
        a, v = Q[0], Q[1:]
        R = (a * a - v @ v) * np.eye(3) + 2 * np.outer(v, v) + 2 * a * np.cross(np.eye(3), v)
        assert np.allclose(R @ (w * [1, 2, 3]), [0.1, 4.0, 0.9], rtol=0, atol=2e-4)


def test_a_routine_may_be_the_rate() -> None:
    """Its failure ends the integration with a status of its own, and what was not reached is NaN."""
    solve = newton(curves(), "x", "r", "J", most=12)
    routine = runge_kutta(solve, {"R": "steps"}, 3, path=True, name="growing")
    assert [s.name for s in routine.statuses] == ["finished", "no_rate"]
    bad = interpret(routine, {"R_start": 2, "x_start": [np.nan, 1], "h": 0.1})
    assert (bad.status, bad.code) == ("no_rate", 1)
    assert bad["R_path"][0] == 2 and np.isnan(bad["R_path"][1:]).all()
    assert interpret(routine, {"R_start": 2, "x_start": [1, 1], "h": 0.0}).status == "finished"


def test_refusals() -> None:
    with pytest.raises(RoutineError, match="no input 'v'; it has q, w, ratio"):
        runge_kutta(pendulum(), {"v": "wd"}, 3)
    with pytest.raises(RoutineError, match=r"the rate 'E' of 'q' must be an output of pendulum of shape \(1,\)"):
        runge_kutta(pendulum(), {"q": "E"}, 3)
    with pytest.raises(RoutineError, match="the time 'q' of pendulum must be a scalar and no state"):
        runge_kutta(pendulum(), {"w": "wd"}, 3, time="q")
    with pytest.raises(RoutineError, match="repeat 0: a loop has 1 to"):
        runge_kutta(pendulum(), PENDULUM, 0)


def test_constants_along_the_way_are_inputs() -> None:
    """Whatever else the rate takes keeps its role and its default."""
    routine = runge_kutta(pendulum(), PENDULUM, 3)
    assert [(x.name, x.role, x.default) for x in routine.inputs] == [
        ("q_start", "state", None),
        ("w_start", "state", None),
        ("h", "state", None),
        ("ratio", "parameter", (9.81,)),
    ]
    slow = interpret(routine, {"q_start": [1.0], "w_start": [0.0], "h": 0.1, "ratio": 0.0})
    assert slow["q"] == [1.0]
    trace = Trace()
    trace.output(Output("xd", (), ()), [trace.input(Input("x"))[0] * -1])
    decay = runge_kutta(trace.program("decay"), {"x": "xd"}, 50)
    assert interpret(decay, {"x_start": 1, "h": 0.02})["x"] == pytest.approx(np.exp(-1), abs=1e-9)
