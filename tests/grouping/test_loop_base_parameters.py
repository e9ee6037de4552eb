"""Base inertial parameters of robots with closed loops, against states that are known in closed form."""

import numpy as np
import pytest

import armillary as arm
from armillary.dynamics.regressor import regressor
from armillary.errors import ModelError
from armillary.grouping.loops import loop_base_parameters
from armillary.kinematics.closure import Rank
from armillary.kinematics.motion import base_motion
from armillary.program import cost
from armillary.robot import tree
from reference.with_numbers import random_values, with_numbers

LENGTHS = {"d2": 0.3, "d3": 0.9, "d4": 0.2, "r4": 1.1, "d8": 0.5}


def parallelogram(active: np.ndarray) -> np.ndarray:
    """All eight coordinates, velocities or accelerations of the SR-400 from q1, q2, q4, q5, q6, q7, but for the constant of q3."""
    q1, q2, q4, q5, q6, q7 = active
    return np.array([q1, q2, q7 - q2, q4, q5, q6, q7, q2 - q7])


def test_the_sr400_has_43() -> None:
    """And 55 without its parallelogram. Coordinates of the parallelogram are sums: a rank with nothing of ours in the kinematics."""
    rng = np.random.default_rng(3)
    robot = arm.load("sr400")
    assert len(arm.load("sr400").opened().base_parameters().columns) == 55
    corner = np.array([0, 0, -np.pi / 2, 0, 0, 0, 0, 0])
    q = parallelogram(rng.uniform(-1, 1, 6)) + corner
    assert np.abs(robot.loop_residual().evaluate(q=q, d3=0.9, d8=0.5)["residual"]).max() < 1e-15
    found = robot.loop_base_parameters(LENGTHS, q)
    assert len(found.kept) == 43 and found.rank.rank == 43 and len(found.regrouped) == 12
    assert "assembled joint9 parallel, rank 43, exact: over" in str(found)
    assert "\nMY of link3 + (d8/d3) MX of link2\n" in str(found)
    by_numbers = loop_base_parameters(robot, LENGTHS, q)
    assert isinstance(by_numbers.rank, Rank) and by_numbers.rank.last > 1e-3 and by_numbers.rank.next < 1e-9
    assert (by_numbers.kept, by_numbers.regrouped) == (found.kept, found.regrouped)
    assert np.allclose(by_numbers.coefficients, found.coefficients, rtol=0, atol=1e-7)

    numbers = tree(with_numbers(robot, random_values(robot, rng) | LENGTHS), float)
    G = np.column_stack([parallelogram(e) for e in np.eye(6)])
    rows: dict[tuple[str, str], list[np.ndarray]] = {}
    for _ in range(60):
        state = parallelogram(rng.uniform(-3, 3, 6)) + corner
        rates = [parallelogram(rng.normal(size=6)).tolist() for _ in range(2)]
        for c in regressor(numbers, state.tolist(), *rates, base_motion(numbers)):
            rows.setdefault((c.body, c.parameter), []).append(G.T @ np.array(c.torques, dtype=float))
    inertial = [np.concatenate(x) for place, x in rows.items() if place[1] not in ("FV", "FS")]
    kept = [np.concatenate(rows[place]) for place in found.kept]
    assert np.linalg.matrix_rank(np.column_stack(inertial), 1e-8) == 43
    assert np.linalg.matrix_rank(np.column_stack(kept), 1e-8) == 43
    regrouped = np.column_stack([np.concatenate(rows[place]) for place in found.regrouped])
    assert np.allclose(
        np.column_stack(kept) @ found.coefficients, regrouped, rtol=0, atol=1e-8 * np.abs(regrouped).max()
    )


def test_operations_of_the_sr400() -> None:
    """With its 43 parameters 652 products and sums, what the passive joints and the forces of the loop take among them.

    In the mode of the parallelogram passive rates are sums: 590 are asked for beyond what solving for the passive joints takes.
    """
    robot = arm.load("sr400")
    corner = np.array([0, 0, -np.pi / 2, 0, 0, 0, 0, 0])
    found = robot.loop_base_parameters(LENGTHS, parallelogram(np.array([0.3, -1.2, 0.1, 0.2, 0.3, 0.4])) + corner)
    relations = robot.opened().base_parameters()
    symbols = {place: r.symbol for place, r in zip(relations.columns, relations.relations, strict=True)}
    nothing = {symbols[place]: 0 for place in found.regrouped}
    online, _ = cost(robot.closed_inverse_dynamics(base_parameters=True, fixed=nothing))
    assert online.mul + online.add <= 652
    within = cost(robot.closed_inverse_dynamics(base_parameters=True, fixed=nothing, mode=0))[0].total
    assert within - cost(robot.loop_solution(mode=0))[0].total <= 548 <= 590


@pytest.mark.parametrize(("name", "count"), [("five_bar", 13), ("four_bar", 9)])
def test_of_a_loop_in_the_plane(name: str, count: int) -> None:
    """The rods of each chain but one, with rotors: of four rods with ZZ, MX, MY and four rotors, two chains regroup a mass each."""
    found = arm.load(name).loop_base_parameters()
    assert found.rank.rank == len(found.kept) == count and found.rank.last > 1e4 * found.rank.next


def test_other_ways_to_assemble_are_other_robots() -> None:
    """The rhombus is exact by itself; where its bars lie on each other, and crossed parallelograms, when a state says so."""
    rhombus = arm.load("testloop").loop_base_parameters()
    assert rhombus.way == "joint5 parallel" and rhombus.rank.rank == 5 and rhombus.formulas is not None
    by_numbers = loop_base_parameters(arm.load("testloop"), q=[0.3, 1.2, 1.5, -1.2])
    assert isinstance(by_numbers.rank, Rank) and by_numbers.rank.rank == 5
    assert np.allclose(by_numbers.coefficients, rhombus.coefficients, rtol=0, atol=1e-7)
    folded = arm.load("testloop").loop_base_parameters(q=[0.3, np.pi, 1.5, np.pi])
    assert folded.way == "joint5 folded" and folded.rank.rank == 2  # two stiff bodies on one upright axis
    robot = arm.load("sr400")
    crossed = robot.loop_solution(mode=1).evaluate(q_a=[0.3, -1.2, 0.1, 0.2, 0.3, 0.4], d3=0.9, d8=0.5)["q"]
    assert isinstance(robot.loop_base_parameters(LENGTHS, crossed).rank, Rank)


def test_a_loop_that_cannot_close() -> None:
    with pytest.raises(ModelError, match="no state was found at which the loops close"):
        arm.load("five_bar").loop_base_parameters({"L": 0.0})
