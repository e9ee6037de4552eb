"""A description in the caller's scalars: what the algorithms of kinematics and dynamics walk over."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from armillary.robot.body import Body, Frame
from armillary.robot.contact import Contact
from armillary.robot.coupling import Coupling
from armillary.robot.cut import Cut, CutKind
from armillary.robot.description import BASE, WORLD, Description
from armillary.robot.joints import Joint, Twist
from armillary.robot.mounting import mounting
from armillary.robot.placement import QuarterTurns, coordinate_axis
from armillary.robot.value import Value
from armillary.robot.wheel import Wheel
from armillary.spatial.inertia import Inertia
from armillary.spatial.matrix import Symmetric
from armillary.spatial.transform import IDENTITY, Step, Transform, walk
from armillary.spatial.vector import Vector

Scalars = Sequence[Any]


@dataclass(frozen=True, slots=True)
class Branch:
    """One body: indices instead of names, scalars instead of values.

    `parent` is the place of the antecedent in the tree, -1 for the base; `q` and `v` are its slices of q and of q', q'', Γ.
    """

    name: str
    parent: int
    joint: Joint
    steps: list[Step]
    turns: tuple[QuarterTurns, ...]
    pitch: Any
    motion: tuple[Twist, ...]
    inertia: Inertia
    IA: Any
    FV: Any
    FS: Any
    elastic: bool
    stiffness: Any
    reference: Any
    wrench: tuple[Vector, Vector]
    q: slice
    v: slice

    @property
    def axis(self) -> tuple[int, int, int] | None:
        """The joint's z axis in the antecedent's frame, where by structure it is a coordinate axis there."""
        return coordinate_axis(self.turns)

    @property
    def hinged(self) -> bool:
        """Whether the body turns about its z axis and about no other."""
        return self.joint.kind in ("revolute", "helical")

    def transform(self, q: Scalars) -> Transform:
        """ⁱT_j, from the body's frame to its antecedent's, for the robot's q."""
        return walk(self.way(q))

    def way(self, q: Scalars) -> list[Step]:
        """The steps from the antecedent's frame to the body's, for the robot's q."""
        return self.joint.way(self.steps, q[self.q], self.pitch)

    def twist(self, rates: Scalars) -> tuple[Vector, Vector]:
        """(linear, angular) Σ_k motion_k rates_k, in the body's frame: relative velocity from q', acceleration from q''."""
        linear = angular = Vector(0, 0, 0)
        for (v, w), rate in zip(self.motion, rates[self.v], strict=True):
            linear, angular = linear + v * rate, angular + w * rate
        return linear, angular

    def spring(self, q: Scalars) -> list[Any]:
        """What the joint's spring takes along each joint velocity: stiffness · (q - reference)."""
        return [self.stiffness * (q[self.q.start] - self.reference)] if self.elastic else [0] * self.joint.nv

    def along(self, f: Vector, n: Vector) -> list[Any]:
        """What the wrench (f, n) about the body's origin does along each joint velocity: vᵀf + ωᵀn."""
        return [v.dot(f) + w.dot(n) for v, w in self.motion]


Mount = tuple[int, Transform]
"""The place of a body in the tree, and a frame in it."""


@dataclass(frozen=True, slots=True)
class Junction:
    """A joint that closes a loop: frames a and b, see `robot.cut`; IA, FV, FS and the spring, if any, of its one coordinate."""

    name: str
    kind: CutKind
    a: Mount
    b: Mount
    elastic: bool
    IA: Any
    FV: Any
    FS: Any
    stiffness: Any
    reference: Any


@dataclass(frozen=True, slots=True)
class Rolling:
    """A wheel, see `robot.mounting`: the places of its body, of its platform and of the forks between, from the platform outwards.

    `roller` is None for a plain wheel; only where it `swings` does the rate of a fork move it along its axle.
    """

    name: str
    body: int
    platform: int
    forks: tuple[int, ...]
    radius: Any
    roller: Any
    swings: bool


