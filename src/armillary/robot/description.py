"""`Description`: what a robot is, immutable. How anything is computed from it is said elsewhere."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from heapq import heappop, heappush
from typing import Self

from armillary.errors import ModelError, RobotError, near_match
from armillary.robot.body import Body, Frame
from armillary.robot.contact import Contact
from armillary.robot.coupling import Coupling
from armillary.robot.cut import Cut
from armillary.robot.placement import HERE, Placement
from armillary.robot.value import Formula, Value
from armillary.robot.wheel import Ackermann, Wheel

BASE = "base"
WORLD = "world"


@dataclass(frozen=True, slots=True)
class Base:
    """The base: where it stands in the world, gravity and its given motion, all in base components.

    `velocity` and `acceleration` are (linear, angular) of the base's origin: V0, W0 and VP0, WP0; the acceleration is the true one,
    gravity not in it. `current` is the velocity of the fluid around the robot, the same everywhere and always.
    """

    placement: Placement = HERE
    gravity: tuple[Value, Value, Value] = (0, 0, -9.81)
    velocity: tuple[Value, ...] = (0, 0, 0, 0, 0, 0)
    acceleration: tuple[Value, ...] = (0, 0, 0, 0, 0, 0)
    current: tuple[Value, Value, Value] = (0, 0, 0)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A symbol of the description: its default value, if it has one, unit and meaning."""

    name: str
    default: float | None = None
    unit: str = ""
    doc: str = ""


