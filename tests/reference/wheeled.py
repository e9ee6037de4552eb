"""Random robots on wheels, and what their wheels demand, from Pinocchio's kinematics in world components.

A platform on any plane carries wheels of every kind, and an arm of any joints. What limits its mobility is drawn so that some is
left: fixed wheels on one line, one steered wheel beside them or two with nothing fixed, and steering gear where there are more.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pinocchio as pin
from numpy.random import Generator
from numpy.typing import NDArray

from armillary.dynamics.closed import Partition
from armillary.kinematics.closure import independent_rows
from armillary.robot import JOINTS, Ackermann, Body, Description, Wheel
from armillary.robot.place import place
from reference.closed_loops import solved
from reference.pinocchio import Peer, elementary, losses, peer, rotor_inertias
from reference.random_trees import random_inertial, random_placement, random_state, random_tree

Floats = NDArray[np.float64]


def shifted(x: float, y: float, z: float) -> Floats:
    """A 4 x 4 matrix."""
    T = np.eye(4)
    T[:3, 3] = x, y, z
    return T


@dataclass
class Steered:
    """Where the axis of a fork stands on the platform, the direction of its wheel's axle at angle 0, and whether it points up."""

    body: str
    place: Floats
    axle: float
    up: int

    def angle(self, center: Floats) -> float:
        """The fork's angle at which the axle points to a point of the platform."""
        way = center - self.place
        return self.up * (float(np.arctan2(way[1], way[0])) - self.axle)


@dataclass
class WheeledCase:
    """A robot, and a state at which its steering gear is closed."""

    robot: Description
    q: Floats

    def dynamics(self, seed: int) -> "Dynamics | None":
        """Its motion with random independent velocities and accelerations, None where these are badly chosen by chance."""
        rng = np.random.default_rng([seed, 1])
        J = WheelRows(self.robot, self.q).at(np.zeros(self.robot.nv))[0]
        s = np.linalg.svd(J, compute_uv=False)
        r = int((s > 1e-9).sum())
        order = rng.permutation(self.robot.nv)
        dependent = tuple(sorted(int(order[k]) for k in independent_rows(J[:, order].T, r)))
        if s[r - 1] < 0.02 or np.linalg.svd(J[:, dependent], compute_uv=False)[r - 1] < 0.02:
            return None
        rows = tuple(independent_rows(J[:, dependent], r))
        every, n = tuple(range(r)), self.robot.nv - r
        independent = tuple(k for k in range(self.robot.nv) if k not in dependent)
        others = tuple(i for i in range(len(J)) if i not in rows)
        partition = Partition(independent, dependent, independent, rows, ((every, every),), others)
        return Dynamics(self.robot, self.q, partition, rng.normal(size=n), rng.normal(size=n))


@dataclass
class Dynamics:
    """A motion given by independent velocities, and what the KKT system says of it: every independent joint has a motor."""

    robot: Description
    q: Floats
    partition: Partition
    qd_i: Floats
    qdd_i: Floats

    @cached_property
    def M(self) -> Floats:
        """The inertia matrix, rotors in it."""
        other = peer(self.robot)
        M = pin.crba(other.model, other.data, other.q(self.q))
        return other.ours_square(np.triu(M) + np.triu(M, 1).T) + rotor_inertias(self.robot)

    @cached_property
    def qd(self) -> Floats:
        """q' of all joints."""
        p = self.partition
        J = WheelRows(self.robot, self.q).at(np.zeros(self.robot.nv))[0][list(p.rows)]
        qd = np.zeros(self.robot.nv)
        qd[list(p.independent)] = self.qd_i
        qd[list(p.dependent)] = solved(J[:, p.dependent], -J[:, p.independent] @ self.qd_i)
        return qd

    @cached_property
    def solution(self) -> tuple[Floats, Floats, Floats]:
        """(q'', Γ of the independent joints, λ of least norm of all rows): M q'' + h = Γ + Jᵀ λ, J q'' + J̇ q' = 0."""
        p, nv = self.partition, self.robot.nv
        free, bound, rows = list(p.independent), list(p.dependent), list(p.rows)
        other = peer(self.robot)
        h = other.ours(pin.nonLinearEffects(other.model, other.data, other.q(self.q), other.v(self.qd)))
        h = h + losses(self.robot, self.qd, np.zeros(nv))
        every, rate = WheelRows(self.robot, self.q).at(self.qd)
        J, n, m = every[rows], len(bound), len(rows)
        A = np.zeros((nv + m, nv + m))
        A[:nv, :n], A[:nv, n : n + m], A[free, range(n + m, nv + m)] = self.M[:, bound], -J.T, -1
        A[nv:, :n] = J[:, bound]
        b = np.concatenate([-h - self.M[:, free] @ self.qdd_i, -rate[rows] - J[:, free] @ self.qdd_i])
        x = solved(A, b)
        qdd = np.zeros(nv)
        qdd[free], qdd[bound] = self.qdd_i, x[:n]
        torques = np.array(x[n + m :], dtype=float)
        # of all λ with Jᵀ λ = M q'' + h - Γ the shortest lies in the row space, λ = J y
        left = self.M @ qdd + h
        left[free] -= torques
        least = every[:, bound] @ solved(every[:, bound].T @ every[:, bound], left[bound])
        return qdd, torques, np.array(least, dtype=float)


