"""Joints that are tied together: couplings, more motors than mobility, fewer, motion given by other joints than those with motors."""

from dataclasses import replace

import numpy as np
import pinocchio as pin
import pytest

import armillary as arm
from armillary.dynamics.closed import Closed, Partition
from armillary.dynamics.loops import closed_direct_dynamics, closed_inertia_matrix, closed_inverse_dynamics
from armillary.errors import ModelError, RobotError
from armillary.kinematics.motion import base_motion
from armillary.robot import Description, tree
from armillary.routine import interpret
from reference.gcc import compiled
from reference.pinocchio import losses, peer, rotor_inertias
from reference.random_trees import random_state, random_tree

ROD = {"mass": 1.0, "center": (0.25, 0, 0), "inertia": (0, 0, 0, 0.02, 0, 0.02)}


# ---- couplings ----


def coupled_tree(seed: int) -> tuple[arm.Robot, np.ndarray, np.ndarray]:
    """A random tree, one to three of its joints coupled to others, and G with q' = G q'_i."""
    rng = np.random.default_rng(seed)
    robot = random_tree(rng, int(rng.integers(4, 9)))
    single = [b.joint_name for b in robot.bodies if b.joint.nv == 1 and b.joint.nq == 1]
    order = [single[k] for k in rng.permutation(len(single))]
    parts, G = [], np.eye(robot.nv)
    places = {name: [b.joint_name for b in robot.bodies for _ in range(b.joint.nv)].index(name) for name in single}
    for follower, leader in zip(order[: len(order) // 2], order[len(order) // 2 :], strict=False):
        ratio = float(rng.uniform(-2, 2))
        parts.append(arm.couple(follower, leader, ratio, float(rng.uniform(-1, 1))))
        G[places[follower]] = ratio * G[places[leader]]
    followers = [places[part.given["joint"]] for part in parts]
    tied = arm.Robot.of(arm.Robot.of(robot).with_parts(*parts)) if parts else arm.Robot.of(robot)
    bodies = tuple(replace(b, actuated=b.joint_name not in [p.given["joint"] for p in parts]) for b in tied.bodies)
    return arm.Robot.of(replace(tied, bodies=bodies)), np.delete(G, followers, axis=1), np.array(followers)


def meet(robot: Description, q: np.ndarray) -> np.ndarray:
    """q with followers where their couplings put them."""
    place = {}
    k = 0
    for b in robot.bodies:
        place[b.joint_name] = k
        k += b.joint.nq
    for c in robot.couplings:
        q[place[c.joint]] = float(c.ratio) * q[place[c.leader]] + float(c.offset)
    return q


def test_coupled_joints_against_pinocchio() -> None:
    """Gᵀ (M G q''_i + h), G written by hand from the ratios, on 300 random trees; and back. Derived models on the first 15."""
    done = direct = 0
    for seed in range(500):
        robot, G, followers = coupled_tree(seed)
        if not robot.couplings or G.shape[1] == 0:
            continue
        rng = np.random.default_rng(seed)
        q, _, _ = random_state(rng, robot)
        q = meet(robot, q)
        other, rates, acc = peer(robot), *rng.normal(size=(2, G.shape[1]))
        qd = G @ rates
        M = pin.crba(other.model, other.data, other.q(q))
        M = other.ours_square(np.triu(M) + np.triu(M, 1).T) + rotor_inertias(robot)
        h = other.ours(pin.nonLinearEffects(other.model, other.data, other.q(q), other.v(qd)))
        h = h + losses(robot, qd, np.zeros_like(qd))
        expected = G.T @ (M @ (G @ acc) + h)
        dependent = tuple(sorted(int(k) for k in followers))
        independent = tuple(k for k in range(robot.nv) if k not in dependent)
        every = tuple(range(len(dependent)))
        parts = Partition(independent, dependent, independent, every, ((every, every),))
        closed = Closed(tree(robot, float).welded(), q.tolist(), parts)
        base = base_motion(closed.tree)
        size = np.linalg.norm(G.T @ M @ G) + np.linalg.norm(h)
        tau = closed_inverse_dynamics(closed, rates.tolist(), acc.tolist(), base)
        assert np.allclose(np.array(tau, dtype=float), expected, rtol=0, atol=1e-10 * size)
        A = np.array(closed_inertia_matrix(closed), dtype=float)
        assert np.allclose(A, G.T @ M @ G, rtol=0, atol=1e-11 * np.linalg.norm(M) * np.linalg.norm(G) ** 2)
        if np.linalg.cond(A) < 1e6:
            back = closed_direct_dynamics(closed, rates.tolist(), expected.tolist(), base)
            scale = np.linalg.norm(G @ acc) + np.linalg.norm(h)
            assert np.allclose(np.array(back, dtype=float), G @ acc, rtol=0, atol=1e-8 * scale)
            direct += 1
        if done < 15:
            found = robot.closed_inverse_dynamics().evaluate(q=q, qd_a=rates, qdd_a=acc)["tau_a"]
            assert np.allclose(found, expected, rtol=0, atol=1e-10 * size)
        done += 1
        if done == 300:
            break
    assert done == 300 and direct > 200


def gripper(**second: object) -> arm.Robot:
    return arm.describe(
        "gripper",
        arm.revolute("wrist", mass=1, inertia=(0.1, 0, 0, 0.1, 0, 0.1)),
        arm.prismatic("finger1", alpha="pi/2", mass=0.2),
        arm.prismatic("finger2", "wrist", alpha="-pi/2", mass=0.2, **second),
        arm.couple("finger2", "finger1", "k", "c"),
        parameters={"k": 1.5, "c": 0.02},
    )


def test_a_joint_that_follows_has_no_motor_of_its_own() -> None:
    assert [b.actuated for b in gripper().bodies] == [True, True, False]
    assert [b.actuated for b in gripper(actuated=True).bodies] == [True, True, True]


def test_couplings_cost_what_they_are() -> None:
    """A gripper's finger is as the other with 1 + k² times its mass."""
    model = gripper().closed_inertia_matrix()
    A = model.evaluate(q=[0, 0.1, 0.17])["A"]
    assert A[1, 1] == pytest.approx(0.2 * (1 + 1.5**2), rel=1e-15)
    assert gripper().loop_residual().evaluate(q=[0, 0.1, 0.17])["residual"] == pytest.approx(0, abs=1e-16)


def test_holding_one_of_two_coupled_joints_holds_the_other() -> None:
    for held, where in (("finger1", 0.1), ("finger2", "k*0.1 + c")):
        robot = gripper().lock({held: where})
        assert robot.nv == 1 and not robot.couplings
        T = robot.pose("finger2").evaluate(q=[0.0])["T"]
        assert np.allclose(T[:3, 3], gripper().opened().pose("finger2").evaluate(q=[0, 0.1, 0.17])["T"][:3, 3])
    with pytest.raises(RobotError, match="hold one of them, the other follows"):
        gripper().lock({"finger1": 0.1, "finger2": 0.2})


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ([arm.couple("b", "c")], "couples 'c', which is no joint"),
        ([arm.couple("b", "ball")], "couples ball, a spherical joint with 4 coordinates"),
        ([arm.couple("b", "a"), arm.couple("b", "d", name="x")], "b follows a and d; a joint follows one leader"),
        ([arm.couple("b", "a"), arm.couple("a", "b")], "lead round in a circle: .*a, b"),
        ([arm.couple("b", "a", 0)], "with the ratio 0, so that it stands still"),
        ([arm.couple("b", "b")], "lead round in a circle"),
    ],
)
def test_couplings_that_cannot_be(parts: list[object], message: str) -> None:
    links = [arm.revolute("a"), arm.revolute("b"), arm.spherical("ball"), arm.revolute("d")]
    with pytest.raises(RobotError, match=message):
        arm.describe("x", *links, *parts)  # type: ignore[arg-type]


