"""Saha's decoupled natural orthogonal complement, and direct dynamics by its factors U D Uᵀ.

The lecture of S. K. Saha, with its misprints put right; for trees Shah, Saha and Dutt (2013). Everything is in base components. The twists
t_i = (v, ω) of all links, about the origins of their frames, are t = N q' with N = N_l N_d: N_d has the twists p_k of the joints on its
diagonal, and N_l the matrices that carry a twist of link j to link i beyond it,

    t_i = B_ia t_a + p_i q'_i,   B_ia (v, ω) = (v + ω × c, ω),   c = O_a O_i,   antecedent a

Forces that hold links together do no work along N: Nᵀ w = 0. With w_i = M_i ṫ_i + Ω_i M_i E_i t_i the equations Nᵀ (Mṫ + ΩMEt) = Γ need no
partial derivative, and because N_l is what it is, they are recursions:

    M̃_i = M_i + Σ B_kiᵀ M̃_k B_ki over successors k,   A_jk = p_jᵀ B_kjᵀ M̃_k p_k
    ṫ_i = B_ia ṫ_a + Ḃ_ia t_a + Ω_i p_i q'_i + p_i q''_i,   w̃_i = w_i + Σ B_kiᵀ w̃_k,   Γ_i = p_iᵀ w̃_i

Eliminating joints from the last to the first factors A = U D Uᵀ, U with 1 on and 0 below its diagonal, by recursions too. One joint
velocity after the other, those of a joint from the last to the first,

    ψ̂_k = M̂_k p_k,   m̂_k = p_kᵀ ψ̂_k + IA_k,   ψ_k = ψ̂_k / m̂_k,   M̂_k ← M̂_k - ψ̂_k ψ_kᵀ
    M̂_i = M_i + Σ B_kiᵀ M̂_k B_ki,   U_jk = p_jᵀ B_kjᵀ ψ_k,   D_k = m̂_k

and q'' = U⁻ᵀ D⁻¹ U⁻¹ (Γ - H) is one recursion inwards and one outwards.
"""

from dataclasses import dataclass
from typing import Any

from armillary.dynamics.formulations.formulated import Formulated, Rows, formulated
from armillary.dynamics.formulations.pairs import Pair, along, plus, scaled
from armillary.robot.tree import Scalars, Tree
from armillary.spatial.articulated import ArticulatedInertia
from armillary.spatial.inertia import Inertia
from armillary.spatial.matrix import IDENTITY, Matrix
from armillary.spatial.rotation import Dense, Rotation
from armillary.spatial.scalar import named
from armillary.spatial.transform import Transform
from armillary.spatial.vector import ZERO, Vector


@dataclass(frozen=True, slots=True)
class _Link:
    """c = O_a O_i, the twists p of the joint by their places in q', M_i and (f_e, n_e), in base components."""

    c: Vector
    p: dict[int, Pair]
    inertia: Inertia
    wrench: Pair


def denoc(tree: Tree, q: Scalars, qd: Scalars, qdd: Scalars) -> Formulated:
    """A by composite bodies, H and Γ by the recursive inverse dynamics."""
    links = _links(tree, q)
    still = [0] * tree.nv
    H = _inverse(tree, links, qd, still)
    return formulated(tree, q, qd, qdd, _inertia_matrix(tree, links), H, _inverse(tree, links, qd, qdd))


def denoc_direct(tree: Tree, q: Scalars, qd: Scalars, torques: Scalars) -> list[Any]:
    """q'' = U⁻ᵀ D⁻¹ U⁻¹ (Γ - H)."""
    links = _links(tree, q)
    nothing: Rows = [[0] * tree.nv for _ in range(tree.nv)]
    still = [0] * tree.nv
    H = formulated(tree, q, qd, still, nothing, _inverse(tree, links, qd, still)).H
    phi = [t - h for t, h in zip(torques, H, strict=True)]
    factors = _eliminated(tree, links)

    # U⁻¹, inwards: φ̂_k = φ_k - p_kᵀ η, η what the joints beyond have taken, ψ_j φ̂_j
    eta: list[Pair] = [(ZERO, ZERO)] * len(tree)
    for i in reversed(range(len(tree))):
        for k, p in reversed(links[i].p.items()):
            phi[k] = phi[k] - along(p, eta[i])
            eta[i] = plus(eta[i], scaled(factors[k].psi, phi[k]))
        a = tree.bodies[i].parent
        if a >= 0:
            eta[a] = plus(eta[a], _inwards(links[i].c, eta[i]))

    # U⁻ᵀ D⁻¹, outwards: q''_k = φ̂_k / m̂_k - ψ_kᵀ μ, μ the twist that the joints before give
    mu: list[Pair] = []
    for i, link in enumerate(links):
        a = tree.bodies[i].parent
        moved = (ZERO, ZERO) if a < 0 else _outwards(link.c, mu[a])
        for k, p in link.p.items():
            phi[k] = named(phi[k] / factors[k].m - along(factors[k].psi, moved), f"QDP{k + 1}")
            moved = plus(moved, scaled(p, phi[k]))
        mu.append(moved)
    return phi


