"""Springs in robots whose joints are tied together: statics and stiffness against energies along the constraint, frequencies against
matrices built apart, accelerations against a KKT system, motion against stiff limits."""

from dataclasses import replace
from functools import cache

import numpy as np
import pinocchio as pin
import pytest
from numpy.typing import NDArray

import armillary as arm
from armillary.dynamics.closed import Closed
from armillary.dynamics.energy import potential_energy
from armillary.dynamics.loops import closed_direct_dynamics, closed_hybrid_dynamics, direct_dynamics_with_multipliers
from armillary.errors import ModelError
from armillary.kinematics.closure import close, jacobian, moved
from armillary.kinematics.constraints import constraints
from armillary.kinematics.loops import free_coordinate, free_row, loops
from armillary.kinematics.motion import base_motion
from armillary.robot import tree
from models.test_tied_joints import ROD, closed_state, five_bar, platform
from reference.closed_loops import ClosedCase, Kkt, closed_case
from reference.pinocchio import peer, rotor_inertias
from reference.random_trees import random_state, random_tree

Floats = NDArray[np.float64]


@cache
def cases() -> list[ClosedCase]:
    """Random loops with springs in half of the joints that can have one, cut joints too; some joints have no motor."""
    found: list[ClosedCase] = []
    seed = 0
    while len(found) < 300:
        case = closed_case(seed)
        seed += 1
        if case is None:
            continue
        rng = np.random.default_rng([seed, 5])

        def spring() -> dict[str, float]:
            return {"stiffness": float(rng.uniform(5, 60)), "reference": float(rng.normal())}  # noqa: B023

        bodies = tuple(
            replace(b, **spring()) if b.joint.nv == 1 and rng.random() < 0.5 else b for b in case.robot.bodies
        )
        cuts = tuple(replace(c, **spring()) if c.kind.free else c for c in case.robot.cuts)
        found.append(replace(case, robot=replace(case.robot, bodies=bodies, cuts=cuts)))
    return found


def spring_energy(T: arm.robot.Tree, q: Floats) -> float:
    listed = [(b.stiffness, q[b.q.start] - b.reference) for b in T.bodies]
    listed += [
        (x.junction.stiffness, free_coordinate(x, q.tolist()) - x.junction.reference)
        for x in loops(T)
        if x.junction.kind.free
    ]
    return sum(k * s * s / 2 for k, s in listed)


class Manifold:
    """States that meet the constraints, and the way from one to the next along independent velocities."""

    def __init__(self, robot: arm.robot.Description, independent: tuple[int, ...]) -> None:
        self.tree, self.joints = tree(robot, float).welded(), [b.joint for b in robot.bodies]
        self.independent, self.nv = list(independent), robot.nv

    def G(self, q: Floats) -> Floats:
        J = jacobian(constraints(self.tree), self.nv, q)
        rest = [k for k in range(self.nv) if k not in self.independent]
        G = np.zeros((self.nv, len(self.independent)))
        G[self.independent, range(len(self.independent))] = 1
        G[rest] = np.linalg.lstsq(J[:, rest], -J @ G, rcond=1e-9)[0]
        return G

    def moved(self, q: Floats, e: Floats) -> Floats:
        attempt = close(self.tree, self.joints, moved(self.joints, q, self.G(q) @ e), held=self.independent)
        assert attempt.closed
        return np.array(attempt.q)

    def energy(self, q: Floats) -> float:
        return float(potential_energy(self.tree, q.tolist())) + spring_energy(self.tree, q)


def slope(f: object, h: float) -> Floats:
    """f'(0) from four points."""
    return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h)  # type: ignore[operator]


def test_static_torques_and_stiffness() -> None:
    """The torques are the slopes of the energy along the constraint, the stiffness the slope of the torques."""
    for case in cases()[:30]:
        _statics(case)
    assert sum(any(c.stiffness for c in case.robot.cuts) for case in cases()[:30]) >= 4


