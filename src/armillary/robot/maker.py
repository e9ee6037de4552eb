"""From what was said of the parts of a robot to what they are."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, cast

from armillary.errors import ExpressionError, RobotError, near_match
from armillary.expr.graph import Graph, symbols_in
from armillary.expr.numbers import near_right_angle
from armillary.expr.parse import parse
from armillary.robot.body import INERTIAL, Body, Frame, Inertial, Limits
from armillary.robot.check import Where
from armillary.robot.contact import POSITION, Contact, Surface
from armillary.robot.coupling import Coupling
from armillary.robot.cut import CUTS, LOSSES, Cut
from armillary.robot.fluid import Fluid
from armillary.robot.joints import COMPOSED, JOINTS, Joint
from armillary.robot.part import (
    Closing,
    Link,
    Meeting,
    Part,
    Place,
    Running,
    Together,
    Touching,
    default_actuated,
    default_coordinates,
    default_joint,
    default_velocities,
    symbolic_fluid,
    symbolic_friction,
    symbolic_inertials,
)
from armillary.robot.placement import Placement
from armillary.robot.value import Formula, Value, text, value
from armillary.robot.wheel import Ackermann, Wheel
from armillary.spatial.inertia import Inertia
from armillary.spatial.matrix import Symmetric
from armillary.spatial.rotation import Rotation
from armillary.spatial.transform import Transform
from armillary.spatial.vector import ZERO, Vector


@dataclass(frozen=True, slots=True)
class Maker:
    """Turns what was said into values; `at` begins the message about what cannot be one."""

    at: Where

    def frame(self, part: Part) -> Placement:
        """Where a further frame stands."""
        self._known(part, Place.__annotations__)
        return self.placement(part.name, part.given)

    def cut(self, part: Part) -> Cut:
        """A joint that closes a loop."""
        self._known(part, Closing.__annotations__)
        name, kind = part.name, part.given.get("type", "revolute")
        if kind not in CUTS:
            raise RobotError(
                f"{self.at(name, 'type')}{name} is a cut joint of the kind {str(kind)[:100]!r}; there are {', '.join(CUTS)}"
            )
        losses = (self.value(name, key, part.given.get(key, 0)) for key in LOSSES)
        return Cut(name, CUTS[kind], self._side(part, "a"), self._side(part, "b"), *losses)

    def coupling(self, part: Part) -> Coupling:
        """A joint that moves as another does."""
        self._known(part, Together.__annotations__)
        name, given = part.name, part.given
        for key in ("joint", "leader"):
            if not isinstance(given.get(key), str):
                raise RobotError(
                    f"{self.at(name, key)}the coupling {name} does not say its {key}; it ties the coordinate of `joint` to that of "
                    "`leader`, both named as joints"
                )
        numbers = (("ratio", 1), ("offset", 0), ("stiffness", 0), ("damping", 0))
        values = (self.value(name, key, given.get(key, usual)) for key, usual in numbers)
        return Coupling(name, given["joint"], given["leader"], *values)

    def contact(self, part: Part) -> Contact:
        """A point on a surface or on a line."""
        self._known(part, Touching.__annotations__)
        name, said = part.name, part.given.get("surface")
        shown = str(said)[:100]
        texts: list[Any] = [said] if isinstance(said, str) else []
        if isinstance(said, list | tuple):
            texts = [*cast(Sequence[Any], said)]
        if not 1 <= len(texts) <= 2 or not all(isinstance(x, str) for x in texts):
            raise RobotError(
                f"{self.at(name, 'surface')}{name} has surface = {shown!r}: it is a formula in x, y, z that vanishes on "
                "the surface, or two of them for a line"
            )
        for formula in texts:
            try:
                places = [x for x in POSITION if x in symbols_in([parse(formula)])]
            except ExpressionError as error:
                raise RobotError(f"{self.at(name, 'surface')}{name} has surface = {formula[:100]!r}: {error}") from None
            if not places:
                raise RobotError(
                    f"{self.at(name, 'surface')}{name} has surface = {formula[:100]!r}, with neither x nor y nor z in it: a plane is "
                    '"z" or "x*cos(a) + z*sin(a) - h", a ball "x**2 + y**2 + z**2 - R**2"'
                )
        return Contact(name, self._side(part, "point"), self._side(part, "on"), tuple(Surface(x) for x in texts))

    def _side(self, part: Part, side: str) -> Frame:
        said = part.given.get(side)
        if not isinstance(said, Mapping) or not isinstance(said.get("body"), str):  # pyright: ignore[reportUnknownMemberType]
            raise RobotError(
                f"{self.at(part.name, side)}{part.name} does not say what its side {side} stands on; "
                f'{side} is a table of body and placement, such as {{ body = "link3", d = 0.2 }}'
            )
        given = cast(Mapping[str, Any], said)
        place = {key: x for key, x in given.items() if key != "body"}
        return Frame(side, given["body"], self.frame(Part("frame", part.name, None, place)))

    def wheel(self, part: Part, before: str) -> Wheel:
        """A body that rolls; the one `before` unless it says which."""
        self._known(part, Running.__annotations__)
        name, given = part.name, part.given
        body = given.get("body", before)
        if not isinstance(body, str):
            raise RobotError(
                f"{self.at(name, 'body')}the wheel {name} has body = {str(body)[:100]!r}: it must be a text"
            )
        if "radius" not in given:
            raise RobotError(
                f"{self.at(name, 'name')}the wheel {name} has no radius (m); give the height of its centre"
            )
        roller = self.value(name, "roller", given["roller"]) if "roller" in given else None
        return Wheel(name, body, self.value(name, "radius", given["radius"]), _squared(roller))

    def ackermann(self, part: Part) -> Ackermann:
        """Steering gear."""
        self._known(part, Meeting.__annotations__)
        names = self.names(part.name, "wheels", part.given.get("wheels", ()))
        if len(set(names)) != 3 or len(names) != 3:
            raise RobotError(
                f"{self.at(part.name, 'wheels')}the steering gear {part.name} has wheels = {list(names)}; it makes the axles of three "
                "wheels meet, such as the two steered ones and one that is fixed"
            )
        return Ackermann(part.name, (names[0], names[1], names[2]))

    def joint(self, part: Part) -> Joint:
        """The joint that carries a body."""
        if part.kind not in JOINTS:
            known = (*JOINTS, *COMPOSED)
            raise RobotError(
                f"{self.at(part.name, 'type')}{part.name} has a joint of the kind {part.kind!r}; "
                f"there are {', '.join(known)}{near_match(part.kind, known)}"
            )
        return JOINTS[part.kind]

    def body(self, part: Part, joint: Joint, parent: str, number: int, moving: int) -> Body:
        """The body, with default names for its joint, its coordinates and its velocities."""
        self._known(part, Link.__annotations__)
        name, given = part.name, part.given
        if joint.kind == "helical" and "pitch" not in given:
            raise RobotError(f"{self.at(name, 'type')}{name} is helical and has no pitch (m/rad)")
        said = {**self._shorthand(part, joint, number), **given}
        coordinates, velocities = default_coordinates(joint, moving), default_velocities(joint, moving)
        if "coordinates" in given:
            coordinates = self.names(name, "coordinates", given["coordinates"])
            velocities = coordinates if joint.nq == 1 else velocities
        if "velocities" in given:
            velocities = self.names(name, "velocities", given["velocities"])
        return Body(
            name=name,
            parent=parent,
            joint=joint,
            placement=self.placement(name, given),
            inertia=self._inertia(name, said),
            IA=self.value(name, "IA", said.get("IA", 0)),
            FV=self.value(name, "FV", said.get("FV", 0)),
            FS=self.value(name, "FS", said.get("FS", 0)),
            stiffness=self.value(name, "stiffness", said.get("stiffness", 0)),
            reference=self.value(name, "reference", said.get("reference", 0)),
            pitch=self.value(name, "pitch", said.get("pitch", 0)),
            wrench=self.values(name, "wrench", said.get("wrench", (0,) * 6), 6),
            fluid=self._fluid(name, said["fluid"], number) if "fluid" in said else None,
            joint_name=given.get("joint", default_joint(joint, name)),
            coordinates=coordinates,
            velocities=velocities,
            actuated=self._truth(name, "actuated", given.get("actuated", default_actuated(joint))),
            limits=self._limits(name, joint, given),
        )

    def placement(self, part: str, given: Mapping[str, Any]) -> Placement:
        said = {key: self.value(part, key, given[key]) for key in Place.__annotations__ if key in given}
        return Placement(**said).squared()

    def _known(self, part: Part, keys: Iterable[str]) -> None:
        for key in part.given:
            if key not in keys:
                raise RobotError(
                    f"{self.at(part.name, key)}{part.name} has the unknown key {str(key)[:100]!r}"
                    f"{near_match(key, keys)}; a {part.kind} part may have {', '.join(keys)}"
                )

    # ---- values ----

    def value(self, part: str, key: str, given: Any) -> Value:
        try:
            return value(given)
        except ExpressionError as error:
            raise RobotError(f"{self.at(part, key)}{part} has {key} = {str(given)[:100]!r}: {error}") from None

    def values(self, part: str, key: str, given: Any, n: int) -> tuple[Value, ...]:
        listed = self._listed(part, key, given)
        if len(listed) != n:
            raise RobotError(f"{self.at(part, key)}{part} has {key} = {str(given)[:100]}: it must be {n} values")
        return tuple(self.value(part, key, x) for x in listed)

    def three(self, part: str, key: str, given: Any) -> tuple[Value, Value, Value]:
        x, y, z = self.values(part, key, given, 3)
        return x, y, z

    def names(self, part: str, key: str, given: Any) -> tuple[str, ...]:
        listed = [given] if isinstance(given, str) else self._listed(part, key, given)
        if not all(isinstance(x, str) for x in listed):
            raise RobotError(f"{self.at(part, key)}{part} has {key} = {str(given)[:100]}: they must be texts")
        return tuple(listed)

    def _listed(self, part: str, key: str, given: Any) -> list[Any]:
        if isinstance(given, str | dict) or not isinstance(given, Iterable):
            raise RobotError(
                f"{self.at(part, key)}{part} has {key} = {str(cast(object, given))[:100]!r}: it must be a list"
            )
        return list(cast(Iterable[Any], given))

    def _truth(self, part: str, key: str, given: Any) -> bool:
        if not isinstance(given, bool):
            raise RobotError(f"{self.at(part, key)}{part} has {key} = {str(given)[:100]!r}: it must be true or false")
        return given

    def _fluid(self, part: str, given: Any, number: int) -> Fluid:
        """The coefficients that are given, 0 for the others; symbols for all fifteen."""
        if given == "symbolic":
            return symbolic_fluid(number)
        keys = [f.name for f in fields(Fluid)]
        if not isinstance(given, Mapping) or not all(key in keys for key in cast(Mapping[str, Any], given)):
            raise RobotError(
                f'{self.at(part, "fluid")}{part} has fluid = {str(cast(object, given))[:100]!r}; it is "symbolic", or a table of '
                f"{', '.join(keys)}, three values each"
            )
        said = cast(Mapping[str, Any], given)
        return Fluid(**{key: self.three(part, "fluid", x) for key, x in said.items()})

    # ---- inertia ----

    def _shorthand(self, part: Part, joint: Joint, number: int) -> dict[str, Value]:
        """The symbols that `inertials = "symbolic"` and `friction = "symbolic"` stand for."""
        found: dict[str, Value] = {}
        makers: dict[str, Callable[[Joint, int], dict[str, Value]]] = {
            "inertials": symbolic_inertials,
            "friction": symbolic_friction,
        }
        for key, symbols in makers.items():
            if key in part.given:
                if part.given[key] != "symbolic":
                    raise RobotError(
                        f"{self.at(part.name, key)}{part.name} has {key} = {str(part.given[key])[:100]!r}; "
                        'it can only be "symbolic"'
                    )
                found |= symbols(joint, number)
        if "inertials" in part.given and ("mass" in part.given or "center" in part.given or "inertia" in part.given):
            raise RobotError(
                f"{self.at(part.name, 'inertials')}{part.name} has symbolic inertials and a mass of its own; give one of them"
            )
        return found

    def _inertia(self, part: str, said: Mapping[str, Any]) -> Inertial:
        """XX … M as given, or from the mass, its centre and the inertia about it."""
        about_origin = [key for key in INERTIAL if key in said]
        about_center = [key for key in ("mass", "center", "inertia") if key in said]
        if not about_center:
            return Inertial(**{key: self.value(part, key, said[key]) for key in about_origin})
        if about_origin:
            raise RobotError(
                f"{self.at(part, about_center[0])}{part} has {', '.join(about_origin)} and {', '.join(about_center)}; "
                "give XX … M about the origin of its frame, or mass, center and inertia about the centre of mass"
            )
        if "mass" not in said:
            raise RobotError(f"{self.at(part, about_center[0])}{part} has {' and '.join(about_center)} but no mass")
        M = self.value(part, "mass", said["mass"])
        c = self.values(part, "center", said.get("center", (0, 0, 0)), 3)
        J = self.values(part, "inertia", said.get("inertia", (0,) * 6), 6)
        return _about_origin(M, c, J)

    # ---- bounds ----

    def _limits(self, part: str, joint: Joint, given: Mapping[str, Any]) -> tuple[Limits, ...]:
        said = [key for key in ("lower", "upper", "velocity", "effort") if key in given]
        if not said:
            return ()
        bounds = {key: self._bounds(part, key, joint, given[key]) for key in said}
        return tuple(Limits(**{key: bounds[key][k] for key in said}) for k in range(joint.nv))

    def _bounds(self, part: str, key: str, joint: Joint, given: Any) -> list[float]:
        """A number for each velocity of the joint; constant formulas (pi/2) are numbers."""
        listed: list[Any] = [given] if joint.nv == 1 else self._listed(part, key, given)
        if len(listed) != joint.nv:
            raise RobotError(
                f"{self.at(part, key)}{part} has {key} = {str(given)[:100]}; a {joint.kind} joint has {joint.nv} of them"
            )
        return [self._bound(part, key, x) for x in listed]

    def _bound(self, part: str, key: str, given: Any) -> float:
        if isinstance(given, float):
            return given
        x = self.value(part, key, given)
        if isinstance(x, Formula):
            raise RobotError(f"{self.at(part, key)}{part} has {key} = {text(x)!r}; a bound is a number")
        return float(x)


def _squared(angle: Value | None) -> Value | None:
    """The angle, a right angle that was given as a decimal made exact."""
    return near_right_angle(angle) if isinstance(angle, float) else angle


def _about_origin(M: Value, center: Sequence[Value], J: Sequence[Value]) -> Inertial:
    """Steiner: J + M (cᵀc 1 - c cᵀ) and M c."""
    graph = Graph()

    def scalar(x: Value) -> Any:
        return parse(x.text, graph) if isinstance(x, Formula) else graph.const(x)

    x, y, z = (scalar(c) for c in center)
    about_center = Inertia(Symmetric(*(scalar(i) for i in J)), ZERO, scalar(M))
    shifted = about_center.seen_from(Transform(Rotation(), Vector(x, y, z)))
    return Inertial(*(value(x) for x in shifted))
