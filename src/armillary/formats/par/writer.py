"""A robot as a `.par` file, which `read` makes into the same robot again.

What the keys have no place for but names and facts (see `labels`) goes into comments. What the format cannot say is
refused by name: joints that are neither hinge nor slide nor fixed, nearly parallel axes (Hayati's β), a base turned by a
formula.
"""

from collections.abc import Iterable, Iterator

from armillary.errors import FormatError
from armillary.formats.coordinate import sayable, usual_names
from armillary.formats.par.base import matrix_of
from armillary.formats.par.keys import BASE_MOTION, GEOMETRIC, KINDS, LOSSES, MOVED, RATES, TYPES
from armillary.formats.par.labels import label, parameter_lines, robot_name_line
from armillary.formats.par.unsayable import refuse
from armillary.robot import BASE, INERTIAL, WRENCH, Body, Cut, Description, Formula, Placement, Value
from armillary.robot.value import plus, text


def write(description: Description) -> str:
    """The text of the file."""
    refuse(description)
    return "\n".join(_lines(description)) + "\n"


def _lines(robot: Description) -> Iterator[str]:
    NL = len(robot.bodies)
    symbols = _symbols(robot)
    columns = [_geometric(robot, body, j, symbols[j - 1]) for j, body in enumerate(robot.bodies, start=1)]
    columns += [
        _cut(robot, cut, NL + k, symbol)
        for k, (cut, symbol) in enumerate(zip(robot.cuts, symbols[NL:], strict=True), 1)
    ]
    columns += [_tool(robot, cut.name, cut.b.body, cut.b.placement) for cut in robot.cuts]
    columns += [_tool(robot, frame.name, frame.body, frame.placement) for frame in robot.frames]
    yield robot_name_line(robot.name)
    yield from _labels(robot, symbols)
    yield ""
    serial = [b.parent for b in robot.bodies] == [BASE, *(b.name for b in robot.bodies[:-1])][:NL]
    kind = 2 if robot.cuts else 0 if serial else 1
    yield from (
        f"NL = {NL}",
        f"NJ = {NL + len(robot.cuts)}",
        f"NF = {len(columns)}",
        f"Type = {kind} (* {TYPES[kind]} *)",
    )
    yield from ("is_floating = False", "is_mobile = False")
    yield from _section("Geometric parameters", ((key, [c[key] for c in columns]) for key in GEOMETRIC))
    yield from _section("Dynamic parameters and external forces", _dynamic(robot))
    yield from _section("Joint parameters", _joints(robot))
    base = robot.base
    parts = (base.velocity[3:], base.acceleration[3:], base.velocity[:3], base.acceleration[:3])
    yield from _section("Velocity and acceleration of the base", zip(BASE_MOTION, map(_texts, parts), strict=True))
    yield from _section("Acceleration of gravity", [("G", _texts(base.gravity))])
    yield from _section("Pose of the base in the world", [("Z", _texts(matrix_of(base.placement)))])
    yield from ("", "(* End of definition *)")


def _section(title: str, vectors: Iterable[tuple[str, list[str]]]) -> Iterator[str]:
    yield from ("", f"(* {title} *)")
    for key, elements in vectors:
        yield f"{key} = {{{', '.join(elements)}}}"


def _texts(values: Iterable[Value]) -> list[str]:
    return [text(x) for x in values]


# ---- geometry ----


def _symbols(robot: Description) -> list[str]:
    """What stands for each body's coordinate in theta or r: its name where a formula can have it, else the usual one."""
    used = set(robot.symbols)
    names: list[str] = []
    for j, body in enumerate(robot.bodies, start=1):
        sigma = _sigma(robot, body)
        if sigma not in MOVED:
            names.append("")
            continue
        key = MOVED[sigma]
        [name] = body.coordinates
        if not sayable(name) or isinstance(getattr(body.placement, key), Formula):
            name = usual_names(key, j)[0]
        if name in used:
            raise FormatError(
                f"{robot.name}: {name} cannot be the coordinate of {body.name!r} in a .par file, it is used already"
            )
        used.add(name)
        names.append(name)
    for j, cut in enumerate(robot.cuts, start=len(robot.bodies) + 1):
        key = MOVED.get(_cut_sigma(robot, cut), "")
        free = (name for name in usual_names(key, j) if name not in used) if key else iter([""])
        name = next(free, None)
        if name is None:
            raise FormatError(f"{robot.name}: no name is left for the coordinate of {cut.name!r} in a .par file")
        used.add(name)
        names.append(name)
    return names


