"""Models of parallel robots: legs in closed form, Jacobians both ways, dynamics from the platform, and the same robot as another tree."""

import warnings
from dataclasses import replace

import numpy as np
import pytest

import armillary as arm
from armillary.dynamics.closed import Partition
from armillary.errors import ModelError
from armillary.kinematics.closure import close, moved, near_zero
from armillary.models.legs import platform_coordinates, platform_joints
from armillary.models.numbers import in_numbers
from armillary.models.partition import actuated
from armillary.robot.body import MASSLESS
from armillary.robot.parallel import platforms
from reference.closed_loops import ClosedCase, Kkt
from reference.other_tree import carried_by_its_first_leg
from reference.parallel_robots import NAMES, parallel_case, robot
from reference.with_numbers import arrays, with_numbers


@pytest.fixture(autouse=True)
def _quiet() -> object:  # type: ignore[misc]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", arm.RobotWarning)
        yield


def states(made: arm.Robot, count: int, reach: float = 0.25) -> list[np.ndarray]:
    """States about home at which the loops close, at the default values."""
    numbers, _ = in_numbers(made, {})
    rng, joints = np.random.default_rng(4), [b.joint for b in made.bodies]
    found: list[np.ndarray] = []
    while len(found) < count:
        attempt = close(numbers, joints, near_zero(joints, rng, reach))
        if attempt.closed:
            found.append(np.array(attempt.q))
    return found


# ---- structure ----


@pytest.mark.parametrize(
    ("name", "platform", "bodies", "legs"),
    [
        ("rrr3", "plate", ("plate",), 3),
        ("rp2", "tip", ("across", "tip"), 2),
        ("prrrp", "tool", ("across", "tool"), 2),
        ("gough_stewart", "platform", ("platform",), 6),
        ("delta", "platform", ("platform",), 3),
        ("orthoglide", "platform", ("platform",), 3),
    ],
)
def test_platforms_of_the_library(name: str, platform: str, bodies: tuple[str, ...], legs: int) -> None:
    [found] = platforms(robot(name))
    assert (found.name, found.bodies, len(found.legs)) == (platform, bodies, legs)


@pytest.mark.parametrize("name", ["five_bar", "sr400", "twoloops", "rx90", "quadruped"])
def test_robots_without_a_platform(name: str) -> None:
    assert platforms(arm.load(name)) == ()


def test_without_a_platform_it_is_told() -> None:
    with pytest.raises(ModelError, match=r"leg-geometry is for parallel robots: a platform .*; Five-bar has none"):
        arm.load("five_bar").leg_geometry()
    with pytest.raises(ModelError, match="has nothing that ties its joints together"):
        arm.load("rx90").platform_jacobian()


# ---- legs ----


@pytest.mark.parametrize("name", NAMES)
def test_every_way_of_the_legs_meets_the_conditions(name: str) -> None:
    """And the state that Newton's method found is one of them, leg by leg, modulo 2π.

    A Delta's platform may turn where its rods stand askew; the other ways of the rods then do not hold it so.
    """
    made = robot(name)
    model, residual = made.leg_geometry(), made.loop_residual()
    known = platform_coordinates(made)
    for q in states(made, 20):
        ways = model.evaluate(x=q[known])["q"]
        finite = [way for way in ways if np.isfinite(way).all()]
        assert finite
        level = name != "delta" or np.abs(q[4:7]).max() < 1e-9
        for way in finite if level else ():
            # a Delta that Newton's method found is level to 1e-11
            assert np.abs(residual.evaluate(q=way)["residual"]).max() < (3e-11 if name == "delta" else 1e-12)
        rest = [k for k in range(made.nq) if k not in known]
        units = [b.joint.units[0] for b in made.bodies for _ in range(b.joint.nq)]
        off = np.abs(ways[:, rest] - q[rest])
        turning = [units[k] == "rad" for k in rest]
        off[:, turning] = np.abs((off[:, turning] + np.pi) % (2 * np.pi) - np.pi)
        assert off.min(axis=0).max() < 1e-9


