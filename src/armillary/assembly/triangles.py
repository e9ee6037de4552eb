"""Which triangles of three groups of bodies have a solution in closed form, and which steps solve them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

from armillary.assembly.course import (
    Course,
    Heading,
    Headings,
    angle_from,
    constant_value,
    course,
    facing,
    first,
    is_zero,
    same,
    square,
)
from armillary.assembly.groups import Groups
from armillary.geometry.assembly import AssemblyStep, Crank, Crossed, PlaneTurns, Slides, SphereTurns, Sum, Triangle
from armillary.geometry.triangles import crossed, flat
from armillary.geometry.ways import Coordinates, Leg
from armillary.grouping.sampled import Samples
from armillary.robot.pairs import BALL, SLIDE, TURN, Pair
from armillary.spatial.rotation import Rotation, Z, turn
from armillary.spatial.transform import Transform
from armillary.spatial.vector import Vector

UP = Vector(0, 0, 1)
PARALLEL, CROSSED, FOLDED, OPEN = "parallel", "crossed", "folded", "open"
"""Ways to assemble a quadrilateral: opposite sides of one length, neighbours of one length, and what mirrors each of the two."""


@dataclass(frozen=True)
class Branch:
    """One of the solutions of a triangle: what it is called, and its steps."""

    name: str
    steps: tuple[AssemblyStep, ...]


@dataclass
class Search:
    """What is known while triangles are looked for: coordinates at a random point, and which of them are sums of others."""

    samples: Samples
    pairs: Sequence[Pair]
    values: Coordinates
    headings: Headings
    groups: Groups

    def branches(self, three: Sequence[int]) -> list[Branch]:
        """The solutions of the triangle that three pairs make; none where they make none, or one that is not solved here."""
        if not self._closed(three):
            return []
        best: list[Branch] = []
        # A joint that closes a loop stands last: its coordinate is seldom asked for.
        ordered = sorted(permutations(three), key=lambda p: (self.pairs[p[2]].joint is not None, p))
        for alpha, beta, gamma in ordered:
            triangle = self._triangle(alpha, beta, gamma)
            found = self._of_plane(triangle) or self._of_sphere(triangle)
            if found and all(isinstance(step, Sum) for step in found[0].steps):
                return found
            best = best or found
        return best

    def _closed(self, three: Sequence[int]) -> bool:
        """Whether three pairs lead through three groups and back."""
        ends = [self.groups.ends(k) for k in three]
        met = [x for pair in ends for x in pair]
        return len(set(met)) == 3 and all(met.count(x) == 2 for x in met) and all(a != b for a, b in ends)

    def _triangle(self, alpha: int, beta: int, gamma: int) -> Triangle:
        """A between α and β, B between α and γ, C between β and γ."""
        ends = {k: self.groups.ends(k) for k in (alpha, beta, gamma)}
        (a,), (b,), (c,) = (set(ends[x]) & set(ends[y]) for x, y in ((alpha, beta), (alpha, gamma), (beta, gamma)))

        def side(k: int, group: int) -> tuple[int, int]:
            return k, ends[k].index(group)

        legs = (
            self.groups.leg(side(alpha, a), side(beta, a)),
            self.groups.leg(side(alpha, b), side(gamma, b)),
            self.groups.leg(side(beta, c), side(gamma, c)),
        )
        signs = tuple(1 if ends[k][0] == group else -1 for k, group in ((alpha, a), (beta, a), (gamma, b)))
        return Triangle(alpha, beta, gamma, (signs[0], signs[1], signs[2]), *legs)

    # ---- the plane ----

    def _of_plane(self, t: Triangle) -> list[Branch]:
        kinds = [self.pairs[k].kinds for k in (t.alpha, t.beta, t.gamma)]
        if TURN not in kinds[0]:
            return []
        for solve, wanted in (
            (self._turns, (TURN, TURN)),
            (self._turns, (TURN, BALL)),
            (self._crank, (SLIDE, TURN)),
            (self._crank, (SLIDE, BALL)),
            (self._slides, (SLIDE, SLIDE)),
        ):
            if wanted[0] in kinds[1] and wanted[1] in kinds[2]:
                found = solve(t, wanted[1] == BALL)
                if found:
                    return found
        return []

    def _course(self, *legs: Leg) -> Course | None:
        moves = [move for leg in legs for move in leg.moves(self.pairs, self.values)]
        return course(self.samples, moves, self.headings)

    def _turns(self, t: Triangle, ball: bool) -> list[Branch]:
        A, B, C = (self._course(leg) for leg in (t.A, t.B, t.C))
        if A is None or B is None or C is None or not (A.sides and B.sides and C.sides):
            return []
        fA, fB, fC = (facing(x.M) for x in (A, B, C))
        through = Rotation((*A.M.factors, *C.M.factors))
        if not _upright(fA) or not (ball or (_upright(fB) and _upright(fC))):
            return []
        # where z of the frames of γ point against each other, its coordinate is not looked for
        rest = [] if ball or fA * fC != fB else [self._last(t, t.gamma, through, A, B, C)]
        found = [
            Branch(name, (*self._straightened(t, A, B, C, way), *rest))
            for name, way in ((PARALLEL, 1), (FOLDED, 0))
            if self._fits(A, B, C, way)
        ]
        if len(found) == 2:
            return found
        if found:
            alpha = found[0].steps[0]
            assert isinstance(alpha, Sum)
            other = CROSSED if found[0].name == PARALLEL else OPEN
            return [*found, Branch(other, (Crossed(t, alpha), *rest))]
        return [Branch(name, (PlaneTurns(t, branch), *rest)) for name, branch in (("+", 1), ("-", -1))]

    def _fits(self, A: Course, B: Course, C: Course, way: int) -> bool:
        """Whether B is as long as one of the two sides of A, and C as the other: B lies along side `way`."""
        if len(A.sides) != 2 or len(B.sides) != 1 or len(C.sides) != 1:
            return False
        sizes = [square(side.vector) for side in A.sides]
        b, c = square(B.sides[0].vector), square(C.sides[0].vector)
        return same(self.samples, sizes[way], b) and same(self.samples, sizes[1 - way], c)

    def _straightened(self, t: Triangle, A: Course, B: Course, C: Course, way: int) -> tuple[Sum, Sum]:
        """B along side `way` of A and C against the other: α and β are sums."""
        along, against = A.sides[way], A.sides[1 - way]
        b, c = B.sides[0], C.sides[0]
        angle = angle_from(self.samples, b.vector, along.vector)
        # α + ψ_b = ψ_along + angle
        alpha = along.heading.plus(b.heading, -1).plus(Heading({}, angle))
        fA = facing(A.M)
        turned = A.M.apply(c.vector)
        back = angle_from(self.samples, turned, -against.vector)
        # ψ_A + f (β + ψ_c) = ψ_against + back
        beta = Heading().plus(against.heading.plus(A.heading, -1).plus(Heading({}, back)), fA).plus(c.heading, -1)
        return self._sum(t.alpha, alpha, t.signs[0]), self._sum(t.beta, beta, t.signs[1])

    def _crank(self, t: Triangle, ball: bool) -> list[Branch]:
        whole, B, A = self._course(t.A, t.C), self._course(t.B), self._course(t.A)
        if whole is None or B is None or A is None or not B.sides or not is_zero(facing(A.M)):
            return []
        f, g = facing(whole.M), facing(B.M)
        if not (ball or (_upright(f) and _upright(g))):
            return []
        rest = [] if ball or f != g else [self._last(t, t.gamma, whole.M, whole, B)]
        return [Branch(name, (Crank(t, branch), *rest)) for name, branch in (("+", 1), ("-", -1))]

    def _slides(self, t: Triangle, ball: bool) -> list[Branch]:
        whole, A, B = self._course(t.A, t.C), self._course(t.A), self._course(t.B)
        if whole is None or A is None or B is None:
            return []
        if not all(is_zero(facing(x.M)) for x in (whole, A, B)):
            return []
        normals = [x.M.apply_inverse(UP) for x in (whole, B)]
        if not all(same(self.samples, a, b) for a, b in zip(*normals, strict=True)):
            return []
        alpha = self._last(t, t.alpha, whole.M, whole, B)
        known = self.values | {t.alpha: (self._at(alpha),)}
        e, f = (leg.transform(self.pairs, known).rotation.apply(UP) for leg in (t.A, t.B))
        angle = known[t.alpha][0] * t.signs[0]
        f = turn(Z, self.samples.lift(angle)).apply(f)
        return [] if is_zero(crossed(e, f)) else [Branch("", (alpha, Slides(t)))]

    def _last(self, t: Triangle, k: int, M: Rotation, A: Course, B: Course, C: Course | None = None) -> Sum:
        """The coordinate that the whole turn leaves: ψ_A + f_A (β + ψ_C) + arg M = α + ψ_B + f_B γ + arg M_B."""
        end = first(Rotation((*M.factors, *_back(B.M).factors)))
        total = A.heading.plus(B.heading, -1).plus(Heading({}, angle_from(self.samples, Vector(1, 0, 0), end)))
        if C is not None:
            fA = facing(A.M)
            total = total.plus(Heading({t.beta: t.signs[1]}).plus(C.heading), fA)
        sign = t.signs[0]
        if k == t.gamma:
            total = total.plus(Heading({t.alpha: t.signs[0]}), -1)
            total, sign = Heading().plus(total, facing(B.M)), t.signs[2]
        return self._sum(k, total, sign)

    def _sum(self, pair: int, heading: Heading, sign: int) -> Sum:
        """The coordinate of a pair, counted with `sign`, as a sum of coordinates and a constant."""
        signed = Heading().plus(heading, sign)
        return Sum(pair, tuple(sorted(signed.terms.items())), constant_value(self.samples, signed.constant))

    def _at(self, step: Sum) -> Any:
        """The sum at the random point."""
        total = self.samples.scalar(step.offset)
        for k, factor in step.terms:
            total = total + self.values[k][-1] * int(factor)  # pyright: ignore[reportArgumentType]
        return total

    # ---- the sphere ----

    def _of_sphere(self, t: Triangle) -> list[Branch]:
        if not all(TURN in self.pairs[k].kinds for k in (t.alpha, t.beta, t.gamma)):
            return []
        A, B, C = (leg.transform(self.pairs, self.values) for leg in (t.A, t.B, t.C))
        met = [self._meeting(x) for x in (A, B, C)]
        if any(x is None for x in met):
            return []
        (a, a_), (b, b_), (c, c_) = (x for x in met if x is not None)
        if not (same(self.samples, a, b) and same(self.samples, a_, c) and same(self.samples, b_, c_)):
            return []
        return [Branch(name, (SphereTurns(t, branch),)) for name, branch in (("+", 1), ("-", -1))]

    def _meeting(self, T: Transform) -> tuple[Any, Any] | None:
        """Where the z axes of a frame and of another meet: how far along each; None where they are parallel or pass each other."""
        d, p = T.rotation.apply(UP), T.position
        across = flat(d, d)
        if is_zero(across) or not is_zero(crossed(p, d)):
            return None
        along = flat(p, d)
        back = 0 if is_zero(along) else -(self.samples.lift(along) / self.samples.lift(across))
        return p.z + d.z * back, back


def _upright(z: Any) -> bool:
    """Whether z after a way is z or -z."""
    return isinstance(z, int) and z in (1, -1)


def _back(M: Rotation) -> Rotation:
    return Transform(M, Vector(0, 0, 0)).inverse().rotation