def _statics(case: ClosedCase) -> None:
    robot = arm.Robot.of(case.robot)
    names = tuple(robot.v_names[k] for k in case.partition.independent)
    model = robot.derive("closed-statics", passes=False, independent=names)
    there = Manifold(robot, case.partition.independent)
    found = model.evaluate(q=case.q)
    M, G = Kkt(case.robot, case.q).inertia(np.zeros(robot.nv)), there.G(case.q)
    assert np.allclose(found["A"], G.T @ M @ G, rtol=0, atol=1e-9 * np.linalg.norm(M) * np.linalg.norm(G) ** 2)
    e = np.random.default_rng(1).normal(size=len(names)) / np.linalg.norm(G)
    power = slope(lambda t: there.energy(there.moved(case.q, t * e)), 2e-3)
    size = np.linalg.norm(found["tau"]) + np.linalg.norm(found["K"])
    assert abs(power - found["tau"] @ e) <= 1e-6 * size
    change = slope(lambda t: model.evaluate(q=there.moved(case.q, t * e))["tau"], 1e-3)
    assert np.linalg.norm(change - found["K"] @ e) <= 1e-5 * size


def test_stiffness_of_a_rod_that_leans_on_a_curve() -> None:
    """A point on a surface is a constraint as others are, and its turning counts in the stiffness."""
    robot = arm.describe(
        "leaning",
        arm.revolute("a", stiffness=20.0, reference=0.3, **ROD),
        arm.revolute("b", d=0.5, stiffness=9.0, **ROD),
        arm.revolute("c", d=0.5, stiffness=5.0, **ROD),
        arm.contact("floor", arm.side("c", d=0.4), "y - 0.3*x**2 - 0.1"),
        gravity=(0, -9.81, 0),
    )
    there = Manifold(robot, (0, 1))
    attempt = close(there.tree, there.joints, np.array([0.8, -0.6, -0.3]), held=(0, 1))
    model = robot.closed_statics(independent=("q1", "q2"))
    found = model.evaluate(q=attempt.q)
    assert attempt.closed and np.allclose(
        found["K"], hessian(there, attempt.q), rtol=0, atol=1e-5 * np.abs(found["K"]).max()
    )


def test_accelerations_with_springs() -> None:
    """[[M, -Jᵀ], [J, 0]] with the springs' torques, of tree joints and of cut joints, against both methods; and the way back."""
    done = 0
    for case in cases():
        system = Kkt(case.robot, case.q)
        c = Closed(tree(case.robot, float).welded(), case.q.tolist(), case.partition)
        base = base_motion(c.tree)
        qd = np.array(c.velocities(case.qd_a.tolist()))
        h = system.bias(qd)
        for b in c.tree.bodies:
            if b.joint.nv == 1:
                h[b.v.start] += b.stiffness * (case.q[b.q.start] - b.reference)
        for x in c.loops:
            if x.junction.kind.free:
                stretch = free_coordinate(x, c.q) - x.junction.reference
                h += np.array(free_row(x, c.q)) * x.junction.stiffness * stretch
        J, rate, _ = system.J(qd)
        M, rng = system.inertia(qd), np.random.default_rng(3)
        tau, full = rng.normal(size=len(case.partition.actuated)), np.zeros(len(qd))
        full[list(case.partition.actuated)] = tau
        n, m = len(qd), len(J)
        A = np.block([[M, -J.T], [J, np.zeros((m, m))]])
        expected = np.linalg.lstsq(A, np.r_[full - h, -rate], rcond=1e-12)[0][:n]
        if np.linalg.cond(there := Manifold(case.robot, case.partition.independent).G(case.q)) > 1e3:
            continue
        reduced = there.T @ M @ there
        if np.linalg.cond(reduced) > 1e7:
            continue
        scale = 1e-7 * (np.linalg.norm(expected) + np.linalg.norm(h))
        found = closed_direct_dynamics(c, case.qd_a.tolist(), tau.tolist(), base)
        assert np.allclose(found, expected, rtol=0, atol=scale)
        if not case.partition.others:
            found = direct_dynamics_with_multipliers(c, case.qd_a.tolist(), tau.tolist(), base)
            assert np.allclose(found, expected, rtol=0, atol=scale)
        known = [k for k in case.partition.independent if rng.random() < 0.5]
        given = [expected[k] if k in known else t for k, t in zip(case.partition.actuated, tau, strict=True)]
        qdd, torques = closed_hybrid_dynamics(c, case.qd_a.tolist(), given, known, base)
        assert np.allclose(qdd, expected, rtol=0, atol=10 * scale)
        assert np.allclose(torques, tau, rtol=0, atol=10 * scale * np.linalg.norm(reduced))
        done += 1
    assert done > 250


