"""The joints of a URDF file: those of the tree, those that close loops, and those that follow others."""

from collections.abc import Iterator, Mapping

import numpy as np

from armillary.formats.assembly import Closing, Spot
from armillary.formats.attributes import attribute, direction, number, vector
from armillary.formats.frames import NO_LIMITS, Joint
from armillary.formats.urdf.elements import called, origin_of, pose_of, required
from armillary.formats.xml import Element
from armillary.robot import CUTS, JOINTS, WORLD, Limits
from armillary.robot.coupling import Coupling
from armillary.robot.place import Array, approach, length, pose

KINDS = {
    "revolute": "revolute",
    "continuous": "revolute",
    "prismatic": "prismatic",
    "fixed": "fixed",
    "floating": "free",
    "planar": "planar",
}
"""The joint types that are read, and the kind of joint that each is."""

LOOPS = {"continuous": "revolute", "ball": "spherical"} | {kind: kind for kind in CUTS}
"""The types of joints that close loops, and the kind of cut joint that each is."""

FLOATING = "root_joint"
"""The joint under the root of a robot that floats."""


def joint_of(joint: Element, links: Mapping[str, Element], snap: float) -> Joint:
    """One joint; the links that it names exist."""
    kind = joint.attributes.get("type", "")
    if kind not in KINDS:
        raise joint.error(f"{called(joint)} has the type {kind[:80]!r}; read are {', '.join(KINDS)}")
    parent, child = (_link_of(joint, end, links) for end in ("parent", "child"))
    directed = kind not in ("fixed", "floating")
    dynamics = joint.first("dynamics")
    return Joint(
        name=joint.attributes["name"],
        kind=KINDS[kind],
        parent=parent,
        child=child,
        pose=origin_of(joint, snap),
        axis=_axis(joint, snap) if directed else np.array([0.0, 0.0, 1.0]),
        FV=_friction(joint, dynamics, "damping"),
        FS=_friction(joint, dynamics, "friction"),
        limits=_limits(joint, kind) if JOINTS[KINDS[kind]].nv == 1 else NO_LIMITS,
    )


def float_root(root: str) -> Joint:
    """The joint of a robot that hangs on nothing."""
    return Joint(FLOATING, "free", WORLD, root, np.eye(4), np.array([0.0, 0.0, 1.0]))


def frame_of(element: Element, links: Mapping[str, Element], snap: float) -> Spot:
    """A further frame on a link."""
    return Spot(_link_of(element, "parent", links), origin_of(element, snap))


def closing_of(joint: Element, links: Mapping[str, Element], snap: float) -> Closing:
    """A joint that closes a loop, with z of its two frames along its axis."""
    kind = joint.attributes.get("type", "")
    if kind not in LOOPS:
        raise joint.error(f"{called(joint)} has the type {kind[:80]!r}; read are {', '.join(LOOPS)}")
    along = pose(approach(np.zeros(3), _axis(joint, snap), scale=1.0))
    a, b = (
        Spot(_link_of(joint, end, links), pose_of(required(joint, end), snap) @ along) for end in ("link1", "link2")
    )
    dynamics = joint.first("dynamics")
    FV, FS = (_friction(joint, dynamics, name) for name in ("damping", "friction"))
    return Closing(joint.attributes["name"], LOOPS[kind], a, b, FV, FS)


def coupling_of(joint: Element) -> Iterator[Coupling]:
    """What a joint that mimics another one follows: multiplier · q + offset. It has no motor then."""
    mimic = joint.first("mimic")
    if mimic is not None:
        name, leader = joint.attributes["name"], attribute(mimic, "joint")
        ratio, offset = number(mimic, "multiplier", 1.0), number(mimic, "offset", 0.0)
        yield Coupling(f"{name} with {leader}", name, leader, length(ratio, 0), length(offset, 0))


def _link_of(joint: Element, end: str, links: Mapping[str, Element]) -> str:
    """The link at one end of a joint or a frame."""
    element = required(joint, end)
    name = element.attributes.get("link", "")
    if name not in links:
        raise element.error(f"{called(joint)} has the {end} link {name[:80]!r}, and there is no <link> of that name")
    return name


def _axis(joint: Element, snap: float) -> Array:
    """The unit vector of a joint's axis, x where none is given."""
    element = joint.first("axis")
    if element is None:
        return np.array([1.0, 0.0, 0.0])
    return direction(element, vector(element, "xyz", 3), snap)


def _limits(joint: Element, kind: str) -> Limits:
    """The bounds of a joint. A continuous joint has none on its position; where one of lower and upper is left out it is 0."""
    element = joint.first("limit")
    if element is None:
        return NO_LIMITS
    given = {
        name: number(element, name, infinite=True)
        for name in ("lower", "upper", "velocity", "effort")
        if name in element.attributes
    }
    lower = upper = None
    if kind != "continuous" and given.keys() & {"lower", "upper"}:
        lower, upper = given.get("lower", 0.0), given.get("upper", 0.0)
    return Limits(lower, upper, given.get("velocity"), given.get("effort"))


def _friction(joint: Element, dynamics: Element | None, name: str) -> float:
    if dynamics is None or name not in dynamics.attributes:
        return 0.0
    value = number(dynamics, name)
    if value < 0:
        raise dynamics.error(f"{called(joint)} has the {name} {value}; it takes energy away and is not negative")
    return value
