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
from typing import Unpack

from armillary.errors import ExpressionError, RobotError
from armillary.robot.body import Body, Frame
from armillary.robot.check import PARAMETERS, Where, check, located
from armillary.robot.description import BASE, Base, Description, Parameter
from armillary.robot.part import Given, Link, Maker, Part, Place
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


def fixed(name: str, parent: str | None = None, **link: Unpack[Link]) -> Part:
    """A link that stands still in the one that it hangs on."""
    return Part("fixed", name, parent, link)


def frame(name: str, on: str | None = None, **place: Unpack[Place]) -> Part:
    """A named frame on a body: a tool, a sensor. It has no mass, and no part hangs on it."""
    return Part("frame", name, on, place)


def describe(
    name: str,
    *parts: Part,
    gravity: Sequence[Given] = (0, 0, -9.81),
    base: Place | None = None,
    velocity: Sequence[Given] = (0, 0, 0, 0, 0, 0),
    acceleration: Sequence[Given] = (0, 0, 0, 0, 0, 0),
    parameters: Mapping[str, Given | Parameter | None] | None = None,
    source: str = "",
    doc: str = "",
    where: str | Where = "",
) -> Description:
    """The robot of these parts, checked.

    `base` places the base in the world; `gravity`, and `velocity` and `acceleration` (linear, angular) of a base that
    moves as given, are in base components. `parameters` gives symbols their default values.
    """
    maker = Maker(located(where, name))
    bodies: list[Body] = []
    frames: list[Frame] = []
    joints = 0
    for part in parts:
        _part(part, maker.at)
        before = bodies[-1].name if bodies else BASE
        on = before if part.on is None else part.on
        if part.kind == "frame":
            frames.append(Frame(part.name, on, maker.frame(part)))
            continue
        joint = maker.joint(part)
        joints += joint.nv > 0
        bodies.append(maker.body(part, joint, on, len(bodies) + 1, joints))
    return check(
        Description(
            name=name,
            bodies=tuple(bodies),
            frames=tuple(frames),
            base=Base(
                placement=maker.frame(Part("frame", BASE, None, base or {})),
                gravity=maker.three(BASE, "gravity", gravity),
                velocity=maker.values(BASE, "velocity", velocity, 6),
                acceleration=maker.values(BASE, "acceleration", acceleration, 6),
            ),
            parameters=_parameters(parameters or {}, maker.at),
            source=source,
            doc=doc,
        ),
        maker.at,
    )


def _part(given: object, at: Where) -> None:
    if not isinstance(given, Part):
        raise RobotError(
            f"{at(BASE, 'name')}{str(given)[:100]!r} is no part; parts are made by revolute, prismatic, helical, "
            "spherical, fixed and frame"
        )


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
