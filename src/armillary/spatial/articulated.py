"""Articulated inertia: a general symmetric 6 x 6 inertia in blocks, with the transforms and projections it undergoes.

    f = A v̇ + C ω̇,    n = Cᵀ v̇ + D ω̇        A, D symmetric, C a general 3 x 3 matrix

A rigid body has A = M 1, C = -MS^, D = J.
"""

from dataclasses import dataclass

from armillary.spatial.inertia import Inertia
from armillary.spatial.matrix import Matrix, Symmetric, skew, upper
from armillary.spatial.rotation import Rotation
from armillary.spatial.scalar import Scalar
from armillary.spatial.transform import Transform
from armillary.spatial.vector import Vector


@dataclass(frozen=True, slots=True)
class ArticulatedInertia:
    """The blocks A, C, D."""

    A: Symmetric
    C: Matrix
    D: Symmetric

    @staticmethod
    def rigid(inertia: Inertia) -> "ArticulatedInertia":
        """That of a rigid body."""
        return ArticulatedInertia(Symmetric(inertia.M, 0, 0, inertia.M, 0, inertia.M), skew(-inertia.MS), inertia.J)

    def __add__(self, b: "ArticulatedInertia") -> "ArticulatedInertia":
        return ArticulatedInertia(self.A + b.A, self.C + b.C, self.D + b.D)

    def times(self, v: Vector, w: Vector) -> tuple[Vector, Vector]:
        """(A v + C ω, Cᵀ v + D ω)."""
        return self.A.apply(v) + self.C.apply(w), self.C.T.apply(v) + self.D.apply(w)

    def without(self, u: tuple[Vector, Vector], inverse: Scalar) -> "ArticulatedInertia":
        """I - u uᵀ · inverse: what is left where the joint gives way along the twist that u is the force of."""
        f, n = u
        scaled_f, scaled_n = f * inverse, n * inverse
        return ArticulatedInertia(
            self.A - _product(f, scaled_f),
            self.C - Matrix(scaled_n * f.x, scaled_n * f.y, scaled_n * f.z),
            self.D - _product(n, scaled_n),
        )

    def seen_from(self, T: Transform) -> "ArticulatedInertia":
        """The same about the origin of frame a and in its components, for T = ᵃT_b.

        A' = R A Rᵀ, C' = R C Rᵀ - A' P^, D' = R D Rᵀ + P^ C' + (P^ R C Rᵀ)ᵀ.
        """
        P = skew(T.position)
        A = T.rotation.conjugate_symmetric(self.A)
        turned = T.rotation.conjugate(self.C)
        C = turned - A.full().times(P)
        D = T.rotation.conjugate_symmetric(self.D).full() + P.times(C) + P.times(turned).T
        return ArticulatedInertia(A, C, upper(D))

    def moved(self, P: Vector) -> "ArticulatedInertia":
        """The same about another origin, from which this one stands at P, along the same axes."""
        return self.seen_from(Transform(Rotation(), P))

    def named(self, index: object) -> "ArticulatedInertia":
        """Itself, its elements remembered as AA11…, AC11…, AD11…"""
        rows = (row.named(f"AC{k}", index) for k, row in enumerate(self.C, start=1))
        return ArticulatedInertia(self.A.named("AA", index), Matrix(*rows), self.D.named("AD", index))


def _product(a: Vector, b: Vector) -> Symmetric:
    """a bᵀ where it is known to be symmetric."""
    return Symmetric(a.x * b.x, a.x * b.y, a.x * b.z, a.y * b.y, a.y * b.z, a.z * b.z)
