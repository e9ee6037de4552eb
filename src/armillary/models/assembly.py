"""The ways to assemble a robot whose joints are tied together, in closed form, for a derivation: numbered, named, verified.

A mode is a way to assemble it. What the steps of a mode give is put into the constraints in numbers, at states that Newton's
method found to start from; a mode that did not meet them would be an error of ours.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from armillary.assembly import FOLDED, assemblies
from armillary.errors import ModelError
from armillary.expr.graph import Expr
from armillary.geometry.assembly import Assembly, assembled
from armillary.geometry.ways import Coordinates
from armillary.grouping.sums import decidable
from armillary.kinematics.closure import Floats, close, random_coordinates
from armillary.kinematics.constraints import constraints, geometric
from armillary.kinematics.sums import Summed, sums
from armillary.models.closed_states import STARTS, in_numbers
from armillary.models.derivation import Derivation
from armillary.models.partition import partition
from armillary.models.spans import spans
from armillary.program.program import Input
from armillary.robot import Description, Value, tree
from armillary.robot.pairs import pairs

FINDER = "a closed form"
MET = 1e-8
"""The most that constraints may miss at a state of a mode that is reached (m, or the cosine of an angle)."""

Scalar = Callable[[Value], Any]


@dataclass(frozen=True, slots=True)
class Mode:
    """One way to assemble a robot, `active` being the places of the coordinates that are given."""

    description: Description
    active: tuple[int, ...]
    assembly: Assembly

    def solved(self, active: Sequence[Any], scalar: Scalar) -> tuple[list[Any], Any]:
        """q of all joints, and 1 where the mode can be reached, else 0."""
        joints = pairs(self.description, scalar)
        values = dict(zip(self.active, active, strict=True))
        known: Coordinates = {}
        for k, pair in enumerate(joints):
            places = range(pair.q.start, pair.q.stop)
            if "weld" in pair.kinds:
                known[k] = ()
            elif pair.joint is not None and places[0] in values:
                known[k] = tuple(values[i] for i in places)
        found, reached = assembled(joints, self.assembly, known, scalar)
        return [x for k, pair in enumerate(joints) if pair.joint is not None for x in found[k]], reached

    def more(self, scalar: Scalar) -> list[Summed]:
        """Coordinates that are sums of others, as constraints."""
        return sums(pairs(self.description, scalar), self.assembly, scalar)

    def carried(self, q: Floats, scalar: Callable[[Value], float]) -> Floats | None:
        """The state of this mode with the active coordinates of q, None where there is none."""
        with np.errstate(all="ignore"):
            found, reached = self.solved([q[k] for k in self.active], scalar)
        return np.array(found, dtype=float) if float(reached) == 1 else None


@dataclass(frozen=True, slots=True)
class Modes:
    """Every way to assemble a robot, and what its active coordinates are called."""

    modes: tuple[Mode, ...]
    labels: tuple[str, ...]

    def input(self, d: Derivation) -> list[Expr]:
        """The coordinates of the active joints."""
        if not self.labels:
            return []
        return d.input(
            Input("q_a", (len(self.labels),), "state", doc="coordinates of the active joints", labels=self.labels)
        )

    def one(self, d: Derivation, mode: int) -> Mode:
        """The mode of that number."""
        if not 0 <= mode < len(self.modes):
            listed = ", ".join(f"{k} ({m.assembly.name or 'the only one'})" for k, m in enumerate(self.modes))
            raise ModelError(f"{d.description.name} has no mode {mode}; its ways to be assembled are {listed}")
        return self.modes[mode]


def modes(d: Derivation, independent: Sequence[str] = (), kept: Sequence[str] = ()) -> Modes:
    """The ways to assemble the robot of a derivation, verified in numbers."""
    robot = d.settled
    first = Derivation(robot, {})
    p = partition(first, first.q, independent, kept=kept, geometry=True)
    active = tuple(k for span in spans(robot) if not span.dependent(p, FINDER) for k in span.q)
    found = tuple(Mode(robot, active, assembly) for assembly in assemblies(robot, active))
    _verify(robot, d.known, found)
    return Modes(found, tuple(robot.q_names[k] for k in active))


def straight(
    robot: Description, values: Mapping[str, float] | None = None, q: Sequence[float] | None = None
) -> Assembly | None:
    """A way to assemble the robot in which every coordinate is a sum of active ones: that of the state q if one is given.

    None where there is none, or where joints have more than one coordinate. Bars that lie on each other are meant by a state alone.
    """
    if any(body.joint.nq > 1 for body in robot.bodies):
        return None
    try:
        found = modes(Derivation(robot, {})).modes
    except ModelError:
        return None
    scalar = in_numbers(robot, dict(values or {}), np.random.default_rng(0))
    for mode in found:
        if decidable(mode.assembly) and (FOLDED not in mode.assembly.name if q is None else _is_at(mode, q, scalar)):
            return mode.assembly
    return None


def _is_at(mode: Mode, q: Sequence[float], scalar: Callable[[Value], float]) -> bool:
    """Whether a state is one of the mode, up to whole turns."""
    found = mode.carried(np.array(q, dtype=float), scalar)
    turns = np.array([body.joint.kind == "revolute" for body in mode.description.bodies if body.joint.nv])
    away = np.inf if found is None else np.array(q, dtype=float) - found
    away = np.where(turns, (away + np.pi) % (2 * np.pi) - np.pi, away)
    return bool(np.abs(away).max(initial=0.0) < MET)


def _verify(robot: Description, values: dict[str, float], found: Sequence[Mode]) -> None:
    """Puts the solutions into the constraints, at the active coordinates of a few states that meet these."""
    joints = [body.joint for body in robot.bodies]
    rng = np.random.default_rng(1)
    tried = 0
    for _ in range(STARTS):
        scalar = in_numbers(robot, values, rng)
        numbers = tree(robot, scalar).welded()
        attempt = close(numbers, joints, random_coordinates(joints, rng))
        if not attempt.closed:
            continue
        ties = geometric(constraints(numbers))
        for mode in found:
            q = mode.carried(attempt.q, scalar)
            missed = [] if q is None else [abs(float(x)) for tie in ties for x in tie.residual(q.tolist())]
            if max(missed, default=0.0) > MET:
                raise ModelError(
                    f"{robot.name}: the closed form of its mode {mode.assembly.name!r} does not close its loops; please report this robot"
                )
        tried += 1
        if tried == 3:
            return
