"""How the numbers in q change with the joint velocities: q̇ = N(q) q', the identity but for quaternions."""

from collections.abc import Sequence
from typing import Any

from armillary.robot.joints import Joint
from armillary.robot.tree import Scalars
from armillary.spatial.quaternion import rate
from armillary.spatial.vector import Vector


def coordinate_rates(joints: Sequence[Joint], q: Scalars, qd: Scalars) -> list[Any]:
    """q̇ of joints in the order of q."""
    rates: list[Any] = []
    k = v = 0
    for joint in joints:
        if joint.nq == joint.nv:
            rates += qd[v : v + joint.nv]
        else:
            rates += rate(q[k : k + 4], Vector(*qd[v : v + 3]))
        k, v = k + joint.nq, v + joint.nv
    return rates
