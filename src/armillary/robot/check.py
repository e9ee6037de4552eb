"""Whether a description is a robot. What is wrong is one `RobotError`; what physics would not allow is a `RobotWarning`."""

import math
import warnings
from collections.abc import Callable, Iterable
from dataclasses import replace

from armillary.errors import ArmillaryError, ExpressionError, RobotError, RobotWarning, near_match
from armillary.expr.graph import Graph
from armillary.expr.numbers import Number, is_negative
from armillary.expr.parse import FUNCTIONS, PI_NAMES, parse
from armillary.robot.body import Body, Frame, Limits
from armillary.robot.coupling import Coupling
from armillary.robot.cut import Cut
from armillary.robot.description import BASE, WORLD, Description
from armillary.robot.physical import impossible
from armillary.robot.value import Formula, text
from armillary.robot.wheel_check import check_wheels

Where = Callable[[str, str], str]
"""The beginning of a message about one key of a body, a frame, the base or a parameter: `arm.toml, line 12: `."""

PARAMETERS = "[parameters]"
"""What `Where` is asked for in the place of a part where a parameter is wrong."""

LONGEST = 200
"""Characters that a name may have."""


def check(description: Description, where: str | Where = "") -> Description:
    """The description itself, when it is a robot, with bounds that bound nothing left out.

    `where` says what the description was read from: a file's name, or what to put before a message about one key of a
    part.
    """
    at = located(where, description.name)
    _names(description, at)
    _topology(description, at)
    for body in description.bodies:
        _body(body, at)
    for cut in description.cuts:
        _cut(description, cut, at)
    _couplings(description, at)
    for contact in description.contacts:
        _apart(description, f"the contact {contact.name}", contact.point, contact.on, at(contact.name, "on"))
    _values(description, at)
    _symbols(description, at)
    check_wheels(description, at)
    bodies = tuple(_bounded(body, at) for body in description.bodies)
    for body in bodies:
        reason = impossible(body.inertia)
        if reason:
            warnings.warn(RobotWarning(f"{at(body.name, 'M')}{body.name}: {reason}"), stacklevel=3)
    return description if bodies == description.bodies else replace(description, bodies=bodies)


def located(where: str | Where, robot: str) -> Where:
    """The same as a function; without a file, messages begin with the robot's name."""
    if not isinstance(where, str):
        return where
    before = f"{where or robot}: "
    return lambda _part, _key: before


# ---- names ----


def _names(d: Description, at: Where) -> None:
    """Every body, frame, joint, coordinate and velocity has a name, and no two of a kind have the same."""
    for what, names in (
        ("body", (b.name for b in d.bodies)),
        ("frame", (f.name for f in d.frames)),
        ("cut joint", (c.name for c in d.cuts)),
        ("wheel", (w.name for w in d.wheels)),
        ("steering gear", (x.name for x in d.ackermanns)),
        ("coupling", (c.name for c in d.couplings)),
        ("contact", (c.name for c in d.contacts)),
    ):
        for name in names:
            _plain(name, what, at, name, "name")
            if name in (BASE, WORLD):
                raise RobotError(f"{at(name, 'name')}a {what} cannot be called {name!r}: every robot has that frame")
    _unique(d.frame_names, "bodies or frames", at, "name")
    _unique((*d.joint_names, *(c.name for c in d.cuts)), "joints", at, "joint")
    _unique((*(w.name for w in d.wheels), *(x.name for x in d.ackermanns)), "wheels or steering gears", at, "name")
    _unique((c.name for c in d.couplings), "couplings", at, "name")
    _unique((c.name for c in d.contacts), "contacts", at, "name")
    _unique(
        (*(b.name for b in d.bodies), *(c.name for c in d.couplings if c.elastic)), "bodies or couplings", at, "name"
    )
    _unique(d.q_names, "coordinates", at, "coordinates")
    _unique(d.v_names, "velocities", at, "velocities")
    for body in d.bodies:
        for key, names in (("coordinates", body.coordinates), ("velocities", body.velocities)):
            for name in names:
                _plain(name, f"coordinate or velocity of {body.name}", at, body.name, key)
        if body.joint.nv:
            _plain(body.joint_name, f"joint of {body.name}", at, body.name, "joint")