class _Cart:
    """A robot that is being put together; every body with its pose on the platform while all angles are 0."""

    def __init__(self, rng: Generator) -> None:
        self.rng = rng
        self.poses: dict[str, Floats] = {"platform": np.eye(4)}
        self.bodies: list[Body] = [self._body("platform", "base", "planar", random_placement(rng), actuated=False)]
        self.wheels: list[Wheel] = []
        self.steered: list[Steered] = []

    def _body(self, name: str, parent: str, kind: str, at: object, **more: object) -> Body:
        joint = JOINTS[kind]
        coordinates, velocities = (tuple(f"{name}_{mark}" for mark in marks) for marks in joint.marks)
        loss = {key: float(self.rng.uniform(0, 0.3)) for key in ("IA", "FV", "FS")} if joint.nv == 1 else {}
        return Body(
            name,
            parent,
            joint,
            at,  # type: ignore[arg-type]
            random_inertial(self.rng),
            joint_name=name,
            coordinates=coordinates,
            velocities=velocities,
            **{**loss, **more},  # type: ignore[arg-type]
        )

    def hang(self, name: str, parent: str, T: Floats, **more: object) -> None:
        """A body that turns about z, at the pose T on the platform."""
        at = place(np.linalg.inv(self.poses[parent]) @ T)
        self.bodies.append(self._body(name, parent, "revolute", at, **more))
        self.poses[name] = T

    def fork(self, parent: str, actuated: bool) -> tuple[str, Floats, int]:
        """A fork anywhere, its axis up or down."""
        name = f"fork{len(self.bodies)}"
        x, y, z = self.rng.uniform(-0.8, 0.8, size=3)
        down = bool(self.rng.random() < 0.3)
        T = shifted(x, y, z) @ elementary("Rz", self.rng.uniform(-3, 3))
        self.hang(name, parent, T @ elementary("Rx", np.pi) if down else T, actuated=actuated)
        return name, np.array([x, y]), -1 if down else 1

    def wheel(self, parent: str, at: Floats, axle: float, roller: float | None = None, actuated: bool = True) -> str:
        """A wheel of any radius at a point of the ground, its axle at that angle to the platform's x."""
        name = f"disc{len(self.bodies)}"
        radius = float(self.rng.uniform(0.05, 0.4))
        T = shifted(*at, radius) @ elementary("Rz", axle) @ elementary("Ry", np.pi / 2)
        self.hang(name, parent, T @ elementary("Rz", self.rng.uniform(-3, 3)), actuated=actuated)
        self.wheels.append(Wheel(f"wheel{len(self.wheels)}", name, radius, roller))
        return self.wheels[-1].name

    def steering(self, actuated: bool = True) -> str:
        """A wheel on or beside the axis of its fork."""
        fork, at, up = self.fork("platform", actuated)
        axle = float(self.rng.uniform(-3, 3))
        scrub = float(self.rng.choice([0, self.rng.uniform(-0.3, 0.3)]))
        name = self.wheel(fork, at + scrub * np.array([np.cos(axle), np.sin(axle)]), axle)
        self.steered.append(Steered(fork, at, axle, up))
        return name

    def castor(self) -> None:
        """A wheel behind its fork, or behind that of a trailer."""
        parent = "platform" if self.rng.random() < 0.8 else self.fork("platform", False)[0]
        fork, at, _ = self.fork(parent, False)
        self.wheel(fork, at + self.rng.uniform(0.05, 0.3, size=2), float(self.rng.uniform(-3, 3)), actuated=False)


def wheeled_case(seed: int) -> WheeledCase:
    """A random one."""
    rng = np.random.default_rng(seed)
    cart = _Cart(rng)
    foot, line = rng.uniform(-0.5, 0.5, size=2), float(rng.uniform(-3, 3))
    along = np.array([np.cos(line), np.sin(line)])
    fixed = [
        cart.wheel("platform", foot + along * rng.uniform(-0.6, 0.6), line + np.pi * rng.integers(2))
        for _ in range(rng.integers(3))
    ]
    gears: list[Ackermann] = []
    if fixed and seed % 3 == 0:
        steered = [cart.steering(actuated=k == 0) for k in range(2)]
        names = [fixed[0], *steered]
        rng.shuffle(names)
        gears = [Ackermann("gear", (names[0], names[1], names[2]))]
    else:
        for _ in range(rng.integers(2 if fixed else 3)):
            cart.steering()
    for _ in range(rng.integers(3)):
        cart.castor()
    for _ in range(rng.integers(3) if cart.wheels else 3):
        at, axle = rng.uniform(-0.6, 0.6, size=2), float(rng.uniform(-3, 3))
        cart.wheel("platform", at, axle, roller=float(rng.uniform(-1.2, 1.2)))
    arm = random_tree(rng, int(rng.integers(4)))
    hosts = ["platform", *(s.body for s in cart.steered)]
    parts = [replace(b, parent=hosts[rng.integers(len(hosts))]) if b.parent == "base" else b for b in arm.bodies]
    bodies = [*cart.bodies, *parts]
    order = rng.permutation(len(bodies))
    robot = replace(
        arm,
        name="random wheels",
        bodies=tuple(bodies[k] for k in order),
        wheels=tuple(cart.wheels),
        ackermanns=tuple(gears),
    )
    q, _, _ = random_state(rng, robot)
    if gears:
        center = foot + along * rng.uniform(-3, 3)
        for s in cart.steered:
            q[robot.q_names.index(f"{s.body}_")] = s.angle(center)
    return WheeledCase(robot, q)


