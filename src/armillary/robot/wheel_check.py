"""Whether the wheels of a description can roll: how each is mounted, what steers it, and whose axles steering gear makes meet."""

from collections.abc import Callable, Generator
from contextlib import contextmanager

from armillary.errors import RobotError, near_match
from armillary.robot.description import Description
from armillary.robot.mounting import CASTOR, FIXED, STEERING, SWEDISH, Mounting, mounting, platform_of

Where = Callable[[str, str], str]


def check_wheels(d: Description, at: Where) -> None:
    """Every wheel touches the ground, its platform is one, and what steers it is known."""
    bodies: dict[str, str] = {}
    mounted: dict[str, Mounting] = {}
    for wheel in d.wheels:
        if wheel.body in bodies:
            raise RobotError(
                f"{at(wheel.name, 'body')}the wheels {bodies[wheel.body]} and {wheel.name} are both {wheel.body}; "
                "give each a body of its own"
            )
        bodies[wheel.body] = wheel.name
        with _after(at(wheel.name, "body")):
            mounted[wheel.name] = mounting(d, wheel)
    if d.wheels:
        with _after(at(d.wheels[0].name, "body")):
            platform_of(d)
    for gear in d.ackermanns:
        _gear(gear.name, gear.wheels, mounted, at)
    driven = _driven(d, mounted)
    for m in mounted.values():
        if m.forks and not m.trails and not driven.intersection(m.forks[-1:]):
            raise RobotError(
                f"{at(m.wheel.name, 'body')}the wheel {m.wheel.name} is a castor without offset: nothing drives {m.forks[-1]}, which "
                "steers it, and the wheel stands on its axis, so that nothing turns it either; place the axle behind the axis, or make "
                f"{m.forks[-1]} actuated, or couple it"
            )


@contextmanager
def _after(before: str) -> Generator[None]:
    """Errors with their place before them."""
    try:
        yield
    except RobotError as error:
        raise RobotError(f"{before}{error}") from None


def _gear(name: str, wheels: tuple[str, str, str], mounted: dict[str, Mounting], at: Where) -> None:
    for wheel in wheels:
        m = mounted.get(wheel)
        if m is None:
            raise RobotError(
                f"{at(name, 'wheels')}the steering gear {name} holds {wheel!r}, which is no wheel; there are "
                f"{', '.join(mounted) or 'none'}{near_match(wheel, mounted)}"
            )
        if m.kind in (CASTOR, SWEDISH) or len(m.forks) > 1:
            raise RobotError(
                f"{at(name, 'wheels')}the steering gear {name} holds {wheel}, a {m.kind} wheel; it can hold the axles of "
                f"{FIXED} and {STEERING} wheels"
            )
    if not any(mounted[wheel].forks for wheel in wheels):
        raise RobotError(
            f"{at(name, 'wheels')}the steering gear {name} holds {', '.join(wheels)}, none of which is steered"
        )


def _driven(d: Description, mounted: dict[str, Mounting]) -> set[str]:
    """The bodies whose joints have a motor, or are tied to others by loops, contacts, couplings or steering gear."""
    sides = [side for cut in d.cuts for side in (cut.a, cut.b)] + [x for c in d.contacts for x in (c.point, c.on)]
    tied = {body.name for side in sides for body in d.ancestors(side.body)}
    coupled = {d.joint_body(name).name for c in d.couplings for name in (c.joint, c.leader)}
    geared = {fork for gear in d.ackermanns for wheel in gear.wheels for fork in mounted[wheel].forks}
    return {body.name for body in d.bodies if body.actuated} | tied | coupled | geared
