"""Gauss' principle of least constraint, in the matrices of Popov and Vereshchagin; closed loops included.

Vukobratović and Potkonjak (1982), section 2.8, with its misprints put right. Of all accelerations that the joints and the
loops allow, those happen for which the compulsion is least:

    Z = Σ_i tr(½ T̈_i H_i T̈_iᵀ - Φ_i T̈_iᵀ) - Σ_j Γ_j q''_j

T_i = [R P] is the pose of link i in the base, H_i = [[S, MS], [MSᵀ, M]] with its second moments S = ½ tr(J) 1 - J, Φ_i the forces from
outside: gravity g times (MSᵀ, M), less [½ R n^, R f] for the wrench (f, n) that the link exerts. With X_i = ᵃT_i, antecedent a, and
σ = [ω^ v; 0 0] the matrix of a twist in frame i, σ_J that of the joint's velocity, the poses have the accelerations

    T̈_i = Σ_j V_ij q''_j + T̈_i0,   V_ij = V_aj X_i,  V_ii = T_i σ_i
    Ṫ_i = Ṫ_a X_i + T_i σ_J,   T̈_i0 = T̈_a0 X_i + (2 Ṫ_a X_i + T_i σ_J) σ_J

so that Z = ½ q''ᵀ A q'' + (H - Γ)ᵀ q'' + … with

    A_jk = Σ_i tr(V_ij H_i V_ikᵀ),   H_k = Σ_i tr((T̈_i0 H_i - Φ_i) V_ikᵀ)

A joint takes ½ IA q''² of compulsion, and so does a cut joint that has a coordinate q_c, with what it loses:
½ IA q''_c² + (FV q'_c + FS sign(q'_c) + K (q_c - q0)) q''_c. Constraints allow q'' with J q'' + J̇ q' = 0 alone; there Z is
least where A q'' + H - Γ = Jᵀ λ.
"""

from collections.abc import Sequence
from typing import Any

from armillary.dynamics.formulations.formulated import Formulated, Rows, formulated
from armillary.kinematics.constraint import product
from armillary.kinematics.constraints import constraints
from armillary.kinematics.loops import Loop, free_coordinate, free_drift, free_row, loops
from armillary.robot.tree import Branch, Scalars, Tree
from armillary.spatial.inertia import Inertia
from armillary.spatial.linear import solve_positive
from armillary.spatial.matrix import IDENTITY, Matrix, skew
from armillary.spatial.scalar import named, sign, solve
from armillary.spatial.vector import ZERO, Vector

_Pose = tuple[Rows, Rows, Rows, dict[int, Rows]]
"""T, Ṫ, T̈ at q'' = 0, and V_j by places in q'', of one link."""


def gauss(tree: Tree, q: Scalars, qd: Scalars, qdd: Scalars) -> Formulated:
    """A and H, the second and first derivatives of the compulsion of links; cut joints have no part in it."""
    A: Rows = [[0] * tree.nv for _ in range(tree.nv)]
    H: list[Any] = [0] * tree.nv
    poses: list[_Pose] = []
    w_0, (dv_0, dw_0) = tree.base_velocity[1], tree.base_acceleration
    turning = skew(w_0)
    base: _Pose = (
        _beside(IDENTITY, ZERO),
        _beside(turning, ZERO),
        _beside(skew(dw_0) + turning.times(turning), dv_0),
        {},
    )
    for body in tree.bodies:
        T_a, dT_a, ddT_a, before = base if body.parent < 0 else poses[body.parent]
        X = body.transform(q).matrix()
        T, carried, S = _times(T_a, X), _times(dT_a, X), _twist_matrix(*body.twist(qd))
        own = _times(T, S)
        ddT = _sum(_times(ddT_a, X), _times(_sum(_sum(carried, carried), own), S))
        V = {j: _times(V_j, X) for j, V_j in before.items()}
        for j, motion in zip(range(tree.nv)[body.v], body.motion, strict=True):
            V[j] = _times(T, _twist_matrix(*motion))
        poses.append((T, _sum(carried, own), ddT, V))

        moments = _moments(body.inertia)
        forced = _sum(_times(ddT, moments), _outside(tree, body, T))
        columns = list(V.items())
        for n, (k, V_k) in enumerate(columns):
            H[k] = H[k] + _trace(forced, V_k)
            weighed = _times(V_k, moments)
            for j, V_j in columns[: n + 1]:
                A[k][j] = A[j][k] = A[k][j] + _trace(V_j, weighed)
    return formulated(tree, q, qd, qdd, A, H)


