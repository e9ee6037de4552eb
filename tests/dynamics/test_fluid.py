"""Resistance and added mass: bodies whose motion in a fluid is known, energy, and the same motion from every model."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

import armillary as arm
from armillary.errors import FormatError, ModelError, RobotError
from armillary.formats import par, toml
from armillary.kinematics.closure import moved
from armillary.robot import Base
from armillary.robot.fluid import COEFFICIENTS, Fluid
from models.test_tied_joints import closed_state, five_bar
from reference.random_trees import random_state, random_tree

Floats = NDArray[np.float64]
AT_REST = np.array([0, 0, 0, 1, 0, 0, 0], dtype=float)
STONE = {"mass": 2, "inertia": (1, 0, 0, 2, 0, 3)}


def stone(current: tuple[object, ...] = (0, 0, 0), **fluid: tuple[float, float, float]) -> arm.Robot:
    return arm.describe("stone", arm.free("stone", fluid=fluid, **STONE), current=current)  # type: ignore[arg-type]


def test_terminal_velocity() -> None:
    """A stone sinks at √(m g / D): it no longer accelerates."""
    v = np.sqrt(2 * 9.81 / 5)
    for added in ((0, 0, 0), (1, 2, 3)):
        robot = stone(drag=(1, 1, 5), added_mass=added)
        found = robot.underactuated_inverse_dynamics().evaluate(q=AT_REST, qd=[0, 0, -v, 0, 0, 0])
        assert np.abs(found["qdd"]).max() < 1e-13


def test_a_stone_let_go_falls_slower_in_water() -> None:
    """m g = (m + A) a along each axis: the fluid has to be moved out of the way, and is not itself pulled down."""
    for k in range(3):
        g = [0, 0, 0]
        g[k] = -9.81
        robot = arm.describe("stone", arm.free("stone", fluid={"added_mass": (1, 2, 3)}, **STONE), gravity=g)  # type: ignore[arg-type]
        for method in ("articulated", "matrix"):
            found = robot.direct_dynamics(method).evaluate(q=AT_REST, qd=np.zeros(6), tau=np.zeros(6))["qdd"]
            assert found[k] == pytest.approx(-9.81 * 2 / (2 + k + 1), rel=1e-14)


def test_what_moves_with_the_current_feels_nothing() -> None:
    rng = np.random.default_rng(1)
    e = rng.normal(size=4)
    e /= np.linalg.norm(e)
    q, u = np.r_[rng.normal(size=3), e], rng.normal(size=3)
    robot = stone(drag=(1, 2, 5), added_mass=(3, 4, 6), center=(0.1, 0.2, 0.3))
    R = robot.pose("stone").evaluate(q=q)["T"][:3, :3]
    made = robot.fluid_wrenches(inputs=("current",))
    with_it = made.evaluate(q=q, qd=np.r_[R.T @ u, 0, 0, 0], qdd=np.zeros(6), current=u)["W"]
    assert np.abs(with_it).max() < 1e-13
    still = made.evaluate(q=q, qd=np.zeros(6), qdd=np.zeros(6), current=u)["W"]
    moving = made.evaluate(q=q, qd=np.r_[-R.T @ u, 0, 0, 0], qdd=np.zeros(6), current=np.zeros(3))["W"]
    assert np.allclose(still, moving, rtol=1e-13)


def test_a_hull_at_an_angle_turns_broadside() -> None:
    """Munk's moment: a long hull that drifts steadily at an angle is turned across its way."""
    qd = np.array([2.0, 0.5, 0, 0, 0, 0])
    W = stone(added_mass=(1, 8, 8)).fluid_wrenches().evaluate(q=AT_REST, qd=qd, qdd=np.zeros(6))["W"][0]
    assert W[:5] == pytest.approx([0] * 5) and W[5] == pytest.approx(2.0 * 0.5 * (8 - 1))


def test_a_buoy_leans_in_the_current() -> None:
    """A light rod on a spring: k q = D (u cos q)² l at rest, and the stiffness about it by differences of the torque."""
    robot = arm.describe(
        "buoy",
        arm.revolute("rod", stiffness=3.0, IA=0.1, actuated=False, fluid={"center": (0.5, 0, 0), "drag": (0, 4.0, 0)}),
        current=(0.1, 0.8, 0),
    )
    rest = robot.equilibrium()
    u = 0.8 * np.cos(rest.q[0]) - 0.1 * np.sin(rest.q[0])
    assert rest.stable and 3 * rest.q[0] == pytest.approx(4.0 * u * u * 0.5, rel=1e-11)
    slope = 3 + 4.0 * u * (0.8 * np.sin(rest.q[0]) + 0.1 * np.cos(rest.q[0]))
    assert rest.stiffness[0, 0] == pytest.approx(slope, rel=1e-12)


