"""How every link of a tree moves: the outward recursion that accelerations, forces and regressors start from.

Khalil (2010), equations 15 to 19, for any joint with constant twists in its own frame; i = a(j), everything in frame j:

    ω_j = ʲR_i ω_i + ω_J                      ω_J, v_J: Σ_k twist_k q'_k
    ω̇_j = ʲR_i ω̇_i + ʲω_i × ω_J + ω̇_J        ω̇_J, v̇_J: Σ_k twist_k q''_k
    v̇_j = ʲR_i (v̇_i + U_i ⁱP_j) + (2 ʲω_i + ω_J) × v_J + v̇_J
    U_j = ω̇_j^ + ω_j^ ω_j^

A hinge whose axis is a coordinate axis of frame i has U_j z = ʲR_i (U_i z), which gives most of U_j and ω̇_j for less.
"""

from dataclasses import dataclass

from armillary.robot.tree import Scalars, Tree
from armillary.spatial.rate import Rate, rate_about_axis, rate_matrix
from armillary.spatial.transform import Transform
from armillary.spatial.vector import Vector


@dataclass(frozen=True, slots=True)
class LinkMotion:
    """One link: T = ⁱT_j; ω, ω̇ and the acceleration v̇ of its origin in its own components; the rate matrix U."""

    T: Transform
    w: Vector
    dw: Vector
    dv: Vector
    U: Rate


@dataclass(frozen=True, slots=True)
class BaseMotion:
    """The base's ω, ω̇ and the acceleration of its origin, in base components; `dv` has gravity taken off."""

    w: Vector
    dw: Vector
    dv: Vector


def base_motion(tree: Tree, gravity: bool = True) -> BaseMotion:
    """The base as the description gives it: v̇_0 = true acceleration - g, or without g."""
    dv, dw = tree.base_acceleration
    return BaseMotion(tree.base_velocity[1], dw, dv - tree.gravity if gravity else dv)


def link_motions(tree: Tree, q: Scalars, qd: Scalars, qdd: Scalars, base: BaseMotion) -> list[LinkMotion]:
    """The motion of every link."""
    root = rate_matrix(base.w, base.dw)
    motions: list[LinkMotion] = []
    for k, body in enumerate(tree.bodies, start=1):
        if body.parent < 0:
            w_i, dw_i, dv_i, U_i = base.w, base.dw, base.dv, root
        else:
            m = motions[body.parent]
            w_i, dw_i, dv_i, U_i = m.w, m.dw, m.dv, m.U
        T = body.transform(q)
        v_J, w_J = body.twist(qd)
        dv_J, dw_J = body.twist(qdd)
        w_in_j = T.rotation.apply_inverse(w_i)
        w = (w_in_j + w_J).named("W", k)
        if body.axis is not None and body.hinged:
            spin = dw_J.z + dw_i.dot(Vector(*body.axis))
            U = rate_about_axis(w, spin, T.rotation.apply_inverse(U_i.along(body.axis)))
        else:
            U = rate_matrix(w, T.rotation.apply_inverse(dw_i) + w_in_j.cross(w_J) + dw_J)
        dw = U.dw.named("WP", k)
        dv = T.rotation.apply_inverse(dv_i + U_i.apply(T.position)) + w_in_j.cross(v_J * 2) + w_J.cross(v_J) + dv_J
        motions.append(LinkMotion(T, w, dw, dv.named("VP", k), U.named(k)))
    return motions


def link_velocities(tree: Tree, q: Scalars, qd: Scalars) -> list[tuple[Vector, Vector]]:
    """(v_j, ω_j) of every link's origin and frame, in its own components: v_j = ʲR_i (v_i + ω_i × ⁱP_j) + v_J."""
    v_0, w_0 = tree.base_velocity
    velocities: list[tuple[Vector, Vector]] = []
    for k, body in enumerate(tree.bodies, start=1):
        v_i, w_i = (v_0, w_0) if body.parent < 0 else velocities[body.parent]
        T = body.transform(q)
        v_J, w_J = body.twist(qd)
        w = (T.rotation.apply_inverse(w_i) + w_J).named("W", k)
        v = (T.rotation.apply_inverse(v_i + w_i.cross(T.position)) + v_J).named("V", k)
        velocities.append((v, w))
    return velocities
