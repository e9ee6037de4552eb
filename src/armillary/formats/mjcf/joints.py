"""One joint of an MJCF body: where its axis is, what acts on it, and its coordinate where the file draws the robot."""

from dataclasses import dataclass

import numpy as np

from armillary.formats.attributes import choice, coefficient, direction, number, numbers, vector
from armillary.formats.frames import NO_LIMITS, Joint
from armillary.formats.mjcf import known
from armillary.formats.mjcf.orientation import about
from armillary.formats.mjcf.settings import AUTO, Settings
from armillary.formats.xml import Element
from armillary.robot import Limits
from armillary.robot.place import Array

KINDS = {"hinge": "revolute", "slide": "prismatic", "ball": "spherical", "free": "free"}
"""The joint types, and the kind of joint that each is."""

SINGLE = ("hinge", "slide")
"""Those with one coordinate, which has a reference, a spring and an armature."""

TURNING = ("joint", "freejoint")
"""The elements that are joints."""


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """A joint element with its defaults, and the pose in the body of the frames that it stands in."""

    element: Element
    T: Array


def joint_of(name: str, placed: Placed, settings: Settings) -> tuple[Joint, float]:
    """A joint, whose ends are not known yet, and its coordinate where the file draws the robot.

    Its `pose` is what it does by minus that coordinate: from where the robot is drawn to where q = 0.
    """
    element = placed.element
    known.check(element)
    if element.tag == "freejoint":
        if choice(element, "align", AUTO, "auto") == "true":
            raise element.error('align moves the frame of the body to its centre of mass; write align="false"')
        return Joint(name, "free", "", "", np.eye(4), np.array([0.0, 0.0, 1.0])), 0.0
    kind = choice(element, "type", tuple(KINDS), "hinge")
    R = placed.T[:3, :3]
    axis = direction(element, R @ direction(element, vector(element, "axis", 3, (0, 0, 1)), 0.0), settings.snap)
    point = R @ vector(element, "pos", 3, (0, 0, 0)) + placed.T[:3, 3]
    _refuse(element, kind)
    FV, FS, IA, stiffness = (coefficient(element, x) for x in ("damping", "frictionloss", "armature", "stiffness"))
    ref = _coordinate(element, "ref", kind, settings) if kind in SINGLE else 0.0
    return Joint(
        name=name,
        kind=KINDS[kind],
        parent="",
        child="",
        pose=_moved(kind, axis, point, -ref),
        axis=axis,
        FV=FV,
        FS=FS,
        limits=_limits(element, kind, settings) if kind in SINGLE else NO_LIMITS,
        point=np.zeros(3) if kind == "free" else point,
        IA=IA,
        stiffness=stiffness,
        reference=_coordinate(element, "springref", kind, settings) if stiffness else 0.0,
    ), ref


def _moved(kind: str, axis: Array, point: Array, q: float) -> Array:
    """What a hinge or a slide does to its body."""
    T = np.eye(4)
    if q and kind == "hinge":
        T[:3, :3] = about(axis, q)
        T[:3, 3] = point - T[:3, :3] @ point
    elif q:
        T[:3, 3] = axis * q
    return T


def _refuse(element: Element, kind: str) -> None:
    """What changes the mechanics in a way that cannot be said."""
    if "springdamper" in element.attributes and vector(element, "springdamper", 2).any():
        raise element.error(
            "springdamper is made into stiffness and damping from the inertia of the robot; write stiffness and damping"
        )
    if "springyield" in element.attributes and numbers(element, "springyield").any():
        raise element.error("a spring that yields (springyield) is not read")
    if kind not in SINGLE:
        for name in ("stiffness", "armature", *(["frictionloss"] if kind == "free" else [])):
            if coefficient(element, name):
                raise element.error(
                    f'<joint {name}> acts on one coordinate, and a {kind} joint has several; write {name}="0"'
                )


def _coordinate(element: Element, name: str, kind: str, settings: Settings) -> float:
    """A coordinate of a hinge or a slide."""
    x = number(element, name, 0.0)
    return settings.angle(x) if kind == "hinge" else x


def _limits(element: Element, kind: str, settings: Settings) -> Limits:
    """The bounds of a coordinate, and of the motor's torque where they are the same both ways."""
    lower = upper = effort = None
    if _limited(element, "limited", "range", settings):
        low, high = (float(x) for x in vector(element, "range", 2, (0, 0)))
        lower, upper = (settings.angle(low), settings.angle(high)) if kind == "hinge" else (low, high)
    if _limited(element, "actuatorfrclimited", "actuatorfrcrange", settings):
        low, high = (float(x) for x in vector(element, "actuatorfrcrange", 2, (0, 0)))
        effort = high if low == -high else None
    return Limits(lower, upper, None, effort)


def _limited(element: Element, name: str, bounds: str, settings: Settings) -> bool:
    word = choice(element, name, AUTO, "auto")
    return word == "true" or (word == "auto" and settings.autolimits and bounds in element.attributes)
