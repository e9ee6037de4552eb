"""Models of robots on wheels: those that textbooks derive by hand, laws along a motion, what statics leaves open."""

from dataclasses import replace

import numpy as np
import pytest

import armillary as arm
from armillary.errors import ModelError
from armillary.robot.mounting import mounting
from armillary.robot.part import Part
from reference.wheeled import WheelRows, wheeled_case

Floats = np.ndarray
LEFT = {"b": "r", "alpha": "-pi/2"}
"""A wheel's body under the platform: its axle to the left, its centre a radius above the ground."""


def wheel_body(
    name: str, parent: str, mass: object = 0, spin: object = 0, upright: object = 0, **place: object
) -> Part:
    """A disc with that moment of inertia about its axle, and that about the vertical."""
    inertia = (upright, 0, 0, upright, 0, spin)
    return arm.revolute(name, parent, mass=mass, inertia=inertia, **LEFT, **place)  # type: ignore[arg-type]


def platform(c: object = 0) -> Part:
    """A body of mass M and moment of inertia J about its centre of mass, which lies c before the origin."""
    return arm.planar("platform", mass="M", center=(c, 0, 0.2), inertia=(0, 0, 0, 0, 0, "J"))


VALUES = {
    "r": 0.12,
    "e": 0.31,
    "c": 0.17,
    "M": 21.0,
    "J": 1.3,
    "m": 1.7,
    "Iw": 0.02,
    "It": 0.013,
    "L": 0.9,
    "t": 0.07,
    "p": 0.4,
    "If": 0.3,
}
"""Of all parameters; none is 1, none twice another."""


def given(model: arm.Model, **states: object) -> dict[str, object]:
    """States that the model takes, and values for its parameters."""
    names = {x.name for x in model.inputs}
    return {k: x for k, x in {**VALUES, **states}.items() if k in names}


# ---- two driven wheels ----


def two_wheels() -> arm.Robot:
    return arm.describe(
        "two wheels",
        platform("c"),
        wheel_body("left", "platform", "m", "Iw", "It", r="e"),
        wheel_body("right", "platform", "m", "Iw", "It", r="-e"),
        arm.wheel("L", body="left", radius="r"),
        arm.wheel("R", body="right", radius="r"),
    )


def test_two_driven_wheels_as_textbooks_have_them() -> None:
    """With v, ω of the platform and c its centre of mass before the axle,

    (M + 2m + 2 Iw/r²) v̇ - M c ω² = (Γ_r + Γ_l)/r,   (J + M c² + 2 m e² + 2 It + 2 Iw e²/r²) ω̇ + M c v ω = e (Γ_r - Γ_l)/r
    """
    robot, p = two_wheels(), VALUES
    inverse, direct = robot.closed_inverse_dynamics(), robot.closed_direct_dynamics()
    rng = np.random.default_rng(0)
    for _ in range(20):
        q, rates, accelerations = rng.normal(size=5), rng.normal(size=2), rng.normal(size=2)
        r, e, c, M = p["r"], p["e"], p["c"], p["M"]
        v, w = r * rates.sum() / 2, r * (rates[1] - rates[0]) / (2 * e)
        dv, dw = r * accelerations.sum() / 2, r * (accelerations[1] - accelerations[0]) / (2 * e)
        forward = (M + 2 * p["m"] + 2 * p["Iw"] / r**2) * dv - M * c * w**2
        turn = (p["J"] + M * c**2 + 2 * p["m"] * e**2 + 2 * p["It"] + 2 * p["Iw"] * e**2 / r**2) * dw + M * c * v * w
        torques = r / 2 * np.array([forward - turn / e, forward + turn / e])
        found = inverse.evaluate(**given(inverse, q=q, qd_a=rates, qdd_a=accelerations))["tau_a"]
        assert np.allclose(found, torques, rtol=1e-12, atol=1e-12)
        back = direct.evaluate(**given(direct, q=q, qd_a=rates, tau_a=torques))["qdd"]
        assert np.allclose(back, [dv, v * 0, dw, *accelerations], rtol=1e-11, atol=1e-11)


