"""Models of robots with closed loops: figures of record, one robot cut in several ways, what cannot be, Newton's method."""

import warnings
from dataclasses import replace

import numpy as np
import pytest

import armillary as arm
from armillary.errors import ModelError
from armillary.routine import interpret
from reference.closed_loops import closed_case
from reference.gcc import compiled
from reference.library_cases import LIBRARY, library_case
from reference.with_numbers import arrays

FIVE_BAR = {"q": [np.pi / 2, -np.pi / 6, np.pi / 2, np.pi / 6], "qd_a": [1, -0.5], "qdd_a": [0.3, 0.7]}


@pytest.fixture(autouse=True)
def _quiet() -> object:  # type: ignore[misc]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", arm.RobotWarning)
        yield


# ---- figures of record ----


@pytest.mark.parametrize(
    ("g", "torques"), [(0.0, (7.09775557991, 4.79935873712)), (9.81, (-9.89366284234, 21.7907771594))]
)
def test_the_five_bar_of_the_lecture(g: float, torques: tuple[float, float]) -> None:
    """Rods of 1 m and 6 kg, base 1 m, both cranks up, the tip above: to the last digit known."""
    found = arm.load("five_bar").closed_inverse_dynamics().evaluate(**FIVE_BAR, g=g)["tau_a"]
    assert np.allclose(found, torques, rtol=6e-12, atol=0)


def test_inertia_matrix_of_the_five_bar_of_the_lecture() -> None:
    found = arm.load("five_bar").closed_inertia_matrix().evaluate(q=FIVE_BAR["q"])["A"]
    assert np.allclose(found, [[19 / 3, 5 / 3], [5 / 3, 19 / 3]], rtol=1e-14, atol=0)


def test_the_crank_of_the_four_bar_turns_fully_between_the_bounds_known() -> None:
    """a0 from 0.1532 to 0.3076 m, by Newton's method with each solution as the next start."""
    for a0, turns in ((0.1533, True), (0.19, True), (0.3075, True), (0.1530, False), (0.3078, False)):
        f = arm.load("four_bar").loop_closure().compile().at(parameters={"a0": a0})
        x, statuses = np.array([0.5, 1.5]), []
        for angle in np.concatenate([np.zeros(3), np.linspace(0, 2 * np.pi, 500)]):
            x, _, status = f(x, [angle])
            statuses.append(int(status))
        assert (max(statuses) == 0) == turns


def test_size_of_the_systems_of_the_lecture() -> None:
    """The four-bar has 5 unknowns with multipliers, the five-bar 2 loop forces."""
    J = {name: arm.load(name).loop_jacobian().output("J").shape for name in ("four_bar", "five_bar")}
    assert J == {"four_bar": (2, 3), "five_bar": (2, 4)}


# ---- one mechanism, whichever joint is cut ----

B, C, D = (
    {"IA": 0.02, "FV": 0.3, "FS": 0.2, "stiffness": 0.7, "reference": 0.4},
    {"IA": 0.01, "FV": 0.2, "FS": 0.4, "stiffness": 0.5},
    {"IA": 0.03, "FV": 0.1, "FS": 0.3, "stiffness": 0.9, "reference": 1.2},
)


def rod(length: float, mass: float) -> dict[str, object]:
    return {
        "mass": mass,
        "center": (length / 2, 0, 0),
        "inertia": (0, 0, 0, mass * length**2 / 12, 0, mass * length**2 / 12),
    }


def four_bar(cut: str) -> arm.Robot:
    """Crank 0.4, coupler 1, rocker 0.8, ground 1.1; losses in every joint; the joint of that name is cut."""
    crank = arm.revolute("crank", FV=0.2, IA=0.1, **rod(0.4, 1.0))
    passive = {"actuated": False}
    outwards = arm.revolute("coupler", "crank", d=0.4, **rod(1, 2.0), **passive, **B)
    rocker = arm.revolute("rocker", "base", d=1.1, **rod(0.8, 1.5), **passive, **D)
    end = arm.side("coupler", d=1)
    parts = {
        "C": [crank, outwards, rocker, arm.cut("C", a=end, b=arm.side("rocker", d=0.8), **C)],
        "D": [
            crank,
            outwards,
            arm.revolute("rocker", "coupler", d=1, theta="pi", **rod(0.8, 1.5), **passive, **C),
            arm.cut("D", a=arm.side("base", d=1.1), b=arm.side("rocker", d=0.8, theta="pi"), **D),
        ],
        "B": [
            crank,
            rocker,
            arm.revolute("coupler", "rocker", d=0.8, theta="pi", **rod(1, 2.0), **passive, **C),
            arm.cut("B", a=arm.side("crank", d=0.4), b=arm.side("coupler", d=1, theta="pi"), **B),
        ],
    }
    return arm.describe("four-bar", *parts[cut], gravity=(1, -9.81, 0))  # type: ignore[arg-type]


