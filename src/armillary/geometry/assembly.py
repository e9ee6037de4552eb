"""The passive joints of a robot with loops from its active ones, step by step: an `Assembly` says which step comes when.

Bodies that stand still in each other once the coordinates known so far are given make a group. A step closes a triangle of three
groups, or finds one coordinate as a sum of others, and joins what it ties together. Legs are ways through one
group, from the frame of one joint to the frame of another. With A, B and C the legs of a triangle (`geometry.triangles`)

    T_A motion(β) T_C = motion(α) T_B motion(γ)

Which steps there are is found from the robot's structure alone (`assembly.recognise`); here they are carried out, over any scalar.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from armillary.geometry.triangles import (
    angle_between,
    mirrored,
    slide_of_plane,
    turn_of_plane,
    turn_of_sphere,
    two_slides,
)
from armillary.geometry.ways import Coordinates, Leg
from armillary.robot.pairs import SLIDE, Pair
from armillary.robot.value import Value
from armillary.spatial.rotation import Z, turn
from armillary.spatial.scalar import atan2
from armillary.spatial.transform import Transform
from armillary.spatial.vector import Vector

X_AXIS, Z_AXIS = Vector(1, 0, 0), Vector(0, 0, 1)

Scalar = Callable[[Value], Any]
"""What a value of the robot is among the scalars at hand."""

Found = tuple[Coordinates, Any]
"""Coordinates that a step finds, and 1 where there is a solution, else 0."""


class AssemblyStep(Protocol):
    """One step of an assembly."""

    @property
    def places(self) -> tuple[int, ...]:
        """The pairs whose coordinates it finds."""
        ...

    def find(self, pairs: Sequence[Pair], known: Coordinates, scalar: Scalar) -> Found:
        """These coordinates from those known before."""
        ...


@dataclass(frozen=True, slots=True)
class Sum:
    """A coordinate that is a sum: Σ factor · coordinate + offset, of the last coordinate of each pair, which is its angle if it has any."""

    pair: int
    terms: tuple[tuple[int, Value], ...]
    offset: Value

    @property
    def places(self) -> tuple[int, ...]:
        return (self.pair,)

    def find(self, pairs: Sequence[Pair], known: Coordinates, scalar: Scalar) -> Found:
        """There always is one."""
        return {self.pair: (self.value(known, scalar),)}, 1

    def value(self, known: Coordinates, scalar: Scalar) -> Any:
        """Σ factor · coordinate + offset."""
        total = scalar(self.offset)
        for k, factor in self.terms:
            total = total + known[k][-1] * (factor if isinstance(factor, int) else scalar(factor))
        return total


@dataclass(frozen=True, slots=True)
class Read:
    """Coordinates between bodies that stand still in each other: read from the pose of frame b in frame a."""

    pair: int
    leg: Leg

    @property
    def places(self) -> tuple[int, ...]:
        return (self.pair,)

    def find(self, pairs: Sequence[Pair], known: Coordinates, scalar: Scalar) -> Found:
        """An angle, a length, or the pose in the plane."""
        pair, T = pairs[self.pair], self.leg.transform(pairs, known)
        x = T.rotation.apply(X_AXIS)
        if pair.joint is not None and pair.joint.kind == "planar":
            return {self.pair: (T.position.x, T.position.y, atan2(x.y, x.x))}, 1
        return {self.pair: (T.position.z if SLIDE in pair.kinds else atan2(x.y, x.x),)}, 1


@dataclass(frozen=True, slots=True)
class Triangle:
    """Pairs α, β, γ with the directions (1 from A to B, A to C, B to C) their coordinates count in, and the legs through A, B, C."""

    alpha: int
    beta: int
    gamma: int
    signs: tuple[int, int, int]
    A: Leg
    B: Leg
    C: Leg

    def transforms(self, pairs: Sequence[Pair], known: Coordinates) -> tuple[Transform, Transform, Transform]:
        """T_A, T_B, T_C."""
        A, B, C = (leg.transform(pairs, known) for leg in (self.A, self.B, self.C))
        return A, B, C

    def signed(self, *coordinates: Any, since: int = 0) -> Coordinates:
        """Coordinates of α, β and γ, or of those `since` one of them, as the pairs count them."""
        places = (self.alpha, self.beta, self.gamma)[since:]
        return {k: (x * sign,) for k, x, sign in zip(places, coordinates, self.signs[since:], strict=False)}


@dataclass(frozen=True, slots=True)
class PlaneTurns:
    """Three turns about parallel axes: α and β of one of two solutions."""

    triangle: Triangle
    branch: int

    @property
    def places(self) -> tuple[int, ...]:
        return self.triangle.alpha, self.triangle.beta

    def find(self, pairs: Sequence[Pair], known: Coordinates, scalar: Scalar) -> Found:
        """α from the three sides, β from where γ is then."""
        A, B, C = self.triangle.transforms(pairs, known)
        found = turn_of_plane(A.position, B.position, C.position, self.branch)
        towards = A.rotation.apply_inverse(found.turn.apply(B.position) - A.position)
        return self.triangle.signed(found.angle, angle_between(C.position, towards)), found.reached


@dataclass(frozen=True, slots=True)
class SphereTurns:
    """Three turns about axes that meet at a point: α, β and γ of one of two solutions."""

    triangle: Triangle
    branch: int

    @property
    def places(self) -> tuple[int, ...]:
        return self.triangle.alpha, self.triangle.beta, self.triangle.gamma

    def find(self, pairs: Sequence[Pair], known: Coordinates, scalar: Scalar) -> Found:
        """α from the three angles between axes; β and γ from the axis that the other's frame sees."""
        A, B, C = self.triangle.transforms(pairs, known)
        m, n, c = (T.rotation.apply(Z_AXIS) for T in (A, B, C))
        found = turn_of_sphere(m, n, c.z, self.branch)
        beta = angle_between(c, A.rotation.apply_inverse(found.turn.apply(n)))
        seen = B.rotation.apply_inverse(found.turn.apply_inverse(m))
        gamma = angle_between(C.rotation.apply_inverse(Z_AXIS), seen)
        return self.triangle.signed(found.angle, beta, gamma), found.reached


