"""The parallel robots of the library with random geometry, inertia, friction and gravity, at a random state about their home."""

import warnings
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.random import Generator

import armillary as arm
from armillary.dynamics.closed import Closed, Partition
from armillary.kinematics.closure import Floats, close, near_zero
from armillary.models.derivation import Derivation
from armillary.models.legs import platform_joints
from armillary.models.partition import partition
from armillary.robot import Body, Description, tree
from reference.closed_loops import ClosedCase
from reference.random_trees import random_inertial
from reference.with_numbers import with_numbers

NAMES = ("rrr3", "rp2", "prrrp", "gough_stewart", "delta", "orthoglide")


@cache
def robot(name: str) -> arm.Robot:
    """A robot of the library."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", arm.RobotWarning)
        return arm.load(name)


@cache
def partitions(name: str) -> tuple[Partition, Partition]:
    """By the motors, and by the platform: a matter of structure."""
    found: list[Partition] = []
    for independent in ((), platform_joints(robot(name))):
        d = Derivation(robot(name), {})
        found.append(partition(d, d.q, independent))
    return found[0], found[1]


@dataclass
class ParallelCase:
    """A case whose motion is given by the motors, and the same given by the platform."""

    by_motors: ClosedCase
    partition: Partition
    values: dict[str, float]

    @property
    def by_platform(self) -> Closed:
        return Closed(self.by_motors.closed.tree, self.by_motors.closed.q, self.partition)


def _disturbed(body: Body, rng: Generator) -> Body:
    """Random inertia for a link that has some, losses for a joint with one velocity."""
    losses = {key: float(rng.uniform(0, 0.5)) for key in ("IA", "FV", "FS")} if body.joint.nv == 1 else {}
    heavy = any(body.inertia)
    return replace(body, inertia=random_inertial(rng) if heavy else body.inertia, **losses)


def _numbered(name: str, rng: Generator) -> tuple[Description, dict[str, float]]:
    described = robot(name)
    values = {n: float(p.default or 0) * float(rng.uniform(0.85, 1.15)) for n, p in described.parameters.items()}
    made = with_numbers(described, values)
    g = rng.normal(size=3)
    gravity = tuple(float(x) for x in 9.81 * g / np.linalg.norm(g))
    cuts = tuple(
        replace(c, **{key: float(rng.uniform(0, 0.5)) for key in ("IA", "FV", "FS")}) if c.kind.free else c
        for c in made.cuts
    )
    bodies = tuple(_disturbed(b, rng) for b in made.bodies)
    return replace(made, bodies=bodies, cuts=cuts, base=replace(made.base, gravity=gravity)), values  # type: ignore[arg-type]


def parallel_case(name: str, seed: int) -> ParallelCase:
    """The first that is well away from singular states."""
    rng = np.random.default_rng(seed)
    by_motors, by_platform = partitions(name)
    while True:
        made, values = _numbered(name, rng)
        joints = [b.joint for b in made.bodies]
        attempt = close(tree(made, float).welded(), joints, near_zero(joints, rng, 0.3))
        if not attempt.closed:
            continue
        case = ClosedCase(made, attempt.q, by_motors, *rng.normal(size=(2, len(by_motors.independent))))
        J = np.array(case.closed.J, dtype=float)
        regular = [float(np.linalg.svd(J[:, p.dependent], compute_uv=False).min()) for p in (by_motors, by_platform)]
        if min(regular) > 0.02 and _rubs(case):
            return ParallelCase(case, by_platform, values)


def _rubs(case: ClosedCase) -> bool:
    """No joint with Coulomb friction rests: its sign would be that of a rounding error."""
    rubbing = (b for b in case.robot.bodies for _ in range(b.joint.nv))
    return all(abs(x) > 1e-6 for x, b in zip(case.truth.qd, rubbing, strict=True) if b.FS)


def from_platform(case: ParallelCase, values: Floats) -> list[float]:
    """The part of all velocities or accelerations that the platform's partition takes for independent."""
    return [float(values[k]) for k in case.partition.independent]
