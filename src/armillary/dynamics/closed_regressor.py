"""Forces along the independent joints as they depend on the parameters: Gᵀ Γ_tr = Σ (Gᵀ columns) · parameters.

To the columns of the tree come those of joints that close loops, for IA, FV, FS and stiffness along their one coordinate.
"""

from dataclasses import replace
from typing import Any

from armillary.dynamics.closed import Closed
from armillary.dynamics.regressor import Column, regressor
from armillary.kinematics.constraint import product
from armillary.kinematics.loops import Loop, free_coordinate, free_drift, free_row
from armillary.kinematics.motion import BaseMotion
from armillary.robot.tree import Scalars
from armillary.spatial.scalar import sign
from armillary.spatial.vector import ZERO


def closed_regressor(closed: Closed, qd: Scalars, qdd: Scalars, base: BaseMotion) -> list[Column]:
    """A column for each parameter of the bodies, then of the cut joints with one coordinate; `torques` along independent joints."""
    rates = closed.velocities(qd)
    accelerations = closed.accelerations(qdd, rates)
    columns = regressor(closed.tree, closed.q, rates, accelerations, base)
    for loop in closed.loops:
        if loop.junction.kind.free:
            columns += _of_cut(loop, closed.q, rates, accelerations)
    p, W = closed.partition, closed.W()
    found: list[Column] = []
    for column in columns:
        reduced: list[Any] = []
        for c, i in enumerate(p.independent):
            along = sum(w[c] * column.torques[k] for k, w in zip(p.dependent, W, strict=True))
            reduced.append(column.torques[i] + along)
        found.append(replace(column, torques=reduced))
    return found


def _of_cut(loop: Loop, q: Scalars, rates: Scalars, accelerations: Scalars) -> list[Column]:
    cut, row = loop.junction, free_row(loop, q)
    rate = product(row, rates)
    taken = [("IA", product(row, accelerations) + free_drift(loop, q, rates)), ("FV", rate), ("FS", sign(rate))]
    if cut.elastic:
        taken.append(("stiffness", free_coordinate(loop, q) - cut.reference))
    return [Column(cut.name, name, [x * amount for x in row], (ZERO, ZERO)) for name, amount in taken]