def test_two_driven_wheels_posture_and_configuration() -> None:
    """ẋ = v cos θ, ẏ = v sin θ, θ̇ = ω; φ'_l,r = (v ∓ e ω)/r, with the motion given by v and ω."""
    robot, p = two_wheels(), VALUES
    posture = robot.posture_kinematics()
    by_platform = robot.configuration_kinematics(independent=("q1vx", "q1w"))
    q = [0.3, -0.2, 0.7, 1.0, 2.0]
    v, w = 0.8, -0.5
    expected = [v * np.cos(0.7), v * np.sin(0.7), w]
    found = posture.evaluate(**given(posture, q=q, eta=[v, w]))
    assert np.allclose(found["xid"], expected, rtol=1e-15) and np.array_equal(found["Sigma"], [[1, 0], [0, 0], [0, 1]])
    whole = by_platform.evaluate(**given(by_platform, q=q, qd_a=[v, w]))
    rates = [(v - p["e"] * w) / p["r"], (v + p["e"] * w) / p["r"]]
    assert np.allclose(whole["qp"], [*expected, *rates], rtol=1e-14)
    assert np.allclose(whole["S"] @ [v, w], whole["qp"], rtol=1e-14)


def test_the_centripetal_force_is_what_the_axle_bears() -> None:
    """Sideways forces add up to (M + 2 m) v ω + M c ω̇, and each is open: half of it."""
    robot, p = two_wheels(), VALUES
    model = robot.wheel_forces()
    rates, accelerations = np.array([2.0, 3.0]), np.array([0.7, -0.4])
    v, w = p["r"] * 2.5, p["r"] / (2 * p["e"])
    dw = p["r"] * -1.1 / (2 * p["e"])
    found = model.evaluate(**given(model, q=np.zeros(5), qd_a=rates, qdd_a=accelerations))
    side = (p["M"] + 2 * p["m"]) * v * w + p["M"] * p["c"] * dw
    assert found["axles"] == pytest.approx([side]) and model.output("axles").rows == ("L + R",)
    assert np.allclose(found["F"][:, 1], side / 2)
    assert found["total"][1] == pytest.approx(side)
    assert np.array_equal(found["F_open"], [[0, 1], [0, 1]])
    assert "open forces = 2 of 4" in str(model)
    # forwards: what the motor gives less what spins the wheel up
    tau = robot.closed_inverse_dynamics()
    torques = tau.evaluate(**given(tau, q=np.zeros(5), qd_a=rates, qdd_a=accelerations))["tau_a"]
    assert np.allclose(found["F"][:, 0], (torques - p["Iw"] * accelerations) / p["r"])


# ---- a car ----


def car() -> arm.Robot:
    """Rear wheels with motors, front wheels steered; all mass in the platform, moments of inertia If in the forks."""
    sides = (("left", "e"), ("right", "-e"))
    parts: list[Part] = [platform("c")]
    for name, y in sides:
        parts += [wheel_body(f"rear_{name}", "platform", r=y), arm.wheel(f"rear {name}", radius="r")]
    for name, y in sides:
        parts += [
            arm.fixed(f"mount_{name}", "platform", d="L"),
            arm.revolute(f"fork_{name}", gamma="pi/2", d=y, theta="-pi/2", ZZ="If", actuated=name == "left"),
            arm.revolute(f"front_{name}", actuated=False, **LEFT),  # type: ignore[arg-type]
            arm.wheel(f"front {name}", radius="r"),
        ]
    gear = arm.ackermann("gear", wheels=("front left", "front right", "rear right"))
    return arm.describe("car", *parts, gear)


def curvature(left: float) -> float:
    """ω/v of the middle of the rear axle: cot β_l = (R - e)/L."""
    return float(np.sin(left) / (VALUES["L"] * np.cos(left) + VALUES["e"] * np.sin(left)))


def right_angle(left: float) -> float:
    """cot β_r = cot β_l + 2 e/L, through straight ahead."""
    return float(np.arctan2(np.sin(left), np.cos(left) + 2 * VALUES["e"] / VALUES["L"] * np.sin(left)))


def test_the_gear_is_ackermanns() -> None:
    robot = car()
    model = robot.loop_residual()
    for left in (-0.6, -0.1, 0.0, 0.2, 0.7):
        q = np.zeros(robot.nq)
        q[[robot.q_names.index("q4"), robot.q_names.index("q6")]] = left, right_angle(left)
        assert model.evaluate(**given(model, q=q))["residual"] == pytest.approx(0, abs=1e-15)
        q[robot.q_names.index("q6")] += 0.01
        assert abs(model.evaluate(**given(model, q=q))["residual"][0]) > 0.005


