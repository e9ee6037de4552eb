"""Random tree robots with numbers: every joint kind, branches, any frames, physical inertias, gravity in any direction."""

from dataclasses import replace

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from armillary.robot import JOINTS, Base, Body, Description, Inertial, Placement

Floats = NDArray[np.float64]
KINDS = ("revolute", "revolute", "revolute", "prismatic", "helical", "spherical", "fixed")


def random_tree(rng: Generator, n: int, kinds: tuple[str, ...] = KINDS, losses: bool = True) -> Description:
    """n bodies; each hangs on the one before it with probability 2/3, else on any earlier one or the base."""
    bodies: list[Body] = []
    for k in range(n):
        parents = ["base", *(b.name for b in bodies)]
        parent = parents[-1] if rng.random() < 2 / 3 else parents[rng.integers(len(parents))]
        joint = JOINTS[kinds[rng.integers(len(kinds))]]
        axes = "xyz"[: joint.nv] if joint.nv > 1 else ""
        coordinates = [f"q{k}{part}" for part in "wxyz"] if joint.nq == 4 else [f"q{k}"] * joint.nq
        velocities = [f"q{k}{part}" for part in axes] or [f"q{k}"] * joint.nv
        one = joint.nv == 1
        bodies.append(
            Body(
                f"link{k}",
                parent,
                joint,
                random_placement(rng),
                random_inertial(rng),
                IA=float(rng.uniform(0, 0.5)) if one and losses else 0,
                FV=float(rng.uniform(0, 0.5)) if one and losses else 0,
                FS=float(rng.uniform(0, 0.5)) if one and losses else 0,
                pitch=float(rng.uniform(0.05, 0.5)) if joint.kind == "helical" else 0,
                joint_name=f"joint{k}",
                coordinates=tuple(coordinates),
                velocities=tuple(velocities),
            )
        )
    g = rng.normal(size=3)
    gravity = tuple(float(x) for x in 9.81 * g / np.linalg.norm(g))
    return Description("random tree", tuple(bodies), base=Base(gravity=gravity))  # type: ignore[arg-type]


def random_placement(rng: Generator) -> Placement:
    """Each of the six numbers is absent, a right angle or a plain number."""

    def angle() -> object:
        return [0, "pi/2", "-pi/2", "pi", float(rng.uniform(-3, 3)), float(rng.uniform(-3, 3))][rng.integers(6)]

    def length() -> float:
        return [0.0, float(rng.uniform(-1, 1))][rng.integers(2)]

    return Placement.of(gamma=angle(), b=length(), alpha=angle(), d=length(), theta=angle(), r=length())


def tilted(body: Body, rng: Generator) -> Body:
    """The body with Hayati's angle in its placement, which files of nearly parallel axes bring."""
    return replace(body, placement=replace(body.placement, beta=float(rng.uniform(-3, 3))))


def random_inertial(rng: Generator) -> Inertial:
    """Ten numbers of a cloud of mass points, about the frame's origin; sometimes none at all."""
    if rng.random() < 0.05:
        return Inertial()
    points = rng.normal(scale=0.3, size=(6, 3)) + rng.normal(scale=0.2, size=3)
    masses = rng.uniform(0.1, 1, size=6)
    second = np.einsum("k,ki,kj->ij", masses, points, points)
    J = np.trace(second) * np.eye(3) - second
    MS = masses @ points
    return Inertial(*map(float, (J[0, 0], J[0, 1], J[0, 2], J[1, 1], J[1, 2], J[2, 2], *MS, masses.sum())))


def random_state(rng: Generator, robot: Description) -> tuple[Floats, Floats, Floats]:
    """(q, q', q''), quaternions of unit length."""
    q: list[float] = []
    for body in robot.bodies:
        part = rng.normal(size=4) if body.joint.nq == 4 else rng.uniform(-3, 3, size=body.joint.nq)
        q += list(part / np.linalg.norm(part) if body.joint.nq == 4 else part)
    return np.array(q), rng.normal(size=robot.nv), rng.normal(size=robot.nv)
