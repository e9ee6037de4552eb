"""A robot from a `.par` file.

    ⁱT_j = Rot(z, γ) Trans(z, b) Rot(x, α) Trans(x, d) Rot(z, θ) Trans(z, r),        i = ant(j)

θ of a hinge and r of a slide hold the joint's coordinate, with an offset or without. Symbols may be called anything but
`Pi`, `pi` and the names of functions. Keys that are left out have the values that SYMORO gives them: inertial parameters are
symbols (XX1, …), losses too, and the last link exerts a wrench of symbols.

A base that floats is a body that hangs on nothing; W0, V0, WP0 and VP0 are then the names of its velocity and acceleration.
One that is mobile is a body fixed to the base, which moves as these say.
"""

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from armillary.errors import ExpressionError, FormatError
from armillary.formats.coordinate import separate, usual_names
from armillary.formats.par.base import placement_of
from armillary.formats.par.counts import Counts, count, listed
from armillary.formats.par.keys import (
    ACTUATED,
    BASE_MOTION,
    DYNAMIC,
    ELASTIC,
    FLOATING,
    GEOMETRIC,
    JOINT,
    KINDS,
    LOSSES,
    MOVED,
    RATES,
)
from armillary.formats.par.labels import Labels, read_labels
from armillary.formats.par.text import Element, ParText, shown, take_apart
from armillary.formats.source import robot_name, source_name
from armillary.robot import (
    BASE,
    CUTS,
    HERE,
    INERTIAL,
    JOINTS,
    WRENCH,
    Base,
    Body,
    Cut,
    Description,
    Formula,
    Frame,
    Inertial,
    Placement,
    Value,
    value,
)
from armillary.robot.check import check
from armillary.robot.part import default_actuated, default_coordinates, default_velocities
from armillary.robot.place import place, pose
from armillary.robot.value import plus


def read(source: str | Path, *, tree: bool = False) -> Description:
    """The robot of a `.par` file or text. With `tree`, a closed-loop robot's spanning tree, its loops cut open."""
    text = take_apart(source)
    return _Reader(text, read_labels(text), count(text, tree)).description()


