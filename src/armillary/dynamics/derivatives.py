"""Derivatives of the inverse dynamics with respect to positions, velocities and accelerations, by one recursion each way.

After Singh, Russell and Wensing (2022), for any joint with twists s that are constant in its own frame; V × and V ×* are the cross
products of twists with twists and with wrenches, λ the antecedent of j, F_j the wrench that joint j transmits. With

    ψ = V_λ × s,    φ = V̇_λ × s + V_λ × ψ,    Ṡ = V_j × s

and I, B composite (`coriolis.py`), the wrenches that links from j outwards need more per unit of q_j and of q'_j along s are

    W_q = s ×* F_j + I_j φ + 2 B_j ψ,    W_v = I_j (ψ + Ṡ) + 2 B_j s

    ∂Γ_i/∂q_j = S_iᵀ W_q (without the first term where i = j),    ∂Γ_i/∂q'_j = S_iᵀ W_v        for i carrying j
    ∂Γ_i/∂q_j = S_iᵀ (I_i φ + 2 B_i ψ),    ∂Γ_i/∂q'_j = S_iᵀ (I_i (ψ + Ṡ) + 2 B_i s)            for i carried by j

As in `coriolis.py` velocities are counted from that of the antecedent's point in the joint's origin, so that V_λ has no linear part
and ψ and φ lose most of theirs.

Positions are varied along the joint velocities: for a ball, by turns about the axes of its moved frame.
"""

from dataclasses import dataclass
from typing import Any

from armillary.dynamics.coriolis import (
    Factor,
    Twist,
    applied,
    composite_factors,
    momentum_factor,
    origin_velocities,
    transposed,
    twist_rate,
)
from armillary.dynamics.equivalent import equivalent
from armillary.dynamics.inertia_matrix import composite_inertias
from armillary.dynamics.newton_euler import Wrench, gather, joint_torques, link_wrench
from armillary.dynamics.springs import add_slopes
from armillary.kinematics.motion import BaseMotion, LinkMotion, link_motions
from armillary.robot.tree import Branch, Scalars, Tree
from armillary.spatial.inertia import Inertia
from armillary.spatial.rate import Rate, rate_matrix
from armillary.spatial.scalar import named
from armillary.spatial.vector import Vector

Square = list[list[Any]]


@dataclass(frozen=True, slots=True)
class Derivatives:
    """Γ, and ∂Γ/∂q, ∂Γ/∂q', ∂Γ/∂q'' (nv x nv, a row a torque); the last is the inertia matrix."""

    torques: list[Any]
    by_position: Square
    by_velocity: Square
    by_acceleration: Square


@dataclass(frozen=True, slots=True)
class _Column:
    """One twist s of a joint, with ψ, φ and ψ + Ṡ, in the frame of its link."""

    place: int
    s: Twist
    psi: Twist
    phi: Twist
    rate: Twist


def inverse_dynamics_derivatives(tree: Tree, q: Scalars, qd: Scalars, qdd: Scalars, base: BaseMotion) -> Derivatives:
    """Γ(q, q', q'') and its derivatives."""
    tree = equivalent(tree)
    motions = link_motions(tree, q, qd, qdd, base)
    transforms = [m.T for m in motions]
    own = [link_wrench(body, m) for body, m in zip(tree.bodies, motions, strict=True)]
    wrenches, _ = gather(tree, own, transforms)
    inertias = composite_inertias(tree, transforms)
    shifts = origin_velocities(tree, transforms, [m.w for m in motions], qd, base.w, times=2)
    doubled = [
        momentum_factor(_twice(b.inertia), b.twist(qd)[0], m.w) for b, m in zip(tree.bodies, motions, strict=True)
    ]
    factors = composite_factors(tree, transforms, doubled, inertias, shifts)
    columns = [_columns(tree, k, motions, qd, base) for k in range(len(tree))]

    result = Derivatives(joint_torques(tree, q, qd, qdd, wrenches), *(_zeros(tree.nv) for _ in range(3)))
    for k, body in enumerate(tree.bodies):
        _differentiate(result, tree, k, columns, motions, shifts, inertias[k], factors[k], wrenches[k])
        for place in range(tree.nv)[body.v]:
            if body.elastic:
                result.by_position[place][place] = result.by_position[place][place] + body.stiffness
            result.by_velocity[place][place] = result.by_velocity[place][place] + body.FV
            result.by_acceleration[place][place] = result.by_acceleration[place][place] + body.IA
    add_slopes(tree, result.by_position, result.by_velocity)
    for name, matrix in (("DQ", result.by_position), ("DV", result.by_velocity), ("A", result.by_acceleration)):
        for i, row in enumerate(matrix):
            matrix[i] = [named(x, f"{name}{i + 1}_{j + 1}") for j, x in enumerate(row)]
    return result


