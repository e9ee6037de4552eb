"""Every formulation against Pinocchio, against each other, in exact arithmetic, and against what no principle may change."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin
import pytest
from numpy.random import Generator
from numpy.typing import NDArray

import armillary as arm
from armillary.dynamics import formulations
from armillary.dynamics.formulations import DIRECT, FORMULATIONS, Formulated
from armillary.dynamics.formulations.denoc import udu
from armillary.dynamics.inertia_matrix import inertia_matrix
from armillary.dynamics.newton_euler import inverse_dynamics
from armillary.expr.arithmetics import RATIONALS
from armillary.expr.evaluate import circle_point, evaluate
from armillary.expr.graph import Graph
from armillary.kinematics.motion import base_motion
from armillary.robot import JOINTS, Body, Description, Tree, tree
from reference.ball_trees import ball_tree
from reference.opaque import Opaque, revealed
from reference.pinocchio import losses, peer, rotor_inertias
from reference.random_trees import random_state, random_tree

Floats = NDArray[np.float64]
TREES, BALLS = 320, 120
GENERAL = [name for name, row in FORMULATIONS.items() if name != "euler-angles"]


def number_is_nothing(x: Any) -> bool:
    return bool(x == 0)


def loaded(rng: Generator, robot: Description) -> Description:
    """The robot with springs in half of its joints of one velocity, and links that push on their environment."""
    bodies = []
    for body in robot.bodies:
        spring = {"stiffness": float(rng.uniform(1, 9)), "reference": float(rng.normal())}
        elastic = body.joint.nv == 1 and rng.random() < 0.5
        bodies.append(replace(body, wrench=tuple(rng.normal(size=6).tolist()), **(spring if elastic else {})))
    return replace(robot, bodies=tuple(bodies))


def moved(rng: Generator, robot: Description) -> Description:
    """The robot on a base that moves."""
    v, a = (tuple(rng.normal(size=6).tolist()) for _ in range(2))
    return replace(robot, base=replace(robot.base, velocity=v, acceleration=a))  # type: ignore[arg-type]


def springs(robot: Description, q: Floats) -> Floats:
    """K (q - q0) along each velocity."""
    found: list[float] = []
    k = 0
    for body in robot.bodies:
        one = body.joint.nv == 1
        found += [float(body.stiffness) * (q[k] - float(body.reference))] if one else [0.0] * body.joint.nv
        k += body.joint.nq
    return np.array(found)


def expected(robot: Description, q: Floats, qd: Floats, qdd: Floats) -> tuple[Floats, Floats, Floats]:
    """(A, H, Γ) by Pinocchio; it knows neither springs, rotors and friction, nor wrenches the way we do."""
    other = peer(robot)
    outside = [pin.Force.Zero() for _ in range(other.model.njoints)]
    for body in robot.bodies:
        joint, offset = other.joint_of[body.name]
        w = np.array([float(x) for x in body.wrench])
        outside[joint] = outside[joint] - offset.act(pin.Force(w[:3], w[3:]))

    def torques(acceleration: Floats) -> Floats:
        data = other.model.createData()
        found = pin.rnea(other.model, data, other.q(q), other.v(qd), other.v(acceleration), outside)
        return other.ours(found) + losses(robot, qd, acceleration) + springs(robot, q)

    upper = np.triu(pin.crba(other.model, other.model.createData(), other.q(q)))
    A = other.ours_square(upper + np.triu(upper, 1).T) + rotor_inertias(robot)
    return A, torques(0 * qdd), torques(qdd)


def near(found: Any, exact: Floats, tolerance: float = 1e-10) -> bool:
    error = np.linalg.norm(np.array(found, dtype=float) - exact)
    return bool(error <= tolerance * max(1.0, float(np.linalg.norm(exact))))


def agree(found: Formulated, A: Any, H: Any, tau: Any) -> bool:
    return (
        near(found.A, np.array(A, float))
        and near(found.H, np.array(H, float))
        and near(found.tau, np.array(tau, float))
    )


@dataclass
class Case:
    """A robot at a state, and what Pinocchio says of it."""

    robot: Description
    q: Floats
    qd: Floats
    qdd: Floats

    @cached_property
    def tree(self) -> Tree:
        return tree(self.robot, float).welded()

    @property
    def state(self) -> tuple[list[float], list[float], list[float]]:
        return self.q.tolist(), self.qd.tolist(), self.qdd.tolist()

    @cached_property
    def expected(self) -> tuple[Floats, Floats, Floats]:
        return expected(self.robot, self.q, self.qd, self.qdd)

    @cached_property
    def condition(self) -> float:
        return float(np.linalg.cond(self.expected[0]))


@cache
def trees() -> list[Case]:
    """320 random trees of one to ten bodies, with all kinds of joint, that move."""
    found: list[Case] = []
    seed = 0
    while len(found) < TREES:
        rng = np.random.default_rng(seed)
        robot = loaded(rng, random_tree(rng, int(rng.integers(1, 11))))
        if robot.nv:
            found.append(Case(robot, *random_state(rng, robot)))
        seed += 1
    return found


@cache
def ball_trees() -> list[Case]:
    """120 random trees of one to four links on balls."""
    found: list[Case] = []
    for seed in range(BALLS):
        rng = np.random.default_rng(seed)
        robot = ball_tree(rng, int(rng.integers(1, 5)))
        found.append(Case(robot, *random_state(rng, robot)))
    return found


# ---- against Pinocchio ----


def test_the_trees_are_many_kinds() -> None:
    kinds = [body.joint.kind for case in trees() for body in case.robot.bodies]
    assert all(kinds.count(kind) > 50 for kind in ("revolute", "prismatic", "helical", "spherical", "fixed"))
    assert sum(len(case.robot.tips) > 1 for case in trees()) > 100
    for kind in ("revolute", "spherical"):
        assert sum(any(b.joint.kind == kind for b in case.robot.bodies) for case in ball_trees()) > 50
    assert sum(len(case.robot.tips) > 1 for case in ball_trees()) > 30


@pytest.mark.parametrize("name", GENERAL)
def test_random_trees(name: str) -> None:
    for case in trees():
        assert agree(FORMULATIONS[name].function(case.tree, *case.state), *case.expected)


@pytest.mark.parametrize("name", FORMULATIONS)
def test_links_on_balls(name: str) -> None:
    for case in ball_trees():
        assert not FORMULATIONS[name].refuses(case.tree, number_is_nothing)
        assert agree(FORMULATIONS[name].function(case.tree, *case.state), *case.expected)


@pytest.mark.parametrize("name", DIRECT)
def test_direct_dynamics(name: str) -> None:
    """Γ of Pinocchio for q'' gives q'' again, as well as A lets it."""
    done = 0
    for case in trees():
        A, _, tau = case.expected
        if case.condition > 1e6:
            continue
        done += 1
        found = np.array(DIRECT[name](case.tree, *case.state[:2], tau.tolist()), dtype=float)
        left = np.linalg.norm(A @ found - A @ case.qdd)
        assert left <= 1e-10 * (np.linalg.norm(A @ case.qdd) + np.linalg.norm(tau))
        assert near(found, case.qdd, 1e-12 * max(100.0, case.condition))
    assert done > 250


# ---- a base that moves ----


def on_a_joint(robot: Description) -> Description:
    """The robot whose base stands still, on a body without mass that floats in its place."""
    first = Body(
        "float", "base", JOINTS["free"], coordinates=tuple("ABCDEFG"), velocities=tuple("ABCDEF"), joint_name="float"
    )
    bodies = [replace(b, parent="float") if b.parent == "base" else b for b in robot.bodies]
    still = replace(robot.base, velocity=(0,) * 6, acceleration=(0,) * 6)
    return replace(robot, bodies=(first, *bodies), base=still)


@pytest.mark.parametrize("name", FORMULATIONS)
def test_a_base_that_moves_is_a_joint_that_moves_so(name: str) -> None:
    """The same torques whether the base is said to move or a floating body does; and those of the models in use."""
    function, cases = FORMULATIONS[name].function, (trees() if name in GENERAL else ball_trees())
    for seed, case in enumerate(cases[:60]):
        moving = moved(np.random.default_rng(seed), case.robot)
        T, (q, qd, qdd) = tree(moving, float).welded(), case.state
        found, base = function(T, q, qd, qdd), base_motion(T)
        H, tau = (inverse_dynamics(T, q, qd, a, base) for a in ([0.0] * T.nv, qdd))
        assert agree(found, inertia_matrix(T, q), H, tau)
        if name in GENERAL:
            v, a = (np.array(x, dtype=float) for x in (moving.base.velocity, moving.base.acceleration))
            inner = np.concatenate([a[:3] - np.cross(v[3:], v[:3]), a[3:]])
            floating = tree(on_a_joint(moving), float).welded()
            place = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
            whole = function(floating, place + q, [*v.tolist(), *qd], [*inner.tolist(), *qdd])
            assert near(whole.tau[6:], np.array(found.tau, dtype=float))


@pytest.mark.parametrize("name", GENERAL)
def test_bodies_that_float_and_glide(name: str) -> None:
    """Velocities that are rates of no coordinates: against the models in use, which are held against Pinocchio elsewhere."""
    for seed in range(60):
        rng = np.random.default_rng(seed)
        kinds = ("free", "planar", "spherical", "revolute", "prismatic")
        robot = loaded(rng, moved(rng, random_tree(rng, int(rng.integers(1, 6)), kinds=kinds)))
        q: list[float] = []
        for body in robot.bodies:
            part = rng.normal(size=body.joint.nq)
            if (k := body.joint.quaternion) is not None:
                part[k : k + 4] /= np.linalg.norm(part[k : k + 4])
            q += part.tolist()
        qd, qdd = rng.normal(size=(2, robot.nv)).tolist()
        T = tree(robot, float).welded()
        base = base_motion(T)
        H, tau = (inverse_dynamics(T, q, qd, a, base) for a in ([0.0] * T.nv, qdd))
        assert agree(FORMULATIONS[name].function(T, q, qd, qdd), inertia_matrix(T, q), H, tau)


# ---- in exact arithmetic ----


def rational(rng: Generator, low: int = -9, high: int = 9) -> Fraction:
    return Fraction(int(rng.integers(low, high + 1)), int(rng.integers(1, 10)))


def exactly(rng: Generator, robot: Description, names: Sequence[str]) -> dict[str, list[Fraction]]:
    """A, H and Γ of each formulation and of the models in use at one random rational state, as fractions; and q'' from Γ.

    Every number of the description is drawn anew as a fraction, but for angles, which are right; joints stand at
    Pythagorean angles and at rational quaternions.
    """
    g = Graph()

    def scalar(x: Any) -> Any:
        return g.const(Fraction(rng.integers(1, 9).item(), 7) if isinstance(x, float) else x)

    T = tree(robot, scalar).welded()
    labels = [[f"{name}{k}" for k in range(n)] for name, n in (("q", T.nq), ("qd", T.nv), ("qdd", T.nv))]
    q, qd, qdd = ([g.symbol(x) for x in part] for part in labels)
    leaves = {x: rational(rng) for part in labels for x in part}
    points = {x: circle_point(rational(rng), RATIONALS) for x in labels[0]}
    for body in T.bodies:
        if body.joint.nq == 4:
            leaves |= dict(zip(labels[0][body.q], rational_turn(rng), strict=True))
    base = base_motion(T)
    still = [g.const(0)] * T.nv
    own = [inertia_matrix(T, q), inverse_dynamics(T, q, qd, still, base), inverse_dynamics(T, q, qd, qdd, base)]
    found: dict[str, list[Any]] = {"models": [*(x for row in own[0] for x in row), *own[1], *own[2]]}
    for name in names:
        f = FORMULATIONS[name].function(T, q, qd, qdd)
        found[name] = [*(x for row in f.A for x in row), *f.H, *f.tau]
    U, D = udu(T, q)
    places = range(T.nv)
    products = [[sum(U[i][k] * D[k] * U[j][k] for k in places) for j in places] for i in places]
    found |= {"U D Uᵀ": [x for row in products for x in row], "A": [x for row in own[0] for x in row]}
    found |= {f"{name} direct": direct(T, q, qd, own[2]) for name, direct in DIRECT.items()} | {"q''": qdd}
    return {
        name: [Fraction(x) for x in evaluate([g.lift(x) for x in roots], leaves, RATIONALS, points)]
        for name, roots in found.items()
    }


def rational_turn(rng: Generator) -> list[Fraction]:
    """A unit quaternion of fractions: two integer quaternions' quotient of one norm, (a ⊗ a) / |a|²."""
    w, x, y, z = (Fraction(int(k)) for k in rng.integers(1, 9, size=4))
    norm = w * w + x * x + y * y + z * z
    return [(w * w - x * x - y * y - z * z) / norm, 2 * w * x / norm, 2 * w * y / norm, 2 * w * z / norm]


