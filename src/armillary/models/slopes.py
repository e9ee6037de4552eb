"""Derivatives of a model's outputs by its state, as Taylor series of first order in time: for what no recursion differentiates."""

from collections.abc import Sequence
from typing import Any

from armillary.expr.graph import Expr
from armillary.expr.series import series
from armillary.models.derivation import Derivation
from armillary.models.time_derivative import coordinate_series, moving


def slope(d: Derivation, of: Sequence[Expr], direction: Sequence[Any]) -> list[Expr]:
    """Derivatives by positions, along a velocity of all joints."""
    rates = [d.graph.lift(x) for x in direction]
    motion = coordinate_series([b.joint for b in d.description.bodies], d.q, [rates])
    return [s.c[1] for s in series(of, moving("q", d.q, motion), 1)]


def by_positions(d: Derivation, of: Sequence[Expr]) -> list[list[Expr]]:
    """A column for each joint velocity."""
    return [slope(d, of, unit) for unit in _units(d)]


def by_velocities(d: Derivation, of: Sequence[Expr]) -> list[list[Expr]]:
    """A column for each joint velocity."""
    columns: list[list[Expr]] = []
    for unit in _units(d):
        motion = [[x, d.graph.const(e)] for x, e in zip(d.qd, unit, strict=True)]
        columns.append([s.c[1] for s in series(of, moving("qd", d.qd, motion), 1)])
    return columns


def _units(d: Derivation) -> list[list[int]]:
    return [[int(i == k) for i in range(d.tree.nv)] for k in range(d.tree.nv)]