# ---- more motors than mobility ----


def five_bar(motors: str, **more: object) -> arm.Robot:
    """A five-bar with motors at the joints of these letters."""
    return arm.describe(
        "five-bar",
        arm.revolute("a", actuated="a" in motors, **ROD),
        arm.revolute("b", d=0.5, actuated="b" in motors, **ROD),
        arm.revolute("c", "base", d=0.6, actuated="c" in motors, **ROD),
        arm.revolute("d", d=0.5, actuated="d" in motors, **ROD, **more),
        arm.cut("tip", a=arm.side("b", d=0.5), b=arm.side("d", d=0.5)),
        gravity=(0, -9.81, 0),
    )


def closed_state(seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates at which it closes, by two circles, and G with q' = G (q'_a, q'_c) by finite differences of these."""

    def solve(a: float, c: float) -> np.ndarray:
        A, C = 0.5 * np.exp(1j * a), 0.6 + 0.5 * np.exp(1j * c)
        half = (C - A) / 2
        tip = A + half + 1j * half / abs(half) * np.sqrt(0.25 - abs(half) ** 2)
        return np.array([a, np.angle(tip - A) - a, c, np.angle(tip - C) - c])

    rng = np.random.default_rng(seed)
    a, c = np.pi / 2 + rng.uniform(-0.4, 0.4, 2)
    h = 1e-6
    G = np.column_stack([(solve(a + h, c) - solve(a - h, c)) / (2 * h), (solve(a, c + h) - solve(a, c - h)) / (2 * h)])
    return solve(a, c), G


def test_torques_of_least_norm_do_the_same_work() -> None:
    for seed in range(5):
        q, G = closed_state(seed)
        rng = np.random.default_rng(seed)
        qd, qdd = rng.normal(size=(2, 2))
        few = five_bar("ac").closed_inverse_dynamics().evaluate(q=q, qd_a=qd, qdd_a=qdd)["tau_a"]
        for motors in ("abc", "abcd"):
            model = five_bar(motors).closed_inverse_dynamics(independent=("q1", "q3"))
            assert f"{len(motors)} for the mobility 2: torques of least norm" in str(model)
            many = model.evaluate(q=q, qd_a=qd, qdd_a=qdd)["tau_a"]
            G_a = G[: len(motors)]
            expected = np.linalg.lstsq(G_a.T, few, rcond=None)[0]
            assert np.allclose(many, expected, rtol=0, atol=1e-7 * np.linalg.norm(expected))
            act = five_bar(motors).actuation(independent=("q1", "q3")).evaluate(q=q)
            assert np.allclose(act["G"], G_a, rtol=0, atol=1e-8)
            assert np.allclose(act["G"].T @ act["N"], 0, atol=1e-12)
            assert np.linalg.matrix_rank(act["N"], 1e-9) == len(motors) - 2


def test_weights_and_preload() -> None:
    """The minimum of Σ w (Γ - Γ_0)² by Lagrange's rule, and a preload that changes no acceleration."""
    q, G = closed_state()
    qd, qdd = [1.0, -0.5], [0.3, 0.8]
    robot = five_bar("abc")
    model = robot.closed_inverse_dynamics(independent=("q1", "q3"), weighted=True)
    w, start = np.array([1.0, 4.0, 0.5]), np.array([0.3, -0.2, 0.7])
    found = model.evaluate(q=q, qd_a=qd, qdd_a=qdd, weights=w, preload=start)["tau_a"]
    few = five_bar("ac").closed_inverse_dynamics().evaluate(q=q, qd_a=qd, qdd_a=qdd)["tau_a"]
    G_a = G[:3]
    kkt = np.block([[np.diag(w), G_a], [G_a.T, np.zeros((2, 2))]])
    assert np.allclose(found, np.linalg.solve(kkt, np.r_[w * start, few])[:3], rtol=0, atol=1e-7)
    for method in ("reduced", "multipliers"):
        back = robot.closed_direct_dynamics(method, independent=("q1", "q3"))
        assert np.allclose(back.evaluate(q=q, qd_a=qd, tau_a=found)["qdd"][[0, 2]], qdd, atol=1e-9)
    with pytest.raises(ModelError, match="as many motors as it is mobile, 2"):
        five_bar("ac").closed_inverse_dynamics(weighted=True)


def test_reactions_know_the_motors_that_are_more_than_needed() -> None:
    """The second arm alone: its torques from its motion and the wrench at the cut."""
    q, _ = closed_state()
    qd, qdd = [1.0, -0.5], [0.3, 0.8]
    for motors in ("ac", "abc", "abcd"):
        robot = five_bar(motors)
        given = {"q": q, "qd_a": qd}
        rates = robot.loop_jacobian(independent=("q1", "q3")).evaluate(**given)["qd"]
        tau = robot.closed_inverse_dynamics(independent=("q1", "q3")).evaluate(**given, qdd_a=qdd)["tau_a"]
        every = robot.closed_direct_dynamics(independent=("q1", "q3")).evaluate(**given, tau_a=tau)["qdd"]
        F = robot.cut_reactions(independent=("q1", "q3")).evaluate(**given, qdd_a=qdd)["F"][0]
        tree = arm.Robot.of(robot.opened()).with_parts(arm.frame("tip", "b", d=0.5))
        model = tree.inverse_dynamics(inputs=["wrench:tip"])
        torques = model.evaluate(q=q, qd=rates, qdd=every, wrench_tip=F)["tau"]
        expected = dict(zip([k for k, x in enumerate("abcd") if x in motors], tau, strict=True))
        assert np.allclose(torques[:2], [expected.get(k, 0) for k in (0, 1)], atol=1e-10)


# ---- fewer ----


def test_unactuated_joints_in_a_loop() -> None:
    """A five-bar with one motor: its accelerations make the unactuated torque vanish, and come back from the torque."""
    q, _ = closed_state()
    full, few = five_bar("ac"), five_bar("a")
    qd = [1.0, -0.5]
    model = few.closed_underactuated_inverse_dynamics()
    names = model.output("qdd").rows
    rates = full.loop_jacobian().evaluate(q=q, qd_a=qd)["qd"]
    independent = [k for k in range(4) if f"QP{k + 1}" in model.input("qd_a").labels]
    found = model.evaluate(q=q, qd_a=rates[independent], qdd_a=[0.3])
    assert names == ("q1", "q2", "q3", "q4") and found["qdd"][0] == pytest.approx(0.3, abs=1e-12)
    tau = full.closed_inverse_dynamics().evaluate(q=q, qd_a=qd, qdd_a=found["qdd"][[0, 2]])["tau_a"]
    assert np.allclose(tau, [found["tau_a"][0], 0], atol=1e-10)
    back = few.closed_direct_dynamics().evaluate(q=q, qd_a=rates[independent], tau_a=found["tau_a"])["qdd"]
    assert np.allclose(back, found["qdd"], atol=1e-10)
    with pytest.raises(ModelError, match=r"is under-actuated: with its active joints held, q2, q3, q4 can still move"):
        few.closed_inverse_dynamics()


def test_hybrid_dynamics_of_a_loop() -> None:
    q, _ = closed_state()
    robot = five_bar("ac")
    qd, qdd = [1.0, -0.5], [0.3, 0.8]
    tau = robot.closed_inverse_dynamics().evaluate(q=q, qd_a=qd, qdd_a=qdd)["tau_a"]
    for known, given in ((("q1",), [qdd[0], tau[1]]), (("q3",), [tau[0], qdd[1]]), (("q1", "q3"), qdd), ((), tau)):
        found = robot.closed_hybrid_dynamics(known).evaluate(q=q, qd_a=qd, given=given)
        assert np.allclose(found["qdd"][[0, 2]], qdd, atol=1e-10) and np.allclose(found["tau_a"], tau, atol=1e-10)
    with pytest.raises(ModelError, match=r"acceleration of q2 cannot be given; known can be .* q1, q3"):
        robot.closed_hybrid_dynamics(("q2",))


# ---- motion given by other joints ----


def test_the_motion_may_be_given_by_any_joints_that_determine_it() -> None:
    q, G = closed_state()
    robot = five_bar("ac")
    qd, qdd = np.array([1.0, -0.5]), np.array([0.3, 0.8])
    tau = robot.closed_inverse_dynamics().evaluate(q=q, qd_a=qd, qdd_a=qdd)["tau_a"]
    every = robot.closed_direct_dynamics().evaluate(q=q, qd_a=qd, tau_a=tau)["qdd"]
    rates = robot.loop_jacobian().evaluate(q=q, qd_a=qd)["qd"]
    for names in (("q1", "q2"), ("q2", "q4"), ("q1", "q4")):
        k = [int(name[1]) - 1 for name in names]
        found = robot.closed_inverse_dynamics(independent=names).evaluate(q=q, qd_a=rates[k], qdd_a=every[k])["tau_a"]
        assert np.allclose(found, tau, atol=1e-9)
        back = robot.closed_direct_dynamics(independent=names).evaluate(q=q, qd_a=rates[k], tau_a=tau)["qdd"]
        assert np.allclose(back, every, atol=1e-9)
    assert np.allclose(rates, G @ qd, atol=1e-8)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("q1",), "has the mobility 2: as many joint velocities are independent, not 1"),
        (("q1", "q9"), "has no joint velocity q9"),
    ],
)
def test_joints_that_do_not_determine_the_motion(names: tuple[str, ...], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        five_bar("ac").closed_inverse_dynamics(independent=names)


def test_a_slider_does_not_determine_the_crank_that_it_is_not_tied_to() -> None:
    robot = arm.describe(
        "two",
        arm.revolute("a", **ROD),
        arm.revolute("b", "base", **ROD),
        arm.revolute("c", "base", **ROD),
        arm.couple("b", "a"),
    )
    with pytest.raises(ModelError, match=r"a, b do not determine the motion|q1, q2 do not determine the motion"):
        robot.closed_inverse_dynamics(independent=("q1", "q2"))


# ---- closing loops with platforms ----


def platform(kind: str) -> arm.Robot:
    """Three legs R-R-R under a plate that glides, or six struts on slides under one that floats."""
    if kind == "planar":
        parts: list[object] = []
        for k in range(3):
            g = f"{k}*2*pi/3"
            parts += [
                arm.revolute(f"a{k}", "base", gamma=g, d=0.5, **ROD),
                arm.revolute(f"b{k}", d=0.5, actuated=False, **ROD),
            ]
        parts.append(arm.planar("plate", "base", mass=1, inertia=(0.1, 0, 0, 0.1, 0, 0.1)))
        parts += [
            arm.cut(f"c{k}", a=arm.side(f"b{k}", d=0.5), b=arm.side("plate", gamma=f"{k}*2*pi/3", d=0.2))
            for k in range(3)
        ]
        return arm.describe("3-RRR", *parts)  # type: ignore[arg-type]
    parts = []
    for k in range(6):
        g = f"{2 * (k // 2)}*pi/3 + {-1 + 2 * (k % 2)}*pi/12"
        small = {"mass": 0.5, "center": (0, 0, 0.2), "inertia": (0.01, 0, 0, 0.01, 0, 0.001)}
        parts += [
            arm.revolute(f"u{k}", "base", gamma=g, d=0.6, alpha="pi/2", actuated=False, IA=0.01),
            arm.revolute(f"v{k}", gamma="pi/2", alpha="pi/2", actuated=False, **small),
            arm.prismatic(f"p{k}", gamma="pi/2", alpha="pi/2", **small),
        ]
    parts.append(arm.free("plate", "base", mass=2, inertia=(0.1, 0, 0, 0.1, 0, 0.2)))
    parts += [
        arm.cut(
            f"s{k}",
            type="spherical",
            a=arm.side(f"p{k}"),
            b=arm.side("plate", gamma=f"{2 * (k // 2)}*pi/3 + {-1 + 2 * (k % 2)}*pi/4", d=0.3),
        )
        for k in range(6)
    ]
    return arm.describe("hexapod", *parts)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["planar", "free"])
