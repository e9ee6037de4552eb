"""A robot as a `.par` file, which `read` makes into the same robot again.

What the keys have no place for but names and facts (see `labels`) goes into comments. What the format cannot say is
refused by name: joints that are neither hinge nor slide nor fixed, but for the one that lets the whole robot float; nearly
parallel axes (Hayati's β); joints that are coupled; a base turned by a formula.
"""

from collections.abc import Iterable, Iterator

from armillary.errors import FormatError
from armillary.formats.coordinate import sayable, usual_names
from armillary.formats.par.base import kind_of_base, matrix_of
from armillary.formats.par.keys import (
    BASE_MOTION,
    FIXED,
    FLOATING,
    GEOMETRIC,
    KINDS,
    LOSSES,
    MOBILE,
    MOVED,
    RATES,
    TYPES,
)
from armillary.formats.par.labels import label, parameter_lines, robot_name_line
from armillary.robot import INERTIAL, WRENCH, Body, Cut, Description, Formula, Placement, Value
from armillary.robot.part import default_coordinates, default_velocities
from armillary.robot.value import plus, text


def write(description: Description) -> str:
    """The text of the file."""
    return "\n".join(_Writer(description).lines()) + "\n"


class _Writer:
    """One robot on its way into a file: `links` are the bodies but for that of a base that moves, `first` of them."""

    def __init__(self, robot: Description) -> None:
        self.robot = robot
        for what, names in robot.ties:
            if what != "cut joints":
                raise self._error(f"a .par file has no place for {what}, and {names[0]!r} is one")
        self.base = kind_of_base(robot)
        self.first = int(self.base != FIXED)
        self.links = robot.bodies[self.first :]
        self.numbers = {name: k + 1 - self.first for name, k in robot.index.items()}
        self.symbols = self._symbols()

    def lines(self) -> Iterator[str]:
        robot, NL = self.robot, len(self.links)
        columns = [self._geometric(body, symbol) for body, symbol in zip(self.links, self.symbols, strict=False)]
        columns += [self._cut(cut, symbol) for cut, symbol in zip(robot.cuts, self.symbols[NL:], strict=True)]
        columns += [self._tool(cut.name, cut.b.body, cut.b.placement) for cut in robot.cuts]
        columns += [self._tool(frame.name, frame.body, frame.placement) for frame in robot.frames]
        yield robot_name_line(robot.name)
        yield from self._labels()
        yield ""
        serial = all(self.numbers[body.parent] == j for j, body in enumerate(self.links))
        kind = 2 if robot.cuts else 0 if serial else 1
        yield from (f"NL = {NL}", f"NJ = {NL + len(robot.cuts)}", f"NF = {len(columns)}")
        yield f"Type = {kind} (* {TYPES[kind]} *)"
        yield from (f"is_floating = {self.base == FLOATING}", f"is_mobile = {self.base == MOBILE}")
        yield from _section("Geometric parameters", ((key, [c[key] for c in columns]) for key in GEOMETRIC))
        yield from _section("Dynamic parameters and external forces", self._dynamic())
        yield from _section("Joint parameters", self._joints())
        yield from _section("Velocity and acceleration of the base", self._motion())
        yield from _section("Acceleration of gravity", [("G", _texts(robot.base.gravity))])
        yield from _section("Pose of the base in the world", [("Z", _texts(matrix_of(robot.base.placement)))])
        yield from ("", "(* End of definition *)")

    # ---- geometry ----

    def _symbols(self) -> list[str]:
        """What stands for each coordinate in theta or r: its name where a formula can have it, else the usual one."""
        used = set(self.robot.symbols)
        names: list[str] = []
        for j, body in enumerate(self.links, start=1):
            sigma = self._sigma(body)
            if sigma not in MOVED:
                names.append("")
                continue
            key = MOVED[sigma]
            [name] = body.coordinates
            if not sayable(name) or isinstance(getattr(body.placement, key), Formula):
                name = usual_names(key, j)[0]
            if name in used:
                raise self._error(
                    f"{name} cannot be the coordinate of {body.name!r} in a .par file, it is used already"
                )
            used.add(name)
            names.append(name)
        for j, cut in enumerate(self.robot.cuts, start=len(self.links) + 1):
            key = MOVED.get(self._cut_sigma(cut), "")
            free = (name for name in usual_names(key, j) if name not in used) if key else iter([""])
            name = next(free, None)
            if name is None:
                raise self._error(f"no name is left for the coordinate of {cut.name!r} in a .par file")
            used.add(name)
            names.append(name)
        return names

    def _sigma(self, body: Body) -> int:
        sigma = body.joint.sigma
        if sigma is None:
            raise self._error(f"a .par file has no {body.joint.kind} joints, and {body.name!r} has one")
        return sigma

    def _cut_sigma(self, cut: Cut) -> int:
        sigmas = {kind: sigma for sigma, kind in KINDS.items()}
        if cut.kind.kind not in sigmas:
            raise self._error(f"a .par file has no {cut.kind.kind} joints, and {cut.name!r} is one")
        for key, x in cut.losses:
            if x != 0:
                raise self._error(
                    f"{cut.name!r} has {key} = {text(x)}; a .par file has no place for it on a joint that is cut"
                )
        return sigmas[cut.kind.kind]

    def _geometric(self, body: Body, symbol: str) -> dict[str, str]:
        """One column of the table."""
        column, sigma = self._placement(body.name, body.placement), self._sigma(body)
        if symbol:
            key = MOVED[sigma]
            column[key] = text(plus(Formula(symbol), getattr(body.placement, key)))
        return column | {"ant": str(self.numbers[body.parent]), "sigma": str(sigma), "mu": str(int(body.actuated))}

    def _cut(self, cut: Cut, symbol: str) -> dict[str, str]:
        """The column of the frame of a joint that closes a loop, on the link where its side a is."""
        column, sigma = self._tool(cut.name, cut.a.body, cut.a.placement), self._cut_sigma(cut)
        if symbol:
            column[MOVED[sigma]] = text(plus(Formula(symbol), getattr(cut.a.placement, MOVED[sigma])))
        return column | {"sigma": str(sigma)}

    def _tool(self, name: str, body: str, placement: Placement) -> dict[str, str]:
        """The column of a frame that is no link's."""
        return self._placement(name, placement) | {"ant": str(self.numbers[body]), "sigma": "2", "mu": "0"}

    def _placement(self, name: str, placement: Placement) -> dict[str, str]:
        given = dict(placement.items())
        if (beta := given.pop("beta")) != 0:
            raise self._error(
                f"{name!r} is turned by beta = {text(beta)} rad, between axes that are nearly parallel; "
                "a .par file has no place for it"
            )
        return {key: text(x) for key, x in given.items()}

    # ---- everything else ----

    def _dynamic(self) -> Iterator[tuple[str, list[str]]]:
        for body in self.links:
            if body.pitch != 0:
                raise self._error(f"{body.name!r} has a pitch, {text(body.pitch)}, which a .par file has no place for")
        rows = [dict(body.values()) for body in self.robot.bodies]
        for key in (*INERTIAL, *LOSSES, *WRENCH):
            yield key, [text(row[key]) for row in rows]

    def _joints(self) -> Iterator[tuple[str, list[str]]]:
        for body in self.links:
            if body.reference != 0:
                raise self._error(
                    f"the spring of {body.name!r} is slack at {text(body.reference)}; in a .par file springs are slack at 0"
                )
        none = ["0"] * len(self.robot.cuts)
        yield "eta", [*(str(int(body.stiffness != 0 and not body.actuated)) for body in self.links), *none]
        yield "k", [*(text(body.stiffness) for body in self.links), *none]
        moving = [*(body.joint.nv > 0 for body in self.links), *(bool(cut.kind.free) for cut in self.robot.cuts)]
        for key in RATES:
            yield key, [f"{key}{j}" if moves else "0" for j, moves in enumerate(moving, start=1)]

    def _motion(self) -> Iterator[tuple[str, list[str]]]:
        """W0, WP0, V0, VP0: as known, or for a base that floats names of inputs."""
        base = self.robot.base
        parts = (base.velocity[3:], base.acceleration[3:], base.velocity[:3], base.acceleration[:3])
        for key, values in zip(BASE_MOTION, parts, strict=True):
            named = [f"{key[:-1]}{axis}0" for axis in "XYZ"]
            yield key, named if self.base == FLOATING else _texts(values)

    def _labels(self) -> Iterator[str]:
        """Comments for names that are not the usual ones, limits, and what is known of the symbols."""
        robot, NL = self.robot, len(self.links)
        for word, content in (("Source", robot.source), ("Doc", robot.doc)):
            if content:
                yield label(word, "", content)
        for body in robot.bodies[: self.first]:
            usual = (default_coordinates(body.joint, 1), default_velocities(body.joint, 1))
            if body.name != "link0":
                yield label("Link", 0, body.name)
            if body.joint.nv and body.joint_name != "joint0":
                yield label("Joint", 0, body.joint_name)
            for word, names, known in zip(
                ("Coordinate", "Velocity"), (body.coordinates, body.velocities), usual, strict=True
            ):
                if names != known:
                    yield label(word, 0, names)
        for j, (body, symbol) in enumerate(zip(self.links, self.symbols, strict=False), start=1):
            own: list[tuple[str, Iterable[str], str]] = [
                ("Link", [body.name], f"link{j}"),
                ("Joint", [body.joint_name] * body.joint.nv, f"joint{j}"),
                ("Coordinate", body.coordinates, symbol),
                ("Velocity", body.velocities, "".join(body.coordinates)),
            ]
            for word, names, name in own:
                yield from (label(word, j, given) for given in names if given != name)
            yield from (label("Limits", j, limits) for limits in body.limits)
        for j, cut in enumerate(robot.cuts, start=NL + 1):
            if cut.name != f"joint{j}":
                yield label("Joint", j, cut.name)
        for j, frame in enumerate(robot.frames, start=NL + 2 * len(robot.cuts) + 1):
            if frame.name != f"frame{j}":
                yield label("Frame", j, frame.name)
        yield from parameter_lines(robot.parameters)

    def _error(self, message: str) -> FormatError:
        return FormatError(f"{self.robot.name}: {message}")


def _section(title: str, vectors: Iterable[tuple[str, list[str]]]) -> Iterator[str]:
    yield from ("", f"(* {title} *)")
    for key, elements in vectors:
        yield f"{key} = {{{', '.join(elements)}}}"


def _texts(values: Iterable[Value]) -> list[str]:
    return [text(x) for x in values]
