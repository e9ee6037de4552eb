"""Coordinates of a leg whose end is known: one to three hinges and slides that carry a point to where it has to be.

With S_i the placement of joint i, Z_i its motion and h_i what does not move with it, p of the last link stands at

    p_{i-1} = S_i (h_i + Z_i p_i),   p_0 = t, known

What joints cannot change is an equation in the coordinates of the others:

    hinge                   z·p, and the distance of p from the axis
    slide                   the parts of p across it
    hinges, parallel        z·p
    hinges that meet        the distance of p from where they meet
    slide, hinge across     the part of p along the hinge
    hinge, slide across     z·p
    slides                  the part of p across both

Each is linear in Z p or the square of a distance: linear in a slide, quadratic in it, or for a hinge

    A cos q + B sin q = C:   q = atan2(B, A) ± atan2(√(A² + B² - C²), C)

Angles are found modulo 2π. Out of reach the root is of a negative number, and what comes out is no number.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from armillary.robot.placement import coordinate_axis
from armillary.robot.tree import Branch
from armillary.spatial.rotation import turn
from armillary.spatial.scalar import atan2, sqrt
from armillary.spatial.transform import Step, Transform, walk
from armillary.spatial.vector import ZERO, Vector

Z = Vector(0, 0, 1)


@dataclass(frozen=True, slots=True)
class Stage:
    """One unknown joint: S, whether it turns, and h.

    By structure: `tilt` is the cosine of the angle between its axis and the one before where that is 1, -1 or 0; `meeting` says
    where the two meet, as distances along the one before and back along its own, None where they do not; `coaxial` whether
    they are one line.
    """

    S: Transform
    turns: bool
    tilt: int | None
    meeting: tuple[Any, Any] | None
    coaxial: bool
    h: Vector = ZERO

    @property
    def parallel(self) -> bool:
        """Whether its axis is parallel to the one before."""
        return bool(self.tilt)

    @property
    def across(self) -> bool:
        """Whether its axis is perpendicular to the one before."""
        return self.tilt == 0

    @property
    def blind(self) -> bool:
        """Whether it leaves what is along the axis before as it is."""
        return self.parallel if self.turns else self.across

    def moved(self, q: Any, p: Vector) -> Vector:
        """S (h + Z p)."""
        return self.S.point(self.h + (turn(2, q).apply(p) if self.turns else Vector(p.x, p.y, p.z + q)))

    # ---- equations ----

    def reaching(self, p: Vector, t: Vector) -> Any:
        """q with S (h + Z p) = t, which may fail in directions that q does not act in."""
        t = self.S.inverse().point(t) - self.h
        return atan2(p.x * t.y - p.y * t.x, p.x * t.x + p.y * t.y) if self.turns else t.z - p.z

    def along(self, w: Vector, C: Any, p: Vector) -> list[Any]:
        """Every q with w·S (h + Z p) = C."""
        return self._linear(*self.seen(w, C), p)

    def seen(self, w: Vector, C: Any) -> tuple[Vector, Any]:
        """w·S (h + x) = C as an equation w'·x = C'."""
        w, C = self.S.rotation.apply_inverse(w), C - w.dot(self.S.position)
        return w, C - w.dot(self.h)

    def at_distance(self, center: Vector, square: Any, p: Vector) -> list[Any]:
        """Every q with |S (h + Z p) - center|² = square."""
        w = self.S.rotation.apply_inverse(self.S.position - center) + self.h
        if self.turns:
            return self._linear(w, (square - w.dot(w) - p.dot(p)) / 2, p)
        x = w + p
        return _both(-x.z, square - x.x * x.x - x.y * x.y)

    def from_axis(self, square: Any, p: Vector) -> list[Any]:
        """Every q that puts S (h + Z p) at that distance from the axis before, for a hinge along it or a slide across it."""
        w = self.S.rotation.apply_inverse(self.S.position) + self.h
        if self.turns:
            w, p = Vector(w.x, w.y, 0), Vector(p.x, p.y, 0)
            return self._linear(w, (square - w.dot(w) - p.dot(p)) / 2, p)
        x, n = w + p, self.S.rotation.apply_inverse(Z)
        height = n.x * x.x + n.y * x.y
        return _both(-x.z, square - x.x * x.x - x.y * x.y + height * height)

    def _linear(self, w: Vector, C: Any, p: Vector) -> list[Any]:
        """Every q with w·Z p = C."""
        if not self.turns:
            return [(C - w.dot(p)) / w.z]
        A, B, C = w.x * p.x + w.y * p.y, w.y * p.x - w.x * p.y, C - w.z * p.z
        middle, half = atan2(B, A), atan2(sqrt(A * A + B * B - C * C), C)
        return [middle + half, middle - half]


def _both(middle: Any, square: Any) -> list[Any]:
    half = sqrt(square)
    return [middle + half, middle - half]


# ---- what structure tells ----


def stage(body: Branch) -> Stage:
    """The stage of a hinge or a slide."""
    turns = list(body.turns)
    while turns and turns[0][0] == 2:
        del turns[0]
    axis = coordinate_axis(turns)
    tilt = None if axis is None else axis[2]
    straight = not any(kind in ("Tx", "Ty", "R") for kind, _ in body.steps)
    return Stage(walk(body.steps), body.hinged, tilt, _meeting(body.steps), bool(tilt) and straight)


def _meeting(steps: Sequence[Step]) -> tuple[Any, Any] | None:
    """Shifts along the axis before, then turns, then shifts along the own axis: then the two meet."""
    before: Any = 0
    after: Any = 0
    tilted = shifted = False
    for kind, value in steps:
        if kind in ("Tx", "Ty", "R") or (kind in ("Rx", "Ry") and shifted):
            return None
        tilted = tilted or kind in ("Rx", "Ry")
        if kind == "Tz" and tilted:
            after, shifted = after + value, True
        elif kind == "Tz":
            before = before + value
    return (before, after) if tilted else None


# ---- one to three joints ----


def solutions(stages: Sequence[Stage], p: Vector, t: Vector) -> list[list[Any]] | None:
    """Every way to carry p of the last link to t; None where the structure has no closed form here."""
    if len(stages) == 1:
        return [[stages[0].reaching(p, t)]]
    if len(stages) > 3 or any(x.coaxial and x.turns == before.turns for before, x in pairwise(stages)):
        return None
    start = stages[0].S.inverse().point(t)
    last = (_second if len(stages) == 2 else _third)(stages, p, start)
    if last is not None:
        ways = [(q, solutions(stages[:-1], stages[-1].moved(q, p), t)) for q in last]
        return (
            None if any(before is None for _, before in ways) else [[*w, q] for q, before in ways for w in before or ()]
        )
    if len(stages) == 3 and stages[1].turns and stages[2].turns and stages[2].h is ZERO:
        return _outwards(stages, p, t)
    return None


def _outwards(stages: Sequence[Stage], p: Vector, t: Vector) -> list[list[Any]] | None:
    """The first joint from the distance of t from where the axes of two hinges behind it meet, then those."""
    first, second, third = stages
    if third.meeting is None:
        return None
    before, after = third.meeting
    reach = p + Vector(0, 0, after)
    found: list[list[Any]] = []
    for q in first.at_distance(t, reach.dot(reach), second.S.point(Vector(0, 0, before))):
        motion = walk([("Rz", q) if first.turns else ("Tz", q)])
        rest = solutions([replace(second, S=first.S.then(motion).then(second.S)), third], p, t)
        if rest is None:
            return None
        found += [[q, *way] for way in rest]
    return found


def _second(stages: Sequence[Stage], p: Vector, t: Vector) -> list[Any] | None:
    """The last coordinate of two, from what the first joint cannot change; t in its frame."""
    first, second = stages
    if first.turns:
        hinges = second.turns and second.parallel
        if hinges or (not second.turns and second.across):
            return second.from_axis(t.x * t.x + t.y * t.y, p)
        return second.along(Z, t.z, p)
    if second.parallel:
        return [second.reaching(p, t)] if second.turns else None
    if not second.across:
        return None
    w = second.S.rotation.apply(Z)
    w = Z.cross(w) if second.turns else w
    return second.along(w, w.dot(t), p)


def _third(stages: Sequence[Stage], p: Vector, t: Vector) -> list[Any] | None:
    """The last coordinate of three, from what the first two joints cannot change; t in the frame of the first."""
    first, second, third = stages
    if first.turns and second.turns and second.meeting is not None:
        before, after = second.meeting
        away = t - Vector(0, 0, before)
        return third.at_distance(Vector(0, 0, -after), away.dot(away), p)
    if first.turns and (second.parallel if second.turns else second.across):
        w = Z
    elif not first.turns and second.across:
        w = second.S.rotation.apply(Z)
        w = w if second.turns else Z.cross(w)
    else:
        return None
    if second.turns and third.blind:
        return None
    return third.along(*second.seen(w, w.dot(t)), p)
