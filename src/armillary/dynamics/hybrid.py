"""Direct and hybrid dynamics by articulated bodies: of each joint velocity either the acceleration or the torque is known.

Three recursions in the form of Khalil, Vijayalingam et al. (2014), section IV-C, with the acceleration of the base started from -g
(the printed sign is wrong). Articulated inertia of link j:

    f = A v̇ + C ω̇ - β_f,   n = Cᵀ v̇ + D ω̇ - β_n        A, D symmetric 3 x 3, C 3 x 3

The inertia of the fluid around a link (`dynamics.fluid`) adds to it. Outwards: gyroscopic accelerations γ_j and wrenches β_j.
Inwards, joint by joint, the twists whose torque is known are projected out: with u = I* twist, d = twistᵀ u + IA,

    K = I* - u uᵀ/d,   α = K γ + u (Γ + twistᵀ β*)/d - β*       torque known
    K = I*,            α = I* (γ + twist q'') - β*              acceleration known

    I*_i += Sᵀ K S,    β*_i -= Sᵀ α

Outwards again: q'' = (Γ - uᵀ(S V̇_i + γ) + twistᵀ β*)/d and V̇_j, or Γ from the wrench.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from armillary.dynamics.equivalent import equivalent
from armillary.dynamics.fluid import added_inertia, immersed, with_fluid_bias
from armillary.dynamics.newton_euler import Wrench, own_torques
from armillary.dynamics.springs import coupling_torques
from armillary.kinematics.motion import BaseMotion
from armillary.robot.tree import Branch, Scalars, Tree
from armillary.spatial.articulated import ArticulatedInertia
from armillary.spatial.matrix import skew_square
from armillary.spatial.scalar import named, sign
from armillary.spatial.transform import Transform
from armillary.spatial.vector import Vector

Motion = tuple[Vector, Vector]
"""(linear, angular) acceleration."""


@dataclass(slots=True)
class _Link:
    """One link on its way through the three recursions."""

    body: Branch
    T: Transform
    w: Vector
    inertia: ArticulatedInertia
    bias: Wrench
    free: Motion
    """The acceleration relative to the antecedent that does not depend on what is unknown."""
    released: list["_Released"]


@dataclass(frozen=True, slots=True)
class _Released:
    """A twist whose torque is known: its place among the velocities, u = I* twist, 1/d, and Γ + twistᵀ β*."""

    place: int
    twist: Motion
    u: Wrench
    inverse: Any
    drive: Any


def hybrid_dynamics(
    tree: Tree, q: Scalars, qd: Scalars, given: Scalars, knows_acceleration: Sequence[bool], base: BaseMotion
) -> tuple[list[Any], list[Any]]:
    """(q'', Γ), `given` holding q'' of each joint velocity where `knows_acceleration` says so, and Γ elsewhere."""
    tree = equivalent(tree)
    added = [added_inertia(body.fluids) for body in tree.bodies] if immersed(tree) else []
    tree = with_fluid_bias(tree, q, qd)
    links = _outwards(tree, q, qd, base)
    for link, inertia in zip(links, added, strict=False):
        link.inertia = link.inertia + inertia
    springs = coupling_torques(tree, q, qd)
    qdd, torques = list(given), list(given)
    given = [x if knows else x - s for x, s, knows in zip(given, springs, knows_acceleration, strict=True)]
    for k in reversed(range(len(links))):
        link = links[k]
        _release(link, q, qd, given, knows_acceleration)
        i = link.body.parent
        if i >= 0:
            f, n = link.inertia.times(*link.free)
            f, n = link.T.force(f - link.bias[0], n - link.bias[1])
            carrier = links[i]
            carrier.inertia = (carrier.inertia + link.inertia.seen_from(link.T)).named(i + 1)
            carrier.bias = ((carrier.bias[0] - f).named("BF", i + 1), (carrier.bias[1] - n).named("BN", i + 1))

    motion: list[Motion] = []
    for k, link in enumerate(links, start=1):
        dv_i, dw_i = (base.dv, base.dw) if link.body.parent < 0 else motion[link.body.parent]
        turn = link.T.rotation.apply_inverse
        dv, dw = turn(dv_i + dw_i.cross(link.T.position)) + link.free[0], turn(dw_i) + link.free[1]
        held = [s for s in range(tree.nv)[link.body.v] if knows_acceleration[s]]
        if held:
            f, n = link.inertia.times(dv, dw)
            f, n = f - link.bias[0], n - link.bias[1]
            own = own_torques(link.body, q, qd, qdd)
            along = link.body.along(f, n)
            for s in held:
                place = s - link.body.v.start
                torques[s] = named(along[place] + own[place] + springs[s], f"GAM{s + 1}")
        for r in reversed(link.released):
            qdd[r.place] = a = named((r.drive - _power((dv, dw), r.u)) * r.inverse, f"QDP{r.place + 1}")
            dv, dw = dv + r.twist[0] * a, dw + r.twist[1] * a
        motion.append((dv.named("VP", k), dw.named("WP", k)))
    return qdd, torques


def _outwards(tree: Tree, q: Scalars, qd: Scalars, base: BaseMotion) -> list[_Link]:
    """The first recursion: angular velocities, γ_j, β_j and the rigid inertias."""
    links: list[_Link] = []
    for k, body in enumerate(tree.bodies, start=1):
        w_i = base.w if body.parent < 0 else links[body.parent].w
        T = body.transform(q)
        v_J, w_J = body.twist(qd)
        w_in_j = T.rotation.apply_inverse(w_i)
        w = (w_in_j + w_J).named("W", k)
        centripetal = T.rotation.apply_inverse(skew_square(w_i).apply(T.position))
        free = ((centripetal + w_in_j.cross(v_J * 2) + w_J.cross(v_J)).named("GV", k), w_in_j.cross(w_J).named("GW", k))
        f_e, n_e = body.wrench
        f = skew_square(w).apply(body.inertia.MS) + f_e
        n = w.cross(body.inertia.J.apply(w)) + n_e
        links.append(_Link(body, T, w, ArticulatedInertia.rigid(body.inertia), (-f, -n), free, []))
    return links


def _release(link: _Link, q: Scalars, qd: Scalars, given: Scalars, knows_acceleration: Sequence[bool]) -> None:
    """The second recursion at one joint: known accelerations join γ; twists of known torque are projected out one by one."""
    body = link.body
    places = range(body.v.start, body.v.stop)
    for s, twist in zip(places, body.motion, strict=True):
        if knows_acceleration[s]:
            link.free = (link.free[0] + twist[0] * given[s], link.free[1] + twist[1] * given[s])
    for s, twist, spring in zip(places, body.motion, body.spring(q), strict=True):
        if not knows_acceleration[s]:
            u = link.inertia.times(*twist)
            inverse = 1 / named(_power(twist, u) + body.IA, f"H{s + 1}")
            losses = body.FV * qd[s] + body.FS * sign(qd[s]) + spring
            drive = named(given[s] - losses + _power(twist, link.bias), f"TAU{s + 1}")
            gain = drive * inverse
            link.released.append(_Released(s, twist, u, inverse, drive))
            link.inertia = link.inertia.without(u, inverse)
            link.bias = (link.bias[0] - u[0] * gain, link.bias[1] - u[1] * gain)


def _power(motion: Motion, wrench: Wrench) -> Any:
    """vᵀf + ωᵀn."""
    return motion[0].dot(wrench[0]) + motion[1].dot(wrench[1])


def direct_dynamics_articulated(tree: Tree, q: Scalars, qd: Scalars, torques: Scalars, base: BaseMotion) -> list[Any]:
    """q'' from the torques: every torque known."""
    return hybrid_dynamics(tree, q, qd, torques, [False] * tree.nv, base)[0]
