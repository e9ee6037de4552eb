"""Closed forms for the passive joints of the library's robots and of robots by hand, and the models that take a mode."""

import warnings

import numpy as np
import pytest
from numpy.typing import NDArray

import armillary as arm
from armillary.errors import ModelError
from armillary.kinematics.closure import close, jacobian, random_coordinates
from armillary.kinematics.constraints import constraints
from armillary.program import cost
from armillary.robot import tree
from reference.gcc import compiled
from reference.with_numbers import arrays, random_values, with_numbers

Floats = NDArray[np.float64]
MODES = {
    "four_bar": 2, "five_bar": 2, "testloop": 2, "twoloops": 4, "sr400": 2, "akr3000": 4, "simple_loop": 2, "simple_loop2": 2,
}  # fmt: skip


@pytest.fixture(autouse=True)
def _quiet() -> object:  # type: ignore[misc]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", arm.RobotWarning)
        yield


def turns(robot: arm.Robot) -> NDArray[np.bool_]:
    """Which coordinates are angles."""
    return np.array([b.joint.kind == "revolute" for b in robot.bodies if b.joint.nv])


def apart(robot: arm.Robot, a: Floats, b: Floats) -> Floats:
    """How far states (N, nq) are from each other, angles up to whole turns."""
    away = a - b
    return np.abs(np.where(turns(robot), (away + np.pi) % (2 * np.pi) - np.pi, away)).max(axis=-1)


def actives(robot: arm.Robot) -> list[int]:
    return [k for k, b in enumerate(b for b in robot.bodies if b.joint.nv) if b.actuated]


# ---- the library ----


@pytest.mark.parametrize("name", MODES)
def test_every_mode_closes_the_loops(name: str) -> None:
    """300 states of the active joints, three sets of lengths; what is not reached is not a number, and says so."""
    robot = arm.load(name)
    solution, residual = robot.loop_solution(), robot.loop_residual()
    assert solution.output("q").shape == (MODES[name], robot.nq)
    reached = lost = 0
    for seed in range(3):
        rng = np.random.default_rng(seed)
        values = random_values(robot, rng)
        q_a = rng.uniform(-1, 1, (100, len(actives(robot)))) * np.where(turns(robot)[actives(robot)], np.pi, 1.5)
        found = solution.evaluate(q_a=q_a, **arrays(values, solution.parameters))
        for mode in range(MODES[name]):
            q, there = found["q"][:, mode], found["reached"][:, mode] == 1
            assert np.array_equal(q[:, actives(robot)], q_a)
            assert np.array_equal(np.isfinite(q).all(axis=1), there)
            if there.any():
                left = residual.evaluate(q=q[there], **arrays(values, residual.parameters))["residual"]
                assert np.abs(left).max() < 1e-12
            reached, lost = reached + int(there.sum()), lost + int((~there).sum())
    assert reached > 60 * MODES[name]
    assert (lost > 0) == (name not in ("testloop", "sr400", "simple_loop"))


@pytest.mark.parametrize("name", MODES)
def test_newtons_solutions_are_modes(name: str) -> None:
    """All that Newton's method finds, but states where the active joints do not determine the others."""
    robot = arm.load(name)
    solution = robot.loop_solution()
    joints = [b.joint for b in robot.bodies]
    met = set()
    done = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        values = random_values(robot, rng)
        numbers = tree(with_numbers(robot, values), float)
        attempt = close(numbers, joints, random_coordinates(joints, rng))
        if not attempt.closed:
            continue
        passive = [k for k in range(robot.nq) if k not in actives(robot)]
        if (
            np.linalg.svd(jacobian(constraints(numbers), robot.nv, attempt.q)[:, passive], compute_uv=False).min()
            < 1e-3
        ):
            continue
        found = solution.evaluate(q_a=attempt.q[actives(robot)], **arrays(values, solution.parameters))
        away = apart(robot, found["q"], attempt.q)
        assert np.nanmin(away) < 1e-8
        met.add(int(np.nanargmin(away)))
        done += 1
    assert done > 15
    assert met == set(range(MODES[name]))


@pytest.mark.parametrize("name", ["four_bar", "akr3000", "sr400"])
def test_c_and_machine_code_agree(name: str) -> None:
    """With states that are not reached among them."""
    robot = arm.load(name)
    solution = robot.loop_solution()
    rng = np.random.default_rng(5)
    values = arrays(random_values(robot, rng), solution.parameters)
    q_a = rng.uniform(-3, 3, (40, len(actives(robot))))
    expected = solution.evaluate(q_a=q_a, **values)
    assert name == "sr400" or 0 < (expected["reached"] == 0).sum() < expected["reached"].size
    got = solution.compile()(q_a, parameters=values)
    run = compiled(solution)
    in_c = [run(q_a=x, **values) for x in q_a]
    for key, value in expected.items():
        for other in (getattr(got, key), np.array([x[key] for x in in_c])):
            assert np.allclose(other, value, rtol=0, atol=1e-11, equal_nan=True)


