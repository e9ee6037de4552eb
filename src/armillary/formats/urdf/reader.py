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

from dataclasses import replace
from pathlib import Path

import numpy as np

from armillary.formats.assembly import MASSLESS, assemble, inertia_about_origin
from armillary.formats.attributes import number
from armillary.formats.source import robot_name, source_name
from armillary.formats.urdf.elements import called, named, origin_of, required
from armillary.formats.urdf.joints import closing_of, coupling_of, float_root, frame_of, joint_of
from armillary.formats.urdf.tree import refuse_moving, root_of
from armillary.formats.xml import Element, read_document
from armillary.robot import WORLD, Description
from armillary.robot.check import check
from armillary.robot.place import RIGHT
from armillary.spatial.inertia import Inertia


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
    links = named(robot, "link")
    joints = named(robot, "joint")
    loops = named(robot, "loop_joint")
    frames = named(robot, "fixed_frame")
    read_joints = [joint_of(element, links, snap) for element in joints.values()]
    root = root_of(robot, links, joints, read_joints)
    refuse_moving(root, links, read_joints, floating)
    couplings = [] if ignore_mimic else [c for element in joints.values() for c in coupling_of(element)]
    followers = {coupling.joint for coupling in couplings}
    read_joints = [replace(joint, actuated=False) if joint.name in followers else joint for joint in read_joints]
    inertias = {name: inertia_of(element, snap) for name, element in links.items()}
    if floating:
        inertias, read_joints, root = {WORLD: MASSLESS, **inertias}, [float_root(root), *read_joints], WORLD
    description = assemble(
        name=robot.attributes.get("name", "").strip() or robot_name(robot.file),
        root=root,
        links=inertias,
        joints=read_joints,
        spots={name: frame_of(element, links, snap) for name, element in frames.items()},
        closings=[closing_of(element, links, snap) for element in loops.values()],
        couplings=couplings,
        source=source_name(robot.file),
    )
    lines = {**links, **frames, **loops, **{coupling.name: joints[coupling.joint] for coupling in couplings}}
    lines |= {body.name: joints[body.joint_name] for body in description.bodies if body.joint_name in joints}
    return check(description, lambda part, _: f"{robot.file}, line {lines.get(part, robot).line}: ")


def inertia_of(link: Element, snap: float) -> Inertia:
    """The inertia of a link about the origin of its frame; a link without <inertial> has none."""
    inertial = link.first("inertial")
    if inertial is None:
        return MASSLESS
    mass = number(required(inertial, "mass"), "value")
    if mass < 0:
        raise required(inertial, "mass").error(f"{called(link)} has the mass {mass} kg; a mass is not negative")
    J = required(inertial, "inertia")
    xx, xy, xz, yy, yz, zz = (number(J, name) for name in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"))
    T = origin_of(inertial, snap)
    R = T[:3, :3]
    about_center = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
    return inertia_about_origin(mass, T[:3, 3], about_center)
