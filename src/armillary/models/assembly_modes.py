"""The ways in which a robot with loops can be put together while its active joints are held: Newton's method from many starts.

Each way is one solution of the constraints, met to 1e-9 and told once: where there is a platform, once for each place of it, whichever way
its passive joints lie. Nothing says that all are found: a way that few starts lead to may have company that none led to.

Starts are random coordinates. Where legs have a closed form, every other start finds them from a random place of the platform, which is
moved first so that the motors come near: J q' = 0 and q'_a = -(q_a(x) - q_a), with damping.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import ArrayLike, NDArray

from armillary.errors import ModelError
from armillary.kinematics.closure import Floats, random_coordinates
from armillary.kinematics.constraints import constraints, geometric
from armillary.kinematics.coordinates import coordinate_rates
from armillary.kinematics.loops import Loop, side
from armillary.models.closure import LoopClosure, loop_closure
from armillary.models.legs import follow, lacks_platform, leg_solutions, platform_coordinates
from armillary.models.numbers import finite, in_numbers
from armillary.robot import Description, Joint, Tree
from armillary.robot.parallel import platforms
from armillary.spatial.vector import Vector

MET = 1e-9
LED, STRIDE = 30, 0.3
"""Steps by which platforms are led, and the longest of them (rad, m)."""
SAME = 1e-5
"""How far apart (rad, m) two solutions are one."""


@dataclass(frozen=True, eq=False)
class AssemblyModes:
    """`q` has a row for each way, those that most starts led to first; `hits` says how many did, of `starts`.

    `held` and `found` name the coordinates that were given and those that were not.
    """

    robot: str
    held: tuple[str, ...]
    found: tuple[str, ...]
    q: Floats
    hits: tuple[int, ...]
    starts: int

    def __len__(self) -> int:
        return len(self.q)

    def __str__(self) -> str:
        ways = "1 way" if len(self) == 1 else f"{len(self)} ways"
        return f"{self.robot}: {ways} to assemble, found from {self.starts} starts; hits {', '.join(map(str, self.hits)) or 'none'}"


def assembly_modes(
    description: Description,
    q_a: ArrayLike,
    *,
    starts: int = 1000,
    seed: int = 0,
    parameters: Mapping[str, float] | None = None,
) -> AssemblyModes:
    """Every way that Newton's method finds from random starts with the active coordinates at `q_a`, in the order of `loop_closure`."""
    robot, known = in_numbers(description, parameters or {})
    closure = loop_closure(description, fixed=known)
    if starts < 1:
        raise ModelError(f"{description.name}: starts = {starts}; Newton's method is started once at least")
    active = finite(description, "q_a", q_a).ravel()
    if active.shape != (len(closure.active),):
        raise ModelError(
            f"{description.name} has {len(closure.active)} active coordinates, {', '.join(closure.active)}, not {active.size}"
        )
    names = [name for platform in platforms(description) for name in platform.bodies]
    ways: list[Floats] = []
    hits: list[int] = []
    for q in _solutions(description, robot, closure, active, starts, seed):
        if not _assembled(robot, q):
            continue
        near = next((k for k, other in enumerate(ways) if _distance(description, q, other, names) < SAME), None)
        if near is None:
            ways.append(q)
            hits.append(1)
        else:
            hits[near] += 1
    order = sorted(range(len(ways)), key=lambda k: -hits[k])
    return AssemblyModes(
        description.name,
        closure.active,
        closure.passive,
        np.array([ways[k] for k in order]).reshape(len(ways), description.nq),
        tuple(hits[k] for k in order),
        starts,
    )


def _solutions(
    d: Description, robot: Tree, closure: LoopClosure, active: Floats, starts: int, seed: int
) -> list[Floats]:
    """q of all joints where Newton's method converged."""
    rng = np.random.default_rng(seed)
    joints = [body.joint for body in d.bodies]
    places = {name: k for k, name in enumerate(d.q_names)}
    passive, motors = ([places[name] for name in names] for names in (closure.passive, closure.active))
    first = np.array([random_coordinates(joints, rng) for _ in range(starts)])
    if not lacks_platform(d):
        first[1::2] = _led_by_platform(d, robot, first[1::2], motors, active)
    solved = closure.compile()(first[:, passive], np.tile(active, (starts, 1)))
    good = np.asarray(solved.status) == 0
    q = np.zeros((int(good.sum()), d.nq))
    q[:, motors] = active
    q[:, passive] = np.asarray(solved[0])[good]
    return list(q)


def _led_by_platform(d: Description, robot: Tree, q: Floats, motors: list[int], active: Floats) -> Floats:
    """The states with platforms moved, and legs found, so that the motors come near `active`; unchanged where legs have no closed form."""
    joints, known = [body.joint for body in d.bodies], platform_coordinates(d)
    level = _quaternions(joints)
    for four in level:
        q[::2, four] = (1.0, 0.0, 0.0, 0.0)
    turning = [k for k in motors if _units(joints)[k] == "rad"]
    rates = [_rate_of(joints)[k] for k in motors]
    for _ in range(LED):
        found = q.copy()
        columns = [x if k in known else None for k, x in enumerate(q.T)]
        try:
            with np.errstate(all="ignore"):
                legs = leg_solutions(d, robot, columns, known)
        except ModelError:
            return q
        for leg in legs:
            every = np.array([[np.broadcast_to(x, len(q)) for x in way] for way in leg.ways], dtype=float)
            mine = every[_nearest(every, leg.places, motors, active, turning), :, np.arange(len(q))]
            for place, x in zip(leg.places, mine.T, strict=True):
                found[:, place] = np.where(np.isfinite(x), x, found[:, place])
        columns = list(found.T)
        follow(robot, columns)
        found = np.array(columns).T
        off = found[:, motors] - active
        off[:, [motors.index(k) for k in turning]] = _wrapped(off[:, [motors.index(k) for k in turning]])
        q = _stepped(robot, joints, found, rates, off)
    return q


