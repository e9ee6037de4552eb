"""Which joints of a robot with constraints are independent, which rows determine the others, and in which order.

Rows that are 0 by structure are left out. Which of the others are independent is found at states where the loops close,
with the default values of parameters, or random ones where there are none; the gap of the singular values is noted on
the model.
"""

from collections.abc import Sequence

import numpy as np

from armillary.dynamics.closed import Partition
from armillary.errors import ModelError
from armillary.expr.graph import Expr
from armillary.kinematics.closure import (
    Floats,
    Rank,
    first_rows,
    independent_rows,
    loose,
    rank,
)
from armillary.kinematics.constraint import Constraint
from armillary.kinematics.constraints import constraints, geometric
from armillary.kinematics.mobility import platform_span
from armillary.models.closed_states import Way, closed_states
from armillary.models.derivation import Derivation
from armillary.models.legs_apart import all_but_joints, followers, legs_of, nested
from armillary.models.structure import nonzeros
from armillary.robot import Description
from armillary.robot.mounting import held_fast
from armillary.spatial.blocks import independent_blocks


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
    way: Way | None = None,
) -> Partition:
    """The parts of q' and the rows that tie them together; errors say what is too little or too much.

    `independent` names the velocities that determine all others, or joints, of whose velocities as many are taken as it needs; `kept`
    some that are to be among them if possible; with `geometry` only what the coordinates have to meet counts. The constant rows of
    a `way` are taken before all others.
    """
    description = d.settled
    chosen_by = geometric if geometry else list[Constraint]
    found = chosen_by(constraints(d.tree))
    usual = sum(len(constraint.conditions) for constraint in found)
    found = [*found, *(way.more(d.scalar) if way else ())]
    listed = [[d.graph.lift(x) for x in row] for constraint in found for row in constraint.rows(q)]
    present = [i for i, row in enumerate(nonzeros(listed)) if any(row)]
    constant = [n for n, i in enumerate(present) if i >= usual]
    by_joint = [name for name in independent if name not in description.v_names]
    home = bool(by_joint)
    states = [A[present] for A in closed_states(description, d.known, geometry=geometry, way=way, home=home)]
    motors = actuated(description)
    slack = [k for k in range(description.nv) if k not in motors]
    J = max(states, key=lambda A: (rank(A).rank, rank(A[:, slack]).rank, _regularity(A[:, slack])))
    whole = rank(J)
    if whole.rank == description.nv:
        raise ModelError(
            f"{description.name}: its constraints ({_names(description)}) leave no motion at all: {description.nv} joint velocities, "
            f"{whole.rank} conditions"
        )
    if d.tree.wheels and not geometry and not platform_span(d.tree, J).size:
        raise ModelError(f"{description.name}: its platform cannot move, the mobility is 0: {held_fast(description)}")
    if by_joint:
        dependent = all_but_joints(description, J, whole, independent)
    elif independent:
        dependent = _others(description, J, whole, independent)
    else:
        dependent = _dependent(J, slack, *_last_first(description, motors, kept))
    rows = tuple(present[i] for i in independent_rows(J[:, dependent], len(dependent), constant))
    if len(rows) < len(present):
        d.notes.append(("independent rows", f"{len(rows)} of {len(present)}, rank {whole}"))
    parts: list[tuple[list[int], list[int]]] = []
    if by_joint:
        rows, parts = legs_of(description, J, listed, present, dependent, by_joint)
    blocks = independent_blocks(nonzeros([[listed[i][k] for k in dependent] for i in rows]))
    return Partition(
        independent=tuple(k for k in range(description.nv) if k not in dependent),
        dependent=dependent,
        actuated=motors,
        rows=rows,
        blocks=tuple(blocks),
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


def _dependent(J: Floats, slack: Sequence[int], *motors: Sequence[int]) -> tuple[int, ...]:
    """Velocities that the others determine: as many as can be of those without motors, then of the motors that stand first.

    Which motors these are does not hang on the state, as far as it leaves a choice: models of one robot take the same.
    """
    taken: list[int] = []
    for group, choose in ((slack, independent_rows), *((group, first_rows) for group in motors)):
        more = rank(J[:, [*taken, *group]]).rank - len(taken)
        if more:
            span = np.linalg.qr(J[:, taken])[0]
            rest = (J - span @ (span.T @ J))[:, group]
            taken += [group[k] for k in choose(rest.T, more)]
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
