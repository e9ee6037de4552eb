"""`Function`: a Program as machine code, called with one state or a batch."""

from __future__ import annotations

import ctypes
from collections import OrderedDict, namedtuple
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from armillary.runtime import arrays, cpython, threads
from armillary.runtime.call import MOST_ARRAYS
from armillary.runtime.code import NUMPY, Code, Support
from armillary.runtime.plan import MOST_AXES, Field, make_plan
from armillary.runtime.signature import Shaped, Signature

Array = NDArray[Any]

_RELEASE = 20_000
"""Statements (times rows) from which on a call lets other threads of Python run."""

_SHARE = 4_000_000
"""Statements (times rows) from which on a batch is worth several threads."""

_NEVER = 2**62

_SETS = 16
"""Parameter sets that a Function keeps what was computed of."""

_Drive = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)


class Function:
    """A Program that runs: `f(q, qd, qdd)`, inputs in their order or by name.

    Every input is an array of its shape, or a batch of N of them, (N, *shape), in any layout; one state beside batches
    stands for N equal ones. The result is an array, or a named tuple of arrays where there are several outputs, each of
    its shape, (N, *shape) for batches; `out=` takes arrays to write them to. A Program with parameters is called with
    `parameters={name: value}`, or gives with `at` a Function in which they are set.

    What is plain (arrays of the right type) goes to machine code at once; `__call__` is its entry, or `_general`.
    """

    __slots__ = (
        "__call__",
        "__weakref__",
        "_code",
        "_drive",
        "_given",
        "_into",
        "_plain",
        "_plan",
        "_results",
        "_sets",
        "_support",
        "dtype",
        "parameters",
        "signature",
        "threads",
    )

    __call__: Callable[..., Any]

    def __init__(
        self,
        signature: Signature,
        code: Code,
        support: Support,
        threads: int,
        parameters: Mapping[str, ArrayLike] | None = None,
    ) -> None:
        self.signature = signature
        self.threads = threads
        self.dtype: np.dtype[Any] = np.dtype(NUMPY[code.real])
        self._code = code
        self._support = support
        self._drive = _Drive(support.loaded["drive"])
        self._sets: OrderedDict[tuple[float, ...], Function] = OrderedDict()
        self._results: Any = _results(signature.outputs)
        values = arrays.parameter_values(signature, parameters)
        self.parameters: tuple[float, ...] | None = values
        """The values of all parameters, None as long as one is missing that has no default."""
        self._given: Array | None = None if values is None else code.setup(values)
        self._plan = self._make_plan()
        self._plain: Callable[..., Any] = _nothing
        self._into: Callable[..., Any] = _nothing
        self.__call__ = self._general
        outputs = signature.outputs
        shapes = [x.shape for x in (*signature.states, *outputs)]
        if support.calls and outputs and len(shapes) <= MOST_ARRAYS and all(len(s) <= MOST_AXES for s in shapes):
            call = support.loaded["call"]
            self._plain = cpython.builtin(call, (self._plan, _nothing))
            self._into = cpython.builtin(call, (self._plan, _nothing, True))
            self.__call__ = cpython.builtin(call, (self._plan, self._general))

    def _make_plan(self) -> Array:
        work = max(self.signature.work, 1)
        states, outputs = self.signature.states, self.signature.outputs
        fields = {
            Field.RUN: self._code.run,
            Field.GIVEN: 0 if self._given is None else self._given.ctypes.data,
            Field.FRAME_BYTES: self._code.frame_bytes,
            Field.FRAMES: self._code.shape.frames,
            Field.N_INPUTS: len(states),
            Field.N_OUTPUTS: len(outputs),
            Field.INPUT_SIZE: sum(x.size for x in states),
            Field.RELEASE_ROWS: 1 + _RELEASE // work,
            Field.THREAD_ROWS: 2 + _SHARE // work if self.threads > 1 else _NEVER,
            Field.DESCR: id(self.dtype),
            Field.TYPE_NUMBER: self.dtype.num,
            Field.RESULT_TYPE: id(self._results),
            **cpython.raw_memory(),
        }
        if self._support.calls:
            fields |= cpython.table()
        return make_plan(fields, [x.shape for x in (*states, *outputs)])

    def __repr__(self) -> str:
        names = ", ".join(x.name for x in self.signature.states)
        return f"<Function {self.signature.name}({names}) -> {', '.join(x.name for x in self.signature.outputs)}, {self.dtype}>"

    # ---- parameters ----

    def at(self, parameters: Mapping[str, ArrayLike]) -> Function:
        """The same with these parameters set, and others left at their defaults: work on them alone is done here, once."""
        values = arrays.parameter_values(self.signature, parameters, complete=True)
        assert values is not None
        known = self._sets.get(values)
        if known is None:
            known = Function(self.signature, self._code, self._support, self.threads, parameters)
            self._sets[values] = known
            if len(self._sets) > _SETS:
                self._sets.popitem(last=False)
        return known

    # ---- calls ----

    def _general(self, *args: ArrayLike, out: Any = None, parameters: Any = None, **named: ArrayLike) -> Any:
        """A call with anything that is no plain array, with keywords, or for several threads."""
        if parameters is not None:
            return self.at(parameters)(*args, **named, **({} if out is None else {"out": out}))
        if named or len(args) != len(self.signature.states):
            args = arrays.by_name(self.signature, args, named)
        given = arrays.real_arrays(self.signature, args, self.dtype)
        if out is None:
            answer = self._plain(*given)
        else:
            wanted = arrays.listed(out)
            answer = None if arrays.spoil(wanted, given) else self._into(*given, *wanted)
        return self._evaluate(given, out) if answer is None else answer

    def _evaluate(self, given: list[Array], out: Any) -> Any:
        """A call that takes a closer look: at what is missing, does not fit, has to be copied or shared out."""
        if self._given is None:
            arrays.parameter_values(self.signature, None, complete=True)
        states, outputs = self.signature.states, self.signature.outputs
        batch = arrays.batch(self.signature, given)
        rows = 1 if batch is None else batch
        inputs = [arrays.evenly_spaced(a, len(x.shape)) for x, a in zip(states, given, strict=True)]
        wanted = arrays.results(outputs, arrays.listed(out), batch)
        made = [
            arrays.writable(w, given, (*(() if batch is None else (batch,)), *x.shape), len(x.shape), self.dtype)
            for x, w in zip(outputs, wanted, strict=True)
        ]
        entries = [arrays.entry(a, x, batch) for x, a in zip((*states, *outputs), (*inputs, *made), strict=True)]
        self._rows(np.array(entries, dtype=np.int64), rows)
        answers = [arrays.handed_over(w, m) for w, m in zip(wanted, made, strict=True)]
        return answers[0] if len(outputs) == 1 else self._results(*answers)

    def _rows(self, entries: Array, rows: int) -> None:
        """Compute all rows, on several threads where that is worth it."""
        plan, at = self._plan.ctypes.data, entries.ctypes.data

        def work(begin: int, end: int) -> None:
            if self._drive(plan, at, begin, end):
                raise MemoryError(f"{self.signature.name}: no memory to compute in")

        if rows >= self._plan[Field.THREAD_ROWS]:
            threads.share_out(work, rows, self.threads, self._code.shape.width * self._code.shape.frames)
        elif rows:
            work(0, rows)


def _nothing(*args: Any, **named: Any) -> None:
    """Takes what machine code does not."""


def _results(outputs: Sequence[Shaped]) -> Any:
    return namedtuple("Results", [x.name for x in outputs], rename=True)  # type: ignore[misc]
