"""The C that Armillary writes, compiled once a session with every warning an error, and called.

run = compiled(program)                    # any Program, Package or Routine
run(q=..., qd=...)                         # -> {"tau": array}, parameters by their names or labels, defaults otherwise
example(program)                           # what the example's main prints, as arrays by name
"""

from __future__ import annotations

import atexit
import ctypes
import functools
import hashlib
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from armillary.program import Input, Package, Program
from armillary.routine import Outcome, Routine
from armillary.targets import target, write_files
from armillary.targets.c.module import module
from armillary.targets.c.routine import routine_module

Floats = NDArray[np.float64]

WARNINGS = "-Wall -Wextra -Werror -pedantic -Wconversion -Wdouble-promotion -Wshadow -Wstrict-prototypes -Wmissing-prototypes".split()
STANDARD = "-std=c99"


@functools.cache
def folder() -> Path:
    """The place for all that is compiled in this session; it goes when the process ends."""
    place = tempfile.TemporaryDirectory(prefix="armillary-c-")
    atexit.register(place.cleanup)
    return Path(place.name)


def gcc(*arguments: str | Path, cwd: Path) -> None:
    """Run gcc; what it says is the error."""
    command = [shutil.which("gcc") or "gcc", *map(str, arguments)]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)} in {cwd}\n{done.stdout}{done.stderr}"


def written(files: Mapping[str, str]) -> Path:
    """A folder with these files, the same one for the same text."""
    digest = hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest()[:16]
    place = folder() / digest
    if not place.exists():
        write_files(files, place)
    return place


def library(files: Mapping[str, str], optimise: str = "-O1") -> ctypes.CDLL:
    """The module (all .c files but the example) as a shared library."""
    place = written(files)
    made = place / "module.so"
    if not made.exists():
        sources = [name for name in files if name.endswith(".c") and name != "example.c"]
        gcc(STANDARD, *WARNINGS, optimise, "-shared", "-fPIC", *sources, "-lm", "-o", made, cwd=place)
    return ctypes.CDLL(str(made))


def example(source: Program | Package | Routine, **options: Any) -> dict[str, Floats]:
    """What the example prints: the arrays by name, and `status` of a Routine."""
    files = target("c").files(source, **options)
    place = written(files)
    gcc(STANDARD, *WARNINGS, "-O1", *(n for n in files if n.endswith(".c")), "-lm", "-o", "example", cwd=place)
    text = subprocess.run([place / "example"], capture_output=True, text=True, check=True).stdout
    found = {name: np.array([line.split() for line in rows.splitlines()], dtype=float) for name, rows in _printed(text)}
    status = re.search(r"^status (\d+)$", text, re.MULTILINE)
    return found | ({"status": np.array(float(status[1]))} if status else {})


def _printed(text: str) -> list[tuple[str, str]]:
    return re.findall(r"^(\w+) =\n((?: .*\n)+)", text, re.MULTILINE)


def symbols(files: Mapping[str, str]) -> dict[str, set[str]]:
    """The names in the object code by kind: T and t for functions, U for what is called, others for variables."""
    place = written(files)
    (source,) = (name for name in files if name.endswith(".c") and name != "example.c")
    gcc(STANDARD, *WARNINGS, "-O1", "-c", source, "-o", "module.o", cwd=place)
    listed = subprocess.run(["nm", "module.o"], cwd=place, capture_output=True, text=True, check=True).stdout
    found: dict[str, set[str]] = {}
    for kind, name in re.findall(r"([A-Za-z]) (\S+)$", listed, re.MULTILINE):
        found.setdefault(kind, set()).add(name)
    return found


def compiles_as_cpp(files: Mapping[str, str]) -> None:
    """The header, twice over, in a C++ source that nothing is wrong with."""
    place = written(files)
    headers = [name for name in files if name.endswith(".h")]
    lines = [f'#include "{name}"' for name in headers * 2] + ["int main() { return 0; }"]
    (place / "use.cpp").write_text("\n".join(lines) + "\n")
    gcc("-x", "c++", "-std=c++11", *WARNINGS[:7], "-c", "use.cpp", "-o", "use.o", cwd=place)


@dataclass
class Compiled:
    """The functions of a module: called with arrays by name, giving outputs by name."""

    source: Program | Package | Routine
    library: ctypes.CDLL
    name: str
    dtype: str

    def __call__(self, program: str = "", /, **given: ArrayLike) -> dict[str, Floats]:
        """One state: the outputs of the run of this name (the first one unless said)."""
        m = module(self.source, self.name, self.dtype)  # type: ignore[arg-type]
        carried = []
        if m.fields:
            values = [v for x in m.parameters for v in self.values(x, given)]
            p = self.array(values)
            carried = [p]
            if m.has_defaults:
                usual = self.array([np.nan] * len(values))
                getattr(self.library, f"{m.name}_defaults")(usual)
                expected = np.array([v for x in m.parameters for v in x.default or ()], dtype=self.real)
                assert np.array_equal(np.array(usual), expected)
        if m.setup is not None:
            k = self.array([np.nan] * len(m.carried))
            getattr(self.library, f"{m.name}_setup")(*carried, k)
            carried = [k]
        run = next(r for r in m.runs if program in ("", r.program.name))
        states = [self.argument(x, self.values(x, given)) for x in run.program.states]
        if m.setup is None and not m.fields:
            carried = []
        return self.call(run.name, [*states, *carried], run.program.outputs)

    @property
    def real(self) -> Any:
        return np.float32 if self.dtype == "float" else np.float64

    @property
    def scalar(self) -> Any:
        return ctypes.c_float if self.dtype == "float" else ctypes.c_double

    def values(self, x: Input, given: Mapping[str, ArrayLike]) -> list[float]:
        """The elements of an input."""
        if x.name not in given and x.default is not None:
            return list(x.default)
        return np.asarray(given[x.name], dtype=float).ravel().tolist()

    def array(self, values: Any) -> Any:
        return (self.scalar * len(values))(*values)

    def argument(self, x: Input, values: list[float]) -> Any:
        return self.array(values) if x.shape else self.scalar(values[0])

    def call(self, function: str, arguments: list[Any], outputs: Any, restype: Any = None) -> Any:
        """Call with outputs full of NaN behind the arguments."""
        made = [self.array([np.nan] * int(np.prod(out.shape))) for out in outputs]
        f = getattr(self.library, function)
        f.restype = restype
        code = f(*arguments, *made)
        arrays = {o.name: np.array(a, dtype=float).reshape(o.shape) for o, a in zip(outputs, made, strict=True)}
        return arrays if restype is None else (arrays, code)

    def routine(self, **given: ArrayLike) -> Outcome:
        """One run of a Routine."""
        r = self.source
        assert isinstance(r, Routine)
        arguments = [self.argument(x, self.values(x, given)) for x in r.inputs]
        arrays, code = self.call(routine_module(r, self.name).name, arguments, r.outputs, ctypes.c_int)
        return Outcome(arrays, code, r.statuses[code].name)


def compiled(source: Program | Package | Routine, name: str = "", dtype: str = "double") -> Compiled:
    """The C of a Program, a Package or a Routine, compiled."""
    return Compiled(source, library(target("c").files(source, name=name, dtype=dtype)), name, dtype)
