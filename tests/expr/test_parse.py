"""The parser reads formulas, exactly, and says where and why it cannot."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from armillary.errors import ExpressionError
from armillary.expr.evaluate import evaluate
from armillary.expr.graph import Graph, symbols_in
from armillary.expr.numbers import PI, PiMultiple
from armillary.expr.parse import MAX_DEPTH, MAX_LENGTH, parse

from .test_laws import PLAIN


@pytest.mark.parametrize(
    ("text", "const"),
    [
        ("1", 1), ("1.", 1), ("1.5", Fraction(3, 2)), (".5", Fraction(1, 2)), ("1e-3", 1e-3), ("1E+2", 100), ("0.1", 0.1), ("1.5708", 1.5708),
        ("pi", PI), ("Pi/2", PiMultiple(Fraction(1, 2))), ("-3*pi/4", PiMultiple(Fraction(-3, 4))), ("90*pi/180", PiMultiple(Fraction(1, 2))),
        ("1/3", Fraction(1, 3)), ("2**-1", Fraction(1, 2)), ("2^3^2", 512), ("-2**2", -4), ("(-2)**2", 4), ("2*-3", -6), ("--2", 2), ("+-+2", -2),
        ("4**0.5", 2), ("7 - 2 - 1", 4), ("12/2/3", 2), ("2+3*4", 14), (" ( 2 )\n", 2), ("0**0", 1),
    ],
)  # fmt: skip
def test_numbers(text: str, const: object) -> None:
    made = parse(text).const
    assert made == const and type(made) is type(const)


@pytest.mark.parametrize(
    "name",
    [
        "S",
        "N",
        "E",
        "I",
        "Q",
        "O",
        "C",
        "beta",
        "gamma",
        "lambda",
        "zeta",
        "re",
        "if",
        "None",
        "_x",
        "q1",
        "import",
        "PI",
    ],
)
def test_names_are_ordinary_symbols(name: str) -> None:
    node = parse(name)
    assert node.op == "symbol" and node.attr == name


def test_the_caller_says_what_is_constant() -> None:
    assert parse("Pi", constants={"pi": PI}).op == "symbol"
    assert parse("g/2", constants={"g": 10}).const == 5


def test_the_graph_of_the_caller_is_used() -> None:
    g = Graph()
    assert parse("a + b", g) is parse("b + a", g)
    assert symbols_in([parse("sin(u)*v", g)]) == ["u", "v"]


@pytest.mark.parametrize(
    "text",
    [
        "2*x + 0.1", "-x**2 + x^3", "x - y - z/x*y", "sin(x)**2 + cos(x)**2*tan(y)", "atan2(y, x)*asin(x/3) - acos(y/3)", "sqrt(abs(x))*exp(-y)*log(z)",
        "sign(-x)*tanh(y)", "min(x, y) + max(x, z)", "select(less(x, y), x, z)", "x**-3", "((x))*(-(y))", "pi*x/4", "atan(x)*1e-3", "2 - -x",
    ],
)  # fmt: skip
def test_formulas_mean_what_python_means(text: str) -> None:
    point = {"x": 0.7, "y": -1.3, "z": 2.1}
    assert math.isclose(
        evaluate([parse(text)], point)[0], eval(text.replace("^", "**"), {**PLAIN, **point}), rel_tol=1e-14
    )


@pytest.mark.parametrize(
    ("text", "column", "why"),
    [
        ("", 1, "expected a number, a name, a function or '(', found the end"),
        ("2*", 3, "found the end"), ("2*/3", 3, "found '/'"), ("(a", 3, "expected an operator or ')'"), ("a)", 2, "expected an operator or the end, found ')'"),
        ("a b", 3, "found 'b'"), ("2L", 2, "found 'L'"), ("0x10", 2, "found 'x10'"), ("1_000", 2, "found '_000'"), ("sin q", 5, "'(' after the function sin"),
        ("foo(x)", 1, "one of the functions sin, cos"), ("__import__('os')", 1, "found '__import__'"), ("sin('os')", 5, "found \"'\""), ("sin(1, 2)", 6, "sin takes 1 argument)"), ("sin()", 5, "found ')'"),
        ("atan2(1)", 8, "atan2 takes 2 arguments"), ("a[0]", 2, "found '['"), ("x**y", 2, "a number as power"), ("x**0.3", 2, "0.3 is not an integer"),
        ("x**1001", 2, "beyond ±1000"), ("9**9**9", 2, "beyond ±1000"), ("9**999", 2, "cannot be a constant"), ("1e999", 1, "fits in a double"),
        ("a + 1/0", 6, "division of 1 by zero"), ("1/(x-x)", 2, "division of 1 by zero"), ("sqrt(-2)", 1, "has no finite value"), ("é", 1, "found 'é'"),
        ("a = b", 3, "found '='"), ("a, b", 2, "found ','"), ("1e5e5", 4, "found 'e5'"), ("lambda x: x", 8, "found 'x'"), ("1..2", 3, "found '.2'"),
        ("1 + nan", 5, "nan is not a number"), ("-Inf", 2, "Inf is not a number"), ("2*oo", 3, "oo is not a number"),
        ("٣", 1, "found '٣'"), ("a;b", 2, "found ';'"), ("a\0b", 2, "found '\\x00'"),
    ],
)  # fmt: skip
def test_errors_say_where_and_why(text: str, column: int, why: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        parse(text)
    message = str(caught.value)
    assert f"column {column}: " in message and why in message, message


@pytest.mark.parametrize(
    "text",
    [
        "(" * 5000, "sin(" * 2000, "2**" * 3000 + "1", "1" * 9999, "x" * (MAX_LENGTH + 1), "(" * (MAX_DEPTH + 1) + "x" + ")" * (MAX_DEPTH + 1), "1e" + "9" * 4000,
        "9**9**9**9**9", "(" * 40 + "9" + "**900)" * 40, "-" * 9999, "a" * 9000 + "(", "x**" * 59 + "-1*/",
    ],
)  # fmt: skip
def test_hostile_text_is_refused_shortly(text: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        parse(text)
    assert len(str(caught.value)) < 300


def test_long_text_is_read() -> None:
    assert parse("-" * 9998 + "x").op == "symbol"
    assert parse("+".join(["a", "b"] * 2000)).op == "add"
    nested = "(" * (MAX_DEPTH - 1) + "x" + ")" * (MAX_DEPTH - 1)
    assert parse(nested).attr == "x"


@settings(max_examples=500, deadline=None)
@given(text=st.text(alphabet="0123456789.eE+-*/^() ,xyspincoqrt_#'\"\n", max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        parse(text)
    except ExpressionError as error:
        assert str(error)
