"""Every way to assemble a robot with loops for given active joints, as far as triangles of bodies lead: in closed form, by its structure.

Bodies whose joints are known make groups. Three groups with three joints between them are a triangle; once it is solved they are one
group. What cannot be taken apart into triangles has no solution here: it would need polynomials of a higher degree.

Whether axes are parallel or meet, and whether lengths are equal, is decided at a random point of a prime field, where
lengths, angles and coordinates have exact values: it holds for all values or for none.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from armillary.assembly.course import Heading, Headings
from armillary.assembly.groups import Groups
from armillary.assembly.triangles import Branch, Search
from armillary.errors import ModelError
from armillary.expr.graph import Graph
from armillary.geometry.assembly import Assembly, AssemblyStep, Crossed, PlaneTurns, Read, Slides, SphereTurns, Sum
from armillary.geometry.ways import Coordinates
from armillary.grouping.field import FieldTooSmall, field_for
from armillary.grouping.point import Point
from armillary.grouping.sampled import Samples
from armillary.robot.description import Description
from armillary.robot.pairs import BALL, OTHER, WELD, pairs
from armillary.robot.value import Formula, negated, over

SEED = 0
MOST = 64
"""Ways to assemble a robot that are told apart."""


def assemblies(description: Description, active: Sequence[int]) -> list[Assembly]:
    """Every way to assemble the robot, its coordinates at the places `active` given."""
    denominator = 1
    while True:
        samples = Samples(Graph(), Point(field_for(denominator), SEED))
        try:
            return list(_Recognition(description, samples, active).assemblies())
        except FieldTooSmall as lack:
            denominator *= lack.denominator


@dataclass(frozen=True)
class _State:
    """What is known so far, the steps that led there, and what they are called."""

    values: Coordinates
    headings: Headings
    steps: tuple[AssemblyStep, ...] = ()
    names: tuple[str, ...] = ()


class _Recognition:
    """The search for steps, from what is given to all coordinates of the tree."""

    def __init__(self, description: Description, samples: Samples, active: Sequence[int]) -> None:
        self.description, self.samples = description, samples
        self.pairs = pairs(description, samples.scalar)
        given = set(active)
        known = [
            k
            for k, pair in enumerate(self.pairs)
            if WELD in pair.kinds or (pair.joint is not None and given.issuperset(range(pair.q.start, pair.q.stop)))
        ]
        values = {k: self._drawn(k) for k in known}
        self.start = _State(values, {k: Heading({k: 1}) for k, drawn in values.items() if drawn})
        self.found = 0

    def _drawn(self, k: int) -> tuple[object, ...]:
        """A value for each coordinate of a pair, at the random point."""
        pair = self.pairs[k]
        count = pair.q.stop - pair.q.start if pair.joint is not None else WELD not in pair.kinds
        return tuple(self.samples.scalar(Formula(f"_coordinate{k}_{i}")) for i in range(count))

    def assemblies(self) -> Iterator[Assembly]:
        """One for every way to take a branch at every triangle."""
        todo = [self.start]
        while todo:
            state = todo.pop(0)
            state = self._with_sums(state)
            triangle = self._triangle(state)
            if triangle is not None:
                three, branches = triangle
                todo[:0] = [self._after(state, branch, three) for branch in branches]
                continue
            self._must_be_whole(state)
            self.found += 1
            if self.found > MOST:
                raise ModelError(
                    f"{self.description.name}: there are more than {MOST} ways to assemble it; close its loops with loop_closure"
                )
            yield Assembly(", ".join(state.names), state.steps)

    def _with_sums(self, state: _State) -> _State:
        """With what couplings say, and what is read between bodies that stand still in each other."""
        while True:
            state = self._coupled(state)
            groups = Groups(self.pairs, state.values)
            for k, pair in enumerate(self.pairs):
                ends = groups.ends(k)
                readable = OTHER not in pair.kinds or (pair.joint is not None and pair.joint.kind == "planar")
                if k not in state.values and ends[0] == ends[1] and readable and BALL not in pair.kinds:
                    leg = groups.leg((k, 0), (k, 1))
                    state = self._with(state, (Read(k, leg),))
                    break
            else:
                return state

    def _coupled(self, state: _State) -> _State:
        """With joints that move as known ones do: q_j = ratio q_k + offset, or from the follower to its leader."""
        places = {pair.b: k for k, pair in enumerate(self.pairs) if pair.joint is not None}
        left = list(self.description.couplings)
        while left:
            for coupling in left:
                j, k = (places[self.description.joint_body(x).name] for x in (coupling.joint, coupling.leader))
                ratio, offset = coupling.ratio, coupling.offset
                if k in state.values and j not in state.values:
                    state = self._with(state, (Sum(j, ((k, ratio),), offset),))
                elif j in state.values and k not in state.values and ratio != 0:
                    state = self._with(state, (Sum(k, ((j, over(1, ratio)),), negated(over(offset, ratio))),))
                else:
                    continue
                left.remove(coupling)
                break
            else:
                return state
        return state

    def _triangle(self, state: _State) -> tuple[tuple[int, ...], list[Branch]] | None:
        """The first triangle of three groups that has a solution."""
        groups = Groups(self.pairs, state.values)
        search = Search(self.samples, self.pairs, state.values, state.headings, groups)
        left = [
            k
            for k, pair in enumerate(self.pairs)
            if k not in state.values and OTHER not in pair.kinds and len(set(groups.ends(k))) == 2
        ]
        for three in combinations(left, 3):
            branches = search.branches(three)
            if branches:
                return three, branches
        return None

    def _after(self, state: _State, branch: Branch, three: Sequence[int]) -> _State:
        last = self.pairs[max(three)].name
        name = f"{last} {branch.name}".strip()
        return replace(self._with(state, branch.steps), names=(*state.names, name) if branch.name else state.names)

    def _with(self, state: _State, steps: Sequence[AssemblyStep]) -> _State:
        """The state after some steps; coordinates that are sums of others stay known as such."""
        values, headings = dict(state.values), dict(state.headings)
        for step in steps:
            if isinstance(step, Sum) and all(isinstance(factor, int) for _, factor in step.terms):
                heading, total = Heading({}, self.samples.scalar(step.offset)), self.samples.scalar(step.offset)
                for k, factor in step.terms:
                    assert isinstance(factor, int)
                    heading = heading.plus(headings[k], factor)
                    total = total + values[k][-1] * factor
                values[step.pair], headings[step.pair] = (total,), heading
                continue
            for k in step.places:
                values[k], headings[k] = self._drawn(k), Heading({k: 1})
        return replace(state, values=values, headings=headings, steps=(*state.steps, *steps))

    def _must_be_whole(self, state: _State) -> None:
        """An error where coordinates are left over that no step finds."""
        left = [pair for k, pair in enumerate(self.pairs) if pair.joint is not None and k not in state.values]
        if not left:
            return
        names = self.description.q_names
        joints = ", ".join(name for pair in left for name in names[pair.q])
        bodies = {pair.b for pair in left}
        cuts = [
            cut.name
            for cut in self.description.cuts
            if bodies & {body.name for side in (cut.a, cut.b) for body in self.description.ancestors(side.body)}
        ]
        ties = cuts or [name for _, names in self.description.ties for name in names]
        raise ModelError(
            f"{self.description.name}: no closed form was found for {joints}, tied by {', '.join(ties)}: these joints make no triangle "
            "of three bodies in a plane or about a point. Newton's method closes any loops: loop_closure"
        )


def undetermined(description: Description, found: Sequence[Assembly]) -> tuple[str, ...]:
    """States at which steps of these ways have no solution that is one, although the lengths would let them."""
    names = [pair.name for pair in pairs(description, lambda x: x)]
    said: dict[str, None] = {}
    for step in (step for assembly in found for step in assembly.steps):
        if isinstance(step, PlaneTurns | SphereTurns | Crossed):
            t = step.triangle
            lie = "lie in one line" if isinstance(step, SphereTurns) else "coincide"
            # only ways through joints that move can come to nothing: others have one length for all states
            for other, leg in ((t.beta, t.A), (t.gamma, t.B)):
                if leg.course:
                    said[f"the axes of {names[t.alpha]} and {names[other]} {lie}"] = None
        elif isinstance(step, Slides):
            said[f"the slides {names[step.triangle.beta]} and {names[step.triangle.gamma]} are parallel"] = None
    return tuple(said)
