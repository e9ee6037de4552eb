"""Singular states of robots whose joints are tied together: which kind, how near, and the screws of what is lost or gained.

Type 1, of the legs: there is a direction that the frame cannot move in, and the legs resist a wrench alone. Type 2, of the platform:
it moves with all motors held. Constraint singularities: what guides the platform does so no longer. After Gosselin and
Angeles (1990) and Zlatanov, Bonev and Gosselin (2002).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from armillary.errors import ModelError
from armillary.geometry.pose import pose
from armillary.kinematics.closure import CLOSED, Rank
from armillary.kinematics.constraints import constraints, geometric
from armillary.kinematics.singularity import State, gained_twists, leg_ranks, lost_wrenches, ranks
from armillary.models.closed_states import closed_configurations
from armillary.models.derivation import default_frame
from armillary.models.numbers import finite, in_numbers
from armillary.models.partition import actuated
from armillary.robot import Description, Tree
from armillary.robot.description import unknown_frame
from armillary.robot.parallel import platforms

Floats = NDArray[np.float64]
NOTHING = 1e-7
"""The length of a unit screw's part below which it is 0."""


@dataclass(frozen=True, eq=False)
class Screw:
    """A twist (v, ω) or a wrench (f, n) of a frame, along the axes of the base about the frame's origin.

    `axis` is its direction, of length 1, and `point` a point of it in the base, the nearest to the frame's origin; `pitch` (m for each
    rad, N·m for each N) is infinite for a translation and for a couple.
    """

    kind: str
    linear: Floats
    angular: Floats
    axis: Floats
    point: Floats
    pitch: float

    def __str__(self) -> str:
        return f"{self._what} {_shown(self.axis)}" + (
            ""
            if np.isinf(self.pitch)
            else f" through {_shown(self.point)}" + (f", pitch {self.pitch:.4g}" if self.pitch else "")
        )

    @property
    def _what(self) -> str:
        if np.isinf(self.pitch):
            return "translation along" if self.kind == "twist" else "couple about"
        turning = "rotation about" if self.kind == "twist" else "force along"
        return turning if not self.pitch else f"{self.kind} about"


def _signed(x: Floats) -> float:
    """The length of a vector, negative where its largest component is."""
    return float(np.linalg.norm(x) * np.sign(x[np.argmax(np.abs(np.round(x, 9)))]))


def _shown(x: Floats) -> str:
    return "(" + ", ".join(f"{float(v) + 0.0:.4g}" for v in np.round(x, 9)) + ")"


def screw(kind: str, six: Floats, origin: Floats) -> Screw:
    """Of (v, ω) or (f, n); the part that says the direction, ω or f, has length 1 where there is one, its largest component positive."""
    linear, angular = six[:3], six[3:]
    main, rest = (angular, linear) if kind == "twist" else (linear, angular)
    size = float(np.linalg.norm(main))
    if size < NOTHING * float(np.linalg.norm(six)):
        axis = rest / _signed(rest)
        zero = np.zeros(3)
        pair = (axis, zero) if kind == "twist" else (zero, axis)
        return Screw(kind, *pair, axis, origin, np.inf)
    main, rest = main / _signed(main), rest / _signed(main)
    pitch = float(main @ rest)
    pitch = 0.0 if abs(pitch) < NOTHING else pitch
    pair = (rest, main) if kind == "twist" else (main, rest)
    return Screw(kind, *pair, main, origin + np.cross(main, rest), pitch)


