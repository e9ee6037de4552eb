"""One formula over floats, arrays, complex numbers, fractions and residues."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from armillary.errors import ExpressionError
from armillary.expr.arithmetics import COMPLEXES, RATIONALS, modular
from armillary.expr.evaluate import circle_point, evaluate
from armillary.expr.graph import Graph
from armillary.expr.parse import parse

PRIME = 2**31 - 1


def test_floats_and_arrays() -> None:
    g = Graph()
    roots = [parse("sin(x)*y + 2", g), parse("select(less(x, y), x, y)", g), g.symbol("x"), g.const(3)]
    x, y = np.linspace(-1, 1, 5), 0.25
    values = evaluate(roots, {"x": x, "y": y})
    assert np.array_equal(values[0], np.sin(x) * y + 2)
    assert np.array_equal(values[1], np.minimum(x, y))
    assert values[2] is x and values[3] == 3


def test_a_missing_value_is_named() -> None:
    with pytest.raises(ExpressionError, match=r"'speed'.*given for: x, y"):
        evaluate([parse("speed*x")], {"y": 1, "x": 2})


def test_systems_over_every_arithmetic() -> None:
    g = Graph()
    x = g.solve(
        [[g.symbol(f"a{i}{j}") for j in range(3)] for i in range(3)],
        [[g.symbol(f"b{i}{j}") for j in range(2)] for i in range(3)],
    )
    matrix = [[0, 2, 1], [3, -1, 0], [1, 0, 5]]
    right = [[1, 2], [0, 3], [-1, 1]]
    leaves = {f"a{i}{j}": matrix[i][j] for i in range(3) for j in range(3)} | {
        f"b{i}{j}": right[i][j] for i in range(3) for j in range(2)
    }
    roots = [x[i][j] for i in range(3) for j in range(2)]
    exact = evaluate(roots, leaves, RATIONALS)
    assert all(isinstance(v, Fraction) for v in exact)
    for i in range(3):
        for j in range(2):
            assert sum(matrix[i][k] * exact[2 * k + j] for k in range(3)) == right[i][j]
    assert np.allclose(evaluate(roots, leaves), [float(v) for v in exact], rtol=1e-15)
    residues = evaluate(roots, leaves, modular(PRIME))
    assert residues == [v.numerator * pow(v.denominator, -1, PRIME) % PRIME for v in exact]
    batch = evaluate(roots, leaves | {"b00": np.array([1.0, 2.0, 3.0])})
    assert np.allclose(batch[0], [float(exact[0]) + k * (batch[0][1] - batch[0][0]) for k in range(3)])


@pytest.mark.parametrize("arithmetic", [RATIONALS, modular(101)], ids=lambda a: a.name)
def test_singular_systems_are_refused(arithmetic: object) -> None:
    g = Graph()
    a = g.symbol("a")
    x = g.solve([[a, 2], [2 * a, 4]], [[1], [1]])
    with pytest.raises(ExpressionError, match="2 x 2 matrix of a solve is singular"):
        evaluate([x[0][0]], {"a": 3}, arithmetic)  # type: ignore[arg-type]
    with pytest.raises(ExpressionError, match="singular"):
        evaluate([x[0][0]], {"a": 3.0})


@settings(deadline=None)
@given(a=st.fractions(max_denominator=20), b=st.fractions(max_denominator=20))
def test_fractions_are_exact(a: Fraction, b: Fraction) -> None:
    text = "(x + y)**2 - x**2 - 2*x*y - y**2 + min(x, y) + max(x, y) - abs(x)*sign(x) + select(less(x, y), x, y)/3"
    assert evaluate([parse(text)], {"x": a, "y": b}, RATIONALS)[0] == b + min(a, b) / 3


def test_residues_agree_with_fractions() -> None:
    node = parse("(x/3 - 2*y)**5/(x*y + 7) - 0.5")
    exact = evaluate([node], {"x": 5, "y": -4}, RATIONALS)[0]
    assert (
        evaluate([node], {"x": 5, "y": -4 % PRIME}, modular(PRIME))[0]
        == exact.numerator * pow(exact.denominator, -1, PRIME) % PRIME
    )


@pytest.mark.parametrize(
    ("text", "over"), [("sin(x)", RATIONALS), ("sqrt(x)", RATIONALS), ("pi*x", RATIONALS), ("1/(x - 2)", RATIONALS)]
)
def test_what_a_fraction_cannot_be_is_refused(text: str, over: object) -> None:
    with pytest.raises(ExpressionError):
        evaluate([parse(text)], {"x": 2}, over)  # type: ignore[arg-type]


def test_branches_are_refused_modulo_a_prime() -> None:
    with pytest.raises(ExpressionError, match="integers modulo 7"):
        evaluate([parse("sign(x)")], {"x": 2}, modular(7))
    with pytest.raises(ExpressionError, match="zero modulo 7"):
        evaluate([parse("1/x")], {"x": 14}, modular(7))


@pytest.mark.parametrize(
    "text",
    [
        "sin(q1 + 2*q2)",
        "cos(q1 - q2 + pi/2)",
        "sin(3*q1)*cos(-q2)",
        "cos(q1 - 5*q2 - 3*pi)",
        "sin(q1)**2 + cos(q1)**2 + q3",
    ],
)
def test_sines_of_sums_follow_from_points_on_the_circle(text: str) -> None:
    """At the angles that the rational points belong to, the exact value is the value."""
    t = {"q1": Fraction(2, 3), "q2": Fraction(-5, 7)}
    points = {name: circle_point(v, RATIONALS) for name, v in t.items()}
    assert all(c * c + s * s == 1 for c, s in points.values())
    angles = {name: 2 * math.atan(v) for name, v in t.items()}
    node = parse(text)
    exact = evaluate([node], {"q3": 1}, RATIONALS, angles=points)[0]
    assert isinstance(exact, Fraction)
    assert math.isclose(exact, evaluate([node], {**angles, "q3": 1})[0], rel_tol=1e-13)


def test_angles_that_are_no_whole_sums_are_refused() -> None:
    points = {"q": circle_point(Fraction(1, 2), RATIONALS)}
    for text in ("sin(q/2)", "sin(q + pi/3)", "sin(q*q)", "sin(q + p)"):
        with pytest.raises(ExpressionError):
            evaluate([parse(text)], {"q": 1, "p": 1}, RATIONALS, angles=points)


@pytest.mark.parametrize(
    "text",
    [
        "abs(x)*x",
        "atan2(x, y)",
        "atan2(y, -x)",
        "min(x, y)*x",
        "max(x, 0.5)*x",
        "sign(x)*x",
        "select(less(y, x), x*y, y)",
        "sqrt(x)*exp(x)",
    ],
)
def test_complex_step_differentiates(text: str) -> None:
    """Im f(x + ih)/h is the derivative, on every branch."""
    node = parse(text)
    for x in (0.3, 1.7):
        h = 1e-200
        slope = evaluate([node], {"x": x + 1j * h, "y": 0.8}, COMPLEXES)[0].imag / h
        difference = (
            evaluate([node], {"x": x + 1e-6, "y": 0.8})[0] - evaluate([node], {"x": x - 1e-6, "y": 0.8})[0]
        ) / 2e-6
        assert math.isclose(slope, difference, rel_tol=1e-8, abs_tol=1e-8)
