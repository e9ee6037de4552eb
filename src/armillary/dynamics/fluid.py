"""What links exert on the fluid around them: resistance and added mass, link by link.

At a centre c of the link, along the axes of its frame, with v its velocity relative to a fluid that flows steadily and alike
everywhere, ω and a the link's angular velocity and the true acceleration of the centre,

    resistance    f_i = D_i |v_i| v_i,   n_i = E_i |ω_i| ω_i                     (Taylor 1952)
    added mass    P = A v,  L = B ω:   f = Ṗ + ω × P,   n = L̇ + ω × L + v × P    (Kirchhoff; Lamb 1932, section 124)

where Ṗ = A (a - ω × v) component by component; A, B, D, E are diagonal. Nothing is said of what links do to the flow around
others, and nothing of buoyancy.

In the acceleration (v̇, ω̇) of the link's origin that is I (v̇, ω̇) + W: I a symmetric inertia that is not a rigid body's, as A
differs from axis to axis, and the energy ½ V·I V that moves with the link. Models that solve for accelerations take the two apart.
"""

from dataclasses import replace
from typing import Any

from armillary.kinematics.motion import base_motion, link_motions, link_velocities
from armillary.robot.tree import Immersion, Scalars, Tree
from armillary.spatial.articulated import ArticulatedInertia
from armillary.spatial.inertia import Inertia
from armillary.spatial.matrix import Matrix, Symmetric
from armillary.spatial.scalar import sign
from armillary.spatial.vector import ZERO, Vector

Wrench = tuple[Vector, Vector]


def immersed(tree: Tree) -> bool:
    """Whether a link is in a fluid."""
    return any(body.fluids for body in tree.bodies)


def fluid_wrenches(tree: Tree, q: Scalars, qd: Scalars, qdd: Scalars) -> list[Wrench]:
    """(f, n) that each link exerts on the fluid, in its frame about its origin."""
    motions = link_motions(tree, q, qd, qdd, base_motion(tree, gravity=False))
    accelerations = [(m.dv, m.dw) for m in motions]
    found: list[Wrench] = []
    for (inertia, (f, n)), a in zip(fluid_parts(tree, q, qd), accelerations, strict=True):
        df, dn = inertia.times(*a)
        found.append((f + df, n + dn))
    return found


def with_fluid_wrenches(tree: Tree, q: Scalars, qd: Scalars, qdd: Scalars) -> Tree:
    """The tree in nothing, what its links exert on the fluid among their external wrenches."""
    return _exerting(tree, fluid_wrenches(tree, q, qd, qdd)) if immersed(tree) else tree


def with_fluid_bias(tree: Tree, q: Scalars, qd: Scalars) -> Tree:
    """The tree with the part of these wrenches that does not depend on accelerations from which gravity is taken off.

    What does is the fluid's inertia, which the true acceleration v̇ + g meets: I (g, 0) belongs here.
    """
    if not immersed(tree):
        return tree
    listed: list[Wrench] = []
    for (inertia, (f, n)), down in zip(fluid_parts(tree, q, qd), _everywhere(tree, q, tree.gravity), strict=True):
        df, dn = inertia.times(down, ZERO)
        listed.append((f + df, n + dn))
    return _exerting(tree, listed)


def _exerting(tree: Tree, wrenches: list[Wrench]) -> Tree:
    pairs = zip(tree.bodies, wrenches, strict=True)
    bodies = (replace(b, wrench=(b.wrench[0] + f, b.wrench[1] + n), fluids=()) for b, (f, n) in pairs)
    return replace(tree, bodies=tuple(bodies))


def fluid_parts(tree: Tree, q: Scalars, qd: Scalars) -> list[tuple[ArticulatedInertia, Wrench]]:
    """(I, W) of each link: its wrench on the fluid is I (v̇, ω̇) + W, with the true acceleration of its origin."""
    flows = _everywhere(tree, q, tree.current)
    found: list[tuple[ArticulatedInertia, Wrench]] = []
    for body, (v, w), flow in zip(tree.bodies, link_velocities(tree, q, qd), flows, strict=True):
        f = n = ZERO
        for fluid in body.fluids:
            df, dn = _bias(fluid, v - flow, w)
            f, n = f + df, n + dn
        found.append((added_inertia(body.fluids), (f, n)))
    return found


def added_inertia(fluids: tuple[Immersion, ...]) -> ArticulatedInertia:
    """I of the fluid around one link, about its origin."""
    total = ArticulatedInertia.rigid(Inertia(_diagonal(ZERO), ZERO, 0))
    for fluid in fluids:
        about_center = ArticulatedInertia(
            _diagonal(fluid.added_mass), Matrix(ZERO, ZERO, ZERO), _diagonal(fluid.added_inertia)
        )
        total = total + about_center.moved(fluid.center).seen_from(fluid.T)
    return total


def added_energy(tree: Tree, velocities: list[Wrench], q: Scalars) -> Any:
    """½ Σ V·I V, with the velocities of links relative to the fluid."""
    total: Any = 0
    for body, (v, w), flow in zip(tree.bodies, velocities, _everywhere(tree, q, tree.current), strict=True):
        p, L = added_inertia(body.fluids).times(v - flow, w)
        total = total + ((v - flow).dot(p) + w.dot(L))
    return total / 2


def _bias(fluid: Immersion, v: Vector, w: Vector) -> Wrench:
    """W of one frame in the fluid, from the velocity of the link's origin relative to the fluid."""
    inward = fluid.T.rotation.apply_inverse
    c = fluid.center
    v, w = inward(v + w.cross(fluid.T.position)), inward(w)
    turning = w.cross(w.cross(fluid.T.rotation.apply_inverse(fluid.T.position) + c))
    v = v + w.cross(c)
    P, L = _each(fluid.added_mass, v), _each(fluid.added_inertia, w)
    f = _each(fluid.drag, _squared(v)) + _each(fluid.added_mass, turning - w.cross(v)) + w.cross(P)
    n = _each(fluid.turning_drag, _squared(w)) + w.cross(L) + v.cross(P)
    return fluid.T.force(f, n + c.cross(f))


def _everywhere(tree: Tree, q: Scalars, given: Vector) -> list[Vector]:
    """A vector in base components along the axes of every link."""
    found: list[Vector] = []
    for body in tree.bodies:
        found.append(body.transform(q).rotation.apply_inverse(given if body.parent < 0 else found[body.parent]))
    return found


def _diagonal(v: Vector) -> Symmetric:
    return Symmetric(v.x, 0, 0, v.y, 0, v.z)


def _each(a: Vector, b: Vector) -> Vector:
    """Component by component."""
    return Vector(a.x * b.x, a.y * b.y, a.z * b.z)


def _squared(v: Vector) -> Vector:
    """|v_i| v_i."""

    def signed(x: Any) -> Any:
        return x * x * sign(x)

    return Vector(signed(v.x), signed(v.y), signed(v.z))
