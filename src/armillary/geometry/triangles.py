"""Triangles of three bodies with three joints between them, in closed form: what every step of a loop's solution comes to.

Bodies A, B and C; joint α between A and B, β between A and C, γ between B and C. Where the axes of turns are parallel, γ is a point
and a triangle one of the plane; where they meet, γ is a direction and a triangle one of the sphere. Both times the
turn about α takes what B knows of γ to where C allows it, and that is one equation

    A cos θ + B sin θ = C,    cos θ = (A C ∓ B h) / D,  sin θ = (B C ± A h) / D,    D = A² + B²,  h² = D - C²

with two solutions. D = 0 where γ lies on the axis α, or where β does: then θ is anything, or nothing. h² < 0 where the
sides are too short; the square root is then not a number, and so is all that follows from it.
"""

from dataclasses import dataclass
from typing import Any

from armillary.spatial.rotation import Turn, Z
from armillary.spatial.scalar import atan2, less, sqrt
from armillary.spatial.vector import Vector


@dataclass(frozen=True, slots=True)
class Found:
    """An angle with its cosine and sine, or a length; `reached` is 1 where there is a solution, else 0."""

    turn: Turn
    angle: Any
    reached: Any


def circle(A: Any, B: Any, C: Any, branch: int) -> Found:
    """θ with A cos θ + B sin θ = C, of two the one that `branch`, 1 or -1, names."""
    D = A * A + B * B
    square = D - C * C
    h = sqrt(square) * branch
    c, s = (A * C - B * h) / D, (B * C + A * h) / D
    return Found(Turn(Z, c, s), atan2(s, c), less(-D, 0) * (1 - less(square, 0)))


def turn_of_plane(u: Vector, w: Vector, t: Vector, branch: int) -> Found:
    """The turn about α that puts w, α to γ in B, at the distance |t| from u, α to β in A: |u - Rot(z, θ) w| = |t|, seen along z."""
    C = (_square(u) + _square(w) - _square(t)) / 2
    return circle(flat(u, w), -crossed(u, w), C, branch)


def turn_of_sphere(m: Vector, n: Vector, cosine: Any, branch: int) -> Found:
    """The turn about α that puts the direction n, of γ in B, at an angle to m, of β in A: mᵀ Rot(z, θ) n = cosine."""
    return circle(flat(m, n), -crossed(m, n), cosine - m.z * n.z, branch)


def mirrored(u: Vector, w: Vector) -> tuple[Vector, Any]:
    """w on the other side of u, and whether u has a length: 2 (w·u) u / u² - w."""
    size = _square(u)
    twice = 2 * flat(w, u) / size
    return Vector(twice * u.x - w.x, twice * u.y - w.y, 0), less(-size, 0)


def slide_of_plane(p: Vector, e: Vector, w: Vector, branch: int) -> tuple[Any, Any]:
    """s with |p + s e| = |w|, e a unit vector, seen along z; and whether there is one."""
    across = crossed(p, e)
    square = _square(w) - across * across
    return sqrt(square) * branch - flat(p, e), 1 - less(square, 0)


def two_slides(d: Vector, e: Vector, f: Vector) -> tuple[Any, Any, Any]:
    """s, t with s e - t f = d, seen along z; and whether e and f point different ways."""
    determinant = crossed(e, f)
    return crossed(d, f) / determinant, crossed(d, e) / determinant, less(-(determinant * determinant), 0)


def angle_between(a: Vector, b: Vector) -> Any:
    """The turn about z that takes a to the direction of b, -π to π."""
    return atan2(crossed(a, b), flat(a, b))


def flat(a: Vector, b: Vector) -> Any:
    """a·b seen along z."""
    return a.x * b.x + a.y * b.y


def crossed(a: Vector, b: Vector) -> Any:
    """a × b seen along z."""
    return a.x * b.y - a.y * b.x


def _square(a: Vector) -> Any:
    return flat(a, a)