def test_the_gear_closes_by_newtons_method() -> None:
    """The right fork, and nothing else, follows from the left one."""
    closure = car().loop_closure()
    assert closure.passive == ("q6",)
    solve = closure.compile()
    given_q = dict.fromkeys(closure.active, 0.1) | {"q4": 0.5}
    found = solve([0.4], [given_q[n] for n in closure.active], parameters={k: VALUES[k] for k in ("e", "L")})
    assert found.status == 0 and found.q_p == pytest.approx([right_angle(0.5)], rel=1e-12)


def slope(f: object, x: float, h: float = 1e-4) -> float:
    """f' to the fourth order."""
    y = [f(x + k * h) for k in (-2, -1, 1, 2)]  # type: ignore[operator]
    return float((y[0] - 8 * y[1] + 8 * y[2] - y[3]) / (12 * h))


def test_a_car_as_textbooks_have_it() -> None:
    """With ω = κ(β) v, β_r = ρ(β), I = J + M c², and the angular accelerations α_i = ω̇ + β''_i of the forks

    F = (M + I κ²) v̇ + I κ κ' β' v + If κ (α_l + α_r) = Σ φ'_i/v Γ_i,   Γ_β = If (α_l + ρ' α_r)
    """
    robot, p = car(), VALUES
    model = robot.closed_inverse_dynamics(independent=("q1vx", "q4"))
    direct = robot.closed_direct_dynamics(independent=("q1vx", "q4"))
    rng = np.random.default_rng(1)
    inertia = p["J"] + p["M"] * p["c"] ** 2
    for _ in range(15):
        left = rng.uniform(-0.6, 0.6)
        v, dv, rate, acceleration = rng.normal(size=4)
        k, dk = curvature(left), slope(curvature, left)
        R, dR = slope(right_angle, left), slope(lambda x: slope(right_angle, x), left)
        turning = k * dv + dk * rate * v
        alphas = turning + np.array([acceleration, R * acceleration + dR * rate**2])
        F = p["M"] * dv + inertia * k * turning + p["If"] * k * alphas.sum()
        # M c ω² and M c v ω do no work together: (M + I κ²) v̇ + I κ κ' β' v
        ways = np.array([1 - p["e"] * k, 1 + p["e"] * k]) / p["r"]
        expected = [*(ways * F / (ways @ ways)), p["If"] * (alphas @ [1, R])]
        q = np.zeros(robot.nq)
        q[:3] = rng.normal(size=3)
        q[[robot.q_names.index("q4"), robot.q_names.index("q6")]] = left, right_angle(left)
        found = model.evaluate(**given(model, q=q, qd_a=[v, rate], qdd_a=[dv, acceleration]))["tau_a"]
        assert np.allclose(found, expected, rtol=1e-6, atol=1e-6)
        back = direct.evaluate(**given(direct, q=q, qd_a=[v, rate], tau_a=found))["qdd"]
        assert np.allclose(back[[0, 2, robot.v_names.index("q4")]], [dv, turning, acceleration], rtol=1e-6, atol=1e-6)
    straight = model.evaluate(**given(model, q=np.zeros(robot.nq), qd_a=[1, 0], qdd_a=[2, 0]))["tau_a"]
    assert np.allclose(straight, [p["M"] * p["r"], p["M"] * p["r"], 0], atol=1e-12)


def test_a_car_as_campion_has_it() -> None:
    """Σ = (L cos β + e sin β, 0, sin β): the turn about the point where the left axle meets the rear one."""
    model = car().posture_kinematics()
    for left in (-0.5, 0.0, 0.3):
        q = np.zeros(9)
        q[2], q[5] = 0.4, left
        found = model.evaluate(**given(model, q=q, eta=[1.3]))
        Sigma = [VALUES["L"] * np.cos(left) + VALUES["e"] * np.sin(left), 0, np.sin(left)]
        assert np.allclose(found["Sigma"][:, 0], Sigma, rtol=1e-14, atol=1e-16)
        assert np.allclose(found["xid"], 1.3 * np.array([Sigma[0] * np.cos(0.4), Sigma[0] * np.sin(0.4), Sigma[2]]))


# ---- castors ----


