"""Principles as models of the catalogue: what they refuse, closed loops by Gauss, base parameters, code, and the comparison."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator
from numpy.typing import NDArray

import armillary as arm
from armillary.dynamics.formulations import DIRECT, FORMULATIONS
from armillary.errors import ModelError
from armillary.expr.evaluate import evaluate
from armillary.kinematics.closure import close, random_coordinates
from armillary.robot import Formula, tree
from reference.every_model import wiper
from reference.random_trees import random_state, random_tree

Floats = NDArray[np.float64]
GENERAL = [name for name in FORMULATIONS if name != "euler-angles"]


def near(found: Floats, expected: Floats, tolerance: float = 1e-10) -> bool:
    return bool(np.linalg.norm(found - expected) <= tolerance * max(1.0, float(np.linalg.norm(expected))))


def lossy(name: str, motors: int) -> arm.Robot:
    """A robot of the library with so many motors, whose cut joints weigh, rub and spring."""
    robot = arm.load(name)
    cuts = tuple(replace(cut, IA=0.2, FV=0.3, FS=0.1, stiffness=2.5, reference=0.4) for cut in robot.cuts)
    driven = [b.name for b in robot.bodies if b.actuated][:motors]
    bodies = tuple(replace(b, actuated=b.name in driven) for b in robot.bodies)
    return arm.Robot.of(replace(robot, cuts=cuts, bodies=bodies))


@pytest.mark.parametrize(("name", "motors"), [("five_bar", 2), ("five_bar", 1), ("four_bar", 1)])
def test_least_constraint_of_closed_loops_in_the_library(name: str, motors: int) -> None:
    """q'' of all joints, from q' of all joints, as the model in independent joints has it, also with fewer motors than mobility."""
    robot, closure = lossy(name, motors), arm.load(name).loop_closure()
    both = Both(robot)
    solve, rng, done = closure.compile(), np.random.default_rng(3), 0
    places = [[robot.q_names.index(x) for x in part] for part in (closure.active, closure.passive)]
    for _ in range(40):
        given = rng.uniform(-0.4, 0.4, len(closure.active))
        found = solve(rng.uniform(-2, 2, len(closure.passive)), given)
        if int(found.status):
            continue
        q = np.zeros(robot.nq)
        q[places[0]], q[places[1]] = given, found.q_p
        assert both.agree(q, rng)
        done += 1
    assert done > 10


def test_least_constraint_of_couplings() -> None:
    """Two fingers, of which one follows the other, on a wrist."""
    robot = arm.describe(
        "gripper",
        arm.revolute("wrist", mass=1, center=(0.1, 0, 0), inertia=(0.1, 0, 0, 0.1, 0, 0.1)),
        arm.prismatic("finger1", alpha="pi/2", mass=0.2, center=(0.3, 0, 0)),
        arm.prismatic("finger2", "wrist", alpha="-pi/2", mass=0.3, IA=0.1),
        arm.couple("finger2", "finger1", 1.5, 0.02),
        gravity=(1, 2, 3),
    )
    both, rng = Both(robot), np.random.default_rng(0)
    assert all(both.agree(np.array([0.4, x, 1.5 * x + 0.02]), rng) for x in (0.1, -0.3, 0.7))


def test_least_constraint_of_contacts() -> None:
    """Two points that stay on surfaces: a wavy wall, and a line of a plate that moves."""
    robot, both, rng = wiper(), Both(wiper()), np.random.default_rng(5)
    known = {name: p.default for name, p in robot.parameters.items()}
    T = tree(robot, lambda x: float(evaluate([x.expr], known)[0]) if isinstance(x, Formula) else float(x)).welded()
    joints, done = [body.joint for body in robot.bodies], 0
    for _ in range(40):
        attempt = close(T, joints, random_coordinates(joints, rng))
        if attempt.closed:
            assert both.agree(attempt.q, rng)
            done += 1
    assert done > 5


