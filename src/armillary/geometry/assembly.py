"""The passive joints of a robot with loops from its active ones, step by step: an `Assembly` says which step comes when.

Bodies that stand still in each other once the coordinates known so far are given make a group. A step closes a triangle of three
groups, or finds one coordinate as a sum of others, and joins what it ties together. Legs are ways through one
group, from the frame of one joint to the frame of another. With A, B and C the legs of a triangle (`geometry.triangles`)

    T_A motion(β) T_C = motion(α) T_B motion(γ)

Which steps there are is found from the robot's structure alone (`assembly.recognise`); here they are carried out, over any scalar.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from armillary.geometry.triangles import (
    angle_between,
    mirrored,
    slide_of_plane,
    turn_of_plane,
    turn_of_sphere,
    two_slides,
)
from armillary.robot.pairs import Pair
from armillary.robot.value import Value
from armillary.spatial.rotation import Z, turn
from armillary.spatial.scalar import atan2
from armillary.spatial.transform import Step, Transform, walk
from armillary.spatial.vector import Vector

X_AXIS, Z_AXIS = Vector(1, 0, 0), Vector(0, 0, 1)

Coordinates = dict[int, tuple[Any, ...]]
"""What is known of each pair: the coordinates of its joint."""


class Move(NamedTuple):
    """A step, taken forwards (1) or backwards (-1), and the pair whose motion it is, if it is one's."""

    kind: str
    value: Any
    sign: int
    pair: int | None

    @property
    def step(self) -> Step:
        """The step that it comes to."""
        if self.sign > 0:
            return self.kind, self.value
        return self.kind, self.value.T if self.kind == "R" else -self.value


@dataclass(frozen=True, slots=True)
class Leg:
    """The way from the frame of one pair on one of its bodies (0 is a, 1 is b) to that of another, through pairs that are known.

    `course` are these pairs, each with whether it is passed from a to b.
    """

    start: tuple[int, int]
    course: tuple[tuple[int, bool], ...]
    end: tuple[int, int]

    def moves(self, pairs: Sequence[Pair], known: Coordinates) -> list[Move]:
        """The moves of the way; those that take each other back are left out."""
        found: list[Move] = []
        _take(found, _side(pairs, self.start), -1)
        for k, forward in self.course:
            pair = pairs[k]
            a, b = (0, 1) if forward else (1, 0)
            _take(found, _side(pairs, (k, a)), 1)
            _take(found, [Move(kind, x, 1, k) for kind, x in pair.motion(known[k])], 1 if forward else -1)
            _take(found, _side(pairs, (k, b)), -1)
        _take(found, _side(pairs, self.end), 1)
        return found

    def transform(self, pairs: Sequence[Pair], known: Coordinates) -> Transform:
        """The pose of the frame at its end in that at its start."""
        return walk(self.steps(pairs, known))

    def steps(self, pairs: Sequence[Pair], known: Coordinates) -> list[Step]:
        """The same as steps."""
        return [move.step for move in self.moves(pairs, known)]


def _side(pairs: Sequence[Pair], side: tuple[int, int]) -> list[Move]:
    k, end = side
    return [Move(kind, x, 1, None) for kind, x in (pairs[k].to_b if end else pairs[k].to_a)]


def _take(found: list[Move], moves: Sequence[Move], sign: int) -> None:
    """Moves, forwards or backwards; a move back along the same step (not an equal one) undoes it."""
    for move in moves if sign > 0 else reversed(moves):
        last = found[-1] if found else None
        if last is not None and last.kind == move.kind and last.value is move.value and last.sign != move.sign * sign:
            found.pop()
        else:
            found.append(move._replace(sign=move.sign * sign))


# ---- steps ----


@dataclass(frozen=True, slots=True)
class Sum:
    """A coordinate that is a sum: Σ factor · coordinate + offset, with the pairs that the coordinates belong to."""

    pair: int
    terms: tuple[tuple[int, Value], ...]
    offset: Value


@dataclass(frozen=True, slots=True)
class Read:
    """A coordinate between bodies that stand still in each other: read from the pose of frame b in frame a."""

    pair: int
    leg: Leg


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


@dataclass(frozen=True, slots=True)
class Turns:
    """Three turns of the plane or of the sphere: α and β of one of two solutions, on the sphere γ too."""

    triangle: Triangle
    branch: int
    sphere: bool


@dataclass(frozen=True, slots=True)
class Crossed:
    """Three turns of the plane; α would be the sum, and B is on the other side of the line from α to β."""

    triangle: Triangle
    sum: Sum


@dataclass(frozen=True, slots=True)
class Crank:
    """α and γ turn, β slides: β of one of two solutions, and α."""

    triangle: Triangle
    branch: int


@dataclass(frozen=True, slots=True)
class Slides:
    """α turns and is known, β and γ slide."""

    triangle: Triangle


