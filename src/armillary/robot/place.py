"""Any rigid transform, given as numbers, written as a `Placement`.

Two z axes in space have a common normal: γ and b turn and shift the first frame to its foot, α and d lead along it to
the second axis, θ and r to the second frame. Towards parallel axes the feet of the normal run away to infinity, and
with them the precision, so axes less than `NEAR` from parallel are reached as Hayati does: through the point where the
second axis pierces the first frame's xy plane, with the small angles α and β between the axes.

What is free is chosen so that zeros arise: b = 0 between parallel axes, γ = 0 too where they coincide.
"""

import math
from dataclasses import replace
from fractions import Fraction
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from armillary.errors import RobotError
from armillary.expr.numbers import Number, PiMultiple, near_right_angle, negative, normalise
from armillary.robot.placement import Placement
from armillary.robot.value import Formula, Value

Array = NDArray[np.float64]

NEAR = 0.05
"""Axes within this angle (rad) of parallel keep Hayati's β; the common normal would lose 1 / angle of the precision."""

RIGHT = 1e-12
"""An angle (rad) this close to a multiple of pi/2 is that multiple."""

ZERO = 1e-14
"""A length below this part of the lengths that it was computed from is 0: it is what rounding left of them."""

_QUARTERS = ((1, 0), (0, 1), (-1, 0), (0, -1))


def pose(placement: Placement) -> Array:
    """The 4 x 4 matrix of a placement of numbers; turns by right angles are exact."""
    steps = placement.steps(lambda x: x)
    return reduce(np.matmul, (turn(k[1], x) if k[0] == "R" else shift(k[1], x) for k, x in steps), np.eye(4))


def turn(axis: str, angle: Value) -> Array:
    """The 4 x 4 matrix of a turn about "x", "y" or "z"."""
    c, s = _cos_sin(angle)
    i, j = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
    T = np.eye(4)
    T[i, i] = T[j, j] = c
    T[i, j], T[j, i] = -s, s
    return T


def shift(axis: str, length: Value) -> Array:
    """The 4 x 4 matrix of a shift along "x", "y" or "z"."""
    T = np.eye(4)
    T["xyz".index(axis), 3] = _float(length)
    return T


def inverse(T: Array) -> Array:
    """The inverse of a rigid transform."""
    R, p = T[:3, :3], T[:3, 3]
    result = np.eye(4)
    result[:3, :3], result[:3, 3] = R.T, -R.T @ p
    return result


def place(T: Array, *, scale: float | None = None, snap: float = RIGHT) -> Placement:
    """The placement whose 4 x 4 matrix is T.

    `scale` (m) is the size of the lengths that T was computed from, |T's position| unless given: lengths below 1e-14 of
    it are 0. Angles within `snap` (rad) of a multiple of pi/2 are that multiple.
    """
    if scale is None:
        scale = float(np.linalg.norm(T[:3, 3]))
    first = approach(T[:3, 3], T[:3, 2], scale=scale, snap=snap)
    rest = inverse(pose(first)) @ T
    return Placement(
        gamma=first.gamma,
        b=first.b,
        alpha=first.alpha,
        d=first.d,
        beta=first.beta,
        theta=angle(math.atan2(rest[1, 0], rest[0, 0]), snap),
        r=length(rest[2, 3], scale),
    )


