"""Unit quaternions (w, x, y, z): w = cos(φ/2), (x, y, z) = axis sin(φ/2)."""

from collections.abc import Sequence

from armillary.spatial.matrix import Matrix
from armillary.spatial.scalar import Scalar
from armillary.spatial.vector import Vector


def rotation_matrix(p: Sequence[Scalar]) -> Matrix:
    """R(p), which takes components in the turned frame to the frame before; |p| = 1 is taken for granted."""
    w, x, y, z = p
    x2, y2, z2 = 2 * x, 2 * y, 2 * z
    xx, yy, zz = x2 * x, y2 * y, z2 * z
    xy, xz, yz = x2 * y, x2 * z, y2 * z
    wx, wy, wz = w * x2, w * y2, w * z2
    return Matrix(
        Vector(1 - (yy + zz), xy - wz, xz + wy),
        Vector(xy + wz, 1 - (xx + zz), yz - wx),
        Vector(xz - wy, yz + wx, 1 - (xx + yy)),
    )


def rate(p: Sequence[Scalar], w: Vector) -> tuple[Scalar, Scalar, Scalar, Scalar]:
    """ṗ = ½ p ⊗ (0, ω) for the angular velocity ω in the turned frame."""
    a, b, c, d = p
    x, y, z = w.x / 2, w.y / 2, w.z / 2
    return -(b * x + c * y + d * z), a * x + c * z - d * y, a * y + d * x - b * z, a * z + b * y - c * x


def angular_velocity(p: Sequence[Scalar], dp: Sequence[Scalar]) -> Vector:
    """ω = 2 Im(p* ⊗ ṗ) in the turned frame, the other way round from `rate`."""
    a, b, c, d = p
    w, x, y, z = dp
    return Vector(
        2 * (a * x - b * w - c * z + d * y),
        2 * (a * y + b * z - c * w - d * x),
        2 * (a * z - b * y + c * x - d * w),
    )
