"""Models that share a setup: the same values, one setup, one module."""

import numpy as np
import pytest

import armillary as arm
from armillary.errors import ModelError
from armillary.program import evaluate


def test_a_bundle_computes_what_its_models_do() -> None:
    r = arm.load("rx90")
    models = [r.inverse_dynamics(), r.inertia_matrix(), r.gravity_torques()]
    bundle = r.bundle(*models)
    rng = np.random.default_rng(0)
    given = {x.name: rng.uniform(0.2, 1, x.shape) for m in models for x in m.inputs}
    setup = evaluate(bundle.package.setup, {x.name: given[x.name] for x in bundle.package.setup.inputs})
    for model, run in zip(models, bundle.package.runs, strict=True):
        own = {x.name: given.get(x.name, next(iter(setup.values()))) for x in run.inputs}
        for name, value in evaluate(run, own).items():
            expected = model.evaluate(**{x.name: given[x.name] for x in model.inputs})[name]
            assert np.allclose(value, expected, rtol=1e-12, atol=1e-12)
    apart = sum(m.setup_cost.total for m in models)
    assert 0 < bundle.cost["setup"].total < apart


@pytest.mark.parametrize("language", ["c", "python", "matlab"])
def test_a_bundle_is_one_module(language: str) -> None:
    r = arm.load("rx90")
    files = r.bundle("inverse-dynamics", "inertia-matrix").source(language)
    text = "".join(files.values())
    assert "inverse_dynamics" in text and "inertia_matrix" in text and "setup" in text


def test_nothing_to_bundle() -> None:
    with pytest.raises(ModelError, match="no models"):
        arm.load("rx90").bundle()
