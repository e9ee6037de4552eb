"""Gathering and factoring: what becomes work on parameters alone, what is shared and therefore left alone."""

import numpy as np
import pytest

from armillary.expr.graph import Graph
from armillary.expr.parse import parse
from armillary.passes import PASSES
from armillary.program import Input, Output, Program, Result, cost, evaluate, to_program

STATES, PARAMETERS = ("x", "y", "z"), ("p", "r", "t")


def _program(*texts: str) -> Program:
    graph = Graph()
    inputs = [Input(s, (), labels=(s,)) for s in STATES] + [Input(p, (), "parameter", labels=(p,)) for p in PARAMETERS]
    elements = tuple(parse(text, graph) for text in texts)
    return to_program("case", inputs, [Result(Output("f", (len(texts),), ()), elements)])


@pytest.mark.parametrize(
    ("text", "online", "setup"),
    [
        ("(p*x)*r", 1, 1),
        ("((p*x)*y)*r", 2, 1),
        ("(x + p) + r", 1, 1),
        ("((x - p) + y) - r", 2, 1),
        ("x*y + x*z", 2, 0),
        ("x*p + x*r", 1, 1),
        ("x*p + y + x*r - x*t", 2, 2),
        ("p*x - p*y", 2, 0),
        ("p*x*y + r*x*y", 2, 1),
        ("x*(y + p) + x*r", 2, 1),
        ("x*y + z", 2, 0),
        ("p*x + r*y", 3, 0),
    ],
)
def test_costs(text: str, online: int, setup: int) -> None:
    program = _program(text)
    after = PASSES["gather"](PASSES["gather"](program))
    found = cost(after)
    assert (found[0].total, found[1].total) == (online, setup)
    values = dict(zip(STATES + PARAMETERS, np.random.default_rng(1).normal(size=6), strict=True))
    given = {x.name: values[x.name] for x in program.inputs}
    assert evaluate(after, given)["f"] == pytest.approx(evaluate(program, given)["f"], abs=1e-14)


def test_products_used_elsewhere_stay() -> None:
    program = _program("x*y + x*z", "x*y - 2", "x*z - 3")
    assert PASSES["gather"](program) is program


def test_partial_sums_used_elsewhere_stay() -> None:
    program = _program("(x + p) + r", "sin(x + p)")
    assert PASSES["gather"](program) is program
