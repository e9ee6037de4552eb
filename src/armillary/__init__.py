"""Armillary: a compiler for robot mechanics.

    import armillary as arm

    robot = arm.load("rx90")
    model = robot.inverse_dynamics()
    print(model)
    tau = model.compile()(q, qd, qdd)

Names are imported when they are first used, so that importing the package costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from armillary.errors import ArmillaryError, RobotWarning
    from armillary.models import CATALOGUE, Model, Robot, describe, load
    from armillary.robot import symbols
    from armillary.robot.make import (
        ackermann,
        contact,
        couple,
        cut,
        cylindrical,
        fixed,
        frame,
        free,
        helical,
        planar,
        prismatic,
        revolute,
        side,
        spherical,
        universal,
        wheel,
    )

__all__ = [
    "CATALOGUE",
    "ArmillaryError",
    "Model",
    "Robot",
    "RobotWarning",
    "ackermann",
    "contact",
    "couple",
    "cut",
    "cylindrical",
    "describe",
    "fixed",
    "frame",
    "free",
    "helical",
    "load",
    "planar",
    "prismatic",
    "revolute",
    "side",
    "spherical",
    "symbols",
    "universal",
    "wheel",
]

_HOMES = {
    "armillary.errors": ("ArmillaryError", "RobotWarning"),
    "armillary.models": ("CATALOGUE", "Model", "Robot", "describe", "load"),
    "armillary.robot": ("symbols",),
    "armillary.robot.make": (
        "ackermann",
        "contact",
        "couple",
        "cut",
        "cylindrical",
        "fixed",
        "frame",
        "free",
        "helical",
        "planar",
        "prismatic",
        "revolute",
        "side",
        "spherical",
        "universal",
        "wheel",
    ),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'armillary' has no attribute {name!r}; it has {', '.join(__all__)}")
    value = globals()[name] = getattr(import_module(_HOME[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
