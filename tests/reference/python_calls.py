"""The Python that Armillary writes, imported and called."""

import sys
from dataclasses import fields
from types import ModuleType
from typing import Any

import numpy as np

from armillary.program import Program
from armillary.targets import target


def module_of(source: str, name: str = "generated") -> ModuleType:
    """The module that a text is."""
    module = ModuleType(name)
    sys.modules[name] = module
    exec(compile(source, f"{name}.py", "exec"), module.__dict__)
    return module


def call(program: Program, given: dict[str, Any], name: str = "f") -> dict[str, Any]:
    """The outputs of the generated function by name, for inputs as the interpreter takes them."""
    (text,) = target("python").files(program, name=name).values()
    module = module_of(text)
    arguments = [given[x.name] for x in program.states]
    if program.parameters:
        values = [x for p in program.parameters for x in np.ravel(given.get(p.name, p.default))]
        names = [field.name for field in fields(module.Parameters)]
        parameters = module.Parameters(**dict(zip(names, map(float, values), strict=True)))
        arguments.append(module.setup(parameters) if hasattr(module, "setup") else parameters)
    with np.errstate(invalid="ignore", divide="ignore"):
        results = getattr(module, name)(*arguments)
    results = results if isinstance(results, tuple) else (results,)
    return {out.name: result for out, result in zip(program.outputs, results, strict=True)}
