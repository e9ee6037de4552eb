"""Robots by hand: say the parts from the base outwards, each hangs on the one before it unless told otherwise.

    arm = describe(
        "elbow arm",
        revolute("shoulder", mass="m1", center=("L1/2", 0, 0), inertia=(0, 0, 0, "m1*L1**2/12", 0, "m1*L1**2/12")),
        revolute("elbow", d="L1", inertials="symbolic"),
        frame("tool", d="L2"),
        gravity=(0, -9.81, 0),
        parameters={"L1": 0.3, "L2": 0.25},
    )

Every number may as well be a formula's text or a `Formula`. γ, b, α, d, (β), θ, r place a part in the one that it hangs on
(see `placement`), inertia is given as SYMORO gives it, XX … M about the origin of the link's own frame, or as `mass`,
`center` and `inertia` = (Ixx, Ixy, Ixz, Iyy, Iyz, Izz) about the centre of mass along the frame's axes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Unpack

from armillary.errors import ExpressionError, RobotError
from armillary.robot.body import Body, Frame
from armillary.robot.check import PARAMETERS, Where, check, located
from armillary.robot.composed import Composed, parts_of
from armillary.robot.description import BASE, Base, Description, Parameter
from armillary.robot.joints import JOINTS
from armillary.robot.maker import Maker
from armillary.robot.part import Closing, Given, Link, Meeting, Part, Place, Running, Side, default_coupling
from armillary.robot.transmission import with_motor
from armillary.robot.value import Formula, value


def revolute(name: str, parent: str | None = None, **link: Unpack[Link]) -> Part:
    """A link that turns about the z axis of its frame."""
    return Part("revolute", name, parent, link)


def prismatic(name: str, parent: str | None = None, **link: Unpack[Link]) -> Part:
    """A link that slides along the z axis of its frame."""
    return Part("prismatic", name, parent, link)


def helical(name: str, parent: str | None = None, **link: Unpack[Link]) -> Part:
    """A link that turns about z and slides along it by `pitch` (m) for each radian."""
    return Part("helical", name, parent, link)


def spherical(name: str, parent: str | None = None, **link: Unpack[Link]) -> Part:
    """A link that turns about the origin of its frame in any way; its coordinates are a unit quaternion (w, x, y, z)."""
    return Part("spherical", name, parent, link)


def free(name: str, parent: str | None = None, **link: Unpack[Link]) -> Part:
    """A link that floats: its coordinates are a position and a unit quaternion (w, x, y, z), its velocities a twist."""
    return Part("free", name, parent, link)


def planar(name: str, parent: str | None = None, **link: Unpack[Link]) -> Part:
    """A link that glides on the xy plane of its placement: position and angle, velocities along its own axes."""
    return Part("planar", name, parent, link)


def universal(name: str, parent: str | None = None, **link: Unpack[Composed]) -> Part:
    """A link that turns about z and then about the x axis that turned with it, a cross without mass between them."""
    return Part("universal", name, parent, link)


def cylindrical(name: str, parent: str | None = None, **link: Unpack[Composed]) -> Part:
    """A link that slides along z in a sleeve without mass that turns about z."""
    return Part("cylindrical", name, parent, link)


def fixed(name: str, parent: str | None = None, **link: Unpack[Link]) -> Part:
    """A link that stands still in the one that it hangs on."""
    return Part("fixed", name, parent, link)


def frame(name: str, on: str | None = None, **place: Unpack[Place]) -> Part:
    """A named frame on a body: a tool, a sensor. It has no mass, and no part hangs on it."""
    return Part("frame", name, on, place)


def side(body: str, **place: Unpack[Place]) -> Side:
    """A frame on a body, or on "base", that a cut joint stands at."""
    return Side(body=body, **place)


def cut(name: str, **closing: Unpack[Closing]) -> Part:
    """A passive joint between side `a` and side `b` that closes a loop: revolute about z unless `type` says otherwise."""
    return Part("cut", name, None, closing)


def wheel(name: str, **running: Unpack[Running]) -> Part:
    """A wheel: the body that rolls, the one before unless `body` says which, on the ground under a platform that glides."""
    return Part("wheel", name, None, running)


def ackermann(name: str, **meeting: Unpack[Meeting]) -> Part:
    """Steering gear that makes the axles of three `wheels` meet in one point."""
    return Part("ackermann", name, None, meeting)


def couple(
    joint: str,
    leader: str,
    ratio: Given = 1,
    offset: Given = 0,
    name: str | None = None,
    *,
    stiffness: Given = 0,
    damping: Given = 0,
) -> Part:
    """The coordinate of `joint` is ratio · that of `leader` + offset: gears, belts, fingers that close together.

    Unless the joint that follows is said to be actuated, it has no motor of its own. With a stiffness the coupling gives.
    """
    given = {"joint": joint, "leader": leader, "ratio": ratio, "offset": offset, "stiffness": stiffness}
    given["damping"] = damping
    return Part("coupling", name or default_coupling(given), None, given)


def contact(name: str, point: Side, surface: str | Sequence[str], on: Side | str = BASE) -> Part:
    """The origin of `point` stays where a formula in x, y, z vanishes, coordinates of the frame `on`; on a line where two do.

    It holds in both directions, without friction: `contact("tip", side("arm", d=1), "x**2 + y**2 + z**2 - R**2")`.
    """
    stand = side(on) if isinstance(on, str) else on
    return Part("contact", name, None, {"point": point, "on": stand, "surface": surface})


def describe(
    name: str,
    *parts: Part,
    gravity: Sequence[Given] = (0, 0, -9.81),
    base: Place | None = None,
    velocity: Sequence[Given] = (0, 0, 0, 0, 0, 0),
    acceleration: Sequence[Given] = (0, 0, 0, 0, 0, 0),
    current: Sequence[Given] = (0, 0, 0),
    parameters: Mapping[str, Given | Parameter | None] | None = None,
    source: str = "",
    doc: str = "",
    where: str | Where = "",
) -> Description:
    """The robot of these parts, checked.

    `base` places the base in the world; `gravity`, and `velocity` and `acceleration` (linear, angular) of a base that
    moves as given, and the `current` of the fluid around links, are in base components. `parameters` gives symbols their default values.
    """
    maker = Maker(located(where, name))
    bare = Description(
        name=name,
        bodies=(),
        base=Base(
            placement=maker.frame(Part("frame", BASE, None, base or {})),
            gravity=maker.three(BASE, "gravity", gravity),
            velocity=maker.values(BASE, "velocity", velocity, 6),
            acceleration=maker.values(BASE, "acceleration", acceleration, 6),
            current=maker.three(BASE, "current", current),
        ),
        source=source,
        doc=doc,
    )
    return extend(bare, *parts, parameters=parameters, where=where)


def extend(
    description: Description,
    *parts: Part,
    parameters: Mapping[str, Given | Parameter | None] | None = None,
    where: str | Where = "",
) -> Description:
    """The robot with further parts, checked: a payload, a tool, another arm.

    A part hangs on a body, on the base or on a frame, which then becomes a link without mass; unless it is said on what,
    on the part before it, the first one on the last body.
    """
    maker = Maker(located(where, description.name))
    for part in (x for said in parts for x in parts_of(_part(said, maker.at), maker.at)):
        bodies = description.bodies
        before = bodies[-1].name if bodies else BASE
        on = before if part.on is None else part.on
        if part.kind == "frame":
            description = replace(description, frames=(*description.frames, Frame(part.name, on, maker.frame(part))))
            continue
        if part.kind == "cut":
            description = replace(description, cuts=(*description.cuts, maker.cut(part)))
            continue
        if part.kind == "wheel":
            description = replace(description, wheels=(*description.wheels, maker.wheel(part, before)))
            continue
        if part.kind == "ackermann":
            description = replace(description, ackermanns=(*description.ackermanns, maker.ackermann(part)))
            continue
        if part.kind == "coupling":
            description = replace(description, couplings=(*description.couplings, maker.coupling(part)))
            continue
        if part.kind == "contact":
            description = replace(description, contacts=(*description.contacts, maker.contact(part)))
            continue
        description = with_link(description, on)
        if "transmission" in part.given:
            motor, part, coupling = with_motor(part, maker)
            description = _hung(description, motor, on, maker)
            description = replace(description, couplings=(*description.couplings, maker.coupling(coupling)))
        description = _hung(description, part, on, maker)
    description = _followers_slack(description, parts)
    known = {**description.parameters, **_parameters(parameters or {}, maker.at)}
    return check(replace(description, parameters=known), maker.at)


def _hung(description: Description, part: Part, on: str, maker: Maker) -> Description:
    """The robot with one more body."""
    joint = maker.joint(part)
    moving = len(description.joint_names) + (joint.nv > 0)
    body = maker.body(part, joint, on, len(description.bodies) + 1, moving)
    return replace(description, bodies=(*description.bodies, body))


def _followers_slack(description: Description, parts: Sequence[Part]) -> Description:
    """A joint that follows another has no motor unless it is said to have one."""
    followers = {part.given.get("joint") for part in parts if part.kind == "coupling"}
    said = {part.name for part in parts if "actuated" in part.given}
    bodies = (
        replace(b, actuated=False) if b.joint_name in followers and b.name not in said else b
        for b in description.bodies
    )
    return replace(description, bodies=tuple(bodies)) if followers else description


def with_link(description: Description, name: str) -> Description:
    """The same with a link without mass in the place of the frame of that name, if there is such a frame."""
    frame = next((f for f in description.frames if f.name == name), None)
    if frame is None or name in description.index:
        return description
    link = Body(frame.name, frame.body, JOINTS["fixed"], frame.placement)
    frames = tuple(f for f in description.frames if f is not frame)
    return replace(description, bodies=(*description.bodies, link), frames=frames)


def _part(given: object, at: Where) -> Part:
    if not isinstance(given, Part):
        raise RobotError(
            f"{at(BASE, 'name')}{str(given)[:100]!r} is no part; parts are made by revolute, prismatic, helical, "
            "spherical, universal, cylindrical, free, planar, fixed, frame, cut, couple, contact, wheel and ackermann"
        )
    return given


def _parameters(given: Mapping[str, Given | Parameter | None], at: Where) -> dict[str, Parameter]:
    """Every symbol with what is known of it; its default is a number or the text of one."""
    found: dict[str, Parameter] = {}
    for name, x in given.items():
        if isinstance(x, Parameter):
            found[name] = x
            continue
        try:
            default = None if x is None else value(x)
        except ExpressionError as error:
            raise RobotError(
                f"{at(PARAMETERS, name)}the parameter {name} has the default {str(x)[:100]!r}: {error}"
            ) from None
        if isinstance(default, Formula):
            raise RobotError(
                f"{at(PARAMETERS, name)}the parameter {name} has the default {default.text!r}; it must be a number"
            )
        found[name] = Parameter(name, None if default is None else float(default))
    return found