def test_ways_of_the_legs() -> None:
    """Of length and of the two angles of a universal joint; of rod, elbow and shoulder."""
    counts = {name: robot(name).leg_geometry().output("q").shape[0] for name in NAMES}
    assert counts == {"rrr3": 2, "rp2": 2, "prrrp": 2, "gough_stewart": 4, "delta": 4, "orthoglide": 4}


def test_legs_of_the_gough_stewart_are_as_long_as_they_are() -> None:
    """|P_i - B_i|, from the circles that the joints stand on."""
    model, rng = robot("gough_stewart").leg_geometry(), np.random.default_rng(8)
    ground = np.radians([15, 105, 135, 225, 255, 345])
    top = np.radians([45, 75, 165, 195, 285, 315])
    for _ in range(20):
        p, e = rng.uniform(-0.1, 0.1, 3), np.array([1, *rng.uniform(-0.2, 0.2, 3)])
        e /= np.linalg.norm(e)
        q = model.evaluate(x=[*p, *e])["q"][0]
        w, v = e[0], e[1:]
        S = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
        R = np.eye(3) + 2 * w * S + 2 * S @ S
        P = (R @ (0.35 * np.array([np.cos(top), np.sin(top), 0 * top]))).T + p + [0, 0, 0.65]
        B = 0.6 * np.array([np.cos(ground), np.sin(ground), 0 * ground]).T
        assert np.allclose(q[[9, 12, 15, 18, 21, 24]] + 0.7, np.linalg.norm(P - B, axis=1), rtol=1e-13)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_out_of_reach_is_no_number_in_machine_code_too() -> None:
    """A platform too low for its legs, and one within reach."""
    model = robot("delta").leg_geometry()
    x = np.array([[0, 0, 0, 1, 0, 0, 0], [0, 0, -2, 1, 0, 0, 0.0]])
    expected, found = model.evaluate(x=x)["q"], np.asarray(model.compile(cache=False)(x))
    assert np.isfinite(expected[0]).all() and np.isnan(expected[1][:, 7:]).any()
    assert np.allclose(found, expected, rtol=1e-12, atol=1e-12, equal_nan=True)


def test_legs_without_a_closed_form_are_told() -> None:
    """A leg of four hinges."""
    legs = [
        part
        for k in (1, 2)
        for part in (
            arm.revolute(f"a{k}", "base", d=k, mass=1),
            *(arm.revolute(f"{x}{k}", d=0.5, alpha="pi/2", mass=1, actuated=False) for x in "bcd"),
            arm.cut(f"ball{k}", type="spherical", a=arm.side("plate", d=k), b=arm.side(f"d{k}", d=0.3)),
        )
    ]
    made = arm.describe("spider", arm.free("plate", mass=1), *legs)
    with pytest.raises(ModelError, match=r"no closed form for the leg that ball1 cuts; .* take q of all joints"):
        made.leg_geometry()


# ---- dynamics from the platform ----


@pytest.mark.parametrize("name", NAMES)
def test_inverse_dynamics_from_the_platform_is_that_of_the_closed_loops(name: str) -> None:
    """Γ = J_pᵀ [F_p + Σ J_viᵀ J_i⁻ᵀ Γ_i] and Gᵀ Γ_tr; every leg in each of its ways."""
    made = robot(name)
    known, motors = platform_coordinates(made), list(actuated(made))
    closed = made.closed_inverse_dynamics()
    given = made.loop_jacobian(independent=platform_joints(made))
    [rates] = [x for x in given.inputs if x.name == "qd_a"]
    free = [k for k in range(made.nv) if f"QP{k + 1}" in rates.labels]
    legs = len(platforms(made)[0].legs)
    ways = made.leg_geometry()
    for number, q in enumerate(states(made, ways.output("q").shape[0])):
        whole = ways.evaluate(x=q[known])["q"][number]
        model = made.parallel_inverse_dynamics(ways=(number,) * legs)
        qd_x, qdd_x = np.random.default_rng(number).normal(size=(2, len(free)))
        found = model.evaluate(x=q[known], qd_a=qd_x, qdd_a=qdd_x)["tau_a"]
        told = given.evaluate(q=whole, qd_a=qd_x)
        J, rows = told["J"], told["qd"]
        qdd = np.zeros(made.nv)
        qdd[free] = qdd_x
        rest = [k for k in range(made.nv) if k not in free]
        qdd[rest] = np.linalg.solve(J[:, rest], -told["JPQP"] - J[:, free] @ qdd_x)
        expected = closed.evaluate(q=whole, qd_a=rows[motors], qdd_a=qdd[motors])["tau_a"]
        assert np.allclose(found, expected, rtol=1e-9, atol=1e-9 * max(1.0, float(np.abs(expected).max())))