def three_castors() -> arm.Robot:
    """Forks without mass at p from the centre, wheels with a moment of inertia about their axles, t behind."""
    parts: list[Part] = [platform()]
    for k, gamma in enumerate((0, "2*pi/3", "-2*pi/3")):
        parts += [
            arm.revolute(f"fork{k}", "platform", gamma=gamma, d="p"),
            arm.revolute(f"disc{k}", d="-t", ZZ="Iw", **LEFT),  # type: ignore[arg-type]
            arm.wheel(f"castor{k}", radius="r"),
        ]
    return arm.describe("castors", *parts)


def castor_rates(q: Floats, V: Floats) -> Floats:
    """φ' = (cos ψ v_x + sin ψ v_y)/r and β' = (cos ψ v_y - sin ψ v_x)/t - ω of each, v being that of its fork's axis."""
    found = []
    for k in range(3):
        at, turned = 2 * np.pi / 3 * (0, 1, -1)[k], q[3 + 2 * k]
        x, y, psi = VALUES["p"] * np.cos(at), VALUES["p"] * np.sin(at), at + turned
        vx, vy = V[0] - V[2] * y, V[1] + V[2] * x
        found += [
            (np.cos(psi) * vy - np.sin(psi) * vx) / VALUES["t"] - V[2],
            (np.cos(psi) * vx + np.sin(psi) * vy) / VALUES["r"],
        ]
    return np.array(found)


def test_three_castors_as_textbooks_have_them() -> None:
    """A = diag(M, M, J) + Iw Σ g gᵀ with g = dφ'/dV, and bias M ω × v + Iw Σ g ġᵀ V; every velocity of the platform is free.

    The wheels' axles turn about the vertical without inertia of their own.
    """
    robot, p = three_castors(), VALUES
    names = ("q1vx", "q1vy", "q1w")
    models = [robot.derive(f"closed-{x}", independent=names) for x in ("inertia-matrix", "bias")]
    rng = np.random.default_rng(2)
    rolling = [1, 3, 5]
    for _ in range(10):
        q, V = rng.normal(size=9), rng.normal(size=3)
        g = np.array([castor_rates(q, e)[rolling] for e in np.eye(3)]).T
        turning = np.zeros(9)
        turning[3:] = castor_rates(q, V)
        ends = [np.array([castor_rates(q + s * 1e-5 * turning, e)[rolling] for e in np.eye(3)]).T for s in (1, -1)]
        dg = (ends[0] - ends[1]) / 2e-5
        A = np.diag([p["M"], p["M"], p["J"]]) + p["Iw"] * g.T @ g
        H = p["M"] * V[2] * np.array([-V[1], V[0], 0]) + p["Iw"] * g.T @ (dg @ V)
        found = [m.evaluate(**given(m, q=q, qd_a=V)) for m in models]
        assert np.allclose(found[0]["A"], A, rtol=1e-12, atol=1e-12)
        assert np.allclose(found[1]["H"], H, rtol=1e-8, atol=1e-6)
    kinematics = robot.configuration_kinematics(independent=names)
    found = kinematics.evaluate(**given(kinematics, q=q, qd_a=V))["qp"]
    assert np.allclose(found[3:], castor_rates(q, V), rtol=1e-12)


# ---- models of random robots, as they are derived ----


def test_random_robots_as_derived_models() -> None:
    """What `partition` finds out by itself: A q'' + H against the KKT system, the motion given by velocities drawn by lot."""
    done = told = 0
    for seed in range(80):
        case = wheeled_case(seed).dynamics(seed)
        if case is None or not case.robot.wheels or case.robot.nv > 11:
            continue
        robot = arm.Robot.of(case.robot)
        names = tuple(robot.v_names[k] for k in case.partition.independent)
        try:
            model = robot.closed_bias(independent=names)
        except ModelError:
            continue  # elsewhere these do not determine the motion
        H = model.evaluate(q=case.q, qd_a=case.qd_i)["H"]
        A = robot.closed_inertia_matrix(independent=names).evaluate(q=case.q)["A"]
        qdd, torques, forces = case.solution
        size = float(sum(map(np.linalg.norm, (qdd, torques, forces))) + np.linalg.norm(case.qd) ** 2)
        assert np.linalg.norm(A @ case.qdd_i + H - torques) <= 1e-8 * max(1, size)
        told += "independent rows" in str(model)
        done += 1
        if done == 20:
            break
    assert done == 20 and told > 2


