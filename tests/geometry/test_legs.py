"""Legs whose end is known: random chains of up to three hinges and slides with the structures that have a closed form."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.random import Generator

import armillary as arm
from armillary.geometry.legs import solutions, stage
from armillary.geometry.pose import pose
from armillary.robot import Tree, tree
from armillary.spatial.vector import Vector
from reference.opaque import Opaque, revealed

SOLVED = {  # of 200 random structures how many have a closed form, at least
    "R": 200, "P": 200, "RR": 160, "RP": 200, "PR": 200, "PP": 110,
    "RRR": 80, "RRP": 60, "RPR": 100, "PRR": 100, "PRP": 45, "RPP": 80, "PPR": 120, "PPP": 60,
}  # fmt: skip
IDLE = ("RRR", "RPR", "RPP", "PPP")
"""Words among whose structures some move the point along a line or on a sphere in more ways than one."""


def chain(word: str, rng: Generator) -> Tree:
    """Angles none, right or any; lengths none or some."""
    parts = []
    for k, letter in enumerate(word):
        place = {
            "gamma": [0, 0.3][rng.integers(2)], "b": [0, 0.2][rng.integers(2)], "alpha": [0, "pi/2", "-pi/2"][rng.integers(3)],
            "d": [0, 0.3][rng.integers(2)], "theta": [0, 0.7][rng.integers(2)], "r": [0, 0.25][rng.integers(2)],
        }  # fmt: skip
        parts.append((arm.revolute if letter == "R" else arm.prismatic)(f"b{k}", mass=1, **place))  # type: ignore[arg-type]
    return tree(arm.describe("chain", *parts), float)


def off(word: str, found: list[float], q: list[float]) -> float:
    """The largest difference, angles modulo 2π."""
    pairs = zip(word, found, q, strict=True)
    return max(abs((a - b + np.pi) % (2 * np.pi) - np.pi) if x == "R" else abs(a - b) for x, a, b in pairs)


@pytest.mark.filterwarnings("ignore::armillary.RobotWarning", "ignore::RuntimeWarning")
@pytest.mark.parametrize("word", SOLVED)
def test_every_way_reaches_and_the_one_taken_is_among_them(word: str) -> None:
    """One and two joints have more to meet than they can: of their ways only the one taken has to reach."""
    rng = np.random.default_rng(len(word) * 100 + sum(map(ord, word)))
    solved = missed = 0
    for _ in range(200):
        robot = chain(word, rng)
        q, p = rng.uniform(-1.5, 1.5, len(word)).tolist(), Vector(*rng.uniform(-1, 1, 3).tolist())
        end = robot.bodies[-1].name
        target = pose(robot, q, end, "base").point(p)
        ways = solutions([stage(body) for body in robot.bodies], p, target)
        if ways is None:
            continue
        reached = [way for way in ([float(x) for x in w] for w in ways) if np.isfinite(way).all()]
        nearest = min((off(word, way, q) for way in reached), default=np.inf)
        if nearest > 1e-6:
            missed += 1
            continue
        solved += 1
        for way in reached if len(word) == 3 else ():
            error = pose(robot, way, end, "base").point(p) - target
            assert error.dot(error) < 1e-18 * max(1.0, max(map(abs, way))) ** 2
    assert solved >= SOLVED[word]
    assert missed == 0 or (word in IDLE and missed < 60)


def test_out_of_reach_is_no_number() -> None:
    """Two rods of 0.4 and 0.3 m, a point 0.8 m away; and one just within reach, which both ways meet."""
    robot = tree(arm.describe("arm", arm.revolute("a"), arm.revolute("b", d=0.4)), float)
    stages, p = [stage(body) for body in robot.bodies], Vector(0.3, 0, 0)
    with np.errstate(invalid="ignore"):
        far = solutions(stages, p, Vector(0.8, 0, 0))
    assert far is not None and all(np.isnan(x) for way in far for x in way)
    near = solutions(stages, p, Vector(0.6999, 0, 0))
    assert near is not None and near[0][1] == pytest.approx(-near[1][1], abs=1e-12)


@pytest.mark.parametrize("word", ["RRRR", "RR"])
def test_where_there_is_none(word: str) -> None:
    """More than three joints; two hinges on one line."""
    robot = tree(arm.describe("x", *(arm.revolute(f"b{k}", d=0.1 * (len(word) > 2)) for k in range(len(word)))), float)
    assert solutions([stage(body) for body in robot.bodies], Vector(1, 0, 0), Vector(0.5, 0.5, 0)) is None


@pytest.mark.filterwarnings("ignore::armillary.RobotWarning", "ignore::RuntimeWarning")
@pytest.mark.parametrize("word", ["RP", "PR", "RRR", "RRP", "PRR", "PPR"])
def test_runs_on_opaque_scalars(word: str) -> None:
    """Which equations are solved is a matter of structure: the same numbers come out of scalars that refuse to be asked."""
    rng = np.random.default_rng(1)
    done = 0
    for _ in range(30):
        made = chain(word, rng)
        hidden = replace(
            made, bodies=tuple(replace(b, steps=[(k, Opaque(x)) for k, x in b.steps]) for b in made.bodies)
        )
        p, t = rng.uniform(-1, 1, (2, 3)).tolist()
        plain = solutions([stage(b) for b in made.bodies], Vector(*p), Vector(*t))
        ways = solutions([stage(b) for b in hidden.bodies], Vector(*map(Opaque, p)), Vector(*map(Opaque, t)))
        assert (plain is None) == (ways is None)
        if plain is not None:
            done += 1
            assert np.array_equal(np.array(revealed(ways), dtype=float), np.array(plain, dtype=float), equal_nan=True)
    assert done > 8
