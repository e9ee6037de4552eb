"""The Python of every model of several robots, on one state and on a batch, against the interpreter."""

import numpy as np
import pytest

from reference.every_model import agree, inputs, model, pairs
from reference.python_calls import call


@pytest.mark.parametrize(("robot", "entry"), pairs())
def test_python_agrees_with_the_interpreter(robot: str, entry: str) -> None:
    m = model(robot, entry)
    for batch in (None, 4) if m.states else (None,):
        given = inputs(robot, entry, batch)
        found = {name: np.asarray(x) for name, x in call(m, given).items()}
        agree(found, m.evaluate(**given), 1e-11)