# ---- robots by the hundred ----


def in_water(seed: int, drag: bool = True) -> tuple[arm.Robot, np.random.Generator]:
    """A random tree on a base that moves, most of whose links are in a current; links behind fixed joints too."""
    rng = np.random.default_rng([seed, 41])
    robot = random_tree(rng, int(rng.integers(2, 7)))
    bodies = []
    for b in robot.bodies:
        x = np.r_[rng.normal(size=3), rng.uniform(0.5, 2, 6) * drag, rng.uniform(0.5, 2, 6)]
        bodies.append(
            replace(
                b,
                IA=b.IA + 0.1 * (b.joint.nv == 1),
                fluid=Fluid.of([float(y) for y in x]) if rng.random() < 0.8 else None,
            )
        )
    base = robot.base
    if drag:
        current, velocity, acceleration = (tuple(float(x) for x in rng.normal(size=n)) for n in (3, 6, 6))
        base = replace(base, current=current, velocity=velocity, acceleration=acceleration)
    return arm.Robot.of(replace(robot, bodies=tuple(bodies), base=base)), rng


def dry(robot: arm.Robot) -> arm.Robot:
    return arm.Robot.of(replace(robot, bodies=tuple(replace(b, fluid=None) for b in robot.bodies)))


@pytest.mark.parametrize("seed", range(60))
def test_every_model_moves_the_same_fluid(seed: int) -> None:
    """Fluid wrenches as given ones in the robot without a fluid; direct and hybrid dynamics as the way back."""
    robot, rng = in_water(seed)
    q, qd, qdd = random_state(rng, robot)
    state = {"q": q, "qd": qd, "qdd": qdd}
    tau = robot.inverse_dynamics().evaluate(**state)["tau"]
    made = robot.fluid_wrenches()
    W = dict(zip(made.output("W").rows, made.evaluate(**state)["W"], strict=True))
    given = dry(robot).inverse_dynamics(inputs=[f"wrench:{name}" for name in W])
    again = given.evaluate(**state, **{f"wrench_{name}": w for name, w in W.items()})["tau"]
    size = np.linalg.norm(tau) + np.linalg.norm(list(W.values()))
    assert np.allclose(tau, again, rtol=0, atol=1e-12 * size)
    if seed < 20:
        grouped = robot.inverse_dynamics(base_parameters=True).evaluate(**state)["tau"]
        assert np.allclose(grouped, tau, rtol=0, atol=1e-11 * size)
    A = robot.inertia_matrix().evaluate(q=q)["A"]
    still = arm.Robot.of(replace(robot, base=Base(gravity=robot.base.gravity)))
    E = still.kinetic_energy().evaluate(q=q, qd=qd)["E"]
    assert qd @ A @ qd / 2 == pytest.approx(E, rel=1e-12)
    if not robot.nv or np.linalg.cond(A) > 1e8:
        return
    bound = 1e-12 * np.linalg.cond(A) * (np.linalg.norm(qdd) + size / np.linalg.norm(A))
    for method in ("articulated", "matrix"):
        found = robot.direct_dynamics(method).evaluate(q=q, qd=qd, tau=tau)["qdd"]
        assert np.linalg.norm(found - qdd) <= bound
    known = [name for name in robot.v_names if rng.random() < 0.5]
    held = np.array([name in known for name in robot.v_names])
    found = robot.hybrid_dynamics(tuple(known)).evaluate(q=q, qd=qd, given=np.where(held, qdd, tau))["found"]
    assert np.allclose(found, np.where(held, tau, qdd), rtol=0, atol=10 * bound * (1 + np.linalg.norm(A)))


