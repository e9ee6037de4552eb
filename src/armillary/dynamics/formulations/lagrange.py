"""Lagrange's equations, with derivatives of velocities that are written down and not computed by differences.

Vukobratović and Potkonjak (1982), section 2.7. In the frame of link i, its velocity V_i = (v, ω) is that of the base and what each joint j
before it adds, V_i = V_0i + Σ_j J_ij q'_j; J_ij is the constant twist of joint j, seen from link i, and the energies are

    T = ½ Σ_i V_i·p_i,   p_i = I_i V_i = (M v + ω × MS, J ω + MS × v)
    U = -Σ_i g·(M P_i + MS_i)

A motion of joint k carries what is beyond it through what is before it. With [x, y] = (ω_x × v_y + v_x × ω_y, ω_x × ω_y),
V_i^a the velocity of link a as link i would have it, were it one with a, and a the antecedent of k,

    ∂V_i/∂q_k = [V_i^a, J_ik],   dJ_ik/dt = [J_ik, V_i - V_i^k]

    ∂T/∂q'_k = Σ_i J_ik·p_i,   ∂T/∂q_k = Σ_i [V_i^a, J_ik]·p_i,   ∂U/∂q_k = -Σ_i J_ik·(M g, MS × g)
    d/dt ∂T/∂q'_k = Σ_i dJ_ik/dt·p_i + J_ik·I_i dV_i/dt

    Γ_k = d/dt ∂T/∂q'_k - ∂T/∂q_k - Σ_i [V_i^k - V_i^a, J_ik]·p_i + ∂U/∂q_k + Σ_i J_ik·(f_e, n_e)

The third term is Boltzmann's and Hamel's, for the velocities of a ball, of a free or of a gliding body, which are rates of no coordinates:
[V_i^k - V_i^a, J_ik] are the brackets of the joint's own twists. It is 0 where a joint has one velocity. All is in components of
frame i: dV_0i/dt = [V_0i, V_i - V_0i] + the rate of the base's velocity in its own components, (v̇_0 - ω_0 × v_0, ω̇_0), seen from link i.
"""

from dataclasses import dataclass
from typing import Any

from armillary.dynamics.formulations.formulated import Formulated, Rows, formulated
from armillary.dynamics.formulations.pairs import Pair, along, minus
from armillary.robot.tree import Branch, Scalars, Tree
from armillary.spatial.inertia import Inertia
from armillary.spatial.transform import Transform
from armillary.spatial.vector import Vector


@dataclass(frozen=True, slots=True)
class _Joint:
    """Joint k seen from link i: J_ik by places in q', V_i^a and V_i^k."""

    columns: dict[int, Pair]
    before: Pair
    after: Pair


@dataclass(frozen=True, slots=True)
class _Link:
    """In the link's frame: its velocity and gravity, the joints before it, V_0i and the base's rate."""

    V: Pair
    g: Vector
    joints: tuple[_Joint, ...]
    base: Pair
    base_rate: Pair


def lagrange(tree: Tree, q: Scalars, qd: Scalars, qdd: Scalars) -> Formulated:
    """A = ∂²T/∂q'², H what is left of Lagrange's equations at q'' = 0."""
    A: Rows = [[0] * tree.nv for _ in range(tree.nv)]
    H: list[Any] = [0] * tree.nv
    for body, link in zip(tree.bodies, _links(tree, q, qd), strict=True):
        inertia = body.inertia
        p = inertia.times(*link.V)
        dp = inertia.times(*_rate(link, qd))
        weight = link.g * inertia.M, inertia.MS.cross(link.g)
        done: dict[int, Pair] = {}
        for joint in link.joints:
            beyond, own = minus(link.V, joint.after), minus(joint.after, joint.before)
            for k, J in joint.columns.items():
                momentum_rate = along(_bracket(J, beyond), p) + along(J, dp)
                by_position = along(_bracket(joint.before, J), p) + along(J, weight)
                quasi = along(_bracket(own, J), p) if len(joint.columns) > 1 else 0
                H[k] = H[k] + momentum_rate - by_position - quasi + along(J, body.wrench)
                done[k] = J
                _second_derivatives(A, inertia, k, done)
    return formulated(tree, q, qd, qdd, A, H)


def _second_derivatives(A: Rows, inertia: Inertia, k: int, columns: dict[int, Pair]) -> None:
    """∂²T/∂q'_k∂q'_j of one link, for j up to k."""
    momentum = inertia.times(*columns[k])
    for j, J in columns.items():
        A[k][j] = A[j][k] = A[k][j] + along(J, momentum)


def _rate(link: _Link, qd: Scalars) -> Pair:
    """dV_i/dt at q'' = 0."""
    v, w = _bracket(link.base, minus(link.V, link.base))
    v, w = v + link.base_rate[0], w + link.base_rate[1]
    for joint in link.joints:
        beyond = minus(link.V, joint.after)
        for k, J in joint.columns.items():
            dv, dw = _bracket(J, beyond)
            v, w = v + dv * qd[k], w + dw * qd[k]
    return v, w


def _links(tree: Tree, q: Scalars, qd: Scalars) -> list[_Link]:
    """Velocities, and what they are made of, outwards."""
    (v_0, w_0), (dv_0, dw_0) = tree.base_velocity, tree.base_acceleration
    base = _Link((v_0, w_0), tree.gravity, (), (v_0, w_0), (dv_0 - w_0.cross(v_0), dw_0))
    links: list[_Link] = []
    for body in tree.bodies:
        before = base if body.parent < 0 else links[body.parent]
        links.append(_beyond(tree, body, body.transform(q), before, qd))
    return links


def _beyond(tree: Tree, body: Branch, T: Transform, before: _Link, qd: Scalars) -> _Link:
    """The next link: all that the link before it knows, seen from its frame, and its own joint."""

    def seen(x: Pair) -> Pair:
        return T.rotation.apply_inverse(x[0] + x[1].cross(T.position)), T.rotation.apply_inverse(x[1])

    joints = [_Joint({k: seen(J) for k, J in j.columns.items()}, seen(j.before), seen(j.after)) for j in before.joints]
    carried, (v_J, w_J) = seen(before.V), body.twist(qd)
    V = carried[0] + v_J, carried[1] + w_J
    joints.append(_Joint(dict(zip(range(tree.nv)[body.v], body.motion, strict=True)), carried, V))
    g = T.rotation.apply_inverse(before.g)
    return _Link(V, g, tuple(joints), seen(before.base), seen(before.base_rate))


def _bracket(x: Pair, y: Pair) -> Pair:
    return x[1].cross(y[0]) + x[0].cross(y[1]), x[1].cross(y[1])
