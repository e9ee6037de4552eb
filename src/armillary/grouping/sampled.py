"""Formulas that know what they are: an expression with its exact value at a random point.

The value decides where the expression cannot: whether it is 0, and whether it is the same as one that was met before,
which then takes its place. Formulas therefore come out short without a rewriting rule: d² cos² + d² sin² is d².
"""

from __future__ import annotations

from math import prod
from typing import Any

from armillary.errors import ExpressionError
from armillary.expr.graph import Expr, Graph
from armillary.grouping.monomials import Monomials
from armillary.grouping.point import Point
from armillary.robot.value import Formula, Value

_SMALL = 16
"""Integers up to this size are recognised by their residue."""


class Sampled:
    """An expression and its residue. Sums and products that are small integers come out as `int`."""

    __slots__ = ("expr", "residue", "samples", "summands")

    def __init__(self, samples: Samples, expr: Expr, residue: int, summands: tuple[Sampled, ...] = ()) -> None:
        self.samples = samples
        self.expr = expr
        self.residue = residue
        self.summands = summands

    @property
    def unit(self) -> int:
        """exp(i x) of an angle x, from its summands where it has any: a sum of doubles is not the double that it rounds to."""
        point = self.samples.point
        if not self.summands:
            return point.unit(self.expr)
        return prod(x.unit for x in self.summands) % self.samples.prime

    def __add__(self, other: Any) -> Any:
        if isinstance(other, Sampled):
            return self.samples.sum(self, other)
        return self if other == 0 else self.samples.sum(self, self.samples.integer(other))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self + -other

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, Sampled):
            return self.samples.product(self, other)
        if other == 0:
            return 0
        if other == 1:
            return self
        return -self if other == -1 else self.samples.product(self.samples.integer(other), self)

    __rmul__ = __mul__

    def __neg__(self) -> Any:
        return self.samples.made(-self.expr, -self.residue % self.samples.prime)

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, Sampled):
            return self.samples.quotient(self, other)
        return self.samples.quotient(self, self.samples.integer(other))

    def __rtruediv__(self, other: int) -> Any:
        return self.samples.quotient(self.samples.integer(other), self)

    def sin(self) -> Any:
        return self.samples.turn(self, 1)

    def cos(self) -> Any:
        return self.samples.turn(self, 0)


class Whole(int):
    """A small integer that formulas came to, which may be an angle like any of them."""

    samples: Samples

    def sin(self) -> Any:
        return self.samples.turn(self.samples.integer(self), 1)

    def cos(self) -> Any:
        return self.samples.turn(self.samples.integer(self), 0)


class Samples:
    """The formulas of one graph that were met at one point, by their residues."""

    def __init__(self, graph: Graph, point: Point) -> None:
        self.graph = graph
        self.point = point
        self.prime = point.field.prime
        self.small = {k % self.prime: self._whole(k) for k in range(-_SMALL, _SMALL + 1)}
        self._met: dict[int, Sampled] = {}
        self._values: dict[Value, Any] = {}

    def scalar(self, given: Value) -> Any:
        """A value of the description. Numbers stay formulas, so that they have sines; 0 is the integer."""
        made = self._values.get(given)
        if made is None:
            if isinstance(given, Formula):
                expr = self.graph.copy([given.expr])[0]
            else:
                expr = self.graph.const(given)
            made = 0 if expr.const == 0 else Sampled(self, expr, self.point.value(expr))
            if made and expr.const is None:
                self._met.setdefault(made.residue, made)
            self._values[given] = made
        return made

    def residue(self, x: Any) -> int:
        """The residue of a formula or an integer."""
        return x.residue if isinstance(x, Sampled) else x % self.prime

    def formula(self, x: Any) -> Expr:
        """The expression of a formula or an integer."""
        return x.expr if isinstance(x, Sampled) else self.graph.const(int(x))

    def integer(self, x: int) -> Sampled:
        """An integer as a formula."""
        return Sampled(self, self.graph.const(int(x)), x % self.prime)

    def _whole(self, k: int) -> Whole:
        whole = Whole(k)
        whole.samples = self
        return whole

    def lift(self, x: Any) -> Sampled:
        """A formula or an integer as a formula."""
        return x if isinstance(x, Sampled) else self.integer(x)

    def sum(self, a: Sampled, b: Sampled) -> Any:
        """a + b."""
        residue = (a.residue + b.residue) % self.prime
        known = self.known(residue)
        return self.new(a.expr + b.expr, residue, (a, b)) if known is None else known

    def product(self, a: Sampled, b: Sampled) -> Any:
        """a b."""
        residue = a.residue * b.residue % self.prime
        known = self.known(residue)
        return self.new(a.expr * b.expr, residue) if known is None else known

    def quotient(self, a: Sampled, b: Sampled) -> Any:
        """a / b."""
        if not b.residue:
            raise ExpressionError(f"division of {a.expr!r} by {b.expr!r}, which is zero")
        residue = a.residue * self.point.field.inverse(b.residue) % self.prime
        known = self.known(residue)
        return self.new(a.expr / b.expr, residue) if known is None else known

    def turn(self, angle: Sampled, part: int) -> Any:
        """The cosine (0) or sine (1) of an angle."""
        return self.made(angle.expr.sin() if part else angle.expr.cos(), self.point.field.cos_sin(angle.unit)[part])

    def known(self, residue: int) -> Any:
        """What has this residue: a small integer, a formula met before or the negative of one; None if nothing has."""
        small = self.small.get(residue)
        if small is not None:
            return small
        met = self._met.get(residue)
        if met is not None:
            return met
        opposite = self._met.get(self.prime - residue)
        return None if opposite is None else self.new(-opposite.expr, residue)

    def made(self, expr: Expr, residue: int) -> Any:
        """What is known to have the residue, else the expression."""
        known = self.known(residue)
        return self.new(expr, residue) if known is None else known

    def shortened(self, x: Any) -> Any:
        """A formula as a ratio of two products of lengths, sines and cosines, if it is one."""
        if not isinstance(x, Sampled) or x.expr.op == "symbol":
            return x
        atoms = [(f.expr, f.residue) for f in self._met.values() if f.expr.op in ("symbol", "sin", "cos")]
        found = Monomials(self.point.field, self.graph.const(1), atoms).find(x.residue)
        return x if found is None else self.new(found, x.residue)

    def new(self, expr: Expr, residue: int, summands: tuple[Sampled, ...] = ()) -> Sampled:
        """A formula to be recognised from now on."""
        made = self._met[residue] = Sampled(self, expr, residue, summands)
        return made
