"""The same torques from fewer inertial parameters: what a joint cannot tell apart is moved to the link before it.

A hinge does not tell masses on its own axis from masses of the link before it (Gautier and Khalil 1990). They have three
parameters: the mass M, the first moment MZ and the second moment K = (XX + YY - ZZ)/2 along the axis. Without them

    M = 0,  MZ = 0,  ZZ = XX + YY

which `Inertia.moment` takes two products less for than for YY = 0, the choice that is made for base parameters in print. A slide
does not tell where inertia about a point is; a ball does not tell a mass in its centre; a screw tells M and MZ but not K.

A link that carries none may besides have its frame turned about the joint's axis so that MY = 0. All this is work on
parameters alone. Reaction wrenches and energies are not kept.
"""

from dataclasses import replace

from armillary.robot.tree import Branch, Tree
from armillary.spatial.inertia import Inertia
from armillary.spatial.matrix import Symmetric
from armillary.spatial.scalar import absent, atan2, cos, sin
from armillary.spatial.transform import walk
from armillary.spatial.vector import ZERO, Vector

NOTHING = Symmetric(0, 0, 0, 0, 0, 0)


def equivalent(tree: Tree) -> Tree:
    """A tree with the same torques for every motion and external wrench; its frames are left out."""
    carriers = {body.parent for body in tree.bodies}
    bodies = [body if k in carriers else _turned(body) for k, body in enumerate(tree.bodies)]
    for k in reversed(range(len(bodies))):
        body = bodies[k]
        kept, moved = shares(body.joint.kind, body.inertia)
        bodies[k] = replace(body, inertia=kept)
        if body.parent >= 0:
            carrier = bodies[body.parent]
            bodies[body.parent] = replace(carrier, inertia=carrier.inertia + moved.seen_from(walk(body.steps)))
    return replace(tree, bodies=tuple(bodies), frames={})


def shares(kind: str, inertia: Inertia) -> tuple[Inertia, Inertia]:
    """(kept, moved): what stays with a link behind a joint of this kind, and what may as well belong to the link before it.

    Both in the joint's frame before it has moved: there the second is the same in every position of the joint.
    """
    J, MS, M = inertia.J, inertia.MS, inertia.M
    match kind:
        case "revolute" | "helical":
            XX, YY = (J.zz + J.xx - J.yy) / 2, (J.zz + J.yy - J.xx) / 2
            K = (J.xx + J.yy - J.zz) / 2
            slim, axial = Symmetric(XX, J.xy, J.xz, YY, J.yz, XX + YY), Symmetric(K, 0, 0, K, 0, 0)
            if kind == "helical":
                return Inertia(slim, MS, M), Inertia(axial, ZERO, 0)
            return Inertia(slim, Vector(MS.x, MS.y, 0), 0), Inertia(axial, Vector(0, 0, MS.z), M)
        case "prismatic":
            return Inertia(NOTHING, MS, M), Inertia(J, ZERO, 0)
        case "spherical":
            return Inertia(J, MS, 0), Inertia(NOTHING, ZERO, M)
        case _:
            return inertia, Inertia(NOTHING, ZERO, 0)


def _turned(body: Branch) -> Branch:
    """A link that carries none, in a frame turned about the hinge's axis so that MY is 0."""
    MS, J = body.inertia.MS, body.inertia.J
    if not body.hinged or absent(MS.y) or not all(absent(x) for part in body.wrench for x in part):
        return body
    angle = atan2(MS.y, MS.x)
    c, s = cos(angle), sin(angle)
    inertia = Inertia(J.turned(2, c, -s), Vector(c * MS.x + s * MS.y, 0, MS.z), body.inertia.M)
    return replace(body, steps=[*body.steps, ("Rz", angle)], turns=(*body.turns, (2, None)), inertia=inertia)