def part_of(made: arm.Robot, *names: str) -> arm.Robot:
    """These bodies alone, as a robot."""
    return arm.Robot.of(replace(made, bodies=tuple(b for b in made.bodies if b.name in names), cuts=()))


def test_khalils_formula_with_each_legs_own_model() -> None:
    """The Gough-Stewart, written out: platform and legs as robots of their own, J_vi = [1, -P̂_i], J_i of each leg's end."""
    made = arm.Robot.of(with_numbers(robot("gough_stewart"), {}))
    model = made.parallel_inverse_dynamics()
    alone = part_of(made, "platform")
    names = [(f"cylinder{k} cross", f"cylinder{k}", f"rod{k}") for k in range(1, 7)]
    legs = [part_of(made, *three) for three in names]
    rng = np.random.default_rng(10)
    top = np.radians([45, 75, 165, 195, 285, 315])
    for q in states(made, 3):
        v, dv = rng.normal(size=(2, 6))
        q = made.leg_geometry().evaluate(x=q[:7])["q"][0]
        R, w = alone.pose("platform").evaluate(q=q[:7])["T"][:3, :3], v[3:]
        linear, angular = R @ v[:3], R @ w
        # q' of a free joint is along its own axes: the origin accelerates by v̇ + ω × v
        dlinear, dangular = R @ (dv[:3] + np.cross(w, v[:3])), R @ dv[3:]
        F = alone.inverse_dynamics().evaluate(q=q[:7], qd=v, qdd=dv)["tau"]
        force, moment = R @ F[:3], R @ F[3:]
        total, inverse = np.concatenate([force, moment]), np.zeros((6, 6))
        for k, (leg, angle) in enumerate(zip(legs, top, strict=True)):
            q_i = q[7 + 3 * k : 10 + 3 * k]
            J = leg.jacobian(f"rod{k + 1}").evaluate(q=q_i)["J"][:3]
            P = R @ (0.35 * np.array([np.cos(angle), np.sin(angle), 0]))
            J_v = np.hstack([np.eye(3), -np.array([[0, -P[2], P[1]], [P[2], 0, -P[0]], [-P[1], P[0], 0]])])
            rates = np.linalg.solve(J, linear + np.cross(angular, P))
            bias = leg.frame_acceleration(f"rod{k + 1}").evaluate(q=q_i, qd=rates, qdd=[0, 0, 0])
            end = dlinear + np.cross(dangular, P) + np.cross(angular, np.cross(angular, P))
            qdd_i = np.linalg.solve(J, end - np.ravel(next(iter(bias.values())))[:3])
            torques = leg.inverse_dynamics().evaluate(q=q_i, qd=rates, qdd=qdd_i)["tau"]
            total = total + J_v.T @ np.linalg.solve(J.T, torques)
            inverse[k] = np.linalg.solve(J, J_v)[2]
        expected = np.linalg.solve(inverse.T, total)
        found = model.evaluate(x=q[:7], qd_a=v, qdd_a=dv)["tau_a"]
        assert np.allclose(found, expected, rtol=1e-9, atol=1e-9 * float(np.abs(expected).max()))


