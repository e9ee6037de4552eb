"""Expressions as a person writes them, with no parenthesis too many: `2*L1 + 0.1`, `pi/2`, `sin(q1)**2`.

The text is exact: `parse` reads it back to the same node, rounding for rounding. Sums and products are therefore only
reordered (a + b = b + a), never regrouped. A result of `solve` is written out but has no notation that is read back.
"""

from armillary.errors import ExpressionError
from armillary.expr.arithmetic import MAX_POWER
from armillary.expr.graph import Expr, topological
from armillary.expr.numbers import Number, PiMultiple, is_negative, negative, text
from armillary.expr.ops import RESULT, SOLVE

_SUM, _PRODUCT, _SIGN, _POWER, _ATOM = range(5)
"""How tightly a piece of text holds together."""

_Piece = str | tuple[Expr, int]
"""Text, or a node that is to hold together at least so tightly."""

PREVIEW = 200
"""How many characters `repr` shows at most."""


def infix(expr: Expr, limit: int = 1_000_000) -> str:
    """The formula, refused beyond `limit` characters: shared parts are written out wherever they are used."""
    written = _write(expr, limit)
    if written is None:
        raise ExpressionError(
            f"the formula takes more than {limit:,} characters ({len(topological([expr])):,} operations and operands); "
            "print it as a Program, which names what is shared"
        )
    return written


def preview(expr: Expr) -> str:
    """The formula if it is short, else what it is made of."""
    written = _write(expr, PREVIEW)
    return f"<{expr.op} of {len(topological([expr])) - 1:,} nodes>" if written is None else written


def _write(expr: Expr, limit: int) -> str | None:
    pieces: list[str] = []
    length = 0
    todo: list[_Piece] = [(expr, _SUM)]
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            pieces.append(item)
            length += len(item)
            if length > limit:
                return None
            continue
        node, tightness = item
        held, content = _pieces(node)
        todo.extend(reversed(content if held >= tightness else ["(", *content, ")"]))
    return "".join(pieces)


def _pieces(node: Expr) -> tuple[int, list[_Piece]]:
    """How tightly the text of `node` holds, and what it consists of."""
    op, args = node.op, node.args
    if node.const is not None:
        return _number_tightness(node.const), [text(node.const)]
    if op == "symbol":
        return _ATOM, [str(node.attr)]
    if op == "add":
        return _SUM, _sum(*args)
    if op == "sub":
        return _SUM, [(args[0], _SUM), " - ", (args[1], _PRODUCT)]
    if op == "neg":
        return _negation(args[0])
    if op == "mul":
        return _product(node)
    if op == "div":
        return _PRODUCT, [(args[0], _PRODUCT), "/", (args[1], _POWER)]
    if op == RESULT:
        return _ATOM, [(args[0], _ATOM), f"[{node.attr}]"]
    if op == SOLVE:
        return _ATOM, _solve(node)
    return _ATOM, [f"{op}(", *_listed([(a, _SUM) for a in args]), ")"]


def _sum(a: Expr, b: Expr) -> list[_Piece]:
    """The operand that is itself a sum comes first; a negative number is subtracted."""
    if b.const is not None and is_negative(b.const):
        return [(a, _SUM), f" - {text(negative(b.const))}"]
    if _is_sum(b) and not _is_sum(a):
        a, b = b, a
    return [(a, _SUM), " + ", (b, _PRODUCT)]


def _negation(a: Expr) -> tuple[int, list[_Piece]]:
    """-(x - y) is y - x, which the laws make the same node; signs of products are moved outward by them too."""
    if a.op == "sub" and a.args[0].const is None:
        return _SUM, [(a.args[1], _SUM), " - ", (a.args[0], _PRODUCT)]
    if a.op in ("mul", "div"):
        return _PRODUCT, ["-", (a, _PRODUCT)]
    return _SIGN, ["-", (a, _POWER)]


def _product(node: Expr) -> tuple[int, list[_Piece]]:
    """c*x, x/3, x**2, x*y; the operand that is itself a product comes first."""
    a, b = node.args
    if a.const is not None:
        return _PRODUCT, _multiple(a.const, b)
    base, exponent = _as_power(node)
    if 1 < exponent <= MAX_POWER:
        return _POWER, [(base, _ATOM), f"**{exponent}"]
    if _is_product(b) and not _is_product(a):
        a, b = b, a
    return _PRODUCT, [(a, _PRODUCT), "*", (b, _POWER)]


def _multiple(number: Number, x: Expr) -> list[_Piece]:
    """The number in front, the denominator of a fraction that is no decimal behind."""
    written = text(number)
    if isinstance(number, PiMultiple) or "/" not in written:
        return [written, "*", (x, _POWER)]
    numerator, denominator = written.split("/")
    if numerator == "1":
        return [(x, _PRODUCT), f"/{denominator}"]
    return [numerator, "*", (x, _POWER), f"/{denominator}"]


def _as_power(node: Expr, below: int = MAX_POWER) -> tuple[Expr, int]:
    """(x, n) of a node that is xⁿ as `arithmetic.power` makes it: x^5 = x · ((x²)²), one factor for each binary digit.

    The factors have different powers of 2 as exponents, the largest of them less than `below`.
    """
    base, n = _as_square(node)
    if n > 1 or node.op != "mul":
        return (base, n) if n < below else (node, 1)
    a, b = node.args
    for rest, square in ((a, b), (b, a)):
        base, n = _as_square(square)
        if 1 < n < below:
            same, m = _as_power(rest, n)
            if same is base:
                return base, m + n
    return node, 1


def _as_square(node: Expr) -> tuple[Expr, int]:
    """(x, n) of a node that is x squared again and again, n = 2, 4, 8, …; (node, 1) otherwise."""
    n = 1
    while node.op == "mul" and node.args[0] is node.args[1] and 2 * n <= MAX_POWER:
        node, n = node.args[0], 2 * n
    return node, n


def _is_sum(node: Expr) -> bool:
    return _pieces(node)[0] == _SUM


def _is_product(node: Expr) -> bool:
    return _pieces(node)[0] == _PRODUCT


def _number_tightness(number: Number) -> int:
    if "/" in text(number) or "*" in text(number):
        return _PRODUCT
    return _SIGN if is_negative(number) else _ATOM


def _solve(node: Expr) -> list[_Piece]:
    """solve([[a, b], [c, d]], [[e], [f]])."""
    n, m = node.attr
    rows = [node.args[i * n : (i + 1) * n] for i in range(n)]
    right = [node.args[n * n + i * m : n * n + (i + 1) * m] for i in range(n)]
    return ["solve(", *_matrix(rows), ", ", *_matrix(right), ")"]


def _matrix(rows: list[tuple[Expr, ...]]) -> list[_Piece]:
    pieces: list[_Piece] = ["["]
    for i, row in enumerate(rows):
        pieces += [", [" if i else "[", *_listed([(x, _SUM) for x in row]), "]"]
    return [*pieces, "]"]


def _listed(items: list[tuple[Expr, int]]) -> list[_Piece]:
    return [piece for i, item in enumerate(items) for piece in ((", ", item) if i else (item,))]