def udu(tree: Tree, q: Scalars) -> tuple[Rows, list[Any]]:
    """(U, D) with A = U D Uᵀ, U a matrix of rows, D its diagonal. U is upper triangular in the order of the tree."""
    links = _links(tree, q)
    factors = _eliminated(tree, links)
    U: Rows = [[int(i == j) for j in range(tree.nv)] for i in range(tree.nv)]
    for i, link in enumerate(links):
        places = list(link.p)
        for n, k in enumerate(places):
            for j in places[:n]:
                U[j][k] = along(link.p[j], factors[k].psi)
            psi, at = factors[k].psi, i
            while tree.bodies[at].parent >= 0:
                psi, at = _inwards(links[at].c, psi), tree.bodies[at].parent
                for j, p in links[at].p.items():
                    U[j][k] = along(p, psi)
    return U, [factors[k].m for k in range(tree.nv)]


# ---- the two factors of N, and masses ----


def _links(tree: Tree, q: Scalars) -> list[_Link]:
    """N_l (by c), N_d (by p), and M of each link."""
    turned: list[Matrix] = []
    links: list[_Link] = []
    for body in tree.bodies:
        before = IDENTITY if body.parent < 0 else turned[body.parent]
        T = body.transform(q)
        R = Matrix(*(T.rotation.apply_inverse(row) for row in before))
        p = {k: (R.apply(v), R.apply(w)) for k, (v, w) in zip(range(tree.nv)[body.v], body.motion, strict=True)}
        f, n = body.wrench
        inertia = body.inertia.turned(Rotation((Dense(R),)))
        links.append(_Link(before.apply(T.position), p, inertia, (R.apply(f), R.apply(n))))
        turned.append(R)
    return links


def _outwards(c: Vector, twist: Pair) -> Pair:
    """B t."""
    return twist[0] + twist[1].cross(c), twist[1]


def _inwards(c: Vector, wrench: Pair) -> Pair:
    """Bᵀ w."""
    return wrench[0], wrench[1] + c.cross(wrench[0])


def _inertia_matrix(tree: Tree, links: list[_Link]) -> Rows:
    """A = N_dᵀ M̃ N_d, M̃ = N_lᵀ M N_l."""
    A: Rows = [[0] * tree.nv for _ in range(tree.nv)]
    composite = [link.inertia for link in links]
    for i in reversed(range(len(links))):
        a = tree.bodies[i].parent
        if a >= 0:
            composite[a] = composite[a] + composite[i].seen_from(Transform(Rotation(), links[i].c))
        for k, p in links[i].p.items():
            wrench, at = composite[i].times(*p), i
            while at >= 0:
                for j, p_j in links[at].p.items():
                    A[j][k] = A[k][j] = along(p_j, wrench)
                wrench, at = _inwards(links[at].c, wrench), tree.bodies[at].parent
    return A


def _inverse(tree: Tree, links: list[_Link], qd: Scalars, qdd: Scalars) -> list[Any]:
    """Γ of the links by the recursive inverse dynamics; gravity is an acceleration of the base, -g."""
    base: tuple[Pair, Pair] = (
        (ZERO, tree.base_velocity[1]),
        (tree.base_acceleration[0] - tree.gravity, tree.base_acceleration[1]),
    )
    motions: list[tuple[Pair, Pair]] = []
    for body, link in zip(tree.bodies, links, strict=True):
        before, rate_before = base if body.parent < 0 else motions[body.parent]
        t, dt = _outwards(link.c, before), _outwards(link.c, rate_before)
        for k, p in link.p.items():
            t, dt = plus(t, scaled(p, qd[k])), plus(dt, scaled(p, qdd[k]))
        # Ḃ t: the arm c changes by v_i - v_a; Ω p q': the joint's twist turns with the link
        dt = dt[0] + before[1].cross(t[0] - before[0]), dt[1]
        for k, (v, w) in link.p.items():
            dt = plus(dt, scaled((t[1].cross(v), t[1].cross(w)), qd[k]))
        motions.append((t, dt))

    torques: list[Any] = [0] * tree.nv
    total: list[Pair] = []
    for link, ((_, w), dt) in zip(links, motions, strict=True):
        inertia = link.inertia
        turning = w.cross(w.cross(inertia.MS)), w.cross(inertia.J.apply(w))
        total.append(plus(plus(inertia.times(*dt), turning), link.wrench))
    for i in reversed(range(len(links))):
        a = tree.bodies[i].parent
        for k, p in links[i].p.items():
            torques[k] = along(p, total[i])
        if a >= 0:
            total[a] = plus(total[a], _inwards(links[i].c, total[i]))
    return torques


# ---- U D Uᵀ ----


@dataclass(frozen=True, slots=True)
class _Factor:
    """ψ_k and m̂_k of one joint velocity."""

    psi: Pair
    m: Any


def _eliminated(tree: Tree, links: list[_Link]) -> dict[int, _Factor]:
    """The elimination, inwards."""
    factors: dict[int, _Factor] = {}
    articulated = [ArticulatedInertia.rigid(link.inertia) for link in links]
    for i in reversed(range(len(links))):
        body, link = tree.bodies[i], links[i]
        for k, p in reversed(link.p.items()):
            force = articulated[i].times(*p)
            m = named(along(p, force) + body.IA, f"D{k + 1}")
            inverse = 1 / m
            factors[k] = _Factor(scaled(force, inverse), m)
            articulated[i] = articulated[i].without(force, inverse)
        if body.parent >= 0:
            seen = articulated[i].seen_from(Transform(Rotation(), link.c))
            articulated[body.parent] = articulated[body.parent] + seen
    return factors
