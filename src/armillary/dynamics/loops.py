"""Dynamics of robots whose joints are tied together: that of the tree, on the independent joints or with multipliers.

With G of `dynamics.closed` and Γ_tr the torques that the tree alone would need (Khalil 2010, section 6),

    Gᵀ Γ_tr = A_c q''_i + H_c = G_aᵀ Γ_a,   A_c = Gᵀ A G,   H_c = Gᵀ Γ_tr with q''_i = 0

Γ_a are the torques of the motors (`dynamics.actuation`), Γ_c where the independent joints are those that have one. A cut joint
with the coordinate q_c has the torque

    Γ_k = IA q''_c + FV q'_c + FS sign(q'_c) + stiffness (q_c - reference);

it adds (∂q'_c/∂q')ᵀ Γ_k to Γ_tr, and that is why the result does not depend on which joint of a loop is cut.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from armillary.dynamics.actuation import applied, motor_torques
from armillary.dynamics.closed import Closed
from armillary.dynamics.inertia_matrix import inertia_matrix
from armillary.dynamics.newton_euler import Wrench, inverse_dynamics
from armillary.kinematics.constraint import product
from armillary.kinematics.loops import AXES, Loop, directions, free_coordinate, free_drift, free_row, side
from armillary.kinematics.motion import BaseMotion
from armillary.robot.tree import Scalars
from armillary.spatial.linear import Matrix, solve_positive
from armillary.spatial.scalar import named, sign, solve
from armillary.spatial.vector import ZERO


def tree_torques(closed: Closed, qd: Scalars, qdd: Scalars, base: BaseMotion) -> list[Any]:
    """Γ_tr, what the cut joints lose and their inertia in it."""
    torques = inverse_dynamics(closed.tree, closed.q, qd, qdd, base)
    for loop, torque in zip(closed.loops, cut_torques(closed, qd, qdd), strict=True):
        if loop.junction.kind.free:
            torques = [t + x * torque for t, x in zip(torques, free_row(loop, closed.q), strict=True)]
    return torques


def cut_torques(closed: Closed, qd: Scalars, qdd: Scalars) -> list[Any]:
    """Γ_k = IA q''_c + FV q'_c + FS sign(q'_c) + stiffness (q_c - reference), 0 for kinds without one coordinate."""
    return [_cut_torque(loop, closed.q, qd, qdd) if loop.junction.kind.free else 0 for loop in closed.loops]


def _cut_torque(loop: Loop, q: Scalars, qd: Scalars, qdd: Scalars) -> Any:
    cut, row = loop.junction, free_row(loop, q)
    rate, acceleration = product(row, qd), product(row, qdd) + free_drift(loop, q, qd)
    torque = cut.IA * acceleration + cut.FV * rate + cut.FS * sign(rate)
    return torque + cut.stiffness * (free_coordinate(loop, q) - cut.reference) if cut.elastic else torque


def closed_inverse_dynamics(
    closed: Closed,
    qd: Scalars,
    qdd: Scalars,
    base: BaseMotion,
    weights: Scalars | None = None,
    preload: Scalars | None = None,
) -> list[Any]:
    """Γ_a from q' and q'' of the independent joints; see `motor_torques` where there are more motors than that."""
    found = motor_torques(closed, generalised_forces(closed, qd, qdd, base), weights, preload)
    return [named(t, f"GAM{k + 1}") for k, t in zip(closed.partition.actuated, found, strict=True)]


def generalised_forces(closed: Closed, qd: Scalars, qdd: Scalars, base: BaseMotion) -> list[Any]:
    """Gᵀ Γ_tr from q' and q'' of the independent joints."""
    rates = closed.velocities(qd)
    return closed.projected(tree_torques(closed, rates, closed.accelerations(qdd, rates), base))


