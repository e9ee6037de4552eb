"""Makers of everything that is not plain arithmetic: sines, roots, branches. Exact where a number is exact."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

from armillary.errors import ExpressionError
from armillary.expr import numbers
from armillary.expr.arithmetic import negate
from armillary.expr.numbers import Number, PiMultiple

if TYPE_CHECKING:
    from armillary.expr.graph import Expr, Graph

_HALF = Fraction(1, 2)
_SINES: dict[Fraction, Number] = {Fraction(0): 0, Fraction(1, 6): _HALF, _HALF: 1}
"""sin(ratio · pi), where it is rational, in the first quadrant."""


def sin(g: Graph, a: Expr) -> Expr:
    """sin a."""
    return _sine(g, a, 0)


def cos(g: Graph, a: Expr) -> Expr:
    """cos a."""
    return _sine(g, a, 1)


def tan(g: Graph, a: Expr) -> Expr:
    """tan a."""
    if a.op == "neg":
        return negate(g, tan(g, a.args[0]))
    if a.op == "atan":
        return a.args[0]
    if a.const is None:
        rest, turns = _quarter_turns(a)
        return tan(g, rest) if rest is not None and turns % 2 == 0 else g.intern("tan", (a,))
    if not isinstance(a.const, PiMultiple):
        return _folded(g, "tan", math.tan, a)
    cosine = cosine_of(a.const)
    if cosine == 0:
        raise ExpressionError(f"tan({numbers.text(a.const)}) has no value")
    return g.const(_quadrant_exact(a.const) or numbers.divide(sine_of(a.const), cosine))


def asin(g: Graph, a: Expr) -> Expr:
    """asin a."""
    if a.op == "neg":
        return negate(g, asin(g, a.args[0]))
    if a.const is None:
        return g.intern("asin", (a,))
    angle = _arc_sine(a.const)
    return _folded(g, "asin", math.asin, a) if angle is None else g.const(numbers.multiply(angle, numbers.PI))


def acos(g: Graph, a: Expr) -> Expr:
    """acos a."""
    if a.const is None:
        return g.intern("acos", (a,))
    angle = _arc_sine(a.const)
    return _folded(g, "acos", math.acos, a) if angle is None else g.const(numbers.multiply(_HALF - angle, numbers.PI))


def atan(g: Graph, a: Expr) -> Expr:
    """atan a."""
    if a.op == "neg":
        return negate(g, atan(g, a.args[0]))
    if a.const is None:
        return g.intern("atan", (a,))
    return atan2(g, a, g.const(1))


def atan2(g: Graph, y: Expr, x: Expr) -> Expr:
    """atan2(y, x): exact along the axes and the diagonals."""
    if y.const is None or x.const is None:
        return g.intern("atan2", (y, x))
    if y.const in (0, x.const, numbers.negative(x.const)) or x.const == 0:
        eighth = round(math.atan2(float(y.const), float(x.const)) / (math.pi / 4))
        return g.const(numbers.multiply(Fraction(eighth, 4), numbers.PI))
    return _folded(g, "atan2", math.atan2, y, x)


def sqrt(g: Graph, a: Expr) -> Expr:
    """sqrt a, exact for squares of fractions."""
    if a.op == "mul" and a.args[0] is a.args[1]:
        return absolute(g, a.args[0])
    if isinstance(a.const, int | Fraction) and a.const >= 0:
        square = Fraction(a.const)
        n, d = math.isqrt(square.numerator), math.isqrt(square.denominator)
        if n * n == square.numerator and d * d == square.denominator:
            return g.const(Fraction(n, d))
    return _folded(g, "sqrt", math.sqrt, a)


def absolute(g: Graph, a: Expr) -> Expr:
    """|a|."""
    if a.const is not None:
        return g.const(numbers.negative(a.const) if numbers.is_negative(a.const) else a.const)
    if a.op == "neg":
        return absolute(g, a.args[0])
    return a if a.op in ("abs", "sqrt", "exp", "less") else g.intern("abs", (a,))


def sign(g: Graph, a: Expr) -> Expr:
    """-1, 0 or 1."""
    if a.const is not None:
        return g.const(0 if a.const == 0 else -1 if numbers.is_negative(a.const) else 1)
    if a.op == "neg":
        return negate(g, sign(g, a.args[0]))
    return a if a.op in ("sign", "less") else g.intern("sign", (a,))


def exp(g: Graph, a: Expr) -> Expr:
    """exp a."""
    if a.op == "log":
        return a.args[0]
    return g.const(1) if a.const == 0 else _folded(g, "exp", math.exp, a)


def log(g: Graph, a: Expr) -> Expr:
    """log a, natural."""
    if a.op == "exp":
        return a.args[0]
    return _folded(g, "log", math.log, a)


def tanh(g: Graph, a: Expr) -> Expr:
    """tanh a."""
    if a.op == "neg":
        return negate(g, tanh(g, a.args[0]))
    return _folded(g, "tanh", math.tanh, a)


def minimum(g: Graph, a: Expr, b: Expr) -> Expr:
    """The smaller."""
    return _extreme(g, "min", a, b)


def maximum(g: Graph, a: Expr, b: Expr) -> Expr:
    """The larger."""
    return _extreme(g, "max", a, b)


def less(g: Graph, a: Expr, b: Expr) -> Expr:
    """1 where a < b, else 0."""
    if a is b:
        return g.const(0)
    if a.const is not None and b.const is not None:
        return g.const(1 if _below(a.const, b.const) else 0)
    return g.intern("less", (a, b))


def select(g: Graph, condition: Expr, yes: Expr, no: Expr) -> Expr:
    """`yes` where the condition is not 0, else `no`."""
    if condition.const is not None:
        return no if condition.const == 0 else yes
    return yes if yes is no else g.intern("select", (condition, yes, no))


def sine_of(angle: Number) -> Number:
    """sin of a number: exact where it is rational, and as exact as a double can be at any other multiple of pi."""
    if not isinstance(angle, PiMultiple):
        return 0 if angle == 0 else math.sin(float(angle))
    turn = angle.ratio % 2
    if turn > 1:
        return numbers.negative(sine_of(PiMultiple(turn - 1)))
    turn = min(turn, 1 - turn)
    exact = _SINES.get(turn)
    if exact is not None:
        return exact
    # Beyond pi/4 the cosine of the remainder, so that sin(pi/2 - x) and cos(x) are the same double.
    return math.sin(float(turn) * math.pi) if turn <= Fraction(1, 4) else math.cos(float(_HALF - turn) * math.pi)


def cosine_of(angle: Number) -> Number:
    """cos of a number, as exact as `sine_of`."""
    if isinstance(angle, PiMultiple) or angle == 0:
        return sine_of(numbers.add(angle, PiMultiple(_HALF)))
    return math.cos(float(angle))


def _sine(g: Graph, a: Expr, quarters: int) -> Expr:
    """sin(a + quarters · pi/2), for a sine (0) or a cosine (1)."""
    if a.const is not None:
        return g.const(cosine_of(a.const) if quarters else sine_of(a.const))
    if a.op == "neg":
        value = _sine(g, a.args[0], quarters)
        return value if quarters else negate(g, value)
    if a.op == ("acos" if quarters else "asin"):
        return a.args[0]
    rest, turns = _quarter_turns(a)
    if rest is None:
        return g.intern("cos" if quarters else "sin", (a,))
    turns = (turns + quarters) % 4
    value = _sine(g, rest, turns % 2)
    return negate(g, value) if turns >= 2 else value


def _quarter_turns(a: Expr) -> tuple[Expr | None, int]:
    """(x, k) of a = x + k pi/2; (None, 0) where it is not of that form."""
    if a.op == "add":
        rest, shift = a.args[0], a.args[1].const
    elif a.op == "sub":
        rest, shift = negate(a.graph, a.args[1]), a.args[0].const
    else:
        return None, 0
    if isinstance(shift, PiMultiple) and (2 * shift.ratio).denominator == 1:
        return rest, int(2 * shift.ratio)
    return None, 0


def _quadrant_exact(angle: PiMultiple) -> int | None:
    """tan at odd multiples of pi/4."""
    quarter = 4 * angle.ratio
    return (1 if quarter % 4 == 1 else -1) if quarter.denominator == 1 and quarter % 2 else None


def _arc_sine(value: Number) -> Fraction | None:
    """asin(value) / pi, where it is known exactly."""
    for angle, sine in _SINES.items():
        if value == sine:
            return angle
        if value == numbers.negative(sine):
            return -angle
    return None


def _below(a: Number, b: Number) -> bool:
    if isinstance(a, PiMultiple) or isinstance(b, PiMultiple):
        return float(a) < float(b)
    return a < b


def _extreme(g: Graph, op: str, a: Expr, b: Expr) -> Expr:
    """`min` or `max`; a number stands last."""
    if a is b:
        return a
    if a.const is not None and b.const is not None:
        return a if _below(a.const, b.const) == (op == "min") else b
    first = b.const is not None or (a.const is None and a.id < b.id)
    return g.intern(op, (a, b) if first else (b, a))


def _folded(g: Graph, op: str, function: Callable[..., float], *args: Expr) -> Expr:
    """The function of numbers, or the node."""
    values = [float(a.const) for a in args if a.const is not None]
    if len(values) < len(args):
        return g.intern(op, args)
    try:
        return g.const(function(*values))
    except (ValueError, OverflowError):
        listed = ", ".join(repr(a) for a in args)
        raise ExpressionError(f"{op}({listed}) has no finite value") from None
