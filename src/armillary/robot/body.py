"""One link of a robot with the joint that carries it."""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields

from armillary.robot.fluid import Fluid
from armillary.robot.joints import JOINTS, Joint
from armillary.robot.placement import HERE, Placement
from armillary.robot.value import Formula, Value

INERTIAL = ("XX", "XY", "XZ", "YY", "YZ", "ZZ", "MX", "MY", "MZ", "M")
"""The ten inertial parameters, in this order everywhere."""

WRENCH = ("FX", "FY", "FZ", "CX", "CY", "CZ")
"""Force and couple that a link exerts on the environment."""


@dataclass(frozen=True, slots=True)
class Inertial:
    """Ten numbers about the origin of, and along the axes of, the link's own frame: kg m², kg m, kg."""

    XX: Value = 0
    XY: Value = 0
    XZ: Value = 0
    YY: Value = 0
    YZ: Value = 0
    ZZ: Value = 0
    MX: Value = 0
    MY: Value = 0
    MZ: Value = 0
    M: Value = 0

    def __iter__(self) -> Iterator[Value]:
        for f in fields(self):
            yield getattr(self, f.name)


MASSLESS = Inertial()


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one joint coordinate (rad or m), its velocity and its torque; None where there is none."""

    lower: float | None = None
    upper: float | None = None
    velocity: float | None = None
    effort: float | None = None


@dataclass(frozen=True, slots=True)
class Body:
    """A link, the joint that carries it, and where the joint's frame stands in the antecedent's frame when q is 0.

    `parent` is a body's name, or "base". IA is the rotor inertia seen at the joint (kg m²; kg for a slide), FV the viscous and
    FS the Coulomb friction; a spring of that `stiffness` (N m/rad; N/m) takes stiffness · (q - reference). `wrench` is what the
    link exerts on the environment (N, N m; its frame, about its origin); `fluid` is what surrounds it, None where it is in nothing.
    """

    name: str
    parent: str = "base"
    joint: Joint = field(default_factory=lambda: JOINTS["revolute"])
    placement: Placement = HERE
    inertia: Inertial = MASSLESS
    IA: Value = 0
    FV: Value = 0
    FS: Value = 0
    stiffness: Value = 0
    reference: Value = 0
    pitch: Value = 0
    wrench: tuple[Value, ...] = (0, 0, 0, 0, 0, 0)
    fluid: Fluid | None = None
    joint_name: str = ""
    coordinates: tuple[str, ...] = ()
    velocities: tuple[str, ...] = ()
    actuated: bool = True
    limits: tuple[Limits, ...] = ()

    def values(self) -> Iterator[tuple[str, Value]]:
        """(name, value) of every parameter of the body."""
        yield from self.placement.items()
        yield from zip(INERTIAL, self.inertia, strict=True)
        yield from (("IA", self.IA), ("FV", self.FV), ("FS", self.FS))
        yield from (("stiffness", self.stiffness), ("reference", self.reference), ("pitch", self.pitch))
        yield from zip(WRENCH, self.wrench, strict=True)
        if self.fluid is not None:
            yield from self.fluid.values()

    @property
    def symbolic(self) -> bool:
        """Whether any parameter is a formula."""
        return any(isinstance(x, Formula) for _, x in self.values())


@dataclass(frozen=True, slots=True)
class Frame:
    """A named frame that stands still in a body (or in "base"): a tool, a sensor, a link of the file that was merged."""

    name: str
    body: str
    placement: Placement = HERE
