"""Quotients of sums of products: one fraction for each root, over the divisors that are sums themselves.

    N / (Π atomᵖ · Π Dⁿ)

A divisor that is a single product has negative powers; any other one, freed of what its terms share, is an atom of its own
until all is brought over one bar. Divisors that differ by a factor only are one.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm

from armillary.expr import numbers
from armillary.expr.fourier import ONE, Polynomial, Powers, expanded, product, total
from armillary.expr.graph import Expr
from armillary.expr.numbers import Number


@dataclass(frozen=True, slots=True)
class Fractional:
    """over / (Π atomᵖ of `powers` · Π Dⁿ of `divisors`)."""

    over: Polynomial
    powers: Powers = ()
    divisors: tuple[tuple[Polynomial, int], ...] = ()


@dataclass
class _Divisors:
    """The divisors met so far: D stands for 1/D under a negative number, beside the atoms' own."""

    most: int
    sums: dict[int, Polynomial] = field(default_factory=dict[int, Polynomial])

    def quotient(self, a: Polynomial, b: Polynomial) -> Polynomial:
        """a / b."""
        powers = _least(b)
        number = content(list(b.values()))
        rest = {(_shifted(p, powers, -1), wave): numbers.divide(c, number) for (p, wave), c in b.items()}
        below = tuple((k, -n) for k, n in powers)
        if rest != {((), ONE): 1}:
            below = tuple(sorted((*below, (self._number(rest), 1))))
        return product(a, {(below, ONE): numbers.divide(1, number)}, self.most)

    def _number(self, divisor: Polynomial) -> int:
        for k, known in self.sums.items():
            if known == divisor:
                return k
        self.sums[-len(self.sums) - 1] = divisor
        return -len(self.sums)

    def over_one_bar(self, form: Polynomial) -> Fractional:
        """The sum as one fraction."""
        highest: dict[int, int] = {}
        for powers, _ in form:
            for k, n in powers:
                if k in self.sums:
                    highest[k] = max(n, highest.get(k, 0))
        over: Polynomial = {}
        for (powers, wave), c in form.items():
            here = dict(powers)
            term: Polynomial = {(tuple((k, n) for k, n in powers if k not in highest), wave): c}
            for k, n in highest.items():
                for _ in range(n - here.get(k, 0)):
                    term = product(term, self.sums[k], self.most)
            over = total(over, term)
        below = tuple((k, -n) for k, n in _least(over) if n < 0)
        over = {(_shifted(p, below, 1), wave): c for (p, wave), c in over.items()}
        return Fractional(over, below, tuple((self.sums[k], n) for k, n in highest.items()) if over else ())


def fractions(roots: Iterable[Expr], most: int) -> tuple[list[Fractional], dict[int, Expr]]:
    """Every root as one fraction, and the atoms by their numbers; an error where a sum has more than `most` terms."""
    divisors = _Divisors(most)
    forms, atoms = expanded(roots, most, divisors.quotient)
    return [divisors.over_one_bar(form) for form in forms], atoms


def content(coefficients: list[Number]) -> Number:
    """The greatest common divisor of exact numbers, with the sign of the first; of decimals, 1."""
    exact = [Fraction(c) for c in coefficients if isinstance(c, int | Fraction)]
    if len(exact) < len(coefficients):
        return coefficients[0] if len(coefficients) == 1 else 1
    size = Fraction(gcd(*(c.numerator for c in exact)), lcm(*(c.denominator for c in exact)))
    return numbers.normalise(-size if exact[0] < 0 else size)


def _least(form: Polynomial) -> Powers:
    """The lowest power of each atom, 0 where a term has none; those that are 0 left out."""
    met = {k for powers, _ in form for k, _ in powers}
    held = [dict(powers) for powers, _ in form]
    return tuple((k, n) for k in sorted(met) if (n := min(h.get(k, 0) for h in held)))


def _shifted(powers: Powers, by: Powers, sign: int) -> Powers:
    """The powers times (or over, with sign -1) others."""
    sums = dict(powers)
    for k, n in by:
        sums[k] = sums.get(k, 0) + sign * n
    return tuple(sorted((k, n) for k, n in sums.items() if n))