@dataclass(frozen=True, slots=True)
class Gear:
    """Steering gear: the places in the tree's `wheels` of the three whose axles meet."""

    name: str
    wheels: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Coupled:
    """A joint that moves as another does, see `robot.coupling`: their places in q and in q'."""

    name: str
    q: int
    v: int
    leader_q: int
    leader_v: int
    ratio: Any
    offset: Any


@dataclass(frozen=True, slots=True)
class Touch:
    """A point on surfaces, see `robot.contact`: where its frame and that of the surfaces stand.

    Each of `surfaces` gives (h, ∇h, second derivatives) at a point along the axes of frame `on`.
    """

    name: str
    point: Mount
    on: Mount
    surfaces: tuple[Callable[[Vector], tuple[Any, Vector, Symmetric]], ...]


@dataclass(frozen=True, slots=True)
class Tree:
    """Bodies, antecedents first, and the base. `nq` and `nv` are the lengths of q and of q'."""

    bodies: tuple[Branch, ...]
    nq: int
    nv: int
    gravity: Vector
    base_velocity: tuple[Vector, Vector]
    base_acceleration: tuple[Vector, Vector]
    world: Transform
    frames: dict[str, Mount]
    cuts: tuple[Junction, ...] = ()
    wheels: tuple[Rolling, ...] = ()
    gears: tuple[Gear, ...] = ()
    couplings: tuple[Coupled, ...] = ()
    contacts: tuple[Touch, ...] = ()

    def __iter__(self) -> Any:
        return iter(self.bodies)

    def __len__(self) -> int:
        return len(self.bodies)

    def path(self, k: int) -> list[int]:
        """The bodies from the base to body k, k last."""
        path: list[int] = []
        while k >= 0:
            path.insert(0, k)
            k = self.bodies[k].parent
        return path

    def welded(self) -> "Tree":
        """The same motion with fewer bodies: each link behind a fixed joint becomes a part of the one that carries it.

        What is behind a fixed joint on the base is dropped with it (it does not move), its frames stay.
        """
        if all(b.joint.nv for b in self.bodies):
            return self
        place: dict[int, tuple[int, Transform]] = {-1: (-1, IDENTITY)}
        bodies: list[Branch] = []
        for k, body in enumerate(self.bodies):
            host, to_host = place[body.parent]
            if body.joint.nv:
                steps, turns = way_from_host(self, body)
                bodies.append(replace(body, parent=host, steps=steps, turns=turns))
                place[k] = (len(bodies) - 1, IDENTITY)
                continue
            T = to_host.then(body.transform([]))
            place[k] = (host, T)
            if host >= 0:
                f, n = T.force(*body.wrench)
                carrier = bodies[host]
                total = (carrier.wrench[0] + f, carrier.wrench[1] + n)
                bodies[host] = replace(carrier, inertia=carrier.inertia + body.inertia.seen_from(T), wrench=total)

        def carried(mount: Mount) -> Mount:
            host, to_host = place[mount[0]]
            return host, to_host.then(mount[1])

        frames = {name: carried(mount) for name, mount in self.frames.items()}
        cuts = tuple(replace(cut, a=carried(cut.a), b=carried(cut.b)) for cut in self.cuts)
        wheels = tuple(
            replace(w, body=place[w.body][0], platform=place[w.platform][0], forks=tuple(place[k][0] for k in w.forks))
            for w in self.wheels
        )
        contacts = tuple(replace(c, point=carried(c.point), on=carried(c.on)) for c in self.contacts)
        return replace(self, bodies=tuple(bodies), frames=frames, cuts=cuts, contacts=contacts, wheels=wheels)


def way_from_host(tree: Tree, body: Branch) -> tuple[list[Step], tuple[QuarterTurns, ...]]:
    """The steps (and the turns among them) from the nearest moving antecedent, or the base, to the body's joint."""
    steps, turns, k = list(body.steps), body.turns, body.parent
    while k >= 0 and not tree.bodies[k].joint.nv:
        fixed = tree.bodies[k]
        steps, turns, k = fixed.steps + steps, fixed.turns + turns, fixed.parent
    return steps, turns