def closed_inertia_matrix(closed: Closed) -> Matrix:
    """A_c = A_aa + A_ap W + Wᵀ (A_pa + A_pp W)."""
    a, p = closed.partition.independent, closed.partition.dependent
    A, W = tree_inertia(closed), closed.W()
    AW = [
        [A[i][k] + sum(A[i][j] * w[c] for j, w in zip(p, W, strict=True)) for c, k in enumerate(a)]
        for i in range(len(A))
    ]
    found: Matrix = [[0] * len(a) for _ in a]
    for r, i in enumerate(a):
        for c in range(r + 1):
            value = AW[i][c] + sum(w[r] * AW[j][c] for j, w in zip(p, W, strict=True))
            found[r][c] = found[c][r] = named(value, f"A{r + 1}{c + 1}")
    return found


def tree_inertia(closed: Closed) -> Matrix:
    """A of the tree, with the inertia IA of cut joints: A + Σ IA rowᵀ row."""
    A = inertia_matrix(closed.tree, closed.q)
    for loop in closed.loops:
        if loop.junction.kind.free:
            row = free_row(loop, closed.q)
            scaled = [loop.junction.IA * x for x in row]
            A = [[x + s * r for x, r in zip(line, row, strict=True)] for line, s in zip(A, scaled, strict=True)]
    return A


def closed_direct_dynamics(closed: Closed, qd: Scalars, torques: Scalars, base: BaseMotion) -> list[Any]:
    """q'' of all joints from q' of the independent ones and the torques of the motors: A_c q''_i = G_aᵀ Γ_a - H_c."""
    rates = closed.velocities(qd)
    H = _bias(closed, rates, base)
    drive = applied(closed, torques)
    A = closed_inertia_matrix(closed)
    return closed.accelerations(solve_positive(A, [t - h for t, h in zip(drive, H, strict=True)]), rates)


def _bias(closed: Closed, rates: Scalars, base: BaseMotion) -> list[Any]:
    """H_c."""
    nothing = closed.accelerations([0] * len(closed.partition.independent), rates)
    return closed.projected(tree_torques(closed, rates, nothing, base))


def closed_hybrid_dynamics(
    closed: Closed, qd: Scalars, given: Scalars, known: Sequence[int], base: BaseMotion
) -> tuple[list[Any], list[Any]]:
    """(q'' of all joints, Γ of all motors) where q'' is known at some independent velocities and Γ of all other motors.

    `known` are places of joint velocities; `given` has q'' at those, and the torque at each further motor, in the order of q'.
    With k for known, u for the other independent velocities and Γ_k unknown where there is a motor,

        A_uu q''_u = (G_aᵀ Γ)_u - H_u - A_uk q''_k,   Γ_k = A_kk q''_k + A_ku q''_u + H_k - (G_aᵀ Γ)_k with Γ_k = 0
    """
    p = closed.partition
    values = dict(zip(sorted({*known, *p.actuated}), given, strict=True))
    rates = closed.velocities(qd)
    H, A = _bias(closed, rates, base), closed_inertia_matrix(closed)
    drive = applied(closed, [0 if k in known else values[k] for k in p.actuated])
    rest = [t - h for t, h in zip(drive, H, strict=True)]
    held = [i for i, k in enumerate(p.independent) if k in known]
    free = [i for i, k in enumerate(p.independent) if k not in known]
    a: list[Any] = [values[k] if k in known else 0 for k in p.independent]
    right = [rest[i] - sum(A[i][j] * a[j] for j in held) for i in free]
    for i, x in zip(free, solve_positive([[A[i][j] for j in free] for i in free], right), strict=True):
        a[i] = x
    for i in held:
        values[p.independent[i]] = sum(A[i][j] * a[j] for j in range(len(a))) - rest[i]
    return closed.accelerations(a, rates), [named(values[k], f"GAM{k + 1}") for k in p.actuated]


