"""3 x 3 matrices: general ones and symmetric ones, turned about a coordinate axis at the least cost.

With a turn about z by an angle of cosine c and sine s, the block of x and y of a matrix B becomes, with
t = s (B_xx - B_yy) + c (B_xy + B_yx):

    B'_xx = B_xx - s t,  B'_yy = B_yy + s t,  B'_xy = c t - B_yx,  B'_yx = c t - B_xy

which is four products where the definition R B Rᵀ has sixteen. The other axes follow by cyclic exchange.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from armillary.spatial.scalar import Scalar, named
from armillary.spatial.vector import Vector


@dataclass(frozen=True, slots=True)
class Matrix:
    """Rows of a general 3 x 3 matrix."""

    x: Vector
    y: Vector
    z: Vector

    def __iter__(self) -> Iterator[Vector]:
        yield self.x
        yield self.y
        yield self.z

    def __getitem__(self, k: int) -> Vector:
        return (self.x, self.y, self.z)[k]

    @property
    def T(self) -> "Matrix":
        a, b, c = self.x, self.y, self.z
        return Matrix(Vector(a.x, b.x, c.x), Vector(a.y, b.y, c.y), Vector(a.z, b.z, c.z))

    def __add__(self, b: "Matrix") -> "Matrix":
        return Matrix(self.x + b.x, self.y + b.y, self.z + b.z)

    def __sub__(self, b: "Matrix") -> "Matrix":
        return Matrix(self.x - b.x, self.y - b.y, self.z - b.z)

    def __mul__(self, s: Scalar) -> "Matrix":
        return Matrix(self.x * s, self.y * s, self.z * s)

    def apply(self, v: Vector) -> Vector:
        """M v."""
        return Vector(self.x.dot(v), self.y.dot(v), self.z.dot(v))

    def times(self, b: "Matrix") -> "Matrix":
        """M B."""
        columns = [self.apply(column) for column in b.T]
        return Matrix(*columns).T

    def turned(self, axis: int, c: Scalar, s: Scalar) -> "Matrix":
        """R M Rᵀ with R the turn about a coordinate axis (0, 1, 2) by the angle of cosine c and sine s."""
        i, j, k = (axis + 1) % 3, (axis + 2) % 3, axis
        ii, ij, ik, ji, jj, jk, ki, kj = (
            self[a][b] for a, b in ((i, i), (i, j), (i, k), (j, i), (j, j), (j, k), (k, i), (k, j))
        )
        t = s * (ii - jj) + c * (ij + ji)
        st, ct = s * t, c * t
        rows = [[self[a][b] for b in range(3)] for a in range(3)]
        rows[i][i], rows[j][j] = ii - st, jj + st
        rows[i][j], rows[j][i] = ct - ji, ct - ij
        rows[i][k], rows[j][k] = c * ik - s * jk, s * ik + c * jk
        rows[k][i], rows[k][j] = c * ki - s * kj, s * ki + c * kj
        return Matrix(*(Vector(*row) for row in rows))


IDENTITY = Matrix(Vector(1, 0, 0), Vector(0, 1, 0), Vector(0, 0, 1))


def skew(v: Vector) -> Matrix:
    """v^ with v^ a = v × a."""
    return Matrix(Vector(0, -v.z, v.y), Vector(v.z, 0, -v.x), Vector(-v.y, v.x, 0))


@dataclass(frozen=True, slots=True)
class Symmetric:
    """The six elements of a symmetric 3 x 3 matrix."""

    xx: Scalar
    xy: Scalar
    xz: Scalar
    yy: Scalar
    yz: Scalar
    zz: Scalar

    def __iter__(self) -> Iterator[Scalar]:
        yield from (self.xx, self.xy, self.xz, self.yy, self.yz, self.zz)

    def __add__(self, b: "Symmetric") -> "Symmetric":
        return Symmetric(*(p + q for p, q in zip(self, b, strict=True)))

    def __sub__(self, b: "Symmetric") -> "Symmetric":
        return Symmetric(*(p - q for p, q in zip(self, b, strict=True)))

    def __mul__(self, s: Scalar) -> "Symmetric":
        return Symmetric(*(p * s for p in self))

    def full(self) -> Matrix:
        """The same as a general matrix."""
        return Matrix(
            Vector(self.xx, self.xy, self.xz), Vector(self.xy, self.yy, self.yz), Vector(self.xz, self.yz, self.zz)
        )

    def apply(self, v: Vector) -> Vector:
        """S v."""
        return self.full().apply(v)

    def turned(self, axis: int, c: Scalar, s: Scalar) -> "Symmetric":
        """R S Rᵀ with R the turn about a coordinate axis (0, 1, 2) by the angle of cosine c and sine s."""
        return upper(self.full().turned(axis, c, s))

    def named(self, name: str, index: object = "") -> "Symmetric":
        """Itself, its elements remembered as name11, name12, …"""
        ends = ("11", "12", "13", "22", "23", "33")
        return Symmetric(*(named(x, f"{name}{end}{index}") for x, end in zip(self, ends, strict=True)))


def upper(m: Matrix) -> Symmetric:
    """The symmetric matrix whose upper triangle is that of m."""
    return Symmetric(m.x.x, m.x.y, m.x.z, m.y.y, m.y.z, m.z.z)


def skew_square(v: Vector) -> Symmetric:
    """v^ v^ = v vᵀ - (vᵀv) 1."""
    xx, yy, zz = v.x * v.x, v.y * v.y, v.z * v.z
    return Symmetric(-(yy + zz), v.x * v.y, v.x * v.z, -(xx + zz), v.y * v.z, -(xx + yy))