def test_postures_of_random_robots() -> None:
    """No slide of a fixed or steered wheel, by Pinocchio, takes any of Σ η, and η has as many numbers as the platform is mobile."""
    counts: list[int] = []
    for seed in range(35):
        case = wheeled_case(seed)
        robot = arm.Robot.of(case.robot)
        if not robot.wheels:
            continue
        model = robot.posture_kinematics()
        (n,) = model.input("eta").shape
        eta = np.random.default_rng(seed).normal(size=n)
        states = {x.name for x in model.states}
        found = model.evaluate(**{k: v for k, v in {"q": case.q, "eta": eta}.items() if k in states})
        J = WheelRows(robot, case.q).at(np.zeros(robot.nv))[0]
        places = [robot.v_names.index(f"platform_{mark}") for mark in ("vx", "vy", "w")]
        rows = [name for name in robot.wheel_constraints().output("J").rows if not name.startswith("gear")]
        kinds = {w.name: mounting(robot, w).kind for w in robot.wheels}
        held = [
            k for k, name in enumerate(rows) if name.endswith(".slide") and kinds[name[:-6]] in ("fixed", "steering")
        ]
        assert np.allclose(J[np.ix_(held, places)] @ found["Sigma"], 0, atol=1e-12)
        assert np.linalg.matrix_rank(found["Sigma"]) == n == 3 - np.linalg.matrix_rank(J[np.ix_(held, places)], 1e-9)
        place = robot.q_names.index("platform_o")
        c, s = np.cos(case.q[place]), np.sin(case.q[place])
        v = found["Sigma"] @ eta
        assert np.allclose(found["xid"], [c * v[0] - s * v[1], s * v[0] + c * v[1], v[2]], rtol=1e-12, atol=1e-12)
        counts.append(n)
    assert {1, 2, 3} == set(counts)


# ---- along a motion ----


def simulated(
    robot: arm.Robot, q: Floats, rates: Floats, torque: object, steps: int, h: float = 2e-3, **option: object
) -> tuple[Floats, Floats]:
    """(q, q'_i) after a motion by the fourth-order Runge-Kutta method, with the work of the motors as the last of q."""
    option = {k: v for k, v in option.items() if v}
    direct = robot.closed_direct_dynamics(**option).compile()  # type: ignore[arg-type]
    whole = robot.configuration_kinematics(**option).compile()  # type: ignore[arg-type]
    loop = robot.loop_jacobian(**option)  # type: ignore[arg-type]
    names = loop.output("W").columns
    free = [robot.v_names.index(name) for name in names]
    motors = [k for k, b in enumerate(b for b in robot.bodies for _ in range(b.joint.nv)) if b.actuated]
    velocities = loop.compile()

    def rate(t: float, x: Floats) -> Floats:
        q, v = x[: robot.nq], x[robot.nq + 1 :]
        tau = np.array(torque(t))  # type: ignore[operator]
        every = velocities(q, v).qd
        return np.concatenate([whole(q, v).qp, [every[motors] @ tau], direct(q, v, tau)[free]])

    x = np.concatenate([q, [0.0], rates])
    for k in range(steps):
        t = k * h
        a = rate(t, x)
        b = rate(t + h / 2, x + h / 2 * a)
        c = rate(t + h / 2, x + h / 2 * b)
        d = rate(t + h, x + h * c)
        x = x + h / 6 * (a + 2 * b + 2 * c + d)
    return x, velocities(x[: robot.nq], x[robot.nq + 1 :]).qd


def energies(robot: arm.Robot, q: Floats, qd: Floats) -> Floats:
    """(kinetic, potential)."""
    tree = robot.opened()
    found = tree.kinetic_energy().evaluate(q=q, qd=qd)["E"], tree.potential_energy().evaluate(q=q)["U"]
    return np.array(found, dtype=float)


