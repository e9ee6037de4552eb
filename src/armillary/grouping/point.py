"""A random point of a robot's parameter space over a prime field, and the exact values of formulas there.

What a formula is at a random point decides what it is: two formulas that differ agree there with a probability of their
degree in 1e21. So it is known without rewriting that cos² + sin² is 1, that a pivot is 0, that two lengths are equal.

Numbers keep their values: integers and fractions, doubles as the binary fractions that they are, sines of multiples of pi.
Angles that are doubles turn the point by multiples of one unknown angle, so that 3.1416 is twice 1.5708 and neither
is pi. Functions that a field does not have (roots, logarithms) get one random value for each argument.
"""

import random
from fractions import Fraction

from armillary.expr.angles import take_apart
from armillary.expr.arithmetics import modular
from armillary.expr.graph import Expr
from armillary.expr.numbers import Number, PiMultiple
from armillary.grouping.field import Field


class Point:
    """Values of symbols and of expressions of one graph; the same for the same `seed` in every process."""

    def __init__(self, field: Field, seed: int) -> None:
        self.field = field
        self.seed = seed
        self._ops = modular(field.prime).ops
        self._values: dict[int, int] = {}
        self._units: dict[int, int] = {}

    def value(self, expr: Expr) -> int:
        """The residue of an expression."""
        found = self._values.get(expr.id)
        if found is None:
            found = self._values[expr.id] = self._value(expr)
        return found

    def unit(self, angle: Expr) -> int:
        """exp(i angle)."""
        found = self._units.get(angle.id)
        if found is None:
            parts = take_apart(angle)
            multiple = 0
            for part, times in parts.terms:
                multiple += self._cycles(times) * self._direction(part)
            found = self._units[angle.id] = self.field.unit(parts.turn, multiple % self.field.cycle)
        return found

    def cos_sin(self, angle: Expr) -> tuple[int, int]:
        """Cosine and sine of an angle."""
        return self.field.cos_sin(self.unit(angle))

    def random(self, name: str) -> int:
        """A residue for whatever is called so."""
        return random.Random(f"{self.seed} {name}").randrange(1, self.field.prime)

    def number(self, number: Number) -> int:
        """The residue of a constant; pi itself is as good as a symbol."""
        if isinstance(number, int):
            return number % self.field.prime
        if isinstance(number, PiMultiple):
            return self.field.fraction(number.ratio) * self.random("the number pi") % self.field.prime
        return self.field.fraction(Fraction(number))

    def _value(self, expr: Expr) -> int:
        if expr.const is not None:
            return self.number(expr.const)
        if expr.op == "symbol":
            return self.random(f"value of {expr.attr}")
        if expr.op in ("sin", "cos", "tan"):
            c, s = self.cos_sin(expr.args[0])
            return {"cos": c, "sin": s}.get(expr.op, s * self.field.inverse(c)) % self.field.prime
        args = [self.value(a) for a in expr.args]
        operation = self._ops.get(expr.op)
        return self.random(f"{expr.op} {expr.attr} of {args}") if operation is None else operation(*args)

    def _direction(self, part: Expr) -> int:
        """The power of the generator that stands for an angle: a symbol's own, multiples of one for numbers."""
        if part.const is not None:
            return self._cycles(Fraction(float(part.const))) * self._power("one radian")
        return self._power(f"angle {part.attr}" if part.op == "symbol" else f"angle {self.value(part)}")

    def _power(self, name: str) -> int:
        return random.Random(f"{self.seed} {name}").randrange(1, self.field.cycle)

    def _cycles(self, times: Fraction) -> int:
        """A rational factor among the powers of the generator."""
        cycle = self.field.cycle
        return times.numerator * pow(times.denominator, -1, cycle) % cycle
