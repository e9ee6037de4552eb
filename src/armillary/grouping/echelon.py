"""Bases and reduced echelon forms of rows of formulas, with every decision taken on exact residues."""

from collections.abc import Sequence
from typing import Any

from armillary.dynamics.observability import Row
from armillary.expr.graph import topological
from armillary.grouping.sampled import Sampled, Samples

Residues = list[list[int]]


def eliminated(matrix: Sequence[Sequence[int]], p: int) -> tuple[Residues, list[int]]:
    """The reduced echelon form modulo p, its pivots 1, without rows of zeros; and the columns of the pivots."""
    rows: Residues = []
    pivots: list[int] = []
    for given in matrix:
        row = _without(given, rows, pivots, p)
        column = next((j for j, x in enumerate(row) if x), None)
        if column is None:
            continue
        inverse = pow(row[column], -1, p)
        row = [x * inverse % p for x in row]
        for i, other in enumerate(rows):
            factor = other[column]
            if factor:
                rows[i] = [(x - factor * y) % p for x, y in zip(other, row, strict=True)]
        at = sum(c < column for c in pivots)
        rows.insert(at, row)
        pivots.insert(at, column)
    return rows, pivots


def _without(given: Sequence[int], rows: Residues, pivots: list[int], p: int) -> list[int]:
    """A row less its part along rows in reduced form."""
    row = [x % p for x in given]
    for other, column in zip(rows, pivots, strict=True):
        factor = row[column]
        if factor:
            row = [(x - factor * y) % p for x, y in zip(row, other, strict=True)]
    return row


class Formulas:
    """Linear algebra over sampled formulas and integers.

    The reduced echelon form of a space is unique: entries that are small integers at the point are those integers. Only
    where there are others do formulas have to be computed with.
    """

    def __init__(self, samples: Samples) -> None:
        self.samples = samples

    def basis(self, rows: list[Row]) -> list[Row]:
        """Rows of integers as far as there are such, and then rows as they were given, so that nothing is divided."""
        reduced, _ = eliminated([self._residues(row) for row in rows], self.samples.prime)
        found = [row for row in (self._integers(row) for row in reduced) if row is not None]
        if len(found) == len(reduced):
            return found
        held, pivots = eliminated(found, self.samples.prime)
        for row in rows:
            rest = _without(self._residues(row), held, pivots, self.samples.prime)
            if any(rest):
                held, pivots = eliminated([*held, rest], self.samples.prime)
                found.append(row)
        return found

    def reduced(self, rows: list[Row]) -> tuple[list[Row], list[int]]:
        """The reduced echelon form; where it has formulas in it, other pivots may have been taken to make them shorter."""
        reduced, pivots = eliminated([self._residues(row) for row in rows], self.samples.prime)
        found = [row for row in (self._integers(row) for row in reduced) if row is not None]
        if len(found) == len(reduced):
            return found, pivots
        found, pivots = self._exchanged(self._eliminated(self.basis(rows), pivots), pivots)
        return [[self.samples.shortened(x) for x in row] for row in found], pivots

    def _residues(self, row: Row) -> list[int]:
        return [x.residue if isinstance(x, Sampled) else x for x in row]

    def _integers(self, row: list[int]) -> Row | None:
        """The row if it is one of small integers."""
        found = [self.samples.small.get(x) for x in row]
        return None if None in found else found

    def _eliminated(self, rows: list[Row], pivots: list[int]) -> list[Row]:
        """Gauss-Jordan elimination with the given pivot columns, dividing by the simplest entry of each."""
        rest = list(rows)
        done: list[Row] = []
        for column in pivots:
            row = min((r for r in rest if not _zero(r[column])), key=lambda r: weight(r[column]))
            rest = [r for r in rest if r is not row]
            rest, done, row = self._pivot(rest, done, row, column)
            done.append(row)
        return done

    def _pivot(self, rest: list[Row], done: list[Row], row: Row, column: int) -> tuple[list[Row], list[Row], Row]:
        """The row with 1 in the column, and other rows with 0 there."""
        pivot = self.samples.lift(row[column])
        row = [0 if _zero(x) else self.samples.quotient(self.samples.lift(x), pivot) for x in row]
        return [_less(r, row, column) for r in rest], [_less(r, row, column) for r in done], row

    def _exchanged(self, rows: list[Row], pivots: list[int]) -> tuple[list[Row], list[int]]:
        """The same space with other pivots as long as that makes the formulas shorter."""
        best = sum(map(row_weight, rows))
        improved = True
        while improved:
            improved = False
            for i, row in enumerate(rows):
                for column in (j for j, x in enumerate(row) if not _zero(x) and j not in pivots):
                    above, below, swapped = self._pivot(rows[:i], rows[i + 1 :], row, column)
                    tried = [*above, swapped, *below]
                    total = sum(map(row_weight, tried))
                    if total < best:
                        rows, best, improved = tried, total, True
                        pivots = [*pivots[:i], column, *pivots[i + 1 :]]
                        break
        return rows, pivots


def _less(row: Row, pivot: Row, column: int) -> Row:
    factor = row[column]
    if _zero(factor):
        return row
    return [x if _zero(y) else x - factor * y for x, y in zip(row, pivot, strict=True)]


def _zero(x: Any) -> bool:
    return isinstance(x, int) and x == 0


def weight(x: Any) -> int:
    """How unwelcome a coefficient is: 0 and ±1 least, then numbers, small ones before large; formulas by their length."""
    if not isinstance(x, Sampled):
        return int(x not in (-1, 0, 1))
    number = x.expr.const
    if number is None:
        return 2 + 2 * len(topological([x.expr]))
    return 2 if abs(float(number)) <= 1 else 3


def row_weight(row: Row) -> int:
    """The weight of all entries."""
    return sum(map(weight, row))
