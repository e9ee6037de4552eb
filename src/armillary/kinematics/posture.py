"""The posture of a platform on wheels, ξ = (x, y, θ): what it can do at once (Campion, Bastin and d'Andréa-Novel 1996).

    ξ' = R(θ) Σ(β) η,    C_1(β) Σ(β) = 0

The rows C_1 are what the slides of fixed and steered wheels take of the platform's velocities (v_x, v_y, ω), with n the
direction of an axle and P a point of it: c = (n_x, n_y, P_x n_y - P_y n_x). Without a row Σ is the identity. With one, η is the speed along
the wheel and ω,

    Σ = [ n_y  -c_3 n_x ]
        [-n_x  -c_3 n_y ]
        [  0       1    ]

and with two, Σ = c_1 × c_2, the turn about the point where the axles meet.
"""

from collections.abc import Sequence
from typing import Any

from armillary.kinematics.constraint import Row
from armillary.kinematics.wheels import RollingContact
from armillary.robot.tree import Scalars, Tree
from armillary.spatial.vector import Vector


def slides(tree: Tree, q: Scalars) -> dict[str, Row]:
    """C_1: the row of each fixed or steered wheel, by its name, the fixed ones first."""
    found: dict[str, Row] = {}
    platform = range(tree.nv)[tree.bodies[tree.wheels[0].platform].v] if tree.wheels else range(0)
    for wheel in sorted(tree.wheels, key=lambda wheel: len(wheel.forks)):
        if wheel.roller is None and not wheel.swings:
            _, slide = RollingContact(tree, wheel).rows(q)
            found[wheel.name] = [slide[k] for k in platform]
    return found


def platform_motions(rows: Sequence[Row]) -> list[list[Any]]:
    """Σ, three rows, from at most two rows of C_1 that are independent."""
    if not rows:
        return [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    if len(rows) == 1:
        [(x, y, m)] = rows
        return [[y, -m * x], [-x, -m * y], [0, 1]]
    a, b = (Vector(*row) for row in rows)
    return [[x] for x in a.cross(b)]