def test_newton_finds_the_pose_of_a_platform(kind: str) -> None:
    """From the motors alone, in machine code, C and the interpreter; quaternions come out with length 1."""
    robot = platform(kind)
    closure = robot.loop_closure()
    assert len(closure.active) == (3 if kind == "planar" else 6)
    rng = np.random.default_rng(3)
    order = {n: k for k, n in enumerate(robot.q_names)}
    q = np.zeros(robot.nq)
    if kind == "planar":
        q[order["q7o"]] = -0.2
        for k in range(3):
            q[order[f"q{2 * k + 1}"]], q[order[f"q{2 * k + 2}"]] = 2.0, 2.5
    else:
        q[order["q19z"]], q[order["q19ow"]] = 0.7, 1.0
        for k in range(6):
            q[order[f"q{3 * k + 3}"]] = 0.75
    residual = robot.loop_residual()
    solve, in_c = closure.compile(), compiled(closure.routine)
    start = np.array([q[order[n]] for n in closure.passive])
    lengths = np.array([q[order[n]] for n in closure.active])
    for _ in range(5):
        given = lengths + 0.05 * rng.normal(size=len(lengths))
        found = solve(start, given)
        assert found.status == 0 and found.steps < 12
        for name, x in (*zip(closure.passive, found.q_p, strict=True), *zip(closure.active, given, strict=True)):
            q[order[name]] = x
        assert np.abs(residual.evaluate(q=q)["residual"]).max() < 1e-11
        again = interpret(closure.routine, {"q_p_start": start, "q_a": given})
        assert np.allclose(again["q_p"], found.q_p, atol=1e-11)
        assert np.allclose(in_c.routine(q_p_start=start, q_a=given)["q_p"], found.q_p, atol=1e-11)
        if kind == "free":
            p = [q[order[f"q19o{x}"]] for x in "wxyz"]
            assert np.linalg.norm(p) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("kind", ["planar", "free"])
