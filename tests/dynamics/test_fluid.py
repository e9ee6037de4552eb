"""Resistance and added mass: bodies whose motion in a fluid is known, energy, and a swimmer's wrenches as inputs of its models."""

import numpy as np
import pytest
from numpy.typing import NDArray

import armillary as arm

Floats = NDArray[np.float64]
AT_REST = np.array([0, 0, 0, 1, 0, 0, 0], dtype=float)


def coefficients(**given: tuple[float, float, float]) -> Floats:
    return np.concatenate([np.array(given.get(name, (0, 0, 0)), dtype=float) for name in ("c", "D", "E", "A", "B")])


def stone(**more: object) -> arm.Robot:
    return arm.describe("stone", arm.free("stone", mass=2, inertia=(1, 0, 0, 2, 0, 3)), **more)  # type: ignore[arg-type]


def test_terminal_velocity() -> None:
    """A stone sinks at √(m g / D): it no longer accelerates."""
    robot = stone()
    v = np.sqrt(2 * 9.81 / 5)
    qd = np.array([0, 0, -v, 0, 0, 0])
    fluid = coefficients(D=(1, 1, 5))
    W = robot.fluid_wrenches().evaluate(q=AT_REST, qd=qd, qdd=np.zeros(6), fluid_stone=fluid)["W"]
    found = robot.underactuated_inverse_dynamics(inputs=("wrench:stone",)).evaluate(q=AT_REST, qd=qd, wrench_stone=W[0])
    assert np.abs(found["qdd"]).max() < 1e-13


def test_what_moves_with_the_current_feels_nothing() -> None:
    rng = np.random.default_rng(1)
    e = rng.normal(size=4)
    e /= np.linalg.norm(e)
    q, u = np.r_[rng.normal(size=3), e], rng.normal(size=3)
    robot = stone()
    R = robot.pose("stone").evaluate(q=q)["T"][:3, :3]
    fluid = coefficients(D=(1, 2, 5), A=(3, 4, 6), c=(0.1, 0.2, 0.3))
    made = robot.fluid_wrenches(current=True)
    with_it = made.evaluate(q=q, qd=np.r_[R.T @ u, 0, 0, 0], qdd=np.zeros(6), current=u, fluid_stone=fluid)["W"]
    assert np.abs(with_it).max() < 1e-13
    still = made.evaluate(q=q, qd=np.zeros(6), qdd=np.zeros(6), current=u, fluid_stone=fluid)["W"]
    moving = made.evaluate(q=q, qd=np.r_[-R.T @ u, 0, 0, 0], qdd=np.zeros(6), current=np.zeros(3), fluid_stone=fluid)[
        "W"
    ]
    assert np.allclose(still, moving, rtol=1e-13)


def test_a_hull_at_an_angle_turns_broadside() -> None:
    """Munk's moment: a long hull that drifts steadily at an angle is turned across its way."""
    fluid = coefficients(A=(1, 8, 8))
    qd = np.array([2.0, 0.5, 0, 0, 0, 0])
    W = stone().fluid_wrenches().evaluate(q=AT_REST, qd=qd, qdd=np.zeros(6), fluid_stone=fluid)["W"][0]
    assert W[:5] == pytest.approx([0] * 5) and W[5] == pytest.approx(2.0 * 0.5 * (8 - 1))