class Both:
    """The least compulsion and the equations in independent joints of one robot."""

    def __init__(self, robot: arm.Robot) -> None:
        self.rates, self.direct = robot.loop_jacobian(), robot.closed_direct_dynamics()
        self.gauss = robot.formulation_direct_dynamics()
        every = [x for m in (self.rates, self.direct, self.gauss) for x in m.parameters]
        self.values = {x.name: np.reshape(0.7 if x.default is None else x.default, x.shape) for x in every}
        self.driven = [k for k, body in enumerate(b for b in robot.bodies for _ in range(b.joint.nv)) if body.actuated]
        self.nv = robot.nv

    def agree(self, q: Floats, rng: Generator) -> bool:
        """Whether they give the same accelerations for some velocities and torques."""
        qd_a, tau_a = rng.normal(size=self.direct.input("qd_a").size), rng.normal(size=len(self.driven))
        qd, tau = value(self.rates, "qd", self.values, q=q, qd_a=qd_a), np.zeros(self.nv)
        tau[self.driven] = tau_a
        expected = value(self.direct, "qdd", self.values, q=q, qd_a=qd_a, tau_a=tau_a)
        return near(value(self.gauss, "qdd", self.values, q=q, qd=qd, tau=tau), expected, 1e-8)


def value(model: arm.Model, output: str, values: dict[str, Any], **states: Floats) -> Floats:
    known = values | states
    return model.evaluate(**{x.name: known[x.name] for x in model.inputs})[output]


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ((arm.prismatic("slide", mass=1),), "the joint of slide is prismatic, neither a ball nor three hinges"),
        ((arm.revolute("only", mass=1),), "only hangs on a hinge that is not the first of three in a row"),
        ((arm.revolute("a"), arm.revolute("b", d=1), arm.revolute("c", alpha=1)), "the axis of b is parallel to the one before"),
        ((arm.revolute("a"), arm.revolute("b", alpha=1), arm.revolute("c")), "the axis of c is parallel to the one before"),
        ((arm.revolute("a"), arm.revolute("b", alpha=1, d="L"), arm.revolute("c", alpha=1)), "the axes of a, b, c do not meet in one point"),
        ((arm.revolute("a"), arm.revolute("b", alpha=1, r=1), arm.revolute("c", alpha=1)), "the axes of a, b, c do not meet in one point"),
        ((arm.revolute("a"), arm.revolute("b", alpha=1), arm.revolute("c", alpha=1, b=1)), "the axes of a, b, c do not meet in one point"),
        ((arm.revolute("a"), arm.revolute("b", alpha=1, M="m"), arm.revolute("c", alpha=1)), "b, between the hinges of a ball, has inertia or exerts a wrench"),
        ((arm.revolute("a", wrench=(0, 1, 0, 0, 0, 0)), arm.revolute("b", alpha=1), arm.revolute("c", alpha=1)), "a, between the hinges"),
        ((arm.spherical("a", mass=1), arm.revolute("b", mass=1)), "b hangs on a hinge that is not the first of three"),
        ((arm.revolute("a"), arm.revolute("b", alpha=1), arm.revolute("c", "a", alpha=1)), "a hangs on a hinge that is not the first of three"),
    ],
)  # fmt: skip
def test_what_is_not_on_balls_is_refused(parts: Any, said: str) -> None:
    robot = arm.describe("odd one", *parts)
    with pytest.raises(ModelError, match=r"^euler-angles is for links that hang on balls; in odd one ") as error:
        robot.formulation(principle="euler-angles")
    assert said in str(error.value)
    assert robot.formulation(principle="kane").outputs


def test_loops_are_refused_but_by_gauss() -> None:
    robot = arm.load("five_bar")
    with pytest.raises(ModelError, match="formulation is for serial and tree-structured robots"):
        robot.formulation()
    with pytest.raises(
        ModelError,
        match="denoc is for serial and tree-structured robots, and the joints of Five-bar are tied together: take principle=gauss",
    ):
        robot.formulation_direct_dynamics(principle="denoc")