def test_motion_given_by_the_platform_or_by_the_motors(kind: str) -> None:
    """Two ways to write the torques of a parallel robot, and A_c, agree."""
    robot = platform(kind)
    last = "7" if kind == "planar" else "19"
    by_plate = tuple(n for n in robot.v_names if n.startswith(f"q{last}"))
    order = {n: k for k, n in enumerate(robot.q_names)}
    closure = robot.loop_closure()
    if kind == "planar":
        given, start = [2.0, 2.1, 1.95], [2.5, 2.5, 2.5, 0, 0, -0.2]
    else:
        given, start = [0.72, 0.75, 0.74, 0.76, 0.73, 0.75], [0.0] * 12 + [0, 0, 0.7, 1, 0, 0, 0]
    found = closure.compile()(start, given)
    assert found.status == 0
    q = np.zeros(robot.nq)
    for name, x in (*zip(closure.passive, found.q_p, strict=True), *zip(closure.active, given, strict=True)):
        q[order[name]] = x
    rng = np.random.default_rng(1)
    n = len(given)
    qd, qdd = rng.normal(size=(2, n))
    tau = robot.closed_inverse_dynamics().evaluate(q=q, qd_a=qd, qdd_a=qdd)["tau_a"]
    every = robot.closed_direct_dynamics().evaluate(q=q, qd_a=qd, tau_a=tau)["qdd"]
    rates = robot.loop_jacobian().evaluate(q=q, qd_a=qd)["qd"]
    k = [robot.v_names.index(name) for name in by_plate]
    model = robot.closed_inverse_dynamics(independent=by_plate)
    again = model.evaluate(q=q, qd_a=rates[k], qdd_a=every[k])["tau_a"]
    assert np.allclose(again, tau, rtol=0, atol=1e-8 * np.linalg.norm(tau))