def _nearest(
    every: Floats, places: Sequence[int], motors: Sequence[int], active: Floats, turning: Sequence[int]
) -> NDArray[np.intp]:
    """Which of the ways of a leg brings its motors nearest to where they should be; `every` by way, coordinate and state."""
    off = np.zeros((len(every), every.shape[2]))
    for k, place in enumerate(places):
        if place in motors:
            away = every[:, k] - active[motors.index(place)]
            off += np.abs(_wrapped(away) if place in turning else away)
    return np.argmin(np.where(np.isfinite(off), off, np.inf), axis=0)


def _stepped(robot: Tree, joints: Sequence[Joint], q: Floats, rates: Sequence[int], off: Floats) -> Floats:
    """One damped step of Gauss and Newton towards constraints that are met and motors that are where they should be."""
    ties, columns, n = geometric(constraints(robot)), list(q.T), len(q)
    residual = [np.broadcast_to(x, n) for tie in ties for x in tie.residual(columns)]
    rows = [[np.broadcast_to(x, n) for x in row] for tie in ties for row in tie.rows(columns, closed=False)]
    J = np.moveaxis(np.array(rows, dtype=float), -1, 0)
    drive = np.tile(np.eye(robot.nv)[list(rates)], (n, 1, 1))
    A = np.concatenate([J, drive], axis=1)
    b = np.concatenate([np.array(residual, dtype=float).T, off], axis=1)
    square = np.einsum("nij,nik->njk", A, A) + 1e-9 * np.eye(robot.nv)
    right = np.einsum("nij,ni->nj", A, b)[..., None]
    step = -np.array(np.linalg.solve(square, right), dtype=float)[..., 0]
    step *= np.minimum(1.0, STRIDE / np.maximum(np.abs(step).max(axis=1, keepdims=True), 1e-300))
    moved = (
        q + np.array([np.broadcast_to(x, n) for x in coordinate_rates(joints, columns, list(step.T))], dtype=float).T
    )
    for four in _quaternions(joints):
        moved[:, four] /= np.linalg.norm(moved[:, four], axis=1, keepdims=True)
    return moved


def _quaternions(joints: Sequence[Joint]) -> list[list[int]]:
    """The places in q of each quaternion."""
    starts = list(accumulate((j.nq for j in joints), initial=0))
    return [
        [*range(k + j.quaternion, k + j.quaternion + 4)]
        for k, j in zip(starts[:-1], joints, strict=True)
        if j.quaternion is not None
    ]


def _units(joints: Sequence[Joint]) -> list[str]:
    """What each coordinate is measured in, where its joint says so."""
    return [j.units[0] for j in joints for _ in range(j.nq)]


def _rate_of(joints: Sequence[Joint]) -> dict[int, int]:
    """The velocity that is the rate of a coordinate, of joints with one."""
    found: dict[int, int] = {}
    k = v = 0
    for j in joints:
        if j.nq == j.nv == 1:
            found[k] = v
        k, v = k + j.nq, v + j.nv
    return found


def _wrapped(angle: Floats) -> Floats:
    """From -π to π."""
    return (angle + np.pi) % (2 * np.pi) - np.pi


def _assembled(robot: Tree, q: Floats) -> bool:
    """Whether all conditions are met, and axes that a cut joint holds parallel do not point against each other."""
    for constraint in geometric(constraints(robot)):
        if max((abs(float(x)) for x in constraint.residual(q.tolist())), default=0.0) > MET:
            return False
        if isinstance(constraint, Loop):
            turn = side(constraint, q.tolist()).rotation
            for axis in _aligned(constraint):
                if float(axis.dot(turn.apply(axis))) < 0:
                    return False
    return True


def _aligned(loop: Loop) -> list[Vector]:
    """The axes of a and b that the cut joint makes one: z where x and y are square to it, x too where y is square to x."""
    square = loop.junction.kind.square
    found = [Vector(0, 0, 1)] if ("x", "z") in square and ("y", "z") in square else []
    return [*found, Vector(1, 0, 0)] if ("x", "y") in square else found


def _distance(d: Description, a: Floats, b: Floats, names: Sequence[str]) -> float:
    """The largest difference of two states in the joints of these bodies, of all if none is named.

    Angles are compared modulo 2π, quaternions but for their sign.
    """
    worst, k = 0.0, 0
    for body in d.bodies:
        joint, here = body.joint, slice(k, k + body.joint.nq)
        k += joint.nq
        if names and body.name not in names:
            continue
        off = a[here] - b[here]
        if joint.quaternion is not None:
            four = slice(joint.quaternion, joint.quaternion + 4)
            off[four] = min(off[four], (a[here] + b[here])[four], key=lambda x: float(np.abs(x).max()))
        if joint.units[0] == "rad":
            off = _wrapped(off)
        if joint.kind == "planar":
            off[2] = _wrapped(off[2])
        worst = max(worst, float(np.abs(off).max(initial=0.0)))
    return worst
