"""Every model of several robots as machine code, on one state and on a batch, against the interpreter."""

import numpy as np
import pytest

from reference.every_model import agree, inputs, model, pairs

CASES = [(*pair, "double") for pair in pairs("rx90", "scara", "ball", "rubbing", "odd", "motionless", "rrr3")]
CASES += [(*pair, "float") for pair in pairs("ball", "cartpole")]


@pytest.mark.parametrize(("robot", "entry", "dtype"), CASES)
def test_machine_code_agrees_with_the_interpreter(robot: str, entry: str, dtype: str) -> None:
    m = model(robot, entry)
    f = m.compile(dtype=dtype, cache=False)
    for batch in (None, 5) if m.states else (None,):
        given = inputs(robot, entry, batch)
        parameters = {x.name: given[x.name] for x in m.parameters}
        results = f(*(given[x.name] for x in m.states), parameters=parameters)
        arrays = results if isinstance(results, tuple) else (results,)
        found = {x.name: np.asarray(a, dtype=float) for x, a in zip(m.outputs, arrays, strict=True)}
        agree(found, m.evaluate(**given), 1e-11 if dtype == "double" else 1e-4)
