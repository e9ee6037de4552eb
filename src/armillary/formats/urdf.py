"""URDF: the links and joints of a tree, read into modified DH frames.

What is read: links with their inertials, joints (revolute, continuous, prismatic, fixed, floating, planar) with origin,
axis, limits and dynamics (damping is FV, friction FS), and two elements that tools have added to URDF:

    <loop_joint name="pin" type="revolute">         a joint that closes a loop, between frames on two links
      <link1 link="crank" xyz="…" rpy="…"/> <link2 link="rod" xyz="…" rpy="…"/> <axis xyz="…"/>
    </loop_joint>
    <fixed_frame name="tool"> <parent link="hand"/> <origin xyz="…" rpy="…"/> </fixed_frame>

The axis of a loop joint has the same components in both of its frames. A joint that mimics another one is coupled to it.
What says nothing about mechanics (visual, collision, transmission, vendors' elements) is passed over. The whole robot
floats when asked.

Every link of the file becomes a frame of its own name; the order, sign and zero of q are the file's. See `assembly` for
how links behind fixed joints are merged, how bodies are named and what becomes of links called "base" and "world".
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from armillary.expr.numbers import near_right_angle
from armillary.formats.assembly import MASSLESS, Closing, Spot, assemble, inertia_about_origin
from armillary.formats.attributes import attribute, direction, number, vector
from armillary.formats.frames import NO_LIMITS, Joint
from armillary.formats.source import robot_name, source_name
from armillary.formats.xml import Element, read_document
from armillary.robot import BASE, CUTS, JOINTS, WORLD, Description, Limits
from armillary.robot.check import check
from armillary.robot.coupling import Coupling
from armillary.robot.place import RIGHT, Array, approach, length, pose, turn
from armillary.spatial.inertia import Inertia

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


def read(source: str | Path, *, snap: float = RIGHT, ignore_mimic: bool = False, floating: bool = False) -> Description:
    """The robot of a URDF file or text; with `floating` its root hangs on nothing.

    Roll, pitch and yaw within `snap` (rad) of a multiple of pi/2 are that multiple, and components of a joint's axis
    below `snap` are 0: with snap=1e-4 a file's 1.5708 is pi/2, without it is 1.5708. With `ignore_mimic` a joint that
    mimics another one is free of it.
    """
    robot = read_document(source)
    if robot.tag != "robot":
        raise robot.error(f"the outermost element is <{robot.tag}>; a URDF file begins with <robot>")
    for element in robot.children:
        if element.tag.startswith("xacro:"):
            raise element.error(f"<{element.tag}> is a macro of xacro; expand the file first: xacro FILE > robot.urdf")
    links = _named(robot, "link")
    joints = _named(robot, "joint")
    loops = _named(robot, "loop_joint")
    frames = _named(robot, "fixed_frame")
    read_joints = [_joint(element, links, snap) for element in joints.values()]
    root = _root(robot, links, joints, read_joints)
    _refuse_moving(root, links, read_joints, floating)
    couplings = [] if ignore_mimic else [c for element in joints.values() for c in _coupling(element)]
    followers = {coupling.joint for coupling in couplings}
    read_joints = [replace(joint, actuated=False) if joint.name in followers else joint for joint in read_joints]
    inertias = {name: _inertia(element, snap) for name, element in links.items()}
    if floating:
        inertias, read_joints, root = {WORLD: MASSLESS, **inertias}, [_float(root), *read_joints], WORLD
    description = assemble(
        name=robot.attributes.get("name", "").strip() or robot_name(robot.file),
        root=root,
        links=inertias,
        joints=read_joints,
        spots={name: _frame(element, links, snap) for name, element in frames.items()},
        closings=[_closing(element, links, snap) for element in loops.values()],
        couplings=couplings,
        source=source_name(robot.file),
    )
    lines = {**links, **frames, **loops, **{coupling.name: joints[coupling.joint] for coupling in couplings}}
    lines |= {body.name: joints[body.joint_name] for body in description.bodies if body.joint_name in joints}
    return check(description, lambda part, _: f"{robot.file}, line {lines.get(part, robot).line}: ")


# ---- links ----


def _inertia(link: Element, snap: float) -> Inertia:
    """The inertia of a link about the origin of its frame; a link without <inertial> has none."""
    inertial = link.first("inertial")
    if inertial is None:
        return MASSLESS
    mass = number(_required(inertial, "mass"), "value")
    if mass < 0:
        raise _required(inertial, "mass").error(f"{_called(link)} has the mass {mass} kg; a mass is not negative")
    J = _required(inertial, "inertia")
    xx, xy, xz, yy, yz, zz = (number(J, name) for name in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"))
    T = _origin(inertial, snap)
    R = T[:3, :3]
    about_center = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
    return inertia_about_origin(mass, T[:3, 3], about_center)


# ---- joints ----


def _joint(joint: Element, links: Mapping[str, Element], snap: float) -> Joint:
    """One joint; the links that it names exist."""
    kind = joint.attributes.get("type", "")
    if kind not in KINDS:
        raise joint.error(f"{_called(joint)} has the type {kind[:80]!r}; read are {', '.join(KINDS)}")
    parent, child = (_link_of(joint, end, links) for end in ("parent", "child"))
    directed = kind not in ("fixed", "floating")
    dynamics = joint.first("dynamics")
    return Joint(
        name=joint.attributes["name"],
        kind=KINDS[kind],
        parent=parent,
        child=child,
        pose=_origin(joint, snap),
        axis=_axis(joint, snap) if directed else np.array([0.0, 0.0, 1.0]),
        FV=_friction(joint, dynamics, "damping"),
        FS=_friction(joint, dynamics, "friction"),
        limits=_limits(joint, kind) if JOINTS[KINDS[kind]].nv == 1 else NO_LIMITS,
    )


def _float(root: str) -> Joint:
    """The joint of a robot that hangs on nothing."""
    return Joint(FLOATING, "free", WORLD, root, np.eye(4), np.array([0.0, 0.0, 1.0]))


def _frame(element: Element, links: Mapping[str, Element], snap: float) -> Spot:
    """A further frame on a link."""
    return Spot(_link_of(element, "parent", links), _origin(element, snap))


def _closing(joint: Element, links: Mapping[str, Element], snap: float) -> Closing:
    """A joint that closes a loop, with z of its two frames along its axis."""
    kind = joint.attributes.get("type", "")
    if kind not in LOOPS:
        raise joint.error(f"{_called(joint)} has the type {kind[:80]!r}; read are {', '.join(LOOPS)}")
    along = pose(approach(np.zeros(3), _axis(joint, snap), scale=1.0))
    a, b = (Spot(_link_of(joint, end, links), _pose(_required(joint, end), snap) @ along) for end in ("link1", "link2"))
    dynamics = joint.first("dynamics")
    FV, FS = (_friction(joint, dynamics, name) for name in ("damping", "friction"))
    return Closing(joint.attributes["name"], LOOPS[kind], a, b, FV, FS)


def _coupling(joint: Element) -> Iterator[Coupling]:
    """What a joint that mimics another one follows: multiplier · q + offset. It has no motor then."""
    mimic = joint.first("mimic")
    if mimic is not None:
        name, leader = joint.attributes["name"], attribute(mimic, "joint")
        ratio, offset = number(mimic, "multiplier", 1.0), number(mimic, "offset", 0.0)
        yield Coupling(f"{name} with {leader}", name, leader, length(ratio, 0), length(offset, 0))


def _link_of(joint: Element, end: str, links: Mapping[str, Element]) -> str:
    """The link at one end of a joint or a frame."""
    element = _required(joint, end)
    name = element.attributes.get("link", "")
    if name not in links:
        raise element.error(f"{_called(joint)} has the {end} link {name[:80]!r}, and there is no <link> of that name")
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
        raise dynamics.error(f"{_called(joint)} has the {name} {value}; it takes energy away and is not negative")
    return value


# ---- the tree ----


def _root(
    robot: Element,
    links: Mapping[str, Element],
    joints: Mapping[str, Element],
    read_joints: Sequence[Joint],
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
    """The names of the base and the world are those of links that stand still; a link that floats may be called base."""
    floats = {joint.child for joint in read_joints if joint.kind == "free"}
    still = _reach(root, [joint for joint in read_joints if joint.kind == "fixed"])
    if floating:
        floats, still = floats | {root}, set[str]()
    still |= {BASE} & floats
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
    """The pose of the <origin> in an element."""
    origin = element.first("origin")
    return np.eye(4) if origin is None else _pose(origin, snap)


def _pose(origin: Element, snap: float) -> Array:
    """The pose of xyz and rpy: p and R = Rz(yaw) Ry(pitch) Rx(roll)."""
    roll, pitch, yaw = (near_right_angle(float(x), max(snap, RIGHT)) for x in vector(origin, "rpy", 3, (0, 0, 0)))
    T = turn("z", yaw) @ turn("y", pitch) @ turn("x", roll)
    T[:3, 3] = vector(origin, "xyz", 3, (0, 0, 0))
    return T
