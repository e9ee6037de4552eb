"""The rate matrix U = [ω̇^] + [ω^][ω^] of a rotating frame: the acceleration of a point P fixed in it is v̇ + U P."""

from dataclasses import dataclass

from armillary.spatial.matrix import Matrix
from armillary.spatial.scalar import Scalar, named
from armillary.spatial.vector import Vector


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

    def along(self, axis: tuple[int, int, int]) -> Vector:
        """U times a coordinate unit vector or its opposite."""
        k = next(k for k in range(3) if axis[k])
        column = self.matrix.T[k]
        return column if axis[k] > 0 else -column

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


def rate_about_axis(w: Vector, dw_z: Scalar, on_axis: Vector) -> Rate:
    """U of a frame that turns about its z axis relative to another, from `on_axis` = U z, which both frames agree on.

    Points of the axis belong to both, so U z is a vector known from the other frame. With it, and with xx + zz and xx - zz for
    the diagonal, neither ω̇ has to be turned from frame to frame nor yy to be computed: 9 products where `rate_matrix` takes 12.
    """
    xx, zz = w.x * w.x, w.z * w.z
    xy, xz, yz = w.x * w.y, w.x * w.z, w.y * w.z
    c = on_axis
    dw = Vector(yz - c.y, c.x - xz, dw_z)
    matrix = Matrix(
        Vector(c.z + (xx - zz), xy - dw.z, c.x),
        Vector(xy + dw.z, -(xx + zz), c.y),
        Vector(xz - dw.y, yz + dw.x, c.z),
    )
    return Rate(matrix, dw, xy, xz, yz)
