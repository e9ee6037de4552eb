"""What a robot on wheels can do: degrees of mobility and steerability, and the type that Campion and others give it.

There are five types (δ_m, δ_s) of wheeled robots (Campion, Bastin and d'Andréa-Novel 1996):

    (3, 0)  castors and Swedish wheels alone
    (2, 0)  fixed wheels on one axle
    (2, 1)  one steered wheel, nothing fixed
    (1, 1)  fixed wheels on one axle, and steered ones whose axles meet on it
    (1, 2)  steered wheels alone, two of them at will

Both degrees are found at random states that meet the constraints, with the default values of parameters, or random ones where
there are none.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from armillary.errors import ModelError
from armillary.kinematics.closure import Floats
from armillary.kinematics.mobility import limiting_wheels, platform_velocities, steerability
from armillary.models.closed_states import closed_configurations
from armillary.robot import Description, Tree
from armillary.robot.mounting import FIXED, STEERING, held_fast, listed, mounting

TYPES = ((3, 0), (2, 0), (2, 1), (1, 1), (1, 2))


@dataclass(frozen=True)
class Mobility:
    """How a platform on wheels moves.

    `mobility` is δ_m, the number of velocities it can have at once, `steerability` δ_s, in how many ways steering turns what
    these are. `wheels` has the kind of each; `limits` are those whose slides, independent of each other, take what is lacking.
    """

    robot: str
    wheels: tuple[tuple[str, str], ...]
    mobility: int
    steerability: int
    limits: tuple[str, ...]
    _state: tuple[Tree, Floats] = field(repr=False)
    _held: str = field(default="", repr=False)

    @property
    def type(self) -> tuple[int, int]:
        """(δ_m, δ_s)."""
        return self.mobility, self.steerability

    @property
    def maneuverability(self) -> int:
        """δ_m + δ_s: 3 where the platform can be led along any path, the centre of its turning put anywhere; 2 on a line."""
        return self.mobility + self.steerability

    def __str__(self) -> str:
        kinds = ", ".join(f"{name} ({kind})" for name, kind in self.wheels)
        what = f"type ({self.mobility}, {self.steerability})" if self.type in TYPES else "none of the five types"
        return "\n".join(
            (
                f"{self.robot}: {what}",
                f"  wheels             {kinds}",
                f"  mobility           {self.mobility}{f', limited by {listed(self.limits)}' if self.limits else ''}",
                f"  steerability       {self.steerability}",
                f"  centre of turning  {self.where}",
            )
        )

    @property
    def where(self) -> str:
        """Where the instantaneous centre of rotation of the platform can be."""
        if self.mobility == 3:
            return "anywhere, at every moment"
        holding = self._of(FIXED) or self._of(STEERING)
        match self.type:
            case (2, _) if not holding:
                return "anywhere on one line"
            case (2, 0):
                return f"anywhere on the axle of {listed(holding)}"
            case (2, _):
                return f"anywhere on the axle of {listed(holding)}, which steering turns"
            case (1, 1):
                return f"where the axles of {listed(self._of(STEERING))} meet that of {listed(self._of(FIXED)[:1]) or 'the others'}"
            case (1, 2):
                return f"where the axles of {listed(self._of(STEERING))} meet, anywhere"
            case (1, _):
                center = self.center(self._state[1])
                return (
                    "nowhere: it goes straight"
                    if center is None
                    else f"at ({center[0]:.6g}, {center[1]:.6g}) m for ever"
                )
            case _:
                return f"nowhere: {self._held}"

    def center(self, q: ArrayLike) -> tuple[float, float] | None:
        """The point of the platform that stands still at q (m, in its frame), None where it moves straight; for δ_m = 1."""
        V = platform_velocities(self._state[0], np.asarray(q, dtype=float))
        if V.shape[1] != 1:
            raise ModelError(
                f"{self.robot} can move in {V.shape[1]} ways at once there; it has one centre of turning where that is 1"
            )
        v_x, v_y, w = (float(x) for x in V[:, 0])
        return None if abs(w) < 1e-12 else (-v_y / w, v_x / w)

    def _of(self, kind: str) -> list[str]:
        return [name for name, k in self.wheels if k == kind]


def mobility(description: Description, parameters: Mapping[str, float] | None = None) -> Mobility:
    """Mobility and steerability of a robot on wheels."""
    if not description.wheels:
        raise ModelError(f"{description.name} has no wheels; robot.mobility() is for robots on wheels")
    known = {name: p.default for name, p in description.parameters.items() if p.default is not None}
    joints = [body.joint for body in description.bodies]
    states = closed_configurations(description, {**known, **(parameters or {})})
    at = [platform_velocities(state.robot, state.q).shape[1] for state in states]
    least = min(at)
    state = states[at.index(least)]
    tree, q = state.robot, state.q
    wheels = tuple((wheel.name, mounting(description, wheel).kind) for wheel in description.wheels)
    return Mobility(
        description.name,
        wheels,
        least,
        steerability(tree, joints, q),
        tuple(limiting_wheels(tree, q)),
        (tree, q),
        held_fast(description),
    )
