"""Closed loops: what it takes to close them, and to compute torques once they are closed."""

from collections.abc import Callable

import numpy as np

import armillary as arm
from benchmarks.row import Effort, Figure, Row, Subject

BATCH = 1024
"""States in a batch."""

NEAR = 0.1
"""How far from the solution Newton's method starts (rad), as along a motion with large steps."""

BRIEF = 1000.0
"""What closing a four-bar may take (ns)."""


def _four_bar() -> tuple[arm.Robot, np.ndarray, np.ndarray]:
    """The robot, angles of its crank all the way round, and its coordinates there in the first mode."""
    robot = arm.load("four_bar")
    crank = np.linspace(0, 2 * np.pi, BATCH, endpoint=False)[:, None]
    found = robot.loop_solution(mode=0).compile(threads=1)(crank)
    return robot, crank, np.asarray(found.q).reshape(BATCH, -1)


def _newton(effort: Effort) -> Figure:
    robot, crank, q = _four_bar()
    solve = robot.loop_closure().compile()
    start = q[:, 1:] + NEAR
    found = solve(start, crank)
    if np.any(np.asarray(found.status) != 0) or np.abs(np.asarray(found.q_p) - q[:, 1:]).max() > 1e-9:
        raise ArithmeticError("Newton's method did not come to the closed form")
    return Figure(effort.time(lambda: solve(start, crank), 1e9 / BATCH, least=30), "ns", limit=BRIEF)


def _closed_form(effort: Effort) -> Figure:
    robot, crank, _ = _four_bar()
    solve = robot.loop_solution(mode=0).compile(threads=1)
    return Figure(effort.time(lambda: solve(crank), 1e9 / BATCH, least=30), "ns", limit=BRIEF)


def _torques(name: str, **options: object) -> Callable[[Effort], Figure]:
    def measure(effort: Effort) -> Figure:
        model = arm.load(name).derive("closed-inverse-dynamics", **options)
        function = model.compile(threads=1, parameters={x.name: 1.0 for x in model.parameters if x.default is None})
        rng = np.random.default_rng(0)
        states = [rng.uniform(-1, 1, (BATCH, *x.shape)) for x in model.states]
        return Figure(effort.time(lambda: function(*states), 1e9 / BATCH, least=30), "ns")

    return measure


SUBJECT = Subject(
    "loops",
    "Closed loops in a batch, one state of it, one core",
    (
        Row("Four-bar closed by Newton's method, from 0.1 rad off", _newton),
        Row("Four-bar closed in closed form", _closed_form),
        Row("SR-400 torques, assembled as a parallelogram", _torques("sr400", mode=0)),
        Row("Five-bar torques from given coordinates", _torques("five_bar")),
    ),
)
