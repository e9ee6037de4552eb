"""The C of every model of several robots, compiled in one run with every warning an error, against the interpreter."""

import ctypes
from functools import cache

import pytest

from reference.every_model import agree, inputs, model, pairs
from reference.gcc import Compiled, library

CASES = {"double": pairs(), "float": pairs("ball", "rubbing", "odd")}
TOLERANCE = {"double": 1e-11, "float": 1e-4}


@cache
def compiled(dtype: str) -> ctypes.CDLL:
    """All modules together: none defines what another does."""
    files: dict[str, str] = {}
    for pair in CASES[dtype]:
        written = model(*pair).source("c", dtype=dtype)
        made = {name: text for name, text in written.items() if name.endswith((".c", ".h")) and name != "example.c"}
        assert not made.keys() & files.keys()
        files |= made
    return library(files)


@pytest.mark.parametrize(("dtype", "robot", "entry"), [(dtype, *pair) for dtype in CASES for pair in CASES[dtype]])
def test_c_agrees_with_the_interpreter(dtype: str, robot: str, entry: str) -> None:
    m = model(robot, entry)
    run = Compiled(m, compiled(dtype), "", dtype)
    for seed in range(3):
        given = inputs(robot, entry, seed=seed)
        agree(run(**given), m.evaluate(**given), TOLERANCE[dtype])
