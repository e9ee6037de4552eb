"""Programs as machine code: LLVM on the CPU, one state or a batch a call."""

from armillary.runtime.compile import compile
from armillary.runtime.function import Function

__all__ = ["Function", "compile"]
