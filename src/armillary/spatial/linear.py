"""Linear systems of structured matrices, unrolled."""

from typing import Any

from armillary.spatial.scalar import named


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
