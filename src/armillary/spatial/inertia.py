"""Rigid inertia: ten numbers about the origin of the link's frame, in which every force is linear.

J = [XX XY XZ; XY YY YZ; XZ YZ ZZ] is the inertia matrix about the frame's origin, MS = (MX, MY, MZ) the first moment, M the mass.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from armillary.spatial.matrix import Symmetric
from armillary.spatial.rate import Rate
from armillary.spatial.rotation import Rotation
from armillary.spatial.scalar import Scalar, named
from armillary.spatial.transform import Transform
from armillary.spatial.vector import Vector


@dataclass(frozen=True, slots=True)
class Inertia:
    """J (kg m²) and MS (kg m) about the frame's origin, M (kg)."""

    J: Symmetric
    MS: Vector
    M: Scalar

    def __iter__(self) -> Iterator[Scalar]:
        """XX, XY, XZ, YY, YZ, ZZ, MX, MY, MZ, M."""
        yield from self.J
        yield from self.MS
        yield self.M

    def __add__(self, b: "Inertia") -> "Inertia":
        return Inertia(self.J + b.J, self.MS + b.MS, self.M + b.M)

    def force(self, U: Rate, dv: Vector) -> Vector:
        """Rate of linear momentum of a link whose origin accelerates by dv: f = M v̇ + U MS (Khalil 2010, 21)."""
        return dv * self.M + U.apply(self.MS)

    @property
    def E(self) -> Scalar:
        """XX + YY - ZZ: twice the second moment along z, which no turn about z changes."""
        return self.J.xx + self.J.yy - self.J.zz

    @property
    def second_moments(self) -> Symmetric:
        """∫ r rᵀ dm = ½ tr(J) 1 - J."""
        J = self.J
        half = (J.xx + J.yy + J.zz) / 2
        return Symmetric(half - J.xx, -J.xy, -J.xz, half - J.yy, -J.yz, half - J.zz)

    def moment(self, U: Rate, dv: Vector, E: Scalar | None = None) -> Vector:
        """Moment about the origin: n = J ω̇ + ω × J ω + MS × v̇ (Khalil 2010, 21), from the elements of U.

        With U = ω̇^ + ω^ω^ the first two terms are, along x, y and z,

            XX U_zy - E ω_y ω_z + XZ U_yx - XY U_zx + YZ (U_yy - U_zz)
            E ω_x ω_z - YY U_zx + XY U_zy - YZ U_xy + XZ (U_zz - U_xx)
            ZZ ω̇_z + (YY - XX) ω_x ω_y + YZ U_xz - XZ U_yz + XY (U_xx - U_yy)

        fifteen products, the combinations of inertias being the link's own; thirteen where E = XX + YY - ZZ is zero, which the
        caller may know of an inertia that has been turned.
        """
        XX, XY, XZ, YY, YZ, ZZ = self.J
        E, u = self.E if E is None else E, U.matrix
        return Vector(
            XX * u.z.y - E * U.yz + XZ * u.y.x - XY * u.z.x + YZ * (u.y.y - u.z.z),
            E * U.xz - YY * u.z.x + XY * u.z.y - YZ * u.x.y + XZ * (u.z.z - u.x.x),
            ZZ * U.dw.z + (YY - XX) * U.xy + YZ * u.x.z - XZ * u.y.z + XY * (u.x.x - u.y.y),
        ) + self.MS.cross(dv)

    def times(self, v: Vector, w: Vector) -> tuple[Vector, Vector]:
        """The spatial inertia times a motion (v, ω): (M v + ω × MS, J ω + MS × v)."""
        return v * self.M + w.cross(self.MS), self.J.apply(w) + self.MS.cross(v)

    def named(self, name: str, index: object = "") -> "Inertia":
        """Itself, its elements remembered as nameJ11…, nameMS1…, nameM."""
        return Inertia(
            self.J.named(f"{name}J", index), self.MS.named(f"{name}MS", index), named(self.M, f"{name}M{index}")
        )

    def turned(self, R: Rotation) -> "Inertia":
        """The same in the components before a turn: R J Rᵀ, R MS."""
        return Inertia(R.conjugate_symmetric(self.J), R.apply(self.MS), self.M)

    def seen_from(self, T: Transform) -> "Inertia":
        """The same inertia about the origin of frame a and in its components, for T = ᵃT_b.

        ᵃMS = R MS + M P; ᵃJ = R J Rᵀ - (P^ (R MS)^ + (R MS)^ P^) - M P^P^.
        """
        MS = T.rotation.apply(self.MS)
        P = T.position
        moved = MS + P * self.M
        return Inertia(T.rotation.conjugate_symmetric(self.J) + parallel_axis(P, MS, moved), moved, self.M)


def parallel_axis(P: Vector, MS: Vector, moved: Vector) -> Symmetric:
    """-(P^ MS^ + moved^ P^) with moved = MS + M P: what the inertia about the old origin lacks about the new one."""
    xx, yy, zz = P.x * (MS.x + moved.x), P.y * (MS.y + moved.y), P.z * (MS.z + moved.z)
    return Symmetric(
        yy + zz,
        -(P.x * moved.y + P.y * MS.x),
        -(P.x * moved.z + P.z * MS.x),
        xx + zz,
        -(P.y * moved.z + P.z * MS.y),
        xx + yy,
    )
