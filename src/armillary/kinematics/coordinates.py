"""How the numbers in q change with the joint velocities: q̇ = N(q) q', the identity where q̇ is q'; and back."""

from collections.abc import Sequence
from typing import Any

from armillary.robot.joints import Joint
from armillary.robot.tree import Scalars


def coordinate_rates(joints: Sequence[Joint], q: Scalars, qd: Scalars) -> list[Any]:
    """q̇ of joints in the order of q."""
    rates: list[Any] = []
    k = v = 0
    for joint in joints:
        rates += joint.rates(q[k : k + joint.nq], qd[v : v + joint.nv])
        k, v = k + joint.nq, v + joint.nv
    return rates


def row_on_coordinates(joints: Sequence[Joint], q: Scalars, row: Sequence[Any]) -> list[Any]:
    """A row on q' as one on q̇: row N⁻¹, for joints in the order of q."""
    found: list[Any] = []
    k = v = 0
    for joint in joints:
        here, part = q[k : k + joint.nq], row[v : v + joint.nv]
        for place in range(joint.nq):
            unit = [int(place == other) for other in range(joint.nq)]
            found.append(sum(x * rate for x, rate in zip(part, joint.velocities(here, unit), strict=True)))
        k, v = k + joint.nq, v + joint.nv
    return found
