"""The values of expressions over any arithmetic: floats and arrays, complex numbers, fractions, residues of a prime.

Fractions and residues have no sines; there, an angle is given as a point (cos, sin) on the unit circle, with
coordinates of that arithmetic, and the sines of sums of angles follow from the points. With random points this is how
a rank is proven: a determinant that is not 0 at one point is not 0.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from armillary.errors import ExpressionError
from armillary.expr.angles import take_apart
from armillary.expr.arithmetics import FLOATS, Arithmetic, Matrix
from armillary.expr.graph import Expr
from armillary.expr.ops import RESULT, SOLVE

Point = tuple[Any, Any]
"""(cos, sin) of an angle."""


def evaluate(
    roots: Iterable[Expr],
    leaves: Mapping[str, Any],
    arithmetic: Arithmetic = FLOATS,
    angles: Mapping[str, Point] | None = None,
) -> list[Any]:
    """The values of `roots` where symbols have the values `leaves`, over floats and arrays unless said otherwise.

    `angles` gives symbols inside sines and cosines as points on the circle; whole multiples and sums of them, and
    quarter turns, are composed from these.
    """
    roots = list(roots)
    circle = _Circle(arithmetic, angles or {})
    values: dict[int, Any] = {}
    for node in _order(roots, circle):
        if node.const is not None:
            values[node.id] = arithmetic.constant(node.const)
        elif node.op == "symbol":
            values[node.id] = _leaf(node.attr, leaves)
        elif circle.knows(node):
            values[node.id] = circle.value(node)
        elif node.op == SOLVE:
            values[node.id] = arithmetic.solve(*_system(node, [values[a.id] for a in node.args]))
        elif node.op == RESULT:
            source = node.args[0]
            row, column = divmod(node.attr, source.attr[1])
            values[node.id] = values[source.id][row][column]
        elif node.op in arithmetic.ops:
            values[node.id] = arithmetic.ops[node.op](*[values[a.id] for a in node.args])
        else:
            raise ExpressionError(
                f"{node!r} has no value over {arithmetic.name}; give its angles as points on the circle"
            )
    return [values[root.id] for root in roots]


def _order(roots: Sequence[Expr], circle: "_Circle") -> list[Expr]:
    """The nodes to evaluate, arguments first; what the circle knows needs no arguments."""
    found: dict[int, Expr] = {}
    stack = list(roots)
    while stack:
        node = stack.pop()
        if node.id not in found:
            found[node.id] = node
            if not circle.knows(node):
                stack.extend(node.args)
    return [found[i] for i in sorted(found)]


def _leaf(name: str, leaves: Mapping[str, Any]) -> Any:
    if name not in leaves:
        given = ", ".join(sorted(leaves)) or "none"
        raise ExpressionError(f"no value for the symbol {name!r}; values are given for: {given}")
    return leaves[name]


def _system(node: Expr, values: list[Any]) -> tuple[Matrix, Matrix]:
    n, m = node.attr
    return [values[i * n : (i + 1) * n] for i in range(n)], [
        values[n * n + i * m : n * n + (i + 1) * m] for i in range(n)
    ]


class _Circle:
    """Sines and cosines of sums of angles that are given as points on the unit circle."""

    def __init__(self, over: Arithmetic, points: Mapping[str, Point]) -> None:
        self.over = over
        self.points = points
        self.known: dict[int, bool] = {}
        self.composed: dict[int, Point] = {}

    def knows(self, node: Expr) -> bool:
        """Whether `node` is a sine or cosine of a whole combination of given angles and quarter turns."""
        if not self.points or node.op not in ("sin", "cos"):
            return False
        argument = node.args[0]
        if argument.id not in self.known:
            angle = take_apart(argument)
            self.known[argument.id] = (2 * angle.turn).denominator == 1 and all(
                part.op == "symbol" and part.attr in self.points and multiple.denominator == 1
                for part, multiple in angle.terms
            )
        return self.known[argument.id]

    def value(self, node: Expr) -> Any:
        argument = node.args[0]
        if argument.id not in self.composed:
            angle = take_apart(argument)
            point = self._quarters(int(2 * angle.turn))
            for part, multiple in angle.terms:
                point = self._add(point, self._times(self.points[part.attr], int(multiple)))
            self.composed[argument.id] = point
        return self.composed[argument.id][0 if node.op == "cos" else 1]

    def _quarters(self, count: int) -> Point:
        cosine, sine = ((1, 0), (0, 1), (-1, 0), (0, -1))[count % 4]
        return self.over.constant(cosine), self.over.constant(sine)

    def _times(self, point: Point, count: int) -> Point:
        """The angle `count` times, by doubling."""
        ops = self.over.ops
        if count < 0:
            point, count = (point[0], ops["neg"](point[1])), -count
        total = self._quarters(0)
        while count:
            if count & 1:
                total = self._add(total, point)
            point = self._add(point, point)
            count >>= 1
        return total

    def _add(self, a: Point, b: Point) -> Point:
        """The sum of two angles: (cos a cos b - sin a sin b, sin a cos b + cos a sin b)."""
        add, sub, mul = (self.over.ops[op] for op in ("add", "sub", "mul"))
        (ca, sa), (cb, sb) = a, b
        return sub(mul(ca, cb), mul(sa, sb)), add(mul(sa, cb), mul(ca, sb))


def circle_point(t: Any, arithmetic: Arithmetic) -> Point:
    """The point ((1 - t²)/(1 + t²), 2t/(1 + t²)): rational for a rational t, the half-angle's tangent."""
    add, sub, mul, div = (arithmetic.ops[op] for op in ("add", "sub", "mul", "div"))
    one, square = arithmetic.constant(1), mul(t, t)
    below = add(one, square)
    return div(sub(one, square), below), div(add(t, t), below)
