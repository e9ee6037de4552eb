"""Taylor series on the graph: the coefficients of every root in time, from those of the symbols.

With x(t) = Σ_k x_k tᵏ, sums and products are Cauchy's; for every other operation the op table's partial derivatives say

    ẏ = Σ_i ∂y/∂a_i ȧ_i    so    k y_k = Σ_i Σ_{j=1..k} j a_{i,j} p_{i,k-j},    p_i the series of ∂y/∂a_i,

and a system A X = B gives A_0 X_k = B_k - Σ_{j≥1} A_j X_{k-j}. The k-th derivative in time is k! x_k.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from armillary.expr.graph import Expr, topological
from armillary.expr.ops import OPS, RESULT, SOLVE


class Series:
    """Coefficients x_0, x_1, … of a quantity; operators and functions work on them as on numbers."""

    __slots__ = ("c",)

    def __init__(self, coefficients: Sequence[Expr]) -> None:
        self.c = tuple(coefficients)

    @property
    def order(self) -> int:
        return len(self.c) - 1

    def up_to(self, order: int) -> Series:
        """The first coefficients."""
        return Series(self.c[: order + 1])

    def _lift(self, b: Any) -> Series:
        if isinstance(b, Series):
            return b
        g = self.c[0].graph
        return Series([g.lift(b), *[g.const(0)] * self.order])

    def __add__(self, b: Any) -> Series:
        return Series([x + y for x, y in zip(self.c, self._lift(b).c, strict=True)])

    __radd__ = __add__

    def __sub__(self, b: Any) -> Series:
        return Series([x - y for x, y in zip(self.c, self._lift(b).c, strict=True)])

    def __rsub__(self, b: Any) -> Series:
        return self._lift(b) - self

    def __neg__(self) -> Series:
        return Series([-x for x in self.c])

    def __mul__(self, b: Any) -> Series:
        other = self._lift(b)
        return Series([_cauchy(self.c, other.c, k) for k in range(len(self.c))])

    __rmul__ = __mul__

    def __truediv__(self, b: Any) -> Series:
        other = self._lift(b)
        y: list[Expr] = []
        for k, a in enumerate(self.c):
            for j in range(1, k + 1):
                a = a - other.c[j] * y[k - j]
            y.append(a / other.c[0])
        return Series(y)

    def __rtruediv__(self, b: Any) -> Series:
        return self._lift(b) / self

    def sin(self) -> Series:
        return self._circular()[0]

    def cos(self) -> Series:
        return self._circular()[1]

    def sqrt(self) -> Series:
        return applied("sqrt", [self])

    def sign(self) -> Series:
        return applied("sign", [self])

    def less(self, b: Any) -> Series:
        return applied("less", [self, self._lift(b)])

    def select(self, yes: Any, no: Any) -> Series:
        return applied("select", [self, self._lift(yes), self._lift(no)])

    def _circular(self) -> tuple[Series, Series]:
        """k s_k = Σ j x_j c_{k-j},  k c_k = -Σ j x_j s_{k-j}."""
        s, c = [self.c[0].sin()], [self.c[0].cos()]
        for k in range(1, len(self.c)):
            s.append(_weighted(self.c, c, k))
            c.append(-_weighted(self.c, s[:k], k))
        return Series(s), Series(c)


def _cauchy(a: Sequence[Expr], b: Sequence[Expr], k: int) -> Expr:
    total = a[0] * b[k]
    for j in range(1, k + 1):
        total = total + a[j] * b[k - j]
    return total


def _weighted(x: Sequence[Expr], p: Sequence[Expr], k: int) -> Expr:
    """Σ_{j=1..k} (j/k) x_j p_{k-j}."""
    total = x[0].graph.const(0)
    for j in range(1, k + 1):
        total = total + x[j] * p[k - j] * Fraction(j, k)
    return total


def applied(op: str, args: list[Series]) -> Series:
    """The series of op(args)."""
    g = args[0].c[0].graph
    match op:
        case "add":
            return args[0] + args[1]
        case "sub":
            return args[0] - args[1]
        case "neg":
            return -args[0]
        case "mul":
            return args[0] * args[1]
        case "div":
            return args[0] / args[1]
        case "sin":
            return args[0].sin()
        case "cos":
            return args[0].cos()
        case _:
            pass
    y = [g.apply(op, *[a.c[0] for a in args])]
    for k in range(1, len(args[0].c)):
        slopes = OPS[op].partials(Series(y), *[a.up_to(k - 1) for a in args])
        total = g.const(0)
        for a, slope in zip(args, slopes, strict=True):
            if isinstance(slope, Series):
                total = total + _weighted(a.c, slope.c, k)
            else:
                total = total + a.c[k] * slope
        y.append(total)
    return Series(y)


def series(roots: Sequence[Expr], leaves: Mapping[str, Sequence[Expr]], order: int) -> list[Series]:
    """The series of each root up to `order`; a symbol that is not in `leaves` does not change with time."""
    found: dict[int, Series] = {}
    systems: dict[int, list[Series]] = {}
    for node in topological(roots):
        g = node.graph
        if node.op == "symbol" and node.attr in leaves:
            found[node.id] = Series(leaves[node.attr][: order + 1])
        elif not node.args:
            found[node.id] = Series([node, *[g.const(0)] * order])
        elif node.op == SOLVE:
            systems[node.id] = _solved(node, [found[a.id] for a in node.args], order)
        elif node.op == RESULT:
            found[node.id] = systems[node.args[0].id][node.attr]
        elif all(x.const == 0 for a in node.args for x in found[a.id].c[1:]):
            found[node.id] = Series([node, *[g.const(0)] * order])
        else:
            found[node.id] = applied(node.op, [found[a.id] for a in node.args])
    return [found[r.id] for r in roots]


def _solved(node: Expr, args: list[Series], order: int) -> list[Series]:
    g = node.graph
    n, m = node.attr
    A = [args[i * n : (i + 1) * n] for i in range(n)]
    B = [args[n * n + i * m : n * n + (i + 1) * m] for i in range(n)]
    leading = [[x.c[0] for x in row] for row in A]
    X: list[list[list[Expr]]] = []
    for k in range(order + 1):
        right = [[x.c[k] for x in row] for row in B]
        for j in range(1, k + 1):
            for i in range(n):
                for c in range(m):
                    for p in range(n):
                        right[i][c] = right[i][c] - A[i][p].c[j] * X[k - j][p][c]
        X.append(g.solve(leading, right))
    return [Series([X[k][i][c] for k in range(order + 1)]) for i in range(n) for c in range(m)]
