"""Absolute Euler angles: kinetostatics of branched chains of balls, in the angles of each link in space.

Vukobratović and Potkonjak (1982), section 2.6. Link b stands in the base as A_b = Rx(θ) Ry(ψ) Rx(φ) (2.6.8), whatever
carries it, and all of its motion about the centre of its ball is in the derivatives of A_b by its own angles η = (θ, ψ, φ):

    Ȧ = Σ_s ∂A/∂η_s η'_s,   Ä = Σ_s ∂A/∂η_s η''_s + Σ_st ∂²A/∂η_s∂η_t η'_s η'_t

A point l of the link has the acceleration c̈ + Ä l, c̈ that of the centre, which is a point of the link before (2.6.34, 2.6.42). With the
moments MS and S = ½ tr(J) 1 - J about the centre the link takes, about it (2.6.50),

    F = M (c̈ - g) + Ä MS + f_e,   N = axial(Ä S Aᵀ) + A MS × (c̈ - g) + n_e,   axial(G)_x = G_zy - G_yz, …

and a joint holds all links beyond: M_b = Σ_i N_i + (c_i - c_b) × F_i. These are equations in η'' with joint moments on the
left, and therefore without symmetry. They become comparable by the axes e of the joint's velocities, in the base,
Γ = e·M_b, and by the angular velocity of link b

    A_bᵀ ω_b = Π η',   ω_b = ω_0 + Σ e q',   Π = [[cos ψ, 0, 1], [sin ψ sin φ, cos φ, 0], [sin ψ cos φ, -sin φ, 0]]

    η' = Π⁻¹ A_bᵀ ω_b,   η'' = Π⁻¹ (A_bᵀ ω̇_b - (dΠ/dt) η')

Where sin ψ = 0, the x axis of a link along that of the base, Π⁻¹ does not exist.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from armillary.dynamics.formulations.balls import Ball, balls
from armillary.dynamics.formulations.formulated import Formulated, Rows, formulated
from armillary.robot.tree import Scalars, Tree
from armillary.spatial.inertia import Inertia
from armillary.spatial.matrix import IDENTITY, Matrix
from armillary.spatial.rotation import Rotation
from armillary.spatial.scalar import sqrt
from armillary.spatial.transform import Transform
from armillary.spatial.vector import ZERO, Vector

NOUGHT = Matrix(ZERO, ZERO, ZERO)


@dataclass(frozen=True, slots=True)
class _Angles:
    """A = Rx(θ) Ry(ψ) Rx(φ) by (cos, sin) of its angles, found from A itself."""

    A: Matrix
    theta: tuple[Any, Any]
    psi: tuple[Any, Any]
    phi: tuple[Any, Any]

    @staticmethod
    def of(A: Matrix) -> "_Angles":
        """cos ψ = A_xx, sin ψ > 0."""
        sine = sqrt(A.y.x * A.y.x + A.z.x * A.z.x)
        return _Angles(A, (-A.z.x / sine, A.y.x / sine), (A.x.x, sine), (A.x.z / sine, A.x.y / sine))

    def derivative(self, orders: tuple[int, int, int]) -> Matrix:
        """∂A by each angle as many times as `orders` says."""
        first, second, third = orders
        turns = (_about_x(self.theta, first), _about_y(self.psi, second), _about_x(self.phi, third))
        return turns[0].times(turns[1]).times(turns[2])

    def rates(self, w: Vector) -> Vector:
        """Π⁻¹ w for w in the link's frame."""
        (c, s), (c_f, s_f) = self.psi, self.phi
        theta = (s_f * w.y + c_f * w.z) / s
        return Vector(theta, c_f * w.y - s_f * w.z, w.x - c * theta)

    def drift(self, rate: Vector) -> Vector:
        """(dΠ/dt) η'."""
        (c, s), (c_f, s_f) = self.psi, self.phi
        pf, ft, tp = rate.y * rate.z, rate.z * rate.x, rate.x * rate.y
        return Vector(-s * tp, c_f * (s * ft) + s_f * (c * tp - pf), c_f * (c * tp - pf) - s_f * (s * ft))


def _about_x(angle: tuple[Any, Any], order: int) -> Matrix:
    c, s = _derived(angle, order)
    return Matrix(Vector(int(order == 0), 0, 0), Vector(0, c, -s), Vector(0, s, c))


def _about_y(angle: tuple[Any, Any], order: int) -> Matrix:
    c, s = _derived(angle, order)
    return Matrix(Vector(c, 0, s), Vector(0, int(order == 0), 0), Vector(-s, 0, c))


def _derived(angle: tuple[Any, Any], order: int) -> tuple[Any, Any]:
    """(cos, sin) after `order` derivatives."""
    c, s = angle
    return ((c, s), (-s, c), (-c, -s))[order]


@dataclass(frozen=True, slots=True)
class _Link:
    """A link on its ball: angles, centre and inertia about it, ω, ω̇ at q'' = 0 and η', axes by places in q', what carries it."""

    ball: Ball
    angles: _Angles
    inertia: Inertia
    centre: Vector
    w: Vector
    dw: Vector
    rate: Vector
    axes: dict[int, Vector]