@pytest.mark.parametrize("name", ["rrr3", "gough_stewart", "delta", "orthoglide"])
def test_another_tree_of_the_same_robot(name: str) -> None:
    """The platform on the first leg, the others cut from it: no free joint, other cuts, other blocks, the same torques."""
    for seed in range(1 if name == "orthoglide" else 2):
        case = parallel_case(name, seed)
        mine, t = case.by_motors, case.by_motors.truth
        other, q = carried_by_its_first_leg(mine.robot, mine.q)
        assert np.abs(other.loop_residual().evaluate(q=q)["residual"]).max() < 1e-11
        found = other.closed_inverse_dynamics().evaluate(q=q, qd_a=mine.qd_a, qdd_a=mine.qdd_a)["tau_a"]
        size = float(np.linalg.norm(t.torques) + np.linalg.norm(t.multipliers))
        assert np.linalg.norm(found - t.torques) < 1e-8 * size


def test_what_the_way_by_the_platform_costs() -> None:
    """Multiplications and additions, q of the legs found in closed form included, and by the motors with q given."""
    by_platform, by_motors = (
        {name: (c := getattr(robot(name), method)().cost).mul + c.add for name in NAMES[:5]}
        for method in ("parallel_inverse_dynamics", "closed_inverse_dynamics")
    )
    assert by_platform["gough_stewart"] < 2800 < 14000 < by_motors["gough_stewart"]
    assert by_platform["delta"] < 2250 and by_platform["rrr3"] < 510
    assert all(by_platform[name] < by_motors[name] for name in by_platform)


def test_unknown_ways_are_told() -> None:
    with pytest.raises(ModelError, match=r"3-RRR has 3 legs, pin1, pin2, pin3; 2 ways were named"):
        robot("rrr3").parallel_inverse_dynamics(ways=(0, 1))
    with pytest.raises(ModelError, match=r"pin2 cuts has the ways 0 to 1, not 2"):
        robot("rrr3").parallel_inverse_dynamics(ways=(0, 2, 0))
    with pytest.raises(ModelError, match="has no joint velocity plateau, and no joint of that name"):
        robot("rrr3").closed_bias(independent=("plateau",))
    with pytest.raises(ModelError, match=r"crank1 do not determine the motion: with them held, .* the mobility is 3"):
        robot("rrr3").closed_bias(independent=("crank1",))


# ---- Jacobians ----


@pytest.mark.parametrize("name", NAMES)
def test_jacobians_against_pinocchios_rows(name: str) -> None:
    """q'_a = Jinv v and (v, ω) = J q'_a for the velocities that the KKT system found, at random geometry."""
    made = robot(name)
    model = made.platform_jacobian()
    J, Jinv = model.output("J"), model.output("Jinv")
    assert J.shape == (6, len(actuated(made))) and Jinv.shape[0] == len(actuated(made))
    frame = made.frame_velocity(platforms(made)[0].name)
    for seed in range(10):
        case = parallel_case(name, seed)
        t, values = case.by_motors.truth, case.values
        found = model.evaluate(q=case.by_motors.q, **arrays(values, model.parameters))
        motors = t.qd[list(actuated(made))]
        moves = [t.qd[list(made.v_names).index(x)] for x in Jinv.columns]
        assert np.allclose(found["Jinv"] @ moves, motors, rtol=0, atol=1e-9 * max(1.0, float(np.abs(t.qd).max())))
        twist = frame.evaluate(q=case.by_motors.q, qd=t.qd, **arrays(values, frame.parameters))
        expected = np.concatenate([np.ravel(x) for x in twist.values()])
        assert np.allclose(found["J"] @ motors, expected, rtol=0, atol=1e-8 * max(1.0, float(np.abs(t.qd).max())))


