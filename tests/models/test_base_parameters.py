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


def test_values_cost_what_the_relations_say() -> None:
    """RX-90, lengths and masses taken out as printed; with one of them fixed the values are those of the sums."""
    robot = arm.load("rx90")
    setup = robot.base_parameter_values().setup_cost
    assert (setup.mul, setup.add) <= (9, 33)
    values = robot.base_parameter_values(fixed={"D3": 0.5, "M3": 2})
    rng = np.random.default_rng(3)
    given = {x.name: rng.normal() for x in values.inputs}
    p = {name: given.get(name, 0.0) for name in robot.symbols} | {"D3": 0.5, "M3": 2}
    carried = p["D3"] ** 2 * (p["M3"] + p["M4"] + p["M5"] + p["M6"])
    chi = dict(zip(values.outputs[0].rows, values.evaluate(**given)["chi"], strict=True))
    assert np.isclose(chi["ZZ1R"], p["ZZ1"] + p["YY2"] + p["YY3"] + p["IA1"] + carried, rtol=1e-12)
    assert np.isclose(chi["XX2R"], p["XX2"] - p["YY2"] - carried, rtol=1e-12)


def test_relations_in_latex() -> None:
    lines = arm.load("rx90").base_parameters().latex().splitlines()
    assert lines[0] == r"\begin{aligned}" and lines[-1] == r"\end{aligned}" and len(lines) == 42
    assert lines[3] == r"  \mathit{XY}_{2} & \\"
    assert lines[4] == r"  \mathit{XZ}_{2R} &= \mathit{XZ}_{2} - D_{3}\,\mathit{MZ}_{3} \\"
