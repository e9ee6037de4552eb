"""The lecture's mechanisms, cut in other ways than in the library: uniform rods in the plane, and a platform on six legs."""

from typing import Any

import numpy as np

import armillary as arm
from armillary.robot.part import Part


def rod(length: float, mass: float) -> dict[str, Any]:
    """Inertia of a uniform rod along x, from its joint on."""
    turning = mass * length**2 / 12
    return {"mass": mass, "center": (length / 2, 0, 0), "inertia": (0, 0, 0, turning, 0, turning)}


PASSIVE: dict[str, Any] = {"actuated": False}


def four_bar(cut: str) -> arm.Robot:
    """The lecture's: whole to the rocker and cut at the ground (3 + 0), cut between crank and coupler (1 + 2)."""
    a0, a1, a2, a3 = 0.19, 0.038, 0.2304, 0.1152
    crank, coupler, rocker = rod(a1, 1.5), rod(a2, 5), rod(a3, 3)
    if cut == "ground":
        return arm.describe(
            "four-bar",
            arm.revolute("crank", **crank),
            arm.revolute("coupler", d=a1, **coupler, **PASSIVE),
            arm.revolute("rocker", d=a2, **rocker, **PASSIVE),
            arm.cut("ground", a=arm.side("base", d=a0), b=arm.side("rocker", d=a3)),
            gravity=(0, -9.81, 0),
        )
    return arm.describe(
        "four-bar",
        arm.revolute("crank", **crank),
        arm.revolute("rocker", "base", d=a0, **rocker, **PASSIVE),
        arm.revolute("coupler", "rocker", d=a3, **coupler, **PASSIVE),
        arm.cut("pin", a=arm.side("crank", d=a1), b=arm.side("coupler", d=a2)),
        gravity=(0, -9.81, 0),
    )


def five_bar() -> arm.Robot:
    """The lecture's, rods of 1 m and 6 kg, cut at the second crank's end: 3 + 1. th1, th2 of the cranks are q1 and q4."""
    bar = rod(1, 6)
    return arm.describe(
        "five-bar",
        arm.revolute("crank1", **bar),
        arm.revolute("coupler1", d=1, **bar, **PASSIVE),
        arm.revolute("coupler2", d=1, **bar, **PASSIVE),
        arm.revolute("crank2", "base", d=1, **bar),
        arm.cut("elbow", a=arm.side("crank2", d=1), b=arm.side("coupler2", d=1)),
        gravity=(0, -9.81, 0),
    )


def three_rrr() -> arm.Robot:
    """The lecture's, its platform on the first leg; the base triangle, which it does not give, is of 1 m."""
    crank, coupler, side = rod(0.4, 3), rod(0.6, 4), 0.4
    turning = 8 * side**2 / 12
    middle = (side / 2, side / (2 * np.sqrt(3)), 0)
    plate: dict[str, Any] = {"mass": 8, "center": middle, "inertia": (turning / 2, 0, 0, turning / 2, 0, turning)}
    away: list[dict[str, Any]] = [{"d": side}, {"gamma": "pi/3", "d": side}]
    feet: list[dict[str, Any]] = [{"d": 1}, {"gamma": "pi/3", "d": 1}]
    legs = [
        arm.revolute(f"coupler{k}", "platform", **place, **coupler, **PASSIVE) for k, place in enumerate(away, start=2)
    ]
    cranks = [arm.revolute(f"crank{k}", "base", **place, **crank) for k, place in enumerate(feet, start=2)]
    cuts = [arm.cut(f"elbow{k}", a=arm.side(f"crank{k}", d=0.4), b=arm.side(f"coupler{k}", d=0.6)) for k in (2, 3)]
    return arm.describe(
        "3-RRR",
        arm.revolute("crank1", **crank),
        arm.revolute("coupler1", d=0.4, **coupler, **PASSIVE),
        arm.revolute("platform", d=0.6, **plate, **PASSIVE),
        *legs,
        *cranks,
        *cuts,
        gravity=(0, -9.81, 0),
    )


def stewart(a: str = "leg") -> arm.Robot:
    """Six legs, each a universal joint, a driven slide and a ball that holds the platform, which floats when they are cut.

    `a` says which of the two has side a of the cut joints.
    """
    parts: list[Part] = []
    for k in range(6):
        foot = np.pi / 3 * (k - k % 2) + (0.3 if k % 2 else -0.3)
        hand = np.pi / 3 * (k - k % 2) + (0.8 if k % 2 else -0.8)
        own: dict[str, Any] = {"mass": 1.0, "center": (0.01, 0.02, 0.2), "inertia": (0.02, 0, 0, 0.03, 0, 0.01)}
        ends = [arm.side(f"rod{k}"), arm.side("platform", gamma=hand, d=0.5)]
        ends = ends if a == "leg" else ends[::-1]
        parts += [
            arm.revolute(f"fork{k}", "base", gamma=foot, d=1, alpha="pi/2", **own, **PASSIVE),
            arm.revolute(f"tube{k}", f"fork{k}", alpha="pi/2", theta="pi/2", **own, **PASSIVE),
            arm.prismatic(f"rod{k}", f"tube{k}", alpha="pi/2", **own),
            arm.cut(f"ball{k}", type="spherical", a=ends[0], b=ends[1]),
        ]
    plate = arm.free("platform", "base", mass=20, center=(0, 0, 0.1), inertia=(1, 0, 0, 1, 0, 2), **PASSIVE)
    return arm.describe("Stewart platform", plate, *parts)


def sarrus() -> arm.Robot:
    """A plate that two pairs of hinged links, square to each other, carry straight up: its loop holds one direction too many."""
    lower, upper = rod(1, 2), rod(0.9, 2)
    return arm.describe(
        "Sarrus linkage",
        arm.revolute("a1", alpha="pi/2", d=1, **lower),
        arm.revolute("a2", d=1, **upper, **PASSIVE),
        arm.revolute("plate", d=0.9, mass=5, center=(-1, 0.1, 0), inertia=(1, 0, 0, 1, 0, 1), **PASSIVE),
        arm.revolute("b1", "base", gamma="pi/2", alpha="pi/2", d=1, **lower, **PASSIVE),
        arm.revolute("b2", d=1, **rod(1.2, 2), **PASSIVE),
        arm.cut("hinge", a=arm.side("plate", gamma="pi/2", b=-1, alpha="pi/2", r=-1), b=arm.side("b2", d=1.2), FV=0.3),
    )


def wiper() -> arm.Robot:
    """An arm with a point on a wavy wall and its tip on a circle of a plate that slides; three of its joints have motors."""
    link: dict[str, Any] = {"mass": 1.0, "center": (0.25, 0, 0.1), "inertia": (0.01, 0, 0, 0.02, 0, 0.02), "FV": 0.1}
    return arm.describe(
        "wiper",
        arm.prismatic("plate", alpha="pi/2", mass=3),
        *(
            arm.revolute(name, None if k else "base", alpha=0.5 * k, d=0.4, actuated=name in "ab", **link)
            for k, name in enumerate("abcde")
        ),
        arm.contact("wall", arm.side("c", d=0.5), "y - 0.1*sin(2*x) - 0.3*z"),
        arm.contact("wire", arm.side("e", d=0.5), ["x**2 + y**2 - 2.25", "z - 0.1"], on="plate"),
        gravity=(0, -9.81, 0),
    )
