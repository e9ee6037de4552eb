"""Centre of mass and momentum against Pinocchio's free-flyers, and inverse dynamics of what nothing holds against direct dynamics."""

import numpy as np
import pinocchio as pin
import pytest

import armillary as arm
from armillary.errors import ModelError
from reference.floating import Floats, close, moving, peer, state


def output(robot: arm.Robot, model: str, given: dict[str, Floats], **options: object) -> dict[str, Floats]:
    made = robot.derive(model, **options)
    return made.evaluate(**{x.name: given[x.name] for x in made.inputs})


@pytest.mark.parametrize("seed", range(300))
def test_against_pinocchio(seed: int) -> None:
    rng = np.random.default_rng([seed, 1])
    robot = moving(rng, 1 + seed % 6, "free" if seed % 5 else "planar")
    if not any(float(b.inertia.M) for b in robot.bodies):
        return
    model = peer(robot)
    data = model.createData()
    q, pq = state(robot, rng)
    v, a = rng.normal(size=(2, robot.nv))
    given = {"q": q, "qd": v, "qdd": a}

    pin.dccrba(model, data, pq, v)
    pin.centerOfMass(model, data, pq, v, a)
    center = output(robot, "center-of-mass", given)
    close(center["mass"], np.array(pin.computeTotalMass(model)), "mass")
    close(center["c"], data.com[0], "centre of mass")

    matrix = output(robot, "momentum-matrix", given)
    close(matrix["Ac"], data.Ag, "centroidal momentum matrix")
    close(matrix["c"], data.com[0], "centre of mass")
    pin.ccrba(model, data, pq, v)
    close(matrix["Ic"], data.Ig.inertia + 0 * data.Ag[:3, :3], "inertia of the whole")
    close(matrix["Jc"], pin.jacobianCenterOfMass(model, data, pq), "Jacobian of the centre of mass")

    h = output(robot, "momentum", given)
    pin.computeCentroidalMomentumTimeVariation(model, data, pq, v, a)
    close(h["h"], np.r_[data.hg.linear, data.hg.angular], "momentum")
    rate = output(robot, "momentum-rate", given)
    close(rate["hp"], np.r_[data.dhg.linear, data.dhg.angular], "rate of momentum")
    pin.centerOfMass(model, data, pq, v, a)
    close(h["v_c"], data.vcom[0], "velocity of the centre of mass")
    close(rate["a_c"], data.acom[0], "acceleration of the centre of mass")

    tau = pin.rnea(model, data, pq, v, a)
    floating = robot.bodies[0].joint.nv
    A = np.triu(pin.crba(model, data, pq))
    A = A + np.triu(A, 1).T
    if np.linalg.eigvalsh(A[:floating, :floating]).min() > 1e-6 * np.abs(A).max():
        found = output(robot, "underactuated-inverse-dynamics", given | {"qdd_a": a[floating:]})
        assert np.array_equal(found["qdd"][floating:], a[floating:]) and not found["tau"][:floating].any()
        expected = pin.rnea(model, data, pq, v, found["qdd"])
        size = np.linalg.norm(A, 2) * np.linalg.norm(found["qdd"]) + np.linalg.norm(tau)
        assert np.linalg.norm(expected - found["tau"]) <= 1e-11 * size


@pytest.mark.parametrize("seed", range(5))
def test_rate_is_the_derivative_in_time(seed: int) -> None:
    rng = np.random.default_rng([seed, 2])
    robot = moving(rng, 3, "free")
    q, _ = state(robot, rng)
    v, a = rng.normal(size=(2, robot.nv))
    made = robot.momentum().time_derivative()
    found = made.evaluate(q=q, qd=v, qdd=a)
    rate = robot.momentum_rate().evaluate(q=q, qd=v, qdd=a)
    close(found["h_d1t"], rate["hp"], "ḣ")
    close(found["v_c_d1t"], rate["a_c"], "c̈")