@pytest.mark.parametrize("name", GENERAL)
def test_base_parameters_change_nothing(name: str) -> None:
    """Links without mass that have first moments: no formulation divides by a mass."""
    for seed in range(6):
        rng = np.random.default_rng(seed)
        robot = arm.Robot.of(random_tree(rng, 2 + seed))
        q, qd, qdd = random_state(rng, robot)
        full, base = (robot.formulation(principle=name, base_parameters=x) for x in (False, True))
        found = [m.evaluate(q=q, qd=qd, qdd=qdd) for m in (full, base)]
        assert all(near(found[1][output], found[0][output]) for output in ("A", "H", "tau"))


def test_comparison() -> None:
    """Costs are those of Programs with one output; what is made to be cheap is cheapest in every column."""
    robot = arm.load("rx90")
    found = robot.compare_formulations()
    rows = {row.name: row for row in found.rows}
    assert list(rows) == [*FORMULATIONS, "the catalogue"]
    own = rows.pop("the catalogue").costs
    assert own["tau"] == robot.inverse_dynamics().cost and own["qdd"] == robot.direct_dynamics().cost
    assert own["A"] == robot.inertia_matrix().cost and own["H"] == robot.bias_torques().cost
    for name, row in rows.items():
        assert bool(row.reason) == (name == "euler-angles") == (not row.costs)
        assert all(row.costs[c].total > own[c].total for c in row.costs)
        assert ("qdd" in row.costs) == (name in DIRECT)
    assert "hang on balls" in str(found)
    assert rows["denoc"].costs["qdd"] == robot.formulation_direct_dynamics(principle="denoc").cost
    assert rows["newton-euler"].costs["tau"].total < rows["lagrange"].costs["tau"].total
    closed = arm.load("five_bar").compare_formulations()
    assert [row.name for row in closed.rows if row.costs] == ["gauss", "the catalogue"]


def arm_on_balls() -> arm.Robot:
    """An upper arm on three hinges, a forearm on a ball, lengths and masses as symbols."""
    return arm.describe(
        "arm on balls",
        arm.revolute("yaw", alpha="pi/2", r="h", IA=0.1, FV=0.2),
        arm.revolute("pitch", alpha="pi/2", theta=0.3),
        arm.revolute("upper", alpha="-pi/2", r=0.1, M="m1", MX="x1", XX=0.3, YY=0.4, ZZ=0.5, stiffness=2),
        arm.spherical("lower", d="L", M="m2", MZ=0.2, XX=0.2, YY=0.3, ZZ=0.4),
        parameters={"h": 0.5, "L": 0.4, "m1": 2.0, "m2": 1.5, "x1": 0.1},
    )


@pytest.mark.parametrize("name", [x for x in FORMULATIONS if x != "newton-euler"])
def test_programs_of_each_principle(name: str) -> None:
    """Interpreted, compiled and as text; the passes change nothing."""
    robot = arm_on_balls()
    model = robot.formulation(principle=name)
    raw = robot.derive("formulation", principle=name, passes=False)
    rng = np.random.default_rng(0)
    state = dict(zip(("q", "qd", "qdd"), random_state(rng, robot), strict=True))
    expected = evaluated(robot.formulation(), state)
    values = {x.name: x.default for x in model.parameters}
    compiled = model.compile(cache=False).at(values)(*state.values())
    for found in (evaluated(model, state), evaluated(raw, state), dict(zip(expected, compiled, strict=True))):
        assert all(near(np.asarray(found[x]), expected[x]) for x in ("A", "H", "tau"))
    assert "tau" in "".join(model.source("python").values()) and model.latex()


def evaluated(model: arm.Model, state: dict[str, Floats]) -> dict[str, Floats]:
    """With parameters at their defaults."""
    return model.evaluate(**state, **{x.name: x.default for x in model.parameters})  # type: ignore[arg-type]
