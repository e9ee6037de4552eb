"""The equations of all links at once, in block matrices.

Vukobratović and Potkonjak (1982), section 2.4, for trees and for any joint with constant twists. Velocities of all links, each in its own
frame, stand under each other in ω and v; block matrices have a row for each link. 𝐀 has the block ⁱR_j where j is i or carries it,
S_v and S_w the joints' twists on their diagonal, and with the antecedent a of j, P = O_a O_j, Λ(x) = x^ on the diagonal,

    𝐋_ja = ʲR_a P^,   ω = 𝐀 (S_w q' + ω_0),   v = 𝐀 (S_v q' - 𝐋 ω)

so that ω = B_2 q' + …, v = B_1 q' + … with B_2 = 𝐀 S_w, B_1 = 𝐀 (S_v - 𝐋 B_2), where the base, the antecedent of the roots, has ω_0.
The true accelerations, in the same components, are ε = B_2 q'' + …, w = B_1 q'' + … with what is left at q'' = 0

    ε = 𝐀 (Λ(ω) S_w q' + ε_0),   w = 𝐀 ((Λ(ω) + Λ(ω_a)) S_v q' - 𝐋 ε - 𝐌 ω + w_0),   𝐌_ja = ʲR_a ω_a^ P^

With B = [B_1; B_2], the blocks J = [[M 1, -MS^], [MS^, J]] and C ω = [ω × (ω × MS); ω × J ω],

    A = Bᵀ J B,   H = Bᵀ (J [w - g; ε] + C ω + [f_e; n_e])
"""

from typing import Any

from armillary.dynamics.formulations.formulated import Formulated, Rows, formulated
from armillary.robot.tree import Scalars, Tree
from armillary.spatial.matrix import IDENTITY, Matrix, skew
from armillary.spatial.vector import ZERO, Vector

Blocks = dict[tuple[int, int], Matrix]
"""The blocks that are not 0 of a matrix with three rows for each link and three columns for each link and, -1, the base."""

Stack = list[Vector]
"""A vector for each link and, last, for the base, so that [-1] is that."""


def block_matrices(tree: Tree, q: Scalars, qd: Scalars, qdd: Scalars) -> Formulated:
    """A = Bᵀ J B and H, from the matrices of the whole robot."""
    turns, arms, whole = _geometry(tree, q)
    B_1, B_2 = _jacobians(tree, whole, arms)
    linear = [body.twist(qd)[0] for body in tree.bodies]
    angular = [body.twist(qd)[1] for body in tree.bodies]

    omega = _times(whole, [*angular, tree.base_velocity[1]])
    before = [turns[j, body.parent].apply(omega[body.parent]) for j, body in enumerate(tree.bodies)]
    driven = [w.cross(S) for w, S in zip(omega, angular, strict=False)]
    eps = _times(whole, [*driven, tree.base_acceleration[1]])
    levers = [x + y for x, y in zip(_times(arms, eps), _centripetal(tree, arms, before, omega), strict=True)]
    pushed = [(w + w_a).cross(S) - x for w, w_a, S, x in zip(omega, before, linear, levers, strict=False)]
    acc = _times(whole, [*pushed, tree.base_acceleration[0] - tree.gravity])

    A: Rows = [[0] * tree.nv for _ in range(tree.nv)]
    H: list[Any] = [0] * tree.nv
    for i, body in enumerate(tree.bodies):
        J, MS, M, w = body.inertia.J, body.inertia.MS, body.inertia.M, omega[i]
        f_e, n_e = body.wrench
        f = acc[i] * M + eps[i].cross(MS) + w.cross(w.cross(MS)) + f_e
        n = J.apply(eps[i]) + MS.cross(acc[i]) + w.cross(J.apply(w)) + n_e
        places = [k for link, k in B_1 if link == i]
        for at, k in enumerate(places):
            v_k, w_k = B_1[i, k], B_2[i, k]
            H[k] = H[k] + v_k.dot(f) + w_k.dot(n)
            p, L = v_k * M + w_k.cross(MS), J.apply(w_k) + MS.cross(v_k)
            for j in places[: at + 1]:
                A[k][j] = A[j][k] = A[k][j] + B_1[i, j].dot(p) + B_2[i, j].dot(L)
    return formulated(tree, q, qd, qdd, A, H)


def _geometry(tree: Tree, q: Scalars) -> tuple[Blocks, Blocks, Blocks]:
    """ʲR_a of each link and its antecedent, 𝐋 and 𝐀."""
    turns: Blocks = {}
    arms: Blocks = {}
    whole: Blocks = {(-1, -1): IDENTITY}
    for j, body in enumerate(tree.bodies):
        T, a = body.transform(q), body.parent
        turns[j, a] = T.rotation.matrix().T
        arms[j, a] = turns[j, a].times(skew(T.position))
        whole[j, j] = IDENTITY
        for i in (*tree.path(a), -1):
            whole[j, i] = turns[j, a] if i == a else turns[j, a].times(whole[a, i])
    return turns, arms, whole


def _jacobians(tree: Tree, whole: Blocks, arms: Blocks) -> tuple[dict[tuple[int, int], Vector], ...]:
    """B_1 and B_2, a column of three for each link and each joint velocity that moves it."""
    B_1: dict[tuple[int, int], Vector] = {}
    B_2: dict[tuple[int, int], Vector] = {}
    for k, body in enumerate(tree.bodies):
        for column, (S_v, S_w) in zip(range(tree.nv)[body.v], body.motion, strict=True):
            for i in range(k, len(tree)):
                path = tree.path(i)
                if k not in path:
                    continue
                B_2[i, column] = whole[i, k].apply(S_w)
                linear = whole[i, k].apply(S_v)
                for j in path[path.index(k) + 1 :]:
                    a = tree.bodies[j].parent
                    linear = linear - whole[i, j].apply(arms[j, a].apply(B_2[a, column]))
                B_1[i, column] = linear
    return B_1, B_2


def _centripetal(tree: Tree, arms: Blocks, before: Stack, omega: Stack) -> Stack:
    """𝐌 ω, as ʲω_a × 𝐋 ω, and nothing for the base."""
    levers = _times(arms, omega)
    return [*(w_a.cross(x) for w_a, x in zip(before, levers, strict=False)), ZERO]


def _times(blocks: Blocks, stack: Stack) -> Stack:
    """The product of a block matrix and a stack."""
    result = [ZERO] * len(stack)
    for (i, j), block in blocks.items():
        result[i] = result[i] + block.apply(stack[j])
    return result