@pytest.mark.parametrize(
    ("name", "push"),
    [
        ("differential_drive", [0.4, 0.3]),
        ("car", [60, 50, 0.2]),
        ("castor3", [0.1, 0.4, 0.1, 0.3]),
        ("mecanum4", [0.4, 0.3, 0.2, 0.5]),
        ("mobile_manipulator", [0.4, 0.3, 0.5, 0.5, 0.5]),
    ],
)
def test_motors_work_is_energy(name: str, push: list[float]) -> None:
    """Along half a second of motion, by motors that push this way and that; wheels and gear do no work."""
    robot = arm.load(name)
    option = {"independent": ("q1vx", "q1vy", "q1w")} if name == "castor3" else {}
    jacobian = robot.loop_jacobian(**option)  # type: ignore[arg-type]
    q, rates = np.linspace(0.1, 0.5, robot.nq), np.linspace(0.3, 0.6, len(jacobian.output("W").columns))
    if name == "car":
        q[[robot.q_names.index("q4"), robot.q_names.index("q6")]] = 0.0
    x, qd = simulated(
        robot, q, rates, lambda t: np.array(push) * np.cos(3 * t + np.arange(len(push))), 400, 1.25e-3, **option
    )
    here, work = x[: robot.nq], x[robot.nq]
    before = energies(robot, q, jacobian.evaluate(q=q, qd_a=rates)["qd"])
    after = energies(robot, here, qd)
    assert abs(work) > 1e-3 and np.abs(here - q).max() > 0.1
    assert abs(after.sum() - before.sum() - work) <= 1e-7 * (np.abs(after).sum() + abs(work))
    if name == "car":
        assert abs(robot.loop_residual().evaluate(q=here)["residual"][0]) < 1e-8
        assert abs(here[robot.q_names.index("q4")]) > 0.05


# ---- what statics leaves open ----


def four_wheels(driven: int) -> arm.Robot:
    """Fixed wheels on two axles: it goes straight."""
    parts = [platform("c")]
    for k, (x, y) in enumerate((("p", "e"), ("p", "-e"), ("-p", "e"), ("-p", "-e"))):
        parts += [
            wheel_body(f"disc{k}", "platform", "m", "Iw", "It", d=x, r=y),
            arm.wheel(f"w{k}", radius="r"),
        ]
    robot = arm.describe("four wheels", *parts)
    motors = {f"disc{k}" for k in range(driven)}
    return arm.Robot.of(replace(robot, bodies=tuple(replace(b, actuated=b.name in motors) for b in robot.bodies)))


@pytest.mark.parametrize("driven", [1, 2, 4])
def test_four_wheels_on_two_axles(driven: int) -> None:
    """With as many motors as the one way it has, forces forwards are known; all sideways ones add up to nothing, as do their moments."""
    robot, p = four_wheels(driven), VALUES
    model = robot.wheel_forces()
    a = 0.7
    found = model.evaluate(**given(model, q=np.zeros(7), qd_a=[2.0], qdd_a=[a / p["r"]]))
    inertia = p["M"] + 4 * (p["m"] + p["Iw"] / p["r"] ** 2)
    push = inertia * a / driven - p["Iw"] / p["r"] ** 2 * a
    drag = -p["Iw"] / p["r"] ** 2 * a
    assert np.allclose(found["F"][:, 0], [push] * driven + [drag] * (4 - driven))
    assert np.array_equal(found["F_open"][:, 0], [driven > 1] * driven + [0] * (4 - driven))
    assert np.array_equal(found["F_open"][:, 1], np.ones(4))
    # a force before the middle has a moment, which sideways forces do not take up: the platform goes straight
    assert found["total"] == pytest.approx([(p["M"] + 4 * p["m"]) * a, 0, 0], abs=1e-12)
    # motors that can work against each other make a moment that nobody knows, and then no axle's sum is known
    assert model.output("axles").rows == (("w0 + w1", "w2 + w3") if driven == 1 else ())
    side = found["F"][:, 1]
    assert np.allclose(side[[0, 2]], side[[1, 3]], atol=1e-12)
    moment = p["e"] * (found["F"][[1, 3], 0].sum() - found["F"][[0, 2], 0].sum())
    assert p["p"] * (side[:2].sum() - side[2:].sum()) + moment == pytest.approx(0, abs=1e-12)
    if driven == 1:
        assert found["axles"] == pytest.approx([side[:2].sum(), side[2:].sum()])


def test_rollers_push_along_their_axes_alone() -> None:
    model = arm.load("mecanum4").wheel_forces()
    found = model.evaluate(q=np.zeros(7), qd_a=[1.0, 2.0, 3.0], qdd_a=[0.5, -0.3, 0.7])
    assert np.allclose(found["F"][:, 1] / found["F"][:, 0], [-1, 1, 1, -1])
    assert np.array_equal(found["F_open"], np.ones((4, 2)))
    four = arm.load("mecanum4")
    across = arm.Robot.of(replace(four, wheels=tuple(replace(w, roller=0) for w in four.wheels[:2]) + four.wheels[2:]))
    assert np.array_equal(
        across.wheel_forces().evaluate(q=np.zeros(7), qd_a=np.ones(3), qdd_a=np.ones(3))["F_open"][:2, 1], [0, 0]
    )
    three = arm.load("omni3").wheel_forces().evaluate(q=np.zeros(6), qd_a=[1.0, 2.0, 3.0], qdd_a=[0.5, -0.3, 0.7])
    assert not three["F_open"].any() and not three["F"][:, 1].any()