def _plain(name: object, what: str, at: Where, part: str, key: str) -> None:
    if not isinstance(name, str) or not name or len(name) > LONGEST or not name.isprintable():
        raise RobotError(
            f"{at(part, key)}a {what} is called {str(name)[:50]!r}; a name is a text of 1 to {LONGEST} printable characters"
        )


def _unique(names: Iterable[str], what: str, at: Where, key: str) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise RobotError(f"{at(name, key)}two {what} are called {name!r}; give each its own name")
        seen.add(name)


# ---- structure ----


def _topology(d: Description, at: Where) -> None:
    """Every antecedent exists, and all lead to the base."""
    known = (BASE, *(b.name for b in d.bodies))
    for part, host, what in (
        *((b.name, b.parent, "parent") for b in d.bodies),
        *((f.name, f.body, "on") for f in d.frames),
        *((c.name, side.body, side.name) for c in d.cuts for side in (c.a, c.b)),
        *((w.name, w.body, "body") for w in d.wheels),
        *((c.name, side.body, side.name) for c in d.contacts for side in (c.point, c.on)),
    ):
        if host not in d.index:
            raise RobotError(
                f"{at(part, what)}{part} hangs on {host!r}, which is no body; there are {_few(known)}{near_match(host, known)}"
            )
    try:
        _ = d.order
    except RobotError:
        circle = _circle(d)
        raise RobotError(
            f"{at(circle[0], 'parent')}the antecedents lead round in a circle and never to the base: "
            f"{_few(circle)}, {circle[0]}"
        ) from None


def _circle(d: Description) -> list[str]:
    """Bodies that hang on each other: the first on the second, the last on the first."""
    parent = {b.name: b.parent for b in d.bodies}
    for name in parent:
        path: dict[str, None] = {}
        while name != BASE and name not in path:
            path[name] = None
            name = parent[name]
        if name in path:
            return list(path)[list(path).index(name) :]
    return []


def _body(body: Body, at: Where) -> None:
    """What goes with the kind of joint, and what no body can be."""
    joint = body.joint
    for key, names, n in (("coordinates", body.coordinates, joint.nq), ("velocities", body.velocities, joint.nv)):
        if len(names) != n:
            raise RobotError(f"{at(body.name, key)}{body.name} has {len(names)} {key}; a {joint.kind} joint has {n}")
    if body.limits and len(body.limits) != joint.nv:
        raise RobotError(
            f"{at(body.name, 'lower')}{body.name} has limits of {len(body.limits)} velocities; "
            f"a {joint.kind} joint has {joint.nv}"
        )
    if body.pitch != 0 and joint.kind != "helical":
        raise RobotError(
            f"{at(body.name, 'pitch')}{body.name} has the pitch {body.pitch}; only a helical joint has one, "
            f"this one is {joint.kind}"
        )
    for key, x, most in (("IA", body.IA, 1), ("FV", body.FV, 6), ("FS", body.FS, 6)):
        if x != 0 and not 1 <= joint.nv <= most:
            raise RobotError(
                f"{at(body.name, key)}{body.name} has {key} = {text(x)}; a {joint.kind} joint has "
                f"{f'{joint.nv} velocities' if joint.nv else 'no velocity'} for it to act on, leave it out"
            )
    _spring(body, at)
    if len(body.wrench) != 6:
        raise RobotError(f"{at(body.name, 'wrench')}the wrench of {body.name} has {len(body.wrench)} numbers, not 6")


def _cut(d: Description, cut: Cut, at: Where) -> None:
    """A cut joint stands between two links that can move against each other; losses act on one coordinate."""
    _apart(d, f"the cut joint {cut.name}", cut.a, cut.b, at(cut.name, "b"))
    for key, x in cut.losses:
        if x != 0 and not cut.kind.free:
            raise RobotError(
                f"{at(cut.name, key)}{cut.name} has {key} = {text(x)}; only a revolute or a prismatic cut joint has the one "
                f"velocity for it to act on, this one is {cut.kind.kind}: make it of bodies with joints of one velocity each"
            )