# ---- where independent joints do not determine the motion ----


def test_determinants_are_those_of_the_rows() -> None:
    """Their product is det J_d up to its sign, by NumPy; for motors and for other joints."""
    for names in ((), ("q1", "q2"), ("q2", "q4")):
        robot = five_bar("ac")
        model, rows = robot.loop_determinants(independent=names), robot.loop_jacobian(independent=names)
        dependent = [k for k, name in enumerate(robot.v_names) if name in rows.output("W").rows]
        for seed in range(5):
            q, _ = closed_state(seed)
            J = rows.evaluate(q=q, qd_a=[0, 0])["J"][:, dependent]
            det = model.evaluate(q=q)["det"]
            assert abs(np.prod(det)) == pytest.approx(abs(np.linalg.det(J)), rel=1e-12)


def test_a_determinant_vanishes_where_couplers_are_aligned() -> None:
    """Cranks so far apart that the couplers are one line: with the cranks held, the tip gives way."""
    a, gap = np.pi / 2 + 0.4, 1.0
    # the pins of both cranks one metre apart, as long as the two couplers: c from the distance
    A = 0.5 * np.exp(1j * a)
    c = np.linspace(0, np.pi, 20001)
    C = 0.6 + 0.5 * np.exp(1j * c)
    far = np.abs(C - A) - gap
    k = int(np.flatnonzero(np.diff(np.sign(far)))[0])
    low, high = c[k], c[k + 1]
    for _ in range(60):
        mid = (low + high) / 2
        value = abs(0.6 + 0.5 * np.exp(1j * mid) - A) - gap
        low, high = (mid, high) if np.sign(value) == np.sign(far[k]) else (low, mid)
    C = 0.6 + 0.5 * np.exp(1j * low)
    q = [a, np.angle(C - A) - a, low, np.angle(A - C) - low]
    det = five_bar("ac").loop_determinants().evaluate(q=q)["det"]
    assert abs(np.prod(det)) < 1e-7
    assert abs(np.prod(five_bar("ac").loop_determinants().evaluate(q=closed_state(0)[0])["det"])) > 0.05


