"""Momentum of all links together, about their common centre of mass, and the centre itself.

With (p_j, L_j) = I_j V_j the momentum of link j about its own origin, carried inwards like a wrench, and c the centre of mass seen from
the base's origin,

    M = Σ M_j,   M c = Σ (R_j MS_j + M_j P_j)
    p = Σ p_j = M ċ,   L_c = L_0 - c × p
    h = (p, L_c) = A_c(q) q' + what the base's own motion adds,   ḣ = (M c̈, L̇_0 - c × M c̈)

(Orin, Goswami and Lee 2013). All is along the axes of the base and relative to the world. Links that are fixed to the base are not
counted. ḣ is what moves the links, gravity not in it: the sum of weight, base reaction and all that the environment exerts.
"""

from dataclasses import dataclass
from typing import Any

from armillary.dynamics.inertia_matrix import composite_inertias
from armillary.dynamics.newton_euler import Wrench
from armillary.kinematics.motion import BaseMotion, link_motions, link_velocities
from armillary.robot.tree import Scalars, Tree
from armillary.spatial.inertia import Inertia
from armillary.spatial.matrix import Symmetric
from armillary.spatial.rotation import Rotation
from armillary.spatial.scalar import named
from armillary.spatial.transform import Transform
from armillary.spatial.vector import ZERO, Vector

MASSLESS = Inertia(Symmetric(0, 0, 0, 0, 0, 0), ZERO, 0)


@dataclass(frozen=True, slots=True)
class Center:
    """Total mass (kg), and the first moment M c (kg m) and the centre of mass c (m) in the base."""

    mass: Any
    moment: Vector
    position: Vector


def center_of_mass(tree: Tree, q: Scalars) -> Center:
    """The centre of mass of all links that move."""
    mass, moment = _carried_to_base(tree, [body.transform(q) for body in tree.bodies])
    return Center(mass, moment, (moment * (1 / mass)).named("COG"))


def _carried_to_base(tree: Tree, transforms: list[Transform]) -> tuple[Any, Vector]:
    """M and M c, link by link inwards."""
    mass: Any = 0
    moment = ZERO
    carried = [(body.inertia.M, body.inertia.MS) for body in tree.bodies]
    for k in reversed(range(len(tree))):
        T, (m, ms) = transforms[k], carried[k]
        ms = T.rotation.apply(ms) + T.position * m
        i = tree.bodies[k].parent
        if i < 0:
            mass, moment = mass + m, moment + ms
        else:
            carried[i] = (carried[i][0] + m, carried[i][1] + ms)
    return mass, moment


def momentum(tree: Tree, q: Scalars, qd: Scalars) -> tuple[Wrench, Center]:
    """((p, L_c), centre)."""
    own = [body.inertia.times(*V) for body, V in zip(tree.bodies, link_velocities(tree, q, qd), strict=True)]
    return _about_center(tree, q, own, [body.transform(q) for body in tree.bodies])


def momentum_rate(tree: Tree, q: Scalars, qd: Scalars, qdd: Scalars, base: BaseMotion) -> tuple[Wrench, Center]:
    """((ṗ, L̇_c), centre); `base` with gravity not taken off."""
    motions = link_motions(tree, q, qd, qdd, base)
    own = [
        (body.inertia.force(m.U, m.dv), body.inertia.moment(m.U, m.dv))
        for body, m in zip(tree.bodies, motions, strict=True)
    ]
    return _about_center(tree, q, own, [m.T for m in motions])


def _about_center(tree: Tree, q: Scalars, own: list[Wrench], transforms: list[Transform]) -> tuple[Wrench, Center]:
    """The sum of what is said of each link about its origin, about the centre of mass."""
    center = center_of_mass(tree, q)
    carried = list(own)
    f, n = ZERO, ZERO
    for k in reversed(range(len(tree))):
        here = transforms[k].force(*carried[k])
        i = tree.bodies[k].parent
        if i < 0:
            f, n = f + here[0], n + here[1]
        else:
            carried[i] = (carried[i][0] + here[0], carried[i][1] + here[1])
    return (f, n - center.position.cross(f)), center


def momentum_matrix(tree: Tree, q: Scalars) -> tuple[list[list[Any]], Center, Symmetric]:
    """(A_c, centre, J_c): h = A_c q' on a base at rest, 6 x nv, rows p then L; J_c (kg m²) the inertia of all links as one about c."""
    transforms = [body.transform(q) for body in tree.bodies]
    composite = composite_inertias(tree, transforms)
    whole = MASSLESS
    for body, T, inertia in zip(tree.bodies, transforms, composite, strict=True):
        if body.parent < 0:
            whole = whole + inertia.seen_from(T)
    c = (whole.MS * (1 / whole.M)).named("COG")
    columns: list[list[Any]] = [[0] * 6 for _ in range(tree.nv)]
    for k, body in enumerate(tree.bodies):
        for place, twist in zip(range(tree.nv)[body.v], body.motion, strict=True):
            f, n = composite[k].times(*twist)
            inner = k
            while inner >= 0:
                f, n = transforms[inner].force(f, n)
                inner = tree.bodies[inner].parent
            columns[place] = [*f, *(n - c.cross(f))]
    A = [[named(column[i], f"AG{i + 1}_{j + 1}") for j, column in enumerate(columns)] for i in range(6)]
    return A, Center(whole.M, whole.MS, c), whole.seen_from(Transform(Rotation(), -c)).J
