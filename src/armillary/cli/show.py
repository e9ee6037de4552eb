"""What a robot is, in tables or as one JSON object."""

from collections.abc import Iterable, Sequence

from armillary.cli import page
from armillary.cli.given import reading
from armillary.models import Robot, load
from armillary.models.summary import counted, freedom
from armillary.robot.body import INERTIAL, WRENCH, Frame
from armillary.robot.cut import LOSSES
from armillary.robot.description import Base
from armillary.robot.mounting import mounting
from armillary.robot.value import Value, text

PLACES = ("gamma", "b", "alpha", "d", "beta", "theta", "r")


def show(robot: str, read: Sequence[str], json: bool) -> None:
    """A robot: its bodies, frames and parameters."""
    r = load(robot, **reading(robot, read))
    if json:
        page.data(_data(r))
        return
    bodies, coordinates = counted(len(r.bodies), "body", "bodies"), counted(r.nq, "coordinate", "coordinates")
    page.say(f"{r.name}: {bodies}, {coordinates}, {freedom(r)}")
    for words in (r.doc, f"Source: {r.source}" if r.source else ""):
        if words:
            page.say("\n" + words.strip())
    page.say(f"\nGravity {_vector(r.base.gravity)} m/s² in base components")
    for line in _base(r.base):
        page.say(line)
    page.say()
    used = [k for k in PLACES if any(dict(b.placement.items())[k] != 0 for b in r.bodies)]
    rows = [
        [b.name, b.parent, b.joint.kind, b.joint_name, *(text(dict(b.placement.items())[k]) for k in used)]
        for b in r.bodies
    ]
    page.table("Bodies", ["body", "on", "joint", "called", *used], rows)
    if any(x != 0 for b in r.bodies for x in b.inertia):
        losses = [k for k in ("IA", "FV", "FS") if any(getattr(b, k) != 0 for b in r.bodies)]
        inertial = [[b.name, *(text(x) for x in b.inertia), *(text(getattr(b, k)) for k in losses)] for b in r.bodies]
        _further("Inertial parameters (kg m², kg m, kg)", ["body", *INERTIAL, *losses], inertial)
    wrenches = [[b.name, *map(text, b.wrench)] for b in r.bodies if any(x != 0 for x in b.wrench)]
    _further("Wrenches that bodies exert on the environment (N, N m)", ["body", *WRENCH], wrenches)
    placed = [[f.name, f.body, *(text(x) for _, x in f.placement.items())] for f in r.frames]
    _further("Frames", ["frame", "on", *PLACES], placed)
    closed = [[c.name, c.kind.kind, *(_side(x) for x in (c.a, c.b)), *(text(x) for _, x in c.losses)] for c in r.cuts]
    _further("Cut joints", ["joint", "kind", "side a", "side b", *LOSSES], closed)
    coupled = [[c.name, c.joint, c.leader, *(text(x) for _, x in c.values())] for c in r.couplings]
    _further("Couplings", ["coupling", "joint", "leader", "ratio", "offset", "stiffness", "damping"], coupled)
    touching = [[c.name, _side(c.point), _side(c.on), " and ".join(x.text for x in c.surfaces)] for c in r.contacts]
    _further("Contacts", ["contact", "point", "on", "where this is 0"], touching)
    rolling = [[w["name"], w["body"], w["kind"], w["radius"], w["roller"] or ""] for w in _wheels(r)]
    _further("Wheels", ["wheel", "body", "kind", "radius", "roller"], rolling)
    _further("Steering gear", ["gear", "wheels"], [[x.name, ", ".join(x.wheels)] for x in r.ackermanns])
    known = [[p.name, "" if p.default is None else p.default, p.unit, p.doc] for p in r.parameters.values()]
    _further("Parameters", ["name", "default", "unit", "meaning"], known)


def _further(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """A table where there is anything in it."""
    if rows:
        page.say()
        page.table(title, columns, rows)


def _side(frame: Frame) -> str:
    """The body that a side of a cut joint or a contact stands on, and where."""
    placed = ", ".join(f"{name} = {text(x)}" for name, x in frame.placement.items() if x != 0)
    return f"{frame.body}: {placed}" if placed else frame.body


def _base(base: Base) -> list[str]:
    """Where the base stands and how it moves, where it is not at rest at the origin of the world."""
    placed = ", ".join(f"{name} = {text(x)}" for name, x in base.placement.items() if x != 0)
    lines = [f"Base in the world: {placed}"] if placed else []
    for what, given, units in (
        ("velocity", base.velocity, ("m/s", "rad/s")),
        ("acceleration", base.acceleration, ("m/s²", "rad/s²")),
    ):
        if any(x != 0 for x in given):
            lines.append(f"Base {what} {_vector(given[:3])} {units[0]}, {_vector(given[3:])} {units[1]}")
    return lines


def _vector(values: Sequence[Value]) -> str:
    return f"({', '.join(map(text, values))})"


def _wheels(r: Robot) -> list[dict[str, str | None]]:
    return [
        {"name": w.name, "body": w.body, "kind": mounting(r, w).kind, "radius": text(w.radius)}
        | {"roller": None if w.roller is None else text(w.roller)}
        for w in r.wheels
    ]


def _data(r: Robot) -> dict[str, object]:
    bodies = [
        {"name": b.name, "parent": b.parent, "joint": b.joint_name, "kind": b.joint.kind} | _texts(b.values())
        for b in r.bodies
    ]
    base = {
        "placement": _texts(r.base.placement.items()),
        "gravity": [text(x) for x in r.base.gravity],
        "velocity": [text(x) for x in r.base.velocity],
        "acceleration": [text(x) for x in r.base.acceleration],
    }
    return {
        "robot": r.name,
        "base": base,
        "q": r.q_names,
        "velocities": r.v_names,
        "bodies": bodies,
        "frames": [{"name": f.name, "body": f.body} | _texts(f.placement.items()) for f in r.frames],
        "cuts": [
            {"name": c.name, "kind": c.kind.kind, "a": c.a.body, "b": c.b.body} | _texts(c.values()) for c in r.cuts
        ],
        "couplings": [{"name": c.name, "joint": c.joint, "leader": c.leader} | _texts(c.values()) for c in r.couplings],
        "contacts": [
            {"name": c.name, "point": c.point.body, "on": c.on.body, "surfaces": [x.text for x in c.surfaces]}
            | _texts(x for x in c.values() if x[0] != "surface")
            for c in r.contacts
        ],
        "wheels": _wheels(r),
        "ackermanns": [{"name": x.name, "wheels": x.wheels} for x in r.ackermanns],
        "symbols": r.symbols,
    }


def _texts(values: Iterable[tuple[str, Value]]) -> dict[str, str]:
    return {name: text(x) for name, x in values}
