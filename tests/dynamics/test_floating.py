"""Bodies that float or glide: every model against Pinocchio's free-flyer and planar joints."""

import numpy as np
import pinocchio as pin
import pytest

from reference.floating import Floats, close, moving, peer, state


@pytest.mark.parametrize("kind", ["free", "planar"])
@pytest.mark.parametrize("seed", range(50))
def test_against_pinocchio(seed: int, kind: str) -> None:
    rng = np.random.default_rng(seed)
    robot = moving(rng, 1 + seed % 7, kind)
    model = peer(robot)
    data = model.createData()
    q, pq = state(robot, rng)
    v, a = rng.normal(size=(2, robot.nv))
    tau = pin.rnea(model, data, pq, v, a)
    given = {"q": q, "qd": v, "qdd": a, "tau": tau}

    def value(name: str, **options: str) -> Floats:
        made = robot.derive(name, **options)
        return next(iter(made.evaluate(**{x.name: given[x.name] for x in made.inputs}).values()))

    close(value("inverse-dynamics"), tau, "inverse dynamics")
    A = np.triu(pin.crba(model, data, pq))
    A = A + np.triu(A, 1).T
    close(value("inertia-matrix"), A, "inertia matrix")
    G = pin.computeGeneralizedGravity(model, data, pq)
    close(value("gravity-torques"), G, "gravity")
    close(value("coriolis-matrix") @ v, pin.rnea(model, data, pq, v, 0 * a) - G, "Coriolis matrix")
    close(value("kinetic-energy"), np.array(pin.computeKineticEnergy(model, data, pq, v)), "kinetic energy")
    if np.linalg.eigvalsh(A).min() > 1e-6 * np.abs(A).max():
        for method in ("articulated", "matrix"):
            found = value("direct-dynamics", method=method)
            residual = np.linalg.norm(A @ (found - a))
            assert residual <= 1e-11 * (np.linalg.norm(A, 2) * np.linalg.norm(found) + np.linalg.norm(tau)), method
    made = robot.inverse_dynamics_derivatives().evaluate(q=q, qd=v, qdd=a)
    pin.computeRNEADerivatives(model, data, pq, v, a)
    close(made["dtau_dq"], data.dtau_dq, "∂Γ/∂q")
    close(made["dtau_dqd"], data.dtau_dv, "∂Γ/∂q'")
    last = robot.bodies[-1].name
    pin.forwardKinematics(model, data, pq, v, a)
    close(robot.pose(last).evaluate(q=q)["T"], data.oMi[model.njoints - 1].homogeneous, "pose")
    frame = pin.getClassicalAcceleration(model, data, model.njoints - 1, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)
    found = robot.frame_acceleration(last).evaluate(q=q, qd=v, qdd=a)["a"]
    close(found, np.r_[frame.linear, frame.angular], "acceleration of the last link")


@pytest.mark.parametrize("kind", ["free", "planar"])
@pytest.mark.parametrize("seed", range(10))
def test_laws(seed: int, kind: str) -> None:
    """The energy changes by the power of all joints, the floating one's with them; base parameters are proven."""
    rng = np.random.default_rng(100 + seed)
    robot = moving(rng, 1 + seed % 4, kind)
    q, _ = state(robot, rng)
    qd, qdd = rng.normal(size=(2, robot.nv))
    given = {"q": q, "qd": qd, "qdd": qdd}

    def rate(model: str) -> Floats:
        made = robot.derive(model).time_derivative()
        return next(iter(made.evaluate(**{x.name: given[x.name] for x in made.inputs}).values()))

    tau = robot.inverse_dynamics().evaluate(**given)["tau"]
    assert abs(rate("kinetic-energy") + rate("potential-energy") - qd @ tau) <= 1e-9 * max(1, abs(qd @ tau))
    C = robot.coriolis_matrix().evaluate(q=q, qd=qd)["C"]
    S = rate("inertia-matrix") - 2 * C
    assert np.abs(S + S.T).max() <= 1e-10 * max(1, np.abs(C).max())
    base = robot.base_parameters()
    assert base.proof.rank == base.rank
    grouped = robot.inverse_dynamics(base_parameters=True).evaluate(**given)["tau"]
    assert np.abs(grouped - tau).max() <= 1e-9 * max(1, np.abs(tau).max())
