"""The normal form: the same value, identities recognised, and the way back to few terms."""

import numpy as np
import pytest

from armillary.expr.evaluate import evaluate
from armillary.expr.fourier import TooLong, expanded, factored, products
from armillary.expr.graph import Expr, Graph
from armillary.expr.parse import parse


def random_polynomial(rng: np.random.Generator, g: Graph) -> Expr:
    angles = [g.symbol(f"q{k}") for k in range(3)]
    lengths = [g.symbol(f"L{k}") for k in range(3)]

    def angle() -> Expr:
        return sum((a * int(rng.integers(-2, 3)) for a in angles), g.const(0))

    def factor() -> Expr:
        kind = rng.integers(4)
        if kind == 0:
            return lengths[rng.integers(3)]
        return angle().sin() if kind == 1 else angle().cos() if kind == 2 else g.const(int(rng.integers(-3, 4)))

    total = g.const(0)
    for _ in range(rng.integers(1, 6)):
        term = factor()
        for _ in range(rng.integers(0, 4)):
            term = term * factor()
        total = total + term
    return total * factor() - factor()


@pytest.mark.parametrize("seed", range(200))
def test_the_value_stays(seed: int) -> None:
    rng = np.random.default_rng(seed)
    g = Graph()
    x = random_polynomial(rng, g)
    values = {f"{name}{k}": float(rng.normal()) for name in "qL" for k in range(3)}
    (expected,) = evaluate([x], values)
    (got,) = evaluate([factored(x)], values)
    assert abs(got - expected) <= 1e-11 * max(1, abs(expected))


@pytest.mark.parametrize(
    ("formula", "terms"),
    [
        ("sin(a)**2 + cos(a)**2 - 1", 0),
        ("cos(a)*cos(b) - sin(a)*sin(b) - cos(a + b)", 0),
        ("sin(3*a) - 3*sin(a) + 4*sin(a)**3", 0),
        ("cos(a)*cos(b)", 1),
        ("cos(a)*cos(b)*cos(c)", 1),
        ("L**2*cos(a)**2", 1),
        ("L*sin(a)*cos(b)*x**2 + L*x**2*cos(a)*sin(b)", 1),
        ("sin(a)*(sin(b) + cos(b))", 2),
        ("(a + b)**3", 4),
        ("sin(a + pi/2) - cos(a)", 0),
        ("cos(pi - a) + cos(a)", 0),
    ],
)
def test_identities(formula: str, terms: int) -> None:
    (form,), _ = expanded([parse(formula)], 100)
    assert len(products(form)) == terms


def test_common_factors_come_out() -> None:
    x = factored(parse("a*b*cos(q)*x - a*c*cos(q)*y"))
    assert x.op == "mul" and {str(n.attr) for n in x.args if n.op == "symbol"} <= {"a"}
    assert repr(x).count("cos(q)") == 1


def test_too_long_is_refused() -> None:
    with pytest.raises(TooLong, match="more than 50 terms"):
        expanded([parse("(a + b + c + d)**6")], 50)
    x = parse("(a + b + c + d)**6")
    assert factored(x, 50) is x