SMALL = [
    ("revolute",),
    ("revolute", "prismatic"),
    ("revolute", "helical"),
    ("spherical",),
    ("revolute", "spherical", "prismatic"),
]


@pytest.mark.parametrize("seed", range(15))
def test_exactly_the_same(seed: int) -> None:
    rng = np.random.default_rng(seed)
    robot = random_tree(rng, 3, kinds=SMALL[seed % len(SMALL)])
    robot = loaded(rng, moved(rng, robot) if seed % 2 else robot)
    square = [
        replace(b, placement=replace(b.placement, **{x: turned(v) for x, v in b.placement.items() if x in ANGLES}))
        for b in robot.bodies
    ]
    found = exactly(rng, replace(robot, bodies=tuple(square)), GENERAL)
    assert all(found[name] == found["models"] for name in GENERAL)
    assert found["U D Uᵀ"] == found["A"]
    assert all(found[f"{name} direct"] == found["q''"] for name in DIRECT)
    assert len(set(found["models"])) > 3


ANGLES = ("gamma", "alpha", "theta")


def turned(angle: Any) -> Any:
    """A right angle in the place of one that has no rational sine."""
    return arm.robot.value("pi/2") if isinstance(angle, float) else angle


def test_links_on_balls_exactly() -> None:
    """Three hinges, the first along x of the base, and a ball on them, where sin ψ of both links is a fraction.

    It is where the third hinge is at a right angle, and where the ball turns its link about x alone; velocities are any.
    """
    rng = np.random.default_rng(0)
    massive = {"mass": 1.5, "center": (0.25, -0.5, 1), "inertia": (1.5, 0.25, 0, 1, 0.125, 2)}
    robot = arm.describe(
        "links",
        arm.revolute("a", gamma="pi/2", alpha="pi/2", d=0.5, b=0.25, IA=0.5, FV=1),
        arm.revolute("b", b=0.75, alpha="-pi/2", FS=0.5),
        arm.revolute("c", alpha="pi/2", r=0.5, **massive),
        arm.spherical("d", d=0.75, r=1, **massive),
        gravity=(1, -2, -9),
        velocity=(1, 2, 3, 2, -1, 1),
        acceleration=(2, 1, 1, 3, 1, -2),
    )
    g = Graph()
    T = tree(robot, lambda x: g.const(x)).welded()
    q = [g.symbol(f"q{k}") for k in range(T.nq)]
    qd, qdd = ([g.const(rational(rng)) for _ in range(T.nv)] for _ in range(2))
    points = {f"q{k}": circle_point(t, RATIONALS) for k, t in enumerate((Fraction(2, 7), Fraction(3, 5), Fraction(1)))}
    half = circle_point(Fraction(1, 3), RATIONALS)
    leaves = {"q3": half[0], "q4": half[1], "q5": Fraction(0), "q6": Fraction(0)}
    results: dict[str, list[Fraction]] = {}
    for name, row in FORMULATIONS.items():
        f = row.function(T, q, qd, qdd)
        roots = [g.lift(x) for x in (*(x for line in f.A for x in line), *f.H, *f.tau)]
        results[name] = [Fraction(x) for x in evaluate(roots, leaves, RATIONALS, points)]
    assert all(found == results["newton-euler"] for found in results.values())
    assert len(set(results["kane"])) > 20