def _apart(d: Description, what: str, a: Frame, b: Frame, at: str) -> None:
    """Two frames stand on links that can move against each other."""
    if carrier(d, a.body) == carrier(d, b.body):
        same = "itself" if a.body == b.body else f"{b.body}, which is fixed to it"
        raise RobotError(
            f"{at}{what} stands between {a.body} and {same}; give it two links that joints move against each other"
        )


def _couplings(d: Description, at: Where) -> None:
    """Couplings tie joints with one coordinate; a joint follows one leader, and not in a circle."""
    leader: dict[str, str] = {}
    for c in d.couplings:
        for key, name in (("joint", c.joint), ("leader", c.leader)):
            if name not in d.joint_names:
                raise RobotError(
                    f"{at(c.name, key)}{c.name} couples {name!r}, which is no joint; there are {_few(d.joint_names)}"
                    f"{near_match(name, d.joint_names)}"
                )
            joint = d.joint_body(name).joint
            if joint.nq != 1 or joint.nv != 1:
                raise RobotError(
                    f"{at(c.name, key)}{c.name} couples {name}, a {joint.kind} joint with {joint.nq} coordinates; "
                    "joints that are coupled have one each"
                )
        if c.ratio == 0:
            raise RobotError(
                f"{at(c.name, 'ratio')}{c.name} couples {c.joint} to {c.leader} with the ratio 0, so that it stands still; "
                "make it a fixed joint, or hold it with lock"
            )
        _giving(c, at)
        if c.elastic:
            continue
        if c.joint in leader:
            raise RobotError(
                f"{at(c.name, 'joint')}{c.joint} follows {leader[c.joint]} and {c.leader}; a joint follows one leader"
            )
        leader[c.joint] = c.leader
        path = [c.joint]
        while path[-1] in leader and len(path) <= len(leader):
            path.append(leader[path[-1]])
        if path[-1] == c.joint:
            raise RobotError(f"{at(c.name, 'leader')}couplings lead round in a circle: {', '.join(path)}")


def _giving(c: Coupling, at: Where) -> None:
    """A spring pulls back and stands between two joints; a damper stands beside it."""
    if c.joint == c.leader:
        raise RobotError(f"{at(c.name, 'leader')}couplings lead round in a circle: {c.joint}, {c.leader}")
    for key, x in (("stiffness", c.stiffness), ("damping", c.damping)):
        if not isinstance(x, Formula) and is_negative(x):
            raise RobotError(
                f"{at(c.name, key)}{c.name} has {key} = {text(x)}; what gives pulls back, its {key} is 0 or more"
            )
    if c.damping != 0 and not c.elastic:
        raise RobotError(
            f"{at(c.name, 'damping')}{c.name} has damping = {text(c.damping)} and does not give; say its stiffness, or FV of the joints"
        )


def carrier(d: Description, name: str) -> str:
    """The nearest body inwards that moves, or the base."""
    while name not in (BASE, WORLD) and not d.body(name).joint.nv:
        name = d.body(name).parent
    return name


def _spring(body: Body, at: Where) -> None:
    """A spring acts on one coordinate and pulls back."""
    if body.stiffness == 0:
        if body.reference != 0:
            raise RobotError(
                f"{at(body.name, 'reference')}{body.name} has reference = {text(body.reference)} and no spring; give its stiffness"
            )
        return
    if body.joint.nv != 1:
        raise RobotError(
            f"{at(body.name, 'stiffness')}{body.name} has stiffness = {text(body.stiffness)}; a {body.joint.kind} joint has "
            f"{body.joint.nv} velocities, a spring acts on one: make the joint of several with one each"
        )
    if not isinstance(body.stiffness, Formula) and is_negative(body.stiffness):
        raise RobotError(
            f"{at(body.name, 'stiffness')}{body.name} has stiffness = {text(body.stiffness)}; a spring pulls back, "
            "its stiffness is 0 or more"
        )


def _bounded(body: Body, at: Where) -> Body:
    """The body without infinite bounds, and without limits where nothing is bounded."""
    if not body.limits:
        return body
    limits = tuple(_limits(body.name, x, at) for x in body.limits)
    return replace(body, limits=limits if any(x != Limits() for x in limits) else ())


