"""Algebraic laws, asked whenever a node is made. A law is `law(graph, *args) -> node | None`; None means: not mine.

0·x is 0. Signs move outward, so that products and sums meet as themselves; constants gather in front; a difference
always has its older operand first, so that a - b and b - a share one node.
"""

from fractions import Fraction

import math

from armillary.expr import numbers
from armillary.expr.graph import Expr, Graph, Law
from armillary.expr.numbers import Number, PiMultiple


def _fold_add(g: Graph, a: Expr, b: Expr) -> Expr | None:
    """c + c', 0 + x, and a constant stands second in a sum of sums."""
    if a.const is not None:
        if b.const is not None:
            return g.const(numbers.add(a.const, b.const))
        if a.const == 0:
            return b
        a, b = b, a
    if b.const is None:
        return None
    if b.const == 0:
        return a
    if a.op == "add" and a.args[0].const is not None:
        return g.apply("add", a.args[1], numbers.add(a.args[0].const, b.const))
    if a.op == "add" and a.args[1].const is not None:
        return g.apply("add", a.args[0], numbers.add(a.args[1].const, b.const))
    return None


def _signs_add(g: Graph, a: Expr, b: Expr) -> Expr | None:
    """a + (-b) = a - b; (-a) + b = b - a."""
    if b.op == "neg":
        return g.apply("sub", a, b.args[0])
    if a.op == "neg":
        return g.apply("sub", b, a.args[0])
    return None


def _twice(g: Graph, a: Expr, b: Expr) -> Expr | None:
    """x + x = 2 x."""
    return g.apply("mul", 2, a) if a is b else None


def _cancel_add(g: Graph, a: Expr, b: Expr) -> Expr | None:
    """(x - y) + y = x."""
    if a.op == "sub" and a.args[1] is b:
        return a.args[0]
    if b.op == "sub" and b.args[1] is a:
        return b.args[0]
    return None


def _fold_sub(g: Graph, a: Expr, b: Expr) -> Expr | None:
    """x - c = x + (-c); 0 - x = -x; x - x = 0."""
    if a is b:
        return g.const(0)
    if b.const is not None:
        return g.apply("add", a, numbers.negative(b.const))
    if a.const is not None and a.const == 0:
        return g.apply("neg", b)
    return None


def _signs_sub(g: Graph, a: Expr, b: Expr) -> Expr | None:
    """a - (-b) = a + b; (-a) - b = -(a + b); the older operand first."""
    if b.op == "neg":
        return g.apply("add", a, b.args[0])
    if a.op == "neg":
        return g.apply("neg", g.apply("add", a.args[0], b))
    if a.id > b.id:
        return g.apply("neg", g.apply("sub", b, a))
    return None


def _cancel_sub(g: Graph, a: Expr, b: Expr) -> Expr | None:
    """(x + y) - y = x; x - (x + y) = -y; x - (x - y) = y."""
    if a.op == "add":
        if a.args[0] is b:
            return a.args[1]
        if a.args[1] is b:
            return a.args[0]
    if b.op == "add":
        if b.args[0] is a:
            return g.apply("neg", b.args[1])
        if b.args[1] is a:
            return g.apply("neg", b.args[0])
    if b.op == "sub" and b.args[0] is a:
        return b.args[1]
    return None


def _fold_mul(g: Graph, a: Expr, b: Expr) -> Expr | None:
    """c c', 0 x = 0, 1 x = x, (-1) x = -x, c (c' x) = (c c') x; a negative constant gives its sign away."""
    if b.const is not None:
        a, b = b, a
    c = a.const
    if c is None:
        return None
    if b.const is not None:
        return g.const(numbers.multiply(c, b.const))
    if c == 0:
        return g.const(0)
    if c == 1:
        return b
    if b.op == "neg":
        return g.apply("neg", g.apply("mul", c, b.args[0]))
    if _negative(c):
        return g.apply("neg", g.apply("mul", numbers.negative(c), b))
    if b.op == "mul":
        inner = b.args[0] if b.args[0].const is not None else b.args[1]
        if inner.const is not None:
            other = b.args[1] if inner is b.args[0] else b.args[0]
            return g.apply("mul", numbers.multiply(c, inner.const), other)
    return None