def test_the_tip_of_the_five_bar() -> None:
    """In its cranks, against the intersection of two circles, differentiated by complex steps."""
    made = arm.load("five_bar")
    model = made.closed_jacobian("tip")

    def tip(a: complex, b: complex) -> np.ndarray:
        A = np.array([np.cos(a), np.sin(a)])
        B = np.array([1 + np.cos(b), np.sin(b)])
        half, d = (B - A) / 2, B - A
        height = np.sqrt(1 / (half @ half) - 1)
        return A + half + height * np.array([-d[1], d[0]]) / 2

    rng = np.random.default_rng(1)
    for _ in range(20):
        a, b = rng.uniform(1.2, 2.4), rng.uniform(0.8, 1.9)
        P = tip(a, b).real
        c1 = np.arctan2(P[1] - np.sin(a), P[0] - np.cos(a)) - a
        c2 = np.arctan2(P[1] - np.sin(b), P[0] - 1 - np.cos(b)) - b
        expected = np.array([tip(a + 1e-30j, b).imag, tip(a, b + 1e-30j).imag]).T / 1e-30
        found = model.evaluate(q=[a, c1, b, c2])["J"]
        assert np.allclose(found[:2], expected, rtol=1e-10, atol=1e-11) and not found[2:5].any()


# ---- more motors, fewer freedoms, several modules ----


def planar_module(number: int, host: str, motors: int = 3) -> list[arm.robot.part.Part]:  # type: ignore[name-defined]
    """A plate on legs of a crank and a coupler from three (or four) corners of its host; the first of them driven."""
    rod = {"mass": 1.0, "center": (0.2, 0.01, 0), "inertia": (0, 0, 0, 0.02, 0, 0.02)}
    parts = [arm.planar(f"plate{number}", host, mass=2, center=(0.02, 0.03, 0), inertia=(0, 0, 0, 0, 0, 0.1))]
    for k in range(max(3, motors)):
        angle = float(2 * np.pi * k / max(3, motors) + 0.3)
        parts += [
            arm.revolute(f"crank{number}{k}", host, gamma=angle, d=0.7, theta=-angle, FV=0.1, IA=0.05, **rod),  # type: ignore[arg-type]
            arm.revolute(f"coupler{number}{k}", d=0.4, actuated=False, FS=0.1, **rod),  # type: ignore[arg-type]
            arm.cut(f"pin{number}{k}", a=arm.side(f"plate{number}", gamma=angle, d=0.2), b=arm.side(f"coupler{number}{k}", d=0.5), FV=0.1),
        ]  # fmt: skip
    return parts


def by_cuts_last(*parts: object) -> list[object]:
    return sorted(parts, key=lambda part: part.kind == "cut")  # type: ignore[attr-defined]


def test_two_parallel_modules_in_series() -> None:
    """Khalil's form, by both platforms, and the KKT system's torques; the Jacobian of the second plate."""
    made = arm.describe(
        "tower", *by_cuts_last(*planar_module(1, "base"), *planar_module(2, "plate1")), gravity=(0, -9.81, 0)
    )  # type: ignore[arg-type]
    assert [p.name for p in platforms(made)] == ["plate1", "plate2"]
    model, closed = made.closed_inverse_dynamics(independent=("plate1", "plate2")), made.closed_inverse_dynamics()
    assert model.cost.mul < 0.8 * closed.cost.mul
    J = made.platform_jacobian("plate2")
    with pytest.raises(ModelError, match="tower has the platforms plate1, plate2; name the frame"):
        made.platform_jacobian()
    ways = made.leg_geometry().evaluate(x=[0.05, 0.02, 0.1, -0.03, 0.04, -0.2])["q"]
    assert np.abs(made.loop_residual().evaluate(q=ways[0])["residual"]).max() < 1e-12
    rng = np.random.default_rng(2)
    for q in states(made, 5, 0.1):
        independent = list(actuated(made))
        system = Kkt(made, q)
        rows = system.J(np.zeros(made.nv))[0]
        rest = [k for k in range(made.nv) if k not in independent]
        present = [i for i in range(len(rows)) if np.abs(rows[i]).max() > 1e-12]
        every = tuple(range(len(present)))
        p = Partition(tuple(independent), tuple(rest), tuple(independent), tuple(present), ((every, every),))
        case = ClosedCase(made, q, p, *rng.normal(size=(2, 6)))
        t = case.truth
        found = model.evaluate(q=q, qd_a=t.qd[[0, 1, 2, 9, 10, 11]], qdd_a=t.qdd[[0, 1, 2, 9, 10, 11]])["tau_a"]
        assert np.allclose(found, t.torques, rtol=1e-9, atol=1e-8 * float(np.abs(t.torques).max()))
        again = closed.evaluate(q=q, qd_a=case.qd_a, qdd_a=case.qdd_a)["tau_a"]
        assert np.allclose(again, t.torques, rtol=1e-9, atol=1e-8 * float(np.abs(t.torques).max()))
        twist = made.opened().frame_velocity("plate2").evaluate(q=q, qd=t.qd)
        expected = np.concatenate([np.ravel(x) for x in twist.values()])
        assert np.allclose(
            J.evaluate(q=q)["J"] @ case.qd_a, expected, rtol=1e-9, atol=1e-9 * float(np.abs(expected).max())
        )


