"""Where a robot comes to rest, and how it swings about that: Newton on the static torques, and K φ = ω² A φ there.

Joints with motors are held where they are; those without move until the torques on them vanish. A robot all of whose joints have
motors is taken with its motors slack. Other choices are the caller's, by the names of joint velocities.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from armillary.errors import ModelError
from armillary.kinematics.coordinates import coordinate_rates
from armillary.models.derive import derive
from armillary.program import Program, evaluate
from armillary.robot import Description

Floats = NDArray[np.float64]

STEPS = 100
"""Newton steps, most of which are for far-off starts."""


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """A state of rest.

    `torques` are those of the motors, 0 along the free velocities; `stiffness` K and `inertia` A are square matrices over the
    `free` velocities alone. `stable` says whether K is positive: the energy has a minimum here.
    """

    q: Floats
    torques: Floats
    free: tuple[str, ...]
    stiffness: Floats
    inertia: Floats

    @property
    def stable(self) -> bool:
        """Whether every small displacement is pulled back."""
        return bool(np.linalg.eigvalsh((self.stiffness + self.stiffness.T) / 2).min(initial=np.inf) > 0)


@dataclass(frozen=True, eq=False)
class Modes:
    """Small undamped swings about an equilibrium: δq = φ_k sin ω_k t.

    `squares` are ω² (rad²/s²), ascending; a negative one belongs to a motion that runs away. `shapes` are the φ in columns, a row
    for each of the `free` velocities, with φᵀ A φ = 1.
    """

    free: tuple[str, ...]
    squares: Floats
    shapes: Floats

    @property
    def frequencies(self) -> Floats:
        """ω in rad/s, NaN for what runs away."""
        return np.sqrt(np.where(self.squares < 0, np.nan, self.squares))


def equilibrium(
    description: Description,
    q: ArrayLike | None = None,
    *,
    free: Sequence[str] | None = None,
    torques: ArrayLike | None = None,
    parameters: Mapping[str, float] | None = None,
) -> Equilibrium:
    """The state of rest that Newton's method finds from `q` (0, or unit quaternions, if none is given).

    `torques` (nv) are applied along the free velocities. Ends with a `ModelError` where nothing resists, or nothing is found.
    """
    statics = _Statics(description, parameters or {})
    names, places = _free(description, free)
    here = _start(description, q)
    applied = np.zeros(description.nv) if torques is None else np.asarray(torques, dtype=float)
    if applied.shape != (description.nv,):
        raise ModelError(f"{description.name} has {description.nv} torques, not {applied.size}")
    tau, K, A = statics(here)
    for _ in range(STEPS):
        left = (tau - applied)[places]
        size = 1e-12 * max(1.0, float(np.abs(np.r_[tau, applied]).max(initial=0)))
        if np.abs(left).max(initial=0) <= size:
            return Equilibrium(here, tau, names, K[np.ix_(places, places)], A[np.ix_(places, places)])
        step = np.zeros(description.nv)
        step[places] = _newton_step(description, names, K[np.ix_(places, places)], left)
        fraction = 1.0
        while True:
            there = _moved(description, here, step * fraction)
            after = statics(there)
            if np.linalg.norm((after[0] - applied)[places]) < np.linalg.norm(left) or fraction < 1e-6:
                break
            fraction /= 2
        if np.array_equal(there, here):
            break
        here, (tau, K, A) = there, after
    raise ModelError(
        f"{description.name}: no equilibrium found from there; torques of {np.abs((tau - applied)[places]).max():.3g} are "
        "left over: start nearer to it"
    )


def modes(
    description: Description,
    q: ArrayLike | None = None,
    *,
    free: Sequence[str] | None = None,
    parameters: Mapping[str, float] | None = None,
) -> Modes:
    """Frequencies and shapes of the free velocities about `q`, which is taken to be an equilibrium."""
    names, places = _free(description, free)
    _, K, A = _Statics(description, parameters or {})(_start(description, q))
    K, A = K[np.ix_(places, places)], A[np.ix_(places, places)]
    try:
        L = np.linalg.cholesky(A)
    except np.linalg.LinAlgError:
        raise ModelError(
            f"{description.name}: nothing with inertia moves with some of {', '.join(names)}; give the links mass, or the joints IA"
        ) from None
    inverse = np.linalg.inv(L)
    squares, turned = np.linalg.eigh(inverse @ ((K + K.T) / 2) @ inverse.T)
    return Modes(names, np.array(squares, dtype=float), np.array(inverse.T @ turned, dtype=float))


class _Statics:
    """The model of that name, evaluated."""

    def __init__(self, description: Description, parameters: Mapping[str, float]) -> None:
        self._program: Program = derive(description, "statics")
        self._given: dict[str, ArrayLike] = {}
        known = {x.name: x for x in self._program.inputs if x.role == "parameter"}
        unknown = [name for name in parameters if name not in known and name not in description.symbols]
        if unknown:
            raise ModelError(f"{description.name} has no parameter {', '.join(unknown)}; it has {', '.join(known)}")
        for name, x in known.items():
            if name not in parameters and x.default is None:
                raise ModelError(
                    f"{description.name}: the parameter {name} has no default value; give it in `parameters`"
                )
            if name in parameters:
                self._given[name] = parameters[name]

    def __call__(self, q: Floats) -> tuple[Floats, Floats, Floats]:
        takes = {x.name for x in self._program.states}
        found = list(evaluate(self._program, {**({"q": q} if "q" in takes else {}), **self._given}).values())
        return found[0], found[1], found[2]


def _free(description: Description, given: Sequence[str] | None) -> tuple[tuple[str, ...], list[int]]:
    """The velocities that are free to move, and their places."""
    names = description.v_names
    if given is None:
        loose = [b.actuated for b in description.bodies for _ in range(b.joint.nv)]
        given = [name for name, held in zip(names, loose, strict=True) if not held] or names
    unknown = [name for name in given if name not in names]
    if unknown:
        raise ModelError(
            f"{description.name} has no joint velocity {', '.join(unknown)}; free are some of {', '.join(names)}"
        )
    return tuple(given), [names.index(name) for name in given]


def _start(description: Description, q: ArrayLike | None) -> Floats:
    if q is not None:
        here = np.array(q, dtype=float)
        if here.shape != (description.nq,):
            raise ModelError(f"{description.name} has {description.nq} coordinates, not {here.size}")
        return here
    here = np.zeros(description.nq)
    for start in _quaternions(description):
        here[start] = 1
    return here


def _quaternions(description: Description) -> list[int]:
    """Where in q unit quaternions start."""
    found: list[int] = []
    k = 0
    for body in description.bodies:
        if body.joint.quaternion is not None:
            found.append(k + body.joint.quaternion)
        k += body.joint.nq
    return found


def _moved(description: Description, q: Floats, step: Floats) -> Floats:
    """q moved along the joint velocities, quaternions of unit length again."""
    there = q + np.array(coordinate_rates([b.joint for b in description.bodies], list(q), list(step)), dtype=float)
    for start in _quaternions(description):
        there[start : start + 4] /= np.linalg.norm(there[start : start + 4])
    return there


def _newton_step(description: Description, names: Sequence[str], K: Floats, left: Floats) -> Floats:
    """-K⁻¹ left."""
    size = np.abs(K).max(initial=0)
    values = np.linalg.svd(K, compute_uv=False)
    if size == 0 or values.min() < 1e-13 * values.max():
        slack = [name for name, row in zip(names, K, strict=True) if not row.any()]
        raise ModelError(
            f"{description.name}: no equilibrium: nothing pulls back {', '.join(slack or names)}; give a spring, or hold the joint"
        )
    return np.array(-np.linalg.solve(K, left), dtype=float)
