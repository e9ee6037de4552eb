"""How a platform on wheels can move, in numbers at one state: which velocities its constraints leave it, and how steering turns these.

The platform's part of the null space of J are the velocities (v_x, v_y, ω) that it can have at once; its dimension is the degree of
mobility δ_m (Campion, Bastin and d'Andréa-Novel 1996), 3 less the rank of the slides of fixed and steered wheels where nothing else
holds it. Moving along J q' = 0 turns that space; in how many independent ways is the degree of steerability δ_s.
"""

from collections.abc import Sequence

import numpy as np

from armillary.kinematics.closure import Floats, close, jacobian, moved, rank
from armillary.kinematics.constraints import constraints
from armillary.kinematics.posture import slides
from armillary.robot.joints import Joint
from armillary.robot.tree import Tree

STILL = 1e-9
"""A velocity of the platform, of joint velocities of size 1, below which it stands still."""

STEP = 1e-4
"""How far (in units of q') the state is moved to see how the space turns."""

TURNS = 1e-5
"""A rate of turning below which it is that of rounding and of the step."""


def null_space(A: Floats) -> Floats:
    """Orthonormal columns N with A N = 0."""
    if not A.size:
        return np.eye(A.shape[1])
    return np.linalg.svd(A, full_matrices=True)[2][rank(A).rank :].T


def platform_velocities(tree: Tree, q: Floats) -> Floats:
    """Orthonormal columns (v_x, v_y, ω) that span what the platform can do at once, along its own axes."""
    return platform_span(tree, jacobian(constraints(tree), tree.nv, q))


def platform_span(tree: Tree, J: Floats) -> Floats:
    """The same from the rows J of all constraints."""
    columns = null_space(J)[tree.bodies[tree.wheels[0].platform].v]
    if not columns.size or np.abs(columns).max() < STILL:
        return np.zeros((3, 0))
    return np.linalg.svd(columns, full_matrices=False)[0][:, : rank(columns).rank]


def limiting_wheels(tree: Tree, q: Floats) -> list[str]:
    """Wheels whose slides are independent there and take what all take, the fixed ones before the steered."""
    rows: list[list[float]] = []
    names: list[str] = []
    for name, row in slides(tree, q.tolist()).items():
        more = [*rows, [float(x) for x in row]]
        if rank(np.array(more)).rank == len(more):
            rows, names = more, [*names, name]
    return names


def steerability(tree: Tree, joints: Sequence[Joint], q: Floats) -> int:
    """In how many independent ways moving turns the span of the platform's velocities; `joints` in the order of q."""
    N = null_space(jacobian(constraints(tree), tree.nv, q))
    rates: list[Floats] = []
    for direction in N.T:
        ends: list[Floats] = []
        for sign in (1, -1):
            there = close(tree, joints, moved(joints, q, sign * STEP * direction)).q
            B = platform_velocities(tree, there)
            ends.append(B @ B.T)
        rates.append(((ends[0] - ends[1]) / (2 * STEP)).ravel())
    turning = np.linalg.svd(np.array(rates), compute_uv=False) if rates else np.zeros(0)
    return int((turning > TURNS).sum())