def euler_angles(tree: Tree, q: Scalars, qd: Scalars, qdd: Scalars) -> Formulated:
    """A and H of a tree of balls, by way of the absolute angles of its links."""
    links = _links(tree, q, qd)
    first = [_first(link.angles) for link in links]
    A: Rows = [[0] * tree.nv for _ in range(tree.nv)]
    for n, link in enumerate(links):
        for k, e in link.axes.items():
            # a unit of q''_k turns all links beyond alike
            beyond = [n in _before(links, i) for i in range(len(links))]
            pushed = [
                _weighed(partial, x.angles.rates(_into(x.angles.A, e))) if there else NOUGHT
                for partial, x, there in zip(first, links, beyond, strict=True)
            ]
            moments = _joint_moments(tree, links, pushed, None)
            for i in _before(links, n):
                for j, axis in links[i].axes.items():
                    A[j][k] = A[k][j] = axis.dot(moments[i])

    rest: list[Matrix] = []
    for partial, link in zip(first, links, strict=True):
        a = link.angles
        second = a.rates(_into(a.A, link.dw) - a.drift(link.rate))
        rest.append(_weighed(partial, second) + _second(a, link.rate))
    H: list[Any] = [0] * tree.nv
    for link, moment in zip(links, _joint_moments(tree, links, rest, tree.base_acceleration), strict=True):
        for j, axis in link.axes.items():
            H[j] = axis.dot(moment)
    return formulated(tree, q, qd, qdd, A, H)


def _links(tree: Tree, q: Scalars, qd: Scalars) -> list[_Link]:
    """Orientation and angular velocity of each link, outwards over the hinges."""
    links: list[_Link] = []
    for ball in balls(tree):
        if ball.parent < 0:
            R, centre = IDENTITY, ball.before
            w, dw = tree.base_velocity[1], tree.base_acceleration[1]
        else:
            before = links[ball.parent]
            R, w, dw = before.angles.A, before.w, before.dw
            centre = before.centre + R.apply(ball.before - before.ball.inside)
        axes: dict[int, Vector] = {}
        for k in ball.hinges:
            body = tree.bodies[k]
            turn = body.transform(q).rotation
            R = Matrix(*(turn.apply_inverse(row) for row in R))
            w_J = R.apply(body.twist(qd)[1])
            w, dw = w + w_J, dw + w.cross(w_J)
            axes |= {j: R.apply(e) for j, (_, e) in zip(range(tree.nv)[body.v], body.motion, strict=True)}
        angles = _Angles.of(R)
        inertia = tree.bodies[ball.hinges[-1]].inertia.seen_from(Transform(Rotation(), -ball.inside))
        links.append(_Link(ball, angles, inertia, centre, w, dw, angles.rates(_into(R, w)), axes))
    return links


def _before(links: Sequence[_Link], i: int) -> list[int]:
    """The links that carry link i, and itself."""
    path: list[int] = []
    while i >= 0:
        path.append(i)
        i = links[i].ball.parent
    return path


def _joint_moments(
    tree: Tree, links: Sequence[_Link], pushed: Sequence[Matrix], base: tuple[Vector, Vector] | None
) -> list[Vector]:
    """M_b of each ball where the links' matrices have the accelerations Ä; without a base's there is neither weight nor wrench."""
    accelerations: list[Vector] = []
    forces: list[Vector] = []
    moments: list[Vector] = []
    for link, push in zip(links, pushed, strict=True):
        ball, inertia = link.ball, link.inertia
        if ball.parent >= 0:
            before = links[ball.parent].ball.inside
            acc = accelerations[ball.parent] + pushed[ball.parent].apply(ball.before - before)
        elif base is None:
            acc = ZERO
        else:
            w_0, (dv_0, dw_0) = tree.base_velocity[1], base
            acc = dv_0 - tree.gravity + dw_0.cross(ball.before) + w_0.cross(w_0.cross(ball.before))
        accelerations.append(acc)
        A = link.angles.A
        f = acc * inertia.M + push.apply(inertia.MS)
        n = _axial(push.times(inertia.second_moments.full()).times(A.T)) + A.apply(inertia.MS).cross(acc)
        if base is not None:
            f_e, n_e = tree.bodies[ball.hinges[-1]].wrench
            f, n = f + A.apply(f_e), n + A.apply(n_e - ball.inside.cross(f_e))
        forces.append(f)
        moments.append(n)
    for i in reversed(range(len(links))):
        a = links[i].ball.parent
        if a >= 0:
            arm = links[i].centre - links[a].centre
            forces[a], moments[a] = forces[a] + forces[i], moments[a] + moments[i] + arm.cross(forces[i])
    return moments


# ---- matrices of angles ----


def _first(angles: _Angles) -> tuple[Matrix, Matrix, Matrix]:
    """∂A/∂θ, ∂A/∂ψ, ∂A/∂φ."""
    return angles.derivative((1, 0, 0)), angles.derivative((0, 1, 0)), angles.derivative((0, 0, 1))


def _second(angles: _Angles, rate: Vector) -> Matrix:
    """Σ ∂²A/∂η_s∂η_t η'_s η'_t."""
    t, p, f = rate
    squares = ((2, 0, 0), t * t), ((0, 2, 0), p * p), ((0, 0, 2), f * f)
    products = ((0, 1, 1), 2 * (p * f)), ((1, 0, 1), 2 * (f * t)), ((1, 1, 0), 2 * (t * p))
    total = NOUGHT
    for orders, factor in (*squares, *products):
        total = total + angles.derivative(orders) * factor
    return total


def _weighed(partial: Sequence[Matrix], rates: Vector) -> Matrix:
    """Σ ∂A/∂η_s r_s."""
    return partial[0] * rates.x + partial[1] * rates.y + partial[2] * rates.z


def _into(A: Matrix, v: Vector) -> Vector:
    """Aᵀ v."""
    return A.T.apply(v)


def _axial(G: Matrix) -> Vector:
    """∫ r × r̈ dm from ∫ r̈ rᵀ dm."""
    return Vector(G.z.y - G.y.z, G.x.z - G.z.x, G.y.x - G.x.y)
