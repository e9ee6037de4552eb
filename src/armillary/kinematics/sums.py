"""Coordinates that are sums of others in one way to assemble a robot, as constraints: their rows are constant."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from armillary.geometry.assembly import Assembly, Sum
from armillary.kinematics.constraint import Row
from armillary.robot.pairs import Pair
from armillary.robot.tree import Scalars
from armillary.robot.value import Value


@dataclass(frozen=True, slots=True)
class Summed:
    """q_j = Σ factor q_k + offset among `nv` joint velocities: places in q and q' of j, and of each k with its factor."""

    name: str
    place: tuple[int, int]
    terms: tuple[tuple[tuple[int, int], Any], ...]
    offset: Any
    nv: int

    @property
    def holonomic(self) -> bool:
        return True

    @property
    def conditions(self) -> tuple[str, ...]:
        return (f"{self.name}.sum",)

    def residual(self, q: Scalars) -> list[Any]:
        """q_j - Σ factor q_k - offset."""
        total = q[self.place[0]] - self.offset
        for (k, _), factor in self.terms:
            total = total - factor * q[k]
        return [total]

    def rows(self, q: Scalars, *, closed: bool = True) -> list[Row]:
        """1 at j, -factor at each k."""
        row: Row = [0] * self.nv
        row[self.place[1]] = 1
        for (_, k), factor in self.terms:
            row[k] = row[k] - factor
        return [row]

    def drift(self, q: Scalars, qd: Scalars) -> list[Any]:
        """Nothing."""
        return [0]


def sums(pairs: Sequence[Pair], assembly: Assembly, scalar: Callable[[Value], Any]) -> list[Summed]:
    """The coordinates of the tree that are sums of others of the tree."""
    places: dict[int, tuple[int, int]] = {}
    nv = 0
    for k, pair in enumerate(pairs):
        if pair.joint is not None:
            if pair.joint.nv == 1:
                places[k] = (pair.q.start, nv)
            nv += pair.joint.nv
    return [
        Summed(
            pairs[step.pair].name,
            places[step.pair],
            tuple((places[k], scalar(factor)) for k, factor in step.terms),
            scalar(step.offset),
            nv,
        )
        for step in assembly.steps
        if isinstance(step, Sum) and step.pair in places and all(k in places for k, _ in step.terms)
    ]
