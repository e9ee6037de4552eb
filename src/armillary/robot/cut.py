"""Joints that close loops: the tree of bodies is what is left when they are cut.

A cut joint stands between a frame on body a and a frame on body b. While the loop is closed, b stands in a as after the
joint's motion: the z axis of a is the joint's axis (for a universal joint the first, x of b being the second).
"""

from collections.abc import Iterator
from dataclasses import dataclass

from armillary.robot.body import Frame
from armillary.robot.value import Value


@dataclass(frozen=True, slots=True)
class CutKind:
    """What a kind of joint forbids frame b in frame a.

    `held` are the axes of a along which the origin of b stands at 0. Of each pair in `square`, the axis of a and the axis
    of b are perpendicular. `free` is the motion left where it has one coordinate: ("turn" or "slide", along z).
    """

    kind: str
    held: str
    square: tuple[tuple[str, str], ...]
    free: str = ""

    @property
    def rows(self) -> tuple[str, ...]:
        """A name for each condition: the axis of a held, or the two axes that are square."""
        return (*self.held, *(f"{a}{b}" for a, b in self.square))

    @property
    def meets(self) -> bool:
        """Whether the two origins coincide while the loop is closed."""
        return self.held == "xyz"

    @property
    def mutual(self) -> bool:
        """Whether frames a and b may change places: the origins meet, and no axis of one alone is told from the others."""
        return self.meets and ("z", "x") not in self.square


_UPRIGHT = (("x", "z"), ("y", "z"))

CUTS: dict[str, CutKind] = {
    k.kind: k
    for k in (
        CutKind("revolute", "xyz", _UPRIGHT, "turn"),
        CutKind("prismatic", "xy", (*_UPRIGHT, ("x", "y")), "slide"),
        CutKind("spherical", "xyz", ()),
        CutKind("fixed", "xyz", (*_UPRIGHT, ("x", "y"))),
        CutKind("cylindrical", "xy", _UPRIGHT),
        CutKind("universal", "xyz", (("z", "x"),)),
        CutKind("planar", "z", _UPRIGHT),
    )
}
"""Every kind of cut joint by the name that files give it."""


LOSSES = ("IA", "FV", "FS", "stiffness", "reference")
"""What may act on the one coordinate of a cut joint."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A passive joint between frame a and frame b that closes a loop; `a` and `b` name the bodies they stand on ("base" too).

    IA, FV, FS and a spring, which takes stiffness · (q_c - reference), act on the one coordinate that a revolute or a prismatic
    joint has: that of b in a, about z (-π to π) or along z.
    """

    name: str
    kind: CutKind
    a: Frame
    b: Frame
    IA: Value = 0
    FV: Value = 0
    FS: Value = 0
    stiffness: Value = 0
    reference: Value = 0

    @property
    def losses(self) -> tuple[tuple[str, Value], ...]:
        """(name, value) of what acts on the coordinate."""
        return tuple((name, getattr(self, name)) for name in LOSSES)

    def values(self) -> Iterator[tuple[str, Value]]:
        """(name, value) of every parameter."""
        for side, frame in (("a", self.a), ("b", self.b)):
            for name, x in frame.placement.items():
                yield f"{side}_{name}", x
        yield from self.losses
