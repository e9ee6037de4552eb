"""Which joints of a robot with constraints are independent, which rows determine the others, and in which order.

Rows that are 0 by structure are left out. Which of the others are independent is found at states where the loops close,
with the default values of parameters, or random ones where there are none; the gap of the singular values is noted on
the model.
"""

from collections.abc import Sequence

import numpy as np
from numpy.random import Generator

from armillary.dynamics.closed import Partition
from armillary.errors import ModelError
from armillary.expr.evaluate import evaluate
from armillary.expr.graph import Expr
from armillary.kinematics.closure import (
    Attempt,
    Floats,
    Rank,
    close,
    independent_rows,
    jacobian,
    loose,
    near_zero,
    random_coordinates,
    rank,
)
from armillary.kinematics.constraint import Constraint
from armillary.kinematics.constraints import constraints, geometric
from armillary.models.derivation import Derivation
from armillary.models.determinant import irreducible_blocks
from armillary.models.legs_apart import all_but_joints, followers, legs_of, nested
from armillary.robot import Description, Formula, Tree, tree

STARTS = 60
STATES = 3


def actuated(d: Description) -> tuple[int, ...]:
    """Places of the velocities of joints with motors."""
    driven = [body.actuated for body in d.bodies for _ in range(body.joint.nv)]
    return tuple(k for k, motor in enumerate(driven) if motor)


def partition(
    d: Derivation,
    q: Sequence[Expr],
    independent: Sequence[str] = (),
    *,
    kept: Sequence[str] = (),
    geometry: bool = False,
) -> Partition:
    """The parts of q' and the rows that tie them together; errors say what is too little or too much.

    `independent` names the velocities that determine all others, or joints, of whose velocities as many are taken as it needs; `kept`
    some that are to be among them if possible; with `geometry` only what the coordinates have to meet counts.
    """
    description = d.description
    chosen_by = geometric if geometry else list[Constraint]
    found = chosen_by(constraints(d.tree))
    listed = [[d.graph.lift(x) for x in row] for constraint in found for row in constraint.rows(q)]
    present = [i for i, row in enumerate(listed) if any(x.const != 0 for x in row)]
    by_joint = [name for name in independent if name not in description.v_names]
    states = [A[present] for A in closed_states(description, d.known, geometry=geometry, home=bool(by_joint))]
    motors = actuated(description)
    slack = [k for k in range(description.nv) if k not in motors]
    J = max(states, key=lambda A: (rank(A).rank, _regularity(A[:, slack])))
    whole = rank(J)
    if whole.rank == description.nv:
        raise ModelError(
            f"{description.name}: its constraints ({_names(description)}) leave no motion at all: {description.nv} joint velocities, "
            f"{whole.rank} conditions"
        )
    if by_joint:
        dependent = all_but_joints(description, J, whole, independent)
    elif independent:
        dependent = _others(description, J, whole, independent)
    else:
        dependent = _dependent(J, slack, *_last_first(description, motors, kept))
    rows = tuple(present[i] for i in independent_rows(J[:, dependent], len(dependent)))
    if len(rows) < len(present):
        d.notes.append(
            ("independent rows", f"{len(rows)} of {len(present)}, rank {whole} at states found by Newton's method")
        )
    parts: list[tuple[list[int], list[int]]] = []
    if by_joint:
        rows, parts = legs_of(description, J, listed, present, dependent, by_joint)
    blocks = _blocks([[listed[i][k] for k in dependent] for i in rows])
    return Partition(
        independent=tuple(k for k in range(description.nv) if k not in dependent),
        dependent=dependent,
        actuated=motors,
        rows=rows,
        blocks=blocks,
        others=tuple(i for i in present if i not in rows),
        loose=tuple(slack[k] for k in loose(J[:, slack])) if rank(J[:, slack]).rank < len(slack) else (),
        legs=nested(parts, followers(found, rows, dependent), rows, dependent),
    )


def _last_first(d: Description, motors: Sequence[int], kept: Sequence[str]) -> tuple[list[int], list[int]]:
    """Motors from the last to the first, those that are to stay independent apart."""
    names = d.v_names
    return [k for k in reversed(motors) if names[k] not in kept], [k for k in reversed(motors) if names[k] in kept]


def _regularity(J_p: Floats) -> float:
    """The least singular value that counts: how far the columns are from being more dependent than they are."""
    s = np.linalg.svd(J_p, compute_uv=False)
    return float(s[rank(J_p).rank - 1]) if s.any() else 0.0


