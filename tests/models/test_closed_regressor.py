"""The identification model of closed loops: times the parameters it is the inverse dynamics, with losses at cut joints too."""

import numpy as np
import pytest

import armillary as arm
from armillary.robot import value
from armillary.robot.substitute import substitute
from reference.every_model import crane

LOSS = ("FV", "FS", "IA", "stiffness")


def parameters_of(robot: arm.Robot) -> dict[str, float]:
    """Values by the usual labels of columns, those of bodies and cut joints."""
    found: dict[str, float] = {}
    for k, body in enumerate(robot.bodies, start=1):
        for name, x in body.values():
            found[f"{name}{k}"] = found[f"{name}_{body.name}"] = float(x)
    for cut in robot.cuts:
        for name, x in cut.losses:
            found[f"{name}_{cut.name}"] = float(x)
    return found


@pytest.mark.parametrize("base", [False, True])
def test_times_the_parameters_it_is_the_inverse_dynamics(base: bool) -> None:
    described = crane()
    values = {n: value(p.default) for n, p in described.parameters.items()}
    robot = arm.Robot.of(substitute(described, values))
    model = robot.closed_regressor(base_parameters=base)
    inverse = robot.closed_inverse_dynamics(base_parameters=base)
    known = parameters_of(robot)
    if base:
        relations = (
            robot.base_parameter_values() if not robot.ties else arm.Robot.of(robot.opened()).base_parameter_values()
        )
        known |= dict(zip(relations.output("chi").rows, relations.evaluate()["chi"], strict=True))
    columns = model.output("Y").columns
    chi = np.array([known[name] for name in columns])
    assert {"FV_tip", "FS_tip", "IA_tip", "FV_slot"} <= set(columns)
    rng = np.random.default_rng(1)
    n = model.output("Y").shape[0]
    q = rng.uniform(-1, 1, robot.nq)
    for _ in range(5):
        given = {"q": q, "qd_a": rng.normal(size=n), "qdd_a": rng.normal(size=n)}
        expected = inverse.evaluate(**given)["tau_a"]
        found = model.evaluate(**given)["Y"] @ chi
        assert np.allclose(found, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())
