"""Points that stay on surfaces, as constraints on the joint velocities.

With P the point in the frame that the surface h(P) = 0 stands in, and v its velocity there,

    Φ = h(P),   row: n·v with n = ∇h/|∇h| on the surface,   rate: n·v̇ + vᵀ ∇∇h v / |∇h|     with q'' = 0

so that the multiplier of a row is the pressure (N) of the surface on the point, along ∇h. Newton's method, which starts off the
surface, takes ∇h·v, the rate of h. Source: Vukobratović and Potkonjak (1982), section 2.10, whose reaction is N ∇h/|∇h|.
"""

from dataclasses import dataclass
from typing import Any

from armillary.kinematics.constraint import Row
from armillary.kinematics.loops import Loop, loop, point_drift, relative_twists, side
from armillary.robot.cut import CutKind
from armillary.robot.tree import Junction, Scalars, Touch, Tree
from armillary.spatial.scalar import sqrt
from armillary.spatial.vector import Vector

NOTHING_HELD = CutKind("contact", "", ())
"""Frame b, the point, moves in frame a, where the surface stands, as it will."""


@dataclass(frozen=True, slots=True)
class PointOnSurfaces:
    """A contact, and the part of the tree between the point and the surface."""

    touch: Touch
    between: Loop

    @property
    def name(self) -> str:
        return self.touch.name

    @property
    def holonomic(self) -> bool:
        return True

    @property
    def conditions(self) -> tuple[str, ...]:
        """The contact, with a number where it is on two surfaces."""
        n = len(self.touch.surfaces)
        return (self.name,) if n == 1 else tuple(f"{self.name}.{k + 1}" for k in range(n))

    def residual(self, q: Scalars) -> list[Any]:
        """h of each surface."""
        P = side(self.between, q).position
        return [surface(P)[0] for surface in self.touch.surfaces]

    def rows(self, q: Scalars, *, closed: bool = True) -> list[Row]:
        """n·v, or ∇h·v where the point may be off the surface."""
        velocities = [v for v, _ in relative_twists(self.between, q, closed=False)]
        return [[direction.dot(v) for v in velocities] for direction in self.normals(q, closed=closed)]

    def normals(self, q: Scalars, *, closed: bool = True) -> list[Vector]:
        """n of each surface, or ∇h where the point may be off the surface, along the axes of the surface's frame."""
        P = side(self.between, q).position
        gradients = [surface(P)[1] for surface in self.touch.surfaces]
        return [_unit(gradient)[0] for gradient in gradients] if closed else gradients

    def drift(self, q: Scalars, qd: Scalars) -> list[Any]:
        """n·v̇ + vᵀ ∇∇h v / |∇h|."""
        P = side(self.between, q).position
        v, dv = point_drift(self.between, q, qd)
        found: list[Any] = []
        for surface in self.touch.surfaces:
            _, gradient, second = surface(P)
            n, share = _unit(gradient)
            found.append(n.dot(dv) + v.dot(second.apply(v)) * share)
        return found


def _unit(gradient: Vector) -> tuple[Vector, Any]:
    """(∇h/|∇h|, 1/|∇h|)."""
    share = 1 / sqrt(gradient.dot(gradient))
    return gradient * share, share


def contacts(tree: Tree) -> list[PointOnSurfaces]:
    """Every contact of a tree."""
    return [_contact(tree, touch) for touch in tree.contacts]


def _contact(tree: Tree, touch: Touch) -> PointOnSurfaces:
    junction = Junction(touch.name, NOTHING_HELD, touch.on, touch.point, False, 0, 0, 0, 0, 0)
    return PointOnSurfaces(touch, loop(tree, junction))