def hessian(there: Manifold, q: Floats, h: float = 2e-3) -> Floats:
    """Second derivatives of the energy in the independent coordinates."""
    n = len(there.independent)
    V = {}

    def at(*e: float) -> float:
        key = tuple(round(x) for x in e)
        if key not in V:
            V[key] = there.energy(there.moved(q, h * np.array(e)))
        return V[key]

    I, K = np.eye(n), np.zeros((n, n))
    for i in range(n):
        K[i, i] = (-at(*2 * I[i]) + 16 * at(*I[i]) - 30 * at(*0 * I[i]) + 16 * at(*-I[i]) - at(*-2 * I[i])) / (
            12 * h * h
        )
        for j in range(i):
            fine = at(*I[i] + I[j]) - at(*I[i] - I[j]) - at(*I[j] - I[i]) + at(*-I[i] - I[j])
            wide = at(*2 * (I[i] + I[j])) - at(*2 * (I[i] - I[j])) - at(*2 * (I[j] - I[i])) + at(*-2 * (I[i] + I[j]))
            K[i, j] = K[j, i] = (fine / 3 - wide / 48) / (h * h)
    return K


def squares(M: Floats, K: Floats) -> Floats:
    """ω² of K φ = ω² M φ."""
    L = np.linalg.inv(np.linalg.cholesky(M))
    return np.linalg.eigvalsh(L @ K @ L.T)


def test_frequencies_of_random_loops() -> None:
    """Those of the energy's Hessian in the independent coordinates and of Pinocchio's inertia, wherever it is."""
    done = 0
    for case in cases()[:70]:
        places = case.partition.independent
        robot = arm.Robot.of(case.robot)
        there = Manifold(robot, places)
        G = there.G(case.q)
        M = G.T @ Kkt(case.robot, case.q).inertia(np.zeros(robot.nv)) @ G
        if len(places) > 3 or any(b.joint.nq != b.joint.nv for b in robot.bodies) or np.linalg.cond(M) > 1e5:
            continue
        names = tuple(robot.v_names[k] for k in places)
        swing = robot.modes(case.q, free=names, independent=names)
        expected = squares(M, hessian(there, case.q))
        assert np.allclose(swing.squares, expected, rtol=0, atol=1e-5 * max(1.0, np.abs(expected).max()))
        assert np.allclose(swing.shapes.T @ M @ swing.shapes, np.eye(len(places)), atol=1e-8)
        done += 1
    assert done >= 12


@pytest.mark.parametrize("seed", range(100))
def test_frequencies_of_random_trees(seed: int) -> None:
    """Some joints held, some free with springs, some free without: the Hessian of their energy, and Pinocchio's inertia."""
    rng = np.random.default_rng([seed, 21])
    robot = random_tree(rng, 2 + seed % 5, kinds=("revolute", "prismatic", "helical"))
    bodies = tuple(
        replace(b, IA=0.5 + b.IA, stiffness=float(rng.choice([0, 30])), actuated=bool(rng.random() < 0.3))
        for b in robot.bodies
    )
    robot = arm.Robot.of(replace(robot, bodies=bodies))
    q, _, _ = random_state(rng, robot)
    swing = robot.modes(q)
    places = [robot.v_names.index(name) for name in swing.free]
    assert [robot.bodies[k].actuated for k in places] == [len(places) == robot.nv and robot.bodies[0].actuated] * len(
        places
    )
    other = peer(robot)
    M = other.ours_square(pin.crba(other.model, other.data, other.q(q)))
    M = np.triu(M) + np.triu(M, 1).T + rotor_inertias(robot)
    there = Manifold(robot, tuple(places))
    expected = squares(M[np.ix_(places, places)], hessian(there, q))
    assert np.allclose(swing.squares, expected, rtol=0, atol=1e-6 * max(1.0, np.abs(expected).max()))