def test_a_parallelogram_is_a_sum() -> None:
    """q3 = q7 - q2 - pi/2, q8 = q2 - q7: two sums, no sines, for any lengths."""
    solution = arm.load("sr400").loop_solution(mode=0)
    assert not solution.parameters and cost(solution)[0].total == 2 and cost(solution)[0].trig == 0
    found = solution.evaluate(q_a=[0.1, 0.2, 0.3, 0.4, 0.5, 0.7])["q"]
    assert np.allclose(found, [0.1, 0.2, 0.5 - np.pi / 2, 0.3, 0.4, 0.5, 0.7, -0.5], rtol=0, atol=1e-15)
    assert arm.load("sr400").loop_solution().output("q").rows == ("joint9 parallel", "joint9 crossed")
    assert arm.load("simple_loop").loop_solution().output("q").rows == ("joint4 folded", "joint4 open")
    assert arm.load("testloop").loop_solution().output("q").rows == ("joint5 parallel", "joint5 folded")


def test_lengths_that_are_fixed_make_a_parallelogram() -> None:
    """Of the lower quadrilateral of TwoLoops, when its short sides are said to be of one length."""
    robot = arm.load("twoloops")
    assert robot.loop_solution().output("q").rows[0] == "joint10 +, joint9 parallel"
    same = robot.loop_solution(fixed={"d12": "d7"}, mode=0)
    assert cost(same)[0].trig == 0 and {x.name for x in same.parameters} <= {"d7", "g12"}
    rng = np.random.default_rng(0)
    given = {"q_a": rng.normal(size=4), "qd_a": rng.normal(size=4), "qdd_a": rng.normal(size=4)}
    values = random_values(robot, rng)
    values["d12"] = values["d7"]
    q = same.evaluate(q_a=given["q_a"], **arrays(values, same.parameters))["q"]
    found = robot.closed_inverse_dynamics(fixed={"d12": "d7"}, mode=0)
    usual = robot.closed_inverse_dynamics()
    tau = found.evaluate(**given, **arrays(values, found.parameters))["tau_a"]
    expected = usual.evaluate(q=q, **_taken(usual, given, values))["tau_a"]
    assert np.allclose(tau, expected, rtol=1e-10, atol=1e-10)


# ---- by hand ----


def crank(**cut: object) -> arm.Robot:
    """A slider-crank: crank 0.2, rod 0.6, the piston along the base's x axis at y = 0.05; the pin at the piston is cut."""
    closing = {"a": arm.side("piston", alpha="-pi/2"), "b": arm.side("rod", d=0.6)} | cut
    return arm.describe(
        "slider-crank",
        arm.revolute("crank", mass=1, center=(0.1, 0, 0), inertia=(0, 0, 0, 0, 0, 0.01)),
        arm.revolute("rod", d=0.2, mass=1, center=(0.3, 0, 0), inertia=(0, 0, 0, 0, 0, 0.03), actuated=False),
        arm.prismatic("piston", "base", gamma="pi/2", alpha="pi/2", d=0.05, mass=2, actuated=False),
        arm.cut("pin", **closing),  # type: ignore[arg-type]
    )


def by_hand(q1: float) -> list[tuple[float, float]]:
    """(q2, q3) of the slider-crank, from the height of the pin and Pythagoras."""
    x, y = 0.2 * np.cos(q1), 0.2 * np.sin(q1)
    found = []
    for side in (1, -1):
        along = side * np.sqrt(0.6**2 - (0.05 - y) ** 2)
        found.append((np.arctan2(0.05 - y, along) - q1, x + along))
    return found


@pytest.mark.parametrize("type_", ["revolute", "spherical", "cylindrical", "universal"])
def test_slider_crank(type_: str) -> None:
    """A ball, a sleeve or a universal joint at the pin does what a hinge does."""
    robot = crank(type=type_)
    solution = robot.loop_solution()
    for q1 in np.linspace(-3, 3, 20):
        found = solution.evaluate(q_a=[q1])
        assert found["reached"].all()
        for q2, q3 in by_hand(q1):
            assert apart(robot, found["q"], np.array([q1, q2, q3])).min() < 1e-12


def test_a_sleeve_that_slides() -> None:
    """A rod through a sleeve that turns on the base: the cylindrical joint is a slide in the plane, 0.3 off the pivot."""
    robot = arm.describe(
        "sleeve",
        arm.revolute("crank"),
        arm.revolute("rod", d=0.2, actuated=False),
        arm.revolute("sleeve", "base", d=0.7, actuated=False),
        arm.cut(
            "slot",
            type="cylindrical",
            a=arm.side("sleeve", gamma="pi/2", alpha="pi/2", d=0.3),
            b=arm.side("rod", gamma="pi/2", alpha="pi/2"),
        ),
    )
    found = robot.loop_solution().evaluate(q_a=[0.8])
    assert found["reached"].all()
    for q in found["q"]:
        assert np.abs(robot.loop_residual().evaluate(q=q)["residual"]).max() < 1e-12


