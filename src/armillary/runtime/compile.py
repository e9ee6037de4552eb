"""A Program in, a Function out."""

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from armillary.errors import CompileError
from armillary.program.package import bind
from armillary.program.program import Program
from armillary.runtime import threads as cores
from armillary.runtime.cache import Cache, default_directory
from armillary.runtime.code import machine_code, support
from armillary.runtime.function import Function
from armillary.runtime.ir import SIZES, Real


def compile(
    program: Program,
    *,
    dtype: str = "double",
    parameters: Mapping[str, Any] | None = None,
    threads: int | None = None,
    cache: bool | str | PathLike[str] = True,
) -> Function:
    """Machine code for a Program, made by LLVM, as a function of one state or a batch.

    `dtype` is "double" or "float". `parameters` are bound here, zeros among them vanish; parameters left out are given
    with a call. `threads` is how many cores large batches use, all by default. `cache` says whether machine code is
    kept on disk and found again, or in which directory.
    """
    if dtype not in SIZES:
        raise CompileError(f"dtype is 'double' or 'float', not {dtype!r}")
    if threads is not None and threads < 1:
        raise CompileError(f"threads is a number of cores from 1 up, or None for all, not {threads!r}")
    if parameters:
        program = bind(program, parameters)
    real: Real = dtype
    store = Cache(default_directory() if cache is True else Path(cache)) if cache else None
    code = machine_code(program, real, store)
    return Function(program, code, support(real, store), cores.available() if threads is None else threads)