class WheelRows:
    """J and J̇ q' of all wheels and then of the gears, in our order, from Pinocchio."""

    def __init__(self, robot: Description, q: Floats) -> None:
        self.robot, self.q, self.other = robot, q, peer(robot)

    def at(self, qd: Floats) -> tuple[Floats, Floats]:
        """(J, J̇ q')."""
        other, model, data = self.other, self.other.model, self.other.data
        v = other.v(qd)
        pin.computeJointJacobiansTimeVariation(model, data, other.q(self.q), v)
        rows: list[Floats] = []
        rates: list[float] = []
        for wheel in self.robot.wheels:
            path = [b.name for b in self.robot.ancestors(wheel.body) if b.joint.nv]
            disc, carrier, platform = (other.joint_of[name][0] for name in (path[-1], path[-2], path[0]))
            (J, dJ), Jc = _jacobians(other, disc), _jacobians(other, carrier)[0]
            up, a = data.oMi[platform].rotation[:, 2], data.oMi[disc].rotation[:, 2]
            t = np.cross(a, up)
            below = -float(wheel.radius) * up
            point, rate = J[:3] - pin.skew(below) @ J[3:], dJ[:3] - pin.skew(below) @ dJ[3:]
            gamma = None if wheel.roller is None else float(wheel.roller)
            for d in [t, a] if gamma is None else [np.cos(gamma) * t + np.sin(gamma) * a]:
                turning = np.cross(Jc[3:] @ v, d)
                rows.append(other.ours(d @ point))
                rates.append(float(turning @ point @ v + d @ rate @ v))
        for gear in self.robot.ackermanns:
            row, rate = self._gear(gear, qd)
            rows.append(row)
            rates.append(rate)
        return np.array(rows), np.array(rates)

    def _gear(self, gear: Ackermann, qd: Floats) -> tuple[Floats, float]:
        """The derivatives of the determinant of three lines along the forks, by a polynomial in each angle's cosine and sine."""
        forks = []
        for name in gear.wheels:
            wheel = next(w for w in self.robot.wheels if w.name == name)
            path = [b for b in self.robot.ancestors(wheel.body) if b.joint.nv]
            forks.append(self.robot.v_names.index(path[1].velocities[0]) if len(path) == 3 else None)
        places = [k for k in forks if k is not None]
        row = np.zeros(self.robot.nv)

        def Phi(angles: Floats) -> float:
            return self.determinant(gear, dict(zip(places, angles, strict=True)))

        n, zero = len(places), np.zeros(len(places))
        for i, k in enumerate(places):
            e = np.eye(n)[i]
            # Φ is a cos + b sin of each angle: differences over a quarter turn are exact derivatives
            row[k] = (Phi(zero + e * np.pi / 2) - Phi(zero - e * np.pi / 2)) / 2
        rate = 0.0
        for i in range(n):
            for j in range(n):
                ei, ej = np.eye(n)[i] * np.pi / 2, np.eye(n)[j] * np.pi / 2
                second = (Phi(ei + ej) - Phi(ei - ej) - Phi(ej - ei) + Phi(-ei - ej)) / 4
                rate += second * qd[places[i]] * qd[places[j]]
        return row, rate

    def determinant(self, gear: Ackermann, more: dict[int, float]) -> float:
        """Φ with some forks turned further, from the poses of the wheels on the platform."""
        q = self.q.copy()
        for place_, angle in more.items():
            q[self.robot.q_names.index(self.robot.v_names[place_])] += angle
        data = self.other.model.createData()
        pin.forwardKinematics(self.other.model, data, self.other.q(q))
        lines = []
        for name in gear.wheels:
            wheel = next(w for w in self.robot.wheels if w.name == name)
            path = [b.name for b in self.robot.ancestors(wheel.body) if b.joint.nv]
            platform, disc = (data.oMi[self.other.joint_of[k][0]] for k in (path[0], path[-1]))
            on = platform.actInv(disc)
            n, P = on.rotation[:, 2], on.translation
            lines.append([n[0], n[1], P[0] * n[1] - P[1] * n[0]])
        return float(np.linalg.det(np.array(lines)))


def _jacobians(other: Peer, joint: int) -> tuple[Floats, Floats]:
    world = pin.LOCAL_WORLD_ALIGNED
    return (
        pin.getJointJacobian(other.model, other.data, joint, world),
        pin.getJointJacobianTimeVariation(other.model, other.data, joint, world),
    )
