"""Inverse dynamics by the recursive Newton-Euler method in Khalil's form.

Khalil (2010), equations 14 to 24. The outward recursion is `kinematics.motion`; each link's own wrench is

    F_j = M_j v̇_j + U_j MS_j
    N_j = J_j ω̇_j + ω_j × (J_j ω_j) + MS_j × v̇_j

and inwards, with (f_e, n_e) what link j exerts on its environment and k its successors,

    f_j = F_j + f_ej + Σ_k ʲR_k f_k
    n_j = N_j + n_ej + Σ_k (ʲR_k n_k + ʲP_k × ʲR_k f_k)
    Γ_j = twistᵀ (f_j, n_j) + IA_j q''_j + FV_j q'_j + FS_j sign(q'_j)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from armillary.kinematics.motion import BaseMotion, LinkMotion, link_motions
from armillary.robot.tree import Branch, Scalars, Tree
from armillary.spatial.scalar import named, sign
from armillary.spatial.transform import Transform
from armillary.spatial.vector import ZERO, Vector

Wrench = tuple[Vector, Vector]
"""(force, moment about the frame's origin)."""


@dataclass(frozen=True, slots=True)
class Reactions:
    """What `newton_euler` gives: Γ; the wrench that each joint transmits to its link, in the link's frame and about
    its origin; and the wrench that the base exerts on the robot, in base components about the base's origin."""

    torques: list[Any]
    wrenches: list[Wrench]
    base: Wrench


def newton_euler(tree: Tree, q: Scalars, qd: Scalars, qdd: Scalars, base: BaseMotion) -> Reactions:
    """Joint torques and reactions for given positions, velocities and accelerations."""
    motions = link_motions(tree, q, qd, qdd, base)
    own = [
        link_wrench(body, motion, k) for k, (body, motion) in enumerate(zip(tree.bodies, motions, strict=True), start=1)
    ]
    wrenches, root = gather(tree, own, [m.T for m in motions])
    torques: list[Any] = [0] * tree.nv
    for body, (f, n) in zip(tree.bodies, wrenches, strict=True):
        friction = joint_losses(body, qd, qdd)
        torques[body.v] = [a + b for a, b in zip(body.along(f, n), friction, strict=True)]
    return Reactions([named(t, f"GAM{k}") for k, t in enumerate(torques, start=1)], wrenches, root)


def link_wrench(body: Branch, motion: LinkMotion, k: object) -> Wrench:
    """(F_j + f_ej, N_j + n_ej): what moves one link, and what it exerts on its environment."""
    F = body.inertia.force(motion.U, motion.dv).named("F", k)
    N = body.inertia.moment(motion.U, motion.dv).named("N", k)
    f_e, n_e = body.wrench
    return F + f_e, N + n_e


def gather(tree: Tree, own: Sequence[Wrench], transforms: Sequence[Transform]) -> tuple[list[Wrench], Wrench]:
    """Each link's wrench with those of all it carries, and that of all roots on the base: the inward recursion."""
    total = list(own)
    at_base = (ZERO, ZERO)
    for k in reversed(range(len(tree))):
        f, n = total[k]
        f, n = f.named("E", k + 1), n.named("NE", k + 1)
        total[k] = f, n
        i = tree.bodies[k].parent
        f_i, n_i = transforms[k].force(f, n)
        carried = at_base if i < 0 else total[i]
        summed = (carried[0] + f_i, carried[1] + n_i)
        if i < 0:
            at_base = summed
        else:
            total[i] = summed
    return total, at_base


def joint_losses(body: Branch, qd: Scalars, qdd: Scalars) -> list[Any]:
    """IA q'' + FV q' + FS sign(q') of each joint velocity."""
    rates, accelerations = qd[body.v], qdd[body.v]
    return [body.IA * a + body.FV * v + body.FS * sign(v) for v, a in zip(rates, accelerations, strict=True)]


def inverse_dynamics(tree: Tree, q: Scalars, qd: Scalars, qdd: Scalars, base: BaseMotion) -> list[Any]:
    """Γ = A(q) q'' + H(q, q'): the torques alone."""
    return newton_euler(tree, q, qd, qdd, base).torques
