"""Functions of one scalar, whatever scalar it is: a float, an array of a batch, a symbol.

A symbol brings its functions as methods (`x.sin()`); all else goes to NumPy.
"""

from typing import Any

import numpy as np

Scalar = Any
"""Anything with + - * / and unary minus that the functions below know. Never compared, never asked whether it is true."""


def sin(x: Scalar) -> Scalar:
    """sin x, radians."""
    return x.sin() if hasattr(x, "sin") else np.sin(x)


def cos(x: Scalar) -> Scalar:
    """cos x, radians."""
    return x.cos() if hasattr(x, "cos") else np.cos(x)


def atan2(y: Scalar, x: Scalar) -> Scalar:
    """The angle of (x, y), -π to π."""
    for s in (y, x):
        if hasattr(s, "graph"):
            return s.graph.lift(y).arctan2(x)
    return y.arctan2(x) if hasattr(y, "arctan2") else np.arctan2(y, x)


def sqrt(x: Scalar) -> Scalar:
    """The square root."""
    return x.sqrt() if hasattr(x, "sqrt") else np.sqrt(x)


def sign(x: Scalar) -> Scalar:
    """-1, 0 or 1."""
    return x.sign() if hasattr(x, "sign") else np.sign(x)


def less(a: Scalar, b: Scalar) -> Scalar:
    """1 where a < b, else 0."""
    for s in (a, b):
        if hasattr(s, "graph"):
            return s.graph.lift(a).less(b)
    return a.less(b) if hasattr(a, "less") else np.less(a, b) * 1


def named(x: Scalar, name: str) -> Scalar:
    """x itself; a symbol remembers the name for whoever prints it."""
    return x.named(name) if hasattr(x, "named") else x


def solve(matrix: list[list[Scalar]], right: list[list[Scalar]]) -> list[list[Scalar]]:
    """X with matrix · X = right, by elimination with pivoting; rows are lists."""
    scalars = [x for row in (*matrix, *right) for x in row]
    graph = next((x.graph for x in scalars if hasattr(x, "graph")), None)
    if graph is not None:
        return graph.solve(matrix, right)
    a = np.moveaxis(np.array([np.broadcast_arrays(*row) for row in matrix], dtype=float), (0, 1), (-2, -1))
    b = np.moveaxis(np.array([np.broadcast_arrays(*row) for row in right], dtype=float), (0, 1), (-2, -1))
    x = np.linalg.solve(a, b)
    return [[x[..., i, j] for j in range(x.shape[-1])] for i in range(x.shape[-2])]
