"""The robots that are measured, as the protocol for counting wants them, and as numbers."""

from dataclasses import replace

import numpy as np

import armillary as arm
from armillary.models import Robot
from armillary.robot import Base, Description, Formula
from armillary.robot.part import Part
from armillary.robot.symbolic import symbolic


def in_symbols(name: str) -> Robot:
    """Geometry symbolic but for multiples of π/2, inertial parameters and rotor inertias symbolic, gravity G along z0."""
    return Robot.of(_gravity_symbol(symbolic(arm.load(name))))


def with_numbers(name: str) -> Robot:
    """As the library has it, gravity one symbol along z0."""
    return Robot.of(_gravity_symbol(arm.load(name)))


def _gravity_symbol(robot: Description) -> Description:
    return replace(robot, base=Base(placement=robot.base.placement, gravity=(0, 0, Formula("G"))))


def fresh(robot: Robot) -> Robot:
    """The same robot with nothing worked out yet."""
    return Robot.of(robot)


def values(robot: Description) -> dict[str, float]:
    """Numbers for the robot's symbols: defaults where it has them, no rotor inertias, links a body could have."""
    rng = np.random.default_rng(1)
    found: dict[str, float] = {}
    for name in robot.symbols:
        known = robot.parameters.get(name)
        if known is not None and known.default is not None:
            found[name] = known.default
        elif name.startswith("IA"):
            found[name] = 0.0
        elif name[:2] in ("XX", "YY", "ZZ"):
            found[name] = float(rng.uniform(2, 3))
        elif name.startswith("M") and name[1].isdigit():
            found[name] = float(rng.uniform(1, 3))
        else:
            found[name] = float(rng.uniform(-0.1, 0.1))
    return found


def planar(joints: int) -> Robot:
    """Hinges in a vertical plane, symbols for lengths, masses, centres of mass and moments of inertia."""
    links = [
        arm.revolute(
            f"link{k}",
            d=f"L{k - 1}" if k > 1 else 0,
            mass=f"m{k}",
            center=(f"c{k}", 0, 0),
            inertia=(0, 0, 0, 0, 0, f"I{k}"),
        )
        for k in range(1, joints + 1)
    ]
    return arm.describe(f"planar {joints}R", *links, gravity=(0, "-g", 0))


def chain(length: int) -> Robot:
    """Hinges in a row, no two alike: every distance and angle between axes different from zero, full inertia."""
    rng = np.random.default_rng(6)
    return arm.describe(f"chain of {length}", *(_link(f"link{k}", rng) for k in range(1, length + 1)))


def _link(name: str, rng: np.random.Generator) -> Part:
    def numbers(low: float, high: float, count: int) -> list[float]:
        return rng.uniform(low, high, count).tolist()

    alpha, d, r = numbers(0.1, 1, 3)
    main, beside = numbers(0.02, 0.03, 3), numbers(-0.002, 0.002, 3)
    inertia = (main[0], beside[0], beside[1], main[1], beside[2], main[2])
    return arm.revolute(name, alpha=alpha, d=d, r=r, mass=1.5, center=numbers(-0.1, 0.1, 3), inertia=inertia)
