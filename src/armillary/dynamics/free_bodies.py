"""Inverse dynamics of closed loops from free bodies: every joint is cut, and Newton's and Euler's equations are solved at once.

With the wrench W_j that its joint exerts on body j, in the frame of j and about its origin, and ʲX_k W_k the same of a body k that it
carries, the six equations of a body say that what acts on it is what its motion needs:

    W_j - Σ_k ʲX_k W_k ± Σ (wrenches of cut joints) = (F_j + f_ej, N_j + n_ej)

A joint transmits anything along the directions that it holds: these are unknowns. Along each of its motions it gives what the motor
gives less what the joint itself takes (rotor, friction, spring), twist_kᵀ W_j = Γ_k - own_k, and Γ_k is an unknown where there is a
motor. A cut joint has an unknown for each of its rows, a contact the pressure of each surface, a wheel the forces of the ground, a
coupling the torque that it exerts on the joint that follows. Forces are found without a recursion and without the rows J of the
loops, which makes this a second opinion on both; and it tells what every joint carries (S. K. Saha, Recursive Robot Dynamics,
lecture 3: nine equations for the four-bar).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from armillary.dynamics.closed import Closed
from armillary.dynamics.fluid import with_fluid_wrenches
from armillary.dynamics.loops import cut_torques, lost, reaction_axes
from armillary.dynamics.newton_euler import Wrench, link_wrench, own_torques
from armillary.dynamics.springs import coupling_torques
from armillary.geometry.pose import pose
from armillary.kinematics.contacts import PointOnSurfaces
from armillary.kinematics.couplings import Together
from armillary.kinematics.loops import Loop, side
from armillary.kinematics.motion import BaseMotion, link_motions
from armillary.kinematics.wheels import RollingContact, SteeringGear
from armillary.robot.tree import Branch, Scalars
from armillary.spatial.blocks import Block
from armillary.spatial.linear import Matrix, solve_in_blocks
from armillary.spatial.scalar import named
from armillary.spatial.transform import IDENTITY, Transform
from armillary.spatial.vector import ZERO, Vector


@dataclass(frozen=True, slots=True)
class Carried:
    """What a joint transmits: known + Σ x_i each_i, with the places of the unknowns x_i."""

    known: Wrench
    each: dict[int, Wrench]

    def of(self, x: Scalars) -> Wrench:
        """The wrench for these unknowns."""
        f, n = self.known
        for place, (force, moment) in self.each.items():
            f, n = f + force * x[place], n + moment * x[place]
        return f, n


@dataclass(frozen=True, slots=True)
class Solved:
    """Γ of the motors; the wrench of each joint on its body, in the body's frame and about its origin; that of side a of
    each cut joint on side b, along the axes of a and about the origin of b."""

    torques: list[Any]
    joints: list[Wrench]
    cuts: list[Wrench]


@dataclass(frozen=True, slots=True)
class FreeBodies:
    """A x = b, six rows a body (f_x, f_y, f_z, n_x, n_y, n_z): x are the torques of the motors, then what the joints of the tree transmit
    along the directions that they hold, body by body, then the forces along the rows of constraints."""

    A: Matrix
    b: list[Any]
    actuated: tuple[int, ...]
    joints: list[Carried]
    cuts: list[Carried]

    def solve(self, blocks: Sequence[Block]) -> Solved:
        """x block by block, and the wrenches."""
        x = [value for [value] in solve_in_blocks(self.A, [[value] for value in self.b], blocks)]
        torques = [named(value, f"GAM{k + 1}") for k, value in zip(self.actuated, x, strict=False)]
        return Solved(torques, [joint.of(x) for joint in self.joints], [cut.of(x) for cut in self.cuts])


def free_bodies(closed: Closed, qd: Scalars, qdd: Scalars, base: BaseMotion) -> FreeBodies:
    """The equations of all bodies, for q' and q'' of the independent joints."""
    tree, q, actuated = closed.tree, closed.q, closed.partition.actuated
    rates = closed.velocities(qd)
    accelerations = closed.accelerations(qdd, rates)
    tree = with_fluid_wrenches(tree, q, rates, accelerations)
    springs = coupling_torques(tree, q, rates)
    motions = link_motions(tree, q, rates, accelerations, base)
    start = len(actuated)
    size = start + sum(6 - body.joint.nv for body in tree.bodies)
    acting: list[tuple[Carried, dict[int, Transform]]] = []
    for loop, loss in zip(closed.loops, cut_torques(closed, rates, accelerations), strict=True):
        axes = reaction_axes(loop, q)
        acting.append((Carried(lost(loop, loss), dict(enumerate(axes, size))), _sides(loop, q)))
        size += len(axes)
    cuts = [cut for cut, _ in acting]
    for contact in (x for x in closed.constraints if isinstance(x, PointOnSurfaces)):
        pressures = [(n, ZERO) for n in contact.normals(q)]
        acting.append((Carried((ZERO, ZERO), dict(enumerate(pressures, size))), _sides(contact.between, q)))
        size += len(pressures)
    along: list[dict[int, Any]] = [{} for _ in range(tree.nv)]
    for place, k in enumerate(actuated):
        along[k][place] = 1
    for wheel in (x for x in closed.constraints if isinstance(x, RollingContact)):
        forces = [(d, ZERO) for d, _ in wheel.directions(q)]
        acting.append((Carried((ZERO, ZERO), dict(enumerate(forces, size))), _wheel_and_ground(wheel, q)))
        size += len(forces)
    for gearing in (x for x in closed.constraints if isinstance(x, Together | SteeringGear)):
        [row] = gearing.rows(q)
        for k, x in enumerate(row):
            if not (isinstance(x, int) and x == 0):
                along[k][size] = x
        size += 1
    joints: list[Carried] = []
    for body in tree.bodies:
        own = zip(own_torques(body, q, rates, accelerations), springs[body.v], strict=True)
        joints.append(_through_joint(body, [x + s for x, s in own], along[body.v], start))
        start += 6 - body.joint.nv
    for k, (body, joint, motion) in enumerate(zip(tree.bodies, joints, motions, strict=True)):
        acting.append((joint, {k: IDENTITY, body.parent: motion.T}))
    A: Matrix = [[0] * size for _ in range(6 * len(tree))]
    b = [x for body, motion in zip(tree.bodies, motions, strict=True) for x in _six(link_wrench(body, motion))]
    for joint, sides in acting:
        for sign, (k, X) in zip((1, -1), sides.items(), strict=True):
            if k < 0:
                continue
            for i, x in enumerate(_six(X.force(*joint.known)), 6 * k):
                b[i] = b[i] - sign * x
            for place, wrench in joint.each.items():
                for i, x in enumerate(_six(X.force(*wrench)), 6 * k):
                    A[i][place] = A[i][place] + sign * x
    return FreeBodies(A, b, actuated, joints, cuts)