def approach(point: Array, axis: Array, *, scale: float, snap: float = RIGHT) -> Placement:
    """γ, b, α, d, β to a frame whose z axis goes through `point` along the unit vector `axis`; θ = r = 0.

    γ is in (-pi/2, pi/2], so that d has the sign of what lies along x, and α is in (-pi, pi].
    """
    x, y, z = (float(u) for u in axis)
    tilt = angle(math.atan2(math.hypot(x, y), z), snap)
    if tilt in (0, PiMultiple(Fraction(1))):
        gamma, d = _polar(float(point[0]), float(point[1]), scale, snap)
        return Placement(gamma=gamma, alpha=tilt, d=d)
    if math.hypot(x, y) < NEAR:
        t = -float(point[2]) / z
        gamma, d = _polar(float(point[0]) + t * x, float(point[1]) + t * y, scale, snap)
        return _normal(x, y, tilt, snap) if d == 0 else _nearly_parallel(gamma, d, (x, y, z), snap)
    first = _normal(x, y, tilt, snap)
    c, s = _cos_sin(first.gamma)
    along, across = float(point[0]) * c + float(point[1]) * s, float(point[1]) * c - float(point[0]) * s
    b = float(point[2]) + z * across / (x * s - y * c)
    return replace(first, b=length(b, scale), d=length(along, scale))


def _normal(x: float, y: float, tilt: Number, snap: float) -> Placement:
    """γ that turns x across the axis (x, y, ·), and α: for axes that meet at the origin."""
    gamma, flipped = _half(math.atan2(x, -y), snap)
    return Placement(gamma=gamma, alpha=negative(tilt) if flipped else tilt)


def _nearly_parallel(gamma: Number, d: Number, axis: tuple[float, float, float], snap: float) -> Placement:
    """α and β to an axis that pierces the xy plane at d (cos γ, sin γ).

    Turned back by γ, the axis is (sin β, -sin α cos β, cos α cos β).
    """
    c, s = _cos_sin(gamma)
    x, y, z = c * axis[0] + s * axis[1], c * axis[1] - s * axis[0], axis[2]
    alpha, beta = angle(math.atan2(-y, z), snap), angle(math.atan2(x, math.hypot(y, z)), snap)
    return Placement(gamma=gamma, alpha=alpha, d=d, beta=beta)


def angle(x: float, snap: float = RIGHT) -> Number:
    """An angle in (-pi, pi]: the multiple of pi/2 near it, or a tidy number."""
    near = near_right_angle(x, max(snap, RIGHT))
    if near == PiMultiple(Fraction(-1)):
        return PiMultiple(Fraction(1))
    return tidy(near, 1.0) if isinstance(near, float) else near


def length(x: float, scale: float) -> Number:
    """A length (or any other computed number): 0 where it is but the rounding of lengths of size `scale`, else tidy."""
    return 0 if abs(x) <= ZERO * scale else tidy(x, scale)


def tidy(x: float, scale: float) -> Number:
    """x, or the decimal of at most 12 digits within the rounding of numbers of size `scale`.

    0.0825 again where arithmetic left 0.08249999999999999.
    """
    short = float(f"{x:.12g}")
    return normalise(short if abs(short - x) <= 8 * np.finfo(float).eps * scale else x)


def _polar(x: float, y: float, scale: float, snap: float) -> tuple[Number, Number]:
    """γ in (-pi/2, pi/2] and d with d (cos γ, sin γ) = (x, y); both 0 at the origin."""
    d = length(math.hypot(x, y), scale)
    if d == 0:
        return 0, 0
    gamma, flipped = _half(math.atan2(y, x), snap)
    return gamma, negative(d) if flipped else d


def _half(x: float, snap: float) -> tuple[Number, bool]:
    """The angle of the same line in (-pi/2, pi/2], and whether it points the other way."""
    right = angle(x, snap)
    if -math.pi / 2 < float(right) <= math.pi / 2:
        return right, False
    return angle(x - math.copysign(math.pi, x), snap), True


def _cos_sin(x: Value) -> tuple[float, float]:
    if isinstance(x, PiMultiple) and x.ratio.denominator <= 2:
        c, s = _QUARTERS[int(2 * x.ratio) % 4]
        return float(c), float(s)
    return math.cos(_float(x)), math.sin(_float(x))


def _float(x: Value) -> float:
    if isinstance(x, Formula):
        raise RobotError(f"{x} is not a number: only placements of numbers have a matrix of numbers")
    return float(x)
