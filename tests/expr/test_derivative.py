"""Derivatives on the graph against complex steps, forward against reverse, and by hand where branches are."""

import numpy as np
import pytest

from armillary.expr.arithmetics import COMPLEXES
from armillary.expr.derivative import jacobian
from armillary.expr.evaluate import evaluate
from armillary.expr.graph import Graph
from armillary.expr.ops import OPS
from armillary.program import to_graph
from reference.random_programs import random_inputs, random_program

SMOOTH = tuple(op for op in OPS if op not in ("sign", "less"))


@pytest.mark.parametrize("seed", range(100))
@pytest.mark.parametrize("reverse", [False, True])
def test_against_complex_steps(seed: int, reverse: bool) -> None:
    rng = np.random.default_rng(seed)
    program = random_program(rng, ops=SMOOTH)
    graph, results = to_graph(program)
    roots = [e for r in results for e in r.elements]
    labels = [label for x in program.inputs for label in x.labels]
    given = random_inputs(rng, program)
    values = dict(zip(labels, np.concatenate([np.ravel(given[x.name]) for x in program.inputs]).tolist(), strict=True))
    J = jacobian(roots, [graph.symbol(label) for label in labels], reverse=reverse)
    got = np.array(evaluate([x for row in J for x in row], values), dtype=float).reshape(len(roots), len(labels))
    h = 1e-30
    for j, label in enumerate(labels):
        stepped = evaluate(roots, {name: v + (h * 1j if name == label else 0) for name, v in values.items()}, COMPLEXES)
        expected = np.imag(np.array(stepped, dtype=complex)) / h
        size = np.maximum(1, np.abs(expected))
        assert (np.abs(got[:, j] - expected) <= 1e-9 * size).all(), label


def test_branches_by_hand() -> None:
    g = Graph()
    x, y = g.symbol("x"), g.symbol("y")
    roots = [x.sign(), abs(x), x.maximum(y), x.minimum(y), x.less(y), x.less(0).select(y, x * x)]
    for reverse in (False, True):
        J = jacobian(roots, [x, y], reverse=reverse)
        for at, rows in (
            ({"x": -2.0, "y": 1.0}, [[0, 0], [-1, 0], [0, 1], [1, 0], [0, 0], [0, 1]]),
            ({"x": 3.0, "y": 1.0}, [[0, 0], [1, 0], [1, 0], [0, 1], [0, 0], [6, 0]]),
            ({"x": 0.0, "y": 1.0}, [[0, 0], [0, 0], [0, 1], [1, 0], [0, 0], [0, 0]]),
        ):
            values = np.array(evaluate([e for row in J for e in row], at), dtype=float).reshape(6, 2)
            assert (values == rows).all(), at


def test_what_is_not_reached_is_zero_by_structure() -> None:
    g = Graph()
    x, y = g.symbol("x"), g.symbol("y")
    for reverse in (False, True):
        J = jacobian([x * 2, g.const(3)], [x, y], reverse=reverse)
        assert [[e.const for e in row] for row in J] == [[2, 0], [0, 0]]


def test_an_inverse() -> None:
    """d(A⁻¹) = -A⁻¹ dA A⁻¹, element by element."""
    g = Graph()
    A = [[g.symbol(f"a{i}{j}") for j in range(3)] for i in range(3)]
    identity = [[1 if i == j else 0 for j in range(3)] for i in range(3)]
    X = [x for row in g.solve(A, identity) for x in row]
    symbols = [a for row in A for a in row]
    a = np.random.default_rng(3).normal(size=(3, 3)) + 3 * np.eye(3)
    inverse = np.linalg.inv(a)
    values = {f"a{i}{j}": a[i, j] for i in range(3) for j in range(3)}
    expected = -np.einsum("ip,qj->ijpq", inverse, inverse).reshape(9, 9)
    for reverse in (False, True):
        J = jacobian(X, symbols, reverse=reverse)
        got = np.array(evaluate([e for row in J for e in row], values), dtype=float).reshape(9, 9)
        assert np.abs(got - expected).max() < 1e-13