def least_constraint(
    tree: Tree, q: Scalars, qd: Scalars, torques: Scalars, independent: Sequence[int] = ()
) -> list[Any]:
    """q'' of all joints for Γ of all joints: the least of the compulsion among what the constraints allow.

    q meets the constraints and q' keeps to them; `independent` are the places of rows of all of them that are.
    """
    found = gauss(tree, q, qd, [0] * tree.nv)
    A, slope = [list(row) for row in found.A], [h - t for h, t in zip(found.H, torques, strict=True)]
    for loop in loops(tree):
        if loop.junction.kind.free:
            _compel(loop, q, qd, A, slope)
    every = constraints(tree)
    conditions = [row for constraint in every for row in constraint.rows(q)]
    rates = [x for constraint in every for x in constraint.drift(q, qd)]
    J, bias = [conditions[i] for i in independent], [rates[i] for i in independent]
    if J:
        # the derivatives by q'' and by λ of Z - λᵀ (J q'' + J̇ q')
        matrix = [[*A[k], *(-row[k] for row in J)] for k in range(tree.nv)]
        matrix += [[*row, *([0] * len(J))] for row in J]
        least = [x for [x] in solve(matrix, [[-x] for x in (*slope, *bias)])[: tree.nv]]
    else:
        least = solve_positive(A, [-x for x in slope])
    return [named(x, f"QDP{k}") for k, x in enumerate(least, start=1)]


def _compel(loop: Loop, q: Scalars, qd: Scalars, A: Rows, slope: list[Any]) -> None:
    """Add what a cut joint's one coordinate, q''_c = row q'' + rest, takes of compulsion."""
    cut, row, rest = loop.junction, free_row(loop, q), free_drift(loop, q, qd)
    rate = product(row, qd)
    force = cut.IA * rest + cut.FV * rate + cut.FS * sign(rate)
    if cut.elastic:
        force = force + cut.stiffness * (free_coordinate(loop, q) - cut.reference)
    for k, x in enumerate(row):
        slope[k] = slope[k] + x * force
        A[k] = [a + cut.IA * x * y for a, y in zip(A[k], row, strict=True)]


# ---- matrices of four columns: [R P], three rows where the fourth would be (0, 0, 0, 1) or 0 ----


def _beside(matrix: Matrix, column: Vector) -> Rows:
    """[matrix, column]."""
    return [[*row, x] for row, x in zip(matrix, column, strict=True)]


def _twist_matrix(v: Vector, w: Vector) -> Rows:
    """[ω^ v; 0 0]."""
    return [*_beside(skew(w), v), [0, 0, 0, 0]]


def _moments(inertia: Inertia) -> Rows:
    """H = [[S, MS], [MSᵀ, M]]."""
    return [*_beside(inertia.second_moments.full(), inertia.MS), [*inertia.MS, inertia.M]]


def _outside(tree: Tree, body: Branch, T: Rows) -> Rows:
    """-Φ: the link's weight, and the wrench (f, n) that it exerts on its environment, taken from it."""
    f, n = body.wrench
    half = Vector(*(x / 2 for x in n))
    pushed = _times(T, [*_beside(skew(half), f), [0, 0, 0, 0]])
    weight = [[g * x for x in (*body.inertia.MS, body.inertia.M)] for g in tree.gravity]
    return [[p - w for p, w in zip(row, line, strict=True)] for row, line in zip(pushed, weight, strict=True)]


def _times(a: Rows, b: Rows) -> Rows:
    """The product with a matrix of four rows."""
    return [[sum(x * b[k][c] for k, x in enumerate(row)) for c in range(4)] for row in a]


def _sum(a: Rows, b: Rows) -> Rows:
    return [[x + y for x, y in zip(r, s, strict=True)] for r, s in zip(a, b, strict=True)]


def _trace(a: Rows, b: Rows) -> Any:
    """tr(a bᵀ)."""
    return sum(x * y for r, s in zip(a, b, strict=True) for x, y in zip(r, s, strict=True))
