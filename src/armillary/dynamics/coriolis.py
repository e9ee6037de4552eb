"""A Coriolis matrix C with C q' the Coriolis and centrifugal torques and Ȧ - 2C skew-symmetric.

For one rigid link with momentum p = M v + ω × MS the matrix B, for which B V is its velocity-dependent wrench and İ - 2B is skew, is
(Echeandia and Wensing 2021, worked out in blocks)

    B = [[0, -p^], [0, ω^(J - ½ tr(J) 1) - MS^ v^]]

It stays of this form when links are composed: p' = R p and D' = R D Rᵀ - P^ p'^. With Ṡ = V × S the rate of a twist,

    C_ij = S_iᵀ (I_j Ṡ_j + B_j S_j),   C_ji = Ṡ_iᵀ I_j S_j + S_iᵀ B_jᵀ S_j     for i carrying j, I and B composite.
"""

from typing import Any

from armillary.dynamics.inertia_matrix import composite_inertias
from armillary.kinematics.motion import link_velocities
from armillary.robot.tree import Branch, Scalars, Tree
from armillary.spatial.inertia import Inertia
from armillary.spatial.matrix import Matrix, skew
from armillary.spatial.transform import Transform
from armillary.spatial.vector import Vector

Twist = tuple[Vector, Vector]


def momentum_factor(inertia: Inertia, v: Vector, w: Vector) -> tuple[Vector, Matrix]:
    """(p, D) of one link's B."""
    J, MS = inertia.J, inertia.MS
    p = v * inertia.M + w.cross(MS)
    half = (J.xx + J.yy + J.zz) / 2
    E = Matrix(Vector(J.xx - half, J.xy, J.xz), Vector(J.xy, J.yy - half, J.yz), Vector(J.xz, J.yz, J.zz - half))
    return p, skew(w).times(E) - skew(MS).times(skew(v))


def composite_factors(tree: Tree, transforms: list[Transform], velocities: list[Twist]) -> list[tuple[Vector, Matrix]]:
    """(p, D) of each link with all it carries."""
    factors = [momentum_factor(body.inertia, v, w) for body, (v, w) in zip(tree.bodies, velocities, strict=True)]
    for k in reversed(range(len(tree))):
        i = tree.bodies[k].parent
        if i >= 0:
            T = transforms[k]
            p = T.rotation.apply(factors[k][0])
            D = T.rotation.conjugate(factors[k][1]) - skew(T.position).times(skew(p))
            factors[i] = (factors[i][0] + p, factors[i][1] + D)
    return factors


def twist_rate(velocity: Twist, twist: Twist) -> Twist:
    """Ṡ = V × S: (ω × S_v + v × S_w, ω × S_w)."""
    (v, w), (s_v, s_w) = velocity, twist
    return w.cross(s_v) + v.cross(s_w), w.cross(s_w)


def coriolis_matrix(tree: Tree, q: Scalars, qd: Scalars) -> list[list[Any]]:
    """C(q, q'), nv x nv."""
    velocities = link_velocities(tree, q, qd)
    transforms = [body.transform(q) for body in tree.bodies]
    inertias = composite_inertias(tree, transforms)
    factors = composite_factors(tree, transforms, velocities)
    C: list[list[Any]] = [[0] * tree.nv for _ in range(tree.nv)]
    for k, body in enumerate(tree.bodies):
        p, D = factors[k]
        for column, S in zip(range(tree.nv)[body.v], body.motion, strict=True):
            f, n = inertias[k].times(*twist_rate(velocities[k], S))
            forward = (f - p.cross(S[1]), n + D.apply(S[1]))
            momentum = inertias[k].times(*S)
            backward = (Vector(0, 0, 0), p.cross(S[0]) + D.T.apply(S[1]))
            _read(C, tree, k, column, forward, momentum, backward, transforms, velocities)
    return C


def _read(
    C: list[list[Any]],
    tree: Tree,
    k: int,
    column: int,
    forward: Twist,
    momentum: Twist,
    backward: Twist,
    transforms: list[Transform],
    velocities: list[Twist],
) -> None:
    """C_ij and C_ji of one twist j with those of its own joint and of every antecedent i."""
    i = k
    while i >= 0:
        body: Branch = tree.bodies[i]
        for row, S in zip(range(tree.nv)[body.v], body.motion, strict=True):
            C[row][column] = S[0].dot(forward[0]) + S[1].dot(forward[1])
            if i != k:
                rate = twist_rate(velocities[i], S)
                C[column][row] = (
                    rate[0].dot(momentum[0]) + rate[1].dot(momentum[1]) + S[0].dot(backward[0]) + S[1].dot(backward[1])
                )
        forward, momentum, backward = (transforms[i].force(*x) for x in (forward, momentum, backward))
        i = body.parent
