"""The same torques from fewer inertial parameters: what a joint cannot tell apart is moved to the link before it.

A hinge does not tell masses on its own axis from masses of the link before it (Gautier and Khalil 1990). They have three
parameters: the mass M, the first moment MZ and the second moment K along the axis, which adds K to XX and YY. Without them M and MZ
are 0, and K may be chosen so that one more combination is: YY, as base parameters are printed and as costs least where inertias are
added up and turned; or XX + YY - ZZ, twice the second moment, for which `Inertia.moment` takes two products less.

A slide does not tell where inertia about a point is; a ball does not tell a mass in its centre; a screw tells M and MZ but not K.
All this is work on parameters alone, and linear in them. Reaction wrenches and energies are not kept.
"""

from dataclasses import replace
from typing import Literal

from armillary.robot.body import INERTIAL
from armillary.robot.tree import Tree
from armillary.spatial.inertia import Inertia
from armillary.spatial.matrix import Symmetric
from armillary.spatial.scalar import Scalar, named
from armillary.spatial.transform import walk
from armillary.spatial.vector import ZERO, Vector

NOTHING = Symmetric(0, 0, 0, 0, 0, 0)


Gone = Literal["YY", "XX + YY - ZZ"]
"""The combination of moments of inertia that a hinge or a screw does without."""


def equivalent(tree: Tree, gone: Gone = "YY") -> Tree:
    """A tree with the same torques for every motion and external wrench."""
    bodies = list(tree.bodies)
    for k in reversed(range(len(bodies))):
        body = bodies[k]
        kept, moved = shares(body.joint.kind, body.inertia, gone)
        bodies[k] = replace(body, inertia=_named(kept, gone, k + 1))
        if body.parent >= 0:
            carrier = bodies[body.parent]
            bodies[body.parent] = replace(carrier, inertia=carrier.inertia + moved.seen_from(walk(body.steps)))
    return replace(tree, bodies=tuple(bodies))


def shares(kind: str, inertia: Inertia, gone: Gone) -> tuple[Inertia, Inertia]:
    """(kept, moved): what stays with a link behind a joint of this kind, and what may as well belong to the link before it.

    Both in the joint's frame before it has moved: there the second is the same in every position of the joint.
    """
    J, MS, M = inertia.J, inertia.MS, inertia.M
    match kind:
        case "revolute" | "helical":
            slim, K = _without_axis(J, gone)
            axial = Symmetric(K, 0, 0, K, 0, 0)
            if kind == "helical":
                return Inertia(slim, MS, M), Inertia(axial, ZERO, 0)
            return Inertia(slim, Vector(MS.x, MS.y, 0), 0), Inertia(axial, Vector(0, 0, MS.z), M)
        case "prismatic":
            return Inertia(NOTHING, MS, M), Inertia(J, ZERO, 0)
        case "spherical":
            return Inertia(J, MS, 0), Inertia(NOTHING, ZERO, M)
        case _:
            return inertia, Inertia(NOTHING, ZERO, 0)


def _named(inertia: Inertia, gone: Gone, k: int) -> Inertia:
    """Itself, its elements remembered as XXR1, … with the letter of regrouped parameters, or as XXE1, …"""
    letter = "R" if gone == "YY" else "E"
    numbers = [named(x, f"{name}{letter}{k}") for name, x in zip(INERTIAL, inertia, strict=True)]
    return Inertia(Symmetric(*numbers[:6]), Vector(*numbers[6:9]), numbers[9])


def _without_axis(J: Symmetric, gone: Gone) -> tuple[Symmetric, Scalar]:
    """(J without a second moment K along z, K)."""
    if gone == "YY":
        return Symmetric(J.xx - J.yy, J.xy, J.xz, 0, J.yz, J.zz), J.yy
    XX, YY = (J.zz + J.xx - J.yy) / 2, (J.zz + J.yy - J.xx) / 2
    return Symmetric(XX, J.xy, J.xz, YY, J.yz, XX + YY), (J.xx + J.yy - J.zz) / 2
