"""What every formulation gives, and what the joints themselves add to it, which no principle has a say in.

A formulation finds A and H of the links, (Γ = A q'' + H); each joint adds

    IA q'' + FV q' + FS sign(q') + K (q - q0)

for its rotor, its friction and its spring.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from armillary.robot.tree import Scalars, Tree
from armillary.spatial.scalar import named, sign

Rows = list[list[Any]]


@dataclass(frozen=True, slots=True)
class Formulated:
    """A (nv x nv, symmetric), H (all torques at q'' = 0) and Γ = A q'' + H; N·m and kg·m², N and kg where joints slide."""

    A: Rows
    H: list[Any]
    tau: list[Any]


def formulated(
    tree: Tree, q: Scalars, qd: Scalars, qdd: Scalars, A: Rows, H: Sequence[Any], tau: Sequence[Any] | None = None
) -> Formulated:
    """The joints' own torques put in; `tau` where a formulation finds Γ without A."""
    places = range(tree.nv)
    inertias: list[Any] = [0] * tree.nv
    losses: list[Any] = [0] * tree.nv
    for body in tree.bodies:
        inertias[body.v] = [body.IA] * body.joint.nv
        taken = zip(qd[body.v], body.spring(q), strict=True)
        losses[body.v] = [body.FV * v + body.FS * sign(v) + spring for v, spring in taken]
    whole: Rows = [[0] * tree.nv for _ in places]
    for i in places:
        for j in range(i + 1):
            element = A[i][j] + inertias[i] if i == j else A[i][j]
            whole[i][j] = whole[j][i] = named(element, f"A{i + 1}{j + 1}")
    bias = [named(h + loss, f"H{k}") for k, (h, loss) in enumerate(zip(H, losses, strict=True), start=1)]
    if tau is None:
        torques = [bias[i] + sum(whole[i][j] * qdd[j] for j in places) for i in places]
    else:
        torques = [tau[k] + inertias[k] * qdd[k] + losses[k] for k in places]
    return Formulated(whole, bias, [named(t, f"GAM{k}") for k, t in enumerate(torques, start=1)])