def direct_dynamics_with_multipliers(closed: Closed, qd: Scalars, torques: Scalars, base: BaseMotion) -> list[Any]:
    """The same from one system: [[A, -Jᵀ], [J, 0]] (q'', λ) = (Γ - H, -J̇ q')."""
    rates = closed.velocities(qd)
    nv, J = closed.tree.nv, closed.J
    H = tree_torques(closed, rates, [0] * nv, base)
    drive: list[Any] = [0] * nv
    for k, torque in zip(closed.partition.actuated, torques, strict=True):
        drive[k] = torque
    A = tree_inertia(closed)
    matrix = [[*A[i], *(-row[i] for row in J)] for i in range(nv)] + [[*row, *([0] * len(J))] for row in J]
    right = [[t - h] for t, h in zip(drive, H, strict=True)] + [[-x] for x in closed.drift(rates)]
    return [x for [x] in solve(matrix, right)[:nv]]


def _left_over(closed: Closed, torques: Scalars, motors: Scalars) -> list[Any]:
    """What the tree needs and motors do not give; along dependent joints the constraints have to."""
    left = list(torques)
    for k, motor in zip(closed.partition.actuated, motors, strict=True):
        left[k] = left[k] - motor
    return left


def constraint_forces(
    closed: Closed, qd: Scalars, accelerations: Scalars, motors: Scalars, base: BaseMotion
) -> dict[int, Any]:
    """λ of all rows that are not 0 by structure, from q' of the independent joints, q'' of all and the torques of all motors."""
    torques = tree_torques(closed, closed.velocities(qd), accelerations, base)
    return closed.least_multipliers(_left_over(closed, torques, motors))


def constrained(closed: Closed, rates: Scalars, accelerations: Scalars, base: BaseMotion) -> list[Any]:
    """Jᵀ λ = Γ_tr less the torques of the motors, of least norm where there are more than needed, from q' and q'' of all joints."""
    torques = tree_torques(closed, rates, accelerations, base)
    return _left_over(closed, torques, motor_torques(closed, closed.projected(torques)))


def cut_reactions(closed: Closed, qd: Scalars, qdd: Scalars, base: BaseMotion) -> list[Wrench]:
    """(f, n) that body a of each cut joint exerts on body b, along the axes of a and about the origin of b."""
    rates = closed.velocities(qd)
    accelerations = closed.accelerations(qdd, rates)
    forces = closed.least_multipliers(constrained(closed, rates, accelerations, base))
    return cut_wrenches(closed, forces, cut_torques(closed, rates, accelerations))


def cut_wrenches(
    closed: Closed, forces: Mapping[int, Any], losses: Scalars, turned: Collection[int] = ()
) -> list[Wrench]:
    """f = Σ λ e over axes e that are held, n = Σ λ (u × e) over pairs that are square, and along z what the joint loses.

    The forces of joints in `turned`, places among the loops, are those along rows that are seen from b.
    """
    wrenches: list[Wrench] = []
    start = 0
    for k, (loop, loss) in enumerate(zip(closed.loops, losses, strict=True)):
        f, n = lost(loop, loss)
        for place, (axis, turning) in enumerate(reaction_axes(loop, closed.q, from_b=k in turned), start):
            force = forces.get(place, 0)
            f, n = f + axis * force, n + turning * force
        wrenches.append((f, n))
        start += len(loop.conditions)
    return wrenches


def reaction_axes(loop: Loop, q: Scalars, *, from_b: bool = False) -> list[Wrench]:
    """(f, n) on b for a force of 1 along each row, along the axes of a and about the origin of b: e, or u × e.

    Seen from b a row has its axis in b, and a force of 1 along it acts on a.
    """
    held = loop.junction.kind.held
    axes = [*((AXES[e], ZERO) for e in held), *((ZERO, d) for d in directions(loop, q))]
    if not from_b:
        return axes
    R = side(loop, q).rotation
    return [(-R.apply(f), -R.apply(n)) for f, n in axes]


def lost(loop: Loop, loss: Any) -> Wrench:
    """(f, n) on b of what the coordinate of the cut joint takes, `cut_torques`."""
    along = AXES["z"] * -loss
    return (along, ZERO) if loop.junction.kind.free == "slide" else (ZERO, along)
