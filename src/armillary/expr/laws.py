"""The algebraic laws, as a table: what is rewritten whenever a node is made, and where that is right.

`arithmetic.py` and `functions.py` apply them, fused for speed; the tests read this table, check that every law does
what its row says and that both sides have one value. The principles behind the rows:

- 0·x is 0, and a quotient that cancels does so whatever the value: where a side has no value, the other one counts.
- Signs move outward, so that products and sums meet as themselves. A difference stays as it was first met, and the
  opposite difference is its negation.
- Numbers gather: first in a product, last in a sum, last in an extreme.
- No law makes a Program dearer, even if both operands are used elsewhere: each trades one operation for at most one.
  Laws that need to look further (factoring, sums of angles, sin² + cos²) are passes over whole Programs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from armillary.expr import arithmetic, functions

if TYPE_CHECKING:
    from armillary.expr.graph import Expr


@dataclass(frozen=True, slots=True)
class Law:
    """`left` becomes `right`, `where` the condition holds. x, y are expressions; c, d numbers that are not 0 or 1."""

    left: str
    right: str
    where: str = ""


MAKERS: dict[str, Callable[..., Expr]] = {
    "add": arithmetic.add,
    "sub": arithmetic.subtract,
    "mul": arithmetic.multiply,
    "div": arithmetic.divide,
    "neg": arithmetic.negate,
    "sin": functions.sin,
    "cos": functions.cos,
    "tan": functions.tan,
    "asin": functions.asin,
    "acos": functions.acos,
    "atan": functions.atan,
    "atan2": functions.atan2,
    "sqrt": functions.sqrt,
    "abs": functions.absolute,
    "sign": functions.sign,
    "exp": functions.exp,
    "log": functions.log,
    "tanh": functions.tanh,
    "min": functions.minimum,
    "max": functions.maximum,
    "less": functions.less,
    "select": functions.select,
}
"""What makes the node of each operation: `maker(graph, *args)`."""

LAWS: tuple[Law, ...] = (
    # Neutral elements, and what is nothing.
    Law("x + 0", "x"),
    Law("x - 0", "x"),
    Law("0 - x", "-x"),
    Law("1*x", "x"),
    Law("0*x", "0"),
    Law("0/x", "0", "x != 0"),
    Law("x - x", "0"),
    Law("x/x", "1", "x != 0"),
    # Signs move outward.
    Law("-(-x)", "x"),
    Law("x + (-y)", "x - y"),
    Law("(-x) + y", "y - x"),
    Law("x - (-y)", "x + y"),
    Law("(-x) - y", "-(x + y)"),
    Law("(-x)*y", "-(x*y)"),
    Law("x*(-y)", "-(x*y)"),
    Law("(-x)/y", "-(x/y)", "y != 0"),
    Law("x/(-y)", "-(x/y)", "y != 0"),
    Law("(-c)*x", "-(c*x)"),
    Law("(-c)/x", "-(c/x)", "x != 0"),
    # Numbers gather.
    Law("c + x", "x + c"),
    Law("x*c", "c*x"),
    Law("(x + c) + d", "x + (c + d)"),
    Law("(x + c) - d", "x + (c - d)"),
    Law("(c - x) + d", "(c + d) - x"),
    Law("c - (x + d)", "(c - d) - x"),
    Law("c - (d - x)", "x + (c - d)"),
    Law("(-x) + c", "c - x"),
    Law("c - (-x)", "x + c"),
    Law("c*(d*x)", "(c*d)*x"),
    Law("(c*x)*d", "(c*d)*x"),
    Law("x/c", "(1/c)*x"),
    Law("(x/c)*d", "(d/c)*x"),
    # Like terms, a sum of two being one product.
    Law("x + x", "2*x"),
    Law("c*x + x", "(c + 1)*x"),
    Law("c*x + d*x", "(c + d)*x"),
    Law("c*x - d*x", "(c - d)*x"),
    Law("x - c*x", "(1 - c)*x"),
    # Cancelling.
    Law("(x - y) + y", "x"),
    Law("(x + y) - y", "x"),
    Law("(x + y) - x", "y"),
    Law("x - (x + y)", "-y"),
    Law("x - (x - y)", "y"),
    Law("(x - y) - x", "-y"),
    Law("(x*y)/y", "x", "y != 0"),
    Law("(x/y)*y", "x", "y != 0"),
    Law("(c*x)/(d*x)", "c/d", "x != 0"),
    Law("c/(d/x)", "(c/d)*x", "x != 0"),
    Law("x/(1/y)", "x*y", "y != 0"),
    # Roots and powers.
    Law("sqrt(x)*sqrt(x)", "x", "x > 0"),
    Law("x/sqrt(x)", "sqrt(x)", "x > 0"),
    Law("sqrt(x*x)", "abs(x)"),
    Law("exp(log(x))", "x", "x > 0"),
    Law("log(exp(x))", "x"),
    # Odd, even, idempotent.
    Law("sin(-x)", "-sin(x)"),
    Law("cos(-x)", "cos(x)"),
    Law("tan(-x)", "-tan(x)", "|x| < 1.5"),
    Law("asin(-x)", "-asin(x)", "|x| <= 1"),
    Law("atan(-x)", "-atan(x)"),
    Law("tanh(-x)", "-tanh(x)"),
    Law("abs(-x)", "abs(x)"),
    Law("abs(abs(x))", "abs(x)"),
    Law("abs(exp(x))", "exp(x)"),
    Law("sign(-x)", "-sign(x)"),
    Law("sign(sign(x))", "sign(x)"),
    # A function of its inverse.
    Law("sin(asin(x))", "x", "|x| <= 1"),
    Law("cos(acos(x))", "x", "|x| <= 1"),
    Law("tan(atan(x))", "x"),
    # Quarter turns.
    Law("sin(x + pi/2)", "cos(x)"),
    Law("cos(x + pi/2)", "-sin(x)"),
    Law("sin(x + pi)", "-sin(x)"),
    Law("cos(x - pi)", "-cos(x)"),
    Law("sin(x - pi/2)", "-cos(x)"),
    Law("cos(x + 3*pi/2)", "sin(x)"),
    Law("sin(pi - x)", "sin(x)"),
    Law("cos(pi/2 - x)", "sin(x)"),
    Law("tan(x + pi)", "tan(x)", "|x| < 1.5"),
    Law("tan(pi - x)", "-tan(x)", "|x| < 1.5"),
    # Branches.
    Law("min(c, x)", "min(x, c)"),
    Law("max(c, x)", "max(x, c)"),
    Law("min(x, x)", "x"),
    Law("max(x, x)", "x"),
    Law("less(x, x)", "0"),
    Law("select(x, y, y)", "y"),
    Law("select(1, x, y)", "x"),
    Law("select(0, x, y)", "y"),
)
"""Every law but the folding of numbers, in the notation of `parse`."""