def _limits(name: str, given: Limits, at: Where) -> Limits:
    bounds: dict[str, float | None] = {}
    for key in ("lower", "upper", "velocity", "effort"):
        x: float | None = getattr(given, key)
        if x is not None and math.isnan(x):
            raise RobotError(f"{at(name, key)}{name} has {key} = {x}; a bound is a number")
        if x is not None and x < 0 and key in ("velocity", "effort"):
            raise RobotError(f"{at(name, key)}{name} has {key} = {x}; it bounds both directions and is 0 or more")
        bounds[key] = None if x is None or math.isinf(x) else x
    if given.lower is not None and given.upper is not None and given.lower > given.upper:
        raise RobotError(f"{at(name, 'lower')}{name} has lower = {given.lower} above upper = {given.upper}")
    return Limits(**bounds)


# ---- values ----


def _values(d: Description, at: Where) -> None:
    """Every value is a finite number or a formula; no mass is negative; gravity has three components."""
    for key, group, n in (
        ("gravity", d.base.gravity, 3),
        ("velocity", d.base.velocity, 6),
        ("acceleration", d.base.acceleration, 6),
        ("current", d.base.current, 3),
    ):
        if len(group) != n:
            raise RobotError(f"{at(BASE, key)}the base's {key} has {len(group)} components; it needs {n}")
    for name, x in d.values():
        part, _, key = name.rpartition(".")
        if isinstance(x, Formula):
            _readable(x, part, key, at)
        elif not _finite(x):
            raise RobotError(f"{at(part, key)}{part} has {key} = {x}; it must be a finite number or a formula")
    for body in d.bodies:
        M = body.inertia.M
        if not isinstance(M, Formula) and is_negative(M):
            raise RobotError(f"{at(body.name, 'M')}{body.name} has the mass {M} kg; a mass is 0 or more")


def _finite(x: object) -> bool:
    return isinstance(x, Number) and not isinstance(x, bool) and math.isfinite(x)


def _readable(x: Formula, part: str, key: str, at: Where) -> None:
    try:
        _ = x.symbols
    except ExpressionError as error:
        raise RobotError(f"{at(part, key)}{part} has {key} = {x.text[:100]!r}: {error}") from None


def _symbols(d: Description, at: Where) -> None:
    """Names of parameters can be written in formulas, and are not those of coordinates."""
    taken = set(d.q_names)
    for name in d.symbols:
        if name in taken:
            part, _, key = next(n for n, x in d.values() if isinstance(x, Formula) and name in x.symbols).rpartition(
                "."
            )
            raise RobotError(
                f"{at(part, key)}{name!r} is the name of a coordinate and stands in {part}'s {key}; call the parameter otherwise"
            )
    for name, parameter in d.parameters.items():
        if name != parameter.name:
            raise RobotError(f"{at(PARAMETERS, name)}the parameter {parameter.name!r} is listed as {name!r}")
        if name in taken:
            raise RobotError(
                f"{at(PARAMETERS, name)}the parameter {name!r} has the name of a coordinate; call it otherwise"
            )
        _symbol(name, at)
        default = parameter.default
        if default is not None and not math.isfinite(default):
            raise RobotError(f"{at(PARAMETERS, name)}the parameter {name} has the default {default}; it must be finite")


def _symbol(name: object, at: Where) -> None:
    """Whether formulas can say the name."""
    if name in PI_NAMES or name in FUNCTIONS:
        raise RobotError(
            f"{at(PARAMETERS, str(name))}a parameter cannot be called {name!r}: formulas have their own {name}"
        )
    try:
        is_symbol = isinstance(name, str) and parse(name, Graph()).attr == name
    except ArmillaryError:
        is_symbol = False
    if not is_symbol:
        raise RobotError(
            f"{at(PARAMETERS, str(name))}a parameter cannot be called {str(name)[:50]!r}; use letters, digits and _, a letter or _ first"
        )


def _few(names: Iterable[str], most: int = 20) -> str:
    """The names, the end of a long list left out."""
    listed = list(names)
    return ", ".join(listed[:most]) + (f", … ({len(listed)} in all)" if len(listed) > most else "")
