"""The structured operation `solve` in LLVM IR: X = A⁻¹ B by Gaussian elimination with row pivoting, every lane its own rows.

Lanes pivot apart: the rows k and i are exchanged in those lanes where |a_ik| is larger than |a_kk|, for i = k + 1 … n - 1
in turn, which brings the largest pivot up. No lane branches. A singular system gives NaN in its lane.
"""

from collections.abc import Sequence

from armillary.runtime.ir import Block


def solve(b: Block, n: int, m: int, operands: Sequence[str]) -> list[str]:
    """The elements of X by rows, from those of A (n x n) and B (n x m)."""
    rows = [[*operands[i * n : (i + 1) * n], *operands[n * n + i * m : n * n + (i + 1) * m]] for i in range(n)]
    zero = b.constant(0.0)
    singular: str | None = None
    for k in range(n):
        _bring_up_pivot(b, rows, k)
        flat = b.compare("oeq", rows[k][k], zero)
        singular = flat if singular is None else b.either(singular, flat)
        for i in range(k + 1, n):
            factor = b.div(rows[i][k], rows[k][k])
            for j in range(k + 1, n + m):
                rows[i][j] = b.sub(rows[i][j], b.mul(factor, rows[k][j]))
    for k in reversed(range(n)):
        for j in range(n, n + m):
            x = rows[k][j]
            for i in range(k + 1, n):
                x = b.sub(x, b.mul(rows[k][i], rows[i][j]))
            rows[k][j] = b.div(x, rows[k][k])
    nan = b.constant(float("nan"))
    return [x if singular is None else b.select(singular, nan, x) for row in rows for x in row[n:]]


def _bring_up_pivot(b: Block, rows: list[list[str]], k: int) -> None:
    size = b.abs(rows[k][k]) if k + 1 < len(rows) else ""
    for i in range(k + 1, len(rows)):
        rival = b.abs(rows[i][k])
        larger = b.compare("ogt", rival, size)
        size = b.select(larger, rival, size)
        for j in range(k, len(rows[k])):
            up, down = rows[k][j], rows[i][j]
            rows[k][j], rows[i][j] = b.select(larger, down, up), b.select(larger, up, down)
