"""Kane's equations: virtual power along the partial velocities of all links.

Kane and Levinson (1985); the principle of virtual power (Jourdain). In base components, with the axes (e_v, e_w) of the velocity q'_j of
link j's joint, O_i moves and link i turns by the partial velocities

    ∂v_i/∂q'_j = e_v + e_w × O_j O_i,   ∂ω_i/∂q'_j = e_w        for j on the way to i

e_v and e_w stand still in link j, so that their rates are

    d/dt ∂v_i/∂q'_j = ω_j × e_v + (ω_j × e_w) × O_j O_i + e_w × (v_i - v_j),   d/dt ∂ω_i/∂q'_j = ω_j × e_w

and the accelerations at q'' = 0 are these rates times q'_j, summed, and what the base adds. Any virtual velocity gives the joints' torques
the power that inertia takes and the weight and the environment do not give:

    Γ_k = Σ_i ∂v_i/∂q'_k · (M v̇ + ω̇ × MS + ω × (ω × MS) - M g + f_e) + ∂ω_i/∂q'_k · (J ω̇ + ω × J ω + MS × (v̇ - g) + n_e)

Velocities are counted from an observer who moves with the base's origin and does not turn.
"""

from dataclasses import dataclass
from typing import Any

from armillary.dynamics.formulations.formulated import Formulated, Rows, formulated
from armillary.dynamics.formulations.pairs import Pair, along
from armillary.robot.tree import Scalars, Tree
from armillary.spatial.inertia import Inertia
from armillary.spatial.matrix import IDENTITY, Matrix
from armillary.spatial.rotation import Dense, Rotation
from armillary.spatial.vector import ZERO, Vector


@dataclass(frozen=True, slots=True)
class _Link:
    """Orientation, place, velocity of a link, and the axes of its joint, in base components."""

    R: Matrix
    P: Vector
    v: Vector
    w: Vector
    axes: tuple[Pair, ...]


def kane(tree: Tree, q: Scalars, qd: Scalars, qdd: Scalars) -> Formulated:
    """A and H by the virtual power of each link along each partial velocity."""
    links = _links(tree, q, qd)
    A: Rows = [[0] * tree.nv for _ in range(tree.nv)]
    H: list[Any] = [0] * tree.nv
    for i, (body, link) in enumerate(zip(tree.bodies, links, strict=True)):
        inertia = body.inertia.turned(Rotation((Dense(link.R),)))
        partial, dv, dw = _partial_velocities(tree, links, i, qd)
        resting = _resistance(tree, i, link, inertia, dv, dw)
        done: list[int] = []
        for j, column in partial.items():
            momentum = inertia.times(*column)
            H[j] = H[j] + along(column, resting)
            done.append(j)
            for k in done:
                A[j][k] = A[k][j] = A[j][k] + along(partial[k], momentum)
    return formulated(tree, q, qd, qdd, A, H)


def _links(tree: Tree, q: Scalars, qd: Scalars) -> list[_Link]:
    """Where the links are and how they move."""
    base = _Link(IDENTITY, ZERO, ZERO, tree.base_velocity[1], ())
    links: list[_Link] = []
    for body in tree.bodies:
        before = base if body.parent < 0 else links[body.parent]
        T = body.transform(q)
        R = Matrix(*(T.rotation.apply_inverse(row) for row in before.R))
        r = before.R.apply(T.position)
        v_J, w_J = (R.apply(x) for x in body.twist(qd))
        axes = tuple((R.apply(e_v), R.apply(e_w)) for e_v, e_w in body.motion)
        links.append(_Link(R, before.P + r, before.v + before.w.cross(r) + v_J, before.w + w_J, axes))
    return links


def _partial_velocities(tree: Tree, links: list[_Link], i: int, qd: Scalars) -> tuple[dict[int, Pair], Vector, Vector]:
    """(∂v_i/∂q', ∂ω_i/∂q') by places in q', and (v̇_i, ω̇_i) at q'' = 0."""
    here, (dv_0, dw_0), w_0 = links[i], tree.base_acceleration, tree.base_velocity[1]
    partial: dict[int, Pair] = {}
    dv, dw = dv_0 + dw_0.cross(here.P) + w_0.cross(here.v), dw_0
    for k in tree.path(i):
        link = links[k]
        r, dr = here.P - link.P, here.v - link.v
        for j, (e_v, e_w) in zip(range(tree.nv)[tree.bodies[k].v], link.axes, strict=True):
            de_v, de_w = link.w.cross(e_v), link.w.cross(e_w)
            partial[j] = e_v + e_w.cross(r), e_w
            dv = dv + (de_v + de_w.cross(r) + e_w.cross(dr)) * qd[j]
            dw = dw + de_w * qd[j]
    return partial, dv, dw


def _resistance(tree: Tree, i: int, link: _Link, inertia: Inertia, dv: Vector, dw: Vector) -> Pair:
    """The wrench that inertia, weight and environment take about O_i at these accelerations."""
    f, n = inertia.times(dv - tree.gravity, dw)
    f_e, n_e = (link.R.apply(x) for x in tree.bodies[i].wrench)
    w = link.w
    return f + w.cross(w.cross(inertia.MS)) + f_e, n + w.cross(inertia.J.apply(w)) + n_e