def test_determinants_too_large_to_write_out() -> None:
    with pytest.raises(ModelError, match=r"in one block of 18 × 18, whose determinant is not written out beyond 8"):
        arm.load("gough_stewart").loop_determinants()
    assert len(arm.load("gough_stewart").loop_determinants(independent=("platform",)).output("det").rows) == 6


# ---- what options leave as it is ----


def test_which_motors_are_independent_does_not_hang_on_other_options() -> None:
    """Of more motors than mobility, in every model of one robot the same."""
    castors = arm.load("castor3")
    labels = {
        castors.closed_direct_dynamics(**kw).input("qd_a").labels
        for kw in ({}, {"base_parameters": True}, {"fixed": {"L": 0.25}})
    }  # type: ignore[arg-type]
    assert len(labels) == 1
    robot = five_bar("abc")
    for mode in (0, 1):
        model = robot.closed_inverse_dynamics(mode=mode)
        assert [x.labels for x in model.states] == [("q1", "q2"), ("QP1", "QP2"), ("QDP1", "QDP2")]
    assert robot.closed_inverse_dynamics().input("qd_a").labels == ("QP1", "QP2")


@pytest.mark.parametrize("ratio", [0.5, -3, 100])
def test_base_parameters_of_a_gear(ratio: float) -> None:
    """Of angles that are no whole multiples of others the loops' share is left to numbers; models agree with and without."""
    robot = arm.describe(
        "geared",
        arm.revolute("a", **ROD),
        arm.revolute("h", "a", d=0.2, alpha="pi/2", **ROD),
        arm.couple("h", "a", 1 / ratio),
    )
    assert len(robot.loop_base_parameters().kept) > 0
    q, given = [0.3, 0.3 / ratio], {"qd_a": [0.7], "qdd_a": [-0.4]}
    expected = robot.closed_inverse_dynamics().evaluate(q=q, **given)["tau_a"]
    few = robot.closed_inverse_dynamics(mode=0, base_parameters=True).evaluate(q_a=q[:1], **given)["tau_a"]
    assert np.allclose(few, expected, rtol=1e-12)


