"""What may be said of one part of a robot, by hand or in a file, and what is meant where nothing is said.

Keys and values are those of `Link` and `Place`. Numbers may be formulas' texts throughout.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from armillary.expr.numbers import Number
from armillary.robot.body import INERTIAL
from armillary.robot.fluid import COEFFICIENTS, Fluid
from armillary.robot.joints import Joint
from armillary.robot.value import Formula, Value

Given = Number | Formula | str
"""A number, a formula's text, or a formula."""

Bound = float | Sequence[float]
"""A bound of the one velocity of a joint, or of each of several; infinite where there is none."""


class Place(TypedDict, total=False):
    """Where a frame stands, see `placement`: angles in rad, lengths in m."""

    gamma: Given
    b: Given
    alpha: Given
    d: Given
    beta: Given
    theta: Given
    r: Given


class Mass(Place, total=False):
    """Where a link stands, its inertia and the wrench it exerts."""

    inertials: str
    XX: Given
    XY: Given
    XZ: Given
    YY: Given
    YZ: Given
    ZZ: Given
    MX: Given
    MY: Given
    MZ: Given
    M: Given
    mass: Given
    center: Sequence[Given]
    inertia: Sequence[Given]
    wrench: Sequence[Given]
    fluid: str | Mapping[str, Sequence[Given]]


class Link(Mass, total=False):
    """What a link may be given besides: losses, names, bounds of the joint that carries it."""

    IA: Given
    friction: str
    FV: Given
    FS: Given
    stiffness: Given
    reference: Given
    pitch: Given
    transmission: Mapping[str, Given]
    joint: str
    coordinates: str | Sequence[str]
    velocities: str | Sequence[str]
    actuated: bool
    lower: Bound
    upper: Bound
    velocity: Bound
    effort: Bound


class Side(Place, total=False):
    """A frame on one side of a cut joint: its body, "base" too, and where it stands there."""

    body: str


class Closing(TypedDict, total=False):
    """What a cut joint may be given: its kind, revolute if it says none, its two sides, losses, a spring."""

    type: str
    a: Side
    b: Side
    IA: Given
    FV: Given
    FS: Given
    stiffness: Given
    reference: Given


class Running(TypedDict, total=False):
    """What a wheel may be given: the body that rolls, the part before it if it says none, its radius, the angle of its rollers."""

    body: str
    radius: Given
    roller: Given


class Meeting(TypedDict, total=False):
    """What steering gear may be given: the three wheels whose axles it makes meet."""

    wheels: Sequence[str]


class Together(TypedDict, total=False):
    """What a coupling may be given: the joint that follows, its leader, q_j = ratio · q_k + offset, and how it gives."""

    joint: str
    leader: str
    ratio: Given
    offset: Given
    stiffness: Given
    damping: Given


class Touching(TypedDict, total=False):
    """What a contact may be given: the point, the frame that the surface stands in, one formula in x, y, z, or two for a line."""

    point: Side
    on: Side
    surface: str | Sequence[str]


@dataclass(frozen=True, slots=True)
class Part:
    """A body, a frame or what ties joints together as it was said: `kind` is the joint's, or "frame", "cut", "coupling", "contact",
    "wheel", "ackermann"; `on` None for the part before."""

    kind: str
    name: str
    on: str | None
    given: Mapping[str, Any]


def default_joint(joint: Joint, body: str) -> str:
    """A joint that moves is called as its body."""
    return body if joint.nv else ""


def default_coordinates(joint: Joint, number: int) -> tuple[str, ...]:
    """q3 for the third moving joint, q3w … q3z where it has a quaternion."""
    return tuple(f"q{number}{mark}" for mark in joint.marks[0])


def default_velocities(joint: Joint, number: int) -> tuple[str, ...]:
    """q3 for the third moving joint, q3x, q3y, q3z where it has three velocities."""
    return tuple(f"q{number}{mark}" for mark in joint.marks[1])


def default_coupling(given: Mapping[str, Any]) -> str:
    """A coupling is called after the two joints."""
    return f"{given.get('joint')} with {given.get('leader')}"


def default_actuated(joint: Joint) -> bool:
    """Nothing drives a body that floats or glides."""
    return joint.kind not in ("free", "planar")


def symbolic_inertials(joint: Joint, number: int) -> dict[str, Value]:
    """XX3 … M3 for the third body, and its rotor's IA3 where its joint has one velocity."""
    names = INERTIAL + (("IA",) if joint.nv == 1 else ())
    return {name: Formula(f"{name}{number}") for name in names}


def symbolic_friction(joint: Joint, number: int) -> dict[str, Value]:
    """FV3 and FS3 for the third body."""
    return {name: Formula(f"{name}{number}") for name in ("FV", "FS") if joint.nv}


def symbolic_fluid(number: int) -> Fluid:
    """FCX3 … FBZ3 for the third body."""
    return Fluid.of([Formula(f"{name}{number}") for name in COEFFICIENTS])
