"""Kinetic and potential energy, and that of springs."""

from typing import Any

from armillary.dynamics.fluid import added_energy, immersed
from armillary.dynamics.springs import elastic_couplings, stretch
from armillary.kinematics.constraint import product
from armillary.kinematics.loops import free_coordinate, free_row, loops
from armillary.kinematics.motion import link_velocities
from armillary.robot.tree import Scalars, Tree
from armillary.spatial.transform import Transform


def kinetic_energy(tree: Tree, q: Scalars, qd: Scalars) -> Any:
    """E = ½ Σ_j (M v·v + 2 MS·(v × ω) + ω·J ω) + ½ Σ IA q'², in J, rotors of cut joints too; the base's motion is counted in.

    So is the fluid that moves with the links, with their velocities relative to it.
    """
    total: Any = 0
    velocities = link_velocities(tree, q, qd)
    for body, (v, w) in zip(tree.bodies, velocities, strict=True):
        p, L = body.inertia.times(v, w)
        total = total + (v.dot(p) + w.dot(L))
        for rate in qd[body.v]:
            total = total + body.IA * (rate * rate)
    for loop in loops(tree):
        if loop.junction.kind.free:
            rate = product(free_row(loop, q), qd)
            total = total + loop.junction.IA * (rate * rate)
    return total / 2 + added_energy(tree, velocities, q) if immersed(tree) else total / 2


def spring_energy(tree: Tree, q: Scalars) -> Any:
    """½ Σ K (q - q0)² of the joints with springs, cut joints among them, and ½ Σ K s² of couplings that give, in J."""
    springs = [(body.stiffness, q[body.q.start] - body.reference) for body in tree.bodies if body.elastic]
    for loop in loops(tree):
        cut = loop.junction
        if cut.elastic:
            springs.append((cut.stiffness, free_coordinate(loop, q) - cut.reference))
    springs += [(c.stiffness, stretch(c, q)) for c in elastic_couplings(tree)]
    total: Any = 0
    for stiffness, s in springs:
        total = total + stiffness * (s * s)
    return total / 2


def potential_energy(tree: Tree, q: Scalars) -> Any:
    """U = -Σ_j g·(M ⁰P_j + ⁰R_j MS_j), in J, zero at the base's origin."""
    total: Any = 0
    carried = [(body.inertia.M, body.inertia.MS) for body in tree.bodies]
    for k in reversed(range(len(tree))):
        body = tree.bodies[k]
        T: Transform = body.transform(q)
        mass, moment = carried[k]
        moment = T.rotation.apply(moment) + T.position * mass
        if body.parent < 0:
            total = total - tree.gravity.dot(moment)
        else:
            m, ms = carried[body.parent]
            carried[body.parent] = (m + mass, ms + moment)
    return total
