"""C99: a header and a source without allocation or globals, an example with a main, and a CMake file."""

from dataclasses import dataclass

from armillary.errors import TargetError
from armillary.program.package import Package
from armillary.program.program import Program
from armillary.routine.routine import Routine
from armillary.targets import header
from armillary.targets.c import routine
from armillary.targets.c.example import EXAMPLE, cmake_file, example_file
from armillary.targets.c.interface import header_file
from armillary.targets.c.module import module
from armillary.targets.c.source import source_file
from armillary.targets.target import Target

__all__ = ["TARGET", "Options"]

DTYPES = ("double", "float")


@dataclass(frozen=True, slots=True)
class Options:
    """`name` of the module, that of the Program unless given; `dtype`, the floating-point type."""

    name: str = ""
    dtype: str = "double"

    def __post_init__(self) -> None:
        if self.dtype not in DTYPES:
            raise TargetError(f"c: dtype is {' or '.join(DTYPES)}, not {self.dtype!r}")


def files(source: Program | Package | Routine, options: Options) -> dict[str, str]:
    """Header, source, example and CMake file by their names."""
    if isinstance(source, Routine):
        m = routine.routine_module(source, options.name, options.dtype)
        texts = routine.header_file(m), routine.source_file(m), routine.example_file(m)
    else:
        m = module(source, options.name, options.dtype)
        texts = header_file(m), source_file(m), example_file(m)
    names = f"{m.name}.h", f"{m.name}.c", EXAMPLE
    return {**dict(zip(names, texts, strict=True)), "CMakeLists.txt": cmake_file(m.name, header.about(source))}


TARGET = Target("c", "C99", (".h", ".c"), Options, files, (Program, Package, Routine))
