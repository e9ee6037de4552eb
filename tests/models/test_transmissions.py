"""Elastic transmissions: known systems, inverse against direct dynamics along motions, and the rigid robot as the limit."""

import numpy as np
import pytest
from numpy.typing import NDArray

import armillary as arm
from armillary.errors import ModelError

Floats = NDArray[np.float64]


def robot(kind: str) -> arm.Robot:
    """Two hinges and a slide; "ball": one of them a ball without transmission."""
    link = {"mass": 2.0, "center": (0.2, 0.1, 0), "inertia": (0.1, 0, 0, 0.2, 0, 0.25)}
    first = arm.spherical("first", **link) if kind == "ball" else arm.revolute("first", alpha="pi/2", FV=0.3, **link)
    return arm.describe(
        "arm",
        first,
        arm.revolute("second", alpha=0.4, d=0.5, **link),
        arm.prismatic("third", alpha="pi/2", d=0.3, **link),
    )


def data(n: int) -> dict[str, Floats]:
    rng = np.random.default_rng(n)
    return {
        "transmission_stiffness": rng.uniform(20, 50, n),
        "transmission_damping": rng.uniform(1, 3, n),
        "motor_inertia": rng.uniform(1e-3, 2e-3, n),
        "gear_ratio": rng.uniform(10, 30, n),
    }


def taken(model: arm.Model, values: dict[str, Floats]) -> dict[str, Floats]:
    return {x.name: values[x.name] for x in model.inputs}