@dataclass(frozen=True, slots=True)
class Crossed:
    """Three turns about parallel axes; where α is the sum is one solution, and this is the other: γ across the line from α to β."""

    triangle: Triangle
    sum: Sum

    @property
    def places(self) -> tuple[int, ...]:
        return self.triangle.alpha, self.triangle.beta

    def find(self, pairs: Sequence[Pair], known: Coordinates, scalar: Scalar) -> Found:
        """α and β from where γ is."""
        A, B, C = self.triangle.transforms(pairs, known)
        there = turn(Z, self.sum.value(known, scalar) * self.triangle.signs[0]).apply(B.position)
        u = A.position
        w, reached = mirrored(u, there)
        towards = A.rotation.apply_inverse(Vector(w.x - u.x, w.y - u.y, 0))
        return self.triangle.signed(angle_between(B.position, w), angle_between(C.position, towards)), reached


@dataclass(frozen=True, slots=True)
class Crank:
    """α and γ turn, β slides: α and β of one of two solutions."""

    triangle: Triangle
    branch: int

    @property
    def places(self) -> tuple[int, ...]:
        return self.triangle.alpha, self.triangle.beta

    def find(self, pairs: Sequence[Pair], known: Coordinates, scalar: Scalar) -> Found:
        """β from how far γ is from α, then α."""
        A, B, C = self.triangle.transforms(pairs, known)
        p, e = A.point(C.position), A.rotation.apply(Z_AXIS)
        s, reached = slide_of_plane(p, e, B.position, self.branch)
        return self.triangle.signed(angle_between(B.position, p + e * s), s), reached


@dataclass(frozen=True, slots=True)
class Slides:
    """α turns and is known, β and γ slide."""

    triangle: Triangle

    @property
    def places(self) -> tuple[int, ...]:
        return self.triangle.beta, self.triangle.gamma

    def find(self, pairs: Sequence[Pair], known: Coordinates, scalar: Scalar) -> Found:
        """s e - t f = d: e and f the directions of the slides, with α turned."""
        t = self.triangle
        A, B, C = t.transforms(pairs, known)
        turned = turn(Z, known[t.alpha][0] * t.signs[0])
        e, f = A.rotation.apply(Z_AXIS), turned.apply(B.rotation.apply(Z_AXIS))
        s, r, reached = two_slides(turned.apply(B.position) - A.point(C.position), e, f)
        return t.signed(s, r, since=1), reached


@dataclass(frozen=True, slots=True)
class Assembly:
    """One way to assemble a robot: a name and the steps that find its passive coordinates."""

    name: str
    steps: tuple[AssemblyStep, ...]


def assembled(pairs: Sequence[Pair], assembly: Assembly, given: Coordinates, scalar: Scalar) -> Found:
    """Coordinates of all pairs that the steps reach, and 1 where they can be reached, else 0."""
    known, reached = dict(given), 1
    for step in assembly.steps:
        found, there = step.find(pairs, known, scalar)
        known |= found
        reached = reached * there
    return known, reached
