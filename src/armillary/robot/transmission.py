"""Transmissions: a motor with a coordinate of its own, and the coupling between it and the joint that it drives.

What is said of one part, `transmission={"inertia": J, "ratio": N, "stiffness": K, "damping": D}`, becomes a link without mass that
turns with the motor, J its rotor inertia, and the coupling q = θ/N + s, which gives if it has a stiffness (Spong 1987). The motor
turns about its own axis alone: what the rotor adds to the link that carries it is said of that link.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypedDict, cast

from armillary.errors import ModelError, RobotError, near_match
from armillary.robot.body import MASSLESS, Body
from armillary.robot.coupling import Coupling
from armillary.robot.description import Description
from armillary.robot.joints import JOINTS
from armillary.robot.maker import Maker
from armillary.robot.part import Given, Part, default_joint
from armillary.robot.value import over


class Drive(TypedDict, total=False):
    """What a transmission may be given: inertia (kg m²) and friction of the motor, turns of it for one of the joint, what gives."""

    inertia: Given
    ratio: Given
    stiffness: Given
    damping: Given
    FV: Given
    FS: Given


def with_motor(part: Part, maker: Maker) -> tuple[Part, Part, Part]:
    """(motor, link, coupling) of a part that has a transmission."""
    said, at = part.given["transmission"], maker.at
    joint = JOINTS.get(part.kind)
    if joint is None or joint.nv != 1:
        raise RobotError(
            f"{at(part.name, 'transmission')}{part.name} has a transmission; a {part.kind} part cannot: it drives one velocity"
        )
    if not isinstance(said, Mapping):
        raise RobotError(
            f"{at(part.name, 'transmission')}{part.name} has transmission = {str(said)[:100]!r}; it is a table, such as "
            "{ inertia = 0.001, ratio = 100, stiffness = 5000 }"
        )
    given = cast(Mapping[str, Any], said)
    for key in given:
        if key not in Drive.__annotations__:
            raise RobotError(
                f"{at(part.name, 'transmission')}the transmission of {part.name} has the unknown key {str(key)[:100]!r}"
                f"{near_match(key, Drive.__annotations__)}; it may have {', '.join(Drive.__annotations__)}"
            )
    ratio = maker.value(part.name, "transmission", given.get("ratio", 1))
    if ratio == 0:
        raise RobotError(f"{at(part.name, 'transmission')}the transmission of {part.name} has the ratio 0")
    name, link = f"{part.name} motor", {key: x for key, x in part.given.items() if key != "transmission"}
    rotor = {"IA": given.get("inertia", 0), "FV": given.get("FV", 0), "FS": given.get("FS", 0)}
    tie = {"joint": link.get("joint", default_joint(joint, part.name)), "leader": name, "ratio": over(1, ratio)}
    tie |= {key: given[key] for key in ("stiffness", "damping") if key in given}
    return (
        Part("revolute", name, part.on, rotor),
        replace(part, given={"actuated": False, **link}),
        Part("coupling", f"{part.name} transmission", None, tie),
    )


@dataclass(frozen=True, slots=True)
class Transmission:
    """A motor, the link whose joint it drives, and the coupling between the two."""

    motor: Body
    link: Body
    coupling: Coupling


def transmissions(d: Description) -> tuple[Transmission, ...]:
    """Couplings between a motor that carries nothing but its rotor and a joint that has no motor of its own."""
    ends = [d.joint_body(name).name for c in d.couplings for name in (c.joint, c.leader)]
    carriers = {*(b.parent for b in d.bodies), *(f.body for f in d.frames)}
    carriers |= {side.body for cut in d.cuts for side in (cut.a, cut.b)}
    found: list[Transmission] = []
    for c in d.couplings:
        link, motor = d.joint_body(c.joint), d.joint_body(c.leader)
        alone = motor.name not in carriers and ends.count(motor.name) == 1 and ends.count(link.name) == 1
        bare = motor.inertia == MASSLESS and not any(x != 0 for x in (*motor.wrench, motor.stiffness))
        if alone and bare and motor.actuated and not link.actuated:
            found.append(Transmission(motor, link, c))
    return tuple(found)


def link_side(d: Description) -> Description:
    """The robot that transmissions drive, as if each joint had its motor: without theirs, and without the couplings."""
    found = transmissions(d)
    motors, links, gone = ({getattr(t, of).name for t in found} for of in ("motor", "link", "coupling"))
    left = [c.name for c in d.couplings if c.elastic and c.name not in gone]
    if left:
        raise ModelError(
            f"{d.name}: {', '.join(left)} gives and is no transmission: a motor that turns nothing but its rotor (IA) leads a joint "
            "without a motor, and neither is in another coupling; take underactuated-inverse-dynamics"
        )
    bodies = tuple(replace(b, actuated=b.actuated or b.name in links) for b in d.bodies if b.name not in motors)
    return replace(d, bodies=bodies, couplings=tuple(c for c in d.couplings if c.name not in gone))
