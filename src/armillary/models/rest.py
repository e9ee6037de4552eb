"""A robot at rest in numbers: what holds it there, its stiffness and inertia, and where small steps lead.

Of a tree these are along all joint velocities; of a robot whose joints are tied together along its independent ones, the others
following by Newton's method at every step.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from armillary.errors import ModelError
from armillary.kinematics.closure import close, jacobian, moved
from armillary.kinematics.constraints import constraints
from armillary.models.closed_states import in_numbers
from armillary.models.derive import derive
from armillary.models.numbers import finite
from armillary.program import Program, evaluate
from armillary.robot import Description, tree

Floats = NDArray[np.float64]


class Rest:
    """The model `statics`, or `closed-statics`, with values for its parameters.

    `velocities` are the names of those that torques, stiffness and inertia are along, `places` where they stand in q'.
    """

    def __init__(
        self, description: Description, parameters: Mapping[str, float], independent: Sequence[str] = ()
    ) -> None:
        self.description = description
        self._joints = [b.joint for b in description.bodies]
        if description.ties:
            self._program = derive(description, "closed-statics", independent=tuple(independent))
        elif independent:
            raise ModelError(f"{description.name} has no constraints: all its joint velocities are independent")
        else:
            self._program = derive(description, "statics")
        self._given = _given(description, self._program, parameters)
        self.velocities = self._program.output("tau").rows
        self.places = [description.v_names.index(name) for name in self.velocities]
        defaults = {name: p.default for name, p in description.parameters.items() if p.default is not None}
        scalar = in_numbers(description, {**defaults, **parameters}, np.random.default_rng(0))
        self._tree = tree(description, scalar).welded()

    def __call__(self, q: Floats) -> tuple[Floats, Floats, Floats]:
        """(torques, stiffness, inertia) at q."""
        takes = {x.name for x in self._program.states}
        found = list(evaluate(self._program, {**({"q": q} if "q" in takes else {}), **self._given}).values())
        return found[0], found[1], found[2]

    def start(self, q: ArrayLike | None) -> Floats:
        """Coordinates to start from: those given, or 0 and unit quaternions, loops closed."""
        d = self.description
        if q is None:
            here = np.zeros(d.nq)
            k = 0
            for joint in self._joints:
                if joint.quaternion is not None:
                    here[k + joint.quaternion] = 1
                k += joint.nq
        else:
            here = finite(d, "q", q).copy()
            if here.shape != (d.nq,):
                raise ModelError(f"{d.name} has {d.nq} coordinates, not {here.size}")
        there = self._met(here)
        if there is None:
            raise ModelError(
                f"{d.name}: its loops do not close with {', '.join(self.velocities)} where they are"
                f"{' said to be' if q is not None else ', at 0'}; give a q near which they do"
            )
        return there

    def moved(self, q: Floats, step: Floats) -> Floats | None:
        """q moved by a step along `velocities`, what depends on them following; None where the loops do not close there."""
        whole = np.zeros(self.description.nv)
        whole[self.places] = step
        if self.description.ties:
            J = jacobian(constraints(self._tree), self.description.nv, q)
            rest = [k for k in range(len(whole)) if k not in self.places]
            whole[rest] = np.linalg.lstsq(J[:, rest], -J @ whole, rcond=1e-9)[0]
        return self._met(np.array(moved(self._joints, q, whole), dtype=float))

    def _met(self, q: Floats) -> Floats | None:
        """q with its loops closed."""
        if not self.description.ties:
            return q
        attempt = close(self._tree, self._joints, q, held=self.places)
        return np.array(attempt.q, dtype=float) if attempt.closed else None


def _given(description: Description, program: Program, parameters: Mapping[str, float]) -> dict[str, ArrayLike]:
    """Values of the model's parameters that are not their defaults; an error for those that have none."""
    known = {x.name: x for x in program.inputs if x.role == "parameter"}
    unknown = [name for name in parameters if name not in known and name not in description.symbols]
    if unknown:
        raise ModelError(
            f"{description.name} has no parameter {', '.join(unknown)}; it has {', '.join(known) or 'none'}"
        )
    for name, x in known.items():
        if name not in parameters and x.default is None:
            raise ModelError(f"{description.name}: the parameter {name} has no default value; give it in `parameters`")
    return {name: parameters[name] for name in known if name in parameters}
