"""Where an element stands in the one around it: its position, and one of five ways to write a rotation."""

from collections.abc import Callable

import numpy as np

from armillary.expr.numbers import near_right_angle
from armillary.formats.attributes import direction, vector
from armillary.formats.mjcf.settings import Settings
from armillary.formats.xml import Element
from armillary.robot.place import Array, turn
from armillary.spatial.quaternion import rotation_matrix


def pose_of(element: Element, settings: Settings) -> Array:
    """The pose of an element in the frame around it. Elements of R up to `settings.snap` are 0."""
    T = np.eye(4)
    T[:3, 3] = vector(element, "pos", 3, (0, 0, 0))
    ways = [name for name in WAYS if name in element.attributes]
    if len(ways) > 1:
        raise element.error(f"<{element.tag}> is turned by {' and by '.join(ways)}; give one of them")
    for name in ways:
        T[:3, :3] = _snapped(WAYS[name](element, settings), settings.snap)
    return T


def about(axis: Array, angle: float) -> Array:
    """The matrix of a turn by `angle` (rad) about a unit vector: c 1 + s [a×] + (1 - c) a aᵀ."""
    c, s = turn("z", near_right_angle(angle))[:2, 0]
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return c * np.eye(3) + s * cross + (1 - c) * np.outer(axis, axis)


def quaternion(element: Element, given: Array) -> Array:
    """The matrix of a quaternion (w, x, y, z) of any length."""
    size = float(np.abs(given).max())
    if size == 0:
        raise element.error(f"<{element.tag}> has the quaternion 0 0 0 0, which is no rotation")
    p = given / size
    R = rotation_matrix([float(x) for x in p / np.linalg.norm(p)])
    return np.array([[float(x) for x in row] for row in R])


def shortest(z: Array) -> Array:
    """The shortest turn that takes the z axis to the unit vector z; where it is half a turn, it is about x."""
    across = np.array([-z[1], z[0], 0.0])
    s, c = float(np.linalg.norm(across)), float(z[2])
    axis = across / s if s > 0 else np.array([1.0, 0.0, 0.0])
    return about(axis, float(np.arctan2(s, c)))


def between(ends: Array) -> Array:
    """The pose in the middle of two points, (x, y, z) each, whose z leads from the second to the first."""
    way = ends[:3] - ends[3:]
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = shortest(way / np.linalg.norm(way)), (ends[:3] + ends[3:]) / 2
    return T


def _quat(element: Element, settings: Settings) -> Array:
    return quaternion(element, vector(element, "quat", 4))


def _axisangle(element: Element, settings: Settings) -> Array:
    given = vector(element, "axisangle", 4)
    return about(direction(element, given[:3], 0.0), settings.angle(float(given[3])))


def _euler(element: Element, settings: Settings) -> Array:
    """Turns one after another, about axes that move along (small letters) or stand still (capital ones)."""
    R = np.eye(3)
    for letter, x in zip(settings.euler, vector(element, "euler", 3), strict=True):
        one = turn(letter.lower(), near_right_angle(settings.angle(float(x))))[:3, :3]
        R = R @ one if letter.islower() else one @ R
    return R


def _xyaxes(element: Element, settings: Settings) -> Array:
    """x, and y as far as it is square to x."""
    given = vector(element, "xyaxes", 6)
    x = direction(element, given[:3], 0.0)
    y = direction(element, given[3:] - x * (x @ given[3:]), 0.0)
    return np.stack([x, y, np.cross(x, y)], axis=1)


def _zaxis(element: Element, settings: Settings) -> Array:
    return shortest(direction(element, vector(element, "zaxis", 3), 0.0))


WAYS: dict[str, Callable[[Element, Settings], Array]] = {
    "quat": _quat,
    "axisangle": _axisangle,
    "euler": _euler,
    "xyaxes": _xyaxes,
    "zaxis": _zaxis,
}


def _snapped(R: Array, snap: float) -> Array:
    """The rotation next to R with its elements up to `snap` struck out."""
    struck = np.where(np.abs(R) <= snap, 0.0, R)
    U, _, V = np.linalg.svd(struck)
    return R if (struck == R).all() else np.where(np.abs(U @ V) <= snap, 0.0, U @ V)
