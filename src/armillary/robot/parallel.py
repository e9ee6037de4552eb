"""Platforms: bodies that several legs carry together, and which of their joints have no motor on the way to the base.

A platform is on joints without motors, a free one, a planar one or slides, that reach from the base or from another platform; each
of two or more legs is cut from it.
"""

from dataclasses import dataclass

from armillary.robot.check import carrier
from armillary.robot.description import Description


@dataclass(frozen=True, slots=True)
class Platform:
    """`bodies` lead from where its robot or module begins to the platform, itself last; `legs` are the cut joints at it."""

    name: str
    bodies: tuple[str, ...]
    legs: tuple[str, ...]


def platforms(d: Description) -> tuple[Platform, ...]:
    """Every platform of a robot, those nearer to the base first."""
    found: dict[str, Platform] = {}
    for k in d.order:
        body = d.bodies[k]
        legs = tuple(c.name for c in d.cuts if body.name in (carrier(d, c.a.body), carrier(d, c.b.body)))
        way = [b for b in d.ancestors(body.name) if b.joint.nv]
        while way and any(b.name in found for b in way):
            del way[0]
        if len(legs) > 1 and way and not any(b.actuated for b in way):
            found[body.name] = Platform(body.name, tuple(b.name for b in way), legs)
    return tuple(found.values())
