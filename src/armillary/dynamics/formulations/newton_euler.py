"""Newton and Euler's equations of each link, in its own frame, from one end of the robot to the other and back.

Luh, Walker and Paul (1980); Vukobratović and Potkonjak (1982), section 2.5. Outwards, i = a(j), everything turned into frame j,

    ω_j = ω_i + ω_J,   ω̇_j = ω̇_i + ω_i × ω_J + ω̇_J
    v̇_j = v̇_i + ω̇_i × P_j + ω_i × (ω_i × P_j) + 2 ω_i × v_J + ω_J × v_J + v̇_J

each link, with first moment MS and inertia J about its frame's origin, and (f_e, n_e) what it exerts on its environment,

    F_j = M v̇_j + ω̇_j × MS + ω_j × (ω_j × MS) + f_e
    N_j = J ω̇_j + ω_j × J ω_j + MS × v̇_j + n_e

and inwards f_j = F_j + Σ f_k, n_j = N_j + Σ (n_k + P_k × f_k) over the successors k; Γ_j = v_twist·f_j + ω_twist·n_j. Gravity is an
acceleration -g of the base. H is Γ at rest accelerations; a column of A is Γ of one unit acceleration with nothing else moving.
"""

from collections.abc import Sequence
from typing import Any

from armillary.dynamics.formulations.formulated import Formulated, Rows, formulated
from armillary.robot.tree import Scalars, Tree
from armillary.spatial.transform import Transform
from armillary.spatial.vector import ZERO, Vector

Motion = tuple[Vector, Vector, Vector]
"""(ω, ω̇, v̇) of a frame and its origin, in its own components."""

REST: Motion = (ZERO, ZERO, ZERO)


def newton_euler(tree: Tree, q: Scalars, qd: Scalars, qdd: Scalars) -> Formulated:
    """A by unit accelerations, H and Γ by one recursion each."""
    frames = [body.transform(q) for body in tree.bodies]
    base: Motion = (tree.base_velocity[1], tree.base_acceleration[1], tree.base_acceleration[0] - tree.gravity)
    still = [0] * tree.nv
    A: Rows = [[0] * tree.nv for _ in still]
    for body in tree.bodies:
        for k in range(tree.nv)[body.v]:
            unit = [int(k == j) for j in range(tree.nv)]
            column = _torques(tree, frames, still, unit, REST, outside=False)
            for i in _places_before(tree, body.parent, body.v):
                A[i][k] = A[k][i] = column[i]
    H = _torques(tree, frames, qd, still, base)
    return formulated(tree, q, qd, qdd, A, H, _torques(tree, frames, qd, qdd, base))


def _places_before(tree: Tree, parent: int, own: slice) -> list[int]:
    """The joint velocities that carry a body: its own and those of all joints before."""
    places = [*range(tree.nv)[own]]
    for k in tree.path(parent):
        places += range(tree.nv)[tree.bodies[k].v]
    return places


def _torques(
    tree: Tree, frames: Sequence[Transform], qd: Scalars, qdd: Scalars, base: Motion, *, outside: bool = True
) -> list[Any]:
    """Γ of the links; without what they exert on the environment where `outside` is false."""
    motions: list[Motion] = []
    for body, T in zip(tree.bodies, frames, strict=True):
        w_i, dw_i, dv_i = base if body.parent < 0 else motions[body.parent]
        into, P = T.rotation.apply_inverse, T.position
        (v_J, w_J), (dv_J, dw_J) = body.twist(qd), body.twist(qdd)
        before = into(w_i)
        dw = into(dw_i) + before.cross(w_J) + dw_J
        dv = into(dv_i + dw_i.cross(P) + w_i.cross(w_i.cross(P))) + before.cross(v_J * 2) + w_J.cross(v_J) + dv_J
        motions.append((before + w_J, dw, dv))

    forces: list[Vector] = []
    moments: list[Vector] = []
    for body, (w, dw, dv) in zip(tree.bodies, motions, strict=True):
        J, MS, M = body.inertia.J, body.inertia.MS, body.inertia.M
        f_e, n_e = body.wrench if outside else (ZERO, ZERO)
        forces.append(dv * M + dw.cross(MS) + w.cross(w.cross(MS)) + f_e)
        moments.append(J.apply(dw) + w.cross(J.apply(w)) + MS.cross(dv) + n_e)

    torques: list[Any] = [0] * tree.nv
    for k in reversed(range(len(tree))):
        body, T = tree.bodies[k], frames[k]
        torques[body.v] = body.along(forces[k], moments[k])
        if body.parent >= 0:
            f = T.rotation.apply(forces[k])
            forces[body.parent] = forces[body.parent] + f
            moments[body.parent] = moments[body.parent] + T.rotation.apply(moments[k]) + T.position.cross(f)
    return torques
