"""2,000 random trees, traced and interpreted, against Pinocchio: norm-wise to 1e-9, solves by their residual.

Of every tree each third model, in rotation, goes through the passes too; the others are interpreted as they were traced.
"""

import pytest

from armillary.models import derive
from armillary.program import evaluate
from reference.shared_models import DOUBLE, Shared

TREES = 2000
CHUNKS = 80


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_trees(chunk: int) -> None:
    for seed in range(chunk * TREES // CHUNKS, (chunk + 1) * TREES // CHUNKS):
        shared = Shared(seed)
        state = shared.state()
        for k, (name, row) in enumerate(state.rows().items()):
            program = derive(shared.robot, row.model, passes=(seed + k) % 3 == 0, **shared.options(row))  # type: ignore[arg-type]
            found = evaluate(program, {x.name: state.inputs[x.name] for x in program.inputs})
            error = row.error(state, found)
            assert error <= DOUBLE[row.kind], f"tree {seed}, {name}: {error}"