@dataclass(frozen=True)
class Description:
    """Bodies with their joints, further frames, the base, what is known of the symbols used, and what ties joints together.

    `cuts` are joints that close loops, `couplings` joints that move as others do, `contacts` points that stay on surfaces, `wheels`
    bodies that roll on the ground, `ackermanns` their steering gear.

    Bodies stand in the order of q; an antecedent may come after its successors.
    """

    name: str
    bodies: tuple[Body, ...]
    frames: tuple[Frame, ...] = ()
    base: Base = Base()
    parameters: Mapping[str, Parameter] = field(default_factory=dict[str, Parameter], hash=False)
    source: str = ""
    doc: str = ""
    cuts: tuple[Cut, ...] = ()
    wheels: tuple[Wheel, ...] = ()
    ackermanns: tuple[Ackermann, ...] = ()
    couplings: tuple[Coupling, ...] = ()
    contacts: tuple[Contact, ...] = ()

    # ---- names ----

    @cached_property
    def index(self) -> Mapping[str, int]:
        """The place of each body in `bodies`; the base is -1."""
        return {BASE: -1} | {body.name: k for k, body in enumerate(self.bodies)}

    def body(self, name: str) -> Body:
        """The body of that name."""
        k = self.index.get(name, -1)
        if k < 0:
            raise RobotError(f"{self.name} has no body {name!r}; it has {', '.join(b.name for b in self.bodies)}")
        return self.bodies[k]

    def frame(self, name: str) -> Frame:
        """Any frame by name: "world", "base", a body, or a further frame. The world is a frame of the base."""
        if name in self.index:
            return Frame(name, name)
        for frame in self.frames:
            if frame.name == name:
                return frame
        raise unknown_frame(self, name)

    @property
    def frame_names(self) -> tuple[str, ...]:
        return (WORLD, BASE, *(b.name for b in self.bodies), *(f.name for f in self.frames))

    @cached_property
    def joint_names(self) -> tuple[str, ...]:
        """The moving joints, in the order of q."""
        return tuple(b.joint_name for b in self.bodies if b.joint.nv)

    @cached_property
    def q_names(self) -> tuple[str, ...]:
        """The coordinates."""
        return tuple(name for b in self.bodies for name in b.coordinates)

    @cached_property
    def v_names(self) -> tuple[str, ...]:
        """What each velocity, acceleration and torque belongs to: the joint, with x, y, z where it has three."""
        return tuple(name for b in self.bodies for name in b.velocities)

    @property
    def nq(self) -> int:
        """Numbers in q."""
        return sum(b.joint.nq for b in self.bodies)

    @property
    def nv(self) -> int:
        """Numbers in q', q'' and the torques: the degrees of freedom."""
        return sum(b.joint.nv for b in self.bodies)

    # ---- topology ----

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Bodies from the base outwards: antecedents first, otherwise as they stand."""
        successors: dict[int, list[int]] = {}
        for k, body in enumerate(self.bodies):
            successors.setdefault(self.index[body.parent], []).append(k)
        ready, done = list(successors.get(-1, ())), list[int]()
        while ready:
            k = heappop(ready)
            done.append(k)
            for s in successors.get(k, ()):
                heappush(ready, s)
        if len(done) < len(self.bodies):
            names = ", ".join(b.name for k, b in enumerate(self.bodies) if k not in set(done))
            raise RobotError(f"{self.name}: the antecedents of {names} lead round in a circle and never to the base")
        return tuple(done)

    def ancestors(self, name: str) -> list[Body]:
        """The bodies from the base to `name`, itself last; none for the base."""
        path: list[Body] = []
        while name not in (BASE, WORLD):
            body = self.body(name)
            path.insert(0, body)
            name = body.parent
        return path

    @property
    def immersed(self) -> bool:
        """Whether a link is in a fluid."""
        return any(b.fluid is not None for b in self.bodies)

    @property
    def ties(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """What ties joint velocities together: (what it is, names) of each kind that there is."""
        rigid = tuple(c for c in self.couplings if not c.elastic)
        kinds = (
            ("cut joints", self.cuts),
            ("couplings", rigid),
            ("contacts", self.contacts),
            ("wheels", self.wheels),
            ("steering gears", self.ackermanns),
        )
        return tuple((what, tuple(x.name for x in listed)) for what, listed in kinds if listed)

    def opened(self) -> Self:
        """The same without what ties its joints together: the tree, every joint of it free; couplings that give stay."""
        giving = tuple(c for c in self.couplings if c.elastic)
        return replace(self, cuts=(), couplings=giving, contacts=(), wheels=(), ackermanns=())

    def joint_body(self, name: str) -> Body:
        """The body that the joint of that name carries."""
        for body in self.bodies:
            if body.joint.nv and body.joint_name == name:
                return body
        raise RobotError(
            f"{self.name} has no joint {name!r}; it has {', '.join(self.joint_names)}{near_match(name, self.joint_names)}"
        )

    @property
    def structure(self) -> str:
        """In a word: what closes the tree or carries it, or whether it branches."""
        tied = (("loops", self.cuts), ("wheels", self.wheels), ("contacts", self.contacts))
        return ", ".join(word for word, listed in tied if listed) or ("tree" if len(self.tips) > 1 else "serial")

    @cached_property
    def tips(self) -> tuple[str, ...]:
        """The bodies that carry no other."""
        parents = {b.parent for b in self.bodies}
        return tuple(b.name for b in self.bodies if b.name not in parents)

    # ---- symbols ----

    def values(self) -> Iterator[tuple[str, Value]]:
        """(where, value) of every parameter of the description."""
        for body in self.bodies:
            for name, x in body.values():
                yield f"{body.name}.{name}", x
        for frame in self.frames:
            for name, x in frame.placement.items():
                yield f"{frame.name}.{name}", x
        for cut in self.cuts:
            for name, x in cut.values():
                yield f"{cut.name}.{name}", x
        for tie in (*self.couplings, *self.contacts, *self.wheels):
            for name, x in tie.values():
                yield f"{tie.name}.{name}", x
        for name, x in self.base.placement.items():
            yield f"base.{name}", x
        for name, group in (
            ("gravity", self.base.gravity),
            ("velocity", self.base.velocity),
            ("acceleration", self.base.acceleration),
            ("current", self.base.current),
        ):
            for x in group:
                yield f"base.{name}", x

    @cached_property
    def symbols(self) -> tuple[str, ...]:
        """Every symbol, in order of first use."""
        found: dict[str, None] = {}
        for _, x in self.values():
            if isinstance(x, Formula):
                found |= dict.fromkeys(x.symbols)
        return tuple(found)


def unknown_frame(description: Description, name: str) -> ModelError:
    """The error for a frame that the robot does not have, with those it has."""
    names = description.frame_names
    return ModelError(f"{description.name} has no frame {name!r}; it has {', '.join(names)}{near_match(name, names)}")