def test_what_nothing_holds_falls_and_keeps_its_momentum() -> None:
    """Motors do not change the momentum of a robot in free fall: ḣ is the weight, about the centre nothing."""
    rng = np.random.default_rng(3)
    robot = moving(rng, 4, "free")
    q, _ = state(robot, rng)
    v = rng.normal(size=robot.nv)
    moved = robot.underactuated_inverse_dynamics().evaluate(q=q, qd=v, qdd_a=rng.normal(size=robot.nv - 6))
    mass = robot.center_of_mass().evaluate(q=q)["mass"]
    hp = robot.momentum_rate().evaluate(q=q, qd=v, qdd=moved["qdd"])["hp"]
    close(hp, np.r_[mass * np.array([float(x) for x in robot.base.gravity]), 0, 0, 0], "ḣ")


def test_given_wrenches_move_the_base() -> None:
    """What a thruster at the root pushes with adds up with the weight."""
    rng = np.random.default_rng(4)
    robot = moving(rng, 3, "free")
    q, _ = state(robot, rng)
    v, push = rng.normal(size=robot.nv), rng.normal(size=6)
    made = robot.underactuated_inverse_dynamics(inputs=("wrench:root",))
    moved = made.evaluate(q=q, qd=v, qdd_a=np.zeros(robot.nv - 6), wrench_root=-push)
    T = robot.pose("root").evaluate(q=q)["T"]
    center = robot.center_of_mass().evaluate(q=q)
    weight = center["mass"] * np.array([float(x) for x in robot.base.gravity])
    force, arm_ = T[:3, :3] @ push[:3], T[:3, 3] - center["c"]
    hp = robot.momentum_rate().evaluate(q=q, qd=v, qdd=moved["qdd"])["hp"]
    close(hp, np.r_[weight + force, T[:3, :3] @ push[3:] + np.cross(arm_, force)], "ḣ")


def test_true_acceleration_and_what_an_accelerometer_feels() -> None:
    """In free fall a body without spin accelerates by g and feels nothing; at rest on the ground it is the other way round."""
    robot = arm.describe("stone", arm.free("stone", mass=2, inertia=(1, 0, 0, 2, 0, 3)))
    q = np.array([1, 2, 3, 1, 0, 0, 0])
    still = np.zeros(6)
    fall = robot.underactuated_inverse_dynamics().evaluate(q=q, qd=still)["qdd"]
    for qdd, true, felt in ((fall, -9.81, 0.0), (still, 0.0, 9.81)):
        given = {"q": q, "qd": still, "qdd": qdd}
        assert robot.frame_acceleration("stone").evaluate(**given)["a"] == pytest.approx([0, 0, true, 0, 0, 0])
        assert robot.proper_acceleration("stone").evaluate(**given)["a_g"] == pytest.approx([0, 0, felt, 0, 0, 0])


def test_a_moving_base_is_counted() -> None:
    """A base that moves as given carries the links along: the same as a floating one that moves so."""
    links = (
        arm.revolute("a", alpha="pi/2", mass=1, center=(0.2, 0, 0), inertia=(0.1, 0, 0, 0.2, 0, 0.3)),
        arm.revolute("b", d=0.4, mass=0.5, center=(0.1, 0.1, 0), inertia=(0.1, 0, 0, 0.2, 0, 0.3)),
    )
    carried = arm.describe("carried", *links)
    floating = arm.describe("floating", arm.free("root"), *links)
    rng = np.random.default_rng(5)
    q, qd, qdd = rng.normal(size=(3, 2))
    V, VP = rng.normal(size=(2, 6))
    base = {"base_velocity": V, "base_acceleration": np.r_[VP[:3] + np.cross(V[3:], V[:3]), VP[3:]]}
    states = ("base_velocity", "base_acceleration")
    here = carried.momentum(inputs=states[:1]).evaluate(q=q, qd=qd, base_velocity=V)
    there = floating.momentum().evaluate(q=np.r_[0, 0, 0, 1, 0, 0, 0, q], qd=np.r_[V, qd])
    for name, x in there.items():
        close(here[name], x, name)
    here = carried.momentum_rate(inputs=states).evaluate(q=q, qd=qd, qdd=qdd, **base)
    given = {"q": np.r_[0, 0, 0, 1, 0, 0, 0, q], "qd": np.r_[V, qd], "qdd": np.r_[VP, qdd]}
    for name, x in floating.momentum_rate().evaluate(**given).items():
        close(here[name], x, name)


def test_nothing_has_no_centre() -> None:
    robot = arm.describe("spinning", arm.revolute("flywheel", ZZ=1))
    with pytest.raises(ModelError, match="no link that moves has a mass M"):
        robot.center_of_mass()
