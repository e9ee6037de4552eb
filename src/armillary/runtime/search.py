"""Machine code of a Program: short ones are made in several orders of their statements, and the fastest is kept."""

import time
from collections.abc import Callable, Iterator

import numpy as np

from armillary.program.program import Program
from armillary.runtime import order
from armillary.runtime.cache import Entry
from armillary.runtime.code import NUMPY, Run, Shape, entry
from armillary.runtime.host import host
from armillary.runtime.ir import SIZES, Real
from armillary.runtime.jit import load, object_code
from armillary.runtime.lower import Module, lower
from armillary.runtime.order import Unit
from armillary.runtime.task import Task, tasks

SEARCHED = 1200
"""Statements of the longest Program for which several orders are tried."""

ORDERS: tuple[Callable[[Program], list[Unit]], ...] = (
    order.as_written,
    order.by_outputs,
    order.by_outputs_deepest_first,
)

PATIENCE = 0.045
"""Seconds after which no further order is tried."""

BLOCK = 1 << 18
"""Bytes of the frames that one segment goes over before the next one does: they stay near the processor."""

_MOST_FRAMES = 8

_VECTORS, _RUNS = 16, 30
"""How many vectors are computed for a time, and how many times."""


def make(program: Program, real: Real) -> Entry:
    """Machine code in the order that runs fastest here."""
    width = host().width(real)
    begin = time.perf_counter()
    best: tuple[str, Task, Task, bytes] | None = None
    shortest = float("inf")
    for name, setup, run in _candidates(program):
        if best and time.perf_counter() - begin > PATIENCE:
            break
        code = _object(run, "run", real, width)
        taken = _time(code, run, real)
        if taken < shortest:
            best, shortest = (name, setup, run, code), taken
    assert best is not None
    name, setup, run, code = best
    made = _object(setup, "setup", "double", 1) if setup.outputs else b""
    frame_bytes = max(1, run.frame_size * width * SIZES[real])
    several = max(1, min(_MOST_FRAMES, BLOCK // frame_bytes)) if len(run.segments) > 1 else 1
    shape = Shape(width, run.frame_size, several, len(run.given), setup.frame_size if made else 0, name)
    return entry(code, made, shape)


def _candidates(program: Program) -> Iterator[tuple[str, Task, Task]]:
    """(name of the order, setup, run) for every order worth trying, no two alike."""
    seen: list[list[Unit]] = []
    for ordered in ORDERS if len(program.ops) <= SEARCHED else ORDERS[:1]:
        units = ordered(program)
        if units not in seen:
            seen.append(units)
            yield ordered.__name__, *tasks(program, units)


def _object(task: Task, name: str, real: Real, width: int) -> bytes:
    module = Module()
    lower(module, task, name, real, width, host())
    return object_code(module.text)


def _time(code: bytes, task: Task, real: Real) -> float:
    """Seconds for some vectors, the least of some runs."""
    loaded = load([code], ["run"])
    frames = np.linspace(-1, 1, _VECTORS * max(task.frame_size, 1) * host().width(real), dtype=NUMPY[real])
    given = np.linspace(0.5, 1, max(len(task.given), 1), dtype=NUMPY[real])
    run, at, of = Run(loaded["run"]), frames.ctypes.data, given.ctypes.data
    best = float("inf")
    for _ in range(_RUNS):
        start = time.perf_counter()
        run(at, _VECTORS, of)
        best = min(best, time.perf_counter() - start)
    return best
