"""Random robots with closed loops, and what holds for them in Pinocchio's kinematics: a KKT system in extended precision.

The loops close by construction at one random state: frame b of a cut joint is put where its joint, at a random position,
carries it. Conditions and their rates are written here in world components, with every axis turning; none of the
short cuts for loops that are closed.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, cached_property

import numpy as np
import pinocchio as pin
from numpy.random import Generator
from numpy.typing import NDArray

from armillary.dynamics.closed import Closed, Partition
from armillary.kinematics.closure import independent_rows
from armillary.robot import CUTS, Cut, Description, Frame, tree
from armillary.robot.place import place, pose
from reference.pinocchio import Floats, elementary, losses, peer, rotor_inertias
from reference.random_trees import random_placement, random_state, random_tree

Long = NDArray[np.longdouble]
FREE: dict[str, Callable[[Generator], list[tuple[str, float]]]] = {
    "revolute": lambda r: [("Rz", r.uniform(-3, 3))],
    "prismatic": lambda r: [("Tz", r.uniform(-1, 1))],
    "spherical": lambda r: [(axis, r.uniform(-3, 3)) for axis in ("Rz", "Rx", "Ry")],
    "fixed": lambda r: [],
    "cylindrical": lambda r: [("Rz", r.uniform(-3, 3)), ("Tz", r.uniform(-1, 1))],
    "universal": lambda r: [("Rz", r.uniform(-3, 3)), ("Rx", r.uniform(-3, 3))],
    "planar": lambda r: [("Tx", r.uniform(-1, 1)), ("Ty", r.uniform(-1, 1)), ("Rz", r.uniform(-3, 3))],
}
"""The motion of each kind of cut joint, as steps from frame a to frame b."""
DRAWN = (*CUTS, "revolute", "revolute", "prismatic")
"""Those that leave a loop least mobile, and the case most often to be thrown away, are drawn more often."""


def frame_poses(robot: Description, q: Floats) -> dict[str, Floats]:
    """Every body in the base, by Pinocchio."""
    other = peer(robot)
    pin.framesForwardKinematics(other.model, other.data, other.q(q))
    return {
        name: (other.data.oMi[k] * offset).homogeneous if k else offset.homogeneous
        for name, (k, offset) in other.joint_of.items()
    }


@dataclass
class ClosedCase:
    """A robot, a state at which its loops close, and velocities and accelerations of its active joints."""

    robot: Description
    q: Floats
    partition: Partition
    qd_a: Floats
    qdd_a: Floats

    @cached_property
    def truth(self) -> "Truth":
        """What the KKT system says of it."""
        return truth(self)

    @cached_property
    def closed(self) -> Closed:
        """The same in floats for our algorithms."""
        return Closed(tree(self.robot, float).welded(), self.q.tolist(), self.partition)


def closed_case(seed: int) -> ClosedCase | None:
    """A random one, or None where chance gave a loop that is rigid or badly conditioned."""
    rng = np.random.default_rng(seed)
    robot = random_tree(rng, int(rng.integers(4, 10)), losses=seed % 3 != 0)
    q, _, _ = random_state(rng, robot)
    T = frame_poses(robot, q)
    cuts: list[Cut] = []
    hosts = ["base", *(b.name for b in robot.bodies if b.joint.nv)]
    if len(hosts) < 3:
        return None
    for k in range(1 + (seed % 4 == 0)):
        kind = CUTS[DRAWN[rng.integers(len(DRAWN))]]
        # what leaves little motion is between bodies far apart, or chance would make it rigid almost always
        b = len(hosts) - 1 if len(kind.rows) > 4 else int(rng.integers(1, len(hosts)))
        a = int(rng.integers(b))
        at_a = random_placement(rng)
        in_world = T[hosts[a]] @ pose(at_a)
        for step in FREE[kind.kind](rng):
            in_world = in_world @ elementary(*step)
        at_b = place(np.linalg.inv(T[hosts[b]]) @ in_world)
        loss = {name: float(rng.uniform(0, 0.5)) for name in ("IA", "FV", "FS")} if kind.free and seed % 2 else {}
        cuts.append(Cut(f"cut{k}", kind, Frame("a", hosts[a], at_a), Frame("b", hosts[b], at_b), **loss))
    robot = replace(robot, cuts=tuple(cuts))
    return partitioned(robot, q, rng)


@cache
def closed_cases(most: int) -> list[ClosedCase]:
    """The first of the random seeds that give a loop which moves."""
    found: list[ClosedCase] = []
    seed = 0
    while len(found) < most:
        case = closed_case(seed)
        if case is not None:
            found.append(case)
        seed += 1
    return found


def partitioned(robot: Description, q: Floats, rng: Generator) -> ClosedCase | None:
    """Passive joints drawn by lot among those that can be, one velocity each."""
    J = Kkt(robot, q).J(np.zeros(robot.nv))[0]
    s = np.linalg.svd(J, compute_uv=False)
    r = int((s > 1e-9).sum())
    single = [k for k, n in enumerate(n for b in robot.bodies for n in [b.joint.nv] * b.joint.nv) if n == 1]
    if r == robot.nv or not r or s[r - 1] < 0.05 or np.linalg.matrix_rank(J[:, single], 1e-9) < r:
        return None
    order = rng.permutation(single)
    columns = [int(order[k]) for k in independent_rows(J[:, order].T, r)]
    passive = tuple(sorted(columns))
    if np.linalg.svd(J[:, passive], compute_uv=False)[r - 1] < 0.05:
        return None
    rows = tuple(independent_rows(J[:, passive], r))
    others = tuple(i for i in range(len(J)) if i not in rows and np.abs(J[i]).max() > 1e-12)
    active = tuple(k for k in range(robot.nv) if k not in passive)
    every = tuple(range(r))
    parts = Partition(active, passive, active, rows, ((every, every),), others)
    case = ClosedCase(robot, q, parts, rng.normal(size=len(active)), rng.normal(size=len(active)))
    rates = case.truth.qd
    coordinates = [free[0] @ rates for free in Kkt(robot, q).J(rates)[2] if free is not None]
    # Coulomb friction of a coordinate at rest has the sign of rounding errors
    rubbing = [x for x, b in zip(rates, (b for b in robot.bodies for _ in range(b.joint.nv)), strict=True) if b.FS]
    return case if all(abs(x) > 1e-6 for x in [*coordinates, *rubbing]) else None


class Kkt:
    """M, h, the rows of all conditions and J̇ q', in our order, from Pinocchio."""

    def __init__(self, robot: Description, q: Floats) -> None:
        self.robot, self.q, self.other = robot, q, peer(robot)
        self.sides: list[tuple[int, int]] = []
        for cut in robot.cuts:
            ids = []
            for side in (cut.a, cut.b):
                joint, offset = self.other.joint_of[side.body]
                at = offset * pin.SE3(pose(side.placement))
                ids.append(
                    self.other.model.addFrame(
                        pin.Frame(f"{cut.name}.{side.name}", joint, 0, at, pin.FrameType.OP_FRAME), False
                    )
                )
            self.sides.append((ids[0], ids[1]))
        self.other.data = self.other.model.createData()

    def J(self, qd: Floats) -> tuple[Floats, Floats, list[tuple[Floats, float] | None]]:
        """(J, J̇ q', (row, rate of the row times q') of the one coordinate of each cut joint that has one)."""
        model, data, other = self.other.model, self.other.data, self.other
        pin.computeJointJacobiansTimeVariation(model, data, other.q(self.q), other.v(qd))
        pin.updateFramePlacements(model, data)
        rows: list[Floats] = []
        rates: list[float] = []
        free: list[tuple[Floats, float] | None] = []
        for cut, (a, b) in zip(self.robot.cuts, self.sides, strict=True):
            v = other.v(qd)
            (Ja, dJa), (Jb, dJb) = ((self._jacobian(k), self._rate(k)) for k in (a, b))
            Ra, Rb = data.oMf[a].rotation, data.oMf[b].rotation
            r = data.oMf[b].translation - data.oMf[a].translation
            wa, wb, dr = Ja[3:] @ v, Jb[3:] @ v, (Jb[:3] - Ja[:3]) @ v
            w, dw = Jb[3:] - Ja[3:], dJb[3:] - dJa[3:]
            found: list[tuple[Floats, Floats]] = []
            for e in cut.kind.held:
                axis = Ra[:, "xyz".index(e)]
                # rate of axis·r: axis·ṙ + (ω_a × axis)·r
                row = axis @ (Jb[:3] - Ja[:3]) + np.cross(axis, r) @ Ja[3:]
                turning = np.cross(wa, axis)
                drow = turning @ (Jb[:3] - Ja[:3]) + axis @ (dJb[:3] - dJa[:3])
                drow = drow + (np.cross(turning, r) + np.cross(axis, dr)) @ Ja[3:] + np.cross(axis, r) @ dJa[3:]
                found.append((row, drow))
            for e, u in cut.kind.square:
                ea, ub = Ra[:, "xyz".index(e)], Rb[:, "xyz".index(u)]
                d = np.cross(ub, ea)
                dd = np.cross(np.cross(wb, ub), ea) + np.cross(ub, np.cross(wa, ea))
                found.append((d @ w, dd @ w + d @ dw))
            for row, drow in found:
                rows.append(self.other.ours(row))
                rates.append(float(drow @ v))
            if not cut.kind.free:
                free.append(None)
                continue
            z = Ra[:, 2]
            if cut.kind.free == "turn":
                row, drow = z @ w, np.cross(wa, z) @ w + z @ dw
            else:
                row = z @ (Jb[:3] - Ja[:3]) + np.cross(z, r) @ Ja[3:]
                turning = np.cross(wa, z)
                drow = turning @ (Jb[:3] - Ja[:3]) + z @ (dJb[:3] - dJa[:3])
                drow = drow + (np.cross(turning, r) + np.cross(z, dr)) @ Ja[3:] + np.cross(z, r) @ dJa[3:]
            free.append((self.other.ours(row), float(drow @ v)))
        places = self._places()
        for c in self.robot.couplings:
            row = np.zeros(self.robot.nv)
            row[places[c.joint]], row[places[c.leader]] = 1, -float(c.ratio)
            rows.append(row)
            rates.append(0.0)
        return np.array(rows), np.array(rates), free

    def _places(self) -> dict[str, int]:
        """The velocity of each joint, the first of several."""
        starts = np.cumsum([0, *(b.joint.nv for b in self.robot.bodies)])
        return {b.joint_name: int(k) for b, k in zip(self.robot.bodies, starts, strict=False)}

    def _jacobian(self, frame: int) -> Floats:
        return pin.getFrameJacobian(self.other.model, self.other.data, frame, pin.LOCAL_WORLD_ALIGNED)

    def _rate(self, frame: int) -> Floats:
        return pin.getFrameJacobianTimeVariation(self.other.model, self.other.data, frame, pin.LOCAL_WORLD_ALIGNED)

    def inertia(self, qd: Floats) -> Floats:
        """M with rotors, and the inertia of cut joints."""
        data = self.other.model.createData()
        M = pin.crba(self.other.model, data, self.other.q(self.q))
        M = self.other.ours_square(np.triu(M) + np.triu(M, 1).T) + rotor_inertias(self.robot)
        for cut, free in zip(self.robot.cuts, self.J(qd)[2], strict=True):
            if free is not None:
                M = M + float(cut.IA) * np.outer(free[0], free[0])
        return M

    def bias(self, qd: Floats) -> Floats:
        """h with friction, also that of cut joints."""
        data = self.other.model.createData()
        h = pin.nonLinearEffects(self.other.model, data, self.other.q(self.q), self.other.v(qd))
        h = self.other.ours(h) + losses(self.robot, qd, np.zeros_like(qd))
        for cut, free in zip(self.robot.cuts, self.J(qd)[2], strict=True):
            if free is not None:
                row, rate = free
                v = row @ qd
                h = h + row * (float(cut.IA) * rate + float(cut.FV) * v + float(cut.FS) * np.sign(v))
        return h


