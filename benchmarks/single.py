"""One state from Python, all overhead included: inverse dynamics beside `pin.rnea` on the same robot and the same arrays."""

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

import armillary as arm
from armillary.runtime import Function
from benchmarks.peers import pinocchio
from benchmarks.robots import values
from benchmarks.row import Effort, Figure, Peer, Row, Subject

CALLS = 1000
AGREEMENT = 1e-9
Floats = NDArray[np.float64]
Way = tuple[Callable[..., object], list[object]]
"""What is called, and with which q, q', q''."""


def _arrays(function: Function, states: list[Floats]) -> Way:
    return function, list(states)


def _lists(function: Function, states: list[Floats]) -> Way:
    return function, [x.tolist() for x in states]


def _float32(function: Function, states: list[Floats]) -> Way:
    return function, [x.astype(np.float32) for x in states]


def _into(function: Function, states: list[Floats]) -> Way:
    return partial(function, out=np.empty_like(states[0])), list(states)


def _called(name: str, way: Callable[[Function, list[Floats]], Way], share: float | None) -> Callable[[Effort], Figure]:
    """`share` is what a call may take of the peer's, which is given plain arrays."""

    def measure(effort: Effort) -> Figure:
        robot = arm.load(name)
        numbers = values(robot)
        function = robot.inverse_dynamics(fixed=numbers).compile(threads=1)
        rng = np.random.default_rng(3)
        states = [rng.uniform(-1, 1, robot.nv) for _ in range(3)]
        called, (q, qd, qdd) = way(function, states)

        def calls() -> None:
            for _ in range(CALLS):
                called(q, qd, qdd)

        ours = effort.time(calls, 1e9 / CALLS)
        peer = Peer.measured(
            f"{pinocchio.version()} pin.rnea", lambda: _rnea(effort, robot, numbers, states, function(*states))
        )
        limit = None if peer.value is None or share is None else share * peer.value
        return Figure(ours, "ns", peer, limit)

    return measure


def _rnea(effort: Effort, robot: arm.Robot, numbers: dict[str, float], states: list[Floats], expected: Floats) -> float:
    """Nanoseconds of a call, the torques checked."""
    peer = pinocchio.python(robot, numbers)
    rnea, model, data = peer.pin.rnea, peer.model, peer.data
    q, v, a = states
    error = np.abs(rnea(model, data, q, v, a) - expected).max() / np.abs(expected).max()
    if not error <= AGREEMENT:
        raise AssertionError(f"torques of {robot.name} differ from pin.rnea's by {error:.1e}")

    def calls() -> None:
        for _ in range(CALLS):
            rnea(model, data, q, v, a)

    return effort.time(calls, 1e9 / CALLS)


SUBJECT = Subject(
    "one state",
    "One state from Python",
    (
        Row("RX-90 inverse dynamics, arrays", _called("rx90", _arrays, 0.5)),
        Row("Panda inverse dynamics, arrays", _called("panda", _arrays, 0.5)),
        Row("Panda inverse dynamics, arrays, result into a given one", _called("panda", _into, None)),
        Row("Panda inverse dynamics, lists", _called("panda", _lists, 2)),
        Row("Panda inverse dynamics, float32 arrays to a function of doubles", _called("panda", _float32, 2)),
    ),
)
