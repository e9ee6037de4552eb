"""Taylor series on the graph against derivatives in time taken one by one, and against series that are known."""

from math import factorial

import numpy as np
import pytest

from armillary.expr.derivative import jacobian
from armillary.expr.evaluate import evaluate
from armillary.expr.graph import Expr, Graph
from armillary.expr.ops import OPS
from armillary.expr.series import series
from armillary.program import to_graph
from reference.random_programs import random_inputs, random_program

SMOOTH = tuple(op for op in OPS if op not in ("sign", "less", "abs", "min", "max"))


@pytest.mark.parametrize(
    ("function", "coefficients"),
    [
        (Expr.exp, [1, 1, 1 / 2, 1 / 6, 1 / 24, 1 / 120]),
        (Expr.sin, [0, 1, 0, -1 / 6, 0, 1 / 120]),
        (Expr.cos, [1, 0, -1 / 2, 0, 1 / 24, 0]),
        (Expr.tan, [0, 1, 0, 1 / 3, 0, 2 / 15]),
        (Expr.arcsin, [0, 1, 0, 1 / 6, 0, 3 / 40]),
        (Expr.arctan, [0, 1, 0, -1 / 3, 0, 1 / 5]),
        (Expr.tanh, [0, 1, 0, -1 / 3, 0, 2 / 15]),
        (lambda x: (1 + x).log(), [0, 1, -1 / 2, 1 / 3, -1 / 4, 1 / 5]),
        (lambda x: (1 + x).sqrt(), [1, 1 / 2, -1 / 8, 1 / 16, -5 / 128, 7 / 256]),
        (lambda x: 1 / (1 - x), [1, 1, 1, 1, 1, 1]),
    ],
)
def test_known_series(function, coefficients: list[float]) -> None:  # type: ignore[no-untyped-def]
    g = Graph()
    x = g.symbol("x")
    (found,) = series([function(x)], {"x": [g.const(c) for c in (0, 1, 0, 0, 0, 0)]}, 5)
    assert np.allclose([float(v) for v in evaluate(found.c, {})], coefficients, rtol=0, atol=1e-15)


@pytest.mark.parametrize("seed", range(40))
def test_against_derivatives_of_derivatives(seed: int) -> None:
    """x(t) = x0 + x1 t: the k-th derivative in time by taking ∂/∂x · x1 again and again."""
    rng = np.random.default_rng(seed)
    program = random_program(rng, size=12, systems=1, ops=SMOOTH)
    graph, results = to_graph(program)
    roots = [e for r in results for e in r.elements]
    labels = [label for x in program.inputs for label in x.labels]
    symbols = [graph.symbol(label) for label in labels]
    speeds = [graph.symbol(f"speed {label}") for label in labels]
    order = 3
    leaves = {
        label: [s, v, *[graph.const(0)] * (order - 1)] for label, s, v in zip(labels, symbols, speeds, strict=True)
    }
    given = random_inputs(rng, program)
    values = dict(zip(labels, np.concatenate([np.ravel(given[x.name]) for x in program.inputs]).tolist(), strict=True))
    values |= {f"speed {label}": float(rng.normal()) for label in labels}
    found = series(roots, leaves, order)
    current = roots
    for k in range(1, order + 1):
        J = jacobian(current, symbols)
        current = [sum((d * v for d, v in zip(row, speeds, strict=True)), graph.const(0)) for row in J]
        expected = np.array(evaluate(current, values), dtype=float)
        got = np.array(evaluate([s.c[k] for s in found], values), dtype=float) * factorial(k)
        assert (np.abs(got - expected) <= 1e-8 * np.maximum(1, np.abs(expected))).all()
