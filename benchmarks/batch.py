"""Batches of states, one core: robots with their numbers, beside Pinocchio's C++ loop over the same number of states.

Before anything is timed, both compute torques, accelerations and inertia matrices at the same states, and must agree.
"""

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray

import armillary as arm
from armillary.runtime.host import host
from benchmarks.peers import Missing, pinocchio
from benchmarks.row import Effort, Figure, Peer, Row, Subject

Floats = NDArray[np.float64]

BATCH = 1024
"""States in a batch: few enough that inputs and outputs of either stay in the cache of one core."""

AGREEMENT = 1e-9
CHECKED = 50

PANDA, HUMANOID = "panda", "humanoid30"
TIMES = {
    (PANDA, "inverse-dynamics"): 40,
    (PANDA, "direct-dynamics"): 40,
    (PANDA, "inertia-matrix"): 8,
    (HUMANOID, "direct-dynamics"): 15,
}
"""How many times as fast as the peer we mean to be with vectors of 64 bytes; half as many with shorter ones."""


def _timed(
    model: str, algorithms: tuple[str, ...], dtype: str = "double", name: str = PANDA
) -> Callable[[Effort], Figure]:
    def measure(effort: Effort) -> Figure:
        robot = arm.load(name)
        made = robot.derive(model)
        function = made.compile(threads=1, dtype=dtype)
        rng = np.random.default_rng(0)
        states = [rng.uniform(-1, 1, (BATCH, *x.shape)) for x in made.states]
        states = [_proper(robot, x)[0] if y.name == "q" else x for x, y in zip(states, made.states, strict=True)]
        states = [x.astype(function.dtype) for x in states]
        ours = effort.time(lambda: function(*states), 1e9 / BATCH, least=30)
        peer = _peer(effort, algorithms, name)
        times = TIMES.get((name, model))
        if times is None or peer.value is None or dtype != "double":
            return Figure(ours, "ns", peer)
        return Figure(ours, "ns", peer, peer.value / times * (1 if host().vector_bytes == 64 else 2))

    return measure


def _peer(effort: Effort, algorithms: tuple[str, ...], robot: str) -> Peer:
    """The fastest of the peer's algorithms for the same thing, and of its builds."""
    name = f"{pinocchio.version()} C++ {algorithms[0]}"
    try:
        _agrees(robot, effort.compile_peers)
        repeats = max(20, int(200 * effort.seconds))
        times = pinocchio.times(arm.load(robot), BATCH, repeats, effort.compile_peers)
        value, build = min(times[a] for a in algorithms)
    except Missing as reason:
        return Peer(None, f"{name}: {reason}")
    return Peer(value, f"{name}, {build}")


@cache
def _agrees(name: str, may_compile: bool) -> None:
    """The same numbers from every build of the peer and from us, or an error that says where they differ."""
    robot = arm.load(name)
    rng = np.random.default_rng(2)
    q, theirs_q = _proper(robot, rng.uniform(-1, 1, (CHECKED, robot.nq)))
    v, x = rng.uniform(-1, 1, (2, CHECKED, robot.nv))
    states = np.hstack([theirs_q, v, x])
    ours = {
        "tau": robot.inverse_dynamics().compile(threads=1)(q, v, x),
        "qdd": robot.direct_dynamics().compile(threads=1)(q, v, x),
        "M": robot.inertia_matrix().compile(threads=1)(q).reshape(CHECKED, -1),
    }
    for build, found in pinocchio.evaluations(robot, states, may_compile).items():
        for what, mine in ours.items():
            theirs = np.array([one[what] for one in found])
            error = np.abs(mine - theirs).max() / np.abs(theirs).max()
            if not error <= AGREEMENT:
                raise AssertionError(f"{what} of {name} differs from Pinocchio's ({build} build) by {error:.1e}")


def _proper(robot: arm.Robot, q: Floats) -> tuple[Floats, Floats]:
    """q with quaternions of unit length, ours (w, x, y, z) and the peer's (x, y, z, w)."""
    ours, theirs, k = q.copy(), q.copy(), 0
    for body in robot.bodies:
        if body.joint.quaternion is not None:
            part = slice(k + body.joint.quaternion, k + body.joint.quaternion + 4)
            ours[:, part] /= np.linalg.norm(ours[:, part], axis=1, keepdims=True)
            theirs[:, part] = np.roll(ours[:, part], -1, axis=1)
        k += body.joint.nq
    return ours, theirs


SUBJECT = Subject(
    "batch",
    f"Batches of {BATCH} states, one core, time of one state",
    (
        Row("Panda inverse dynamics", _timed("inverse-dynamics", ("rnea",))),
        Row("Panda direct dynamics", _timed("direct-dynamics", ("aba", "aba_world"))),
        Row(
            "Humanoid of 30 joints that floats, direct dynamics",
            _timed("direct-dynamics", ("aba", "aba_world"), name=HUMANOID),
        ),
        Row("Panda inertia matrix", _timed("inertia-matrix", ("crba", "crba_world"))),
        Row("Panda Jacobian", _timed("jacobian", ("jacobians",))),
        Row(
            "Panda inverse dynamics and its derivatives",
            _timed("inverse-dynamics-derivatives", ("rnea_derivatives",)),
        ),
        Row("Panda inverse dynamics, float32 (the peer double)", _timed("inverse-dynamics", ("rnea",), "float")),
        Row(
            "Panda direct dynamics, float32 (the peer double)", _timed("direct-dynamics", ("aba", "aba_world"), "float")
        ),
        Row(
            "Panda inertia matrix, float32 (the peer double)", _timed("inertia-matrix", ("crba", "crba_world"), "float")
        ),
    ),
)
