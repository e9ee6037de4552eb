"""The native file: TOML that a person writes by hand and keeps in git.

    name = "Elbow arm"
    gravity = [0, -9.81, 0]

    [parameters]
    L1 = 0.3
    L2 = { default = 0.25, unit = "m", doc = "from the elbow to the tool" }

    [[body]]
    name = "upper arm"
    inertials = "symbolic"      # XX1 … M1 and IA1

    [[body]]
    name = "forearm"
    d = "L1"
    mass = 0.4
    center = [0.125, 0, 0]
    inertia = [0, 0, 0, 0.0021, 0, 0.0021]

    [[frame]]
    name = "tool"
    d = "L2"

The keys of a body and of a frame are the words of `armillary.robot.make`: what can be said there can be said here. A body
without a type is revolute; one without a parent hangs on the body before it. What is left out is 0.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from math import inf
from pathlib import Path
from typing import Any, cast

from armillary.errors import FormatError, near_match
from armillary.formats.source import read_text
from armillary.formats.toml_text import Lines, inline, key, paragraph, parse, quoted, written
from armillary.robot import BASE, INERTIAL, Base, Body, Description, Frame, Parameter, Placement, Value
from armillary.robot.check import PARAMETERS
from armillary.robot.composed import composition, together
from armillary.robot.fluid import Fluid
from armillary.robot.joints import COMPOSED
from armillary.robot.make import describe
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
    default_coupling,
    default_joint,
    default_velocities,
    symbolic_fluid,
    symbolic_friction,
    symbolic_inertials,
)

TIES = ("cut", "coupling", "contact", "wheel", "ackermann")
"""Tables of what ties joints together."""
TOP = ("name", "source", "doc", "gravity", "inertials", "friction", "parameters", "base", "body", "frame", *TIES)
MOTION = ("velocity", "acceleration", "current")
TABLES = {
    "base": (*Place.__annotations__, *MOTION),
    "body": ("name", "type", "parent", *Link.__annotations__),
    "frame": ("name", "on", *Place.__annotations__),
    "cut": ("name", *Closing.__annotations__),
    "wheel": ("name", *Running.__annotations__),
    "ackermann": ("name", *Meeting.__annotations__),
    "coupling": ("name", *Together.__annotations__),
    "contact": ("name", *Touching.__annotations__),
    "parameter": ("default", "unit", "doc"),
}
"""The keys that each table may have."""


def read(source: str | Path) -> Description:
    """The robot of a file, or of a text of several lines."""
    given, file = read_text(source)
    return _Reader(given, file).robot()


def write(description: Description) -> str:
    """The text of a description; reading it gives the same description again."""
    return "\n".join(_written(description)) + "\n"


# ---- reading ----


class _Reader:
    """One text; every error says the file and the line."""

    def __init__(self, given: str, file: str) -> None:
        self.file = file
        self.lines = Lines(given)
        self.top = parse(given, file)
        self.places: dict[str, tuple[str, int]] = {BASE: ("base", 0), PARAMETERS: ("parameters", 0)}

    def robot(self) -> Description:
        top = self.top
        self._known(top, TOP, "a robot's file", "")
        base = self._table("base")
        self._known(base, TABLES["base"], "[base]", "base")
        if "body" not in top and "frame" not in top:
            raise FormatError(f"{self.file}: no [[body]]; a robot without one says body = []")
        return describe(
            self._text(top, "name", "", default=None),
            *self._parts(),
            gravity=top.get("gravity", (0, 0, -9.81)),
            base=cast(Place, {k: x for k, x in base.items() if k not in MOTION}),
            velocity=base.get("velocity", (0,) * 6),
            acceleration=base.get("acceleration", (0,) * 6),
            current=base.get("current", (0,) * 3),
            parameters={name: self._parameter(name, x) for name, x in self._table("parameters").items()},
            source=self._text(top, "source", "", default=""),
            doc=self._text(top, "doc", "", default=""),
            where=self._where,
        )

    def _parts(self) -> Iterator[Part]:
        """Bodies in their order, then frames, which hang on the last body unless told otherwise."""
        shared = {k: self.top[k] for k in ("inertials", "friction") if k in self.top}
        for number, said in enumerate(self._tables("body")):
            name = self._part(said, "body", number)
            kind = self._text(said, "type", "body", number, "revolute")
            parent = self._text(said, "parent", "body", number, "") if "parent" in said else None
            link = {k: x for k, x in said.items() if k not in ("name", "type", "parent")}
            if kind in COMPOSED:
                self.places[COMPOSED[kind].link_between(name)] = ("body", number)
            elif "joint" in link:
                self._text(link, "joint", "body", number, "")
            if not any(k in link for k in (*INERTIAL, "mass", "center", "inertia", "inertials")):
                link |= {k: x for k, x in shared.items() if k == "inertials"}
            if not any(k in link for k in ("FV", "FS", "friction")):
                link |= {k: x for k, x in shared.items() if k == "friction"}
            yield Part(kind, name, parent, link)
        for number, said in enumerate(self._tables("frame")):
            name = self._part(said, "frame", number)
            on = self._text(said, "on", "frame", number, "") if "on" in said else None
            yield Part("frame", name, on, {k: x for k, x in said.items() if k not in ("name", "on")})
        for table in TIES:
            for number, said in enumerate(self._tables(table)):
                usual = default_coupling(said) if table == "coupling" else None
                name = self._part(said, table, number, usual)
                yield Part(table, name, None, {k: x for k, x in said.items() if k != "name"})

    def _part(self, said: Mapping[str, Any], table: str, number: int, usual: str | None = None) -> str:
        """The name of a part, whose place is noted for later messages; two of a name are told apart by `describe`."""
        name = self._text(said, "name", table, number, usual)
        self.places[name] = (table, number)
        self._known(said, TABLES[table], f"{table} {name!r}", table, number)
        return name

    def _parameter(self, name: str, given: Any) -> Parameter:
        """A number, or a table of default, unit and doc."""
        if not isinstance(given, dict):
            return Parameter(name, self._default(name, given))
        said = cast(dict[str, Any], given)
        self._known(said, TABLES["parameter"], f"parameter {name!r}", "parameters")
        default = self._default(name, said["default"]) if "default" in said else None
        return Parameter(
            name,
            default,
            self._text(said, "unit", "parameters", 0, ""),
            self._text(said, "doc", "parameters", 0, ""),
        )

    def _default(self, name: str, given: Any) -> float:
        if isinstance(given, bool) or not isinstance(given, int | float):
            raise self._error("parameters", 0, name, f"{name} = {_shown(given)}: a default is a number")
        return float(given)

    # ---- tables, texts, places ----

    def _table(self, name: str) -> dict[str, Any]:
        given = self.top.get(name, {})
        if not isinstance(given, dict):
            raise self._error("", 0, name, f"{name} = {_shown(given)}: it must be a table, [{name}]")
        return cast(dict[str, Any], given)

    def _tables(self, name: str) -> list[dict[str, Any]]:
        given: Any = self.top.get(name, [])
        if not isinstance(given, list) or not all(isinstance(x, dict) for x in cast(list[Any], given)):
            given = cast(object, given)
            raise self._error("", 0, name, f"{name} = {_shown(given)}: it must be tables, [[{name}]]")
        return cast(list[dict[str, Any]], given)

    def _text(self, said: Mapping[str, Any], name: str, table: str, number: int = 0, default: str | None = None) -> str:
        """A text; an error where there is none and no default."""
        given = said.get(name, default)
        if isinstance(given, str):
            return given
        if given is None:
            what = f"[[{table}]] number {number + 1}" if table else "the robot"
            raise self._error(table, number, name, f"{what} has no {name}")
        raise self._error(table, number, name, f"{name} = {_shown(given)}: it must be a text")

    def _known(self, said: Iterable[str], allowed: Iterable[str], what: str, table: str, number: int = 0) -> None:
        for name in said:
            if name not in allowed:
                near = near_match(name, allowed)
                raise self._error(
                    table,
                    number,
                    name,
                    f"{what} has the unknown key {name[:100]!r}{near}; it may have {', '.join(allowed)}",
                )

    def _where(self, part: str, name: str) -> str:
        table, number = self.places.get(part, ("", 0)) if name != "gravity" else ("", 0)
        return f"{self.file}, line {self.lines.of(table, number, name)}: "

    def _error(self, table: str, number: int, name: str, message: str) -> FormatError:
        return FormatError(f"{self.file}, line {self.lines.of(table, number, name)}: {message}")


def _shown(given: object) -> str:
    return repr(given)[:100]


# ---- writing ----


def _written(d: Description) -> Iterator[str]:
    """The lines of a file."""
    yield f"name = {quoted(d.name)}"
    for name, said in (("source", d.source), ("doc", d.doc)):
        if said:
            yield f"{name} = {paragraph(said)}"
    if not d.bodies and not d.frames:
        yield "body = []"
    if d.base.gravity != Base().gravity:
        yield f"gravity = {written(d.base.gravity)}"
    if d.parameters:
        yield from ("", "[parameters]")
        yield from (f"{key(p.name)} = {_parameter(p)}" for p in d.parameters.values())
    base = [*_placement(d.base.placement), *((k, getattr(d.base, k)) for k in MOTION if any(getattr(d.base, k)))]
    if base:
        yield from ("", "[base]")
        yield from (f"{name} = {written(x)}" for name, x in base)
    for said in _bodies(d):
        yield from ("", "[[body]]")
        yield from (f"{name} = {written(x)}" for name, x in said)
    before = d.bodies[-1].name if d.bodies else BASE
    for frame in d.frames:
        yield from ("", "[[frame]]", f"name = {quoted(frame.name)}")
        if frame.body != before:
            yield f"on = {quoted(frame.body)}"
        yield from (f"{name} = {written(x)}" for name, x in _placement(frame.placement))
    for cut in d.cuts:
        yield from ("", "[[cut]]", f"name = {quoted(cut.name)}")
        if cut.kind.kind != "revolute":
            yield f"type = {quoted(cut.kind.kind)}"
        yield from (_side(frame) for frame in (cut.a, cut.b))
        yield from (f"{key} = {written(x)}" for key, x in cut.losses if x != 0)
    for coupling in d.couplings:
        yield from ("", "[[coupling]]")
        joints = {"joint": coupling.joint, "leader": coupling.leader}
        if coupling.name != default_coupling(joints):
            yield f"name = {quoted(coupling.name)}"
        yield from (f"{key} = {quoted(name)}" for key, name in joints.items())
        yield from (
            f"{key} = {written(x)}"
            for (key, x), usual in zip(coupling.values(), (1, 0, 0, 0), strict=True)
            if x != usual
        )
    for contact in d.contacts:
        yield from ("", "[[contact]]", f"name = {quoted(contact.name)}", _side(contact.point), _side(contact.on))
        yield f"surface = {written(_one([surface.text for surface in contact.surfaces]))}"
    for wheel in d.wheels:
        yield from ("", "[[wheel]]", f"name = {quoted(wheel.name)}", f"body = {quoted(wheel.body)}")
        yield from (f"{key} = {written(x)}" for key, x in wheel.values())
    for gear in d.ackermanns:
        yield from ("", "[[ackermann]]", f"name = {quoted(gear.name)}", f"wheels = {written(gear.wheels)}")


def _side(frame: Frame) -> str:
    return f"{frame.name} = {inline((('body', frame.body), *_placement(frame.placement)))}"


def _parameter(p: Parameter) -> str:
    if p.default is not None and not p.unit and not p.doc:
        return repr(p.default)
    pairs = (("default", p.default), ("unit", p.unit), ("doc", p.doc))
    return inline((name, x) for name, x in pairs if x is not None and x != "")


def _placement(placement: Placement) -> Iterator[tuple[str, Any]]:
    return ((name, x) for name, x in placement.items() if x != 0)


def _bodies(d: Description) -> Iterator[Iterable[tuple[str, Any]]]:
    """What each table of a body says; the two of a composed joint are one."""
    before, moving = BASE, 0
    followers = {coupling.joint for coupling in d.couplings}
    tables: list[dict[str, Any]] = []
    for number, body in enumerate(d.bodies, 1):
        moving += body.joint.nv > 0
        tables.append(dict(_body(body, before, number, moving)))
        if body.actuated != (default_actuated(body.joint) and body.joint_name not in followers):
            tables[-1]["actuated"] = body.actuated
        before = body.name
    k = 0
    while k < len(tables):
        made = composition(*d.bodies[k : k + 2]) if k + 1 < len(tables) else None
        yield (together(made, d.bodies[k : k + 2], tables[k : k + 2]) if made else tables[k]).items()
        k += 2 if made else 1


def _body(body: Body, before: str, number: int, moving: int) -> Iterator[tuple[str, Any]]:
    """(key, value) of what is not as it is when left out."""
    joint = body.joint
    yield "name", body.name
    if joint.kind != "revolute":
        yield "type", joint.kind
    if body.parent != before:
        yield "parent", body.parent
    yield from _placement(body.placement)
    said: dict[str, Value] = {name: x for name, x in body.values() if name not in Place.__annotations__ and x != 0}
    for shorthand, symbols in (("inertials", symbolic_inertials), ("friction", symbolic_friction)):
        meant = symbols(joint, number)
        if meant and all(said.get(name) == x for name, x in meant.items()):
            yield shorthand, "symbolic"
            for name in meant:
                del said[name]
    if joint.kind == "helical":
        said["pitch"] = body.pitch
    yield from ((name, x) for name, x in said.items() if name in Link.__annotations__)
    if any(x != 0 for x in body.wrench):
        yield "wrench", body.wrench
    if body.fluid is not None:
        yield "fluid", _fluid(body.fluid, number)
    if body.joint_name != default_joint(joint, body.name):
        yield "joint", body.joint_name
    coordinates, velocities = default_coordinates(joint, moving), default_velocities(joint, moving)
    if body.coordinates != coordinates:
        yield "coordinates", _one(body.coordinates)
        velocities = body.coordinates if joint.nq == 1 else velocities
    if body.velocities != velocities:
        yield "velocities", _one(body.velocities)
    yield from _limits(body)


def _fluid(fluid: Fluid, number: int) -> Any:
    """ "symbolic", or what is not 0."""
    if fluid == symbolic_fluid(number):
        return "symbolic"
    said = {f.name: getattr(fluid, f.name) for f in fields(fluid)}
    return {name: x for name, x in said.items() if any(y != 0 for y in x)}


def _limits(body: Body) -> Iterator[tuple[str, Any]]:
    """Bounds, infinite where one of several velocities has none."""
    for name, none in (("lower", -inf), ("upper", inf), ("velocity", inf), ("effort", inf)):
        bounds: list[float | None] = [getattr(x, name) for x in body.limits]
        if any(x is not None for x in bounds):
            yield name, _one([none if x is None else x for x in bounds])


def _one(listed: Sequence[Any]) -> Any:
    """The only element of a list of one."""
    return listed[0] if len(listed) == 1 else listed