def _cut_sigma(robot: Description, cut: Cut) -> int:
    sigmas = {kind: sigma for sigma, kind in KINDS.items()}
    if cut.kind.kind not in sigmas:
        raise FormatError(f"{robot.name}: a .par file has no {cut.kind.kind} joints, and {cut.name!r} is one")
    for key, x in cut.losses:
        if x != 0:
            raise FormatError(
                f"{robot.name}: {cut.name!r} has {key} = {text(x)}; a .par file has no place for it on a joint that is cut"
            )
    return sigmas[cut.kind.kind]


def _cut(robot: Description, cut: Cut, j: int, symbol: str) -> dict[str, str]:
    """The column of the frame of a joint that closes a loop, on the link where its side a is."""
    column = _tool(robot, cut.name, cut.a.body, cut.a.placement)
    sigma = _cut_sigma(robot, cut)
    if symbol:
        column[MOVED[sigma]] = text(plus(Formula(symbol), getattr(cut.a.placement, MOVED[sigma])))
    return column | {"sigma": str(sigma)}


def _sigma(robot: Description, body: Body) -> int:
    sigma = body.joint.sigma
    if sigma is None:
        raise FormatError(f"{robot.name}: a .par file has no {body.joint.kind} joints, and {body.name!r} has one")
    return sigma


def _geometric(robot: Description, body: Body, j: int, symbol: str) -> dict[str, str]:
    """One column of the table."""
    column = _placement(robot, body.name, body.placement)
    if symbol:
        key = MOVED[_sigma(robot, body)]
        column[key] = text(plus(Formula(symbol), getattr(body.placement, key)))
    return column | {
        "ant": str(robot.index[body.parent] + 1),
        "sigma": str(_sigma(robot, body)),
        "mu": str(int(body.actuated)),
    }


def _tool(robot: Description, name: str, body: str, placement: Placement) -> dict[str, str]:
    """The column of a frame that is no link's."""
    return _placement(robot, name, placement) | {"ant": str(robot.index.get(body, -1) + 1), "sigma": "2", "mu": "0"}


def _placement(robot: Description, name: str, placement: Placement) -> dict[str, str]:
    given = dict(placement.items())
    if (beta := given.pop("beta")) != 0:
        raise FormatError(
            f"{robot.name}: {name!r} is turned by beta = {text(beta)} rad, between axes that are nearly parallel; "
            "a .par file has no place for it"
        )
    return {key: text(x) for key, x in given.items()}


# ---- everything else ----


def _dynamic(robot: Description) -> Iterator[tuple[str, list[str]]]:
    for b in robot.bodies:
        if b.pitch != 0:
            raise FormatError(
                f"{robot.name}: {b.name!r} has a pitch, {text(b.pitch)}, which a .par file has no place for"
            )
    rows = [dict(b.values()) for b in robot.bodies]
    for key in (*INERTIAL, *LOSSES, *WRENCH):
        yield key, [text(row[key]) for row in rows]


def _joints(robot: Description) -> Iterator[tuple[str, list[str]]]:
    for b in robot.bodies:
        if b.reference != 0:
            raise FormatError(
                f"{robot.name}: the spring of {b.name!r} is slack at {text(b.reference)}; in a .par file springs are slack at 0"
            )
    none = ["0"] * len(robot.cuts)
    yield "eta", [*(str(int(b.stiffness != 0 and not b.actuated)) for b in robot.bodies), *none]
    yield "k", [*(text(b.stiffness) for b in robot.bodies), *none]
    moving = [*(b.joint.nv > 0 for b in robot.bodies), *(bool(cut.kind.free) for cut in robot.cuts)]
    for key in RATES:
        yield key, [f"{key}{j}" if moves else "0" for j, moves in enumerate(moving, start=1)]


def _labels(robot: Description, symbols: list[str]) -> Iterator[str]:
    """Comments for names that are not the usual ones, limits, and what is known of the symbols."""
    for word, content in (("Source", robot.source), ("Doc", robot.doc)):
        if content:
            yield label(word, "", content)
    for j, (body, symbol) in enumerate(zip(robot.bodies, symbols, strict=False), start=1):
        usual: list[tuple[str, Iterable[str], str]] = [
            ("Link", [body.name], f"link{j}"),
            ("Joint", [body.joint_name] * body.joint.nv, f"joint{j}"),
            ("Coordinate", body.coordinates, symbol),
            ("Velocity", body.velocities, "".join(body.coordinates)),
        ]
        for word, names, name in usual:
            yield from (label(word, j, given) for given in names if given != name)
        yield from (label("Limits", j, limits) for limits in body.limits)
    for j, cut in enumerate(robot.cuts, start=len(robot.bodies) + 1):
        if cut.name != f"joint{j}":
            yield label("Joint", j, cut.name)
    for j, frame in enumerate(robot.frames, start=len(robot.bodies) + 2 * len(robot.cuts) + 1):
        if frame.name != f"frame{j}":
            yield label("Frame", j, frame.name)
    yield from parameter_lines(robot.parameters)
