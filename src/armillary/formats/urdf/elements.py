"""The elements that URDF is made of: links and joints by name, poses."""

import numpy as np

from armillary.expr.numbers import near_right_angle
from armillary.formats.attributes import vector
from armillary.formats.xml import Element
from armillary.robot.place import RIGHT, Array, turn


def named(robot: Element, tag: str) -> dict[str, Element]:
    """The links or joints by name."""
    found: dict[str, Element] = {}
    for element in robot.all(tag):
        name = element.attributes.get("name", "")
        if not name.strip():
            raise element.error(f"a <{tag}> without a name")
        if name in found:
            raise element.error(f"two <{tag}> are called {name[:80]!r}; the first stands on line {found[name].line}")
        found[name] = element
    return found


def called(element: Element) -> str:
    """What errors call a link or a joint."""
    return f"the {element.tag} {element.attributes.get('name', '')[:80]!r}"


def required(element: Element, tag: str) -> Element:
    found = element.first(tag)
    if found is None:
        raise element.error(f"<{element.tag}> without <{tag}>")
    return found


def origin_of(element: Element, snap: float) -> Array:
    """The pose of the <origin> in an element."""
    origin = element.first("origin")
    return np.eye(4) if origin is None else pose_of(origin, snap)


def pose_of(origin: Element, snap: float) -> Array:
    """The pose of xyz and rpy: p and R = Rz(yaw) Ry(pitch) Rx(roll)."""
    roll, pitch, yaw = (near_right_angle(float(x), max(snap, RIGHT)) for x in vector(origin, "rpy", 3, (0, 0, 0)))
    T = turn("z", yaw) @ turn("y", pitch) @ turn("x", roll)
    T[:3, 3] = vector(origin, "xyz", 3, (0, 0, 0))
    return T
