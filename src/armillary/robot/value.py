"""What a parameter of a robot may be: an exact number or a formula in named symbols."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from armillary.errors import ExpressionError
from armillary.expr import numbers
from armillary.expr.graph import Expr, symbols_in
from armillary.expr.infix import infix
from armillary.expr.numbers import Number
from armillary.expr.parse import parse


@dataclass(frozen=True, slots=True)
class Formula:
    """An expression with at least one symbol; two formulas are equal when their texts are."""

    text: str

    @property
    def expr(self) -> Expr:
        """The formula as a node of a graph of its own."""
        return parse(self.text)

    @property
    def symbols(self) -> tuple[str, ...]:
        return _symbols_of(self.text)

    def __add__(self, b: "Value") -> "Value":
        return _combined(lambda x, y: x + y, self, b)

    def __radd__(self, b: "Value") -> "Value":
        return _combined(lambda x, y: x + y, b, self)

    def __sub__(self, b: "Value") -> "Value":
        return _combined(lambda x, y: x - y, self, b)

    def __rsub__(self, b: "Value") -> "Value":
        return _combined(lambda x, y: x - y, b, self)

    def __mul__(self, b: "Value") -> "Value":
        return _combined(lambda x, y: x * y, self, b)

    def __rmul__(self, b: "Value") -> "Value":
        return _combined(lambda x, y: x * y, b, self)

    def __truediv__(self, b: "Value") -> "Value":
        return _combined(lambda x, y: x / y, self, b)

    def __rtruediv__(self, b: "Value") -> "Value":
        return _combined(lambda x, y: x / y, b, self)

    def __neg__(self) -> "Value":
        return value(-self.expr)

    def __pow__(self, power: int) -> "Value":
        return value(self.expr**power)

    def __str__(self) -> str:
        return self.text


@lru_cache(maxsize=4096)
def _symbols_of(text: str) -> tuple[str, ...]:
    """Descriptions ask for the symbols of their formulas again and again."""
    return (text,) if text.isidentifier() else tuple(symbols_in([parse(text)]))


Value = Number | Formula
"""A number, exact as far as it was given exactly, or a formula."""


def _combined(operation: Callable[[Any, Any], Any], a: Value, b: Value) -> Value:
    left = a.expr if isinstance(a, Formula) else a
    right = b.expr if isinstance(b, Formula) else b
    return value(operation(left, right))


def value(given: object) -> Value:
    """A parameter from what a user or a file gives: a number, an expression's text, or an expression."""
    if isinstance(given, Formula):
        return given
    if isinstance(given, str):
        given = parse(given)
    if isinstance(given, Expr):
        return given.const if given.const is not None else Formula(infix(given))
    if isinstance(given, bool):
        raise ExpressionError(f"{given} is neither a number nor a formula")
    return numbers.normalise(given)


def symbols(text: str) -> "tuple[Formula, ...]":
    """Named unknowns to write a robot's parameters with: `L1, L2 = symbols("L1 L2")`."""
    names = text.replace(",", " ").split()
    for name in names:
        if parse(name).op != "symbol":
            raise ExpressionError(f"{name!r} is no name; a symbol has letters, digits and _, a letter or _ first")
    return tuple(Formula(name) for name in names)


def text(given: Value) -> str:
    """The parameter as a file would say it."""
    return given.text if isinstance(given, Formula) else numbers.text(given)


def negated(given: Value) -> Value:
    """-x, exactly."""
    return -given if isinstance(given, Formula) else numbers.negative(given)


def plus(a: Value, b: Value) -> Value:
    """a + b, exactly where both are exact."""
    if isinstance(a, Formula) or isinstance(b, Formula):
        return _combined(lambda x, y: x + y, a, b)
    return numbers.add(a, b)


def times(a: Value, b: Value) -> Value:
    """a b, exactly where both are exact."""
    if isinstance(a, Formula) or isinstance(b, Formula):
        return _combined(lambda x, y: x * y, a, b)
    return numbers.multiply(a, b)


def over(a: Value, b: Value) -> Value:
    """a / b, exactly where both are exact."""
    if isinstance(a, Formula) or isinstance(b, Formula):
        return _combined(lambda x, y: x / y, a, b)
    return numbers.divide(a, b)


__all__ = ["Formula", "Value", "negated", "over", "plus", "symbols", "text", "times", "value"]
