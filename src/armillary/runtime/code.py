"""Machine code in memory, through the cache on disk: that of one Program or Routine, and that around all of them."""

import ctypes
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache as once
from typing import Any

import numpy as np
from numpy.typing import NDArray

from armillary.runtime.cache import Cache, Entry, generator_version
from armillary.runtime.call import caller
from armillary.runtime.cpython import layout
from armillary.runtime.driver import driver
from armillary.runtime.host import host
from armillary.runtime.ir import SIZES, Real
from armillary.runtime.jit import Loaded, load, object_code

NUMPY: dict[Real, type[np.floating[Any]]] = {"double": np.float64, "float": np.float32}

Run = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p)
"""void (frames, count, given)"""


@dataclass(frozen=True, slots=True)
class Shape:
    """How much memory code works in: `frame` numbers a lane of `width`, `frames` of them together.

    `given` is how many numbers the run takes that are the same for all states: results of the setup, whose own frame has
    `setup_frame` numbers, or without a setup (0) the parameters themselves. `order` names the order of the statements.
    """

    width: int
    frame: int
    frames: int
    given: int
    setup_frame: int
    order: str

    @property
    def notes(self) -> dict[str, int | str]:
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True)
class Code:
    """Machine code that computes in one precision, with its functions `run` and `setup`."""

    loaded: Loaded
    real: Real
    shape: Shape

    @property
    def run(self) -> int:
        return self.loaded["run"]

    @property
    def frame_bytes(self) -> int:
        return self.shape.frame * self.shape.width * SIZES[self.real]

    def setup(self, parameters: Sequence[float]) -> NDArray[Any]:
        """What the run needs to know of the parameters."""
        n = len(parameters)
        numbers = np.array(parameters, dtype=float)
        if self.shape.setup_frame:
            frame = np.zeros(self.shape.setup_frame)
            frame[:n] = numbers
            Run(self.loaded["setup"])(frame.ctypes.data, 1, None)
            numbers = frame[n : n + self.shape.given]
        with np.errstate(over="ignore"):
            return numbers.astype(NUMPY[self.real])


def entry(run: bytes, setup: bytes, shape: Shape) -> Entry:
    """What is kept of code."""
    return Entry(run + setup, {**shape.notes, "run_bytes": len(run)})


def stored(what: str, real: Real, store: Cache | None, make: Callable[[], Entry]) -> Code:
    """The code of `what`, from the store, or made now and kept there."""
    key = f"{what} {real} {host().key} {generator_version()}"
    found = store.read(key) if store else None
    if found is None:
        found = make()
        if store:
            store.write(key, found)
    return _load(found, real)


def _load(found: Entry, real: Real) -> Code:
    notes: Mapping[str, Any] = found.notes
    shape = Shape(**{name: notes[name] for name in Shape.__slots__})
    cut = notes["run_bytes"]
    if shape.setup_frame:
        return Code(load([found.code[:cut], found.code[cut:]], ["run", "setup"]), real, shape)
    return Code(load([found.code], ["run"]), real, shape)


@dataclass(frozen=True)
class Support:
    """The driver, and the call from Python where it exists, for all code of one precision and width."""

    loaded: Loaded
    calls: bool


@once
def support(real: Real, width: int, store: Cache | None) -> Support:
    """The code around Programs and Routines, made once."""
    at = layout()
    ir = driver(real, width) + (caller(real, at) if at else "")
    key = f"support {ir} {host().key}"
    found = store.read(key) if store else None
    if found is None:
        found = Entry(object_code(ir), {})
        if store:
            store.write(key, found)
    return Support(load([found.code], ["drive", "call"] if at else ["drive"]), at is not None)
