"""Every model that regrouping is said to leave unchanged is unchanged, also where gravity and the base's motion are inputs."""

from typing import Any

import numpy as np
import pytest

import armillary as arm
from armillary.models import CATALOGUE
from reference.random_trees import random_state, random_tree

ALIKE = ("inverse-dynamics", "inertia-matrix", "bias-torques", "coriolis-torques", "gravity-torques", "coriolis-matrix")
SOLVED = ("direct-dynamics", "inverse-dynamics-derivatives", "linearisation")
STATES: dict[str, tuple[str, ...]] = {"still": (), "moved": ("gravity", "base_velocity", "base_acceleration")}


def given(rng: np.random.Generator, robot: arm.Robot, model: Any) -> dict[str, Any]:
    q, qd, qdd = random_state(rng, robot)
    known = {"q": q, "qd": qd, "qdd": qdd, "tau": rng.normal(size=robot.nv)}
    known |= {
        "gravity": rng.normal(size=3),
        "base_velocity": rng.normal(size=6),
        "base_acceleration": rng.normal(size=6),
    }
    return {x.name: known[x.name] for x in model.states}


@pytest.mark.parametrize("model", [*ALIKE, *SOLVED])
@pytest.mark.parametrize("states", STATES)
def test_unchanged(model: str, states: str) -> None:
    assert not CATALOGUE[model].regrouping
    for seed in range(8):
        rng = np.random.default_rng(seed)
        robot = arm.Robot.of(random_tree(rng, 1 + seed % 6))
        if not robot.nv:
            continue
        full = robot.derive(model, inputs=STATES[states])
        base = robot.derive(model, inputs=STATES[states], base_parameters=True)
        at = given(rng, robot, full)
        for name, x in full.evaluate(**at).items():
            y = base.evaluate(**{s.name: at[s.name] for s in base.states})[name]
            assert np.linalg.norm(x - y) <= 1e-8 * (1 + np.linalg.norm(x)), (model, seed, name)