def _zeros(n: int) -> Square:
    return [[0] * n for _ in range(n)]


def _twice(inertia: Inertia) -> Inertia:
    return Inertia(inertia.J * 2, inertia.MS * 2, inertia.M * 2)


def _columns(tree: Tree, k: int, motions: list[LinkMotion], qd: Scalars, base: BaseMotion) -> list[_Column]:
    """ψ, φ and ψ + Ṡ of each twist: with V_λ = (0, ω) and the acceleration v̇ of the origin as a point of the antecedent,

    ψ = (ω × s_v, ω × s_w),    φ = (U s_v + v̇ × s_w, U s_w),    U the antecedent's rate matrix.
    """
    body, m = tree.bodies[k], motions[k]
    inward = m.T.rotation.apply_inverse
    if body.parent < 0:
        w_i, dw_i, dv_i, U_i = base.w, base.dw, base.dv, rate_matrix(base.w, base.dw)
    else:
        carrier = motions[body.parent]
        w_i, dw_i, dv_i, U_i = carrier.w, carrier.dw, carrier.dv, carrier.U
    w = inward(w_i)
    dv = inward(dv_i + U_i.apply(m.T.position))
    U = _rate_of_antecedent(body, m, w, inward(dw_i))
    velocity = (body.twist(qd)[0], m.w)
    columns: list[_Column] = []
    for place, s in zip(range(tree.nv)[body.v], body.motion, strict=True):
        psi = (w.cross(s[0]), w.cross(s[1]))
        phi = (U.apply(s[0]) + dv.cross(s[1]), U.apply(s[1]))
        columns.append(_Column(place, s, psi, phi, _plus(psi, twist_rate(velocity, s))))
    return columns


def _rate_of_antecedent(body: Branch, m: LinkMotion, w: Vector, dw: Vector) -> Rate:
    """U of the antecedent in the link's frame; the link's own has the same third column where it turns about z alone."""
    return m.U if body.hinged or body.joint.kind == "prismatic" else rate_matrix(w, dw)


def _differentiate(
    result: Derivatives,
    tree: Tree,
    k: int,
    columns: list[list[_Column]],
    motions: list[LinkMotion],
    shifts: list[Vector],
    inertia: Inertia,
    factor: Factor,
    F: Wrench,
) -> None:
    """Everything between the joint of link k, itself and its antecedents."""
    for c in columns[k]:
        s = c.s
        by_q = _plus(inertia.times(*c.phi), applied(factor, c.psi))
        by_v = _plus(inertia.times(*c.rate), applied(factor, s))
        by_a = inertia.times(*s)
        row = transposed(factor, s)
        for other in columns[k]:
            result.by_position[other.place][c.place] = _power(other.s, by_q)
            result.by_velocity[other.place][c.place] = _power(other.s, by_v)
            result.by_acceleration[other.place][c.place] = _power(other.s, by_a)
        by_q = _plus(by_q, (s[1].cross(F[0]), s[1].cross(F[1]) + s[0].cross(F[0])))
        inner, i = k, tree.bodies[k].parent
        while i >= 0:
            T = motions[inner].T
            by_q, by_v, by_a = T.force(*by_q), T.force(*by_v), T.force(*by_a)
            row = T.rotation.apply(row) + shifts[inner].cross(by_a[0])
            for other in columns[i]:
                result.by_position[other.place][c.place] = _power(other.s, by_q)
                result.by_velocity[other.place][c.place] = _power(other.s, by_v)
                value = _power(other.s, by_a)
                result.by_acceleration[other.place][c.place] = result.by_acceleration[c.place][other.place] = value
                result.by_position[c.place][other.place] = row.dot(other.psi[1]) + _power(other.phi, by_a)
                result.by_velocity[c.place][other.place] = row.dot(other.s[1]) + _power(other.rate, by_a)
            inner, i = i, tree.bodies[i].parent


def _plus(a: Twist, b: Twist) -> Twist:
    return a[0] + b[0], a[1] + b[1]


def _power(twist: Twist, wrench: Wrench) -> Any:
    """vᵀf + ωᵀn."""
    return twist[0].dot(wrench[0]) + twist[1].dot(wrench[1])
