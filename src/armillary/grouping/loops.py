"""Base inertial parameters of robots with closed loops: those of the tree, and which of them the loops make dependent too.

With G of the loops and the columns Y_j of the tree's torques, Γ_c = Σ (Gᵀ Y_j) χ_j: parameters whose columns are dependent at every
state that closes the loops are regrouped further. The states are found by Newton's method, walking on from one of them, so that they
are all of one way to assemble the robot: other ways may have other parameters. The rank is that of singular values.

Where all passive coordinates are sums of others (parallelograms, couplings), both are decided in exact arithmetic, see `grouping.sums`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from armillary.dynamics.closed import Closed, Partition
from armillary.dynamics.regressor import regressor
from armillary.errors import ModelError
from armillary.expr.evaluate import evaluate
from armillary.geometry.assembly import Assembly
from armillary.grouping.base_parameters import base_parameters
from armillary.grouping.sums import ExactRank, Place, coefficients_of_sums, regrouped_by_sums
from armillary.kinematics.closure import Floats, Rank, close, independent_rows, jacobian, random_coordinates, rank
from armillary.kinematics.constraints import constraints
from armillary.kinematics.motion import base_motion
from armillary.robot.description import Description
from armillary.robot.tree import Tree, tree
from armillary.robot.value import Formula, Value, text

STARTS, STEP, REGULAR = 100, 0.3, 0.05
"""Searches for a first state; how far active joints move from one to the next (rad, m); the least singular value of J_p."""


@dataclass(frozen=True, slots=True)
class LoopBaseParameters:
    """`kept` are the (body, parameter) that stay of the base parameters of the tree, `regrouped` those that loops make dependent.

    χ_kept + K χ_regrouped are the base parameters: `coefficients` is K for the lengths given, a row for each that is kept; `formulas`
    is K for any lengths, where it was found so. `rank` says how sure the count is: the gap between singular values that count and
    those that do not, or the states of an exact field. `way` is the way to assemble the robot, where it is known by name.
    """

    kept: tuple[Place, ...]
    regrouped: tuple[Place, ...]
    coefficients: Floats
    rank: Rank | ExactRank
    formulas: tuple[tuple[Value, ...], ...] | None = None
    way: str = ""

    def __str__(self) -> str:
        loop = ", ".join(f"{name} of {body}" for body, name in self.regrouped) or "none"
        lines = [f"{len(self.kept)} base inertial parameters; regrouped by the loops: {loop}"]
        for (body, name), row in zip(self.kept, self.formulas or (), strict=False):
            terms = [
                f"{'' if x == 1 else '-' if x == -1 else f'({text(x)}) '}{other} of {at}"
                for (at, other), x in zip(self.regrouped, row, strict=True)
                if x != 0
            ]
            lines += [f"{name} of {body} + {' + '.join(terms)}"] if terms else []
        way = f"assembled {self.way}, " if self.way else ""
        return "\n".join([*lines, f"{way}rank {self.rank}"])


def loop_base_parameters(
    robot: Description,
    values: Mapping[str, float] | None = None,
    q: Sequence[float] | None = None,
    *,
    rotors: bool = True,
    way: Assembly | None = None,
) -> LoopBaseParameters:
    """The base parameters of a robot with closed loops, for lengths `values` (or defaults), about a state q that closes them.

    Where no state is given one is found; where a parameter has no value, a random one is taken. In a `way` to assemble the robot
    in which all passive coordinates are sums, the count holds for lengths in general.
    """
    rng = np.random.default_rng(0)
    known = {name: p.default for name, p in robot.parameters.items() if p.default is not None} | dict(values or {})
    lengths = {name: known.get(name, float(rng.uniform(0.5, 1.5))) for name in robot.symbols}
    numbers = tree(
        robot, lambda x: float(evaluate([x.expr], lengths)[0]) if isinstance(x, Formula) else float(x)
    ).welded()
    columns = base_parameters(robot.opened(), rotors=rotors).columns
    if way is not None:
        exact = regrouped_by_sums(robot, columns, way)
        K: Floats = coefficients_of_sums(robot, numbers, exact, way, lengths, rng)
        return LoopBaseParameters(exact.kept, exact.regrouped, K, exact.rank, exact.formulas, way.name)
    walk = _Walk(robot, numbers, rng)
    walk.start(q)
    stacked = np.vstack([walk.columns(columns) for _ in range(3 * len(columns))])
    sizes: Floats = np.maximum(np.linalg.norm(stacked, axis=0), 1e-300)
    stacked = stacked / sizes
    kept = _first_independent(stacked)
    rest = [k for k in range(len(columns)) if k not in kept]
    found: Floats = np.linalg.lstsq(stacked[:, kept], stacked[:, rest], rcond=None)[0]
    K = found * np.outer(1 / sizes[kept], sizes[rest])
    return LoopBaseParameters(tuple(columns[k] for k in kept), tuple(columns[k] for k in rest), K, rank(stacked))


def _first_independent(A: Floats) -> list[int]:
    """Columns that no column before them, in reverse order, makes dependent: parameters of outer links stay rather than inner."""
    taken: list[int] = []
    basis: list[Floats] = []
    for k in reversed(range(A.shape[1])):
        left = A[:, k].copy()
        for _ in range(2):
            for e in basis:
                left = left - e * (e @ left)
        size = float(np.linalg.norm(left))
        if size > 1e-7:
            taken.append(k)
            basis.append(left / size)
    return sorted(taken)


class _Walk:
    """A robot in numbers on its way through states that close its loops."""

    def __init__(self, robot: Description, numbers: Tree, rng: Generator) -> None:
        self.robot, self.numbers, self.rng = robot, numbers, rng
        self.joints = [body.joint for body in robot.bodies]
        actuated = [body.actuated for body in robot.bodies for _ in range(body.joint.nv)]
        self.active = tuple(k for k, x in enumerate(actuated) if x)
        self.passive = tuple(k for k, x in enumerate(actuated) if not x)
        self.q: Floats = np.zeros(robot.nq)
        self.rows: tuple[int, ...] = ()

    def start(self, q: Sequence[float] | None) -> None:
        """A first state, and the rows of the loops that are independent there."""
        for _ in range(STARTS):
            guess = random_coordinates(self.joints, self.rng) if q is None else np.array(q, dtype=float)
            attempt = close(self.numbers, self.joints, guess)
            if attempt.closed and self._regular(attempt.q):
                self.q = attempt.q
                J = jacobian(constraints(self.numbers), self.robot.nv, self.q)
                self.rows = tuple(independent_rows(J[:, self.passive], len(self.passive)))
                return
        raise ModelError(
            f"{self.robot.name}: no state was found at which the loops close and its active joints determine the others; "
            "give one as q, and lengths as values"
        )

    def _regular(self, q: Floats) -> bool:
        J_p = jacobian(constraints(self.numbers), self.robot.nv, q)[:, self.passive]
        s = np.linalg.svd(J_p, compute_uv=False)
        return len(s) == len(self.passive) and float(s.min(initial=1.0)) > REGULAR

    def columns(self, kept: Sequence[tuple[str, str]]) -> Floats:
        """Gᵀ Y at a next state, with random velocities and accelerations."""
        for _ in range(STARTS):
            closed = self._closed()
            rates = self.rng.normal(size=len(self.active))
            step = np.array(closed.velocities(rates.tolist()), dtype=float) * STEP
            attempt = close(self.numbers, self.joints, self.q + step if len(step) == len(self.q) else self.q)
            if attempt.closed and self._regular(attempt.q):
                self.q = attempt.q
                break
        closed = self._closed()
        qd = closed.velocities(self.rng.normal(size=len(self.active)).tolist())
        qdd = closed.accelerations(self.rng.normal(size=len(self.active)).tolist(), qd)
        found = regressor(self.numbers, closed.q, qd, qdd, base_motion(self.numbers))
        torques = {(c.body, c.parameter): np.array([float(x) for x in c.torques]) for c in found}
        G = np.zeros((self.numbers.nv, len(self.active)))
        G[list(self.active)] = np.eye(len(self.active))
        G[list(self.passive)] = np.array(closed.W(), dtype=float).reshape(len(self.passive), -1)
        return np.column_stack([G.T @ torques[place] for place in kept])

    def _closed(self) -> Closed:
        every = tuple(range(len(self.passive)))
        return Closed(
            self.numbers,
            self.q.tolist(),
            Partition(self.active, self.passive, self.active, self.rows, ((every, every),)),
        )
