"""The plain listing: read back by the parser of expressions, equation by equation, it computes what the Program does."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from armillary.expr.evaluate import evaluate as evaluate_expression
from armillary.expr.ops import OPS
from armillary.expr.parse import parse
from armillary.program import Input, Output, Program, Trace, evaluate
from armillary.targets import target
from armillary.targets.text import equations
from reference.random_programs import CONSTANTS, random_inputs, smooth
from reference.written_programs import inertia_matrix, inverse_dynamics, pose

READABLE = tuple(op for op in OPS if op not in ("less", "select"))
"""Comparisons are written as C writes them, which the parser does not read."""


def readable_program(seed: int) -> Program:
    """Operations on simple names."""
    rng = np.random.default_rng(seed)
    trace = Trace()
    values = [*trace.input(Input("q", (3,), labels=("q1", "q2", "q3"))), *trace.input(Input("L", role="parameter"))]
    values += [trace.graph.const(c) for c in CONSTANTS]
    for k in range(60):
        op = READABLE[rng.integers(len(READABLE))]
        made = smooth(trace, op, [values[rng.integers(len(values))] for _ in range(OPS[op].arity)])
        values.append(made if k % 2 else made.sin())
        if k % 5 == 0:
            values[-1].named(f"N{k}")
    trace.output(Output("y", (3,), ()), values[-3:])
    trace.output(Output("Y", (2, 2), ()), [values[20], values[-1], values[-1], values[30]])
    return trace.program("p")


def computed(program: Program, given: dict[str, Any]) -> dict[str, float]:
    """The value of every left-hand side, in the order of the listing."""
    known: dict[str, Any] = {}
    for x in program.inputs:
        known |= zip(x.labels, np.ravel(given[x.name]), strict=True)
    for line in equations(program):
        name, formula = (side.strip() for side in line.split(" = "))
        if formula not in known:
            expression = parse(formula)
            known[name] = evaluate_expression([expression], known)[0]
        else:
            known[name] = known[formula]
    return known


@pytest.mark.parametrize("seed", range(20))
def test_the_listing_computes_what_the_program_does(seed: int) -> None:
    program = readable_program(seed)
    given: dict[str, Any] = random_inputs(np.random.default_rng(seed + 100), program)
    known = computed(program, given)
    expected = evaluate(program, given)
    np.testing.assert_allclose([known[f"y[{k}]"] for k in range(3)], expected["y"], rtol=1e-13)
    np.testing.assert_allclose([[known[f"Y[{i},{j}]"] for j in range(2)] for i in range(2)], expected["Y"], rtol=1e-13)


def test_systems_and_selections_are_written() -> None:
    trace = Trace()
    a, b = trace.input(Input("a", (2,), labels=("a", "b")))
    (x,), (y,) = trace.graph.solve([[a, b], [b, a + 1]], [[1], [a.less(b).select(a, 2)]])
    trace.output(Output("x", (), ()), [x * y + a.select(b, 0)])
    assert equations(trace.program("p")) == [
        "t1 = (a < b ? a : 2)",
        "X  = solve([[a, b], [b, a + 1]], [[1], [t1]])",
        "x  = X[0,0]*X[1,0] + (a != 0 ? b : 0)",
    ]


@pytest.mark.parametrize("make", [inverse_dynamics, inertia_matrix, pose])
def test_golden(make: Callable[[], Program], golden: Callable[[str, str], None]) -> None:
    for name, text in target("text").files(make()).items():
        golden(f"text/{name}", text)