AssemblyStep = Sum | Read | Turns | Crossed | Crank | Slides


@dataclass(frozen=True, slots=True)
class Assembly:
    """One way to assemble a robot: a name and the steps that find its passive coordinates."""

    name: str
    steps: tuple[AssemblyStep, ...]


def assembled(
    pairs: Sequence[Pair], assembly: Assembly, given: Coordinates, scalar: Callable[[Value], Any]
) -> tuple[Coordinates, Any]:
    """Coordinates of all pairs that the steps reach, and 1 where they can be reached, else 0."""
    known, reached = dict(given), 1
    for step in assembly.steps:
        found, there = _carried_out(pairs, step, known, scalar)
        known |= found
        reached = reached * there
    return known, reached


def _carried_out(
    pairs: Sequence[Pair], step: AssemblyStep, known: Coordinates, scalar: Callable[[Value], Any]
) -> tuple[Coordinates, Any]:
    """What one step finds, and whether there is a solution."""
    if isinstance(step, Sum):
        return {step.pair: (summed(step, known, scalar),)}, 1
    if isinstance(step, Read):
        return {step.pair: _read(pairs[step.pair], step.leg.transform(pairs, known))}, 1
    triangle = step.triangle
    signs = triangle.signs
    if isinstance(step, Slides):
        return _slides(pairs, triangle, known)
    TA, TB, TC = (leg.transform(pairs, known) for leg in (triangle.A, triangle.B, triangle.C))
    if isinstance(step, Crank):
        p, e = TA.point(TC.position), TA.rotation.apply(Z_AXIS)
        s, reached = slide_of_plane(p, e, TB.position, step.branch)
        angle = angle_between(TB.position, p + e * s)
        return {triangle.alpha: (angle * signs[0],), triangle.beta: (s * signs[1],)}, reached
    if isinstance(step, Crossed):
        there = turn(Z, summed(step.sum, known, scalar) * signs[0]).apply(TB.position)
        u = TA.position
        w, reached = mirrored(u, there)
        angle = angle_between(TB.position, w)
        towards = TA.rotation.apply_inverse(Vector(w.x - u.x, w.y - u.y, 0))
        back = angle_between(TC.position, towards)
        return {triangle.alpha: (angle * signs[0],), triangle.beta: (back * signs[1],)}, reached
    if not step.sphere:
        found = turn_of_plane(TA.position, TB.position, TC.position, step.branch)
        w = found.turn.apply(TB.position)
        towards = TA.rotation.apply_inverse(w - TA.position)
        back = angle_between(TC.position, towards)
        return {triangle.alpha: (found.angle * signs[0],), triangle.beta: (back * signs[1],)}, found.reached
    m, n, c = (T.rotation.apply(Z_AXIS) for T in (TA, TB, TC))
    found = turn_of_sphere(m, n, c.z, step.branch)
    back = angle_between(c, TA.rotation.apply_inverse(found.turn.apply(n)))
    # β seen from γ: along the frames of γ on C, and on B
    third = angle_between(TC.rotation.apply_inverse(Z_AXIS), TB.rotation.apply_inverse(found.turn.apply_inverse(m)))
    angles = (found.angle, back, third)
    places = (triangle.alpha, triangle.beta, triangle.gamma)
    return {k: (x * sign,) for k, x, sign in zip(places, angles, signs, strict=True)}, found.reached


def summed(step: Sum, known: Coordinates, scalar: Callable[[Value], Any]) -> Any:
    """Σ factor · coordinate + offset."""
    total = scalar(step.offset)
    for k, factor in step.terms:
        total = total + known[k][0] * (factor if isinstance(factor, int) else scalar(factor))
    return total


def _read(pair: Pair, T: Transform) -> tuple[Any, ...]:
    x = T.rotation.apply(X_AXIS)
    if pair.joint is not None and pair.joint.kind == "planar":
        return T.position.x, T.position.y, atan2(x.y, x.x)
    return (T.position.z,) if pair.kinds == ("slide",) else (atan2(x.y, x.x),)


def _slides(pairs: Sequence[Pair], triangle: Triangle, known: Coordinates) -> tuple[Coordinates, Any]:
    """s e - t f = d: e and f the directions of the slides, with α turned."""
    signs = triangle.signs
    turned = turn(Z, known[triangle.alpha][0] * signs[0])
    TA, TB, TC = (leg.transform(pairs, known) for leg in (triangle.A, triangle.B, triangle.C))
    e, f = TA.rotation.apply(Z_AXIS), turned.apply(TB.rotation.apply(Z_AXIS))
    d = turned.apply(TB.position) - TA.point(TC.position)
    s, t, reached = two_slides(d, e, f)
    return {triangle.beta: (s * signs[1],), triangle.gamma: (t * signs[2],)}, reached
