"""Pairs of a linear and an angular vector: twists (v, ω), accelerations (v̇, ω̇), wrenches (f, n) about one point."""

from typing import Any

from armillary.spatial.vector import Vector

Pair = tuple[Vector, Vector]
"""(linear, angular)."""


def along(a: Pair, b: Pair) -> Any:
    """The power of a wrench along a twist, and what is like it: linear · linear + angular · angular."""
    return a[0].dot(b[0]) + a[1].dot(b[1])


def plus(a: Pair, b: Pair) -> Pair:
    """a + b."""
    return a[0] + b[0], a[1] + b[1]


def minus(a: Pair, b: Pair) -> Pair:
    """a - b."""
    return a[0] - b[0], a[1] - b[1]


def scaled(a: Pair, s: Any) -> Pair:
    """a s."""
    return a[0] * s, a[1] * s