def angles(th: float) -> tuple[float, float]:
    """Of coupler and rocker to the ground, by the law of cosines on the diagonal."""
    pin = 0.4 * np.exp(1j * th)
    diagonal = 1.1 - pin
    d = abs(diagonal)
    coupler = np.angle(diagonal) + np.arccos((1 + d * d - 0.8**2) / (2 * d))
    return float(coupler), float(np.angle(pin + np.exp(1j * coupler) - 1.1))


def test_the_result_does_not_depend_on_which_joint_is_cut() -> None:
    rng = np.random.default_rng(2)
    robots = {cut: four_bar(cut) for cut in "BCD"}
    names = ("loop-residual", "closed-inverse-dynamics", "closed-inertia-matrix", "closed-bias")
    models = {cut: {name: robot.derive(name) for name in names} for cut, robot in robots.items()}
    direct = [
        (cut, robots[cut].closed_direct_dynamics(method)) for cut in robots for method in ("reduced", "multipliers")
    ]
    for _ in range(20):
        th = rng.uniform(0, 2 * np.pi)
        c, r = angles(th)
        fold = [(x + np.pi) % (2 * np.pi) - np.pi for x in (c - th, r, r - c)]
        states = {"C": [th, fold[0], fold[1]], "D": [th, fold[0], fold[2]], "B": [th, fold[1], -fold[2]]}
        qd, qdd = rng.normal(size=(2, 1))
        found = []
        for cut, model in models.items():
            q = {"q": states[cut]}
            assert np.abs(model["loop-residual"].evaluate(**q)["residual"]).max() < 1e-12
            tau = model["closed-inverse-dynamics"].evaluate(**q, qd_a=qd, qdd_a=qdd)["tau_a"]
            A = model["closed-inertia-matrix"].evaluate(**q)["A"]
            H = model["closed-bias"].evaluate(**q, qd_a=qd)["H"]
            assert np.allclose(A @ qdd + H, tau, rtol=1e-12, atol=1e-12)
            found.append([tau[0], A[0, 0], H[0]])
        assert np.allclose(found, found[0], rtol=1e-11, atol=1e-11)
        for cut, model in direct:
            back = model.evaluate(q=states[cut], qd_a=qd, tau_a=found[0][:1])["qdd"]
            assert back[0] == pytest.approx(qdd[0], rel=1e-10, abs=1e-10)


# ---- derived models against the KKT system ----


@pytest.mark.parametrize("name", LIBRARY)
def test_library(name: str) -> None:
    """Every closed robot that is shipped, in symbols, at ten random robots and states each."""
    robot = arm.load(name)
    inverse, direct = robot.closed_inverse_dynamics(), robot.closed_direct_dynamics()
    for seed in range(10):
        case, values = library_case(name, seed)
        given, t = {"q": case.q, "qd_a": case.qd_a}, case.truth
        found = inverse.evaluate(**given, qdd_a=case.qdd_a, **arrays(values, inverse.parameters))["tau_a"]
        assert np.allclose(found, t.torques, rtol=1e-8, atol=1e-8 * np.abs(t.torques).max())
        back = direct.evaluate(**given, tau_a=t.torques, **arrays(values, direct.parameters))["qdd"]
        assert np.allclose(back, t.qdd, rtol=1e-7, atol=1e-7 * np.abs(t.qdd).max())


@pytest.mark.parametrize("name", LIBRARY)
def test_base_parameters_of_the_tree_leave_the_torques_unchanged(name: str) -> None:
    case, _ = library_case(name, 4)
    robot = arm.Robot.of(case.robot)
    given = {"q": case.q, "qd_a": case.qd_a, "qdd_a": case.qdd_a}
    found = robot.closed_inverse_dynamics(base_parameters=True).evaluate(**given)["tau_a"]
    assert np.allclose(found, case.truth.torques, rtol=1e-8, atol=1e-8 * np.abs(case.truth.torques).max())


