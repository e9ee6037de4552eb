"""Which joints of a robot with loops are active, which rows of the loops determine the passive ones, and in which order.

Rows that are 0 by structure are left out. Which of the others are independent is found at states where the loops close,
with the default values of parameters, or random ones where there are none; the gap of the singular values is noted on
the model.
"""

from collections.abc import Sequence

import numpy as np
from numpy.random import Generator

from armillary.dynamics.loops import Partition
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
    random_coordinates,
    rank,
)
from armillary.kinematics.loops import loops, rows
from armillary.models.derivation import Derivation
from armillary.models.determinant import irreducible_blocks
from armillary.robot import Description, Formula, Tree, tree

STARTS = 60
STATES = 3


def active_and_passive(d: Description) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Places of the velocities of actuated joints, and of the others."""
    actuated = [body.actuated for body in d.bodies for _ in range(body.joint.nv)]
    places = range(len(actuated))
    return tuple(k for k in places if actuated[k]), tuple(k for k in places if not actuated[k])


def partition(d: Derivation, q: Sequence[Expr]) -> Partition:
    """The parts of q' and the rows that tie them together; errors say what is too little or too much."""
    description = d.description
    active, passive = active_and_passive(description)
    listed = [[d.graph.lift(x) for x in row] for loop in loops(d.tree) for row in rows(loop, q)]
    present = [i for i, row in enumerate(listed) if any(x.const != 0 for x in row)]
    states = [A[present] for A in closed_states(description, d.known)]
    J = max(states, key=lambda A: _regular(A[:, passive]))
    whole = rank(J)
    _judge(description, whole, J, active, passive)
    chosen = tuple(present[i] for i in independent_rows(J[:, passive], len(passive)))
    if len(chosen) < len(present):
        d.notes.append(
            ("independent rows", f"{len(chosen)} of {len(present)}, rank {whole} at states found by Newton's method")
        )
    blocks = _blocks([[listed[i][k] for k in passive] for i in chosen])
    return Partition(active, passive, chosen, blocks, tuple(i for i in present if i not in chosen))


def independent_conditions(d: Derivation) -> tuple[int, ...]:
    """Rows of all loops that the others follow from, whatever joints are active."""
    states = closed_states(d.description, d.known)
    J = max(states, key=lambda A: rank(A).last)
    return tuple(independent_rows(J, rank(J).rank))


def _regular(J_p: Floats) -> float:
    """How far J_p is from having dependent columns."""
    s = np.linalg.svd(J_p, compute_uv=False)
    return float(s.min(initial=1.0)) if len(s) == J_p.shape[1] else 0.0


def _judge(d: Description, whole: Rank, J: Floats, active: Sequence[int], passive: Sequence[int]) -> None:
    """Errors for mechanisms whose active joints do not determine the others, or are not free themselves."""
    names, nv = d.v_names, d.nv
    mobility = nv - whole.rank
    if mobility == 0:
        raise ModelError(
            f"{d.name}: its loops ({_cuts(d)}) leave no motion at all: {nv} joint velocities, {whole.rank} conditions"
        )
    if not active:
        raise ModelError(
            f"{d.name}: no joint is active, and the mobility is {mobility}; say actuated = true of as many joints"
        )
    if rank(J[:, passive]).rank < len(passive):
        free = ", ".join(names[passive[k]] for k in loose(J[:, passive]))
        raise ModelError(
            f"{d.name} is under-actuated: with its active joints held, {free} can still move; the mobility is {mobility}, "
            f"active are {', '.join(names[k] for k in active)}: make other or more joints active"
        )
    if len(active) > mobility:
        raise ModelError(
            f"{d.name} has {len(active)} active joints, {', '.join(names[k] for k in active)}, and the mobility {mobility}: "
            f"they cannot all be moved at will; make {len(active) - mobility} of them passive (actuated = false)"
        )


def _cuts(d: Description) -> str:
    return ", ".join(cut.name for cut in d.cuts)


# ---- states with closed loops ----


def closed_states(d: Description, known: dict[str, float]) -> list[Floats]:
    """All rows of all loops, at a few random states at which they close."""
    rng = np.random.default_rng(0)
    joints = [body.joint for body in d.bodies]
    found: list[Floats] = []
    nearest: Attempt | None = None
    for _ in range(STARTS):
        robot = _in_numbers(d, known, rng)
        attempt = close(robot, joints, random_coordinates(joints, rng))
        if attempt.closed:
            found.append(jacobian(loops(robot), attempt.q))
            if len(found) == STATES:
                return found
        elif nearest is None or max(attempt.open) < max(nearest.open):
            nearest = attempt
    if found or nearest is None:
        return found
    names = [f"{cut.name} ({gap:.2g})" for cut, gap in zip(d.cuts, nearest.open, strict=True) if gap > 1e-9]
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