def test_kinetic_energy_counts_rotors_of_cut_joints() -> None:
    """½ q'ᵀ A_c q', at closed states."""
    q, G = closed_state()
    base = five_bar("ac")
    robot = arm.Robot.of(replace(base, cuts=(replace(base.cuts[0], IA=0.3),)))
    rates = np.array([1.0, -0.5])
    A = robot.closed_inertia_matrix().evaluate(q=q)["A"]
    E = robot.kinetic_energy().evaluate(q=q, qd=G @ rates)["E"]
    assert pytest.approx(rates @ A @ rates / 2, rel=1e-8) == E
    assert base.kinetic_energy().evaluate(q=q, qd=G @ rates)["E"] < 0.99 * E


def test_what_is_no_number_is_told() -> None:
    robot = five_bar("ac")
    for call in (
        lambda: robot.equilibrium([np.nan] * 4),
        lambda: robot.assembly_modes(["x", 1]),
        lambda: robot.singularity("abc"),
    ):
        with pytest.raises(ModelError, match="coordinates are finite numbers"):
            call()
    with pytest.raises(ModelError, match="started once at least"):
        robot.assembly_modes([0.4, 0.5], starts=0)
    with pytest.raises(ModelError, match="nothing ties its coordinates to each other"):
        arm.load("unicycle").loop_closure()


def test_a_link_that_hangs_level_swings_down() -> None:
    """Where it starts, nothing resists; gravity shows the way."""
    robot = arm.describe("level", arm.revolute("a", **ROD), gravity=(0, -9.81, 0))
    rest = robot.equilibrium()
    assert rest.stable and rest.q[0] == pytest.approx(-np.pi / 2, abs=1e-9)
