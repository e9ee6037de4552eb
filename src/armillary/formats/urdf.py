"""URDF: the links and joints of a tree, read into modified DH frames.

What is read: links with their inertials, joints (revolute, continuous, prismatic, fixed) with origin, axis, limits and
dynamics (damping is FV, friction FS). What says nothing about mechanics (visual, collision, transmission, vendors'
elements) is passed over. Floating, planar and mimic joints are refused by name; the whole robot floats when asked.

Every link of the file becomes a frame of its own name; the order, sign and zero of q are the file's. See `assembly` for
how links behind fixed joints are merged, how bodies are named and what becomes of links called "base" and "world".
"""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from armillary.expr.numbers import near_right_angle
from armillary.formats.assembly import MASSLESS, assemble, inertia_about_origin
from armillary.formats.frames import NO_LIMITS, Joint
from armillary.formats.source import robot_name, source_name
from armillary.formats.xml import Element, read_document
from armillary.robot import BASE, WORLD, Description, Limits
from armillary.robot.check import check
from armillary.robot.place import RIGHT, Array, turn
from armillary.spatial.inertia import Inertia

KINDS = {"revolute": "revolute", "continuous": "revolute", "prismatic": "prismatic", "fixed": "fixed"}
"""The joint types that are read, and the kind of joint that each is."""

REFUSED = {
    "floating": "leave out what it hangs on, and read with floating=True: the root of the file floats",
    "planar": "write it as two prismatic joints and a revolute one",
}
"""The joint types of URDF that are not, and why or what to write instead."""

LARGEST = 1e100
"""Numbers beyond this size (in SI units) are mistakes, and their squares would overflow."""


def read(source: str | Path, *, snap: float = RIGHT, ignore_mimic: bool = False, floating: bool = False) -> Description:
    """The robot of a URDF file or text; with `floating` its root hangs on nothing.

    Roll, pitch and yaw within `snap` (rad) of a multiple of pi/2 are that multiple, and components of a joint's axis
    below `snap` are 0: with snap=1e-4 a file's 1.5708 is pi/2, without it is 1.5708. With `ignore_mimic` a joint that
    mimics another one is read as a joint of its own.
    """
    robot = read_document(source)
    if robot.tag != "robot":
        raise robot.error(f"the outermost element is <{robot.tag}>; a URDF file begins with <robot>")
    for element in robot.children:
        if element.tag.startswith("xacro:"):
            raise element.error(f"<{element.tag}> is a macro of xacro; expand the file first: xacro FILE > robot.urdf")
    links = _named(robot, "link")
    joints = _named(robot, "joint")
    read_joints = [_joint(element, links, snap, ignore_mimic) for element in joints.values()]
    root = _root(robot, links, joints, read_joints, floating)
    description = assemble(
        name=robot.attributes.get("name", "").strip() or robot_name(robot.file),
        root=root,
        links={name: _inertia(element, snap) for name, element in links.items()},
        joints=read_joints,
        floating=floating,
        source=source_name(robot.file),
    )
    return check(
        description, lambda part, _: f"{robot.file}, line {_line(part, description, links, joints) or robot.line}: "
    )


def _line(part: str, description: Description, links: Mapping[str, Element], joints: Mapping[str, Element]) -> int:
    """Where the joint of a body, or the link of a frame, stands in the file; 0 where it is neither."""
    names = {body.name: joints[body.joint_name] for body in description.bodies if body.joint_name in joints}
    element = names.get(part) or links.get(part)
    return element.line if element else 0


# ---- links ----


