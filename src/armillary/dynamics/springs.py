"""Couplings that give: with s = q_j - ratio q_k - offset each takes T = K s + D s' at joint j and -ratio T at its leader k.

They are linear in q and q': of rank one each, with the row r = (1 at j, -ratio at k),

    Γ_s = Σ rᵀ T,   ∂Γ_s/∂q = Σ K rᵀ r,   ∂Γ_s/∂q' = Σ D rᵀ r,   energy ½ Σ K s²
"""

from typing import Any

from armillary.robot.tree import Coupled, Scalars, Tree


def elastic_couplings(tree: Tree) -> list[Coupled]:
    """Those that give."""
    return [c for c in tree.couplings if c.elastic]


def stretch(c: Coupled, q: Scalars) -> Any:
    """s."""
    return q[c.q] - c.ratio * q[c.leader_q] - c.offset


def stretch_rate(c: Coupled, qd: Scalars) -> Any:
    """s'."""
    return qd[c.v] - c.ratio * qd[c.leader_v]


def along(c: Coupled, T: Any) -> dict[int, Any]:
    """rᵀ T, by place among the velocities."""
    return {c.v: T, c.leader_v: -(c.ratio * T)}


def coupling_torques(tree: Tree, q: Scalars, qd: Scalars) -> list[Any]:
    """Γ_s along every joint velocity."""
    torques: list[Any] = [0] * tree.nv
    for c in elastic_couplings(tree):
        for place, t in along(c, c.stiffness * stretch(c, q) + c.damping * stretch_rate(c, qd)).items():
            torques[place] = torques[place] + t
    return torques


def add_slopes(tree: Tree, by_position: list[list[Any]], by_velocity: list[list[Any]]) -> None:
    """∂Γ_s/∂q and ∂Γ_s/∂q', added to what is there."""
    for c in elastic_couplings(tree):
        for matrix, factor in ((by_position, c.stiffness), (by_velocity, c.damping)):
            for column, unit in ((c.v, 1), (c.leader_v, -c.ratio)):
                for row, t in along(c, factor * unit).items():
                    matrix[row][column] = matrix[row][column] + t
