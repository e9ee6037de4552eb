"""Linear systems of structured matrices, unrolled."""

from collections.abc import Sequence
from typing import Any

from armillary.spatial.blocks import Block
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


def solve_in_blocks(A: Matrix, right: Matrix, blocks: Sequence[Block]) -> Matrix:
    """X with A X = right, block by block; of least norm where a block holds more unknowns than equations.

    Each block needs beside its own unknowns only those of blocks before it. An unknown that is in no block is 0.
    """
    columns = len(right[0]) if right else 0
    X: Matrix = [[0] * columns for _ in range(len(A[0]) if A else 0)]
    known: list[int] = []
    for rows, unknowns in blocks:
        rest = [[right[i][c] - sum(A[i][k] * X[k][c] for k in known) for c in range(columns)] for i in rows]
        part = [[A[i][k] for k in unknowns] for i in rows]
        found = solved(part, rest) if len(rows) == len(unknowns) else _least(part, rest)
        for k, row in zip(unknowns, found, strict=True):
            X[k] = row
        known += unknowns
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
