"""Makers of sums, differences, products, quotients and negations: the laws of `laws.py`, fused for speed.

Deriving a model spends most of its time here, so each maker is one flat function that ends in the intern table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from armillary.errors import ExpressionError
from armillary.expr import numbers
from armillary.expr.numbers import Number

if TYPE_CHECKING:
    from armillary.expr.graph import Expr, Graph

MAX_POWER = 1000
"""The largest power that is written out as products."""


def add(g: Graph, a: Expr, b: Expr) -> Expr:
    """a + b."""
    if a.const is not None:
        return _add_number(g, b, a.const)
    if b.const is not None:
        return _add_number(g, a, b.const)
    left, right = a.op, b.op
    if right == "neg":
        return subtract(g, a, b.args[0])
    if left == "neg":
        return subtract(g, b, a.args[0])
    if a is b:
        return scale(g, 2, a)
    if left == "sub" and a.args[1] is b:
        return a.args[0]
    if right == "sub" and b.args[1] is a:
        return b.args[0]
    if (left == "mul" and a.args[0].const is not None) or (right == "mul" and b.args[0].const is not None):
        alike = _like_terms(g, a, b, 1)
        if alike is not None:
            return alike
    args = (a, b) if a.id < b.id else (b, a)
    node = g.sums.get(args)
    return g.new(g.sums, "add", args) if node is None else node


def subtract(g: Graph, a: Expr, b: Expr) -> Expr:
    """a - b."""
    if a is b:
        return g.const(0)
    if b.const is not None:
        return _add_number(g, a, numbers.negative(b.const))
    if a.const is not None:
        return _subtract_from_number(g, a, a.const, b)
    left, right = a.op, b.op
    if right == "neg":
        return add(g, a, b.args[0])
    if left == "neg":
        return negate(g, add(g, a.args[0], b))
    if left == "add":
        x, y = a.args
        if x is b:
            return y
        if y is b:
            return x
    if right == "add":
        x, y = b.args
        if x is a:
            return negate(g, y)
        if y is a:
            return negate(g, x)
    if right == "sub" and b.args[0] is a:
        return b.args[1]
    if left == "sub" and a.args[0] is b:
        return negate(g, a.args[1])
    if (left == "mul" and a.args[0].const is not None) or (right == "mul" and b.args[0].const is not None):
        alike = _like_terms(g, a, b, -1)
        if alike is not None:
            return alike
    return _difference(g, a, b)


def multiply(g: Graph, a: Expr, b: Expr) -> Expr:
    """a · b."""
    if a.const is not None:
        return scale(g, a.const, b)
    if b.const is not None:
        return scale(g, b.const, a)
    left, right = a.op, b.op
    if left == "neg":
        return negate(g, multiply(g, a.args[0], b))
    if right == "neg":
        return negate(g, multiply(g, a, b.args[0]))
    if a is b and left == "sqrt":
        return a.args[0]
    if left == "div" and a.args[1] is b:
        return a.args[0]
    if right == "div" and b.args[1] is a:
        return b.args[0]
    args = (a, b) if a.id < b.id else (b, a)
    node = g.products.get(args)
    return g.new(g.products, "mul", args) if node is None else node


def scale(g: Graph, number: Number, x: Expr) -> Expr:
    """c · x for a number c: the sign goes outside, the numbers meet in front."""
    if x.const is not None:
        return g.const(numbers.multiply(number, x.const))
    if number == 0:
        return g.const(0)
    if x.op == "neg":
        return scale(g, numbers.negative(number), x.args[0])
    if numbers.is_negative(number):
        return negate(g, scale(g, numbers.negative(number), x))
    if number == 1:
        return x
    if x.op == "mul" and x.args[0].const is not None:
        return scale(g, numbers.multiply(number, x.args[0].const), x.args[1])
    return g.intern("mul", (g.const(number), x))


def divide(g: Graph, a: Expr, b: Expr) -> Expr:
    """a / b."""
    if b.const is not None:
        if a.const is not None:
            return g.const(numbers.divide(a.const, b.const))
        return scale(g, _reciprocal(a, b.const), a)
    if a.op == "neg":
        return negate(g, divide(g, a.args[0], b))
    if b.op == "neg":
        return negate(g, divide(g, a, b.args[0]))
    if a.const is not None:
        return _divide_number(g, a, a.const, b)
    c, x = _term(a)
    d, y = _term(b)
    if x is y:
        return g.const(numbers.divide(c, d))
    if a.op == "mul":
        x, y = a.args
        if x is b:
            return y
        if y is b:
            return x
    if b.op == "sqrt" and b.args[0] is a:
        return b
    if b.op == "div" and b.args[0].const == 1:
        return multiply(g, a, b.args[1])
    return g.intern("div", (a, b))


def negate(g: Graph, a: Expr) -> Expr:
    """-a."""
    if a.const is not None:
        return g.const(numbers.negative(a.const))
    if a.op == "neg":
        return a.args[0]
    args = (a,)
    node = g.negations.get(args)
    return g.new(g.negations, "neg", args) if node is None else node


def power(g: Graph, x: Expr, exponent: Number) -> Expr:
    """xⁿ by repeated squaring, for n an integer or half of one (of the square root)."""
    doubled = numbers.multiply(2, exponent)
    if type(doubled) is not int:
        raise ExpressionError(
            f"the power {numbers.text(exponent)} is not an integer or half of one; write exp(y*log(x)) for others"
        )
    if doubled % 2:
        return power(g, g.apply("sqrt", x), doubled)
    n = doubled // 2
    if abs(n) > MAX_POWER:
        raise ExpressionError(f"the power {numbers.text(exponent)} is beyond ±{MAX_POWER}")
    if n < 0:
        return divide(g, g.const(1), power(g, x, -n))
    result: Expr | None = None
    while n:
        if n & 1:
            result = x if result is None else multiply(g, result, x)
        n >>= 1
        if n:
            x = multiply(g, x, x)
    return g.const(1) if result is None else result


def _add_number(g: Graph, x: Expr, number: Number) -> Expr:
    """x + c: the number stands last, and numbers meet."""
    if x.const is not None:
        return g.const(numbers.add(x.const, number))
    if number == 0:
        return x
    if x.op == "add" and x.args[1].const is not None:
        return _add_number(g, x.args[0], numbers.add(x.args[1].const, number))
    if x.op == "sub" and x.args[0].const is not None:
        return subtract(g, g.const(numbers.add(x.args[0].const, number)), x.args[1])
    if x.op == "neg":
        return subtract(g, g.const(number), x.args[0])
    return g.intern("add", (x, g.const(number)))


def _subtract_from_number(g: Graph, a: Expr, number: Number, b: Expr) -> Expr:
    """c - b, where `a` is the node of c."""
    if number == 0:
        return negate(g, b)
    if b.op == "neg":
        return _add_number(g, b.args[0], number)
    if b.op == "add" and b.args[1].const is not None:
        return subtract(g, g.const(numbers.add(number, numbers.negative(b.args[1].const))), b.args[0])
    if b.op == "sub" and b.args[0].const is not None:
        return _add_number(g, b.args[1], numbers.add(number, numbers.negative(b.args[0].const)))
    return g.intern("sub", (a, b))


def _difference(g: Graph, a: Expr, b: Expr) -> Expr:
    """a - b as it was first met: after b - a it is -(b - a), so that the two share their operation."""
    args = (a, b)
    node = g.differences.get(args)
    if node is not None:
        return node
    opposite = g.differences.get((b, a))
    return g.new(g.differences, "sub", args) if opposite is None else negate(g, opposite)


def _like_terms(g: Graph, a: Expr, b: Expr, sign: int) -> Expr | None:
    """c x ± d x = (c ± d) x, where one of the numbers may be 1."""
    c, x = _term(a)
    d, y = _term(b)
    if x is not y:
        return None
    return scale(g, numbers.add(c, d if sign > 0 else numbers.negative(d)), x)


def _term(a: Expr) -> tuple[Number, Expr]:
    """(c, x) of a = c x."""
    if a.op == "mul" and a.args[0].const is not None:
        return a.args[0].const, a.args[1]
    return 1, a


def _divide_number(g: Graph, a: Expr, number: Number, b: Expr) -> Expr:
    """c / b, where `a` is the node of c."""
    if number == 0:
        return a
    if numbers.is_negative(number):
        return negate(g, divide(g, g.const(numbers.negative(number)), b))
    if b.op == "div" and b.args[0].const is not None:
        return scale(g, numbers.divide(number, b.args[0].const), b.args[1])
    return g.intern("div", (a, b))


def _reciprocal(a: Expr, number: Number) -> Number:
    if number == 0:
        raise ExpressionError(f"division of {a!r} by zero")
    return numbers.divide(1, number)
