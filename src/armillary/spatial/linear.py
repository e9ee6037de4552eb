"""Linear systems of structured matrices, unrolled."""

from collections.abc import Sequence
from typing import Any

from armillary.spatial.blocks import Block, Leg
from armillary.spatial.scalar import named, solve

Matrix = list[list[Any]]


def solve_positive(A: list[list[Any]], b: list[Any]) -> list[Any]:
    """x with A x = b for a symmetric positive definite A, by A = Lᵀ D L from the last row upwards.

    In that order the inertia matrix of a tree fills in no zero (Featherstone 2005), and zeros by structure cost nothing.
    """
    n = len(b)
    H = [list(row) for row in A]
    y = list(b)
    inverse: list[Any] = [0] * n
    for k in reversed(range(n)):
        inverse[k] = named(1 / H[k][k], f"ID{k + 1}")
        factors = [named(H[k][i] * inverse[k], f"L{k + 1}{i + 1}") for i in range(k)]
        for i in range(k):
            y[i] = y[i] - factors[i] * y[k]
            for j in range(i + 1):
                H[i][j] = H[i][j] - factors[i] * H[k][j]
        H[k][:k] = factors
    x: list[Any] = []
    for k in range(n):
        x.append(y[k] * inverse[k])
        for i in range(k):
            x[k] = x[k] - H[k][i] * x[i]
    return x


def solve_in_blocks(A: Matrix, right: Matrix, blocks: Sequence[Block], legs: Sequence[Leg] = ()) -> Matrix:
    """X with A X = right, block by block; of least norm where a block holds more unknowns than equations.

    Each block needs beside its own unknowns only those of blocks before it; `legs` are parts of square blocks. An unknown that is in
    no block is 0.
    """
    columns = len(right[0]) if right else 0
    X: Matrix = [[0] * columns for _ in range(len(A[0]) if A else 0)]
    known: list[int] = []
    for rows, unknowns in blocks:
        rest = [[right[i][c] - sum(A[i][k] * X[k][c] for k in known) for c in range(columns)] for i in rows]
        part = [[A[i][k] for k in unknowns] for i in rows]
        inner = [leg.within(rows, unknowns) for leg in legs if set(leg.rows) <= set(rows) and len(leg.rows) < len(rows)]
        found = _bordered(part, rest, inner) if len(rows) == len(unknowns) else _least(part, rest)
        for k, row in zip(unknowns, found, strict=True):
            X[k] = row
        known += unknowns
    return X


def _bordered(matrix: Matrix, right: Matrix, legs: Sequence[Leg]) -> Matrix:
    """X with matrix · X = right, where only a border ties square parts A_l on the diagonal together:

    A_l x_l + B_l y = b_l,   Σ C_l x_l + D y = d:   (D - Σ C_l A_l⁻¹ B_l) y = d - Σ C_l A_l⁻¹ b_l
    """
    if not legs:
        return solved(matrix, right)
    rows = [i for i in range(len(matrix)) if all(i not in leg.rows for leg in legs)]
    border = [k for k in range(len(matrix)) if all(k not in leg.unknowns for leg in legs)]
    width = len(border)
    left = [[*(matrix[i][k] for k in border), *right[i]] for i in rows]
    inner: list[Matrix] = []
    for leg in legs:
        both = [[*(matrix[i][k] for k in border), *right[i]] for i in leg.rows]
        found = _bordered([[matrix[i][k] for k in leg.unknowns] for i in leg.rows], both, leg.inner)
        inner.append(found)
        for i, line in zip(rows, left, strict=True):
            for c in range(len(line)):
                line[c] = line[c] - sum(matrix[i][k] * x[c] for k, x in zip(leg.unknowns, found, strict=True))
    y = solved([line[:width] for line in left], [line[width:] for line in left]) if width else []
    X: Matrix = [[] for _ in matrix]
    for k, line in zip(border, y, strict=True):
        X[k] = line
    for leg, found in zip(legs, inner, strict=True):
        for k, x in zip(leg.unknowns, found, strict=True):
            X[k] = [b - sum(x[j] * line[c] for j, line in enumerate(y)) for c, b in enumerate(x[width:])]
    return X


def solved(matrix: Matrix, right: Matrix) -> Matrix:
    """X with matrix · X = right; systems of one and two by the inverse, which several right-hand sides share."""
    if len(matrix) == 1:
        inverse = 1 / matrix[0][0]
        return [[x * inverse for x in right[0]]]
    if len(matrix) == 2:
        (a, b), (c, d) = matrix
        inverse = 1 / (a * d - b * c)
        pairs = list(zip(right[0], right[1], strict=True))
        return [[(d * x - b * y) * inverse for x, y in pairs], [(a * y - c * x) * inverse for x, y in pairs]]
    return solve(matrix, right)


def _least(matrix: Matrix, right: Matrix) -> Matrix:
    """The shortest X with matrix · X = right: matrixᵀ (matrix matrixᵀ)⁻¹ right."""
    gram = [[sum(x * y for x, y in zip(a, b, strict=True)) for b in matrix] for a in matrix]
    Y = solved(gram, right)
    places = range(len(matrix[0]))
    return [
        [sum(row[j] * y[c] for row, y in zip(matrix, Y, strict=True)) for c in range(len(right[0]))] for j in places
    ]