# ---- over any scalar, and each by itself ----


def test_runs_on_opaque_scalars_with_links_on_balls() -> None:
    """As `test_opaque_scalar` for all others: arithmetic and nothing else."""
    function = FORMULATIONS["euler-angles"].function
    for case in ball_trees()[:12]:
        T = tree(case.robot, lambda x: Opaque(float(x))).welded()  # type: ignore[arg-type]
        found = function(T, *([Opaque(x) for x in part] for part in case.state))
        plain = function(case.tree, *case.state)
        for hidden, shown in ((found.A, plain.A), (found.H, plain.H), (found.tau, plain.tau)):
            assert np.array_equal(np.array(revealed(hidden), float), np.array(shown, float))


def test_none_calls_another() -> None:
    """A second opinion that asks the first is none: formulations import neither each other nor other dynamics.

    What joints take themselves, springs between two of them too, belongs to no principle and is shared.
    """
    conditions = {f"armillary.kinematics.{x}" for x in ("constraint", "constraints", "loops")}
    shared = {f"armillary.dynamics.formulations.{x}" for x in ("formulated", "balls", "pairs")}
    folder = Path(formulations.__file__).parent
    files = [f for f in sorted(folder.glob("*.py")) if f.stem != "__init__"]
    assert len(files) == len(FORMULATIONS) + len(shared)
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("armillary"):
                module = node.module or ""
                allowed = module in shared or module.startswith(("armillary.spatial", "armillary.robot"))
                allowed = allowed or (file.stem, module) == ("formulated", "armillary.dynamics.springs")
                assert allowed or (file.stem == "gauss" and module in conditions), (file.stem, module)


# ---- the factors U D Uᵀ ----


def test_factors_are_upper_triangular() -> None:
    """In the order of the tree, with 1 on the diagonal; the product is A."""
    for case in trees()[:100]:
        if case.condition > 1e6:
            continue
        U, D = (np.array(x, dtype=float) for x in udu(case.tree, case.state[0]))
        order = [k for body in case.tree.bodies for k in range(case.tree.nv)[body.v]]
        assert np.array_equal(np.tril(U[np.ix_(order, order)]), np.eye(case.tree.nv)) and D.min() > 0
        assert near(U @ np.diag(D) @ U.T, case.expected[0])
