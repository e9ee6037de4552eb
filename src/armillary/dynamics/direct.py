"""Direct dynamics through the inertia matrix: q'' = A⁻¹ (Γ - H), A factored without filling in the zeros between branches."""

from typing import Any

from armillary.dynamics.inertia_matrix import inertia_matrix
from armillary.dynamics.newton_euler import inverse_dynamics
from armillary.kinematics.motion import BaseMotion
from armillary.robot.tree import Scalars, Tree
from armillary.spatial.linear import solve_positive
from armillary.spatial.scalar import named


def direct_dynamics_matrix(tree: Tree, q: Scalars, qd: Scalars, torques: Scalars, base: BaseMotion) -> list[Any]:
    """q'' from the torques; H(q, q') is the inverse dynamics with q'' = 0 (Khalil 2010, section 4.3)."""
    H = inverse_dynamics(tree, q, qd, [0] * tree.nv, base)
    A = inertia_matrix(tree, q)
    qdd = solve_positive(A, [t - h for t, h in zip(torques, H, strict=True)])
    return [named(a, f"QDP{k}") for k, a in enumerate(qdd, start=1)]
