"""The rate matrix U = [ω̇^] + [ω^][ω^] of a rotating frame: the acceleration of a point P fixed in it is v̇ + U P."""

from dataclasses import dataclass

from armillary.spatial.matrix import Matrix
from armillary.spatial.scalar import Scalar, named
from armillary.spatial.vector import ZERO, Vector


@dataclass(frozen=True, slots=True)
class Rate:
    """U, with the angular acceleration and the products of angular velocities that it was made of."""

    matrix: Matrix
    dw: Vector
    xy: Scalar
    xz: Scalar
    yz: Scalar

    def apply(self, p: Vector) -> Vector:
        """U p."""
        return self.matrix.apply(p)

    def named(self, index: object) -> "Rate":
        """Itself, the elements of U remembered as U11, U12, … and the products of velocities as DV12, DV13, DV23."""
        rows = (row.named(f"U{k}", index) for k, row in enumerate(self.matrix, start=1))
        products = (named(x, f"DV{ends}{index}") for x, ends in ((self.xy, "12"), (self.xz, "13"), (self.yz, "23")))
        return Rate(Matrix(*rows), self.dw, *products)


def rate_matrix(w: Vector, dw: Vector) -> Rate:
    """U of a frame with angular velocity ω and angular acceleration ω̇, all in its own components (Khalil 2010, 18)."""
    xx, yy, zz = w.x * w.x, w.y * w.y, w.z * w.z
    xy, xz, yz = w.x * w.y, w.x * w.z, w.y * w.z
    matrix = Matrix(
        Vector(-(yy + zz), xy - dw.z, xz + dw.y),
        Vector(xy + dw.z, -(xx + zz), yz - dw.x),
        Vector(xz - dw.y, yz + dw.x, -(xx + yy)),
    )
    return Rate(matrix, dw, xy, xz, yz)


STILL = rate_matrix(ZERO, ZERO)