def test_more_motors_than_mobility() -> None:
    """Four legs: torques of least norm do the work that is asked, and no others of that work are shorter; J from all four."""
    made = arm.describe("four legs", *by_cuts_last(*planar_module(1, "base", motors=4)), gravity=(0, -9.81, 0))  # type: ignore[arg-type]
    model, J, legs = made.parallel_inverse_dynamics(), made.platform_jacobian(), made.leg_geometry()
    closed = made.closed_inverse_dynamics(independent=("plate1",))
    rng = np.random.default_rng(3)
    for q in states(made, 5, 0.1):
        qd, qdd = rng.normal(size=(2, 3))
        whole = legs.evaluate(x=q[:3])["q"][0]
        tau = model.evaluate(x=q[:3], qd_a=qd, qdd_a=qdd)["tau_a"]
        assert np.allclose(tau, closed.evaluate(q=whole, qd_a=qd, qdd_a=qdd)["tau_a"], rtol=1e-9, atol=1e-9)
        G = J.evaluate(q=whole)["Jinv"]
        assert np.allclose(G @ np.linalg.lstsq(G, tau, rcond=None)[0], tau, rtol=1e-9, atol=1e-9 * np.abs(tau).max())
        R = np.array([[np.cos(q[2]), -np.sin(q[2])], [np.sin(q[2]), np.cos(q[2])]])
        twist = J.evaluate(q=whole)["J"] @ (G @ qd)
        assert np.allclose(twist, [*(R @ qd[:2]), 0, 0, 0, qd[2]], rtol=0, atol=1e-10)


# ---- massless tips ----


def test_tips_without_mass_make_nothing_singular() -> None:
    """Rods of the Gough-Stewart without mass, cylinders too: the platform's inertia alone, and direct dynamics undo inverse ones."""
    made = robot("gough_stewart")
    bare = arm.Robot.of(
        replace(made, bodies=tuple(b if b.name == "platform" else replace(b, inertia=MASSLESS) for b in made.bodies))
    )
    A = bare.closed_inertia_matrix(independent=("platform",))
    alone = arm.describe("plate", arm.free("p", mass=10, center=(0, 0, 0.02), inertia=(0.31, 0, 0, 0.31, 0, 0.61)))
    plate = alone.inertia_matrix()
    inverse, direct = (getattr(bare, f"closed_{x}_dynamics")(independent=("platform",)) for x in ("inverse", "direct"))
    for q in states(made, 3):
        expected = plate.evaluate(q=q[:7])["A"]
        assert np.allclose(A.evaluate(q=q)["A"], expected, rtol=1e-12, atol=1e-12)
        qd, qdd = np.random.default_rng(5).normal(size=(2, 6))
        tau = inverse.evaluate(q=q, qd_a=qd, qdd_a=qdd)["tau_a"]
        assert np.allclose(direct.evaluate(q=q, qd_a=qd, tau_a=tau)["qdd"][:6], qdd, rtol=1e-9, atol=1e-9)


