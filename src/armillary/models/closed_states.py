"""Random states at which a robot meets its constraints, with the default values of parameters, or random ones where there are none."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.random import Generator

from armillary.errors import ModelError
from armillary.expr.evaluate import evaluate
from armillary.kinematics.closure import Attempt, Floats, close, jacobian, near_zero, random_coordinates
from armillary.kinematics.constraint import Constraint
from armillary.kinematics.constraints import constraints, geometric
from armillary.kinematics.sums import Summed
from armillary.robot import Description, Formula, Tree, Value, tree

STARTS = 60
STATES = 3
NEAR = 10
"""Starts about q = 0, each from further away, where a robot's home is meant."""


class Way(Protocol):
    """One way to assemble a robot, see `models.assembly`."""

    def more(self, scalar: Callable[[Value], Any]) -> list[Summed]:
        """What ties the joints together in this way alone."""
        ...

    def carried(self, q: Floats, scalar: Callable[[Value], float]) -> Floats | None:
        """The state of this way with the active coordinates of q, None where there is none."""
        ...


@dataclass(frozen=True, slots=True)
class ClosedState:
    """The robot in numbers, a state q of it that meets its constraints, and the values of its parameters."""

    robot: Tree
    q: Floats
    scalar: Callable[[Value], float]


def closed_states(
    d: Description,
    known: dict[str, float],
    *,
    geometry: bool = False,
    way: Way | None = None,
    home: bool = False,
) -> list[Floats]:
    """All rows of all constraints, or of geometric ones alone, at a few random states that meet them, in one way if told."""
    chosen_by = geometric if geometry else list[Constraint]
    return [
        jacobian([*chosen_by(constraints(x.robot)), *(way.more(x.scalar) if way else ())], d.nv, x.q)
        for x in closed_configurations(d, known, way, home)
    ]


def closed_configurations(
    d: Description, known: dict[str, float], way: Way | None = None, home: bool = False
) -> list[ClosedState]:
    """A few random states that meet all constraints.

    With `home` they are sought about q = 0 first: a platform may have ways to move that its robot is not meant for.
    """
    rng = np.random.default_rng(0)
    joints = [body.joint for body in d.bodies]
    found: list[ClosedState] = []
    nearest: Attempt | None = None
    for k in range(STARTS):
        scalar = in_numbers(d, known, rng)
        robot = tree(d, scalar).welded()
        start = near_zero(joints, rng, 0.02 * (k + 1)) if home and k < NEAR else random_coordinates(joints, rng)
        attempt = close(robot, joints, start)
        if attempt.closed:
            q = way.carried(attempt.q, scalar) if way else attempt.q
            if q is None:
                continue
            found.append(ClosedState(robot, q, scalar))
            if len(found) == STATES:
                return found
        elif nearest is None or max(attempt.open) < max(nearest.open):
            nearest = attempt
    if found:
        return found
    if nearest is None:
        raise ModelError(
            f"{d.name}: its loops close, but no state was found in this way to assemble it: take another mode"
        )
    ties = geometric(constraints(tree(d, in_numbers(d, known, rng)).welded()))
    names = [f"{tie.name} ({gap:.2g})" for tie, gap in zip(ties, nearest.open, strict=True) if gap > 1e-9]
    unknown = [name for name in d.symbols if name not in known]
    raise ModelError(
        f"{d.name}: no state was found at which its loops close; {STARTS} times Newton's method was started, and came no nearer than "
        f"{', '.join(names)}. Check the lengths and the frames there"
        + (f", and give default values to {', '.join(unknown[:20])}" if unknown else "")
    )


def in_numbers(d: Description, known: dict[str, float], rng: Generator) -> Callable[[Value], float]:
    """What a value of the robot is with the parameters that are known, and random ones for the others."""
    values = {name: known.get(name, float(rng.uniform(0.5, 1.5))) for name in d.symbols}
    return lambda x: float(evaluate([x.expr], values)[0]) if isinstance(x, Formula) else float(x)
