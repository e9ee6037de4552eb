"""Joints made of two with one coordinate each, and a link without mass between them.

What is said of one part becomes two: where it stands is where the first stands, inertia and wrench are those of the second,
losses, names and bounds are said for each coordinate.
"""

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any, cast

from armillary.errors import RobotError, near_match
from armillary.robot.body import MASSLESS, Body
from armillary.robot.check import Where
from armillary.robot.joints import COMPOSED, Composition
from armillary.robot.part import Bound, Given, Mass, Part, Place
from armillary.robot.placement import Placement


class Composed(Mass, total=False):
    """What a link on a composed joint may be given: two values where it says them for each coordinate, or one for both."""

    IA: Given | Sequence[Given]
    friction: str
    FV: Given | Sequence[Given]
    FS: Given | Sequence[Given]
    stiffness: Given | Sequence[Given]
    reference: Given | Sequence[Given]
    joint: Sequence[str]
    coordinates: Sequence[str]
    velocities: Sequence[str]
    actuated: bool | Sequence[bool]
    lower: Sequence[Bound]
    upper: Sequence[Bound]
    velocity: Sequence[Bound]
    effort: Sequence[Bound]


ONE_FOR_BOTH = ("IA", "FV", "FS", "stiffness", "reference", "actuated")
"""Keys whose value, where it is one, is that of both coordinates."""

OF_EACH = tuple(key for key in Composed.__annotations__ if key not in (*Mass.__annotations__, "friction"))
"""Keys that each of the two coordinates has a value of."""


def parts_of(part: Part, at: Where) -> list[Part]:
    """The part itself, or the two that a composed joint is made of."""
    made = COMPOSED.get(part.kind)
    if made is None:
        return [part]
    for key in part.given:
        if key not in Composed.__annotations__:
            raise RobotError(
                f"{at(part.name, key)}{part.name} has the unknown key {str(key)[:100]!r}"
                f"{near_match(key, Composed.__annotations__)}; a {part.kind} part may have {', '.join(Composed.__annotations__)}"
            )
    first: dict[str, Any] = {}
    second: dict[str, Any] = dict(made.place)
    for key, given in part.given.items():
        if key in Place.__annotations__:
            first[key] = given
        elif key in OF_EACH:
            first[key], second[key] = _each(part, key, given, at)
        else:
            second[key] = given
            if key == "friction":
                first[key] = given
    between = made.link_between(part.name)
    return [Part(made.joints[0], between, part.on, first), Part(made.joints[1], part.name, between, second)]


def _each(part: Part, key: str, given: Any, at: Where) -> tuple[Any, Any]:
    """The values of the two coordinates."""
    if isinstance(given, Sequence) and not isinstance(given, str):
        pair = list(cast(Sequence[Any], given))
        if len(pair) == 2:
            return pair[0], pair[1]
    elif key in ONE_FOR_BOTH:
        return given, given
    shown, also = str(cast(object, given))[:100], " or one for both" if key in ONE_FOR_BOTH else ""
    raise RobotError(
        f"{at(part.name, key)}{part.name} has {key} = {shown}; a {part.kind} joint is made of two with one coordinate each, "
        f"and {key} is two values{also}"
    )


def composition(first: Body, second: Body) -> Composition | None:
    """The composed joint that two bodies in a row are, if they are one."""
    if first.inertia != MASSLESS or first.fluid is not None or any(first.wrench) or second.parent != first.name:
        return None
    for made in COMPOSED.values():
        kinds, name = (first.joint.kind, second.joint.kind), made.link_between(second.name)
        if kinds == made.joints and first.name == name and second.placement == Placement.of(**made.place):
            return made
    return None


def together(made: Composition, bodies: Sequence[Body], said: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What is said of the two bodies of a composed joint, as it is said of one part."""
    first, second = said
    found: dict[str, Any] = {"name": second["name"], "type": made.kind}
    found |= {key: x for key, x in first.items() if key == "parent" or key in Place.__annotations__}
    found |= {key: x for key, x in second.items() if key in Mass.__annotations__ and key not in Place.__annotations__}
    symbolic = ["friction" in x for x in said]
    if all(symbolic):
        found["friction"] = "symbolic"
    for key in OF_EACH:
        named = key in first or key in second or (key in ("FV", "FS") and any(symbolic) and not all(symbolic))
        if named:
            a, b = (_value(key, body, x) for body, x in zip(bodies, said, strict=True))
            found[key] = a if key in ONE_FOR_BOTH and a == b else (a, b)
    return found


UNBOUNDED = {"lower": -inf, "upper": inf, "velocity": inf, "effort": inf}
ATTRIBUTES = {"joint": "joint_name"}


def _value(key: str, body: Body, said: Mapping[str, Any]) -> Any:
    """What a body's table says, or what it means where it says nothing."""
    if key in UNBOUNDED:
        return said.get(key, UNBOUNDED[key])
    value = getattr(body, ATTRIBUTES.get(key, key))
    return value[0] if key in ("coordinates", "velocities") else value
