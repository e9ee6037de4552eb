"""How the numbers in q change with the joint velocities: q̇ = N(q) q', the identity where q̇ is q'."""

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
