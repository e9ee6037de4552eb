"""`armillary bench`: what this machine does with one robot, model by model."""

from collections.abc import Callable, Sequence

import numpy as np

from armillary.cli import page
from armillary.cli.given import reading
from armillary.cli.timing import fastest
from armillary.models import Model, load

MODELS = ("inverse-dynamics", "direct-dynamics", "inertia-matrix", "jacobian", "pose")
BATCH = 4096


def bench(robot: str, read: Sequence[str], json: bool) -> None:
    """Derivation, cost, compilation and evaluation of the models that a controller runs."""
    r = load(robot, **reading(robot, read))
    rows: list[dict[str, object]] = []
    for name in MODELS:
        with page.working(f"measuring {name}"):
            rows.append(measure(name, lambda name=name: r.derive(name)))
    if json:
        page.data({"robot": r.name, "models": rows})
        return
    columns = ["model", "mul + add", "derive ms", "compile ms", "one state ns", f"batch of {BATCH} ns/state"]
    page.table(f"{r.name}, double, one thread", columns, [list(row.values()) for row in rows], right=range(1, 6))


def measure(name: str, derive: Callable[[], Model]) -> dict[str, object]:
    """One row."""
    derive_s, model = fastest(derive, 0.1)
    compile_s, function = fastest(lambda: model.compile(threads=1, cache=False), 0, least=1)
    rng = np.random.default_rng(0)
    parameters = {
        x.name: np.reshape(x.default if x.default is not None else rng.uniform(0.1, 1, x.size), x.shape)
        for x in model.parameters
    }
    one = [rng.uniform(-1, 1, x.shape) for x in model.states]
    many = [rng.uniform(-1, 1, (BATCH, *x.shape)) for x in model.states]
    function = function.at(parameters)
    single, _ = fastest(lambda: [function(*one) for _ in range(1000)], 0.1)
    batch, _ = fastest(lambda: function(*many), 0.2)
    return {
        "model": name,
        "operations": model.cost.total,
        "derive_ms": round(1e3 * derive_s, 1),
        "compile_ms": round(1e3 * compile_s, 1),
        "one_ns": round(1e6 * single),
        "batch_ns": round(1e9 * batch / BATCH, 1),
    }