def test_forces_are_those_of_the_base_parameters_too() -> None:
    """Grouping leaves the tree's torques as they are, and with them the forces that balance them."""
    robot = arm.load("differential_drive")
    full, grouped = (robot.wheel_forces(base_parameters=x) for x in (False, True))
    states = {"q": np.linspace(0, 1, 7), "qd_a": [1.0, 2.0], "qdd_a": [0.3, -0.4]}
    found, expected = grouped.evaluate(**states), full.evaluate(**states)
    assert all(np.allclose(found[name], expected[name], rtol=1e-12, atol=1e-12) for name in ("F", "total", "axles"))


def test_what_an_arm_leans_on_is_not_the_wheels() -> None:
    """A mast that pushes against a wall: wheels and wall together change the momentum, the wheels alone are `total`."""
    lean = two_wheels().with_parts(
        arm.revolute("mast", "platform", r=0.5, mass=2, center=(0.4, 0, 0), actuated=False),
        arm.contact("wall", arm.side("mast", d=0.8), "x - 2"),
    )
    model, rate = lean.wheel_forces(), lean.opened().momentum_rate()
    jacobian, push = lean.loop_jacobian(), lean.constraint_forces()
    rng = np.random.default_rng(7)
    q = rng.uniform(-0.5, 0.5, size=6)
    q[0] = 2 - 0.8 * np.cos(q[2] + q[5])
    rates, accelerations = 5 * rng.normal(size=(2, len(jacobian.output("W").columns)))
    constraint = jacobian.evaluate(**given(jacobian, q=q, qd_a=rates))
    free = [lean.v_names.index(x) for x in jacobian.output("W").columns]
    bound = [k for k in range(lean.nv) if k not in free]
    J, qdd = constraint["J"], np.zeros(lean.nv)
    qdd[free] = accelerations
    qdd[bound] = np.linalg.solve(J[:, bound], -constraint["JPQP"] - J[:, free] @ accelerations)
    tau = lean.closed_inverse_dynamics()
    torques = tau.evaluate(**given(tau, q=q, qd_a=rates, qdd_a=accelerations))["tau_a"]
    wall = push.evaluate(**given(push, q=q, qd_a=rates, tau_a=torques))
    assert np.allclose(wall["qdd"], qdd, rtol=1e-9, atol=1e-9)
    names = push.output("lambda").rows
    force = wall["lambda"][names.index("wall")]
    changes = rate.evaluate(**given(rate, q=q, qd=constraint["qd"], qdd=qdd))["hp"]
    found = model.evaluate(**given(model, q=q, qd_a=rates, qdd_a=accelerations))["total"]
    c, s = np.cos(q[2]), np.sin(q[2])
    ground = np.array([[c, -s], [s, c]]) @ found[:2]
    assert abs(force) > 0.1 and np.allclose(ground + [force, 0], changes[:2], rtol=1e-9, atol=1e-9)


# ---- constraints as equations ----


def test_constraints_in_formulas() -> None:
    """W(q) q̇ = 0 of a rolling disc, as every textbook begins."""
    robot = arm.load("unicycle")
    text = str(robot.wheel_constraints().closed_form())
    for line in (
        "W11 = cos(q1o)",
        "W12 = sin(q1o)",
        "W14 = -r",
        "W21 = -sin(q1o)",
        "W22 = cos(q1o)",
        "J11 = 1",
        "J22 = 1",
    ):
        assert line in text.split("\n")


def test_constraints_hold_velocities_and_rates_alike() -> None:
    """W q̇ = J q' for any q', on all robots of the library."""
    rng = np.random.default_rng(3)
    for name in ("unicycle", "differential_drive", "car", "castor3", "omni3", "mecanum4", "mobile_manipulator"):
        robot = arm.load(name)
        model = robot.wheel_constraints()
        q, qd = rng.normal(size=robot.nq), rng.normal(size=robot.nv)
        found = model.evaluate(**{k: v for k, v in {"q": q, "qd": qd}.items() if k in {x.name for x in model.states}})
        rates = qd.copy()
        rates[:2] = [[np.cos(q[2]), -np.sin(q[2])], [np.sin(q[2]), np.cos(q[2])]] @ qd[:2]
        assert np.allclose(found["W"] @ rates, found["J"] @ qd, rtol=1e-13, atol=1e-13)