def solved(A: Floats, b: Floats) -> Floats:
    """x with A x = b in extended precision, by elimination with full pivoting."""
    M = np.column_stack([A, b]).astype(np.longdouble)
    n = len(M)
    columns = list(range(n))
    for k in range(n):
        i, j = np.unravel_index(np.argmax(np.abs(M[k:, k:n])), (n - k, n - k))
        M[[k, k + i]] = M[[k + i, k]]
        M[:, [k, k + j]] = M[:, [k + j, k]]
        columns[k], columns[k + j] = columns[k + j], columns[k]
        M[k + 1 :] -= np.outer(M[k + 1 :, k] / M[k, k], M[k])
    x = np.zeros(n, dtype=np.longdouble)
    for k in reversed(range(n)):
        x[k] = (M[k, n] - M[k, k + 1 : n] @ x[k + 1 :]) / M[k, k]
    out = np.zeros(n, dtype=np.longdouble)
    out[columns] = x
    return out


@dataclass
class Truth:
    """What the KKT system says: q' and q'' of all joints, Γ of the active ones, multipliers of least norm of all rows."""

    qd: Floats
    qdd: Floats
    torques: Floats
    multipliers: Floats


def truth(case: ClosedCase) -> Truth:
    """[[M_p, -Jᵀ, -S], [J_p, 0, 0]] (q''_p, λ, Γ_a), velocities and least λ from smaller systems."""
    p, nv = case.partition, case.robot.nv
    active, passive, rows = list(p.independent), list(p.dependent), list(p.rows)
    system = Kkt(case.robot, case.q)
    J = system.J(np.zeros(nv))[0]
    qd = np.zeros(nv)
    qd[active] = case.qd_a
    qd[passive] = solved(J[np.ix_(rows, passive)], -J[np.ix_(rows, active)] @ case.qd_a)
    _, rate, _ = system.J(qd)
    M, h = system.inertia(qd), system.bias(qd)
    n, m = len(passive), len(rows)
    A = np.zeros((nv + m, nv + m))
    A[:nv, :n], A[:nv, n : n + m], A[active, range(n + m, nv + m)] = M[:, passive], -J[rows].T, -1
    A[nv:, :n] = J[np.ix_(rows, passive)]
    b = np.concatenate([-h - M[:, active] @ case.qdd_a, -rate[rows] - J[np.ix_(rows, active)] @ case.qdd_a])
    x = solved(A, b)
    qdd = np.zeros(nv)
    qdd[active], qdd[passive] = case.qdd_a, x[:n]
    least = np.zeros(len(J))
    every = sorted((*p.rows, *p.others))
    J_p = J[np.ix_(every, passive)]
    least[every] = J_p @ solved(J_p.T @ J_p, (M @ qdd + h)[passive])
    return Truth(qd, qdd, np.array(x[n + m :], dtype=float), least)