@dataclass(frozen=True, eq=False)
class Singularity:
    """What a state is short of, or has too much of, beside most states.

    `lost` are wrenches on the frame that the legs resist alone, `stuck` the cut joints of legs that cannot follow every motion of their
    platform, `gained` the twists of the frame with the motors held, `idle` how many
    motions of legs leave the frame where it is while the motors are held, `released` how many conditions are lost. `usual` and
    `here` are the ranks of the frame's motions, of the constraints with the motors held, and of the constraints, elsewhere and here.
    """

    robot: str
    frame: str
    lost: tuple[Screw, ...]
    stuck: tuple[str, ...]
    gained: tuple[Screw, ...]
    idle: int
    released: int
    usual: tuple[int, int, int]
    here: tuple[Rank, Rank, Rank]

    @property
    def types(self) -> tuple[str, ...]:
        """Which kinds of singularity the state is, none for a regular one."""
        told = (
            ("type 1", bool(self.lost)),
            ("type 2", self.here[1].rank < self.usual[1]),
            ("constraint", bool(self.released)),
        )
        return tuple(name for name, there in told if there)

    def __str__(self) -> str:
        lines = [f"{self.robot}, {self.frame}: {' and '.join(self.types) or 'no'} singularity"]
        lines += [f"  lost      the legs resist a {x}" for x in self.lost]
        if self.stuck:
            lines.append(f"  stuck     the legs that {', '.join(self.stuck)} cut")
        lines += [f"  gained    {x}" for x in self.gained]
        if self.idle and "type 2" in self.types:
            lines.append(f"  idle      {self.idle} of the motions with the motors held move links of legs alone")
        if self.released:
            lines.append(f"  released  {self.released} of the conditions that hold elsewhere")
        names = (f"motions of {self.frame}", "constraints, motors held", "constraints")
        lines += [
            f"  rank      {name}: {r}, elsewhere {n}" for name, r, n in zip(names, self.here, self.usual, strict=True)
        ]
        return "\n".join(lines)


def singularity(
    description: Description,
    q: ArrayLike,
    *,
    frame: str | None = None,
    point: bool = False,
    parameters: Mapping[str, float] | None = None,
) -> Singularity:
    """What is singular about the state q, at which the loops close, for a frame (the platform unless named) or its origin alone.

    What is usual is read at random states; `parameters` are the values of symbols that have no default, or other ones.
    """
    robot, known = in_numbers(description, parameters or {})
    where = finite(description, "q", q)
    if where.shape != (description.nq,):
        raise ModelError(f"{description.name} has {description.nq} coordinates, not {where.size}")
    _closed(description, robot, where)
    name = _frame(description, frame)
    joints = [body.joint for body in description.bodies]
    here = State(robot, joints, name, 3 if point else 6, actuated(description), where)
    others = [here.at(x.q) for x in closed_configurations(description, known, home=True)]
    elsewhere = [ranks(state) for state in others]
    usual = (max(r[0].rank for r in elsewhere), max(r[1].rank for r in elsewhere), max(r[2].rank for r in elsewhere))
    found = ranks(here)
    origin = _origin(robot, name, where)
    lost = lost_wrenches(here, usual[0])
    gained, idle = gained_twists(here) if found[1].rank < usual[1] else (np.zeros((here.rows, 0)), 0)
    return Singularity(
        description.name,
        name,
        tuple(screw("wrench", _six(column), origin) for column in lost.T),
        _stuck(description, here, others),
        tuple(screw("twist", _six(column), origin) for column in gained.T),
        idle,
        usual[2] - found[2].rank,
        usual,
        found,
    )


def _stuck(d: Description, here: State, elsewhere: Sequence[State]) -> tuple[str, ...]:
    """The cut joints at platforms whose legs follow fewer motions than elsewhere."""
    found = platforms(d)
    carried = {name for platform in found for name in platform.bodies}
    velocities = [name for body in d.bodies if body.name in carried for name in body.velocities]
    places = [k for k, name in enumerate(d.v_names) if name in velocities]
    usual = [leg_ranks(state, places) for state in elsewhere]
    now = leg_ranks(here, places)
    return tuple(leg for platform in found for leg in platform.legs if now[leg] < max(x[leg] for x in usual))


def _six(column: Floats) -> Floats:
    """A point's three numbers with nothing about it."""
    return np.concatenate([column, np.zeros(6 - len(column))])


def _origin(robot: Tree, frame: str, q: Floats) -> Floats:
    return np.array([float(x) for x in pose(robot, q.tolist(), frame, "base").position])


def _frame(d: Description, name: str | None) -> str:
    if name is not None:
        if name not in d.frame_names:
            raise unknown_frame(d, name)
        return name
    found = platforms(d)
    return found[-1].name if found else default_frame(d)


def _closed(d: Description, robot: Tree, q: Floats) -> None:
    for constraint in geometric(constraints(robot)):
        off = max(abs(float(x)) for x in constraint.residual(q.tolist()))
        if off > 1e3 * CLOSED:
            raise ModelError(
                f"{d.name}: at this q {constraint.name} is open by {off:.2g}; take one at which the loops close, found by loop_closure or "
                "leg_geometry"
            )