def five_bar(*parts: object, **actuated: bool) -> arm.Robot:
    """Two cranks of 0.3, 0.8 apart, and rods of 0.7; the second crank may follow the first."""
    driven = {"c1": True, "r1": False, "c2": True, "r2": False} | actuated
    return arm.describe(
        "five-bar",
        arm.revolute("c1", actuated=driven["c1"], mass=1, center=(0.1, 0, 0), inertia=(0, 0, 0, 0, 0, 0.1)),
        arm.revolute("r1", d=0.3, actuated=driven["r1"], mass=1, inertia=(0, 0, 0, 0, 0, 0.1)),
        arm.revolute("c2", "base", d=0.8, actuated=driven["c2"], mass=1, inertia=(0, 0, 0, 0, 0, 0.1)),
        arm.revolute("r2", d=0.3, actuated=driven["r2"], mass=1, inertia=(0, 0, 0, 0, 0, 0.1)),
        arm.cut("tip", a=arm.side("r1", d=0.7), b=arm.side("r2", d=0.7)),
        *parts,  # type: ignore[arg-type]
    )


@pytest.mark.parametrize(("follower", "leader"), [("c2", "c1"), ("c1", "c2")])
def test_couplings_are_steps_too(follower: str, leader: str) -> None:
    """A five-bar whose cranks are geared: from the leader or from the follower, whichever is driven."""
    for driven in (leader, follower):
        robot = five_bar(
            arm.couple(follower, leader, -2, 0.3), **{follower: driven == follower, leader: driven == leader}
        )
        solution, residual = robot.loop_solution(), robot.loop_residual()
        found = solution.evaluate(q_a=[0.4])
        place = robot.joint_names.index
        assert found["reached"].all()
        for q in found["q"]:
            assert np.abs(residual.evaluate(q=q)["residual"]).max() < 1e-12
            assert q[place(follower)] == pytest.approx(-2 * q[place(leader)] + 0.3, abs=1e-15)


def test_other_joints_may_be_given() -> None:
    """The motion of a five-bar by the angles of one crank and its rod: the other side is a triangle."""
    robot = five_bar()
    free, usual = robot.loop_solution(independent=("q1", "q2")), robot.loop_solution()
    q = usual.evaluate(q_a=[0.4, 2.0])["q"][0]
    found = free.evaluate(q_a=q[:2])
    assert apart(robot, found["q"], q).min() < 1e-12
    mode = int(np.argmin(apart(robot, found["q"], q)))
    rates = robot.loop_jacobian(independent=("q1", "q2"), mode=mode).evaluate(q_a=q[:2], qd_a=[1.0, -0.5])["qd"]
    expected = robot.loop_jacobian(independent=("q1", "q2")).evaluate(q=q, qd_a=[1.0, -0.5])["qd"]
    assert np.allclose(rates, expected, rtol=1e-12, atol=1e-12)


def test_bodies_that_stand_still_are_read() -> None:
    """A platform on a parallelogram, whose pose the tree has as a planar joint, and a joint that nothing turns."""
    robot = arm.describe(
        "lift",
        arm.revolute("a"),
        arm.revolute("top", d=0.5, actuated=False),
        arm.revolute("b", "base", d=0.3, actuated=False),
        arm.planar("platform", "base", actuated=False),
        arm.cut("corner", a=arm.side("top", d=0.3), b=arm.side("b", d=0.5)),
        arm.cut("bolts", type="fixed", a=arm.side("top", d=0.1, r=0), b=arm.side("platform")),
    )
    found = robot.loop_solution(mode=0).evaluate(q_a=[0.7])
    assert found["reached"] == 1
    corner = [0.5 * np.cos(0.7) + 0.1, 0.5 * np.sin(0.7), 0.0]
    assert np.allclose(found["q"], [0.7, -0.7, 0.7, *corner], rtol=0, atol=1e-15)


