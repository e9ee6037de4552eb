"""The machine that code is made for: its processor, how wide its vectors are, and whether it fuses multiply and add."""

import platform
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from llvmlite import binding

from armillary.runtime.ir import SIZES, Real

_llvm: Any = binding


@dataclass(frozen=True)
class Host:
    """A processor as LLVM names it: `cpu`, and `features` as "+avx2,-avx512f,…"."""

    cpu: str
    features: str

    @cached_property
    def _has(self) -> frozenset[str]:
        return frozenset(f[1:] for f in self.features.split(",") if f.startswith("+"))

    @property
    def fused(self) -> bool:
        """Whether a b + c is one instruction, rounded once."""
        return bool({"fma", "neon"} & self._has) or platform.machine().lower() in ("arm64", "aarch64")

    @property
    def vector_bytes(self) -> int:
        """The size of the widest vectors that all arithmetic used here exists for."""
        if {"avx512f", "avx512dq"} <= self._has:
            return 64
        return 32 if "avx2" in self._has else 16

    def width(self, real: Real) -> int:
        """Numbers in one vector."""
        return self.vector_bytes // SIZES[real]

    @property
    def key(self) -> str:
        """All that machine code for this host depends on, but for the Program."""
        version = ".".join(map(str, _llvm.llvm_version_info))
        return f"{_llvm.get_default_triple()} {self.cpu} {self.features} llvm {version}"


@cache
def host() -> Host:
    """This machine."""
    _llvm.initialize_native_target()
    _llvm.initialize_native_asmprinter()
    return Host(_llvm.get_host_cpu_name(), _llvm.get_host_cpu_features().flatten())


def target_machine(level: int) -> Any:
    """A code generator for this machine at optimization level 0 to 3; code and its constants lie within 2 GB of each other."""
    here = host()
    return _llvm.Target.from_default_triple().create_target_machine(
        cpu=here.cpu, features=here.features, opt=level, reloc="pic", codemodel="small", jit=True
    )
