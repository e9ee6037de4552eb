"""How a wheel is mounted: its platform, the forks between, and what kind of wheel that makes it.

A platform is a body on a `planar` joint of the base; the ground is the xy plane of its frame, in which the joint makes it glide.
A wheel turns about the z axis of its frame, the axle, on the platform or on forks that turn about vertical axes. With `up`
the z axis of the platform and a the axle,

    contact  C = centre - radius · up,   forward  t = a × up

The kind of a wheel follows: fixed, on the platform itself; steering, on a fork whose axis meets the axle; castor, on a fork
behind whose axis it trails; Swedish, with rollers.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from armillary.errors import RobotError
from armillary.expr.evaluate import evaluate
from armillary.robot.body import Body
from armillary.robot.description import Description
from armillary.robot.value import Formula, Value, text
from armillary.robot.wheel import Wheel
from armillary.spatial.transform import IDENTITY, Transform, walk
from armillary.spatial.vector import Vector

NEAR = 1e-9
"""Cosines of angles, and lengths as parts of the radius, below this are 0."""

UP = Vector(0.0, 0.0, 1.0)

FIXED, STEERING, CASTOR, SWEDISH = "fixed", "steering", "castor", "Swedish"


@dataclass(frozen=True, slots=True)
class Mounting:
    """A wheel with the names of its platform and of the forks between, from the platform outwards; `kind` is what that makes it.

    `trails` says whether it stands before or behind the axis of its own fork, the last one; `swings` whether turning some fork
    moves it along its axle, as turning a castor's does.
    """

    wheel: Wheel
    platform: str
    forks: tuple[str, ...]
    trails: bool
    swings: bool

    @property
    def kind(self) -> str:
        """Fixed, steering, castor or Swedish."""
        if self.wheel.roller is not None:
            return SWEDISH
        return FIXED if not self.forks else CASTOR if self.swings else STEERING


def mounting(d: Description, wheel: Wheel) -> Mounting:
    """How the wheel is mounted; a `RobotError` where that is no way to mount one."""
    platform, forks = _carriers(d, wheel)
    numbers = _Numbers(d)
    stand = _Stand(d, wheel, platform, forks, numbers)
    if wheel.roller is not None:
        across = abs(math.cos(numbers(wheel.roller)))
        if across < NEAR:
            raise RobotError(
                f"the rollers of the wheel {wheel.name} turn about its axle (roller = {text(wheel.roller)}): it could roll freely "
                "and drive nothing; a Mecanum wheel has roller = pi/4, an omni wheel 0"
            )
    trails = stand.trails()
    return Mounting(wheel, platform, forks, trails, trails or stand.apart())


def platform_of(d: Description) -> str | None:
    """The body that the wheels stand under, None where there are none; an error where they stand under several."""
    found = {m.platform: m.wheel.name for m in (mounting(d, wheel) for wheel in d.wheels)}
    if len(found) > 1:
        under = ", ".join(f"{wheel} under {platform}" for platform, wheel in found.items())
        raise RobotError(f"wheels stand under several platforms ({under}); a robot has one")
    return next(iter(found), None)


def beneath(d: Description, wheel: Wheel) -> list[str]:
    """The bodies from the platform's first to the wheel: those that place it on the ground."""
    path = [body.name for body in d.ancestors(wheel.body)]
    return path[path.index(mounting(d, wheel).platform) + 1 :]


def held_fast(d: Description) -> str:
    """What to say where the wheels leave their platform no motion, and what would mend it."""
    kinds = [(wheel.name, mounting(d, wheel).kind) for wheel in d.wheels]
    held = [name for name, kind in kinds if kind in (FIXED, STEERING)]
    steered = [name for name, kind in kinds if kind == STEERING]
    if len(held) < 2:
        return "what else ties its joints together holds it"
    mend = "tie their steering together (arm.ackermann)" if len(steered) > 1 else "put fixed wheels on one axle"
    return f"the axles of {listed(held)} do not meet in one point; {mend}, or make castors of some"


def listed(names: Sequence[str]) -> str:
    """a, b and c."""
    return " and ".join((", ".join(names[:-1]), names[-1])) if len(names) > 1 else "".join(names)


# ---- structure ----


