"""The regrouping relations: what each parameter that is kept stands for, in the parameters of all bodies.

From the tips inwards, each body keeps what its rules say; what is left of its ten parameters moves on to the antecedent,
where it has the same effect. For a parameter p that is not kept this is p along one direction,

    π - Σ_r kept_r = Σ_p p (e_p - Σ_r C_rp e_r),    carried on by B_T

What reaches the base has no effect.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from armillary.dynamics.observability import ELEVEN
from armillary.expr.graph import Expr
from armillary.expr.infix import infix
from armillary.grouping.structure import Link, Structure
from armillary.robot.value import Value, value
from armillary.spatial.inertia import Inertia
from armillary.spatial.matrix import Symmetric
from armillary.spatial.vector import Vector

Place = tuple[int, int]
"""(body in the description, parameter in `ELEVEN`)."""

Combination = dict[Place, Any]
"""A linear combination of parameters: place → coefficient, a formula or an integer other than 0."""


@dataclass(frozen=True)
class Relation:
    """One base parameter: `symbol` = `expr` = Σ coefficient · parameter, an expression in names of parameters.

    `kept` is the parameter that stands at its `place`; the symbol is that name if it stays alone. `terms` are the
    parameters with their names and coefficients.
    """

    place: Place
    kept: str
    symbol: str
    terms: Mapping[Place, tuple[str, Expr]]
    expr: Expr

    @property
    def grouped(self) -> bool:
        """Whether it stands for more than the parameter that is kept."""
        return self.symbol != self.kept

    @cached_property
    def coefficients(self) -> Mapping[str, Value]:
        """The coefficient of each parameter by name: a number, or a formula in symbols of the geometry."""
        return {name: value(x) for name, x in self.terms.values()}

    @cached_property
    def formula(self) -> str:
        """The sum as text."""
        return infix(self.expr)

    def __str__(self) -> str:
        return f"{self.symbol} = {self.formula}" if self.grouped else self.symbol


def relations(structure: Structure) -> dict[Place, Combination]:
    """The combination that each kept parameter stands for, bodies in the order of the description."""
    links = structure.links
    held = [[{(link.body, p): 1} for p in range(len(ELEVEN))] for link in links]
    found: dict[Place, Combination] = {}
    for link, parameters in reversed(list(zip(links, held, strict=True))):
        for rule in link.rules:
            total: Combination = {}
            for p, coefficient in rule.terms.items():
                _add(total, parameters[p], coefficient)
            found[link.body, rule.kept] = total
        if link.parent >= 0:
            _hand_on(link, parameters, held[link.parent])
    return dict(sorted(found.items()))


def _hand_on(link: Link, parameters: list[Combination], inner: list[Combination]) -> None:
    """What the body does not keep, added to the parameters of its antecedent; a rotor itself stays where it is."""
    kept = {rule.kept for rule in link.rules}
    for p in range(len(ELEVEN)):
        if p in kept or not parameters[p]:
            continue
        direction: list[Any] = [int(row == p) for row in range(len(ELEVEN))]
        for rule in link.rules:
            if p in rule.terms:
                direction[rule.kept] = -rule.terms[p]
        carried = inertia_of(direction).seen_from(link.view.fixed)
        for row, share in enumerate(carried):
            _add(inner[row], parameters[p], share)


def inertia_of(ten: Sequence[Any]) -> Inertia:
    """The inertia of which these are the parameters; an eleventh is left out."""
    return Inertia(Symmetric(*ten[:6]), Vector(*ten[6:9]), ten[9])


def _add(total: Combination, more: Combination, factor: Any) -> None:
    """total += factor · more."""
    if isinstance(factor, int) and factor == 0:
        return
    for place, x in more.items():
        summed = total.get(place, 0) + x * factor
        if isinstance(summed, int) and summed == 0:
            total.pop(place, None)
        else:
            total[place] = summed
