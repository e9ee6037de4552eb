"""Joint axes known by structure, and the rate matrix that follows from one."""

import numpy as np
import pytest

from armillary.kinematics.motion import base_motion, link_motions
from armillary.robot import JOINTS, Body, Description, Placement, tree
from armillary.robot.placement import coordinate_axis
from armillary.spatial.rate import rate_matrix
from reference.random_trees import random_state, random_tree


@pytest.mark.parametrize("seed", range(60))
def test_the_axis_is_the_third_column_of_the_rotation(seed: int) -> None:
    """Also behind fixed joints, whose placements are joined."""
    rng = np.random.default_rng(seed)
    robot = random_tree(rng, 8, ("revolute", "helical", "fixed"))
    q = random_state(rng, robot)[0]
    for body in tree(robot, float).welded().bodies:
        if body.axis is not None:
            column = [row.z for row in body.transform(q).rotation.matrix()]
            assert np.abs(np.array(column, dtype=float) - body.axis).max() <= 1e-15


@pytest.mark.parametrize(
    ("turns", "axis"),
    [
        ((), (0, 0, 1)),
        (((0, 1),), (0, -1, 0)),
        (((0, -1),), (0, 1, 0)),
        (((0, 2),), (0, 0, -1)),
        (((1, 1),), (1, 0, 0)),
        (((2, None),), (0, 0, 1)),
        (((2, 1), (0, 1)), (1, 0, 0)),
        (((0, 1), (2, None)), (0, -1, 0)),
        (((2, None), (0, 1)), None),
        (((0, None),), None),
        (((1, None), (0, 1)), (0, -1, 0)),
    ],
)
def test_turns_by_right_angles(turns: tuple[tuple[int, int | None], ...], axis: tuple[int, int, int] | None) -> None:
    assert coordinate_axis(turns) == axis


def test_a_written_decimal_is_no_right_angle() -> None:
    for alpha, known in (("pi/2", True), (1.5708, False), ("AL", False), (0, True), ("-3*pi/2", True)):
        body = Body("link", joint=JOINTS["revolute"], placement=Placement.of(alpha=alpha), coordinates=("q",))
        (found,) = tree(Description("one", (body,)), lambda x: x).bodies
        assert (found.axis is not None) == known


@pytest.mark.parametrize("seed", range(60))
def test_rates_about_an_axis_are_the_rates(seed: int) -> None:
    """U of every link is that of its ω and ω̇, which the recursion may have come to by way of U."""
    rng = np.random.default_rng(seed)
    robot = random_tree(rng, 6, ("revolute", "prismatic", "helical"))
    T = tree(robot, float).welded()
    for m in link_motions(T, *random_state(rng, robot), base_motion(T)):
        plain = rate_matrix(m.w, m.dw)
        ours, theirs = (np.array([[*row] for row in U.matrix], dtype=float) for U in (m.U, plain))
        assert np.abs(ours - theirs).max() <= 1e-12 * max(1.0, float(np.abs(theirs).max()))
