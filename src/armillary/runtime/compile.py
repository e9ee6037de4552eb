"""A Program or a Routine in, a Function out."""

from collections.abc import Mapping
from hashlib import sha256
from os import PathLike
from pathlib import Path
from typing import Any

from armillary.errors import CompileError
from armillary.program.package import bind
from armillary.program.program import Program
from armillary.routine.routine import Routine
from armillary.routine.text import outline
from armillary.runtime import search
from armillary.runtime import threads as cores
from armillary.runtime.cache import Cache, Entry, default_directory
from armillary.runtime.code import Shape, entry, stored, support
from armillary.runtime.function import Function
from armillary.runtime.host import host
from armillary.runtime.ir import SIZES, Real
from armillary.runtime.jit import object_code
from armillary.runtime.routines import lower_routine
from armillary.runtime.routines import signature as routine_signature
from armillary.runtime.signature import Signature

Place = bool | str | PathLike[str]
"""Where machine code is kept: a directory, the user's own (True), or nowhere (False)."""


def compile(
    program: Program,
    *,
    dtype: str = "double",
    parameters: Mapping[str, Any] | None = None,
    threads: int | None = None,
    cache: Place = True,
) -> Function:
    """Machine code for a Program, made by LLVM, as a function of one state or a batch.

    `dtype` is "double" or "float". `parameters` are bound here, zeros among them vanish; parameters left out are given
    with a call. `threads` is how many cores large batches use, all by default. `cache` says whether machine code is
    kept on disk and found again, or in which directory.
    """
    real, store, n = _real(dtype), _store(cache), _threads(threads)
    if parameters:
        program = bind(program, parameters)
    code = stored(f"program {program.digest}", real, store, lambda: search.make(program, real))
    size = program.n_inputs + sum(x.size for x in program.outputs)
    work = len(program.ops) + 10 * size
    signature = Signature(program.name, program.states, program.parameters, program.outputs, work)
    return Function(signature, code, support(real, code.shape.width, store), n)


def compile_routine(
    routine: Routine, *, dtype: str = "double", threads: int | None = None, cache: Place = True
) -> Function:
    """Machine code for a Routine, as a function of one state or a batch, whose states are computed one after another.

    The last result, `status`, is the number of the status that a run ended with.
    """
    real, store, n = _real(dtype), _store(cache), _threads(threads)

    def make() -> Entry:
        module, frame = lower_routine(routine, real, host())
        given = sum(x.size for x in routine.inputs if x.role == "parameter")
        return entry(object_code(module.text), b"", Shape(1, frame, 1, given, 0, ""))

    code = stored(f"routine {_digest(routine)}", real, store, make)
    return Function(routine_signature(routine), code, support(real, 1, store), n)


def _digest(routine: Routine) -> str:
    """SHA-256 of all that decides what a Routine computes."""
    parts = [x.digest if isinstance(x, Program) else outline(x) for x in (*routine.callees, routine)]
    return sha256("\n".join(parts).encode()).hexdigest()


def _real(dtype: str) -> Real:
    if dtype not in SIZES:
        raise CompileError(f"dtype is 'double' or 'float', not {dtype!r}")
    return dtype


def _store(place: Place) -> Cache | None:
    if place is False:
        return None
    return Cache(default_directory() if place is True else Path(place))


def _threads(threads: int | None) -> int:
    if threads is not None and threads < 1:
        raise CompileError(f"threads is a number of cores from 1 up, or None for all, not {threads!r}")
    return cores.available() if threads is None else threads
