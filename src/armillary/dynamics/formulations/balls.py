"""Trees whose links hang on each other by balls: joints of three velocities, or three hinges that meet in a point.

Three hinges in a row are a ball where the axes of the second and the third pass through one point of the first, and where the two links
between them have no mass. In the placements γ, b, α, d, (β), θ, r of the frames of the second and the third that is to say

    d_2 = 0, r_2 = 0, b_3 = 0, d_3 = 0

by structure; the point is at b_2 on the first axis and at -r_3 on the third.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from armillary.robot.tree import Branch, Tree
from armillary.spatial.transform import Step, walk
from armillary.spatial.vector import ZERO, Vector


@dataclass(frozen=True, slots=True)
class Ball:
    """A link and the joint that carries it: `hinges` are the places of its bodies in the tree, itself last.

    `parent` is the place of the ball before among all balls, -1 for the base; the centre stands at `before` in that ball's link and
    at `inside` in the link's own frame.
    """

    hinges: tuple[int, ...]
    parent: int
    before: Vector
    inside: Vector


def balls(tree: Tree) -> list[Ball]:
    """The balls of a tree of which `no_balls` has nothing to say, antecedents first."""
    place: dict[int, int] = {-1: -1}
    found: list[Ball] = []
    for k, body in enumerate(tree.bodies):
        if body.parent not in place:
            continue
        hinges = _row(tree, k)
        place[hinges[-1]] = len(found)
        before, inside = ZERO, ZERO
        if len(hinges) == 3:
            before = Vector(0, 0, _total(_leading(tree.bodies[hinges[1]].steps)))
            inside = Vector(0, 0, -_total(_leading(tree.bodies[hinges[2]].steps[::-1])))
        found.append(Ball(hinges, place[body.parent], walk(body.steps).point(before), inside))
    return found


def no_balls(tree: Tree, nothing: Callable[[Any], bool]) -> str:
    """Why a tree is not one of balls, nothing where it is; `nothing` tells whether a scalar is 0 by structure."""
    ends = {-1}
    for k, body in enumerate(tree.bodies):
        if body.parent in ends:
            hinges = _row(tree, k)
            reason = _no_ball([tree.bodies[i] for i in hinges], nothing)
            if reason:
                return reason
            ends.add(hinges[-1])
    return ""


def _row(tree: Tree, k: int) -> tuple[int, ...]:
    """Body k, and where it is a hinge the two hinges that alone hang on it, one on the other, as far as there are."""
    row = [k]
    while tree.bodies[k].joint.kind == "revolute" and len(row) < 3:
        carried = [i for i, body in enumerate(tree.bodies) if body.parent == row[-1]]
        if len(carried) != 1 or tree.bodies[carried[0]].joint.kind != "revolute":
            break
        row += carried
    return tuple(row)


def _no_ball(hinges: Sequence[Branch], nothing: Callable[[Any], bool]) -> str:
    first = hinges[0]
    if first.joint.kind == "spherical":
        return ""
    if first.joint.kind != "revolute":
        return f"the joint of {first.name} is {first.joint.kind}, neither a ball nor three hinges"
    if len(hinges) < 3:
        return f"{first.name} hangs on a hinge that is not the first of three in a row"
    second, third = hinges[1].steps, hinges[2].steps
    for body, end in (
        (hinges[1], second[len(_leading(second)) :]),
        (hinges[2], third[: len(third) - len(_leading(third[::-1]))]),
    ):
        if not any(kind in ("Rx", "Ry") for kind, _ in end):
            return f"the axis of {body.name} is parallel to the one before"
        if any(kind[0] == "T" for kind, _ in end):
            names = ", ".join(b.name for b in hinges)
            return f"the axes of {names} do not meet in one point by structure"
    for body in hinges[:2]:
        wrench = (*body.wrench[0], *body.wrench[1])
        if not all(nothing(x) for x in (*body.inertia, *wrench)):
            return f"{body.name}, between the hinges of a ball, has inertia or exerts a wrench"
    return ""


def _leading(steps: Sequence[Step]) -> list[Step]:
    """The steps about and along z that a way begins with."""
    found: list[Step] = []
    for step in steps:
        if step[0] not in ("Rz", "Tz"):
            break
        found.append(step)
    return found


def _total(steps: Sequence[Step]) -> Any:
    """The shift along z."""
    return sum(amount for kind, amount in steps if kind == "Tz")
