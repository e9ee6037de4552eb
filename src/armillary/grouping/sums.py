"""Base inertial parameters of loops whose passive coordinates are sums of the active ones: decided in exact arithmetic, with formulas.

q = S q_a + constants, so that every state of the active joints closes the loops, and G = S. The columns Gᵀ Y_j are taken at random states
of a prime field: a rank there is never more than the rank, and less with a probability of about its degree in 1e21. The reduced echelon
form of the columns gives K; its entries are recognised as ratios of products of lengths, as far as they are that.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from armillary.dynamics.regressor import regressor
from armillary.expr.evaluate import evaluate
from armillary.expr.graph import Expr, Graph
from armillary.geometry.assembly import Assembly, Sum, assembled
from armillary.geometry.ways import Coordinates
from armillary.grouping.echelon import eliminated
from armillary.grouping.field import Field, FieldTooSmall, field_for
from armillary.grouping.monomials import Monomials
from armillary.grouping.point import Point
from armillary.grouping.residue import Residue, residue_at, residue_of
from armillary.grouping.sampled import Samples
from armillary.grouping.structure import without_inertia
from armillary.kinematics.motion import base_motion
from armillary.robot.body import INERTIAL, Body, Inertial
from armillary.robot.description import Description
from armillary.robot.pairs import WELD, Pair, pairs
from armillary.robot.tree import Tree, tree
from armillary.robot.value import Formula, Value, plus, times, value

Place = tuple[str, str]
"""A body and one of its parameters."""

SEED, MORE = 2, 3
"""The random point, and how many states in a row have to leave the rank as it is."""


@dataclass(frozen=True, slots=True)
class ExactRank:
    """A rank over states of a prime field."""

    rank: int
    states: int
    prime: int

    def __str__(self) -> str:
        return f"{self.rank}, exact: over {self.states} states modulo {self.prime}"


@dataclass(frozen=True, slots=True)
class Regrouped:
    """Parameters that stay and that do not, and K in formulas of the lengths; None where these are no ratios of products."""

    kept: tuple[Place, ...]
    regrouped: tuple[Place, ...]
    rank: ExactRank
    formulas: tuple[tuple[Value, ...], ...] | None


def decidable(way: Assembly) -> bool:
    """Whether every coordinate is a sum of whole multiples of active ones, whose sines a prime field has."""
    return all(isinstance(step, Sum) and all(isinstance(x, int) for _, x in step.terms) for step in way.steps)


class Straight:
    """A robot all of whose coordinates are sums of active ones, over some scalar."""

    def __init__(self, joints: Sequence[Pair], way: Assembly, scalar: Any) -> None:
        self.pairs, self.way, self.scalar = joints, way, scalar
        found = {step.pair for step in way.steps if isinstance(step, Sum)}
        self.active = [k for k, p in enumerate(joints) if p.joint is not None and p.joint.nv and k not in found]
        self.tree = [k for k, p in enumerate(joints) if p.joint is not None and p.joint.nv]

    def q(self, active: Sequence[Any]) -> list[Any]:
        """q of all joints from the active ones."""
        known: Coordinates = {k: () for k, p in enumerate(self.pairs) if WELD in p.kinds}
        known |= {k: (x,) for k, x in zip(self.active, active, strict=True)}
        values, _ = assembled(self.pairs, self.way, known, self.scalar)
        return [values[k][0] for k in self.tree]

    def S(self) -> list[list[Any]]:
        """dq/dq_a, a row for each joint of the tree."""
        rows: dict[int, list[Any]] = {k: [int(k == j) for j in self.active] for k in self.active}
        for step in self.way.steps:
            if isinstance(step, Sum):
                row: list[Any] = [0] * len(self.active)
                for k, factor in step.terms:
                    f = factor if isinstance(factor, int) else self.scalar(factor)
                    row = [x + y * f for x, y in zip(row, rows[k], strict=True)]
                rows[step.pair] = row
        return [rows[k] for k in self.tree]


def columns_at(robot: Tree, straight: Straight, places: Sequence[Place], state: Sequence[Sequence[Any]]) -> list[Any]:
    """Gᵀ Y at (q_a, q'_a, q''_a), a row for each active joint."""
    S = straight.S()
    q = straight.q(state[0])
    qd, qdd = ([sum(s * x for s, x in zip(row, rates, strict=True)) for row in S] for rates in state[1:])
    found = regressor(robot, q, qd, qdd, base_motion(robot), losses=False)
    torques = {(c.body, c.parameter): c.torques for c in found}
    return [
        [sum(row[i] * t for row, t in zip(S, torques[place], strict=True)) for place in places]
        for i in range(len(straight.active))
    ]


def coefficients_of_sums(
    robot: Description,
    numbers: Tree,
    exact: Regrouped,
    way: Assembly,
    lengths: Mapping[str, float],
    rng: Generator,
) -> NDArray[np.floating[Any]]:
    """K in numbers: by its formulas, or by least squares over twice as many states as there are columns."""

    def scalar(x: Value) -> float:
        return float(evaluate([x.expr], lengths)[0]) if isinstance(x, Formula) else float(x)

    if exact.formulas is not None:
        return np.array([[scalar(x) for x in row] for row in exact.formulas], dtype=float)
    straight = Straight(pairs(robot, scalar), way, scalar)
    n = len(straight.active)
    drawn = [rng.normal(size=(3, n)).tolist() for _ in range(2 * len(exact.kept + exact.regrouped))]
    kept, rest = (
        np.vstack([np.array(columns_at(numbers, straight, places, state), dtype=float) for state in drawn])
        for places in (exact.kept, exact.regrouped)
    )
    return np.linalg.lstsq(kept, rest, rcond=None)[0]


def regrouped_by_sums(robot: Description, places: Sequence[Place], way: Assembly) -> Regrouped:
    """Which of the parameters at `places` the loops make dependent in this way to assemble the robot; those that stand first go first."""
    denominator = 1
    while True:
        samples = Samples(Graph(), Point(field_for(denominator), SEED))
        try:
            return _decided(without_inertia(robot), places, way, samples)
        except FieldTooSmall as lack:
            denominator *= lack.denominator


def short_branches_first(robot: Description, places: Sequence[Place]) -> list[Place]:
    """Parameters of links by how many bodies the longest way outwards has on which the link stands, inner ones before outer ones.

    What stands last is kept, and costs least.
    """
    longest: dict[str, int] = {}
    for tip in robot.tips:
        way = robot.ancestors(tip)
        for body in way:
            longest[body.name] = max(longest.get(body.name, 0), len(way))
    return sorted(places, key=lambda place: longest[place[0]])


def absorbed(robot: Description, found: Regrouped) -> Description:
    """The robot with χ_kept + K χ_regrouped in the place of what stays, and nothing in that of what does not."""
    values: dict[Place, Value] = {(body.name, name): x for body in robot.bodies for name, x in body.values()}
    sums: dict[Place, Value] = dict.fromkeys(found.regrouped, 0)
    for place, row in zip(found.kept, found.formulas or (), strict=True):
        total = values[place]
        for other, factor in zip(found.regrouped, row, strict=True):
            if factor != 0:
                total = plus(total, times(factor, values[other]))
        sums[place] = total

    def new(body: Body) -> Body:
        inertia = Inertial(*(sums.get((body.name, name), x) for name, x in zip(INERTIAL, body.inertia, strict=True)))
        return replace(body, inertia=inertia, IA=sums.get((body.name, "IA"), body.IA))

    return replace(robot, bodies=tuple(new(body) for body in robot.bodies))


def _decided(robot: Description, places: Sequence[Place], way: Assembly, samples: Samples) -> Regrouped:
    field = samples.point.field
    rng = random.Random(SEED)

    def residue(given: Value) -> Any:
        return residue_at(samples, given)

    numbers = tree(robot, residue).welded()
    straight = Straight(pairs(robot, residue), way, residue)
    backwards = list(places)[::-1]
    rows: list[list[int]] = []
    pivots: list[int] = []
    states = unchanged = 0
    while unchanged < MORE:
        state = [[_drawn(field, rng) for _ in straight.active] for _ in range(3)]
        more = columns_at(numbers, straight, backwards, state)
        before = len(rows)
        rows, pivots = eliminated([*rows, *([residue_of(x, field) for x in row] for row in more)], field.prime)
        states += 1
        unchanged = unchanged + 1 if len(rows) == before else 0
    order = sorted(range(len(pivots)), key=lambda i: -pivots[i])
    rest = [c for c in reversed(range(len(places))) if c not in pivots]
    K = [[rows[i][c] for c in rest] for i in order]
    kept, regrouped = (tuple(backwards[c] for c in which) for which in ([pivots[i] for i in order], rest))
    return Regrouped(kept, regrouped, ExactRank(len(rows), states, field.prime), _formulas(robot, samples, K))


def _drawn(field: Field, rng: random.Random) -> Residue:
    """A number and, independent of it, an angle."""
    unit = pow(field.generator, rng.randrange(field.cycle), field.prime)
    return Residue(field, rng.randrange(1, field.prime), lambda: unit)


def _formulas(robot: Description, samples: Samples, K: list[list[int]]) -> tuple[tuple[Value, ...], ...] | None:
    """The entries of K as integers or as ratios of products of lengths."""
    lengths: dict[str, tuple[Expr, int]] = {}
    for where, x in robot.values():
        if where.endswith((".b", ".d", ".r")) and isinstance(x, Formula):
            expr = samples.formula(samples.scalar(x))
            lengths[x.text] = (expr, samples.point.value(expr))
    names = Monomials(samples.point.field, samples.graph.const(1), list(lengths.values()))

    def formula(residue: int) -> Value | None:
        small = samples.small.get(residue)
        if small is not None:
            return int(small)
        found = names.find(residue)
        return None if found is None else value(found)

    made = [[formula(x) for x in row] for row in K]
    whole = [[x for x in row if x is not None] for row in made]
    return tuple(map(tuple, whole)) if all(len(a) == len(b) for a, b in zip(made, whole, strict=True)) else None
