"""MuJoCo's MJCF: bodies within bodies, read into modified DH frames.

What is read: <compiler> and <option> as far as they bear on mechanics, <default> classes, bodies with their joints (hinge, slide,
ball, free), inertias, or the geoms that they follow from, sites, <equality> constraints of bodies and joints, and which joints
<actuator> drives. What says nothing about mechanics (contacts, meshes, sensors, keyframes) is passed over; whatever else
would change it is refused by name.

Every body and every site with a name becomes a frame of that name; the order, sign and zero of q are MuJoCo's, and so are
damping (FV), frictionloss (FS), armature (IA) and springs. The velocity of a body that floats is along its own axes here.
"""

from pathlib import Path

from armillary.formats.assembly import assemble
from armillary.formats.mjcf import known
from armillary.formats.mjcf.actuators import driven, tendons
from armillary.formats.mjcf.bodies import Bodies
from armillary.formats.mjcf.defaults import Defaults
from armillary.formats.mjcf.equality import Equality
from armillary.formats.mjcf.settings import Settings
from armillary.formats.source import robot_name, source_name
from armillary.formats.xml import Element, read_document
from armillary.robot import WORLD, Description
from armillary.robot.check import check
from armillary.robot.place import RIGHT


def read(source: str | Path, *, snap: float = RIGHT, massless_meshes: bool = False) -> Description:
    """The robot of an MJCF file or text.

    Elements of rotations and axes up to `snap` are 0: snap=1e-4 makes right angles of those that were rounded. A body without
    <inertial> has the mass of its geoms; meshes, whose mass is not in the file, are refused there, or have none with
    `massless_meshes`.
    """
    top = read_document(source)
    if top.tag != "mujoco":
        raise top.error(f"the outermost element is <{top.tag}>; an MJCF file begins with <mujoco>")
    sections: dict[str, list[Element]] = {name: [] for name in known.SECTIONS}
    for section in top.children:
        if known.section(section):
            sections[section.tag].append(section)
    for section in sections["deformable"]:
        raise section.error("<deformable> is not read: a body that bends has no model here")
    settings, defaults = Settings(snap, massless_meshes), Defaults()
    for section in sections["compiler"]:
        settings.compiler(section)
    for section in sections["option"]:
        settings.option(section)
    for section in sections["default"]:
        defaults.take(section)
    found = Bodies(sections["worldbody"], settings, defaults).found
    equality = Equality(sections["equality"], found, defaults)
    followers = {coupling.joint for coupling in equality.couplings}
    reached = tendons(sections["tendon"], defaults)
    description = assemble(
        name=top.attributes.get("model", "").strip() or robot_name(top.file),
        root=WORLD,
        links=found.links,
        joints=driven(sections["actuator"], found.joints, reached, followers, defaults),
        spots=found.sites,
        closings=equality.closings,
        couplings=equality.couplings,
        gravity=(0, 0, 0) if settings.weightless else settings.gravity,
        source=source_name(top.file),
    )
    lines = {**{name: x for (_, name), x in found.elements.items()}, **equality.elements}
    lines |= {
        body.name: found.elements["joint", body.joint_name]
        for body in description.bodies
        if ("joint", body.joint_name) in found.elements
    }
    return check(description, lambda part, _: f"{top.file}, line {lines.get(part, top).line}: ")
