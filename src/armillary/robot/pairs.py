"""A robot as pairs of bodies with a joint between them: joints of the tree and joints that close loops are told alike.

Frame a stands still on body a, frame b on body b, and b stands in a as after the joint's motion:

    Rot(z, q)  of a turn,    Trans(z, q)  of a slide,    nothing for a weld.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from armillary.robot.description import BASE, WORLD, Description
from armillary.robot.joints import Joint
from armillary.robot.value import Value
from armillary.spatial.transform import Step

TURN, SLIDE, BALL, WELD, OTHER = "turn", "slide", "ball", "weld", "other"

_TREE = {"revolute": (TURN,), "prismatic": (SLIDE,), "fixed": (WELD,)}
_CUT = {
    "revolute": (TURN,),
    "prismatic": (SLIDE,),
    "fixed": (WELD,),
    "spherical": (BALL,),
    "cylindrical": (TURN, SLIDE),
    "universal": (BALL,),
}


@dataclass(frozen=True)
class Pair:
    """Bodies `a` and `b`, and the steps to the frame of the joint on each of them.

    `kinds` are what the joint may be in a loop: a cylindrical one turns or slides. `joint` moves those of the tree, whose
    coordinates stand at `q`; the joints that close loops have none.
    """

    name: str
    a: str
    b: str
    to_a: list[Step]
    to_b: list[Step]
    kinds: tuple[str, ...]
    q: slice
    joint: Joint | None = None
    pitch: Any = 0

    def motion(self, values: Sequence[Any]) -> list[Step]:
        """The steps from frame a to frame b, for coordinates of the tree's joints and for that of a joint that closes a loop."""
        if self.joint is not None:
            return self.joint.way([], values, self.pitch)
        return [("Rz" if self.kinds[0] == TURN else "Tz", x) for x in values]


def pairs(description: Description, scalar: Callable[[Value], Any]) -> list[Pair]:
    """The joints of the tree in the order of q, then those that close loops."""
    found: list[Pair] = []
    place = 0
    for body in description.bodies:
        joint = body.joint
        q = slice(place, place + joint.nq)
        steps = body.placement.steps(scalar)
        kinds = _TREE.get(joint.kind, (OTHER,))
        parent = BASE if body.parent == WORLD else body.parent
        name = body.joint_name or body.name
        found.append(Pair(name, parent, body.name, steps, [], kinds, q, joint, scalar(body.pitch)))
        place += joint.nq
    nothing = slice(place, place)
    for cut in description.cuts:
        a, b = (BASE if frame.body == WORLD else frame.body for frame in (cut.a, cut.b))
        ends = [frame.placement.steps(scalar) for frame in (cut.a, cut.b)]
        found.append(Pair(cut.name, a, b, ends[0], ends[1], _CUT.get(cut.kind.kind, (OTHER,)), nothing))
    return found