def test_newton_from_the_motors_finds_the_platform() -> None:
    """loop_closure of the Gough-Stewart: the pose, its quaternion of length 1, from the lengths of the legs near by."""
    made = robot("gough_stewart")
    closure = made.loop_closure()
    solve = closure.compile().at(parameters={n: p.default for n, p in made.parameters.items()})
    places = {name: k for k, name in enumerate(made.q_names)}
    a, p = [places[x] for x in closure.active], [places[x] for x in closure.passive]
    joints = [b.joint for b in made.bodies]
    for q in states(made, 5):
        start = moved(joints, q, np.random.default_rng(6).uniform(-0.02, 0.02, made.nv))
        found = solve(start[p], q[a])
        assert int(found.status) == 0 and np.allclose(found[0], q[p], rtol=0, atol=1e-9)


# ---- parasitic motions ----


def rps(number: int, angle: str) -> list[object]:
    """A leg of a hinge, a driven slide and a ball."""
    bar = {"mass": 0.7, "center": (0.02, 0, 0.1), "inertia": (0.02, 0, 0, 0.03, 0.001, 0.01)}
    return [
        arm.revolute(f"foot{number}", "base", gamma=angle, alpha="pi/2", d=0.5, actuated=False, FV=0.1, **bar),  # type: ignore[arg-type]
        arm.prismatic(f"rod{number}", alpha="pi/2", r=0.6, theta="pi", IA=0.1, **bar),  # type: ignore[arg-type]
        arm.cut(f"ball{number}", type="spherical", a=arm.side("top", gamma=angle, d=0.3), b=arm.side(f"rod{number}")),
    ]


def test_a_platform_that_moves_aside_as_it_tilts() -> None:
    """3-RPS: three freedoms of six, which three is a matter of the state; torques by the platform, by the motors and by KKT."""
    legs = [part for k, angle in enumerate(("0", "2*pi/3", "4*pi/3")) for part in rps(k, angle)]
    top = arm.free("top", r=0.6, mass=2, center=(0.01, 0.02, 0.03), inertia=(0.1, 0.01, 0, 0.12, 0, 0.2))
    made = arm.describe("3-RPS", *by_cuts_last(top, *legs))  # type: ignore[arg-type]
    by_platform = made.closed_inverse_dynamics(independent=("top",))
    by_motors, direct = made.closed_inverse_dynamics(), made.closed_direct_dynamics(independent=("top",))
    J, twist = made.platform_jacobian(), made.frame_velocity("top")
    labels = next(x.labels for x in by_platform.inputs if x.name == "qd_a")
    free = [int(label[2:]) - 1 for label in labels]
    motors = list(actuated(made))
    assert len(free) == 3 and set(free) <= set(range(6))
    rng = np.random.default_rng(9)
    for q in states(made, 5, 0.2):
        rows = Kkt(made, q).J(np.zeros(made.nv))[0]
        every = tuple(range(len(rows)))
        rest = tuple(k for k in range(made.nv) if k not in motors)
        case = ClosedCase(
            made, q, Partition(tuple(motors), rest, tuple(motors), every, ((every, every),)), *rng.normal(size=(2, 3))
        )
        t = case.truth
        size = float(np.linalg.norm(t.torques) + np.linalg.norm(t.multipliers))
        found = by_platform.evaluate(q=q, qd_a=t.qd[free], qdd_a=t.qdd[free])["tau_a"]
        assert np.allclose(found, t.torques, rtol=0, atol=1e-8 * size)
        assert np.allclose(
            by_motors.evaluate(q=q, qd_a=case.qd_a, qdd_a=case.qdd_a)["tau_a"], t.torques, rtol=0, atol=1e-8 * size
        )
        back = direct.evaluate(q=q, qd_a=t.qd[free], tau_a=t.torques)["qdd"]
        assert np.allclose(back, t.qdd, rtol=0, atol=1e-8 * size)
        expected = np.concatenate([np.ravel(x) for x in twist.evaluate(q=q, qd=t.qd).values()])
        assert np.allclose(J.evaluate(q=q)["J"] @ case.qd_a, expected, rtol=0, atol=1e-9 * float(np.abs(t.qd).max()))
        ways = made.leg_geometry().evaluate(x=q[:7])["q"]
        off = np.abs(np.exp(1j * ways[:, 7:]) - np.exp(1j * q[7:])).max(axis=1)
        assert off.min() < 1e-9
