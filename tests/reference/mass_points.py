"""A robot as a heap of mass points: every quantity by differences of their positions, in sixty digits.

Nothing of the mechanics here is shared with the product. A link is six mass points with its ten inertial parameters; where they are
is a product of 4 x 4 matrices; velocities, accelerations and virtual displacements are central differences of those positions, whose
error is 1e-40. Torques come from d'Alembert's principle, energies, inertia matrix and reaction wrenches from their definitions.

Positions vary along the joint velocities: `moved` adds to angles and lengths, and turns a ball by exp(δ) in its moved frame.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import mpmath as mp
import numpy as np
from numpy.typing import NDArray

from armillary.expr.numbers import PiMultiple
from armillary.robot import Body, Description

Floats = NDArray[np.float64]
Exact = NDArray[np.object_]
"""Numbers of mpmath."""

DIGITS = 60
STEP = mp.mpf(10) ** -20
STEPS = {"gamma": "Rz", "b": "Tz", "alpha": "Rx", "d": "Tx", "beta": "Ry", "theta": "Rz", "r": "Tz"}


def exact(x: Any) -> Any:
    """A number of a description in many digits."""
    if isinstance(x, PiMultiple):
        return mp.pi * x.ratio.numerator / x.ratio.denominator
    return mp.mpf(float(x))


def vector(values: Any) -> Exact:
    return np.array([exact(x) for x in values], dtype=object)


def homogeneous(R: Exact | None = None, p: Exact | None = None) -> Exact:
    T = np.array([[mp.mpf(i == j) for j in range(4)] for i in range(4)], dtype=object)
    if R is not None:
        T[:3, :3] = R
    if p is not None:
        T[:3, 3] = p
    return T


def exponential(turn: Exact) -> Exact:
    """The rotation by |turn| about turn: Rodrigues."""
    angle = mp.sqrt(turn @ turn)
    x, y, z = turn
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]], dtype=object)
    one = homogeneous()[:3, :3]
    if angle == 0:
        return one
    return one + K * (mp.sin(angle) / angle) + K @ K * ((1 - mp.cos(angle)) / angle**2)


def unit(k: int, length: Any) -> Exact:
    return np.array([length if i == k else mp.mpf(0) for i in range(3)], dtype=object)


def placed(body: Any) -> Exact:
    """The frame of a placement, step by step."""
    T = homogeneous()
    for name, value in body.items():
        kind, axis = STEPS[name][0], "xyz".index(STEPS[name][1])
        step = unit(axis, exact(value))
        T = T @ (homogeneous(exponential(step)) if kind == "R" else homogeneous(p=step))
    return T


def cloud(body: Body) -> list[tuple[Any, Exact]]:
    """Six equal masses, on three lines through the centre of mass, with the inertial parameters of the link."""
    XX, XY, XZ, YY, YZ, ZZ, MX, MY, MZ, M = (exact(x) for x in body.inertia)
    if M == 0:
        return []
    J = np.array([[XX, XY, XZ], [XY, YY, YZ], [XZ, YZ, ZZ]], dtype=object)
    c = np.array([MX, MY, MZ], dtype=object) / M
    second = homogeneous()[:3, :3] * (XX + YY + ZZ) / 2 - J
    about_center = second - np.outer(c, c) * M
    spread, axes = mp.eigsy(mp.matrix(about_center.tolist()))
    points: list[tuple[Any, Exact]] = []
    for k in range(3):
        arm = np.array([axes[i, k] for i in range(3)], dtype=object) * mp.sqrt(3 * abs(spread[k]) / M)
        points += [(M / 6, c + arm), (M / 6, c - arm)]
    return points


def forces(body: Body) -> list[tuple[Exact, Exact]]:
    """(force, point) on the link, in its frame: what it exerts on its environment, couples as pairs of forces."""
    F = [exact(x) for x in body.wrench]
    half, origin = mp.mpf(1) / 2, unit(0, mp.mpf(0))
    found = [(np.array(F[:3], dtype=object), origin)]
    for k in range(3):
        arm, along = unit((k + 1) % 3, half), unit((k + 2) % 3, F[3 + k])
        found += [(along, arm), (-along, -arm)]
    return found


class MassPoints:
    """One robot with numbers, at a state (q, q', q'')."""

    def __init__(self, robot: Description, q: Floats, qd: Floats | None = None, qdd: Floats | None = None) -> None:
        mp.mp.dps = DIGITS
        self.robot = robot
        self.names = [b.name for b in robot.bodies]
        self.q = vector(q)
        self.rate = vector(np.zeros(robot.nv) if qd is None else qd)
        self.acceleration = vector(np.zeros(robot.nv) if qdd is None else qdd)
        self.mounts = [placed(b.placement) for b in robot.bodies]
        self.clouds = [cloud(b) for b in robot.bodies]
        self.forces = [forces(b) for b in robot.bodies]
        self.gravity = vector(robot.base.gravity)
        self.still = vector(np.zeros(robot.nv))

    # ---- where everything is ----

    def base(self, t: Any) -> Exact:
        """The base's frame, seen from where it is at time 0."""
        v, a = vector(self.robot.base.velocity), vector(self.robot.base.acceleration)
        path = v * t + a * (t * t / 2)
        return homogeneous(exponential(path[3:]), path[:3])

    def frames(self, moved: Exact, t: Any = 0) -> dict[str, Exact]:
        """The frame of every body after a displacement, and that of the base."""
        found = {"base": self.base(mp.mpf(t))}
        k = v = 0
        for body, mount in zip(self.robot.bodies, self.mounts, strict=True):
            nq, nv = body.joint.nq, body.joint.nv
            found[body.name] = found[body.parent] @ mount @ self.joint(body, self.q[k : k + nq], moved[v : v + nv])
            k, v = k + nq, v + nv
        return found

    def joint(self, body: Body, q: Exact, d: Exact) -> Exact:
        """The motion of one joint."""
        match body.joint.kind:
            case "revolute":
                return homogeneous(exponential(unit(2, q[0] + d[0])))
            case "prismatic":
                return homogeneous(p=unit(2, q[0] + d[0]))
            case "helical":
                return homogeneous(exponential(unit(2, q[0] + d[0])), unit(2, exact(body.pitch) * (q[0] + d[0])))
            case "spherical":
                half = mp.atan2(mp.sqrt(q[1:] @ q[1:]), q[0])
                axis = q[1:] / mp.sqrt(q[1:] @ q[1:])
                return homogeneous(exponential(axis * (2 * half)) @ exponential(d))
            case _:
                return homogeneous()

    @cached_property
    def now(self) -> dict[str, Exact]:
        """The frames as they are."""
        return self.frames(self.still)

    def at(self, t: Any) -> dict[str, Exact]:
        """The frames at a moment of the motion."""
        return self.frames(self.rate * t + self.acceleration * (t * t / 2), t)

    @cached_property
    def speeds(self) -> dict[str, Exact]:
        """d/dt of every frame's matrix."""
        before, after = self.at(-STEP), self.at(STEP)
        return {name: (after[name] - before[name]) / (2 * STEP) for name in after}

    @cached_property
    def accelerations(self) -> dict[str, Exact]:
        """d²/dt² of every frame's matrix."""
        before, now, after = self.at(-STEP), self.now, self.at(STEP)
        return {name: (after[name] - 2 * now[name] + before[name]) / STEP**2 for name in now}

    @cached_property
    def virtual(self) -> list[dict[str, Exact]]:
        """∂/∂δ_k of every frame's matrix, for each joint velocity."""
        found: list[dict[str, Exact]] = []
        for k in range(self.robot.nv):
            d = self.still.copy()
            d[k] = STEP
            there, back = self.frames(d), self.frames(-d)
            found.append({name: (there[name] - back[name]) / (2 * STEP) for name in there})
        return found

    # ---- what follows ----

    def points(self) -> list[tuple[str, Any, Exact]]:
        """(body, mass, place in the body) of all points."""
        return [(name, m, np.r_[p, 1]) for name, heap in zip(self.names, self.clouds, strict=True) for m, p in heap]

    def moving_points(self) -> list[tuple[str, Any, Exact]]:
        """The same without links that are part of the base, which have no share in the energies."""
        base = {"base"}
        for body in self.robot.bodies:
            if body.parent in base and body.joint.kind == "fixed":
                base.add(body.name)
        return [point for point in self.points() if point[0] not in base]

    def torques(self) -> Floats:
        """Γ: d'Alembert's principle, with what links exert; then friction and rotors."""
        now, a, virtual = self.now, self.accelerations, self.virtual
        g = np.r_[self.gravity, 0]
        total = self.still.copy()
        for name, m, p in self.points():
            pull = m * (a[name] @ p - g)
            total += np.array([pull @ (d[name] @ p) for d in virtual], dtype=object)
        for name, applied in zip(self.names, self.forces, strict=True):
            for f, p in applied:
                push = now[name] @ np.r_[f, 0]
                total += np.array([push @ (d[name] @ np.r_[p, 1]) for d in virtual], dtype=object)
        return floats(total + self.losses())

    def losses(self) -> Exact:
        """IA q'' + FV q' + FS sign(q')."""
        bodies = [b for b in self.robot.bodies for _ in range(b.joint.nv)]
        IA, FV, FS = (vector([getattr(b, x) for b in bodies]) for x in ("IA", "FV", "FS"))
        return IA * self.acceleration + FV * self.rate + FS * np.array([mp.sign(x) for x in self.rate], dtype=object)

    def inertia_matrix(self) -> Floats:
        """Σ m ∂p/∂δ_i · ∂p/∂δ_j, and rotors."""
        virtual = self.virtual
        A = np.diag(vector([b.IA for b in self.robot.bodies for _ in range(b.joint.nv)]))
        for name, m, p in self.points():
            ways = np.array([d[name] @ p for d in virtual], dtype=object)
            A = A + m * (ways @ ways.T)
        return floats(A)

    def kinetic_energy(self) -> float:
        """Σ ½ m v², rotors counted."""
        speeds = self.speeds
        rotors = vector([b.IA for b in self.robot.bodies for _ in range(b.joint.nv)])
        total = rotors @ (self.rate * self.rate) if self.robot.nv else mp.mpf(0)
        for name, m, p in self.moving_points():
            v = speeds[name] @ p
            total += m * (v @ v)
        return float(total / 2)

    def potential_energy(self) -> float:
        """-Σ m g·p."""
        now = self.now
        g = np.r_[self.gravity, 0]
        return float(sum((-m * (g @ (now[name] @ p)) for name, m, p in self.moving_points()), mp.mpf(0)))

    def carried(self, name: str) -> list[str]:
        """The body and all that hangs on it."""
        found = [name] if name != "base" else []
        for body in self.robot.bodies:
            if body.parent == name:
                found += self.carried(body.name)
        return found

    def reaction(self, name: str) -> Floats:
        """(f, n) that the joint transmits to the body, or the base to the robot: in that frame, about its origin."""
        now, a = self.now, self.accelerations
        R, origin = now[name][:3, :3], now[name][:3, 3]
        g = self.gravity
        carried = self.carried(name)
        f = n = unit(0, mp.mpf(0))
        for host, m, p in self.points():
            if host in carried:
                pull, arm = m * ((a[host] @ p)[:3] - g), (now[host] @ p)[:3] - origin
                f, n = f + pull, n + np.cross(arm, pull)
        for host in carried:
            for push, p in self.forces[self.names.index(host)]:
                pull, arm = now[host][:3, :3] @ push, (now[host] @ np.r_[p, 1])[:3] - origin
                f, n = f + pull, n + np.cross(arm, pull)
        return floats(np.r_[R.T @ f, R.T @ n])

    def velocity(self, name: str) -> Floats:
        """(v, ω) of a body, in base components at this moment."""
        now, speed = self.now[name], self.speeds[name]
        return floats(np.r_[speed[:3, 3], spin(speed[:3, :3] @ now[:3, :3].T)])

    def acceleration_of(self, name: str) -> Floats:
        """(v̇, ω̇) of a body: ω̇ from R̈ Rᵀ = ω̇^ + ω^ ω^."""
        now, a = self.now[name], self.accelerations[name]
        return floats(np.r_[a[:3, 3], spin(a[:3, :3] @ now[:3, :3].T)])

    def jacobian(self, name: str) -> Floats:
        """∂(place, turn)/∂δ, 6 x nv, in base components."""
        R = self.now[name][:3, :3]
        columns = [np.r_[d[name][:3, 3], spin(d[name][:3, :3] @ R.T)] for d in self.virtual]
        return floats(np.array(columns, dtype=object).T) if columns else np.zeros((6, 0))

    def pose(self, name: str) -> Floats:
        """The frame's matrix."""
        return floats(self.now[name])


def spin(W: Exact) -> Exact:
    """The vector of the skew part."""
    return np.array([W[2, 1] - W[1, 2], W[0, 2] - W[2, 0], W[1, 0] - W[0, 1]], dtype=object) / 2


def floats(x: Exact | Sequence[Any]) -> Floats:
    """In double precision."""
    return np.array(x, dtype=float)
