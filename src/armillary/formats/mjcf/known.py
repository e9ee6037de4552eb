"""The elements and attributes of MJCF: those that are read, and those that say nothing about mechanics and are passed over.

Whatever is neither is refused by name, since it might change the mechanics.
"""

from armillary.errors import FormatError, near_match
from armillary.formats.xml import Element

SECTIONS = ("compiler", "option", "default", "worldbody", "equality", "tendon", "actuator", "deformable")
PASSED_SECTIONS = (
    *("size", "statistic", "visual", "asset", "contact", "sensor", "keyframe", "custom", "extension"),
    *("lengthrange", "skin"),
)
"""Sections at the top: those looked into, and those passed over."""

REFUSED = {
    "include": "put the text of the file in its place, or save the model from MuJoCo as one file",
    "attach": "save the model from MuJoCo as one file",
    "replicate": "write the copies out, or save the model from MuJoCo as one file",
    "composite": "write its bodies out, or save the model from MuJoCo as one file",
    "flexcomp": "a body that bends has no model here",
    "flex": "a body that bends has no model here",
    "plugin": "what a plugin does is not in the file",
}
"""Elements that would change the mechanics, and what to do instead."""

_ORIENTATION = "quat axisangle xyaxes zaxis euler"

READ = {
    tag: frozenset(names.split())
    for tag, names in {
        "compiler": "angle eulerseq autolimits inertiafromgeom inertiagrouprange coordinate alignfree boundmass "
        "boundinertia balanceinertia settotalmass",
        "option": "gravity density viscosity",
        "body": f"name childclass pos {_ORIENTATION} mocap gravcomp",
        "frame": f"name childclass pos {_ORIENTATION}",
        "inertial": f"pos mass diaginertia fullinertia {_ORIENTATION}",
        "joint": "name class type pos axis range limited ref springref stiffness springdamper damping frictionloss "
        "armature actuatorfrcrange actuatorfrclimited springyield",
        "freejoint": "name align",
        "connect": "name class active body1 body2 anchor site1 site2",
        "weld": "name class active body1 body2 relpose anchor torquescale site1 site2",
        "joint equality": "name class active joint1 joint2 polycoef",
    }.items()
}
"""The attributes that are read of elements on which all of the mechanics rests."""

PASSED = {
    tag: frozenset(names.split())
    for tag, names in {
        "compiler": "assetdir conflict discardvisual fitaabb fusestatic meshdir passthrough savecanonical savecompiled "
        "saveinertial strippath texturedir usethread convexhull exactmeshinertia",
        "option": "actuatorgroupdisable apirate ccd_iterations ccd_tolerance collision cone impratio integrator "
        "iterations jacobian ls_iterations ls_tolerance magnetic mpr_iterations mpr_tolerance noslip_iterations "
        "noslip_tolerance o_friction o_margin o_solimp o_solref sdf_initpoints sdf_iterations sleep_tolerance solver "
        "timestep tolerance wind",
        "body": "user sleep fuse simple",
        "joint": "actuatorgravcomp group margin solimpfriction solimplimit solreffriction solreflimit user",
        "freejoint": "group",
        "connect": "solimp solref user",
        "weld": "solimp solref user",
        "joint equality": "solimp solref user",
    }.items()
}
"""Those that are passed over."""


def section(element: Element) -> bool:
    """Whether a section at the top is to be looked into."""
    if element.tag in SECTIONS:
        return True
    if element.tag in PASSED_SECTIONS:
        return False
    raise refused(element, (*SECTIONS, *PASSED_SECTIONS))


def refused(element: Element, known: tuple[str, ...]) -> FormatError:
    """The error for an element that is not among those known where it stands."""
    if element.tag in REFUSED:
        return element.error(f"<{element.tag}> is not read: {REFUSED[element.tag]}")
    return element.error(
        f"<{element.tag}> is unknown here and might change the mechanics; known are {', '.join(known)}"
        f"{near_match(element.tag, known)}"
    )


def check(element: Element, kind: str = "") -> None:
    """Every attribute of an element is known; `kind` tells elements of one tag apart."""
    kind = kind or element.tag
    known = READ[kind] | PASSED.get(kind, frozenset())
    for name in element.attributes:
        if name not in known:
            raise element.error(
                f"<{element.tag} {name}> is unknown and might change the mechanics; known are "
                f"{', '.join(sorted(known))}{near_match(name, known)}"
            )