def _signs_mul(g: Graph, a: Expr, b: Expr) -> Expr | None:
    """(-a) b = -(a b); a (-b) = -(a b)."""
    if a.op == "neg":
        return g.apply("neg", g.apply("mul", a.args[0], b))
    if b.op == "neg":
        return g.apply("neg", g.apply("mul", a, b.args[0]))
    return None


def _fold_div(g: Graph, a: Expr, b: Expr) -> Expr | None:
    """0 / x = 0, x / c = (1/c) x, x / x = 1."""
    if b.const is not None:
        if a.const is not None:
            return g.const(numbers.divide(a.const, b.const))
        return g.apply("mul", numbers.divide(1, b.const), a)
    if a.const is not None and a.const == 0:
        return a
    return g.const(1) if a is b else None


def _signs_div(g: Graph, a: Expr, b: Expr) -> Expr | None:
    """(-a) / b = a / (-b) = -(a / b)."""
    if a.op == "neg":
        return g.apply("neg", g.apply("div", a.args[0], b))
    if b.op == "neg":
        return g.apply("neg", g.apply("div", a, b.args[0]))
    if a.const is not None and _negative(a.const):
        return g.apply("neg", g.apply("div", numbers.negative(a.const), b))
    return None


def _fold_neg(g: Graph, a: Expr) -> Expr | None:
    """-c, -(-x) = x."""
    if a.const is not None:
        return g.const(numbers.negative(a.const))
    return a.args[0] if a.op == "neg" else None


def _sine_of(g: Graph, value: Number) -> Number:
    if isinstance(value, PiMultiple):
        exact = {Fraction(0): 0, Fraction(1, 6): Fraction(1, 2), Fraction(1, 2): 1, Fraction(5, 6): Fraction(1, 2)}
        turn = value.ratio % 2
        sign = 1
        if turn >= 1:
            turn, sign = turn - 1, -1
        if turn in exact:
            return sign * exact[turn]
        half = min(turn, 1 - turn)
        return sign * math.sin(float(half) * math.pi)
    return math.sin(float(value))


def _fold_sin(g: Graph, a: Expr) -> Expr | None:
    """sin c (exact at multiples of pi/2 and pi/6), sin(-x) = -sin x, sin(x + k pi/2)."""
    if a.const is not None:
        return g.const(_sine_of(g, a.const))
    if a.op == "neg":
        return g.apply("neg", g.apply("sin", a.args[0]))
    return _shifted(g, a, 0)


def _fold_cos(g: Graph, a: Expr) -> Expr | None:
    """cos c, cos(-x) = cos x, cos(x + k pi/2)."""
    if a.const is not None:
        quarter = PiMultiple(Fraction(1, 2))
        if isinstance(a.const, PiMultiple):
            return g.const(_sine_of(g, numbers.add(a.const, quarter)))
        return g.const(math.cos(float(a.const)))
    if a.op == "neg":
        return g.apply("cos", a.args[0])
    return _shifted(g, a, 1)


def _shifted(g: Graph, a: Expr, quarters: int) -> Expr | None:
    """sin(x + k pi/2 + quarters pi/2) without the shift, where `a` is x + k pi/2."""
    if a.op != "add":
        return None
    for constant, rest in ((a.args[0], a.args[1]), (a.args[1], a.args[0])):
        shift = constant.const
        if isinstance(shift, PiMultiple) and (2 * shift.ratio).denominator == 1:
            turn = (int(2 * shift.ratio) + quarters) % 4
            value = g.apply("cos" if turn % 2 else "sin", rest)
            return g.apply("neg", value) if turn >= 2 else value
    return None


def _negative(value: Number) -> bool:
    return value.ratio < 0 if isinstance(value, PiMultiple) else value < 0


