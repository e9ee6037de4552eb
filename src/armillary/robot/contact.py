"""A point of a link that stays on a surface or on a line: the ground, a wall, a wire, on any other link, which may move.

A surface is the set where a formula in x, y, z vanishes, a line where two do. x, y, z are coordinates in the frame that the surface
stands in; all other symbols are parameters of the robot. The contact holds in both directions and has no friction.
"""

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from armillary.expr.arithmetics import Arithmetic
from armillary.expr.derivative import jacobian
from armillary.expr.evaluate import evaluate
from armillary.expr.graph import Expr, Graph
from armillary.expr.ops import OPS
from armillary.expr.parse import parse
from armillary.robot.body import Frame
from armillary.robot.value import Formula, Value
from armillary.spatial.matrix import Symmetric
from armillary.spatial.scalar import solve
from armillary.spatial.vector import Vector

POSITION = ("x", "y", "z")
"""The coordinates in formulas of surfaces."""


@dataclass(frozen=True)
class Surface:
    """Where h(x, y, z) = 0."""

    text: str

    @cached_property
    def _shape(self) -> list[Expr]:
        """h, its gradient, and its second derivatives xx, xy, xz, yy, yz, zz."""
        graph = Graph()
        h = graph.lift(parse(self.text, graph))
        place = [graph.symbol(name) for name in POSITION]
        (gradient,) = jacobian([h], place)
        second = jacobian(gradient, place)
        return [h, *gradient, *(second[i][j] for i in range(3) for j in range(i, 3))]

    @cached_property
    def symbols(self) -> tuple[str, ...]:
        """The parameters in it."""
        return tuple(name for name in Formula(self.text).symbols if name not in POSITION)

    def at(self, P: Vector, scalar: Callable[[Value], Any]) -> tuple[Any, Vector, Symmetric]:
        """(h, ∇h, second derivatives) at P, `scalar` giving the values of parameters and constants."""
        leaves = {name: scalar(Formula(name)) for name in self.symbols} | dict(zip(POSITION, P, strict=True))
        h, *found = evaluate(self._shape, leaves, Arithmetic("any scalar", scalar, _OPERATIONS, solve))
        return h, Vector(*found[:3]), Symmetric(*found[3:])


def _operation(name: str) -> Callable[..., Any]:
    """An operation on any scalars: a symbol's graph knows it, all else is NumPy's."""

    def operation(*args: Any) -> Any:
        graph = next((x.graph for x in args if hasattr(x, "graph")), None)
        return OPS[name].numpy(*args) if graph is None else graph.apply(name, *args)

    return operation


_RING: dict[str, Callable[..., Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
    "neg": operator.neg,
}
_OPERATIONS: dict[str, Callable[..., Any]] = {name: _operation(name) for name in OPS} | _RING


@dataclass(frozen=True)
class Contact:
    """The origin of frame `point` stays on all of `surfaces`, one or two, which stand in the frame `on`."""

    name: str
    point: Frame
    on: Frame
    surfaces: tuple[Surface, ...]

    def values(self) -> Iterator[tuple[str, Value]]:
        """(name, value) of every parameter."""
        for side, frame in (("point", self.point), ("on", self.on)):
            for name, x in frame.placement.items():
                yield f"{side}_{name}", x
        for surface in self.surfaces:
            yield from (("surface", Formula(name)) for name in surface.symbols)
