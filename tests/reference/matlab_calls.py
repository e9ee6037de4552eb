"""The MATLAB that Armillary writes, called by Octave: one start computes every case."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from armillary.program import Program
from armillary.targets import target
from armillary.targets.matlab.operations import RESERVED
from armillary.targets.names import Namer
from reference import octave


@dataclass(frozen=True)
class Case:
    """A Program, inputs, and whether the generated files are those of a Package."""

    program: Program
    given: dict[str, Any]
    defaults: bool = False


def text(value: float) -> str:
    """A number as MATLAB reads it back to the last bit."""
    return {"nan": "NaN", "inf": "Inf", "-inf": "-Inf"}.get(repr(value), repr(value))


def filled(name: str, shape: tuple[int, ...], values: Any) -> list[str]:
    """Lines that make an array element by element."""
    array = np.broadcast_to(np.asarray(values, dtype=float), shape)
    if not shape:
        return [f"{name} = {text(float(array))};"]
    sides = ", ".join(map(str, (*shape, 1) if len(shape) == 1 else shape))
    lines = [f"{name} = zeros({sides});"]
    for index in np.ndindex(*shape):
        lines.append(f"{name}({', '.join(str(k + 1) for k in index)}) = {text(float(array[index]))};")
    return lines


def script(case: Case, name: str, setup: str | None) -> list[str]:
    """Lines that call the generated function and print every element of every output."""
    p = case.program
    lines: list[str] = ["clear all"]
    arguments: list[str] = []
    for k, x in enumerate(p.states):
        lines += filled(f"in{k}", x.shape, case.given[x.name])
        arguments.append(f"in{k}")
    if p.parameters:
        namer = Namer(RESERVED, 63)
        lines += [f"p = {name}_parameters();"] if case.defaults else []
        for x in p.parameters:
            values = np.ravel(case.given.get(x.name, x.default))
            for label, value in zip(x.labels, values, strict=True):
                field = namer.name(label)
                lines += [] if case.defaults else [f"p.{field} = {text(float(value))};"]
        lines += [f"k = {setup}(p);"] if setup else []
        arguments.append("k" if setup else "p")
    results = ", ".join(f"out{k}" for k in range(len(p.outputs)))
    lines.append(f"[{results}] = {name}({', '.join(arguments)});")
    for k, out in enumerate(p.outputs):
        sides = (*out.shape, 1) if len(out.shape) == 1 else out.shape or (1, 1)
        lines.append(f"assert (isequal (size (out{k}), [{' '.join(map(str, sides))}]));")
        for index in np.ndindex(*out.shape):
            place = f"out{k}({', '.join(str(i + 1) for i in index)})" if index else f"out{k}"
            lines.append(f'printf("%.17g\\n", {place});')
    return lines


def computed_by_octave(cases: Mapping[str, Case], folder: Path) -> dict[str, list[float]]:
    """Every element of every output of every case, in order."""
    names: dict[str, str] = {}
    lines: list[str] = []
    for key, case in cases.items():
        digest = case.program.digest
        if digest not in names:
            names[digest] = target("matlab").write(case.program, folder, name=f"f{len(names)}")[0].stem
        name = names[digest]
        setup = f"{name}_setup" if (folder / f"{name}_setup.m").exists() else None
        lines += [f'printf("case %s\\n", "{key}");', *script(case, name, setup)]
    results: dict[str, list[float]] = {}
    for line in octave.run("\n".join(lines) + "\n", folder).splitlines():
        if line.startswith("case "):
            values = results.setdefault(line.removeprefix("case "), [])
        else:
            values.append(float(line))
    return results
