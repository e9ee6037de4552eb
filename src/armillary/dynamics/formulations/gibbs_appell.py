"""Gibbs and Appell's equations: derivatives of the energy of acceleration.

Vukobratović and Potkonjak (1982), section 2.9, with the factor of u put right. The energy of acceleration of a link,
G = ½ ∫ |r̈|² dm, is with the acceleration v̇ of its frame's origin and ω̇, in its own frame, and up to what does not depend on them,

    G = ½ M v̇² + v̇·(ω̇ × MS) + ½ ω̇·J ω̇ + u·(v̇, ω̇),   u = (ω × (ω × MS), ω × J ω)

Accelerations are linear in q'', (v̇, ω̇) = Σ_j x_j q''_j + x_0. With G = ½ ⟨x, x⟩ + u·x, ⟨ , ⟩ the bilinear form of its first three terms,

    ∂G/∂q''_k = Σ_j ⟨x_k, x_j⟩ q''_j + ⟨x_k, x_0⟩ + u·x_k

summed over links, is the torque of all forces on q'_k; the weight and what the environment does have Q_k = x_k·(weight - wrench):

    A_kj = Σ_i ⟨x_k, x_j⟩,   H_k = Σ_i ⟨x_k, x_0⟩ + u·x_k - Q_k
"""

from dataclasses import dataclass
from typing import Any

from armillary.dynamics.formulations.formulated import Formulated, Rows, formulated
from armillary.dynamics.formulations.pairs import Pair, along
from armillary.robot.tree import Scalars, Tree
from armillary.spatial.inertia import Inertia
from armillary.spatial.vector import Vector


@dataclass(frozen=True, slots=True)
class _Link:
    """In the link's frame: ω and gravity, x_j by places in q'', x_0."""

    w: Vector
    g: Vector
    columns: dict[int, Pair]
    rest: Pair


def gibbs_appell(tree: Tree, q: Scalars, qd: Scalars, qdd: Scalars) -> Formulated:
    """A and H from the energies of acceleration of all links."""
    A: Rows = [[0] * tree.nv for _ in range(tree.nv)]
    H: list[Any] = [0] * tree.nv
    for body, link in zip(tree.bodies, _links(tree, q, qd), strict=True):
        inertia, w = body.inertia, link.w
        u = w.cross(w.cross(inertia.MS)), w.cross(inertia.J.apply(w))
        columns = list(link.columns.items())
        for n, (k, x_k) in enumerate(columns):
            Q = along(x_k, (link.g * inertia.M, inertia.MS.cross(link.g))) - along(x_k, body.wrench)
            H[k] = H[k] + _form(inertia, x_k, link.rest) + along(x_k, u) - Q
            for j, x_j in columns[: n + 1]:
                A[k][j] = A[j][k] = A[k][j] + _form(inertia, x_j, x_k)
    return formulated(tree, q, qd, qdd, A, H)


def _form(inertia: Inertia, x: Pair, y: Pair) -> Any:
    """⟨x, y⟩ = M v̇_x·v̇_y + v̇_x·(ω̇_y × MS) + v̇_y·(ω̇_x × MS) + ω̇_x·J ω̇_y."""
    return along(x, (y[0] * inertia.M + y[1].cross(inertia.MS), inertia.J.apply(y[1]) + inertia.MS.cross(y[0])))


def _links(tree: Tree, q: Scalars, qd: Scalars) -> list[_Link]:
    """Accelerations of all links as functions of q'', outwards (2.9.24-27)."""
    base = _Link(tree.base_velocity[1], tree.gravity, {}, tree.base_acceleration)
    links: list[_Link] = []
    for body in tree.bodies:
        before = base if body.parent < 0 else links[body.parent]
        T = body.transform(q)
        into, P = T.rotation.apply_inverse, T.position
        v_J, w_J = body.twist(qd)
        w, (dv, dw) = into(before.w), before.rest
        columns = {j: (into(v + a.cross(P)), into(a)) for j, (v, a) in before.columns.items()}
        columns.update(zip(range(tree.nv)[body.v], body.motion, strict=True))
        centripetal = before.w.cross(before.w.cross(P))
        rest = into(dv + dw.cross(P) + centripetal) + w.cross(v_J * 2) + w_J.cross(v_J), into(dw) + w.cross(w_J)
        links.append(_Link(w + w_J, into(before.g), columns, rest))
    return links
