"""The block-triangular form of a linear system, read off the places where its matrix is not 0.

Each equation is matched with an unknown of its own. Two equations belong to one block where each needs the unknown of the other,
be it by way of third ones. Unknowns that are left over, and all that is tied to them, make the wide blocks, which hold more
unknowns than equations; no other block needs theirs (Dulmage and Mendelsohn 1958).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Pattern = Sequence[Sequence[bool]]
"""Whether an element of a matrix may be other than 0, row by row."""

Block = tuple[tuple[int, ...], tuple[int, ...]]
"""Rows and columns of a part of a matrix."""


@dataclass(frozen=True, slots=True)
class Leg:
    """A square part of a system, by places of rows and of unknowns; other such parts have none of its unknowns.

    `inner` are such parts of it.
    """

    rows: tuple[int, ...]
    unknowns: tuple[int, ...]
    inner: tuple[Leg, ...] = ()

    def within(self, rows: Sequence[int], unknowns: Sequence[int]) -> Leg:
        """The same by places in a part of the system."""
        inner = tuple(leg.within(self.rows, self.unknowns) for leg in self.inner)
        return Leg(tuple(rows.index(i) for i in self.rows), tuple(unknowns.index(k) for k in self.unknowns), inner)

    @property
    def transposed(self) -> Leg:
        """The same of the transpose."""
        return Leg(self.unknowns, self.rows, tuple(leg.transposed for leg in self.inner))


def triangular_blocks(pattern: Pattern) -> list[Block] | None:
    """Blocks, each of which needs beside its own unknowns only those of blocks before it.

    None where the zeros alone make the equations dependent. Columns of nothing but zeros are in no block.
    """
    match = _matching(pattern)
    if match is None:
        return None
    row_of = {j: i for i, j in match.items()}
    needs = [{row_of[j] for j, x in enumerate(row) if x and j in row_of} for row in pattern]
    columns = range(len(pattern[0]) if pattern else 0)
    wide = _tied([j for j in columns if j not in row_of], pattern, match)
    for i in wide:
        needs[i] |= {k for k in wide if any(a and b for a, b in zip(pattern[i], pattern[k], strict=True))}
    left_over = {j for i in wide for j, x in enumerate(pattern[i]) if x and j not in row_of}
    blocks: list[Block] = []
    for rows in components(needs):
        further = [j for j in sorted(left_over) if any(pattern[i][j] for i in rows)]
        blocks.append((tuple(rows), (*(match[i] for i in rows), *further)))
    return blocks


def independent_blocks(pattern: Pattern) -> list[Block]:
    """The same of equations that are known to be independent."""
    blocks = triangular_blocks(pattern)
    assert blocks is not None, "independent equations that their zeros make dependent"
    return blocks


def components(needs: Sequence[set[int]]) -> list[list[int]]:
    """Things that need each other together, and each such group after those that it needs; the first one first otherwise."""
    n = len(needs)
    reach = [sum(1 << k for k in needed | {i}) for i, needed in enumerate(needs)]
    for k in range(n):
        for i in range(n):
            if reach[i] >> k & 1:
                reach[i] |= reach[k]
    left: list[list[int]] = []
    seen: set[int] = set()
    for i in range(n):
        if i not in seen:
            left.append([k for k in range(n) if reach[i] >> k & 1 and reach[k] >> i & 1])
            seen.update(left[-1])
    order: list[list[int]] = []
    done = 0
    while left:
        group = next(g for g in left if not reach[g[0]] & ~(done | sum(1 << k for k in g)))
        left.remove(group)
        order.append(group)
        done |= reach[group[0]]
    return order


def connected(pattern: Pattern) -> list[list[int]]:
    """The rows that hang together by columns in which both have something."""
    pairs = [[any(a and b for a, b in zip(row, other, strict=True)) for other in pattern] for row in pattern]
    return components([{k for k, x in enumerate(row) if x} for row in pairs])


def _matching(pattern: Pattern) -> dict[int, int] | None:
    """A column of its own for each row; None where there is none."""
    row_of: dict[int, int] = {}

    def augment(i: int, seen: set[int]) -> bool:
        for j, x in enumerate(pattern[i]):
            if x and j not in seen:
                seen.add(j)
                if j not in row_of or augment(row_of[j], seen):
                    row_of[j] = i
                    return True
        return False

    if not all(augment(i, set()) for i in range(len(pattern))):
        return None
    return {i: j for j, i in row_of.items()}


def _tied(free: Sequence[int], pattern: Pattern, match: dict[int, int]) -> list[int]:
    """The rows that are reached from columns without a row, by way of the columns of rows reached."""
    found: set[int] = set()
    columns = list(free)
    while columns:
        j = columns.pop()
        for i, row in enumerate(pattern):
            if row[j] and i not in found:
                found.add(i)
                columns.append(match[i])
    return sorted(found)