@pytest.mark.parametrize("seed", range(15))
def test_energy_in_a_fluid_at_rest(seed: int) -> None:
    """The power of the torques moves links and fluid, and what resistance takes is more than nothing."""
    robot, rng = in_water(seed, drag=False)
    robot = arm.Robot.of(replace(robot, bodies=tuple(replace(b, FV=0, FS=0) for b in robot.bodies)))
    q, qd, qdd = random_state(rng, robot)
    state = {"q": q, "qd": qd, "qdd": qdd}

    def rate(name: str) -> float:
        made = robot.derive(name).time_derivative()
        return float(next(iter(made.evaluate(**{x.name: state[x.name] for x in made.states}).values())))

    power = float(robot.inverse_dynamics().evaluate(**state)["tau"] @ qd)
    assert rate("kinetic-energy") + rate("potential-energy") == pytest.approx(power, rel=1e-9, abs=1e-9)
    rough = [
        replace(b, fluid=replace(b.fluid, drag=(1, 2, 3), turning_drag=(3, 2, 1))) if b.fluid else b
        for b in robot.bodies
    ]
    slowed = arm.Robot.of(replace(robot, bodies=tuple(rough))).inverse_dynamics().evaluate(**state)["tau"] @ qd
    assert slowed > power or not robot.nv or not robot.immersed
    h = robot.coriolis_torques().evaluate(q=q, qd=qd)["h"]
    A = robot.inertia_matrix().time_derivative().evaluate(q=q, qd=qd)["A_d1t"]
    assert qd @ h == pytest.approx(qd @ A @ qd / 2, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("seed", range(12))
def test_slopes_in_a_fluid(seed: int) -> None:
    """Derivatives of torques and of accelerations by differences along the motion; without a fluid they are the recursion's."""
    robot, rng = in_water(seed)
    q, qd, qdd = random_state(rng, robot)
    if not robot.nv:
        return
    joints = [b.joint for b in robot.bodies]
    inverse, direct = robot.inverse_dynamics(), robot.direct_dynamics("matrix")
    tau = inverse.evaluate(q=q, qd=qd, qdd=qdd)["tau"]
    e, h = rng.normal(size=robot.nv), 1e-4

    def along(f: object, by: str) -> Floats:
        at = [
            f(**({"q": moved(joints, q, t * e), "qd": qd} if by == "q" else {"q": q, "qd": qd + t * e}))
            for t in (-2 * h, -h, h, 2 * h)
        ]  # type: ignore[operator]
        return (8 * (at[2] - at[1]) - (at[3] - at[0])) / (12 * h)

    found = robot.inverse_dynamics_derivatives().evaluate(q=q, qd=qd, qdd=qdd)
    size = 1e-6 * (np.linalg.norm(tau) + np.linalg.norm(found["dtau_dq"]) + np.linalg.norm(found["dtau_dqd"]))
    for by in ("q", "qd"):
        assert np.allclose(
            along(lambda **x: inverse.evaluate(**x, qdd=qdd)["tau"], by), found[f"dtau_d{by}"] @ e, rtol=0, atol=size
        )
    if np.linalg.cond(found["A"]) > 1e4:
        return
    made = robot.linearisation().evaluate(q=q, qd=qd, tau=tau)
    n = robot.nv
    for by, block in (("q", made["F"][n:, :n]), ("qd", made["F"][n:, n:])):
        expected = along(lambda **x: direct.evaluate(**x, tau=tau)["qdd"], by)
        assert np.allclose(
            expected, block @ e, rtol=0, atol=1e-6 * np.linalg.cond(found["A"]) * (1 + np.linalg.norm(made["F"]))
        )
    assert np.allclose(made["G"][n:], np.linalg.inv(found["A"]), rtol=1e-8, atol=1e-9) and np.allclose(made["qdd"], qdd)


def test_a_body_alone_keeps_its_impulse() -> None:
    """Kirchhoff: without resistance R (m + A) v and the moment of it about the world's origin stay as they are."""
    robot = arm.describe(
        "stone",
        arm.free("stone", fluid={"added_mass": (1, 5, 3), "added_inertia": (1, 2, 4)}, **STONE),
        gravity=(0, 0, 0),
    )  # type: ignore[arg-type]
    f = robot.direct_dynamics().compile(cache=False)

    def rate(x: Floats) -> Floats:
        w, e, v = x[3], x[4:7], x[7:]
        turn = np.r_[-e @ v[3:], w * v[3:] + np.cross(e, v[3:])] / 2
        return np.r_[rotation(x[3:7]) @ v[:3], turn, f(x[:7], v, np.zeros(6))]

    def impulse(x: Floats) -> Floats:
        R = rotation(x[3:7])
        P, L = R @ ((2 + np.array([1, 5, 3])) * x[7:10]), R @ ((np.array([1, 2, 3]) + [1, 2, 4]) * x[10:])
        return np.r_[P, L + np.cross(x[:3], P)]

    x = np.r_[0.1, -0.2, 0.3, 1, 0, 0, 0, 0.5, 0.3, -0.4, 0.7, -1.1, 0.6]
    start, h = impulse(x), 0.005
    for _ in range(400):
        a = rate(x)
        b = rate(x + h / 2 * a)
        c = rate(x + h / 2 * b)
        x = x + h / 6 * (a + 2 * b + 2 * c + rate(x + h * c))
    assert np.allclose(impulse(x), start, atol=1e-7)


def test_loops_in_water() -> None:
    """A five-bar under water: there and back, and A_c = Gᵀ A G with the fluid in A."""
    robot = five_bar("ac")
    fluid = Fluid((0.25, 0, 0), (0, 9.0, 0), (0, 0, 0.2), (0, 3.0, 0), (0, 0, 0.1))
    robot = arm.Robot.of(replace(robot, bodies=tuple(replace(b, fluid=fluid) for b in robot.bodies)))
    q, G = closed_state()
    qd, qdd = [1.0, -0.5], [0.3, 0.8]
    tau = robot.closed_inverse_dynamics().evaluate(q=q, qd_a=qd, qdd_a=qdd)["tau_a"]
    for way in ("subsystem-inverse-dynamics", "free-body-dynamics"):
        again = robot.derive(way).evaluate(q=q, qd_a=qd, qdd_a=qdd)["tau_a"]
        assert np.allclose(again, tau, rtol=0, atol=1e-9)
    for method in ("reduced", "multipliers"):
        back = robot.closed_direct_dynamics(method).evaluate(q=q, qd_a=qd, tau_a=tau)["qdd"]
        assert np.allclose(back[[0, 2]], qdd, atol=1e-9)
    A = arm.Robot.of(robot.opened()).inertia_matrix()
    Ac = robot.closed_inertia_matrix().evaluate(q=q)["A"]
    assert np.allclose(Ac, G.T @ A.evaluate(q=q)["A"] @ G, atol=1e-7)
    assert Ac[0, 0] > five_bar("ac").closed_inertia_matrix().evaluate(q=q)["A"][0, 0] + 0.1


def test_how_a_fluid_is_said() -> None:
    """In files, with symbols, and wrongly."""
    robot = arm.describe(
        "swimmer",
        arm.free("head", mass=1, inertia=(1, 0, 0, 1, 0, 1), fluid="symbolic"),
        arm.revolute(
            "tail", mass=1, inertia=(1, 0, 0, 1, 0, 1), fluid={"drag": ("D", 0, "2*D"), "center": (0.1, 0, 0)}
        ),
        current=("u", 0, 0),
    )
    text = toml.write(robot)
    assert toml.read(text).bodies == robot.bodies and toml.read(text).base == robot.base
    assert 'fluid = "symbolic"' in text and 'fluid = { center = [0.1, 0, 0], drag = ["D", 0, "2*D"] }' in text
    assert set(robot.symbols) >= {"D", "u", *(f"{x}1" for x in COEFFICIENTS)}
    assert "D" not in [x.name for x in robot.inverse_dynamics(fixed={"D": 2}).inputs]
    with pytest.raises(
        FormatError, match=r"a \.par file has no place for fluid around links, and there is one at tail"
    ):
        par.write(arm.Robot.of(replace(robot, bodies=robot.bodies[1:])))
    for given in ({"mass": (1, 2, 3)}, "some", 3):
        with pytest.raises(RobotError, match='it is "symbolic", or a table of center, drag, turning_drag, added_mass'):
            arm.describe("x", arm.revolute("a", fluid=given))  # type: ignore[arg-type]
    for name in ("coriolis-matrix", "regressor"):
        with pytest.raises(
            ModelError, match=f"{name} is for .*; swimmer has head, tail in a fluid, which this model leaves out"
        ):
            robot.derive(name)


def test_a_wave_along_the_eel_drives_it_forwards() -> None:
    """From rest, a wave that runs from head to tail pushes the eel ahead: after some strokes its centre moves with +x."""
    robot = arm.load("eel12")
    moved = robot.underactuated_inverse_dynamics().compile(cache=False)
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
        v = v + h * moved(np.r_[q, a], np.r_[v, b], c)[0][:6]
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