# ---- mechanisms by name ----


def sprung_five_bar(cut: str, motors: str = "", base: str = "base") -> list[object]:
    """Springs in the second joint of a five-bar and at its tip, slack at `closed_state`; cut at its tip or at its last joint."""
    start = closed_state()[0]
    bend = to_the_other_cut(start)[2]
    rod = {"mass": 1.0, "center": (0.25, 0, 0), "inertia": (0, 0, 0, 0.02, 0, 0.02)}
    parts = [
        arm.revolute("a", base, actuated="a" in motors, **rod),
        arm.revolute("b", d=0.5, actuated=False, stiffness=300.0, reference=float(start[1]), **rod),
    ]
    tip = {"stiffness": 200.0, "reference": float(bend), "FV": 0.2}
    if cut == "tip":
        parts += [
            arm.revolute("c", base, d=0.6, actuated="c" in motors, **rod),
            arm.revolute("d", d=0.5, actuated=False, **rod),
            arm.cut("tip", a=arm.side("b", d=0.5), b=arm.side("d", d=0.5), **tip),
        ]
    else:
        back = {"mass": 1.0, "center": (-0.25, 0, 0), "inertia": (0, 0, 0, 0.02, 0, 0.02)}
        parts += [
            arm.revolute("d", "b", d=0.5, actuated=False, **tip, **back),
            arm.revolute("c", d=-0.5, actuated="c" in motors, **back),
            arm.cut("foot", a=arm.side("c", d=-0.5), b=arm.side(base, d=0.6)),
        ]
    return parts


def to_the_other_cut(q: Floats) -> Floats:
    """The same place of the links, coordinates of the tree that is cut at the foot."""
    a, b, c, d = q
    return np.array([a, b, np.angle(np.exp(1j * (c + d - a - b))), -d])


@pytest.mark.parametrize("motors", ["", "a"])
def test_the_cut_makes_no_difference(motors: str) -> None:
    """The same five-bar cut elsewhere: the same rest, torques and frequencies, and the energy has a minimum there."""
    start, _ = closed_state()
    at_tip = arm.describe("five-bar", *sprung_five_bar("tip", motors), gravity=(0, -9.81, 0))  # type: ignore[arg-type]
    at_foot = arm.describe("five-bar", *sprung_five_bar("foot", motors), gravity=(0, -9.81, 0))  # type: ignore[arg-type]
    names = ("q1", "q2")
    rest = at_tip.equilibrium(start, independent=names)
    again = at_foot.equilibrium(to_the_other_cut(start), independent=names)
    assert rest.free == (("q2",) if motors else names) and rest.stable and rest.velocities == names
    assert np.allclose(np.sin(to_the_other_cut(rest.q) - again.q), 0, atol=1e-9)
    assert np.allclose(rest.torques, again.torques, atol=1e-8)
    assert rest.q[0] == (pytest.approx(start[0], abs=1e-14) if motors else pytest.approx(again.q[0], abs=1e-9))
    one, other = at_tip.modes(rest.q, independent=names), at_foot.modes(again.q, independent=names)
    assert np.allclose(one.squares, other.squares, rtol=1e-8)
    there = Manifold(at_tip, (0, 1))
    for e in 1e-3 * np.random.default_rng(1).normal(size=(20, 2)) * [not motors, 1]:
        assert there.energy(there.moved(rest.q, e)) > there.energy(rest.q)


def test_a_spring_holds_two_coupled_discs() -> None:
    """ω² = k r²/(J1 + r² J2)."""
    robot = arm.describe(
        "gears",
        arm.revolute("small", ZZ=0.2, actuated=False),
        arm.revolute("large", "base", ZZ=3.0, stiffness=40.0),
        arm.couple("large", "small", 0.25),
    )
    assert robot.modes().squares == pytest.approx([40 * 0.25**2 / (0.2 + 0.25**2 * 3.0)], rel=1e-13)


