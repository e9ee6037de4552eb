"""Motion given by a few joints, a platform's: which of their velocities are independent, and the legs that follow one by one.

A leg is what the rows tie together when those joints are held. Joints that follow others by couplings are solved before the rest of
their leg, legs before what ties them together; `dynamics.closed` solves in that order.
"""

from collections.abc import Sequence

import numpy as np

from armillary.errors import ModelError, near_match
from armillary.expr.graph import Expr
from armillary.kinematics.closure import Floats, Rank, first_rows, independent_rows, loose, rank
from armillary.kinematics.constraint import Constraint
from armillary.kinematics.couplings import Together
from armillary.robot import Description
from armillary.spatial.blocks import Leg


def all_but_joints(d: Description, J: Floats, whole: Rank, names: Sequence[str]) -> tuple[int, ...]:
    """All velocities but those of the joints of these names, and of those what the rest of them determine."""
    among = _of_joints(d, names)
    others, mobility = [k for k in range(d.nv) if k not in among], d.nv - whole.rank
    if rank(J[:, others]).rank < len(others):
        free = ", ".join(d.v_names[others[k]] for k in loose(J[:, others]))
        raise ModelError(
            f"{d.name}: {', '.join(names)} do not determine the motion: with them held, {free} can still move; the mobility is {mobility}"
        )
    span = np.linalg.qr(J[:, others])[0]
    rest = (J - span @ (span.T @ J))[:, among]
    return tuple(sorted((*others, *(among[k] for k in independent_rows(rest.T, whole.rank - len(others))))))


def _of_joints(d: Description, names: Sequence[str]) -> list[int]:
    """The velocities of these names, and of the joints (or the bodies) of these names."""
    places: dict[str, list[int]] = {name: [k] for k, name in enumerate(d.v_names)}
    start = 0
    for body in d.bodies:
        here = list(range(start, start + body.joint.nv))
        start += len(here)
        if here:
            places.setdefault(body.joint_name, here)
            places.setdefault(body.name, here)
    strange = [name for name in names if name not in places]
    if strange:
        raise ModelError(
            f"{d.name} has no joint velocity {', '.join(strange)}, and no joint of that name; independent are some of "
            f"{', '.join(d.v_names)}, or joints, {', '.join(d.joint_names)}{near_match(strange[0], places)}"
        )
    return sorted({k for name in names for k in places[name]})


def legs_of(
    d: Description,
    J: Floats,
    listed: list[list[Expr]],
    present: Sequence[int],
    dependent: Sequence[int],
    names: Sequence[str],
) -> tuple[tuple[int, ...], list[tuple[list[int], list[int]]]]:
    """(rows, legs): the rows that make each leg follow from the joints of these names, and as many more as determine the rest.

    A leg, (rows, velocities), is what the rows tie together when those joints are held. Of its rows those that stand first are taken,
    couplings before positions and positions before directions: a leg that reaches a point does so wherever it stands.
    """
    among = set(_of_joints(d, names))
    border = [k for k in dependent if k in among]
    taken: list[int] = []
    legs: list[tuple[list[int], list[int]]] = []
    rest, left = J[:, border].copy(), set(range(len(present)))
    for leg in _tied([{k for k, x in enumerate(listed[i]) if x.const != 0} - among for i in present]):
        touching = [i for i in range(len(present)) if any(listed[present[i]][k].const != 0 for k in leg)]
        touching.sort(key=lambda i: any(x.const is None for x in listed[present[i]]))
        chosen = [touching[k] for k in first_rows(J[np.ix_(touching, leg)], len(leg))]
        legs.append(([present[i] for i in chosen], leg))
        taken += chosen
        left -= set(chosen)
        others = [i for i in touching if i not in chosen]
        rest[others] -= J[np.ix_(others, leg)] @ np.linalg.solve(J[np.ix_(chosen, leg)], rest[chosen])
    open_ = sorted(left)
    taken += [open_[i] for i in independent_rows(rest[open_], len(border))] if border else []
    return tuple(present[i] for i in sorted(taken)), legs


def _tied(groups: Sequence[set[int]]) -> list[list[int]]:
    """The velocities that rows tie together, by the velocities of each row."""
    found: list[set[int]] = []
    for group in groups:
        if group:
            touched = [x for x in found if x & group]
            found = [x for x in found if not x & group] + [group.union(*touched)]
    return sorted(sorted(x) for x in found)


def followers(found: Sequence[Constraint], rows: Sequence[int], dependent: Sequence[int]) -> dict[int, int]:
    """The row of each velocity that a coupling makes follow another one, which does not follow itself."""
    start, taken = 0, dict[int, int]()
    for constraint in found:
        if isinstance(constraint, Together) and start in rows:
            c = constraint.coupled
            if c.v in dependent and c.v not in taken and c.leader_v not in taken:
                taken[c.v] = start
        start += len(constraint.conditions)
    leaders = {x.coupled.leader_v for x in found if isinstance(x, Together)}
    return {v: row for v, row in taken.items() if v not in leaders}


def nested(
    parts: Sequence[tuple[list[int], list[int]]],
    following: dict[int, int],
    rows: Sequence[int],
    dependent: Sequence[int],
) -> tuple[Leg, ...]:
    """Legs with the followers in them, and followers that are in none, by places among rows and dependent velocities."""

    def leg(chosen: Sequence[int], unknowns: Sequence[int], inner: tuple[Leg, ...] = ()) -> Leg:
        return Leg(tuple(rows.index(i) for i in chosen), tuple(dependent.index(k) for k in unknowns), inner)

    found: list[Leg] = []
    alone = dict(following)
    for chosen, unknowns in parts:
        inside = {v: row for v, row in following.items() if v in unknowns and row in chosen and len(unknowns) > 1}
        found.append(leg(chosen, unknowns, tuple(leg([row], [v]) for v, row in inside.items())))
        alone = {v: row for v, row in alone.items() if v not in unknowns}
    return (*found, *(leg([row], [v]) for v, row in alone.items()))
