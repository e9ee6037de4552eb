"""Every target writes the same bytes from the same Program, whatever the hash seed and whatever was written before."""

import os
import subprocess
import sys
from pathlib import Path

_SCRIPT = """
import hashlib, sys
sys.path.insert(0, sys.argv[1])
import numpy as np
from armillary.targets import TARGETS
from reference.random_programs import random_program
from reference.written_programs import inertia_matrix, inverse_dynamics

programs = [random_program(np.random.default_rng(k), 80) for k in range(int(sys.argv[2]), 3)]
programs += [inverse_dynamics(), inertia_matrix()]
for name in sorted(TARGETS):
    every = [TARGETS[name].files(program) for program in programs]
    for files in every[-3:]:
        for file, text in files.items():
            print(name, file, hashlib.sha256(text.encode()).hexdigest())
"""


def written(seed: str, start: int) -> str:
    """The digest of every file; Programs from number `start` on are written, and those after the first two compared."""
    tests = str(Path(__file__).parents[1])
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    command = [sys.executable, "-c", _SCRIPT, tests, str(start)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout


def test_the_same_bytes() -> None:
    first = written("1", 2)
    assert first == written("2", 0)
    for name in ("python", "matlab", "latex", "text", "c"):
        assert f"{name} planar_2R_" in first