def _through_joint(body: Branch, taken: Sequence[Any], along: Sequence[dict[int, Any]], start: int) -> Carried:
    """What the joint of a body exerts on it; `along` has for each of its motions the unknowns that act along it.

    Each motion has one of the six directions to itself (a screw turns about z and takes f_z along: n_z = Γ - own - pitch f_z);
    the others are unknowns, from the place `start` on.
    """
    directions = [[*v, *w].index(1) for v, w in body.joint.motion(0)]
    known: list[Any] = [0] * 6
    each: dict[int, list[Any]] = {}
    for d, own, forces in zip(directions, taken, along, strict=True):
        known[d] = -own
        for place, x in forces.items():
            each.setdefault(place, [0] * 6)[d] = x
    for place, h in enumerate((i for i in range(6) if i not in directions), start):
        each[place] = [int(i == h) for i in range(6)]
        for d, (v, w) in zip(directions, body.motion, strict=True):
            each[place][d] = -[*v, *w][h]
    return Carried(_wrench(known), {place: _wrench(column) for place, column in each.items()})


def _sides(loop: Loop, q: Scalars) -> dict[int, Transform]:
    """From the axes of a at the origin of b to the body of b and to that of a."""
    (k_a, T_a), (k_b, T_b) = loop.junction.a, loop.junction.b
    T = side(loop, q)
    P = ZERO if loop.junction.kind.meets else T.position
    back = T.inverse().rotation
    return {k_b: Transform(T_b.rotation.then(back), T_b.position), k_a: Transform(T_a.rotation, T_a.point(P))}


def _wheel_and_ground(wheel: RollingContact, q: Scalars) -> dict[int, Transform]:
    """From the axes of the wheel's carrier at the contact to the body of the wheel; the ground is the base."""
    body = wheel.tree.bodies[wheel.wheel.body]
    back = pose(wheel.tree, q, body.name, wheel.carrier).inverse()
    return {wheel.wheel.body: Transform(back.rotation, back.point(wheel.contact(q))), -1: IDENTITY}


def _six(wrench: Wrench) -> list[Any]:
    return [*wrench[0], *wrench[1]]


def _wrench(six: Sequence[Any]) -> Wrench:
    return Vector(*six[:3]), Vector(*six[3:])
