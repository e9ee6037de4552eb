"""Machine code in memory: IR to object code, and object code to addresses, through one LLVM JIT a process."""

from collections.abc import Sequence
from functools import cache
from itertools import count
from threading import RLock

from llvmlite import binding as llvm

from armillary.errors import CompileError
from armillary.runtime.host import host, target_machine

_lock = RLock()
_names = count()


class Loaded:
    """Object code in memory; the addresses hold for as long as this object lives."""

    def __init__(self, tracker: llvm.ResourceTracker, names: Sequence[str]) -> None:
        self._tracker = tracker
        self.addresses: dict[str, int] = {name: int(tracker[name]) for name in names}

    def __getitem__(self, name: str) -> int:
        return self.addresses[name]


@cache
def _jit() -> llvm.LLJIT:
    host()
    return llvm.create_lljit_compiler(target_machine(1))


@cache
def _machine(level: int) -> llvm.TargetMachine:
    return target_machine(level)


def object_code(ir: str, level: int) -> bytes:
    """What code generation at `level` makes of a module, no passes over the IR before it."""
    with _lock:
        host()
        try:
            module = llvm.parse_assembly(ir)
            return bytes(_machine(level).emit_object(module))
        except RuntimeError as e:
            raise CompileError(f"LLVM does not accept the code made for a Program: {e}") from e


def load(code: bytes, names: Sequence[str]) -> Loaded:
    """Object code into memory, with the addresses of its functions `names`."""
    with _lock:
        builder = llvm.JITLibraryBuilder().add_object_img(code).add_current_process()
        for name in names:
            builder.export_symbol(name)
        try:
            tracker = builder.link(_jit(), f"armillary_{next(_names)}")
        except RuntimeError as e:
            raise CompileError(f"object code cannot be loaded: {e}") from e
        return Loaded(tracker, names)