class _Reader:
    """One file on its way to a description."""

    def __init__(self, text: ParText, labels: Labels, counts: Counts) -> None:
        self.text = text
        self.labels = labels
        self.counts = counts
        for key, n in self._lengths().items():
            if key in text.entries and len(text.entries[key]) != n:
                raise text.error(text.lines[key], f"{key} has {len(text.entries[key])} elements; it takes {n}")

    def _lengths(self) -> dict[str, int]:
        """How many elements each vector takes."""
        c = self.counts
        return (
            dict.fromkeys(GEOMETRIC, c.frames)
            | dict.fromkeys(DYNAMIC, c.links + c.bases)
            | dict.fromkeys(JOINT, c.joints)
            | dict.fromkeys((*BASE_MOTION, "G"), 3)
            | {"Z": 16}
        )

    def description(self) -> Description:
        ants = self._antecedents()
        sigmas = [self._integer("sigma", j, KINDS, listed(KINDS)) for j in range(1, self.counts.frames + 1)]
        names = [self.labels.text("Link", j, f"link{j}") for j in range(self.counts.links + 1)]
        if not self.counts.bases:
            names[0] = BASE
        bodies = tuple(self._body(j, names[j], names[ants[j]], sigmas[j - 1]) for j in range(1, len(names)))
        if self.counts.bases:
            bodies = (self._first(names[0]), *bodies)
        standing = self._frames(names, ants, sigmas)
        cuts = {j: self._cut(j, sigmas[j - 1], names, ants, standing) for j in self.counts.cuts}
        twins = {self.counts.twin(j) for j in cuts}
        description = Description(
            name=self.labels.robot or robot_name(self.text.file),
            bodies=bodies,
            frames=tuple(standing[j] for j in sorted(standing) if j not in twins),
            base=self._base(),
            parameters=self.labels.parameters,
            source=self.labels.text("Source", usual=source_name(self.text.file)),
            doc=self.labels.text("Doc"),
            cuts=tuple(cuts.values()),
        )
        lines = self.text.lines
        return check(description, lambda _, key: f"{self.text.file}{f', line {lines[key]}' if key in lines else ''}: ")

    # ---- bodies ----

    def _first(self, name: str) -> Body:
        """The body of a base that moves: link 0, on no joint at all or fixed."""
        joint = JOINTS["free" if self.counts.base == FLOATING else "fixed"]
        usual = default_coordinates(joint, 1), default_velocities(joint, 1)
        coordinates, velocities = (
            self.labels.lists.get((word, "0"), names) if joint.nv else ()
            for word, names in zip(("Coordinate", "Velocity"), usual, strict=True)
        )
        return Body(
            name=name,
            joint=joint,
            inertia=Inertial(*(self._value(key, 0, f"{key}0") for key in INERTIAL)),
            wrench=tuple(self._value(key, 0, 0) for key in WRENCH),
            joint_name=self.labels.text("Joint", 0, "joint0") if joint.nv else "",
            coordinates=coordinates,
            velocities=velocities,
            actuated=default_actuated(joint),
        )

    def _body(self, j: int, name: str, parent: str, sigma: int) -> Body:
        joint = JOINTS[KINDS[sigma]]
        joint_name = self.labels.text("Joint", j, f"joint{j}") if joint.nv else ""
        limits = self.labels.limits.get(str(j))
        symbol, placement = self._placement(j, sigma)
        coordinate = self.labels.text("Coordinate", j, symbol)
        IA, FV, FS = (self._value(key, j, f"{key}{j}") if joint.nv else 0 for key in LOSSES)
        elastic, stiffness = self._spring(j, joint.nv)
        self._check_rates(j, joint.nv)
        return Body(
            name=name,
            parent=parent,
            joint=joint,
            placement=placement,
            inertia=Inertial(*(self._value(key, j, f"{key}{j}") for key in INERTIAL)),
            IA=IA,
            FV=FV,
            FS=FS,
            stiffness=stiffness,
            wrench=tuple(self._value(key, j, f"{key}{j}" if j == self.counts.links else 0) for key in WRENCH),
            joint_name=joint_name,
            coordinates=(coordinate,) if joint.nv else (),
            velocities=(self.labels.text("Velocity", j, coordinate),) if joint.nv else (),
            actuated=bool(self._integer("mu", j, ACTUATED, listed(ACTUATED), 1)) and not elastic,
            limits=() if limits is None else (limits,),
        )

    def _placement(self, j: int, sigma: int) -> tuple[str, Placement]:
        """The symbol of the coordinate ("" where nothing moves) and the placement of frame j at coordinate 0."""
        coordinate, offset = "", dict[str, Value]()
        if sigma in MOVED:
            key = MOVED[sigma]
            element = self.text.entries[key][j - 1]
            self._value(key, j)
            try:
                coordinate, offset[key] = separate(element.text, usual_names(key, j))
            except ExpressionError as error:
                raise self._error(key, j, element, f"{error}; the joint is {KINDS[sigma]}") from None
        others = (key for key in ("gamma", "b", "alpha", "d", "theta", "r") if key not in offset)
        return coordinate, Placement(**offset, **{key: self._value(key, j, 0) for key in others}).squared()

    def _check_rates(self, j: int, moving: int) -> None:
        """QP, QDP and GAM are names, and no more is said by them: 0 where nothing moves."""
        for key in RATES:
            if key in self.text.entries:
                element = self.text.entries[key][j - 1]
                given = self._value(key, j)
                if not (isinstance(given, Formula) and given.symbols == (given.text,)) and not (
                    given == 0 and not moving
                ):
                    raise self._error(
                        key,
                        j,
                        element,
                        "it is the name of an input; fix an input in the model that is derived, not in the robot",
                    )

    def _antecedents(self) -> list[int]:
        """ant of every frame, that of the base (0) first. A frame beyond the links' may stand on another such frame."""
        NL, NF = self.counts.links, self.counts.frames
        ants = [0]
        for j in range(1, NF + 1):
            last = NL if j <= NL else NF
            ants.append(self._integer("ant", j, range(last + 1), f"0 (the base) to {last}"))
        grounded = {0}
        for j in range(1, NF + 1):
            path, i = dict[int, None](), j
            while i not in grounded:
                if i in path:
                    element = self.text.entries["ant"][j - 1]
                    raise self._error("ant", j, element, "antecedents lead round in a circle and never to the base, 0")
                path[i] = None
                i = ants[i]
            grounded.update(path)
        return ants

    def _spring(self, j: int, moving: int) -> tuple[bool, Value]:
        """Whether a joint is elastic, which it is instead of having a motor, and the stiffness of its spring."""
        if not moving:
            return False, 0
        return bool(self._integer("eta", j, ELASTIC, listed(ELASTIC), 0)), self._value("k", j, 0)

    # ---- further frames and the base ----

    def _frames(self, names: Sequence[str], ants: Sequence[int], sigmas: Sequence[int]) -> dict[int, Frame]:
        """The frames beyond the links', by number. Those of joints that are cut move with nothing and are left out."""
        found: dict[int, Frame] = {}
        for j in self._outwards(ants):
            if j in self.counts.cuts:
                continue
            if sigmas[j - 1] != 2:
                if j <= self.counts.joints:
                    continue
                raise self._error(
                    "sigma",
                    j,
                    self.text.entries["sigma"][j - 1],
                    "a frame beyond the links' stands still and has sigma = 2",
                )
            _, placement = self._placement(j, 2)
            name = self.labels.text("Frame", j, f"frame{j}")
            if ants[j] < len(names):
                found[j] = Frame(name, names[ants[j]], placement)
            elif ants[j] in found:
                host = found[ants[j]]
                found[j] = Frame(name, host.body, self._joined(j, host.placement, placement))
        return found

    def _cut(self, j: int, sigma: int, names: Sequence[str], ants: Sequence[int], standing: Mapping[int, Frame]) -> Cut:
        """Joint j closes a loop: its frame moves on ant(j), and coincides with the twin frame j + B."""
        element = self.text.entries["ant"][j - 1]
        if self._integer("mu", j, ACTUATED, listed(ACTUATED), 0):
            raise self._error(
                "mu",
                j,
                self.text.entries["mu"][j - 1],
                "a joint that is cut has no motor; cut the loop at a passive joint",
            )
        for key, sprung in zip(("eta", "k"), self._spring(j, 1), strict=True):
            if sprung:
                spring = self.text.entries[key][j - 1]
                raise self._error(key, j, spring, "a joint that is cut has no spring; cut the loop at another joint")
        self._check_rates(j, int(sigma != 2))
        _, placement = self._placement(j, sigma)
        carrier, twin = ants[j], self.counts.twin(j)
        if carrier < len(names):
            a = Frame("a", names[carrier], placement)
        elif carrier in standing:
            host = standing[carrier]
            a = Frame("a", host.body, self._joined(j, host.placement, placement))
        else:
            raise self._error("ant", j, element, "it moves on the frame of a joint that is cut; let it stand on a link")
        if twin not in standing:
            raise self._error(
                "ant",
                twin,
                self.text.entries["ant"][twin - 1],
                "it moves on the frame of a joint that is cut; let it stand on a link",
            )
        b = replace(standing[twin], name="b")
        return Cut(self.labels.text("Joint", j, f"joint{j}"), CUTS[KINDS[sigma]], a, b)

    def _outwards(self, ants: Sequence[int]) -> list[int]:
        """The frames beyond the links', antecedents first."""

        def depth(j: int) -> int:
            steps = 0
            while j > self.counts.links:
                j, steps = ants[j], steps + 1
            return steps

        return sorted(range(self.counts.links + 1, self.counts.frames + 1), key=depth)

    def _joined(self, j: int, first: Placement, then: Placement) -> Placement:
        """One placement for two, where they end and begin along one axis or are numbers."""
        if then.alpha == 0 and then.d == 0:
            theta, r = plus(plus(first.theta, then.gamma), then.theta), plus(plus(first.r, then.b), then.r)
            return replace(first, theta=theta, r=r)
        if any(isinstance(x, Formula) for placement in (first, then) for _, x in placement.items()):
            raise self._error(
                "ant",
                j,
                self.text.entries["ant"][j - 1],
                "a frame on a frame that is no link's, with symbols in between, cannot be said; let it stand on the link",
            )
        return place(pose(first) @ pose(then))

    def _base(self) -> Base:
        """Gravity, the base's motion, and Z."""
        G = [self._value("G", k, 0 if k < 3 else "GZ") for k in (1, 2, 3)]
        W, WP, V, VP = ([self._motion(key, k) for k in (1, 2, 3)] for key in BASE_MOTION)
        placement = HERE
        if "Z" in self.text.entries:
            try:
                placement = placement_of([self._value("Z", k) for k in range(1, 17)])
            except FormatError as error:
                raise self.text.error(self.text.lines["Z"], f"Z: {error}") from None
        return Base(placement, (G[0], G[1], G[2]), velocity=(*V, *W), acceleration=(*VP, *WP))

    def _motion(self, key: str, k: int) -> Value:
        """Element k of the base's velocity or acceleration; of a base that floats it is the name of an input, or 0."""
        given = self._value(key, k, 0)
        if self.counts.base != FLOATING or given == 0:
            return given
        if isinstance(given, Formula) and given.symbols == (given.text,):
            return 0
        raise self._error(
            key,
            k,
            self.text.entries[key][k - 1],
            "of a base that floats it is the name of an input; fix an input in the model that is derived, not in the robot",
        )

    # ---- elements ----

    def _value(self, key: str, j: int, usual: object = None) -> Value:
        """Element j of a vector, or what is usual where the key is left out."""
        if key not in self.text.entries:
            return value(usual)
        element = self.text.entries[key][j - 1 + (self.counts.bases if key in DYNAMIC else 0)]
        if not element.text:
            raise self._error(key, j, element, "it is empty; a number, a symbol or a formula stands between commas")
        try:
            return value(element.text)
        except ExpressionError as error:
            raise self._error(key, j, element, str(error)) from None

    def _integer(self, key: str, j: int, allowed: Container[int], described: str, usual: int = 0) -> int:
        if key not in self.text.entries:
            return usual
        element = self.text.entries[key][j - 1]
        if element.text.isascii() and element.text.isdigit() and len(element.text) < 8 and int(element.text) in allowed:
            return int(element.text)
        raise self._error(key, j, element, f"allowed are {described}")

    def _error(self, key: str, j: int, element: Element, message: str) -> FormatError:
        return self.text.error(element.line, f"{key} of {j} is {shown(element.text)}: {message}")
