"""Whether the links and joints of a URDF file are a tree, and which link all others hang on."""

from collections.abc import Mapping, Sequence

from armillary.formats.frames import Joint
from armillary.formats.urdf.elements import called
from armillary.formats.xml import Element
from armillary.robot import BASE, WORLD


def root_of(
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
                f"{called(joints[joint.name])} is part of a circle of joints, which never leads to the root {root!r}"
            )


def refuse_moving(root: str, links: Mapping[str, Element], read_joints: Sequence[Joint], floating: bool) -> None:
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
