"""Python with NumPy: a module of functions that take one state or a batch of them.

Vectors are taken apart into their elements first, so that formulas read as on paper. Parameters are a dataclass; where
there are states too, `setup` does the work on the parameters once, and its result goes to every run.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from armillary.errors import TargetError
from armillary.expr.ops import SOLVE
from armillary.program.package import Package
from armillary.program.program import Input, Program
from armillary.targets import header
from armillary.targets.names import Namer
from armillary.targets.python.function import run_function, setup_function
from armillary.targets.python.layout import INDENT, docstring, printable
from armillary.targets.python.operations import RESERVED, SOLVE_FUNCTIONS
from armillary.targets.schedule import live
from armillary.targets.stages import constant_names, stages
from armillary.targets.target import Target

__all__ = ["TARGET", "Options"]


@dataclass(frozen=True, slots=True)
class Options:
    """`name` of the module: that of the Program, which is its function's too, unless given."""

    name: str = ""


def files(source: Program | Package, options: Options) -> dict[str, str]:
    """The module, by its name."""
    if isinstance(source, Package) and not options.name:
        raise TargetError("a Python module of several Programs needs a name: give the option name='...'")
    cut = stages(source)
    namer = Namer(RESERVED)
    wishes = [p.name for p in cut.runs] if isinstance(source, Package) else [options.name or source.name]
    functions = [namer.name(wish) for wish in wishes]
    module = Namer(RESERVED).name(options.name or functions[0])

    taken = RESERVED | set(functions)
    fields_namer = Namer(taken)
    fields = {label: fields_namer.name(label) for x in cut.parameters for label in x.labels}
    constants = constant_names(cut.setup, taken, letter="c") if cut.setup else ()
    parts = [_parameters(cut.parameters, fields)] if fields else []
    parts += [setup_function(cut.setup, fields, constants, taken)] if cut.setup else []
    parts += [
        run_function(name, p, {} if cut.setup else fields, constants, taken)
        for name, p in zip(functions, cut.runs, strict=True)
    ]
    has_systems = any(x.op == SOLVE for p in (*cut.runs, *([cut.setup] if cut.setup else [])) for x in live(p))
    parts += [SOLVE_FUNCTIONS.splitlines()] if has_systems else []

    lines = [*docstring([f"{module}.py", "", *header.about(source)], ""), "", *_imports(bool(fields), has_systems), ""]
    lines += ["Array = NDArray[np.float64]", *(["Real = float | Array"] if fields else [])]
    return {f"{module}.py": "\n".join([*lines, *(line for part in parts for line in ("", "", *part))]) + "\n"}


def _imports(has_parameters: bool, has_systems: bool) -> list[str]:
    standard = ["from dataclasses import dataclass"] if has_parameters else []
    standard += ["from typing import Any"] if has_systems else []
    return [*standard, *([""] if standard else []), "import numpy as np", "from numpy.typing import ArrayLike, NDArray"]


def _parameters(inputs: Iterable[Input], fields: Mapping[str, str]) -> list[str]:
    """The dataclass of the parameters: a field for every element."""
    lines = ["@dataclass(frozen=True, kw_only=True)", "class Parameters:"]
    lines += [*docstring(["What belongs to the robot: numbers, or arrays for a batch of robots."]), ""]
    for x in inputs:
        for k, label in enumerate(x.labels):
            default = "" if x.default is None else f" = {x.default[k]!r}"
            words = [label if fields[label] != label else "", x.doc, f"({x.unit})" if x.unit else ""]
            what = printable(" ".join(word for word in words if word))
            lines.append(f"{INDENT}{fields[label]}: Real{default}{f'  # {what}' if what else ''}")
    return lines


TARGET = Target("python", "Python with NumPy", (".py",), Options, files, (Program, Package))
