"""Programs as machine code: LLVM on the CPU, one state or a batch a call."""

from armillary.runtime.compile import compile, compile_routine
from armillary.runtime.function import Function

__all__ = ["Function", "compile", "compile_routine"]
