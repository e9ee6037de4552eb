"""Motors and the forces they make along the independent joint velocities: Q = G_aᵀ Γ_a.

G_a are the rows of G at joints with motors. Where these are the independent joints themselves, Γ_a is Q. Otherwise, with as many
motors as independent velocities, it is solved for; with more of them the torques are those of least weighted norm,

    Γ_a = Γ_0 + V G_a (G_aᵀ V G_a)⁻¹ (Q - G_aᵀ Γ_0),   V = diag(1 / weights),

about a preload Γ_0, of which only the part counts that does no work: its projection on the null space of G_aᵀ.
"""

from typing import Any

from armillary.dynamics.closed import Closed
from armillary.robot.tree import Scalars
from armillary.spatial.linear import Matrix, solved


def actuation_matrix(closed: Closed) -> Matrix:
    """G_a, a row for each motor and a column for each independent velocity."""
    p = closed.partition
    W = closed.W() if set(p.actuated) - set(p.independent) else []
    rows: Matrix = []
    for k in p.actuated:
        unit = [int(k == i) for i in p.independent]
        rows.append(unit if k in p.independent else W[p.dependent.index(k)])
    return rows


def applied(closed: Closed, torques: Scalars) -> list[Any]:
    """G_aᵀ Γ_a."""
    if closed.partition.actuated == closed.partition.independent:
        return list(torques)
    columns = zip(*actuation_matrix(closed), strict=True) if torques else [()] * len(closed.partition.independent)
    return [sum(g * t for g, t in zip(column, torques, strict=True)) for column in columns]


def motor_torques(
    closed: Closed, forces: Scalars, weights: Scalars | None = None, preload: Scalars | None = None
) -> list[Any]:
    """Γ_a with G_aᵀ Γ_a = forces, of least weighted norm about the preload where there are more motors than needed."""
    p = closed.partition
    if p.actuated == p.independent:
        return list(forces)
    G = actuation_matrix(closed)
    if len(p.actuated) == len(p.independent):
        return [t for [t] in solved([list(column) for column in zip(*G, strict=True)], [[f] for f in forces])]
    start = [0] * len(G) if preload is None else list(preload)
    V = [1] * len(G) if weights is None else [1 / w for w in weights]
    VG = [[v * g for g in row] for v, row in zip(V, G, strict=True)]
    n = range(len(p.independent))
    gram = [[sum(g[i] * vg[j] for g, vg in zip(G, VG, strict=True)) for j in n] for i in n]
    left = [[forces[i] - sum(g[i] * t for g, t in zip(G, start, strict=True))] for i in n]
    y = solved(gram, left)
    return [t + sum(x * w for x, [w] in zip(row, y, strict=True)) for t, row in zip(start, VG, strict=True)]


def null_space(closed: Closed) -> Matrix:
    """1 - G_a (G_aᵀ G_a)⁻¹ G_aᵀ: what it leaves of motor torques does no work on any motion."""
    G = actuation_matrix(closed)
    n = range(len(closed.partition.independent))
    gram = [[sum(g[i] * g[j] for g in G) for j in n] for i in n]
    X = solved(gram, [[row[i] for row in G] for i in n])
    return [[int(r == c) - sum(G[r][i] * X[i][c] for i in n) for c in range(len(G))] for r in range(len(G))]
