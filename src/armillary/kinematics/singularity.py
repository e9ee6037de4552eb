"""What a robot with constraints can do at one state, and what it cannot that it can elsewhere: ranks and screws, by numbers.

N spans the velocities that the constraints J q' = 0 allow, X q' is the twist of a frame, S q' are the velocities of the motors.

    lost      rank X N less than elsewhere: the legs resist a wrench on the frame without their motors
    gained    J q' = 0 and S q' = 0 for some q': the frame, or a link of a leg, moves while the motors are held
    released  rank J less than elsewhere: constraints depend on each other, and there is more motion than elsewhere
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from armillary.kinematics.closure import Floats, Rank, close, jacobian, moved, rank
from armillary.kinematics.constraints import constraints
from armillary.kinematics.jacobian import Route
from armillary.kinematics.jacobian import jacobian as frame_jacobian
from armillary.kinematics.loops import loops
from armillary.robot.joints import Joint
from armillary.robot.tree import Tree

NEARBY = 1e-5
"""How far away (rad, m) the wrenches are looked for that the frame cannot give way to at any state."""


@dataclass(frozen=True, slots=True)
class State:
    """A robot with numbers, a frame of it, the joint velocities with motors, and q at which the constraints are met.

    `rows` are those of the frame's Jacobian that count: all six, or the first three for a point.
    """

    tree: Tree
    joints: Sequence[Joint]
    frame: str
    rows: int
    motors: tuple[int, ...]
    q: Floats

    @property
    def J(self) -> Floats:
        """All rows of all constraints."""
        return jacobian(constraints(self.tree), self.tree.nv, self.q)

    @property
    def X(self) -> Floats:
        """The frame's Jacobian along the axes of the base."""
        found = frame_jacobian(self.tree, self.q.tolist(), self.frame, "base", Route("base", 0))
        return np.array(found, dtype=float)[: self.rows]

    @property
    def held(self) -> Floats:
        """J, and a row for each motor that is held."""
        return np.vstack([self.J, np.eye(self.tree.nv)[list(self.motors)]])

    @property
    def moves(self) -> Floats:
        """X N: the twists that the frame can have."""
        return self.X @ null_space(self.J)

    def at(self, q: Floats) -> "State":
        """The same robot elsewhere."""
        return State(self.tree, self.joints, self.frame, self.rows, self.motors, q)

    def nearby(self) -> "State | None":
        """A state close by, if the constraints can be met there."""
        step = np.random.default_rng(0).uniform(-NEARBY, NEARBY, self.tree.nv)
        attempt = close(self.tree, self.joints, moved(self.joints, self.q, step))
        return self.at(attempt.q) if attempt.closed else None


def null_space(A: Floats) -> Floats:
    """Orthonormal columns x with A x = 0."""
    _, _, V = np.linalg.svd(A, full_matrices=True)
    return V[rank(A).rank :].T


def lost_wrenches(here: State, usual: int) -> Floats:
    """Wrenches, in columns, that no motion of the frame gives way to at this state but elsewhere some does; `usual` is rank X N there."""
    still = null_space(here.moves.T)
    missing = usual - (here.rows - still.shape[1])
    if missing <= 0:
        return still[:, :0]
    beside = here.nearby()
    always = null_space(beside.moves.T) if beside is not None else still[:, :0]
    _, _, mixed = np.linalg.svd(always.T @ still, full_matrices=True)
    return still @ mixed[::-1][:missing].T


def gained_twists(here: State) -> tuple[Floats, int]:
    """(twists of the frame with the motors held, in columns; number of motions that leave the frame where it is)."""
    free = null_space(here.held)
    twists = here.X @ free
    U, s, _ = np.linalg.svd(twists, full_matrices=False)
    moving = int((s > 1e-6 * max(1.0, float(s.max(initial=0.0)))).sum())
    return U[:, :moving], free.shape[1] - moving


def leg_ranks(here: State, platform: Sequence[int]) -> dict[str, int]:
    """The rank of each cut joint's rows over what is no velocity of the platform: how much of the platform's motion its legs can follow."""
    others = [k for k in range(here.tree.nv) if k not in platform]
    return {loop.name: rank(jacobian([loop], here.tree.nv, here.q)[:, others]).rank for loop in loops(here.tree)}


def ranks(here: State) -> tuple[Rank, Rank, Rank]:
    """Of X N, of J with the motors held, of J."""
    return rank(here.moves), rank(here.held), rank(here.J)
