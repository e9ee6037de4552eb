"""What <compiler> and <option> say of the whole file: units, how angles are written, where inertia is from, gravity."""

import math
from dataclasses import dataclass

from armillary.formats.attributes import choice, number, vector
from armillary.formats.mjcf import known
from armillary.formats.xml import Element

TRUTH = ("false", "true")
AUTO = ("false", "true", "auto")

FLAGS = ("constraint", "equality", "frictionloss", "passive", "spring", "damper", "actuation")
"""What <flag> may disable that would change the mechanics."""


@dataclass(slots=True)
class Settings:
    """The settings of a file; `snap` and `massless_meshes` are the reader's."""

    snap: float
    massless_meshes: bool = False
    degrees: bool = True
    euler: str = "xyz"
    autolimits: bool = True
    from_geoms: str = "auto"
    groups: tuple[float, float] = (0, 5)
    least_mass: float = 0.0
    least_inertia: float = 0.0
    balanced: bool = False
    total_mass: float = 0.0
    gravity: tuple[float, ...] = (0, 0, -9.81)
    weightless: bool = False

    def compiler(self, element: Element) -> None:
        """One <compiler>."""
        known.check(element)
        given = element.attributes
        self.degrees = (
            choice(element, "angle", ("degree", "radian"), "degree" if self.degrees else "radian") == "degree"
        )
        self.euler = given.get("eulerseq", self.euler)
        if len(self.euler) != 3 or not set(self.euler) <= set("xyzXYZ"):
            raise element.error(f"<compiler eulerseq> is {self.euler[:80]!r}; it is three letters of x, y, z, X, Y, Z")
        if "autolimits" in given:
            self.autolimits = truth(element, "autolimits")
        self.from_geoms = choice(element, "inertiafromgeom", AUTO, self.from_geoms)
        low, high = vector(element, "inertiagrouprange", 2, self.groups)
        self.groups = (float(low), float(high))
        self.least_mass = number(element, "boundmass", self.least_mass)
        self.least_inertia = number(element, "boundinertia", self.least_inertia)
        if "balanceinertia" in given:
            self.balanced = truth(element, "balanceinertia")
        if choice(element, "coordinate", ("local", "global"), "local") == "global":
            raise element.error(
                "global coordinates are not read, nor by MuJoCo since 2.3.4; save the model in local ones"
            )
        if truth(element, "alignfree"):
            raise element.error("alignfree moves the frames of bodies that float to their centres of mass; write false")
        self.total_mass = max(number(element, "settotalmass", self.total_mass), 0.0)

    def option(self, element: Element) -> None:
        """One <option>."""
        known.check(element)
        self.gravity = tuple(float(x) for x in vector(element, "gravity", 3, self.gravity))
        for name in ("density", "viscosity"):
            if number(element, name, 0.0) != 0:
                raise element.error(
                    f"<option {name}> is the air's or the water's around the robot, whose forces are no part of what is "
                    "read; leave it out, and see fluid_wrenches"
                )
        for flag in element.children:
            if flag.tag != "flag":
                raise known.refused(flag, ("flag",))
            for name in FLAGS:
                if choice(flag, name, ("enable", "disable"), "enable") == "disable":
                    raise flag.error(
                        f"<flag {name}> disables what the file says of the mechanics; take that out instead"
                    )
            self.weightless = choice(flag, "gravity", ("enable", "disable"), "enable") == "disable"

    def angle(self, x: float) -> float:
        """An angle of the file in rad."""
        return math.radians(x) if self.degrees else x


def truth(element: Element, name: str) -> bool:
    """Whether an attribute says true; false where it is left out."""
    return choice(element, name, TRUTH, "false") == "true"
