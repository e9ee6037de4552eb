"""Every law of the table does what its row says, is right on random points, and makes nothing dearer."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from armillary.errors import ExpressionError
from armillary.expr.evaluate import evaluate
from armillary.expr.graph import Expr, Graph, topological
from armillary.expr.laws import LAWS, MAKERS, Law
from armillary.expr.numbers import PI, PiMultiple, multiply
from armillary.expr.ops import OPS
from armillary.expr.parse import PI_NAMES, parse

from .formulas import Formula, close, formulas, points

PLAIN = {
    **{
        name: getattr(math, name)
        for name in ("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sqrt", "exp", "log", "tanh", "pi")
    },
    "abs": abs,
    "min": min,
    "max": max,
    "sign": lambda a: (a > 0) - (a < 0),
    "less": lambda a, b: float(a < b),
    "select": lambda c, a, b: a if c else b,
}

CONDITIONS = {
    "": lambda x, y: True,
    "x != 0": lambda x, y: abs(x) > 1e-3,
    "y != 0": lambda x, y: abs(y) > 1e-3,
    "x > 0": lambda x, y: x > 1e-3,
    "|x| <= 1": lambda x, y: abs(x) <= 1,
    "|x| < 1.5": lambda x, y: abs(x) < 1.5,
}

each_law = pytest.mark.parametrize("law", LAWS, ids=lambda law: f"{law.left} = {law.right}")


def read(text: str, graph: Graph, c: object, d: object) -> Expr:
    return parse(text, graph, {**PI_NAMES, "c": c, "d": d})


def paid(roots: list[Expr]) -> int:
    """Operations that count."""
    return sum(node.op not in ("const", "symbol", "neg") for node in topological(roots))


@each_law
@pytest.mark.parametrize(("c", "d"), [(3, 2), (Fraction(1, 3), 5), (Fraction(3, 2), Fraction(5, 7))])
@pytest.mark.parametrize("swapped", [False, True], ids=["x older", "y older"])
def test_the_law_is_applied(law: Law, c: object, d: object, swapped: bool) -> None:
    graph = Graph()
    for name in "yx" if swapped else "xy":
        graph.symbol(name)
    assert read(law.left, graph, c, d) is read(law.right, graph, c, d)


@each_law
@settings(max_examples=25, deadline=None)
@given(x=st.floats(-3, 3), y=st.floats(-3, 3), c=st.floats(0.1, 3), d=st.floats(0.1, 3))
def test_both_sides_have_one_value(law: Law, x: float, y: float, c: float, d: float) -> None:
    if CONDITIONS[law.where](x, y):
        there = {**PLAIN, "x": x, "y": y, "c": c, "d": d}
        assert close(eval(law.left, there), eval(law.right, there))


@each_law
def test_no_law_makes_anything_dearer(law: Law) -> None:
    """Even where the operands are used elsewhere, the new node costs at most one operation."""
    graph = Graph()
    operands: list[Expr] = []
    node = read(law.left, graph, 3, 2)
    made = list(graph.nodes)
    operands = [n for n in made if n is not node]
    assert paid([node, *operands]) - paid(operands) <= 1


def test_every_operation_has_a_maker() -> None:
    assert MAKERS.keys() == OPS.keys()


@settings(max_examples=300, deadline=None)
@given(formula=formulas(), point=points)
def test_random_formulas_keep_their_value(formula: Formula, point: dict[str, float]) -> None:
    expected = formula.value(point)
    assert close(evaluate([formula.build(Graph())], point)[0], expected)


@settings(max_examples=200, deadline=None)
@given(formula=formulas(ops=("add", "sub", "mul", "div", "neg")), point=points)
def test_random_sums_and_products_keep_their_value(formula: Formula, point: dict[str, float]) -> None:
    expected = formula.value(point)
    assert close(evaluate([formula.build(Graph())], point)[0], expected)


@settings(max_examples=200, deadline=None)
@given(formula=formulas(ops=("add", "sub", "mul", "neg"), size=20))
def test_laws_never_add_operations(formula: Formula) -> None:
    assert paid([formula.build(Graph())]) <= sum(op != "neg" for op, _ in formula.steps)


@settings(max_examples=200, deadline=None)
@given(formula=formulas())
def test_rebuilding_changes_nothing(formula: Formula) -> None:
    """The laws leave alone what they made."""
    graph = Graph()
    node = formula.build(graph)
    for made in topological([node]):
        assert graph.rebuild(made, made.args) is made


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("sin(0)", 0), ("sin(pi/6)", Fraction(1, 2)), ("cos(pi/3)", Fraction(1, 2)), ("cos(pi)", -1), ("sin(-pi/2)", -1),
        ("sin(7*pi/6)", Fraction(-1, 2)), ("cos(5*pi/2)", 0), ("tan(pi/4)", 1), ("tan(3*pi/4)", -1), ("tan(pi)", 0),
        ("asin(1)", PiMultiple(Fraction(1, 2))), ("asin(-1/2)", PiMultiple(Fraction(-1, 6))), ("acos(0)", PiMultiple(Fraction(1, 2))),
        ("acos(-1)", PI), ("acos(1/2)", PiMultiple(Fraction(1, 3))), ("atan(1)", PiMultiple(Fraction(1, 4))),
        ("atan2(1, -1)", PiMultiple(Fraction(3, 4))), ("atan2(0, -2)", PI), ("atan2(0, 3)", 0), ("atan2(-2, 0)", PiMultiple(Fraction(-1, 2))),
        ("sqrt(4/9)", Fraction(2, 3)), ("exp(0)", 1), ("log(1)", 0), ("sign(-pi)", -1), ("abs(-1/3)", Fraction(1, 3)),
        ("min(pi, 3)", 3), ("max(pi, 3)", PI), ("less(3, pi)", 1), ("tanh(0)", 0), ("2*pi/pi", 2), ("pi/2 + pi/2", PI), ("pi - pi", 0),
    ],
)  # fmt: skip
def test_numbers_fold_exactly(text: str, value: object) -> None:
    assert parse(text).const == value


@pytest.mark.parametrize("text", ["1/0", "x/0", "tan(pi/2)", "sqrt(-1)", "log(0)", "asin(2)", "exp(1000)"])
def test_what_has_no_value_is_refused(text: str) -> None:
    with pytest.raises(ExpressionError, match="column"):
        parse(text)


@pytest.mark.parametrize("k", range(-5, 6))
def test_quarter_turns_leave_no_shift(k: int) -> None:
    """sin and cos of q + k pi/2 are a sign and a sine or cosine of q, as for every DH table."""
    graph = Graph()
    q = graph.symbol("q")
    shift = multiply(Fraction(k, 2), PI)
    for shifted in ((q + shift).sin(), (q + shift).cos(), (shift - q).sin(), (shift - q).cos()):
        inner = shifted.args[0] if shifted.op == "neg" else shifted
        assert inner.op in ("sin", "cos") and inner.args == (q,)
    assert close(evaluate([(q + shift).sin()], {"q": 0.3})[0], math.sin(0.3 + k * math.pi / 2))
    assert close(evaluate([(shift - q).cos()], {"q": 0.3})[0], math.cos(k * math.pi / 2 - 0.3))


def test_opposite_differences_share_their_operation() -> None:
    graph = Graph()
    a, b = graph.symbol("a"), graph.symbol("b")
    assert (b - a) is -(a - b)
    assert paid([a - b, b - a, (a - b) * (b - a)]) == 2
