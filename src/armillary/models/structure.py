"""What is known of a matrix of expressions before any number is."""

from collections.abc import Sequence

from armillary.expr.graph import Expr


def nonzeros(A: Sequence[Sequence[Expr]]) -> list[list[bool]]:
    """Whether an element is other than 0 by its structure."""
    return [[x.const != 0 for x in row] for row in A]
