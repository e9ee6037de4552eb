"""Turns about one direction, one after another: text in, text out."""

import numpy as np
import pytest

from armillary.expr.graph import Graph
from armillary.expr.infix import infix
from armillary.expr.parse import parse
from armillary.passes import PASSES
from armillary.program import Input, Output, Result, evaluate, to_graph, to_program

CASES = {
    "cos(a)*cos(b) - sin(a)*sin(b)": "cos(a + b)",
    "sin(a)*cos(b) + cos(a)*sin(b)": "sin(a + b)",
    "cos(a)*cos(b) + sin(a)*sin(b)": "cos(b - a)",
    "cos(b)*sin(a) - sin(b)*cos(a)": "sin(a - b)",
    "cos(a)*cos(a) + sin(a)*sin(a)": "1",
    "cos(a)*(x*cos(a)) + sin(a)*(x*sin(a))": "x",
    "cos(b)*(x*cos(a)) - sin(b)*(x*sin(a))": "x*cos(a + b)",
    "cos(b)*(cos(a)*x + sin(a)*y) - sin(b)*(sin(a)*x - cos(a)*y)": None,
    "cos(a)*(cos(a)*x + sin(a)*y) - sin(a)*(cos(a)*y - sin(a)*x)": "x",
    "sin(a)*(cos(a)*x + sin(a)*y) + cos(a)*(cos(a)*y - sin(a)*x)": "y",
    "cos(a)*x + sin(b)*y": None,
    "cos(a)*cos(b) + sin(a)*cos(b)": None,
}
"""None where nothing is to be gained: both components of the first vector are there, and the angles are not opposite."""


@pytest.mark.parametrize("text", CASES)
def test_text_in_text_out(text: str) -> None:
    graph = Graph()
    names = ("a", "b", "x", "y")
    inputs = [Input(name, (), labels=(name,)) for name in names]
    program = to_program("case", inputs, [Result(Output("f", (), ()), (parse(text, graph),))])
    after = PASSES["turns"](program)
    if CASES[text] is None:
        assert after is program
        return
    rng = np.random.default_rng(0)
    values = {name: rng.normal() for name in names}
    assert evaluate(after, values)["f"] == pytest.approx(evaluate(program, values)["f"], abs=1e-14)
    _, results = to_graph(after)
    assert infix(results[0].elements[0]) in (CASES[text], CASES[text].replace("x*", "") + "*x")


def test_three_parallel_axes_become_one_angle() -> None:
    graph = Graph()
    p, q, r = (graph.symbol(name) for name in "pqr")
    x, y = graph.const(1), graph.const(0)
    for angle in (p, q, r):
        c, s = angle.cos(), angle.sin()
        x, y = c * x - s * y, s * x + c * y
    inputs = [Input(name, (), labels=(name,)) for name in "pqr"]
    program = to_program("chain", inputs, [Result(Output("xy", (2,), ()), (x, y))])
    _, results = to_graph(PASSES["turns"](program))
    assert [infix(e) for e in results[0].elements] == ["cos(p + q + r)", "sin(p + q + r)"]
