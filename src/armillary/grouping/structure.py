"""Which inertial parameters of each body stay, and which combination each of them stands for: the rules of one robot.

The functionals Z of a body in reduced echelon form, [1 | C] up to the order of columns, say that the torques depend on
p_kept + C p_others alone.
"""

from dataclasses import dataclass, replace
from typing import Any

from armillary.dynamics.observability import COLUMNS, ELEVEN, View, views
from armillary.expr.graph import Graph
from armillary.grouping.echelon import Formulas
from armillary.grouping.field import FieldTooSmall, field_for
from armillary.grouping.point import Point
from armillary.grouping.sampled import Samples
from armillary.robot.body import MASSLESS
from armillary.robot.description import Description
from armillary.robot.tree import Tree, tree


@dataclass(frozen=True, slots=True)
class Rule:
    """One parameter that is kept: the places (in `ELEVEN`) of those that count with it, each with its coefficient."""

    kept: int
    terms: dict[int, Any]


@dataclass(frozen=True, slots=True)
class Link:
    """The rules of one body, its place in the description, and that of its antecedent in the tree."""

    body: int
    parent: int
    rules: list[Rule]
    view: View


@dataclass(frozen=True, slots=True)
class Structure:
    """The links of a robot, antecedents first, in formulas sampled at one point."""

    samples: Samples
    tree: Tree
    links: list[Link]


def structure(description: Description, rotors: bool, seed: int) -> Structure:
    """The rules for every body, decided at the random point that `seed` names."""
    bare = without_inertia(description)
    denominator = 1
    while True:
        samples = Samples(Graph(), Point(field_for(denominator), seed))
        try:
            robot = tree(bare, samples.scalar)
            return Structure(samples, robot, _links(description, robot, samples, rotors))
        except FieldTooSmall as lack:
            denominator *= lack.denominator


def without_inertia(description: Description) -> Description:
    """The robot's geometry, base and gravity alone."""
    nothing = (0, 0, 0, 0, 0, 0)
    bodies = (
        replace(b, inertia=MASSLESS, IA=0, FV=0, FS=0, stiffness=0, reference=0, wrench=nothing)
        for b in description.bodies
    )
    rigid = tuple(c for c in description.couplings if not c.elastic)
    return replace(description, bodies=tuple(bodies), frames=(), couplings=rigid)


def _links(description: Description, robot: Tree, samples: Samples, rotors: bool) -> list[Link]:
    found = views(robot, Formulas(samples), rotors)
    return [
        Link(description.index[body.name], body.parent, _rules(view), view)
        for body, view in zip(robot.bodies, found, strict=True)
    ]


def _rules(view: View) -> list[Rule]:
    return [
        Rule(_PLACES[pivot], {_PLACES[c]: x for c, x in enumerate(row) if not isinstance(x, int) or x != 0})
        for row, pivot in zip(view.seen, view.pivots, strict=True)
    ]


_PLACES = [ELEVEN.index(name) for name in COLUMNS]