def test_joints_of_other_kinds_may_be_given() -> None:
    """A screw without pitch in the place of a hinge; a body that glides, whose angle is the last of three coordinates."""
    robot = five_bar()
    screw = arm.describe(
        "screwed",
        arm.helical("c1", pitch=0.0, mass=1),
        arm.revolute("r1", d=0.3, actuated=False),
        arm.revolute("c2", "base", d=0.8),
        arm.revolute("r2", d=0.3, actuated=False),
        arm.cut("tip", a=arm.side("r1", d=0.7), b=arm.side("r2", d=0.7)),
    )
    q_a = [0.4, 2.0]
    assert np.allclose(screw.loop_solution().evaluate(q_a=q_a)["q"], robot.loop_solution().evaluate(q_a=q_a)["q"])
    glider = arm.describe(
        "glider",
        arm.planar("raft", actuated=True),
        arm.revolute("mast", d=0.3, actuated=False),
        arm.revolute("boom", d=0.5, actuated=False),
        arm.cut("pole", a=arm.side("base", d=1.1), b=arm.side("boom", d=0.5)),
    )
    found = glider.loop_solution().evaluate(q_a=[0.1, -0.2, 0.3])
    assert found["reached"].all()
    for q in found["q"]:
        assert np.abs(glider.loop_residual().evaluate(q=q)["residual"]).max() < 1e-12


# ---- what cannot be ----


def three_legs() -> arm.Robot:
    """A platform on three legs of two bars each: six ways at most, by a polynomial of degree six."""
    legs = [
        part
        for k, x in enumerate((0.0, 1.0, 0.5))
        for part in (
            arm.revolute(f"crank{k}", "base", d=x, b=0, gamma=0.9 if k == 2 else 0, mass=1),
            arm.revolute(f"rod{k}", d=0.6, actuated=False, mass=1),
        )
    ]
    cuts = [
        arm.cut(f"foot{k}", a=arm.side(f"rod{k}", d=0.6), b=arm.side("plate", gamma=2.1 * k, d=0.2)) for k in (1, 2)
    ]
    return arm.describe("3-RRR", *legs, arm.revolute("plate", "rod0", d=0.6, actuated=False, mass=1), *cuts)


def test_what_has_no_closed_form_is_named() -> None:
    message = "no closed form was found for q2, q4, q6, q7, tied by foot1, foot2: .* loop_closure"
    with pytest.raises(ModelError, match=message):
        three_legs().loop_solution()


def test_modes_that_there_are_not() -> None:
    with pytest.raises(ModelError, match=r"Four-bar has no mode 2; .* 0 \(pin \+\), 1 \(pin -\)"):
        arm.load("four_bar").loop_solution(mode=2)
    with pytest.raises(ModelError, match="mode must be a whole number, not 'x'"):
        arm.load("four_bar").closed_bias(mode="x")  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="Planar 2R has nothing that ties its joints together"):
        arm.load("planar2r").loop_solution()


# ---- models that take a mode ----


@pytest.mark.parametrize("name", MODES)
def test_models_in_a_mode_are_those_at_its_state(name: str) -> None:
    """Inverse dynamics, bias, inertia matrix, reactions and direct dynamics from q_a, against q of all joints given."""
    robot = arm.load(name)
    rng = np.random.default_rng(3)
    solution = robot.loop_solution()
    n = len(actives(robot))
    given = {"qd_a": rng.normal(size=n), "qdd_a": rng.normal(size=n), "tau_a": rng.normal(size=n)}
    models = (
        "closed-inverse-dynamics",
        "closed-bias",
        "closed-inertia-matrix",
        "closed-direct-dynamics",
        "cut-reactions",
        "loop-jacobian",
    )
    usual = {model: robot.derive(model) for model in models}
    for mode in range(MODES[name]):
        here = {model: robot.derive(model, mode=mode) for model in models}
        done = 0
        for seed in range(60):
            draw = np.random.default_rng([seed, mode])
            values = random_values(robot, draw)
            q_a = draw.uniform(-1, 1, n) * np.where(turns(robot)[actives(robot)], 2, 1.3)
            found = solution.evaluate(q_a=q_a, **arrays(values, solution.parameters))
            if not found["reached"][mode]:
                continue
            q = found["q"][mode]
            numbers = tree(with_numbers(robot, values), float)
            passive = [k for k in range(robot.nq) if k not in actives(robot)]
            if np.linalg.svd(jacobian(constraints(numbers), robot.nv, q)[:, passive], compute_uv=False).min() < 0.03:
                continue
            for model in models:
                expected = usual[model].evaluate(q=q, **_taken(usual[model], given, values))
                got = here[model].evaluate(q_a=q_a, **_taken(here[model], given, values))
                for key in set(expected) - {"J", "JPQP"}:
                    size = max(1.0, float(np.abs(expected[key]).max()))
                    assert np.allclose(got[key], expected[key], rtol=0, atol=1e-8 * size), (mode, model, key)
            done += 1
            if done == 4:
                break
        # where bars lie on each other what they carry is free, and the state is none of the regular ones
        assert done == 4 or "folded" in solution.output("q").rows[mode]


def _taken(model: arm.Model, given: dict[str, Floats], values: dict[str, float]) -> dict[str, Floats]:
    """What of the given a model takes, and its parameters."""
    return {x.name: given[x.name] for x in model.states if x.name in given} | arrays(values, model.parameters)
