"""Constants have one form, stay exact while they can, and print as the parser reads them."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armillary.errors import ExpressionError
from armillary.expr import numbers
from armillary.expr.numbers import PI, PiMultiple, near_right_angle, normalise, text
from armillary.expr.parse import parse

from .formulas import numbers as any_number


@pytest.mark.parametrize(
    ("given", "form"),
    [
        (2.0, 2), (-0.0, 0), (True, 1), (np.float64(3), 3), (np.int64(-7), -7), (0.5, Fraction(1, 2)), (-0.375, Fraction(-3, 8)),
        (Fraction(4, 2), 2), (0.1, 0.1), (2**60, 2.0**60), (1e300, 1e300), (Fraction(1, 2**40), 2.0**-40), (PiMultiple(Fraction(0)), 0),
        (Fraction(1, 3**60), 3.0**-60),
    ],
)  # fmt: skip
def test_one_form(given: object, form: object) -> None:
    made = normalise(given)
    assert made == form and type(made) is type(form)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 10**400, "3", None, 1j, [1.0], Fraction(10**400, 3)])
def test_what_is_no_finite_number_is_refused(value: object) -> None:
    with pytest.raises(ExpressionError):
        normalise(value)


@given(a=any_number, b=any_number)
def test_arithmetic_agrees_with_floats(a: numbers.Number, b: numbers.Number) -> None:
    x, y = float(a), float(b)
    assert math.isclose(float(numbers.add(a, b)), x + y, rel_tol=1e-14, abs_tol=1e-14)
    assert math.isclose(float(numbers.multiply(a, b)), x * y, rel_tol=1e-14, abs_tol=1e-14)
    assert float(numbers.negative(a)) == -x
    assert numbers.is_negative(a) == (x < 0)
    if y != 0:
        assert math.isclose(float(numbers.divide(a, b)), x / y, rel_tol=1e-14, abs_tol=1e-14)


@given(a=st.fractions(), b=st.fractions().filter(bool))
def test_fractions_are_exact_or_the_nearest_float(a: Fraction, b: Fraction) -> None:
    """Of exact operands each result is the fraction itself while it is short enough, and always its correctly rounded double."""
    a, b = normalise(a), normalise(b)
    for made, exact in (
        (numbers.add(a, b), Fraction(a) + Fraction(b)),
        (numbers.multiply(a, b), Fraction(a) * Fraction(b)),
        (numbers.divide(a, b), Fraction(a) / Fraction(b)),
    ):
        if numbers.is_exact(a) and numbers.is_exact(b):
            assert float(made) == float(exact)
            if max(abs(exact.numerator), exact.denominator) <= 2**53:
                assert made == exact
        assert math.isclose(float(made), float(exact), rel_tol=4e-16)


def test_exact_where_it_matters() -> None:
    third = numbers.divide(1, 3)
    assert numbers.add(numbers.add(third, third), third) == 1
    assert numbers.multiply(numbers.divide(PI, 180), 90) == PiMultiple(Fraction(1, 2))
    assert numbers.multiply(PI, normalise(0.5)) == PiMultiple(Fraction(1, 2))
    assert numbers.add(PI, numbers.negative(PI)) == 0
    assert numbers.divide(PI, PI) == 1
    assert not numbers.is_exact(numbers.add(PI, 1)) and numbers.is_exact(third)


def test_division_by_zero_is_refused() -> None:
    with pytest.raises(ExpressionError, match="division of 3 by zero"):
        numbers.divide(3, 0)


@pytest.mark.parametrize(
    ("value", "written"),
    [(3, "3"), (0.5, "0.5"), (Fraction(1, 3), "1/3"), (PI, "pi"), (PiMultiple(Fraction(-3, 4)), "-3*pi/4"), (1e-7, "1e-07"), (1.5708, "1.5708")],
)  # fmt: skip
def test_text(value: object, written: str) -> None:
    assert text(normalise(value)) == written


@given(value=st.one_of(any_number, st.floats(allow_nan=False, allow_infinity=False), st.fractions()))
def test_text_is_read_back_exactly(value: object) -> None:
    number = normalise(value)
    back = parse(text(number)).const
    assert back == number and type(back) is type(number)


def test_near_right_angle() -> None:
    assert near_right_angle(math.pi / 2) == PiMultiple(Fraction(1, 2))
    assert near_right_angle(-3 * math.pi + 5e-13) == PiMultiple(Fraction(-3))
    assert near_right_angle(1e-13) == 0
    assert near_right_angle(1.5708) == 1.5708
    assert near_right_angle(1.5708, 1e-4) == PiMultiple(Fraction(1, 2))
    with pytest.raises(ExpressionError):
        near_right_angle(math.inf)