def test_a_loop_that_floats() -> None:
    """Six motions of the whole cost nothing; the heavier the body that carries the loop, the nearer to the loop on a fixed base."""
    start, _ = closed_state()
    fixed = arm.describe("five-bar", *sprung_five_bar("tip"), gravity=(0, 0, 0))  # type: ignore[arg-type]
    rest = fixed.equilibrium(start, independent=("q1", "q2"))
    expected = fixed.modes(rest.q, independent=("q1", "q2")).squares
    errors: list[float] = []
    for m in (1e3, 1e4):
        hull = arm.free("hull", mass=m, inertia=(m, 0, 0, m, 0, m))
        robot = arm.describe("floating five-bar", hull, *sprung_five_bar("tip", base="hull"), gravity=(0, 0, 0))  # type: ignore[arg-type]
        names = (*robot.v_names[:6], "q2", "q3")
        swing = robot.modes(np.r_[0.3, -0.2, 0.5, 0.5, 0.5, 0.5, 0.5, rest.q], independent=names)
        assert np.abs(swing.squares[:6]).max() < 1e-7
        errors.append(float(np.abs(swing.squares[6:] / expected - 1).max()))
    assert errors[0] < 0.02 and errors[1] == pytest.approx(errors[0] / 10, rel=0.1)


def test_a_platform_on_springs() -> None:
    """Six struts that are springs sag until they carry the plate; it swings as the Hessian in their lengths says."""
    plate = platform("free")
    bodies = tuple(
        replace(b, stiffness=2000.0, reference=0.75, actuated=False) if b.joint.kind == "prismatic" else b
        for b in plate.bodies
    )
    robot = arm.Robot.of(replace(plate, bodies=bodies))
    lengths = tuple(b.velocities[0] for b in bodies if b.joint.kind == "prismatic")
    q = np.zeros(robot.nq)
    q[robot.q_names.index("q19z")], q[robot.q_names.index("q19ow")] = 0.7, 1.0
    q[[robot.q_names.index(name) for name in lengths]] = 0.75
    rest = robot.equilibrium(q, independent=lengths)
    sag = rest.q[[robot.q_names.index(name) for name in lengths]] - 0.75
    assert rest.stable and np.allclose(sag, sag[0], atol=1e-9) and -0.02 < sag[0] < 0
    places = tuple(robot.v_names.index(name) for name in lengths)
    there = Manifold(robot, places)
    assert np.allclose(rest.stiffness, hessian(there, rest.q), rtol=0, atol=1e-4 * np.abs(rest.stiffness).max())
    by_plate = robot.modes(rest.q, independent=tuple(name for name in robot.v_names if name.startswith("q19")))
    assert np.allclose(by_plate.squares, squares(rest.inertia, rest.stiffness), rtol=1e-7)


def test_what_is_wrong_is_said() -> None:
    robot = arm.describe("five-bar", *sprung_five_bar("tip"))  # type: ignore[arg-type]
    with pytest.raises(ModelError, match=r"its loops do not close with .* at 0; give a q near which they do"):
        robot.equilibrium(independent=("q1", "q2"))
    with pytest.raises(ModelError, match="no independent joint velocity q4; free are some of q1, q2"):
        robot.modes(closed_state()[0], free=("q4",), independent=("q1", "q2"))
    with pytest.raises(ModelError, match="no constraints: all its joint velocities are independent"):
        arm.load("elastic_arm").modes(independent=("q1",))
    with pytest.raises(ModelError, match="derivatives by q in it: none of its elements can be fixed"):
        five_bar("ac").closed_statics(fixed={"q1": 0.3})


# ---- motion ----


