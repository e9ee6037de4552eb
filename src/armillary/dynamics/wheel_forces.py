"""Forces of the ground on the wheels: the multipliers of their rows.

With A q'' + H = Γ + Jᵀ λ, λ along a wheel's slip is the force along t that drives the platform forwards, λ along its slide that along
the axle; a Swedish wheel has one along its roller's axis d, (λ cos γ, λ sin γ). Where J has dependent rows, two wheels on an axle,
or where motors can work against each other, the equations of motion hold for many λ, and these are of least norm. Where wheels alone
hold the platform, no choice changes its own equations: the sum of all forces in the plane and of their moments about its origin.
"""

from typing import Any

from armillary.dynamics.closed import Closed
from armillary.dynamics.loops import constrained
from armillary.kinematics.motion import BaseMotion
from armillary.kinematics.wheels import RollingContact
from armillary.robot.tree import Scalars
from armillary.spatial.scalar import cos, sin

Pair = tuple[Any, Any]


def wheel_rows(closed: Closed) -> list[tuple[RollingContact, range]]:
    """Every wheel, and the places of its rows among those of all constraints."""
    found: list[tuple[RollingContact, range]] = []
    start = 0
    for constraint in closed.constraints:
        stop = start + len(constraint.conditions)
        if isinstance(constraint, RollingContact):
            found.append((constraint, range(start, stop)))
        start = stop
    return found


def wheel_forces(closed: Closed, qd: Scalars, qdd: Scalars, base: BaseMotion) -> tuple[list[Pair], list[Any]]:
    """(forward, along the axle) of each wheel, and their sum on the platform (f_x, f_y, n_z), from q' and q'' of independent joints.

    The sum is what the platform needs, Jᵀ λ of all rows, less what cut joints and contacts give it.
    """
    rates = closed.velocities(qd)
    balance = constrained(closed, rates, closed.accelerations(qdd, rates), base)
    forces = closed.least_multipliers(balance)
    found: list[Pair] = []
    rolling: set[int] = set()
    for contact, places in wheel_rows(closed):
        along = [forces.get(k, 0) for k in places]
        roller = contact.wheel.roller
        found.append((along[0], along[1]) if roller is None else (along[0] * cos(roller), along[0] * sin(roller)))
        rolling.update(places)
    platform = closed.tree.bodies[closed.tree.wheels[0].platform]
    others = [(closed.all_rows[k], force) for k, force in forces.items() if k not in rolling]
    return found, [
        balance[column] - sum(row[column] * force for row, force in others)
        for column in range(closed.tree.nv)[platform.v]
    ]