def tree(description: Description, scalar: Callable[[Value], Any]) -> Tree:
    """The description with every value turned into a scalar of the caller's kind."""
    starts: dict[str, tuple[int, int]] = {}
    nq = nv = 0
    for body in description.bodies:
        starts[body.name] = (nq, nv)
        nq, nv = nq + body.joint.nq, nv + body.joint.nv
    place = {BASE: -1, WORLD: -1}
    bodies: list[Branch] = []
    for k in description.order:
        body = description.bodies[k]
        place[body.name] = len(bodies)
        bodies.append(_branch(body, place[body.parent], *starts[body.name], scalar))
    base = description.base
    frames = {name: (k, IDENTITY) for name, k in place.items()}
    world = walk(base.placement.steps(scalar))
    frames[WORLD] = (-1, world.inverse())

    def mount(frame: Frame) -> Mount:
        return place[frame.body], walk(frame.placement.steps(scalar))

    def junction(cut: Cut) -> Junction:
        return Junction(
            cut.name, cut.kind, mount(cut.a), mount(cut.b), cut.stiffness != 0, *(scalar(x) for _, x in cut.losses)
        )

    def rolling(wheel: Wheel) -> Rolling:
        m = mounting(description, wheel)
        roller = None if wheel.roller is None else scalar(wheel.roller)
        forks = tuple(place[name] for name in m.forks)
        return Rolling(wheel.name, place[wheel.body], place[m.platform], forks, scalar(wheel.radius), roller, m.swings)

    def coupled(coupling: Coupling) -> Coupled:
        joint, leader = (starts[description.joint_body(name).name] for name in (coupling.joint, coupling.leader))
        return Coupled(coupling.name, *joint, *leader, *(scalar(x) for _, x in coupling.values()))

    def touch(contact: Contact) -> Touch:
        surfaces = tuple(partial(surface.at, scalar=scalar) for surface in contact.surfaces)
        return Touch(contact.name, mount(contact.point), mount(contact.on), surfaces)

    frames |= {frame.name: mount(frame) for frame in description.frames}
    numbers = {wheel.name: k for k, wheel in enumerate(description.wheels)}
    v0, a0 = [scalar(x) for x in base.velocity], [scalar(x) for x in base.acceleration]
    return Tree(
        tuple(bodies),
        nq,
        nv,
        Vector(*(scalar(x) for x in base.gravity)),
        (Vector(*v0[:3]), Vector(*v0[3:])),
        (Vector(*a0[:3]), Vector(*a0[3:])),
        world,
        frames,
        cuts=tuple(junction(cut) for cut in description.cuts),
        couplings=tuple(coupled(coupling) for coupling in description.couplings),
        contacts=tuple(touch(contact) for contact in description.contacts),
        wheels=tuple(rolling(wheel) for wheel in description.wheels),
        gears=tuple(
            Gear(x.name, (numbers[x.wheels[0]], numbers[x.wheels[1]], numbers[x.wheels[2]]))
            for x in description.ackermanns
        ),
    )


def _branch(body: Body, parent: int, q: int, v: int, scalar: Callable[[Value], Any]) -> Branch:
    inertial = [scalar(x) for x in body.inertia]
    wrench = [scalar(x) for x in body.wrench]
    pitch = scalar(body.pitch)
    return Branch(
        name=body.name,
        parent=parent,
        joint=body.joint,
        steps=body.placement.steps(scalar),
        turns=body.placement.turns(),
        pitch=pitch,
        motion=body.joint.motion(pitch),
        inertia=Inertia(Symmetric(*inertial[:6]), Vector(*inertial[6:9]), inertial[9]),
        IA=scalar(body.IA),
        FV=scalar(body.FV),
        FS=scalar(body.FS),
        elastic=body.stiffness != 0,
        stiffness=scalar(body.stiffness),
        reference=scalar(body.reference),
        wrench=(Vector(*wrench[:3]), Vector(*wrench[3:])),
        q=slice(q, q + body.joint.nq),
        v=slice(v, v + body.joint.nv),
    )
