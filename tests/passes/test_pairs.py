"""Pairs of terms that sums and products share, whatever their order."""

import numpy as np
import pytest

from armillary.expr.graph import Graph
from armillary.expr.parse import parse
from armillary.passes import PASSES
from armillary.program import Input, Output, Program, Result, cost, evaluate, to_program

NAMES = ("a", "b", "c", "d", "e")


def _program(*texts: str, role: str = "state") -> Program:
    graph = Graph()
    inputs = [Input(name, (), role, labels=(name,)) for name in NAMES]  # type: ignore[arg-type]
    elements = tuple(parse(text, graph) for text in texts)
    return to_program("case", inputs, [Result(Output("f", (len(texts),), ()), elements)])


@pytest.mark.parametrize(
    ("texts", "before", "after"),
    [
        (("a + b + c", "b + d + a"), 4, 3),
        (("a - b + c", "d + b - a"), 4, 3),
        (("a + c + b", "(a + b)*d"), 4, 3),
        (("a*b*c", "b*d*a"), 4, 3),
        (("a + b + c", "b + d + a", "e + a - c + b"), 7, 5),
        (("a + b + c + d", "a + c + e", "b + d + e"), 7, 5),
        (("a + b + c", "a - b + d"), 4, 4),
        (("a + b", "a + b + c"), 2, 2),
    ],
)
def test_operations_before_and_after(texts: tuple[str, ...], before: int, after: int) -> None:
    program = _program(*texts)
    found = PASSES["pairs"](program)
    assert (cost(program)[0].total, cost(found)[0].total) == (before, after)
    values = dict(zip(NAMES, np.random.default_rng(0).normal(size=5), strict=True))
    given = {x.name: values[x.name] for x in program.inputs}
    assert evaluate(found, given)["f"] == pytest.approx(evaluate(program, given)["f"], abs=1e-14)


def test_work_on_parameters_is_left_alone() -> None:
    program = _program("a + b + c", "b + d + a", role="parameter")
    assert PASSES["pairs"](program) is program


def test_sums_of_very_many_terms_are_left_alone() -> None:
    terms = [f"sin({k}*a)" for k in range(1, 40)]
    program = _program(" + ".join(terms), " + ".join(reversed(terms)) + " - c")
    assert PASSES["pairs"](program) is program