@pytest.mark.parametrize("seed", range(20))
def test_power_of_added_mass_is_the_rate_of_the_fluids_energy(seed: int) -> None:
    """½ vᵀAv + ½ ωᵀBω by differences along a motion; and resistance only ever takes power."""
    rng = np.random.default_rng(seed)
    robot = arm.describe(
        "swimmer",
        arm.free("head", mass=1, inertia=(1, 0, 0, 2, 0, 2)),
        arm.revolute("body", alpha=0.3, d=-0.4, mass=1, inertia=(1, 0, 0, 2, 0, 2)),
        arm.prismatic("fin", alpha="pi/2", d=-0.3, mass=1, inertia=(1, 0, 0, 2, 0, 2)),
        gravity=(0, 0, 0),
    )
    names = ("head", "body", "fin")
    added = {f"fluid_{x}": np.r_[rng.normal(size=3), np.zeros(6), rng.uniform(0.5, 2, 6)] for x in names}
    dragged = {name: np.r_[x[:3], rng.uniform(0.5, 2, 6), np.zeros(6)] for name, x in added.items()}
    e = rng.normal(size=4)
    q, qd, qdd = np.r_[rng.normal(size=3), e / np.linalg.norm(e), rng.normal(size=2)], *rng.normal(size=(2, 8))
    V = robot.velocities()
    made = robot.fluid_wrenches()

    def energy(h: float) -> float:
        velocities = V.evaluate(q=q_at(h), qd=qd + h * qdd)["V"]
        total = 0.0
        for (v, w), x in zip(velocities.reshape(3, 2, 3), added.values(), strict=True):
            at_center = v + np.cross(w, x[:3])
            total += (x[9:12] @ at_center**2 + x[12:] @ w**2) / 2
        return total

    def q_at(h: float) -> Floats:
        """To second order."""
        rates = []
        for moved in (0.0, h):
            p = q + moved * (rates[0] if rates else np.zeros(9))
            w, x = p[3], p[4:7]
            nu = qd + moved * qdd
            R = robot.pose("head").evaluate(q=p)["T"][:3, :3]
            turn = np.r_[-x @ nu[3:6], w * nu[3:6] + np.cross(x, nu[3:6])] / 2
            rates.append(np.r_[R @ nu[:3], turn, nu[6:]])
        there = q + h * (rates[0] + rates[1]) / 2
        there[3:7] /= np.linalg.norm(there[3:7])
        return there

    W = made.evaluate(q=q, qd=qd, qdd=qdd, **added)["W"]
    power = float(np.sum(W * V.evaluate(q=q, qd=qd)["V"]))
    h = 1e-4
    change = (8 * (energy(h) - energy(-h)) - (energy(2 * h) - energy(-2 * h))) / (12 * h)
    assert abs(change - power) <= 1e-6 * max(1.0, abs(power))
    resisted = made.evaluate(q=q, qd=qd, qdd=qdd, **dragged)["W"]
    assert float(np.sum(resisted * V.evaluate(q=q, qd=qd)["V"])) > 0


def test_a_wave_along_the_eel_drives_it_forwards() -> None:
    """From rest, a wave that runs from head to tail pushes the eel ahead: after some strokes its centre moves with +x."""
    robot = arm.load("eel12")
    links = [b.name for b in robot.bodies]
    fluid = {f"fluid_{x}": coefficients(c=(-0.06, 0, 0), D=(0.2, 12, 4), E=(0.01, 0.01, 0.02)) for x in links}
    W = robot.fluid_wrenches().compile(cache=False, parameters=fluid)
    moved = robot.underactuated_inverse_dynamics(inputs=[f"wrench:{x}" for x in links]).compile(cache=False)
    momentum = robot.momentum()
    n, k = 11, np.arange(11)

    def bent(t: float) -> tuple[Floats, Floats, Floats]:
        """A wave that grows towards the tail; it starts smoothly."""
        ramp, size = min(1.0, t), 0.12 + 0.02 * k
        phase = 2 * np.pi * (t - k / n)
        return (
            ramp * size * np.sin(phase),
            ramp * size * 2 * np.pi * np.cos(phase),
            -ramp * size * 4 * np.pi**2 * np.sin(phase),
        )

    q, v = np.zeros(7), np.zeros(6)
    q[3] = 1
    h = 2e-3
    for step in range(1500):
        a, b, c = bent(step * h)
        wrenches = W(np.r_[q, a], np.r_[v, b], np.zeros(17))
        qdd = moved(np.r_[q, a], np.r_[v, b], c, *wrenches)[0]
        v = v + h * qdd[:6]
        R = rotation(q[3:])
        q[:3] += h * R @ v[:3]
        w, x = q[3], q[4:]
        q[3:] += h / 2 * np.r_[-x @ v[3:], w * v[3:] + np.cross(x, v[3:])]
        q[3:] /= np.linalg.norm(q[3:])
    a, b, _ = bent(1500 * h)
    forwards = momentum.evaluate(q=np.r_[q, a], qd=np.r_[v, b])["v_c"]
    assert forwards[0] > 0.05 and abs(q[2]) < 1e-9


def rotation(e: Floats) -> Floats:
    """R of a unit quaternion (w, x, y, z)."""
    w, x, y, z = e
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])  # fmt: skip
