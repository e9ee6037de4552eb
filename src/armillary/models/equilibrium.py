"""Where a robot comes to rest, and how it swings about that: Newton on the static torques, and K φ = ω² A φ there.

Joints with motors are held where they are; those without move until the torques on them vanish. A robot all of whose joints have
motors is taken with its motors slack. Other choices are the caller's, by the names of joint velocities. Where constraints tie the
joints together, all this is said of the independent velocities: the default ones, or those that the caller names.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from armillary.errors import ModelError
from armillary.models.rest import Floats, Rest
from armillary.robot import Description

STEPS = 100
"""Newton steps, most of which are for far-off starts."""

NUDGES, NUDGE = 3, 0.1
"""How often, and how far (rad, m), the start is moved along the pull where nothing resists there, as at the top of a swing."""

HALVINGS = 21
"""Lengths of one step that are tried, each half of the one before, until less is left over."""


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """A state of rest.

    `torques` are what holds it, along `velocities`: all of them, or the independent ones, 0 along the `free` ones. `stiffness` K and
    `inertia` A are square matrices over the `free` velocities alone. `stable` says whether K is positive: the energy has a minimum here.
    """

    q: Floats
    torques: Floats
    velocities: tuple[str, ...]
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
    independent: Sequence[str] = (),
) -> Equilibrium:
    """The state of rest that Newton's method finds from `q` (0, or unit quaternions, if none is given).

    `torques`, one for each of the robot's velocities, or of the independent ones, are applied along the free ones. Ends with a
    `ModelError` where nothing resists, or nothing is found.
    """
    rest = Rest(description, parameters or {}, independent)
    names, places = _free(rest, free)
    here = rest.start(q)
    n = len(rest.velocities)
    applied = np.zeros(n) if torques is None else np.asarray(torques, dtype=float)
    if applied.shape != (n,):
        raise ModelError(f"{description.name} has {n} torques, along {', '.join(rest.velocities)}, not {applied.size}")
    tau, K, A = rest(here)
    nudges = 0
    for _ in range(STEPS):
        left = (tau - applied)[places]
        size = 1e-12 * max(1.0, float(np.abs(np.r_[tau, applied]).max(initial=0)))
        if np.abs(left).max(initial=0) <= size:
            return Equilibrium(here, tau, rest.velocities, names, K[np.ix_(places, places)], A[np.ix_(places, places)])
        step = np.zeros(n)
        if _singular(K[np.ix_(places, places)]) and nudges < NUDGES:
            step[places] = -NUDGE * left / np.abs(left).max()
            there = rest.moved(here, step)
            if there is not None:
                nudges += 1
                here, (tau, K, A) = there, rest(there)
                continue
        step[places] = _newton_step(description, names, K[np.ix_(places, places)], left)
        step /= max(1.0, float(np.abs(step).max()))
        for halvings in range(HALVINGS):
            there = rest.moved(here, step / 2**halvings)
            after = (tau, K, A) if there is None else rest(there)
            if there is not None and np.linalg.norm((after[0] - applied)[places]) < np.linalg.norm(left):
                break
        else:
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
    independent: Sequence[str] = (),
) -> Modes:
    """Frequencies and shapes of the free velocities about `q`, which is taken to be an equilibrium."""
    rest = Rest(description, parameters or {}, independent)
    names, places = _free(rest, free)
    _, K, A = rest(rest.start(q))
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


def _free(rest: Rest, given: Sequence[str] | None) -> tuple[tuple[str, ...], list[int]]:
    """The velocities that are free to move, and their places among the robot's."""
    d, names = rest.description, rest.velocities
    if isinstance(given, str):
        given = (given,)
    if given is None:
        driven = {name for b in d.bodies if b.actuated for name in b.velocities}
        given = [name for name in names if name not in driven] or names
    unknown = [name for name in given if name not in names]
    if unknown:
        what = "independent joint velocity" if d.ties else "joint velocity"
        raise ModelError(f"{d.name} has no {what} {', '.join(unknown)}; free are some of {', '.join(names)}")
    return tuple(given), [names.index(name) for name in given]


def _singular(K: Floats) -> bool:
    values = np.linalg.svd(K, compute_uv=False)
    return not K.any() or bool(values.min() < 1e-13 * values.max())


def _newton_step(description: Description, names: Sequence[str], K: Floats, left: Floats) -> Floats:
    """-K⁻¹ left."""
    if _singular(K):
        slack = [name for name, row in zip(names, K, strict=True) if not row.any()]
        raise ModelError(
            f"{description.name}: no equilibrium: nothing pulls back {', '.join(slack or names)}; give a spring, or hold the joint"
        )
    return np.array(-np.linalg.solve(K, left), dtype=float)
