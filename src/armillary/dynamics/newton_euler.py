"""Inverse dynamics by the recursive Newton-Euler method in Khalil's form.

Khalil (2010), equations 14 to 24. The outward recursion is `kinematics.motion`; each link's own wrench is

    F_j = M_j v̇_j + U_j MS_j
    N_j = J_j ω̇_j + ω_j × (J_j ω_j) + MS_j × v̇_j

and inwards, with (f_e, n_e) what link j exerts on its environment, the fluid around it in it, and k its successors,

    f_j = F_j + f_ej + Σ_k ʲR_k f_k
    n_j = N_j + n_ej + Σ_k (ʲR_k n_k + ʲP_k × ʲR_k f_k)
    Γ_j = twistᵀ (f_j, n_j) + IA_j q''_j + FV_j q'_j + FS_j sign(q'_j) + K_j (q_j - q0_j)

the last where the joint has a spring, and what couplings that give take (`dynamics.springs`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from armillary.dynamics.equivalent import equivalent
from armillary.dynamics.fluid import with_fluid_wrenches
from armillary.dynamics.springs import coupling_torques
from armillary.kinematics.motion import BaseMotion, LinkMotion, link_motions
from armillary.robot.tree import Branch, Scalars, Tree
from armillary.spatial.rate import rate_matrix
from armillary.spatial.rotation import Rotation
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
    tree = with_fluid_wrenches(tree, q, qd, qdd)
    motions = link_motions(tree, q, qd, qdd, base)
    own = [link_wrench(body, motion) for body, motion in zip(tree.bodies, motions, strict=True)]
    wrenches, root = gather(tree, own, [m.T for m in motions])
    return Reactions(joint_torques(tree, q, qd, qdd, wrenches), wrenches, root)


def link_wrench(body: Branch, motion: LinkMotion) -> Wrench:
    """(F_j + f_ej, N_j + n_ej): what moves one link, and what it exerts on its environment."""
    f_e, n_e = body.wrench
    return body.inertia.force(motion.U, motion.dv) + f_e, body.inertia.moment(motion.U, motion.dv) + n_e


def gather(
    tree: Tree, own: Sequence[Wrench], transforms: Sequence[Transform], turns: Mapping[int, Rotation] | None = None
) -> tuple[list[Wrench], Wrench]:
    """Each link's wrench with those of all it carries, and that of all roots on the base: the inward recursion.

    The wrench of a link in `turns` is one in the frame before that turn, to which its transform leads.
    """
    carried: dict[int, Wrench] = {}
    total = list(own)
    for k in reversed(range(len(tree))):
        f, n = own[k]
        F, N = f.named("F", k + 1), n.named("N", k + 1)
        if k in carried:
            f, n = carried[k]
            if turns and k in turns:
                f, n = turns[k].apply(f), turns[k].apply(n)
            F, N = (F + f).named("E", k + 1), (N + n).named("NE", k + 1)
        total[k] = F, N
        i = tree.bodies[k].parent
        f, n = transforms[k].force(F, N)
        carried[i] = (carried[i][0] + f, carried[i][1] + n) if i in carried else (f, n)
    return total, carried.get(-1, (ZERO, ZERO))


def joint_torques(tree: Tree, q: Scalars, qd: Scalars, qdd: Scalars, wrenches: Sequence[Wrench]) -> list[Any]:
    """Γ_j = twistᵀ (f_j, n_j), what the joint itself takes and what couplings that give take."""
    torques = coupling_torques(tree, q, qd)
    for body, (f, n) in zip(tree.bodies, wrenches, strict=True):
        own = own_torques(body, q, qd, qdd)
        torques[body.v] = [s + a + b for s, a, b in zip(torques[body.v], body.along(f, n), own, strict=True)]
    return [named(t, f"GAM{k}") for k, t in enumerate(torques, start=1)]


def own_torques(body: Branch, q: Scalars, qd: Scalars, qdd: Scalars) -> list[Any]:
    """IA q'' + FV q' + FS sign(q') + K (q - q0) of each joint velocity: rotor, friction and spring."""
    taken = zip(qd[body.v], qdd[body.v], body.spring(q), strict=True)
    return [body.IA * a + body.FV * v + body.FS * sign(v) + spring for v, a, spring in taken]


def inverse_dynamics(tree: Tree, q: Scalars, qd: Scalars, qdd: Scalars, base: BaseMotion) -> list[Any]:
    """Γ = A(q) q'' + H(q, q'): the torques alone.

    Inertial parameters that make no difference to them are moved out of the way first, and where a link turns about an axis
    that itself turns about a standing one, its own wrench is found in the frame that does not turn with it: there the rate
    matrix is so simple that turning the inertia into that frame costs less than turning the motion out of it.
    """
    tree = equivalent(with_fluid_wrenches(tree, q, qd, qdd), "XX + YY - ZZ")
    motions = link_motions(tree, q, qd, qdd, base)
    own: list[Wrench] = []
    transforms = [m.T for m in motions]
    turns: dict[int, Rotation] = {}
    for k, (body, motion) in enumerate(zip(tree.bodies, motions, strict=True)):
        if not _second_of_two_hinges(tree, body):
            own.append(link_wrench(body, motion))
            continue
        transforms[k], turns[k] = _before_the_turn(motion.T)
        own.append(_wrench_before(body, transforms[k], turns[k], motions[body.parent], qd, qdd))
    wrenches, _ = gather(tree, own, transforms, turns)
    return joint_torques(tree, q, qd, qdd, wrenches)


def _second_of_two_hinges(tree: Tree, body: Branch) -> bool:
    """Whether the body hangs by a hinge on a root that is hinged too, about an axis square to its own."""
    if body.parent < 0:
        return False
    root = tree.bodies[body.parent]
    return root.parent < 0 and root.hinged and body.hinged and body.axis is not None and body.axis[2] == 0


def _before_the_turn(T: Transform) -> tuple[Transform, Rotation]:
    """ⁱT_j without the hinge's turn, which comes last, and that turn."""
    factors = T.rotation.factors
    return Transform(Rotation(factors[:-1]), T.position), Rotation(factors[-1:])


def _wrench_before(
    body: Branch, mount: Transform, turn: Rotation, carrier: LinkMotion, qd: Scalars, qdd: Scalars
) -> Wrench:
    """The link's own wrench as `link_wrench` has it, in components of the frame before the turn."""
    v_J, w_J = body.twist(qd)
    dv_J, dw_J = body.twist(qdd)
    back = mount.rotation.apply_inverse
    w_i = back(carrier.w)
    U = rate_matrix(w_i + w_J, back(carrier.dw) + w_i.cross(w_J) + dw_J)
    dv = back(carrier.dv + carrier.U.apply(mount.position)) + w_i.cross(v_J * 2) + dv_J
    inertia = body.inertia.turned(turn)
    f_e, n_e = body.wrench
    return inertia.force(U, dv) + turn.apply(f_e), inertia.moment(U, dv, body.inertia.E) + turn.apply(n_e)
