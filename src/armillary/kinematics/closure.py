"""States at which a robot with numbers meets its constraints, and which rows and joints determine each other there.

A state is found by Newton's method on all coordinates at once: the shortest step that J, which is not square, allows. Ranks
are read from singular values; the gap between those that count and those that do not is kept, to be shown.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from armillary.kinematics.constraint import Constraint
from armillary.kinematics.constraints import constraints, geometric
from armillary.kinematics.coordinates import coordinate_rates
from armillary.robot.joints import Joint
from armillary.robot.tree import Tree

Floats = NDArray[np.floating[Any]]
CLOSED = 1e-11
"""A residual below which a loop is closed (m, or the cosine of an angle)."""

STEPS = 40
RANK = 1e-7
"""A singular value, relative to the greatest, below which it is taken for 0."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """Where a search ended: q, and the largest residual of each geometric constraint there, in their order."""

    q: Floats
    open: tuple[float, ...]

    @property
    def closed(self) -> bool:
        return max(self.open, default=0.0) < CLOSED


def close(tree: Tree, joints: Sequence[Joint], q: Floats, most: int = STEPS, held: Sequence[int] = ()) -> Attempt:
    """Meets the geometric constraints from q; `joints` are those of the description, in the order of q.

    Velocities at the places `held` stay 0 on the way.
    """
    found = geometric(constraints(tree))
    with np.errstate(all="ignore"):
        attempt, Phi = _attempt(found, q)
        for _ in range(most):
            if attempt.closed or not np.isfinite(attempt.open).all():
                break
            J = jacobian(found, tree.nv, q, closed=False)
            if not np.isfinite(J).all():
                break
            J[:, list(held)] = 0
            step = np.linalg.lstsq(J, -Phi, rcond=1e-9)[0]
            q = moved(joints, q, step * min(1.0, 1.0 / max(float(np.abs(step).max(initial=0.0)), 1e-300)))
            attempt, Phi = _attempt(found, q)
        return attempt


def _attempt(found: Sequence[Constraint], q: Floats) -> tuple[Attempt, Floats]:
    """Where q is, a residual that is no number counting as infinite, and all residuals."""
    residuals = [[float(x) for x in constraint.residual(q.tolist())] for constraint in found]
    sizes = ((abs(x) if np.isfinite(x) else np.inf for x in listed) for listed in residuals)
    return Attempt(q, tuple(max(x, default=0.0) for x in sizes)), np.array([x for listed in residuals for x in listed])


def jacobian(found: Sequence[Constraint], nv: int, q: Floats, *, closed: bool = True) -> Floats:
    """All rows of all constraints, over nv joint velocities."""
    listed = [[float(x) for x in row] for constraint in found for row in constraint.rows(q.tolist(), closed=closed)]
    return np.array(listed, dtype=float).reshape(len(listed), nv)


def moved(joints: Sequence[Joint], q: Floats, step: Floats) -> Floats:
    """q after the velocities `step` for one unit of time, quaternions of length 1 again."""
    new = q + np.array([float(x) for x in coordinate_rates(joints, q.tolist(), step.tolist())])
    k = 0
    for joint in joints:
        if joint.quaternion is not None:
            part = slice(k + joint.quaternion, k + joint.quaternion + 4)
            new[part] /= np.linalg.norm(new[part])
        k += joint.nq
    return new


def near_zero(joints: Sequence[Joint], rng: Generator, reach: float = 0.2) -> Floats:
    """Coordinates that lie about 0, rotations about none."""
    zero = [float(k == j.quaternion) for j in joints for k in range(j.nq)]
    return moved(joints, np.array(zero), rng.uniform(-reach, reach, sum(j.nv for j in joints)))


def random_coordinates(joints: Sequence[Joint], rng: Generator) -> Floats:
    """Angles all the way round, lengths up to a metre, any rotation."""
    q = np.array(
        [rng.uniform(-np.pi, np.pi) if j.units[0] == "rad" else rng.uniform(-1, 1) for j in joints for _ in range(j.nq)]
    )
    return moved(joints, q, np.zeros(sum(j.nv for j in joints)))


@dataclass(frozen=True, slots=True)
class Rank:
    """How many singular values count: `last` is the smallest that does, `next` the largest that does not, of the greatest."""

    rank: int
    last: float
    next: float

    def __str__(self) -> str:
        return f"{self.rank} (singular values relative to the greatest: {self.last:.1e}, then {self.next:.1e})"


def rank(A: Floats) -> Rank:
    """The rank of a matrix by its singular values."""
    s = np.linalg.svd(A, compute_uv=False) if A.size else np.zeros(0)
    top = float(s.max(initial=0.0))
    relative = s / top if top else s
    r = int((relative > RANK).sum()) if top else 0
    return Rank(r, float(relative[r - 1]) if r else 0.0, float(relative[r]) if r < len(relative) else 0.0)


def independent_rows(A: Floats, most: int, preferred: Sequence[int] = ()) -> list[int]:
    """`most` rows that span all: those preferred, which are independent, then the one furthest from those taken before."""
    left = A.copy()
    taken: list[int] = []
    waiting = list(preferred)
    for _ in range(most):
        lengths = np.linalg.norm(left, axis=1)
        lengths[taken] = -1
        best = waiting.pop(0) if waiting else int(np.argmax(lengths > 0.999 * lengths.max()))
        taken.append(best)
        e = left[best] / np.linalg.norm(left[best])
        left = left - np.outer(left @ e, e)
    return sorted(taken)


CLEAR = 0.05
"""What is left of a row, relative to the row, that makes it one to take where it stands first."""


def first_rows(A: Floats, most: int) -> list[int]:
    """`most` rows that span all, those that stand first; where they are not clearly independent the ones furthest from each other."""
    left, taken = A.copy(), list[int]()
    lengths = np.linalg.norm(A, axis=1)
    for i in range(len(A)):
        present = lengths[i] > RANK * lengths.max()
        if len(taken) < most and present and np.linalg.norm(left[i]) > CLEAR * lengths[i]:
            taken.append(i)
            e = left[i] / np.linalg.norm(left[i])
            left = left - np.outer(left @ e, e)
    return taken if len(taken) == most else independent_rows(A, most)


def loose(J_p: Floats, most: float = 0.1) -> list[int]:
    """The columns that can move while J_p x = 0."""
    _, _, V = np.linalg.svd(J_p, full_matrices=True)
    r = rank(J_p).rank
    null = V[r:]
    return [
        k for k in range(J_p.shape[1]) if np.linalg.norm(null[:, k]) > most * float(np.linalg.norm(null, axis=0).max())
    ]
