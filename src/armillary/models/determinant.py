"""The determinant of a Jacobian, factored as far as its zeros let it: a product over the irreducible blocks.

A determinant of all six rows does not depend on the point of the frame nor on the axes, so these are chosen for the most
zeros. Rows and columns are then brought to block-triangular form, common factors of rows and columns are taken out, and
what is left is expanded by Laplace's rule with shared minors.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from armillary.errors import ModelError
from armillary.expr.fourier import factored
from armillary.expr.graph import Expr
from armillary.kinematics.jacobian import gram
from armillary.kinematics.twists import joint_twists
from armillary.models.derivation import Derivation
from armillary.models.route import cheapest_jacobian, operations
from armillary.models.structure import nonzeros
from armillary.spatial.blocks import triangular_blocks

Matrix = list[list[Expr]]

ROWS = ("v_x", "v_y", "v_z", "w_x", "w_y", "w_z")
"""The rows of a Jacobian."""

Chosen = Sequence[int | str] | None
"""Rows or columns by number or by name; all where there is none."""

LARGEST = 150
"""Operations of a block that is still written out to see whether it has factors."""


@dataclass(frozen=True, slots=True)
class Determinant:
    """The value, and what it is the determinant of."""

    value: Expr
    meaning: str


def determinant(d: Derivation, frame: str, expressed_in: str, rows: Chosen, columns: Chosen) -> Determinant:
    """det of the chosen part of J, or of J Jᵀ or Jᵀ J, whichever is smaller, where that is not square."""
    names = d.description.v_names
    keep_rows, keep_columns = _chosen("rows", rows, ROWS), _chosen("columns", columns, names)
    if not keep_columns or not keep_rows:
        raise ModelError(f"{d.description.name}: a determinant of no rows or no columns")
    J = _part(d, frame, expressed_in, keep_rows, keep_columns, rows is None)
    part = f"J of {frame}, rows {_named(ROWS, keep_rows)}, columns {_named(names, keep_columns)}"
    if len(keep_rows) == len(keep_columns):
        return Determinant(block_determinant(J), f"det {part}")
    wide = len(keep_rows) < len(keep_columns)
    square = gram(J) if wide else gram([list(column) for column in zip(*J, strict=True)])
    return Determinant(
        block_determinant([[d.graph.lift(x) for x in row] for row in square]),
        f"det {'J Jᵀ' if wide else 'Jᵀ J'}, {part}",
    )


def _chosen(what: str, given: Chosen, names: Sequence[str]) -> tuple[int, ...]:
    """The places of rows or columns."""
    if given is None:
        return tuple(range(len(names)))
    places = [names.index(x) if isinstance(x, str) and x in names else x for x in given]
    found = [int(k) for k in places if not isinstance(k, str) and 0 <= k < len(names)]
    if len(found) < len(places) or len(set(found)) < len(found):
        raise ModelError(
            f"{what} of a determinant are different ones of {', '.join(names)}, or numbers from 0 to {len(names) - 1}, "
            f"not {list(given)}"
        )
    return tuple(found)


def _named(names: Sequence[str], places: Sequence[int]) -> str:
    return "all" if len(places) == len(names) else ", ".join(names[k] for k in places)


def _part(
    d: Derivation, frame: str, expressed_in: str, rows: tuple[int, ...], columns: tuple[int, ...], free: bool
) -> Matrix:
    """The part of J; where point and axes do not matter, seen from the body that gives the most zeros."""
    if not (free and len(columns) == 6):
        J = cheapest_jacobian(d, frame, expressed_in, None)
        return [[J[i][j] for j in columns] for i in rows]
    names = [d.tree.bodies[k].name for k in d.tree.path(d.tree.frames[frame][0])]
    seen = [joint_twists(d.tree, d.q, frame, name) for name in names]
    parts = [[[d.graph.lift(J[i][j]) for j in columns] for i in rows] for J in seen]
    return max(
        parts,
        key=lambda part: (
            sum(x.const == 0 for row in part for x in row),
            -operations([x for row in part for x in row]),
        ),
    )


def block_determinant(A: Matrix) -> Expr:
    """det A as a product over its irreducible blocks."""
    g = A[0][0].graph
    order = triangular_blocks(nonzeros(A))
    if order is None:
        return g.const(0)
    value = g.const(1)
    row_order = [i for rows, _ in order for i in rows]
    column_order = [j for _, columns in order for j in columns]
    sign = _parity(row_order) * _parity(column_order)
    for rows, columns in order:
        block = _laplace([[A[i][j] for j in columns] for i in rows])
        ways = [block, factored(block)] if operations([block]) <= LARGEST else [block]
        value = value * min(ways, key=lambda x: operations([x]))
    return value * sign


def _parity(order: list[int]) -> int:
    swaps = sum(a > b for a, b in combinations(order, 2))
    return -1 if swaps % 2 else 1


def _laplace(A: Matrix) -> Expr:
    """det A by expansion along rows, minors shared; the row with most zeros first."""
    g = A[0][0].graph
    n = len(A)
    rows = sorted(range(n), key=lambda i: -sum(x.const == 0 for x in A[i]))
    sign = _parity(rows)

    @cache
    def minor(depth: int, columns: tuple[int, ...]) -> Expr:
        if depth == n:
            return g.const(1)
        total = g.const(0)
        for place, j in enumerate(columns):
            x = A[rows[depth]][j]
            if x.const != 0:
                rest = minor(depth + 1, columns[:place] + columns[place + 1 :])
                total = total + x * rest if place % 2 == 0 else total - x * rest
        return total

    return minor(0, tuple(range(n))) * sign
