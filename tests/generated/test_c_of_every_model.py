"""The C of every model of several robots, compiled in one run with every warning an error, against the interpreter."""

import ctypes

import pytest

from reference.every_model import agree, inputs, model, pairs
from reference.gcc import Compiled, library


@pytest.fixture(scope="module")
def compiled() -> ctypes.CDLL:
    """All modules together: none defines what another does."""
    files: dict[str, str] = {}
    for robot, entry in pairs():
        made = {name: text for name, text in model(robot, entry).source("c").items() if name.endswith((".c", ".h"))}
        made.pop("example.c")
        assert not made.keys() & files.keys()
        files |= made
    return library(files)


@pytest.mark.parametrize(("robot", "entry"), pairs())
def test_c_agrees_with_the_interpreter(robot: str, entry: str, compiled: ctypes.CDLL) -> None:
    m = model(robot, entry)
    run = Compiled(m, compiled, "", "double")
    for seed in range(3):
        given = inputs(robot, entry, seed=seed)
        agree(run(**given), m.evaluate(**given), 1e-11)
