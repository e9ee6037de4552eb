"""The general theorems of mechanics: rates of momentum and of moment of momentum of what is beyond a cut.

Vukobratović and Potkonjak (1982), section 2.3. Everything stands in base components. Accelerations are linear in q'',

    ε_i = Σ_j α_ij q''_j + Φ_i,   w_i = Σ_j β_ij q''_j + Θ_i        (2.3.27-34; w of the frame's origin O_i)

for i beyond its antecedent a, r = O_a O_i, and the joint's own twist (v_J, ω_J) with the axes (e_v, e_w) of its velocities,

    α_ij = α_aj,  α_ii = e_w,   Φ_i = Φ_a + ω_a × ω_J
    β_ij = β_aj + α_aj × r,  β_ii = e_v,   Θ_i = Θ_a + Φ_a × r + ω_a × (ω_a × r) + 2 ω_a × v_J + ω_J × v_J

Cut at joint k, take all links i beyond. The forces on them are their weight, what the environment does to them, and what passes
through the cut; about the base's origin O, a point that does not move, the theorems say of the latter

    f_k = Σ_i ṗ_i - M_i g + f_e,   n_k = Σ_i OO_i × (ṗ_i - M_i g + f_e) + L̇_i - MS_i × g + n_e
    ṗ_i = M w + ε × MS + ω × (ω × MS),   L̇_i = J ε + ω × J ω + MS × w

and Γ_k = e_v·f_k + e_w·(n_k - OO_k × f_k).
"""

from dataclasses import dataclass
from typing import Any

from armillary.dynamics.formulations.formulated import Formulated, Rows, formulated
from armillary.dynamics.formulations.pairs import Pair, plus
from armillary.robot.tree import Scalars, Tree
from armillary.spatial.inertia import Inertia
from armillary.spatial.matrix import IDENTITY, Matrix
from armillary.spatial.rotation import Dense, Rotation
from armillary.spatial.vector import ZERO, Vector


@dataclass(frozen=True, slots=True)
class _Link:
    """⁰R_i, OO_i and ω_i; (β, α) of each joint velocity before it and (Θ, Φ)."""

    R: Matrix
    P: Vector
    w: Vector
    columns: dict[int, Pair]
    rest: Pair


def general_theorems(tree: Tree, q: Scalars, qd: Scalars, qdd: Scalars) -> Formulated:
    """A and H, a cut at each joint."""
    links = _links(tree, q, qd)
    A: Rows = [[0] * tree.nv for _ in range(tree.nv)]
    H: list[Any] = [0] * tree.nv
    beyond: list[dict[int, Pair]] = [{} for _ in links]
    for k in reversed(range(len(tree))):
        body, link = tree.bodies[k], links[k]
        inertia = body.inertia.turned(Rotation((Dense(link.R),)))
        wrenches = {j: inertia.times(*column) for j, column in link.columns.items()}
        wrenches[-1] = _rest(tree, k, link, inertia)
        for j, (f, n) in wrenches.items():
            _add(beyond[k], j, (f, n + link.P.cross(f)))
        for i in range(tree.nv)[body.v]:
            e_v, e_w = link.columns[i]
            for j, (f, n) in beyond[k].items():
                torque = e_v.dot(f) + e_w.dot(n - link.P.cross(f))
                if j < 0:
                    H[i] = torque
                elif j in link.columns:
                    A[i][j] = A[j][i] = torque
        for j, wrench in beyond[k].items():
            if body.parent >= 0 and (j < 0 or j in links[body.parent].columns):
                _add(beyond[body.parent], j, wrench)
    return formulated(tree, q, qd, qdd, A, H)


def _links(tree: Tree, q: Scalars, qd: Scalars) -> list[_Link]:
    """The kinematics, outwards."""
    base = _Link(IDENTITY, ZERO, tree.base_velocity[1], {}, tree.base_acceleration)
    links: list[_Link] = []
    for body in tree.bodies:
        before = base if body.parent < 0 else links[body.parent]
        T = body.transform(q)
        R = Matrix(*(T.rotation.apply_inverse(row) for row in before.R))
        r = before.R.apply(T.position)
        linear, angular = body.twist(qd)
        v_J, w_J = R.apply(linear), R.apply(angular)
        columns = {j: (b + a.cross(r), a) for j, (b, a) in before.columns.items()}
        for j, (e_v, e_w) in zip(range(tree.nv)[body.v], body.motion, strict=True):
            columns[j] = R.apply(e_v), R.apply(e_w)
        Theta, Phi = before.rest
        w = before.w
        Theta = Theta + Phi.cross(r) + w.cross(w.cross(r)) + w.cross(v_J * 2) + w_J.cross(v_J)
        links.append(_Link(R, before.P + r, w + w_J, columns, (Theta, Phi + w.cross(w_J))))
    return links


def _rest(tree: Tree, k: int, link: _Link, inertia: Inertia) -> Pair:
    """(ṗ - M g + f_e, L̇ - MS × g + n_e) at q'' = 0; weight is what an acceleration -g takes."""
    Theta, Phi = link.rest
    f, n = inertia.times(Theta - tree.gravity, Phi)
    f_e, n_e = (link.R.apply(x) for x in tree.bodies[k].wrench)
    w = link.w
    return f + w.cross(w.cross(inertia.MS)) + f_e, n + w.cross(inertia.J.apply(w)) + n_e


def _add(total: dict[int, Pair], place: int, more: Pair) -> None:
    total[place] = plus(total.get(place, (ZERO, ZERO)), more)