def _fold_sqrt(g: Graph, a: Expr) -> Expr | None:
    """sqrt of a constant, exact for squares of fractions."""
    if a.const is None:
        return None
    value = a.const
    if isinstance(value, int | Fraction) and value >= 0:
        square = Fraction(value)
        n, d = math.isqrt(square.numerator), math.isqrt(square.denominator)
        if n * n == square.numerator and d * d == square.denominator:
            return g.const(Fraction(n, d))
    return g.const(math.sqrt(float(value)))


def _fold_abs(g: Graph, a: Expr) -> Expr | None:
    """|c|, |-x| = |x|, ||x|| = |x|."""
    if a.const is not None:
        return g.const(numbers.negative(a.const) if _negative(a.const) else a.const)
    if a.op == "neg":
        return g.apply("abs", a.args[0])
    return a if a.op in ("abs", "sqrt", "exp") else None


def _fold_sign(g: Graph, a: Expr) -> Expr | None:
    """sign c, sign(-x) = -sign x."""
    if a.const is not None:
        return g.const(0 if a.const == 0 else -1 if _negative(a.const) else 1)
    return g.apply("neg", g.apply("sign", a.args[0])) if a.op == "neg" else None


def _odd(op: str) -> Law:
    def law(g: Graph, a: Expr) -> Expr | None:
        return g.apply("neg", g.apply(op, a.args[0])) if a.op == "neg" else None

    law.__doc__ = f"{op}(-x) = -{op} x."
    return law


def _constant(op: str, function: "type[float] | object") -> Law:
    def law(g: Graph, *args: Expr) -> Expr | None:
        values = [float(a.const) for a in args if a.const is not None]
        if len(values) < len(args):
            return None
        return g.const(function(*values))  # type: ignore[operator]

    law.__doc__ = f"{op} of constants."
    return law


def _fold_atan2(g: Graph, y: Expr, x: Expr) -> Expr | None:
    """atan2 of constants, exact along the axes."""
    if y.const is None or x.const is None:
        return None
    return g.const(numbers.near_right_angle(math.atan2(float(y.const), float(x.const)), 0.0))


def _same(g: Graph, a: Expr, b: Expr) -> Expr | None:
    """min(x, x) = max(x, x) = x."""
    return a if a is b else None


def _fold_less(g: Graph, a: Expr, b: Expr) -> Expr | None:
    """x < x is 0."""
    return g.const(0) if a is b else None


def _fold_select(g: Graph, c: Expr, a: Expr, b: Expr) -> Expr | None:
    """A known condition, or two equal branches."""
    if c.const is not None:
        return b if c.const == 0 else a
    return a if a is b else None


LAWS: dict[str, tuple[Law, ...]] = {
    "add": (_fold_add, _signs_add, _twice, _cancel_add),
    "sub": (_fold_sub, _signs_sub, _cancel_sub),
    "mul": (_fold_mul, _signs_mul),
    "div": (_fold_div, _signs_div),
    "neg": (_fold_neg,),
    "sin": (_fold_sin,),
    "cos": (_fold_cos,),
    "tan": (_constant("tan", math.tan), _odd("tan")),
    "asin": (_constant("asin", math.asin), _odd("asin")),
    "acos": (_constant("acos", math.acos),),
    "atan": (_constant("atan", math.atan), _odd("atan")),
    "atan2": (_fold_atan2,),
    "sqrt": (_fold_sqrt,),
    "abs": (_fold_abs,),
    "sign": (_fold_sign,),
    "exp": (_constant("exp", math.exp),),
    "log": (_constant("log", math.log),),
    "tanh": (_constant("tanh", math.tanh), _odd("tanh")),
    "min": (_constant("min", min), _same),
    "max": (_constant("max", max), _same),
    "less": (_constant("less", lambda a, b: float(a < b)), _fold_less),
    "select": (_fold_select,),
}
"""The laws of each operation, in the order they are asked."""