def test_random_robots_as_derived_models() -> None:
    """What `partition` finds out by itself gives the same torques; over-constrained loops say which rows were taken."""
    told = done = 0
    for seed in range(700):
        case = closed_case(seed)
        if case is None or any(b.joint.nv > 1 for b in case.robot.bodies) or len(case.robot.cuts) > 1:
            continue
        passive = set(case.partition.dependent)
        places = [k for k, b in enumerate(case.robot.bodies) if b.joint.nv]
        bodies = list(case.robot.bodies)
        for v, k in enumerate(places):
            bodies[k] = replace(bodies[k], actuated=v not in passive)
        robot = arm.Robot.of(replace(case.robot, bodies=tuple(bodies)))
        try:
            model = robot.closed_inverse_dynamics()
        except ModelError:
            continue  # the loop is another one elsewhere: its mobility at this state is a special case
        found = model.evaluate(q=case.q, qd_a=case.qd_a, qdd_a=case.qdd_a)["tau_a"]
        assert np.allclose(found, case.truth.torques, rtol=1e-8, atol=1e-7 * np.abs(case.truth.multipliers).max())
        told += "independent rows" in str(model)
        done += 1
        if done == 25:
            break
    assert done > 15 and told >= 1


# ---- Newton's method ----


@pytest.mark.parametrize("name", ["five_bar", "sr400", "akr3000", "twoloops"])
def test_loops_close_in_every_way_of_running(name: str) -> None:
    """Interpreter, machine code and C agree, and the residual is 0."""
    robot = arm.load(name)
    closure = robot.loop_closure()
    case, drawn = library_case(name, 3)
    q = case.q
    values = {x.name: drawn[x.name] for x in closure.routine.inputs if x.name in drawn}
    rng = np.random.default_rng(1)
    order = {n: k for k, n in enumerate(robot.q_names)}
    q_a, q_p = ([q[order[n]] for n in names] for names in (closure.active, closure.passive))
    start = np.array(q_p) + 0.05 * rng.normal(size=len(q_p))
    expected = interpret(closure.routine, {"q_p_start": start, "q_a": q_a, **values})
    assert expected.status == "converged" and np.allclose(expected["q_p"], q_p, rtol=0, atol=1e-9)
    got = closure.compile()(start, q_a, parameters=values)
    assert got.status == 0 and np.allclose(got.q_p, expected["q_p"], rtol=0, atol=1e-12)
    in_c = compiled(closure.routine).routine(q_p_start=start, q_a=q_a, **values)
    assert in_c.status == "converged" and np.allclose(in_c["q_p"], expected["q_p"], rtol=0, atol=1e-12)


def test_newton_says_that_it_did_not_converge() -> None:
    """Cranks too far apart for the couplers to meet."""
    closure = arm.load("five_bar").loop_closure()
    got = interpret(closure.routine, {"q_p_start": [-0.4, 0.4], "q_a": [np.pi, 0.0], "L": 1})
    assert got.status in ("not_converged", "singular")


# ---- what cannot be ----


def chain(*active: str, **cut: object) -> arm.Robot:
    names = ("a", "b", "c", "d")
    links = [arm.revolute(n, d=0.5 if k else 0, mass=1, actuated=n in active) for k, n in enumerate(names)]
    closing = {"a": arm.side("base", d=0.9), "b": arm.side("d", d=0.5)} | cut
    return arm.describe("chain", *links, arm.cut("end", **closing))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("robot", "message"),
    [
        (chain("a"), "under-actuated: with its active joints held, q2, q3, q4 can still move; the mobility is 2"),
        (chain(), "no joint is active, and the mobility is 2"),
        (chain("a", "b", a=arm.side("base", d=3)), r"no state .* at which its loops close; .* no nearer than end"),
        (chain("a", "b", a=arm.side("base", d=0.9, r=0.1)), r"no state .* at which its loops close; .* end \(0.1\)"),
        (
            chain("a", "b", a=arm.side("base", d="L")).opened(),
            "chain has nothing that ties its joints together: take inverse-dynamics",
        ),
    ],
)
def test_what_is_wrong_is_told(robot: arm.Robot, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        robot.closed_inverse_dynamics()


def test_a_loop_that_is_rigid() -> None:
    links = [arm.revolute(n, d=0.5 if n == "b" else 0, actuated=n == "a") for n in ("a", "b")]
    robot = arm.describe("triangle", *links, arm.cut("end", a=arm.side("base", d=0.7), b=arm.side("b", d=0.5)))
    with pytest.raises(ModelError, match=r"its constraints \(end\) leave no motion at all"):
        robot.closed_inverse_dynamics()


@pytest.mark.parametrize(
    "model", ["inverse-dynamics", "inertia-matrix", "direct-dynamics", "regressor", "bias-torques"]
)
def test_models_of_trees_refuse_loops(model: str) -> None:
    with pytest.raises(ModelError, match="has the cut joints tip joint, which tie its joints together"):
        arm.load("five_bar").derive(model)
    assert arm.load("five_bar").opened().derive(model).states