def test_a_disc_that_nothing_turns() -> None:
    """The unicycle has one motor for two ways: inverse dynamics say so, hybrid and direct dynamics do not mind."""
    robot = arm.load("unicycle")
    with pytest.raises(ModelError, match="under-actuated: with its active joints held, q1w can still move"):
        robot.closed_inverse_dynamics()
    found = robot.closed_underactuated_inverse_dynamics()
    got = found.evaluate(q=np.zeros(4), qd_a=[0.5, 2.0], qdd_a=[3.0])
    inertia = 0.1**2 * (8 + 1) + 0.5 * 1 * 0.1**2
    assert got["tau_a"] == pytest.approx([inertia * 3.0]) and got["qdd"][2] == pytest.approx(0, abs=1e-15)


def test_what_else_ties_the_platform_is_told() -> None:
    """Two driven wheels whose motors are coupled go straight: the wheels alone would leave more."""
    robot = two_wheels().with_parts(arm.couple("right", "left"))
    assert robot.mobility().type == (1, 0)
    with pytest.raises(
        ModelError, match="leave the platform 2 velocities at once, and what else ties its joints together 1"
    ):
        robot.posture_kinematics()
    model = robot.configuration_kinematics()
    assert model.evaluate(**given(model, q=np.zeros(5), qd_a=[2.0]))["qp"] == pytest.approx([0.24, 0, 0, 2, 2])


@pytest.mark.parametrize("name", ["differential_drive", "car", "castor3", "omni3", "mecanum4", "mobile_manipulator"])
def test_all_forces_together_change_the_momentum(name: str) -> None:
    """Newton's and Euler's laws for the whole robot: the ground is all that touches it, and bears its weight at right angles."""
    robot = arm.load(name)
    model, rate = robot.wheel_forces(), robot.opened().momentum_rate()
    direct = robot.loop_jacobian()
    center = robot.opened().center_of_mass()
    n = len(direct.output("W").columns)
    rng = np.random.default_rng(5)
    q, rates, accelerations = rng.normal(size=robot.nq), *rng.normal(size=(2, n))
    if name == "car":
        left, L, e = 0.3, 2.5, 0.75
        q[robot.q_names.index("q4")] = left
        q[robot.q_names.index("q6")] = np.arctan2(np.sin(left), np.cos(left) + 2 * e / L * np.sin(left))
    found = model.evaluate(q=q, qd_a=rates, qdd_a=accelerations)
    constraint = direct.evaluate(q=q, qd_a=rates)
    J, drift = constraint["J"], constraint["JPQP"]
    free = [robot.v_names.index(x) for x in direct.output("W").columns]
    bound = [k for k in range(robot.nv) if k not in free]
    qdd = np.zeros(robot.nv)
    qdd[free] = accelerations
    qdd[bound] = np.linalg.solve(J[:, bound], -drift - J[:, free] @ accelerations)
    changes = rate.evaluate(q=q, qd=constraint["qd"], qdd=qdd)["hp"]
    R = np.array([[np.cos(q[2]), np.sin(q[2])], [-np.sin(q[2]), np.cos(q[2])]])
    arm_ = center.evaluate(q=q)["c"][:2] - q[:2]
    moment = changes[5] + arm_[0] * changes[1] - arm_[1] * changes[0]
    assert np.allclose(found["total"], [*(R @ changes[:2]), moment], rtol=1e-9, atol=1e-9 * np.abs(changes).max())
    # and wheel by wheel, at the points where they stand
    places = {w.name: robot.opened().pose(frame=w.body, reference="platform").evaluate(q=q)["T"] for w in robot.wheels}
    sums = np.zeros(3)
    for wheel, (forward, side) in zip(robot.wheels, found["F"], strict=True):
        axle, at = places[wheel.name][:3, 2], places[wheel.name][:3, 3]
        force = forward * np.cross(axle, [0, 0, 1]) + side * axle
        sums += [*force[:2], at[0] * force[1] - at[1] * force[0]]
    assert np.allclose(found["total"], sums, rtol=1e-9, atol=1e-9 * np.abs(sums).max())
