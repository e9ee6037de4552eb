"""The MATLAB of every model of six robots, run in one start of Octave, against the interpreter."""

import numpy as np
import pytest

from reference import octave
from reference.every_model import inputs, model, pairs
from reference.matlab_calls import Case, computed_by_octave

ROBOTS = ("scara", "ball", "rubbing", "odd", "motionless", "rrr3")
CASES = {f"{robot} {entry}": (robot, entry) for robot, entry in pairs(*ROBOTS)}


@pytest.fixture(scope="module")
def computed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[float]]:
    """What Octave computed for every case."""
    cases = {key: Case(model(*pair), inputs(*pair)) for key, pair in CASES.items()}
    try:
        return computed_by_octave(cases, tmp_path_factory.mktemp("matlab"))
    except octave.NoOctave as reason:
        pytest.skip(str(reason))


@pytest.mark.parametrize("key", CASES)
def test_octave_agrees_with_the_interpreter(key: str, computed: dict[str, list[float]]) -> None:
    expected = np.concatenate([np.ravel(x) for x in model(*CASES[key]).evaluate(**inputs(*CASES[key])).values()])
    size = max(1.0, float(np.linalg.norm(expected)))
    assert np.linalg.norm(np.array(computed[key]) - expected) <= 1e-11 * size