def _carriers(d: Description, wheel: Wheel) -> tuple[str, tuple[str, ...]]:
    """Platform and forks, by the joints between base and wheel."""
    path = [body for body in d.ancestors(wheel.body) if body.joint.nv]
    if d.body(wheel.body).joint.kind != "revolute":
        raise RobotError(
            f"the wheel {wheel.name}: a {d.body(wheel.body).joint.kind} joint carries {wheel.body}; the body of a wheel turns "
            "about its axle by a revolute joint of its own"
        )
    gliding = [k for k, body in enumerate(path) if body.joint.kind == "planar"]
    if gliding != [0]:
        floating = next((body.name for body in path if body.joint.kind == "free"), None)
        if floating is not None:
            said = f"it hangs on {floating}, which floats; a platform on wheels glides on the ground: make its joint planar"
        elif not gliding:
            said = (
                "no body between it and the base glides on the ground, where a wheel could roll; let a planar joint carry "
                "the platform"
            )
        else:
            said = (
                f"its platform {path[gliding[-1]].name} does not stand on the base; give it a planar joint on the base"
            )
        raise RobotError(f"the wheel {wheel.name} has no platform: {said}")
    forks = path[1:-1]
    odd = next((body for body in forks if body.joint.kind != "revolute"), None)
    if odd is not None:
        raise RobotError(
            f"the wheel {wheel.name} hangs on {odd.name}, which a {odd.joint.kind} joint carries; between a platform and a "
            "wheel's axle there are revolute joints about vertical axes, which steer, and nothing else"
        )
    return path[0].name, tuple(body.name for body in forks)


# ---- geometry ----


class _Numbers:
    """The values of parameters: numbers as they are, symbols near their defaults, so that what holds holds for all values."""

    def __init__(self, d: Description) -> None:
        rng = np.random.default_rng(0)
        self._values: dict[str, float] = {}
        for name in d.symbols:
            known = d.parameters.get(name)
            default = None if known is None else known.default
            self._values[name] = float(rng.uniform(0.5, 1.5) if not default else default * rng.uniform(0.9, 1.1))

    def __call__(self, x: Value) -> float:
        if not isinstance(x, Formula):
            return float(x)
        with np.errstate(all="ignore"):
            return float(evaluate([x.expr], self._values)[0])


class _Stand:
    """Where a wheel stands on its platform with all angles 0; vertical axes keep its height and its tilt as they are."""

    def __init__(self, d: Description, wheel: Wheel, platform: str, forks: tuple[str, ...], numbers: _Numbers) -> None:
        self.d, self.wheel, self._numbers = d, wheel, numbers
        path = d.ancestors(wheel.body)
        start = [body.name for body in path].index(platform) + 1
        self.frames = [IDENTITY]
        T = IDENTITY
        for body in path[start:]:
            T = T.then(self._placed(body))
            if body.name in forks or body.name == wheel.body:
                self.frames.append(T)
        for fork, frame in zip(forks, self.frames[1:], strict=False):
            self._vertical(fork, frame)
        self.axle, self.centre = self.frames[-1].rotation.apply(UP), self.frames[-1].position
        self._grounded()

    def _placed(self, body: Body) -> Transform:
        return walk(body.placement.steps(self._numbers))

    def _vertical(self, fork: str, frame: Transform) -> None:
        axis = frame.rotation.apply(UP)
        if not math.hypot(axis.x, axis.y) < NEAR:
            raise RobotError(
                f"the wheel {self.wheel.name} hangs on {fork}, whose axis is not vertical: it leans by "
                f"{_degrees(math.hypot(axis.x, axis.y), axis.z)}; joints between platform and axle turn about the z axis of the platform"
            )

    def _grounded(self) -> None:
        """The wheel touches the ground: its axle is horizontal, its centre a radius above."""
        wheel = self.wheel
        radius = self._numbers(wheel.radius)
        before = f"the wheel {wheel.name} has no ground contact: "
        if not radius > 0:
            raise RobotError(f"{before}its radius is {text(wheel.radius)} m; give it a radius above 0")
        if not abs(self.axle.z) < NEAR:
            tilt = math.degrees(math.asin(max(-1.0, min(1.0, float(self.axle.z)))))
            raise RobotError(
                f"{before}its axle, the z axis of {wheel.body}, leans by {abs(tilt):.3g}° and is not horizontal; place {wheel.body} "
                "with its z axis parallel to the xy plane of the platform (alpha = -pi/2 turns it to the left)"
            )
        height = float(self.centre.z)
        if not abs(height - radius) <= NEAR * radius:
            said, formula = text(wheel.radius), isinstance(wheel.radius, Formula)
            raise RobotError(
                f"{before}its centre, the origin of {wheel.body}, stands {height:.6g} m above the ground, the xy plane of the platform's "
                f"frame, and its radius is {said}{f' (such as {radius:.6g})' if formula else ''} m; place {wheel.body} at the height "
                f"{said}{', by the same formula' if formula else ''}"
            )

    def trails(self) -> bool:
        """Whether the axis of the last fork passes before or behind the axle."""
        if len(self.frames) < 3:
            return False
        lever = self.axle.cross(UP).dot(self.centre - self.frames[-2].position)
        return abs(lever) > NEAR * self._numbers(self.wheel.radius)

    def apart(self) -> bool:
        """Whether the forks turn about several axes, and the farther ones swing the nearer."""
        ways = [b.position - a.position for a, b in pairwise(self.frames[1:-1])]
        return any(math.hypot(p.x, p.y) > NEAR * self._numbers(self.wheel.radius) for p in ways)


def _degrees(s: float, c: float) -> str:
    return f"{math.degrees(math.atan2(s, abs(c))):.3g}°"