def _inertia(link: Element, snap: float) -> Inertia:
    """The inertia of a link about the origin of its frame; a link without <inertial> has none."""
    inertial = link.first("inertial")
    if inertial is None:
        return MASSLESS
    mass = _number(_required(inertial, "mass"), "value")
    if mass < 0:
        raise _required(inertial, "mass").error(f"{_called(link)} has the mass {mass} kg; a mass is not negative")
    J = _required(inertial, "inertia")
    xx, xy, xz, yy, yz, zz = (_number(J, name) for name in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"))
    pose = _origin(inertial, snap)
    R = pose[:3, :3]
    about_center = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
    return inertia_about_origin(mass, pose[:3, 3], about_center)


# ---- joints ----


def _joint(joint: Element, links: Mapping[str, Element], snap: float, ignore_mimic: bool) -> Joint:
    """One joint; the links that it names exist."""
    kind = joint.attributes.get("type", "")
    if kind not in KINDS:
        why = f": {REFUSED[kind]}" if kind in REFUSED else ""
        raise joint.error(f"{_called(joint)} has the type {kind[:80]!r}; read are {', '.join(KINDS)}{why}")
    mimic = joint.first("mimic")
    if mimic is not None and not ignore_mimic:
        raise mimic.error(
            f"{_called(joint)} mimics the joint {mimic.attributes.get('joint', '')[:80]!r}: one coordinate that moves two joints cannot "
            "be said; make it fixed, or read with ignore_mimic=True and it has a coordinate of its own"
        )
    parent, child = (_link_of(joint, end, links) for end in ("parent", "child"))
    fixed = kind == "fixed"
    dynamics = joint.first("dynamics")
    return Joint(
        name=joint.attributes["name"],
        kind=KINDS[kind],
        parent=parent,
        child=child,
        pose=_origin(joint, snap),
        axis=np.array([0.0, 0.0, 1.0]) if fixed else _axis(joint, snap),
        FV=_friction(joint, dynamics, "damping"),
        FS=_friction(joint, dynamics, "friction"),
        limits=NO_LIMITS if fixed else _limits(joint, kind),
    )


def _link_of(joint: Element, end: str, links: Mapping[str, Element]) -> str:
    """The parent or the child of a joint."""
    element = _required(joint, end)
    name = element.attributes.get("link", "")
    if name not in links:
        raise element.error(f"{_called(joint)} has the {end} link {name[:80]!r}, and there is no <link> of that name")
    return name


def _axis(joint: Element, snap: float) -> Array:
    """The unit vector of a joint's axis, x where none is given."""
    element = joint.first("axis")
    axis = np.array([1.0, 0.0, 0.0]) if element is None else _vector(element, "xyz")
    size = float(np.abs(axis).max())
    if element is not None and size == 0:
        raise element.error(f"{_called(joint)} has the axis 0 0 0, which points nowhere")
    axis = axis / size
    unit = axis / np.linalg.norm(axis)
    unit = np.where(np.abs(unit) <= snap, 0.0, unit)
    return unit / np.linalg.norm(unit)


def _limits(joint: Element, kind: str) -> Limits:
    """The bounds of a joint. A continuous joint has none on its position; where one of lower and upper is left out it is 0."""
    element = joint.first("limit")
    if element is None:
        return NO_LIMITS
    given = {
        name: _number(element, name, infinite=True)
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
    value = _number(dynamics, name)
    if value < 0:
        raise dynamics.error(f"{_called(joint)} has the {name} {value}; it takes energy away and is not negative")
    return value


# ---- the tree ----


def _root(
    robot: Element,
    links: Mapping[str, Element],
    joints: Mapping[str, Element],
    read_joints: Sequence[Joint],
    floating: bool,
) -> str:
    """The link that all others hang on, each by one joint."""
    carried: dict[str, str] = {}
    for joint in read_joints:
        if joint.child in carried:
            raise joints[joint.name].error(
                f"the link {joint.child!r} is the child of two joints, {carried[joint.child]!r} and {joint.name!r}; "
                "in a tree it hangs on one"
            )
        carried[joint.child] = joint.name
    roots = [name for name in links if name not in carried]
    if not links:
        raise robot.error("<robot> has no <link>")
    if not roots:
        raise robot.error("every link is the child of a joint, so none is the root; the joints lead round in a circle")
    if len(roots) > 1:
        names = ", ".join(f"{name!r} (line {links[name].line})" for name in roots[:10])
        raise links[roots[1]].error(
            f"{len(roots)} links are the child of no joint: {names}; a robot has one root, and all else hangs on it"
        )
    _reach_all(roots[0], joints, read_joints)
    _refuse_moving(roots[0], links, read_joints, floating)
    return roots[0]


def _reach_all(root: str, joints: Mapping[str, Element], read_joints: Sequence[Joint]) -> None:
    """Every link has one joint towards the root; those that never get there go round in a circle."""
    reached = _reach(root, read_joints)
    for joint in read_joints:
        if joint.child not in reached:
            raise joints[joint.name].error(
                f"{_called(joints[joint.name])} is part of a circle of joints, which never leads to the root {root!r}"
            )


def _refuse_moving(root: str, links: Mapping[str, Element], read_joints: Sequence[Joint], floating: bool) -> None:
    """The names of the base and the world are those of links that stand still; only the root that floats may be called base."""
    still = {BASE} & {root} if floating else _reach(root, [joint for joint in read_joints if joint.kind == "fixed"])
    for name in (BASE, WORLD):
        if name in links and name not in still:
            raise links[name].error(
                f"the link {name!r} moves; that name is kept for what stands still: rename the link"
            )


def _reach(root: str, joints: Sequence[Joint]) -> set[str]:
    """The links that some joints lead to, from the root outwards."""
    leaving: dict[str, list[str]] = {}
    for joint in joints:
        leaving.setdefault(joint.parent, []).append(joint.child)
    reached, todo = {root}, [root]
    while todo:
        todo += (new := [child for child in leaving.get(todo.pop(), ()) if child not in reached])
        reached.update(new)
    return reached


# ---- elements and attributes ----


def _named(robot: Element, tag: str) -> dict[str, Element]:
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


def _called(element: Element) -> str:
    """What errors call a link or a joint."""
    return f"the {element.tag} {element.attributes.get('name', '')[:80]!r}"


def _required(element: Element, tag: str) -> Element:
    found = element.first(tag)
    if found is None:
        raise element.error(f"<{element.tag}> without <{tag}>")
    return found


def _origin(element: Element, snap: float) -> Array:
    """The pose of an <origin>: p and R = Rz(yaw) Ry(pitch) Rx(roll)."""
    origin = element.first("origin")
    if origin is None:
        return np.eye(4)
    roll, pitch, yaw = (near_right_angle(float(x), max(snap, RIGHT)) for x in _vector(origin, "rpy", absent=True))
    pose = turn("z", yaw) @ turn("y", pitch) @ turn("x", roll)
    pose[:3, 3] = _vector(origin, "xyz", absent=True)
    return pose


def _vector(element: Element, name: str, absent: bool = False) -> Array:
    """Three numbers of an attribute; zeros where it may be absent and is."""
    if absent and name not in element.attributes:
        return np.zeros(3)
    words = _attribute(element, name).split()
    if len(words) != 3:
        raise element.error(f"<{element.tag} {name}> has {len(words)} numbers; it takes 3")
    return np.array([_float(element, name, word) for word in words])


def _number(element: Element, name: str, infinite: bool = False) -> float:
    return _float(element, name, _attribute(element, name).strip(), infinite)


def _attribute(element: Element, name: str) -> str:
    if name not in element.attributes:
        raise element.error(f"<{element.tag}> without {name}")
    return element.attributes[name]


def _float(element: Element, name: str, word: str, infinite: bool = False) -> float:
    try:
        x = float(word)
    except ValueError:
        x = math.nan
    if abs(x) <= LARGEST or (infinite and not math.isnan(x)):
        return x
    hint = "; expand the file with xacro first" if "${" in word else ""
    raise element.error(f"<{element.tag} {name}> has {word[:80]!r}, which is not a finite number{hint}")
