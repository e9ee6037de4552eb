"""Joints held where they are: the same robot with fewer degrees of freedom."""

from collections.abc import Mapping
from dataclasses import replace

from armillary.errors import RobotError, near_match
from armillary.robot.body import Body
from armillary.robot.coupling import Coupling
from armillary.robot.description import Description
from armillary.robot.joints import JOINTS
from armillary.robot.value import Value, negated, over, plus, times, value

_HELD = {"revolute": "theta", "prismatic": "r"}
"""Which number of the placement a joint's coordinate adds to."""


def lock(description: Description, positions: Mapping[str, object]) -> Description:
    """The robot with joints (by the name of the joint or of the body it carries) fixed at positions, numbers or formulas."""
    bodies = {name: k for k, b in enumerate(description.bodies) for name in (b.name, b.joint_name) if name}
    held: dict[int, Value] = {}
    for name, position in positions.items():
        if name not in bodies:
            movable = [b.joint_name or b.name for b in description.bodies if b.joint.kind in _HELD]
            raise RobotError(
                f"{description.name} has no joint {name!r}{near_match(name, movable)}; "
                f"it has {', '.join(movable) or 'none that can be held'}"
            )
        held[bodies[name]] = value(position)
    for wheel in description.wheels:
        if description.index[wheel.body] in held:
            raise RobotError(
                f"{wheel.body} is the body of the wheel {wheel.name}, which would slip if it were held; take the robot without "
                "its wheels' hold on the ground, robot.opened(), or hold other joints"
            )
    couplings = _follow(description, held)
    return replace(
        description,
        bodies=tuple(_held(b, held[k]) if k in held else b for k, b in enumerate(description.bodies)),
        couplings=couplings,
    )


def _follow(description: Description, held: dict[int, Value]) -> tuple[Coupling, ...]:
    """Holds what is coupled to joints that are held, as the coupling says; the couplings that are left."""
    left = list(description.couplings)
    while True:
        for c in left:
            j, k = (description.index[description.joint_body(name).name] for name in (c.joint, c.leader))
            if j in held and k in held:
                raise RobotError(
                    f"{description.name}: {c.joint} and {c.leader} are coupled by {c.name}; hold one of them, the other follows"
                )
            if k in held:
                held[j] = plus(times(c.ratio, held[k]), c.offset)
            elif j in held:
                held[k] = over(plus(held[j], negated(c.offset)), c.ratio)
            else:
                continue
            left.remove(c)
            break
        else:
            return tuple(left)


def _held(body: Body, position: Value) -> Body:
    key = _HELD.get(body.joint.kind)
    if key is None:
        raise RobotError(
            f"{body.name} is carried by a {body.joint.kind} joint; revolute and prismatic joints can be held in place"
        )
    placement = replace(body.placement, **{key: plus(getattr(body.placement, key), position)})
    return replace(
        body,
        joint=JOINTS["fixed"],
        placement=placement,
        IA=0,
        FV=0,
        FS=0,
        joint_name="",
        coordinates=(),
        velocities=(),
        limits=(),
        actuated=True,
    )
