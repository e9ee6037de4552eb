"""Ways in a plane: how far they turn, and the vectors that they are made of, by what turns each of them.

The rotation along a way whose moving axes are all parallel to z is Rot(z, ψ) M: ψ is the sum of all angles about z, and M is made of the
turns of the placements about other axes. Shifts between two turns that move add up to one vector, which keeps its length.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from armillary.expr.angles import take_apart
from armillary.expr.graph import Expr
from armillary.expr.numbers import PI, PiMultiple, multiply
from armillary.geometry.triangles import crossed, flat
from armillary.geometry.ways import Move
from armillary.grouping.sampled import Samples
from armillary.robot.value import Value, value
from armillary.spatial.rotation import Rotation, Z, turn
from armillary.spatial.vector import Vector

Terms = dict[int, int]
AXES = {"x": (0, Vector(1, 0, 0)), "y": (1, Vector(0, 1, 0)), "z": (2, Vector(0, 0, 1))}


@dataclass(frozen=True)
class Heading:
    """An angle: Σ factor · angle of a pair, and a constant."""

    terms: Terms = field(default_factory=dict[int, int])
    constant: Any = 0

    def plus(self, other: "Heading", factor: int = 1) -> "Heading":
        """self + factor · other."""
        terms = dict(self.terms)
        for pair, x in other.terms.items():
            total = terms.pop(pair, 0) + factor * x
            if total:
                terms[pair] = total
        return Heading(terms, self.constant + other.constant * factor)

    @property
    def key(self) -> tuple[tuple[int, int], ...]:
        """What it is but for the constant."""
        return tuple(sorted(self.terms.items()))


Headings = Mapping[int, Heading]
"""The coordinates of pairs as sums of those of others."""


@dataclass
class Side:
    """A vector of constant length seen along z, in the frame that is turned by `heading` and by `M` before it."""

    heading: Heading
    vector: Vector


@dataclass
class Course:
    """A way in the plane: the turn ψ and M of its end, and its sides."""

    heading: Heading
    M: Rotation
    sides: list[Side]


def course(samples: Samples, moves: Sequence[Move], headings: Headings) -> Course | None:
    """The way that the moves make, None where something moves in it that does not turn about z."""
    heading, M = Heading(), Rotation()
    sides: list[Side] = []
    for move in moves:
        kind, x = move.step
        if kind == "R":
            return None
        axis, direction = AXES[kind[1]]
        along = M.apply(direction)
        if kind[0] == "T":
            _extend(samples, sides, heading, Vector(along.x * x, along.y * x, 0))
        elif is_zero(along.x) and is_zero(along.y):
            by = Heading({}, x) if move.pair is None else Heading().plus(headings[move.pair], move.sign)
            heading = heading.plus(by, 1 if along.z == 1 else -1)
        elif move.pair is None:
            M = Rotation((*M.factors, turn(axis, x)))
        else:
            return None
    return Course(heading, M, [s for s in sides if not (is_zero(s.vector.x) and is_zero(s.vector.y))])


def _extend(samples: Samples, sides: list[Side], heading: Heading, shift: Vector) -> None:
    """A shift joins the side that turns with it."""
    if is_zero(shift.x) and is_zero(shift.y):
        return
    for side in sides:
        if side.heading.key == heading.key:
            by = heading.constant - side.heading.constant
            turned = shift if is_zero(by) else turn(Z, samples.lift(by)).apply(shift)
            side.vector = side.vector + turned
            return
    sides.append(Side(heading, shift))


def is_zero(x: Any) -> bool:
    """Whether a sampled scalar is 0: formulas that come to small integers are integers."""
    return isinstance(x, int) and x == 0


def same(samples: Samples, a: Any, b: Any) -> bool:
    """Whether two sampled scalars have one value."""
    return samples.residue(a) == samples.residue(b)


def square(a: Vector) -> Any:
    """|a|² seen along z."""
    return flat(a, a)


def angle_from(samples: Samples, a: Vector, b: Vector) -> Any:
    """The angle from a to b, which are of one length: multiples of a right angle as such, others as a formula."""
    c, s, whole = flat(a, b), crossed(a, b), square(a)
    for quarters, (x, y) in enumerate(((c, s), (s, -c), (-c, -s), (-s, c))):
        if same(samples, x, whole) and same(samples, y, 0):
            half = Fraction((quarters + 1) % 4 - 1, 2)
            return samples.scalar(PiMultiple(half)) if half else 0
    return samples.scalar(value(samples.formula(s).arctan2(samples.formula(c))))


def constant_value(samples: Samples, x: Any) -> Value:
    """A sampled angle as a value of the robot: within half a turn as far as it is a multiple of pi."""
    expr = samples.formula(x)
    parts = take_apart(expr)
    turns = (parts.turn + 1) % 2 - 1
    half = Fraction(1) if turns == -1 else turns
    total: Expr = samples.graph.const(multiply(half, PI))
    for part, factor in parts.terms:
        total = total + part * samples.graph.const(factor)
    return value(total)


def facing(M: Rotation) -> Any:
    """The z component of the z axis after M."""
    return M.apply(Vector(0, 0, 1)).z


def first(M: Rotation) -> Vector:
    """The x axis after M, seen along z."""
    x = M.apply(Vector(1, 0, 0))
    return Vector(x.x, x.y, 0)
