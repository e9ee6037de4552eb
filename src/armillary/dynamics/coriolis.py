"""A Coriolis matrix C with C q' the Coriolis and centrifugal torques and Ȧ - 2C skew-symmetric.

For one rigid link with momentum p = M v + ω × MS the matrix B, for which B V is its velocity-dependent wrench and İ - 2B is skew, is
(Echeandia and Wensing 2021, worked out in blocks)

    B = [[0, -p^], [0, D]],    D = ω^(J - ½ tr(J) 1) - MS^ v^

It stays of this form when links are composed: p' = R p and D' = R D Rᵀ - P^ p'^. With Ṡ = V × S the rate of a twist,

    C_ij = S_iᵀ (I_j Ṡ_j + B_j S_j),   C_ji = Ṡ_iᵀ I_j S_j + S_iᵀ B_jᵀ S_j     for i carrying j, I and B composite.

The result does not depend on the velocity of the observer, who may stand still or travel. So at each joint velocities are counted
from that of the antecedent's point in the joint's origin: what a hinge carries has no linear part, and B takes up the velocity V
of one origin relative to the next when it is carried inwards: p' = p + M V, D' = D - MS^ V^, and (Bᵀ S)' = Bᵀ S + V × (I S)_f.
"""

from collections.abc import Sequence
from typing import Any

from armillary.dynamics.equivalent import equivalent
from armillary.dynamics.inertia_matrix import composite_inertias
from armillary.kinematics.motion import link_velocities
from armillary.robot.tree import Scalars, Tree
from armillary.spatial.inertia import Inertia
from armillary.spatial.matrix import Matrix, skew
from armillary.spatial.transform import Transform
from armillary.spatial.vector import Vector

Twist = tuple[Vector, Vector]

Factor = tuple[Vector, Matrix]
"""(p, D)."""


def momentum_factor(inertia: Inertia, v: Vector, w: Vector) -> Factor:
    """(p, D) of one link's B."""
    J, MS = inertia.J, inertia.MS
    p = v * inertia.M + w.cross(MS)
    half = (J.xx + J.yy + J.zz) / 2
    E = Matrix(Vector(J.xx - half, J.xy, J.xz), Vector(J.xy, J.yy - half, J.yz), Vector(J.xz, J.yz, J.zz - half))
    return p, skew(w).times(E) - skew(MS).times(skew(v))


def origin_velocities(
    tree: Tree, transforms: Sequence[Transform], turning: Sequence[Vector], qd: Scalars, base: Vector, times: int = 1
) -> list[Vector]:
    """V of each link's origin, as a point of its antecedent, relative to where velocities at the antecedent are counted from.

    In the antecedent's frame; `turning` and `base` are angular velocities. `times` multiplies the result.
    """
    velocities: list[Vector] = []
    for body, T in zip(tree.bodies, transforms, strict=True):
        w = base if body.parent < 0 else turning[body.parent]
        V = w.cross(T.position * times)
        velocities.append(V if body.parent < 0 else V + tree.bodies[body.parent].twist(qd)[0] * times)
    return velocities


def composite_factors(
    tree: Tree,
    transforms: Sequence[Transform],
    own: Sequence[Factor],
    inertias: Sequence[Inertia],
    velocities: Sequence[Vector],
) -> list[Factor]:
    """(p, D) of each link with all it carries: from those of each link alone, composite inertias and the V of origins."""
    factors = list(own)
    for k in reversed(range(len(tree))):
        i = tree.bodies[k].parent
        if i >= 0:
            T, V = transforms[k], velocities[k]
            p = T.rotation.apply(factors[k][0]) + V * inertias[k].M
            D = T.rotation.conjugate(factors[k][1]) - skew(T.position).times(skew(p))
            D = D - skew(T.rotation.apply(inertias[k].MS)).times(skew(V))
            factors[i] = (factors[i][0] + p, factors[i][1] + D)
    return factors


def twist_rate(velocity: Twist, twist: Twist) -> Twist:
    """Ṡ = V × S: (ω × S_v + v × S_w, ω × S_w)."""
    (v, w), (s_v, s_w) = velocity, twist
    return w.cross(s_v) + v.cross(s_w), w.cross(s_w)


def applied(factor: Factor, twist: Twist) -> Twist:
    """The wrench B S = (-p × S_w, D S_w)."""
    p, D = factor
    return -p.cross(twist[1]), D.apply(twist[1])


def transposed(factor: Factor, twist: Twist) -> Vector:
    """The couple that Bᵀ S consists of, its force being 0: p × S_v + Dᵀ S_w."""
    p, D = factor
    return p.cross(twist[0]) + D.T.apply(twist[1])


def coriolis_matrix(tree: Tree, q: Scalars, qd: Scalars) -> list[list[Any]]:
    """C(q, q'), nv x nv."""
    tree = equivalent(tree)
    turning = [w for _, w in link_velocities(tree, q, qd)]
    relative = [(body.twist(qd)[0], w) for body, w in zip(tree.bodies, turning, strict=True)]
    transforms = [body.transform(q) for body in tree.bodies]
    inertias = composite_inertias(tree, transforms)
    velocities = origin_velocities(tree, transforms, turning, qd, tree.base_velocity[1])
    own = [momentum_factor(body.inertia, *V) for body, V in zip(tree.bodies, relative, strict=True)]
    factors = composite_factors(tree, transforms, own, inertias, velocities)

    C: list[list[Any]] = [[0] * tree.nv for _ in range(tree.nv)]
    for k, body in enumerate(tree.bodies):
        for column, S in zip(range(tree.nv)[body.v], body.motion, strict=True):
            f, n = inertias[k].times(*twist_rate(relative[k], S))
            df, dn = applied(factors[k], S)
            wrench, momentum = (f + df, n + dn), inertias[k].times(*S)
            couple = transposed(factors[k], S)
            for row, R in zip(range(tree.nv)[body.v], body.motion, strict=True):
                C[row][column] = _power(R, wrench)
            inner, i = k, body.parent
            while i >= 0:
                T, outer = transforms[inner], tree.bodies[i]
                wrench, momentum = T.force(*wrench), T.force(*momentum)
                couple = T.rotation.apply(couple) + velocities[inner].cross(momentum[0])
                for row, R in zip(range(tree.nv)[outer.v], outer.motion, strict=True):
                    C[row][column] = _power(R, wrench)
                    C[column][row] = _power(twist_rate(relative[i], R), momentum) + R[1].dot(couple)
                inner, i = i, outer.parent
    return C


def _power(twist: Twist, wrench: Twist) -> Any:
    """vᵀf + ωᵀn."""
    return twist[0].dot(wrench[0]) + twist[1].dot(wrench[1])