class Motion:
    """Polynomials of degree six in time; the ball turns about one axis."""

    def __init__(self, kind: str, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.ball = kind == "ball"
        self.axis = rng.normal(size=3)
        self.axis /= np.linalg.norm(self.axis)
        self.c = rng.normal(size=(3, 7)) / np.arange(1, 8) ** 2

    def at(self, t: float) -> dict[str, Floats]:
        rows = [np.array([np.polyval(np.polyder(np.poly1d(c), k), t) for c in self.c]) for k in range(5)]
        if self.ball:
            half = rows[0][0] / 2
            q = np.r_[np.cos(half), np.sin(half) * self.axis, rows[0][1:]]
            return {"q": q} | {n: np.r_[r[0] * self.axis, r[1:]] for n, r in zip(NAMES, rows[1:], strict=True)}
        return {"q": rows[0]} | dict(zip(NAMES, rows[1:], strict=True))


NAMES = ("qd", "qdd", "qddd", "qdddd")


@pytest.mark.parametrize("kind", ["hinges", "ball"])
@pytest.mark.parametrize("seed", range(15))
def test_inverse_and_direct(kind: str, seed: int) -> None:
    """The motors' motion that the inverse model finds changes as the direct model says, and the joints follow."""
    r = robot(kind)
    n, first = (2, 3) if kind == "ball" else (3, 0)
    given = data(n) | {"transmission_damping": np.zeros(n)}
    motion = Motion(kind, seed)
    made, direct = r.transmission_inverse_dynamics(), r.transmission_direct_dynamics()

    def inverse(t: float) -> dict[str, Floats]:
        return made.evaluate(**taken(made, motion.at(t) | given))

    here = inverse(0.2)
    state = motion.at(0.2)
    found = direct.evaluate(**taken(direct, state | here | given))
    assert np.allclose(found["qdd"], state["qdd"], rtol=1e-9, atol=1e-9)
    h = 1e-3
    near = {k: inverse(0.2 + k * h) for k in (-2, -1, 1, 2)}

    def rate(name: str) -> Floats:
        return (8 * (near[1][name] - near[-1][name]) - (near[2][name] - near[-2][name])) / (12 * h)

    assert np.allclose(rate("theta"), here["thetad"], rtol=1e-6, atol=1e-7)
    assert np.allclose(rate("thetad"), found["thetadd"], rtol=1e-6, atol=1e-6)
    rigid = r.inverse_dynamics().evaluate(**{k: state[k] for k in ("q", "qd", "qdd")})["tau"]
    assert np.allclose(here["tau"][:first], rigid[:first], rtol=1e-12)


@pytest.mark.parametrize("seed", range(15))
def test_with_dampers(seed: int) -> None:
    """The stretch is a state: the torques found make the joints accelerate as asked, and the motors as the stretch changes."""
    r, given, motion = robot("hinges"), data(3), Motion("hinges", seed)
    made, direct = r.transmission_inverse_dynamics(damped=True), r.transmission_direct_dynamics()
    e, h = np.random.default_rng(seed).normal(size=3) / 10, 1e-4

    def inverse(t: float, stretch: Floats) -> dict[str, Floats]:
        return made.evaluate(**taken(made, motion.at(t) | given | {"stretch": stretch}))

    here, state = inverse(0.2, e), motion.at(0.2)
    found = direct.evaluate(**taken(direct, state | here | given))
    assert np.allclose(found["qdd"], state["qdd"], rtol=1e-9, atol=1e-9)
    assert np.allclose(here["theta"] - state["q"], e, rtol=1e-12, atol=1e-13)

    def speed(k: int) -> Floats:
        """θ' when the stretch has changed for k h, to second order."""
        rate = here["thetad"] - state["qd"]
        return inverse(0.2 + k * h, e + k * h * rate + (k * h) ** 2 / 2 * (found["thetadd"] - state["qdd"]))["thetad"]

    slope = (8 * (speed(1) - speed(-1)) - (speed(2) - speed(-2))) / (12 * h)
    assert np.allclose(slope, found["thetadd"], rtol=1e-6, atol=1e-5)


def test_stiff_transmissions_make_the_rigid_robot_with_rotors() -> None:
    r = robot("hinges")
    state, given = Motion("hinges", 1).at(0.3), data(3)
    made = r.transmission_inverse_dynamics()
    tau = r.inverse_dynamics().evaluate(**{k: state[k] for k in ("q", "qd", "qdd")})["tau"]
    N, J = given["gear_ratio"], given["motor_inertia"]
    limit = N * J * state["qdd"] + tau / N
    errors: list[float] = []
    for k in (1e5, 1e6, 1e7):
        found = made.evaluate(**taken(made, state | given | {"transmission_stiffness": np.full(3, k)}))
        errors.append(float(np.abs(found["tau"] - limit).max()))
    assert errors[1] == pytest.approx(errors[0] / 10, rel=1e-3) and errors[2] == pytest.approx(errors[1] / 10, rel=1e-3)


def test_two_discs_on_a_shaft() -> None:
    """J1 θ'' + K (θ - q) = τ, J2 q'' = K (θ - q)."""
    r = arm.describe("disc", arm.revolute("disc", inertia=(1, 0, 0, 1, 0, 1), mass=1), gravity=(0, 0, 0))
    made = r.transmission_inverse_dynamics()
    given = {"q": [0.3], "qd": [0.1], "qdd": [2.0], "qddd": [-1.0], "qdddd": [7.0]}
    given |= {"transmission_stiffness": [50.0], "motor_inertia": [0.2], "gear_ratio": [1.0]}
    found = made.evaluate(**{x.name: np.array(given[x.name]) for x in made.inputs})
    assert found["theta"] == pytest.approx([0.3 + 2 / 50]) and found["thetad"] == pytest.approx([0.1 - 1 / 50])
    assert found["tau"] == pytest.approx([0.2 * (2 + 7 / 50) + 2.0])


def test_some_joints_are_rigid() -> None:
    r = robot("hinges")
    name = r.v_names[1]
    made = r.transmission_direct_dynamics(joints=(name,))
    assert made.input("theta").size == 1
    with pytest.raises(
        ModelError, match="q9 cannot have a transmission; joints can that have one velocity and a motor: q1, q2, q3"
    ):
        r.transmission_direct_dynamics(joints=("q9",))
    with pytest.raises(ModelError, match="there are none"):
        arm.describe("stone", arm.free("stone", mass=1, inertia=(1, 0, 0, 1, 0, 1))).transmission_inverse_dynamics()
