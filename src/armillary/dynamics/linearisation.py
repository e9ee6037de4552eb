"""The dynamics to first order about a state: how q'' changes with positions, velocities and torques.

With Γ = A q'' + H at the state, and variations that keep Γ(q, q', q'') equal to what is applied,

    δq'' = A⁻¹ (δΓ - ∂Γ/∂q δq - ∂Γ/∂q' δq')

Positions vary along the joint velocities. For a ball that is a turn δφ in its moved frame, which itself turns:
(δφ)˙ = δω - ω × δφ; a body that floats likewise, with twists; where one number moves a joint (δq)˙ = δq'. Together
ẋ = F x + G u with x = (δq, δq') and u = δΓ.
"""

from dataclasses import dataclass
from typing import Any

from armillary.dynamics.coriolis import twist_rate
from armillary.dynamics.derivatives import inverse_dynamics_derivatives
from armillary.dynamics.direct import direct_dynamics_matrix
from armillary.kinematics.motion import BaseMotion
from armillary.robot.tree import Scalars, Tree
from armillary.spatial.linear import solve_positive

Matrix = list[list[Any]]


@dataclass(frozen=True, slots=True)
class Linear:
    """q'' at the state, F (2nv x 2nv) and G (2nv x nv)."""

    accelerations: list[Any]
    F: Matrix
    G: Matrix


def linearisation(tree: Tree, q: Scalars, qd: Scalars, torques: Scalars, base: BaseMotion) -> Linear:
    """ẋ = F x + G u about (q, q', Γ)."""
    n = tree.nv
    qdd = direct_dynamics_matrix(tree, q, qd, torques, base)
    d = inverse_dynamics_derivatives(tree, q, qd, qdd, base)
    A = d.by_acceleration
    unit = [[1 if i == j else 0 for j in range(n)] for i in range(n)]
    by_position = [[-x for x in solve_positive(A, list(c))] for c in zip(*d.by_position, strict=True)]
    by_velocity = [[-x for x in solve_positive(A, list(c))] for c in zip(*d.by_velocity, strict=True)]
    by_torque = [solve_positive(A, row) for row in unit]
    return assembled(tree, qd, qdd, by_position, by_velocity, by_torque)


def assembled(
    tree: Tree, qd: Scalars, qdd: list[Any], by_position: Matrix, by_velocity: Matrix, by_torque: Matrix
) -> Linear:
    """F and G from the columns of ∂q''/∂q, ∂q''/∂q' and ∂q''/∂Γ."""
    n = tree.nv
    unit = [[1 if i == j else 0 for j in range(n)] for i in range(n)]
    turning = _turning(tree, qd)
    F = [turning[i] + unit[i] for i in range(n)]
    F += [[c[i] for c in by_position] + [c[i] for c in by_velocity] for i in range(n)]
    G: Matrix = [[0] * n for _ in range(n)]
    G += [[c[i] for c in by_torque] for i in range(n)]
    return Linear(qdd, F, G)


def _turning(tree: Tree, qd: Scalars) -> Matrix:
    """-ν × for the velocity ν of a joint with several twists; 0 for every other joint."""
    T: Matrix = [[0] * tree.nv for _ in range(tree.nv)]
    for body in tree.bodies:
        if len(body.motion) > 1:
            places = range(tree.nv)[body.v]
            velocity = body.twist(qd)
            for column, s in zip(places, body.motion, strict=True):
                linear, angular = twist_rate(velocity, s)
                for row, along in zip(places, body.along(linear, angular), strict=True):
                    T[row][column] = -along
    return T