def _dependent(J: Floats, *groups: Sequence[int]) -> tuple[int, ...]:
    """Velocities that the others determine: as many as can be of the first group, then of the next."""
    taken: list[int] = []
    for group in groups:
        more = rank(J[:, [*taken, *group]]).rank - len(taken)
        if more:
            span = np.linalg.qr(J[:, taken])[0]
            rest = (J - span @ (span.T @ J))[:, group]
            taken += [group[k] for k in independent_rows(rest.T, more)]
    return tuple(sorted(taken))


def _others(d: Description, J: Floats, whole: Rank, names: Sequence[str]) -> tuple[int, ...]:
    """Velocities that those of these names determine."""
    every, mobility = d.v_names, d.nv - whole.rank
    places = tuple(k for k, name in enumerate(every) if name not in names)
    if len(set(names)) != mobility:
        raise ModelError(
            f"{d.name} has the mobility {mobility}: as many joint velocities are independent, not {len(set(names))} ({', '.join(names)})"
        )
    if rank(J[:, places]).rank < len(places):
        free = ", ".join(every[places[k]] for k in loose(J[:, places]))
        raise ModelError(
            f"{d.name}: {', '.join(names)} do not determine the motion: with them held, {free} can still move; name others"
        )
    return places


def _names(d: Description) -> str:
    return ", ".join(name for _, names in d.ties for name in names)


# ---- states with closed loops ----


def closed_states(
    d: Description, known: dict[str, float], *, geometry: bool = False, home: bool = False
) -> list[Floats]:
    """All rows of all constraints, or of geometric ones alone, at a few random states that meet them.

    With `home` they are sought about q = 0 first: a platform may have ways to move that its robot is not meant for.
    """
    found: list[Floats] = []
    for robot, q in _states(d, known, home):
        ties = constraints(robot)
        found.append(jacobian(geometric(ties) if geometry else ties, d.nv, q))
    return found


def states_at_home(d: Description, known: dict[str, float]) -> list[tuple[Tree, Floats]]:
    """A few random states about q = 0 at which the loops close, each with the robot in numbers."""
    return _states(d, known, True)


def _states(d: Description, known: dict[str, float], home: bool) -> list[tuple[Tree, Floats]]:
    rng = np.random.default_rng(0)
    joints = [body.joint for body in d.bodies]
    found: list[tuple[Tree, Floats]] = []
    nearest: Attempt | None = None
    for k in range(STARTS):
        robot = _in_numbers(d, known, rng)
        start = near_zero(joints, rng, 0.02 * (k + 1)) if home and k < 10 else random_coordinates(joints, rng)
        attempt = close(robot, joints, start)
        if attempt.closed:
            found.append((robot, attempt.q))
            if len(found) == STATES:
                return found
        elif nearest is None or max(attempt.open) < max(nearest.open):
            nearest = attempt
    if found or nearest is None:
        return found
    ties = geometric(constraints(_in_numbers(d, known, rng)))
    names = [f"{tie.name} ({gap:.2g})" for tie, gap in zip(ties, nearest.open, strict=True) if gap > 1e-9]
    unknown = [name for name in d.symbols if name not in known]
    raise ModelError(
        f"{d.name}: no state was found at which its loops close; {STARTS} times Newton's method was started, and came no nearer than "
        f"{', '.join(names)}. Check the lengths and the frames of these cut joints"
        + (f", and give default values to {', '.join(unknown[:20])}" if unknown else "")
    )


def _in_numbers(d: Description, known: dict[str, float], rng: Generator) -> Tree:
    """The robot with the values of parameters that are known, random ones for the others."""
    values = {name: known.get(name, float(rng.uniform(0.5, 1.5))) for name in d.symbols}
    return tree(d, lambda x: float(evaluate([x.expr], values)[0]) if isinstance(x, Formula) else float(x)).welded()


# ---- the order of solving ----


def _blocks(J_p: list[list[Expr]]) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
    """Square blocks of J_p, each after those whose unknowns it needs."""
    found = irreducible_blocks(J_p) if J_p else []
    if found is None:
        every = tuple(range(len(J_p)))
        return ((every, every),)
    left, done, order = list(found), set[int](), list[tuple[tuple[int, ...], tuple[int, ...]]]()
    while left:
        for block in left:
            block_rows, columns = block
            needs = {k for i in block_rows for k, x in enumerate(J_p[i]) if x.const != 0} - set(columns)
            if needs <= done:
                break
        else:
            raise AssertionError("blocks of a block-triangular form wait for each other")
        left.remove(block)
        done |= set(columns)
        order.append((tuple(block_rows), tuple(columns)))
    return tuple(order)
