"""Machine code in memory: IR to object code, and object code to addresses, through one LLVM JIT a process."""

from collections.abc import Sequence
from functools import cache
from itertools import count
from threading import RLock
from typing import Any

from llvmlite import binding

from armillary.errors import CompileError
from armillary.runtime.host import host, target_machine

_llvm: Any = binding
_lock = RLock()
_names = count()


class Loaded:
    """Object code in memory; the addresses hold for as long as this object lives."""

    def __init__(self, tracker: Any, names: Sequence[str]) -> None:
        self._tracker = tracker
        self.addresses: dict[str, int] = {name: int(tracker[name]) for name in names}

    def __getitem__(self, name: str) -> int:
        return self.addresses[name]


@cache
def _jit() -> Any:
    host()
    return _llvm.create_lljit_compiler(target_machine(1))


@cache
def _machine(level: int) -> Any:
    return target_machine(level)


def object_code(ir: str, level: int = 1) -> bytes:
    """What code generation at `level` makes of a module, no passes over the IR before it."""
    with _lock:
        host()
        try:
            module = _llvm.parse_assembly(ir)
            module.verify()
            return bytes(_machine(level).emit_object(module))
        except RuntimeError as e:
            raise CompileError(f"LLVM does not accept the code made for a Program: {e}") from e


def load(codes: Sequence[bytes], names: Sequence[str]) -> Loaded:
    """Object codes into memory, with the addresses of their functions `names`."""
    with _lock:
        builder = _llvm.JITLibraryBuilder().add_current_process()
        for code in codes:
            builder.add_object_img(code)
        for name in names:
            builder.export_symbol(name)
        try:
            tracker = builder.link(_jit(), f"armillary_{next(_names)}")
        except RuntimeError as e:
            raise CompileError(f"object code cannot be loaded: {e}") from e
        return Loaded(tracker, names)
