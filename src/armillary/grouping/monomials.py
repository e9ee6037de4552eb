"""Short names for ratios that elimination leaves long: c x y / (u v), of the lengths, sines and cosines of the robot."""

from collections.abc import Iterator
from functools import cached_property
from itertools import combinations_with_replacement

from armillary.expr.graph import Expr
from armillary.grouping.field import Field

MOST = 24
"""Atoms that are tried, the last ones met: those of the bodies at hand."""

_FACTORS = (1, 2)
_DEGREE = 2


class Monomials:
    """Products of at most two atoms, by residue."""

    def __init__(self, field: Field, one: Expr, atoms: list[tuple[Expr, int]]) -> None:
        self.field = field
        self.one = one
        self.atoms = atoms[-MOST:]

    def find(self, residue: int) -> Expr | None:
        """A monomial over a monomial that has the residue, or the negative of one; None if there is none."""
        p = self.field.prime
        for below, divisor in self._products:
            wanted = residue * divisor % p
            for sign, value in ((1, wanted), (-1, p - wanted)):
                above = self._numerators.get(value)
                if above is not None:
                    ratio = above / below
                    return ratio if sign > 0 else -ratio
        return None

    @cached_property
    def _products(self) -> list[tuple[Expr, int]]:
        return list(self._made())

    @cached_property
    def _numerators(self) -> dict[int, Expr]:
        p = self.field.prime
        found: dict[int, Expr] = {}
        for factor in _FACTORS:
            for expr, residue in self._products:
                found.setdefault(factor * residue % p, factor * expr)
        return found

    def _made(self) -> Iterator[tuple[Expr, int]]:
        for degree in range(_DEGREE + 1):
            for atoms in combinations_with_replacement(self.atoms, degree):
                expr, residue = self.one, 1
                for atom, value in atoms:
                    expr, residue = expr * atom, residue * value % self.field.prime
                yield expr, residue
