"""Torques from the base parameters alone: their regressor, and their values from the full parameters."""

import numpy as np
import pytest

import armillary as arm
from armillary.errors import ModelError
from reference.random_trees import random_state, random_tree


@pytest.mark.parametrize("seed", range(30))
def test_torque_from_base_parameters(seed: int) -> None:
    """Y_b χ_b = Γ on random trees, friction columns beside the base parameters'."""
    rng = np.random.default_rng(seed)
    robot = arm.Robot.of(random_tree(rng, 1 + seed % 7))
    if not robot.nv:
        return
    q, qd, qdd = random_state(rng, robot)
    model = robot.regressor(base_parameters=True)
    Y = model.evaluate(q=q, qd=qd, qdd=qdd)["Y"]
    base = robot.base_parameter_values().evaluate()["chi"]
    labels = model.output("Y").columns
    assert len(base) == robot.base_parameters().rank
    friction = [float(getattr(robot.body(x[3:]), x[:2])) for x in labels[len(base) :]]
    tau = robot.inverse_dynamics().evaluate(q=q, qd=qd, qdd=qdd)["tau"]
    assert np.abs(Y @ np.r_[base, friction] - tau).max() <= 1e-9 * max(1, np.abs(tau).max())
    grouped = robot.inverse_dynamics(base_parameters=True).evaluate(q=q, qd=qd, qdd=qdd)["tau"]
    assert np.abs(grouped - tau).max() <= 1e-9 * max(1, np.abs(tau).max())


def test_columns_are_labelled() -> None:
    model = arm.load("rx90").regressor(base_parameters=True)
    columns = model.output("Y").columns
    assert model.output("Y").shape == (6, 52) and columns[0] == "ZZ1R" and columns[-1] == "FS_link6"
    with pytest.raises(ModelError, match="wrench on the base"):
        arm.load("rx90").regressor(base_wrench=True, base_parameters=True)


def test_symbols_of_their_own_are_labels() -> None:
    """A symbol that is one parameter alone names its column; one that stands in other formulas too, or twice, does not."""
    r = arm.describe(
        "2R",
        arm.revolute("upper", inertials="symbolic", FV="FV1", FS="fs"),
        arm.revolute("lower", d="L", M="m", MX="m*c", ZZ="I", FV="b", FS="fs"),
    )
    full = r.regressor().output("Y").columns
    assert full[:13] == tuple("XX1 XY1 XZ1 YY1 YZ1 ZZ1 MX1 MY1 MZ1 M1 IA1 FV1 FS_upper".split())
    assert full[18:] == tuple("I MX_lower MY_lower MZ_lower M_lower IA_lower b FS_lower".split())
    assert r.regressor(base_parameters=True).output("Y").columns[-4:] == ("FV1", "FS_upper", "b", "FS_lower")


def test_rows_of_the_base() -> None:
    """The wrench on the base, from its rows, is that of the reaction model."""
    r = arm.load("panda")
    rng = np.random.default_rng(0)
    given = {name: rng.normal(size=7) for name in ("q", "qd", "qdd")}
    model = r.regressor(base_wrench=True)
    Y = model.evaluate(**given)["Y"]
    chi = []
    for label in model.output("Y").columns:
        parameter, body = label.split("_", 1)
        b = r.body(body)
        chi.append(float(getattr(b if parameter in ("IA", "FV", "FS") else b.inertia, parameter)))
    reactions = r.reaction_wrenches().evaluate(**given)
    assert np.allclose(Y @ chi, np.r_[reactions["F0"], reactions["tau"]], rtol=1e-10, atol=1e-10)
