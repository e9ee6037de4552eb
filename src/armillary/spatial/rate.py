"""The rate matrix U = [ω̇^] + [ω^][ω^] of a rotating frame: the acceleration of a point P fixed in it is v̇ + U P."""

from dataclasses import dataclass

from armillary.spatial.matrix import Matrix
from armillary.spatial.scalar import Scalar
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