class Loop:
    """A compiled loop that moves by itself, with independent coordinates as its state."""

    def __init__(self, robot: arm.Robot, independent: tuple[str, ...]) -> None:
        self.robot, self.there = robot, Manifold(robot, tuple(robot.v_names.index(x) for x in independent))
        self.f = robot.closed_direct_dynamics(independent=independent).compile(cache=False)
        self.tau = np.zeros(sum(b.actuated for b in robot.bodies if b.joint.nv))

    def run(self, q: Floats, seconds: float, steps: int) -> tuple[list[Floats], list[Floats]]:
        """q of all joints, and independent velocities, by Runge and Kutta's method; loops are closed at every evaluation."""
        h, places = seconds / steps, self.there.independent
        v, states, rates = np.zeros(len(places)), [q], [np.zeros(len(places))]
        for _ in range(steps):
            k: list[tuple[Floats, Floats]] = []
            for part in (0, 0.5, 0.5, 1):
                at = q if part == 0 else self.there.moved(q, h * part * k[-1][0])
                w = v if part == 0 else v + h * part * k[-1][1]
                k.append((w, self.f(at, w, *([self.tau] if len(self.tau) else []))[places]))
            q = self.there.moved(q, h / 6 * (k[0][0] + 2 * k[1][0] + 2 * k[2][0] + k[3][0]))
            v = v + h / 6 * (k[0][1] + 2 * k[1][1] + 2 * k[2][1] + k[3][1])
            states.append(q)
            rates.append(v)
        return states, rates


def test_energy_of_a_sprung_loop_goes_into_its_damper() -> None:
    """Kinetic, potential and spring energy lose what the damper of the cut joint takes."""
    robot = arm.describe("five-bar", *sprung_five_bar("tip"), gravity=(0, -9.81, 0))  # type: ignore[arg-type]
    start, _ = closed_state()
    states, rates = Loop(robot, ("q1", "q2")).run(start, 0.2, 200)
    E, V, S = robot.kinetic_energy(), robot.potential_energy(), robot.spring_energy()
    there, total, taken = Manifold(robot, (0, 1)), [], []
    for q, v in zip(states, rates, strict=True):
        qd = there.G(q) @ v
        total.append(float(E.evaluate(q=q, qd=qd)["E"] + V.evaluate(q=q)["U"] + S.evaluate(q=q)["US"]))
        slip = qd[2] + qd[3] - qd[0] - qd[1]
        taken.append(0.2 * slip * slip)
    w = np.ones(201)
    w[1:-1:2], w[2:-1:2] = 4, 2
    lost = w @ taken * (0.2 / 200) / 3
    assert total[0] - total[-1] == pytest.approx(lost, rel=1e-5) and lost > 1e-3


def test_a_stiff_joint_makes_the_rigid_loop() -> None:
    """A four-bar whose coupler bends at a spring moves as the rigid one does, the nearer the stiffer the spring."""
    rod = {"mass": 1.0, "center": (0.25, 0, 0), "inertia": (0, 0, 0, 0.02, 0, 0.02)}
    half = {"mass": 0.5, "center": (0.125, 0, 0), "inertia": (0, 0, 0, 0.005, 0, 0.005)}

    def four_bar(*bend: object) -> arm.Robot:
        hinge = (
            arm.fixed("bend", d=0.25, **half)
            if not bend
            else arm.revolute("bend", d=0.25, stiffness=bend[0], actuated=False, **half)
        )
        return arm.describe(
            "four-bar",
            arm.revolute("crank", **rod),
            arm.revolute("coupler", d=0.5, actuated=False, **half),
            hinge,
            arm.revolute("rocker", "base", d=0.6, actuated=False, **rod),
            arm.cut("tip", a=arm.side("bend", d=0.25), b=arm.side("rocker", d=0.5)),
            gravity=(0, -9.81, 0),
        )  # fmt: skip

    q, _ = closed_state()
    rigid = np.array(Loop(four_bar(), ("q1",)).run(q[:3], 0.1, 100)[0])
    errors: list[float] = []
    for k in (10.0, 40.0, 160.0):
        bent = np.array(Loop(four_bar(k), ("q1", "q3")).run(np.r_[q[:2], 0, q[2]], 0.1, 100)[0])
        errors.append(float(np.abs(bent[:, 0] - rigid[:, 0]).max()))
    assert abs(rigid[-1, 0] - q[0]) > 0.02 and errors[0] < 5e-3
    assert errors[1] < errors[0] / 3 and errors[2] < errors[1] / 3, errors
