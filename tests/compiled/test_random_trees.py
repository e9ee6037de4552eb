"""The first hundred of the random trees as machine code, in both precisions and on batches, against Pinocchio.

Norm-wise to 1e-9 and 1e-5, solves by their residual to 1e-11 and 1e-5. Compiling takes its time: inverse dynamics of every tree, every
other model of every third tree, in rotation; derivatives of every second tree of up to ten degrees of freedom.
"""

import numpy as np
import pytest

from armillary.models import Model, derive
from reference.shared_models import DERIVATIVES, DOUBLE, NORM, ROWS, SINGLE, Row, Shared, State

TREES = 100
CHUNKS = 20
BATCH = 11
"""More than a vector of lanes, and no multiple of one."""
MODELS = {**ROWS, "derivatives": DERIVATIVES}


def chosen(seed: int, states: list[State]) -> dict[str, Row]:
    """The models whose turn it is."""
    if not states[0].shared.robot.nv:
        return {"pose": ROWS["pose"]}
    definite = all(s.definite for s in states)
    rows: dict[str, Row] = {}
    for k, (name, row) in enumerate(MODELS.items()):
        if name == "derivatives":
            turn = seed % 2 == 0 and states[0].shared.robot.nv <= 10
        else:
            turn = name == "inverse dynamics" or (seed + k) % 3 == 0
        if turn and (definite or row.kind == NORM):
            rows[name] = row
    return rows


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_trees(chunk: int) -> None:
    for seed in range(chunk * TREES // CHUNKS, (chunk + 1) * TREES // CHUNKS):
        shared = Shared(seed)
        states = [shared.state() for _ in range(BATCH)]
        for name, row in chosen(seed, states).items():
            model = Model.of(derive(shared.robot, row.model, **shared.options(row)))  # type: ignore[arg-type]
            for dtype, real, allowed in (("double", np.float64, DOUBLE), ("float", np.float32, SINGLE)):
                rounded = states if dtype == "double" else [s.rounded(real) for s in states]
                found = batch(model, dtype, rounded)
                worst = max(row.error(s, {x: a[k] for x, a in found.items()}) for k, s in enumerate(rounded))
                assert worst <= allowed[row.kind], f"tree {seed}, {name} in {dtype}: {worst}"


def batch(model: Model, dtype: str, states: list[State]) -> dict[str, np.ndarray]:
    """The outputs by name, from one call with all states."""
    f = model.compile(dtype=dtype, cache=False)
    given = [np.array([s.inputs[x.name] for s in states], dtype=f.dtype) for x in model.states]
    results = f(*given)
    assert all(a.dtype == f.dtype for a in (results if isinstance(results, tuple) else (results,)))
    arrays = results if isinstance(results, tuple) else (results,)
    return {x.name: np.asarray(a, dtype=float) for x, a in zip(model.outputs, arrays, strict=True)}


def test_every_model_meets_its_trees() -> None:
    """At least 25 trees each, so that no rotation leaves a model out by mistake."""
    met = dict.fromkeys(MODELS, 0)
    for seed in range(TREES):
        shared = Shared(seed)
        for name in chosen(seed, [shared.state() for _ in range(BATCH)]):
            met[name] += 1
    assert min(met.values()) >= 25 and met["inverse dynamics"] >= 90
