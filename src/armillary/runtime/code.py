"""From a Program to machine code in memory, through the cache on disk."""

import ctypes
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache as once
from typing import Any

import numpy as np
from numpy.typing import NDArray

from armillary.program.program import Program
from armillary.runtime import order
from armillary.runtime.cache import Cache, Entry, generator_version
from armillary.runtime.call import caller
from armillary.runtime.cpython import layout
from armillary.runtime.driver import driver
from armillary.runtime.host import host
from armillary.runtime.ir import SIZES, Real
from armillary.runtime.jit import Loaded, load, object_code
from armillary.runtime.lower import lower
from armillary.runtime.order import Unit
from armillary.runtime.task import Task, tasks

SEARCHED = 1200
"""Statements of the longest Program for which several orders are tried."""

ORDERS: tuple[Callable[[Program], list[Unit]], ...] = (
    order.as_written,
    order.by_outputs,
    order.by_outputs_deepest_first,
)

_BLOCK = 1 << 18
"""Bytes of the frames that one segment goes over before the next one does: they stay near the processor."""

_MOST_FRAMES = 8

NUMPY: dict[Real, type[np.floating[Any]]] = {"double": np.float64, "float": np.float32}

Task_ = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p)
"""void (frames, count, given)"""


@dataclass(frozen=True)
class Code:
    """A Program's machine code: the functions' addresses, and how much memory they work in.

    `frame` and `setup_frame` are numbers a lane, `frames` how many frames go together, `given` how many values the setup
    makes of the parameters for the run.
    """

    loaded: Loaded
    real: Real
    width: int
    frame: int
    frames: int
    given: int
    setup_frame: int
    order: str

    @property
    def run(self) -> int:
        return self.loaded["run"]

    @property
    def frame_bytes(self) -> int:
        return self.frame * self.width * SIZES[self.real]

    def setup(self, parameters: Sequence[float]) -> NDArray[Any]:
        """What the run needs to know of the parameters."""
        frame = np.zeros(max(self.setup_frame, 1))
        frame[: len(parameters)] = parameters
        if self.given:
            Task_(self.loaded["setup"])(frame.ctypes.data, 1, None)
        with np.errstate(over="ignore"):
            return frame[len(parameters) : len(parameters) + self.given].astype(NUMPY[self.real])


def machine_code(program: Program, real: Real, store: Cache | None) -> Code:
    """The code of a Program, from the store or made now and kept there."""
    key = f"program {program.digest} {real} {host().key} {generator_version()}"
    entry = store.read(key) if store else None
    if entry is not None:
        return _load(entry, real)
    entry = _make(program, real)
    if store:
        store.write(key, entry)
    return _load(entry, real)


def _load(entry: Entry, real: Real) -> Code:
    notes = entry.notes
    cut = notes["run_bytes"]
    codes = [entry.code[:cut], entry.code[cut:]] if notes["given"] else [entry.code]
    loaded = load(codes, ["run", "setup"] if notes["given"] else ["run"])
    sizes = {name: int(notes[name]) for name in ("frame", "frames", "given", "setup_frame")}
    return Code(loaded, real, host().width(real), **sizes, order=str(notes["order"]))


def _make(program: Program, real: Real) -> Entry:
    """Machine code in the order that runs fastest here."""
    best, best_time = None, float("inf")
    made = list(_candidates(program))
    for name, setup, run in made:
        code = _object(run, "run", real, host().width(real))
        frame_bytes = run.frame_size * host().width(real) * SIZES[real]
        several = len(run.segments) > 1
        notes = {
            "order": name,
            "frame": run.frame_size,
            "frames": max(1, min(_MOST_FRAMES, _BLOCK // max(frame_bytes, 1))) if several else 1,
            "given": len(run.given),
            "setup_frame": setup.frame_size,
            "run_bytes": len(code),
        }
        taken = _time(code, run, real) if len(made) > 1 else 0.0
        if taken < best_time:
            best, best_time = (code, notes, setup), taken
    assert best is not None
    code, notes, setup = best
    if notes["given"]:
        code += _object(setup, "setup", "double", 1)
    return Entry(code, notes)


def _candidates(program: Program) -> Iterator[tuple[str, Task, Task]]:
    """(name of the order, setup, run) for every order worth trying, no two alike."""
    seen: list[list[Unit]] = []
    for ordered in ORDERS if len(program.ops) <= SEARCHED else ORDERS[:1]:
        units = ordered(program)
        if units not in seen:
            seen.append(units)
            yield ordered.__name__, *tasks(program, units)


def _object(task: Task, name: str, real: Real, width: int) -> bytes:
    return object_code(lower(task, name, real, width, host()))


def _time(code: bytes, task: Task, real: Real) -> float:
    """Seconds for a few vectors, the least of some runs."""
    width, vectors = host().width(real), 16
    loaded = load([code], ["run"])
    rng = np.random.default_rng(0)
    frames = rng.uniform(-1, 1, (vectors, max(task.frame_size, 1) * width)).astype(NUMPY[real])
    given = rng.uniform(0.5, 1, max(len(task.given), 1)).astype(NUMPY[real])
    run, at, of = Task_(loaded["run"]), frames.ctypes.data, given.ctypes.data
    best = float("inf")
    for _ in range(30):
        start = time.perf_counter()
        run(at, vectors, of)
        best = min(best, time.perf_counter() - start)
    return best


@once
def support(real: Real, store: Cache | None) -> tuple[Loaded, bool]:
    """(the driver, whether it comes with the call from Python), the same for all Programs of one precision."""
    at = layout()
    ir = driver(real, host().width(real)) + (caller(real, at) if at else "")
    names = ["drive", "call"] if at else ["drive"]
    key = f"support {ir} {host().key}"
    entry = store.read(key) if store else None
    if entry is None:
        entry = Entry(object_code(ir), {})
        if store:
            store.write(key, entry)
    return load([entry.code], names), at is not None
