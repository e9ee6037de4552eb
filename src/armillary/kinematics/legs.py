"""Inverse geometry of the legs of a parallel robot: the platform stands known, and each leg carries a point to it.

The point is the centre of the cut joint between leg and platform. A leg is a chain of up to three hinges and slides. A hinge that turns
back as far as the one before it turns, as the far side of a parallelogram does, carries what lies behind it without turning it.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from armillary.geometry.legs import Stage, solutions, stage
from armillary.geometry.pose import outward_path, pose
from armillary.kinematics.loops import HOST, A, B, Loop
from armillary.robot.tree import Branch, Scalars
from armillary.spatial.transform import walk
from armillary.spatial.vector import Vector


@dataclass(frozen=True, slots=True)
class LegSolution:
    """The places in q of the hinges and slides that a leg is solved for, and their values, one list for each way."""

    leg: str
    places: tuple[int, ...]
    ways: list[list[Any]]


def leg_solution(loop: Loop, q: Scalars, known: Collection[int], back: Mapping[int, int]) -> LegSolution | None:
    """Every way to reach the platform; None where there is no closed form here.

    `known` are the places of q that are given. `back` are places of hinges that turn back, with those that they follow.
    """
    tree = loop.tree
    a, b = tree.frames[A][0], tree.frames[B][0]
    inwards, outwards = outward_path(tree, a, b)
    sides = {A: inwards[::-1], B: outwards}
    given = [name for name, way in sides.items() if all(tree.bodies[k].q.start in known for k in way)]
    if len(given) != 1 or loop.junction.kind.held != "xyz":
        return None
    here = B if given[0] == A else A
    target = pose(tree, q, given[0], HOST).position
    bodies = [tree.bodies[k] for k in sides[here]]
    found = _stages(bodies, tree.frames[here][1].position, back)
    if found is None:
        return None
    stages, point, places = found
    ways = solutions(stages, point, target)
    return None if ways is None else LegSolution(loop.name, places, ways)


def _stages(
    bodies: list[Branch], point: Vector, back: Mapping[int, int]
) -> tuple[list[Stage], Vector, tuple[int, ...]] | None:
    """The joints to solve for, and the point in the last of them; None where they are not hinges and slides."""
    stages: list[Stage] = []
    places: list[int] = []
    steady: Vector | None = None
    for body in bodies:
        start = body.q.start
        if body.joint.kind not in ("revolute", "prismatic"):
            return None
        if steady is not None or (start in back and (not places or back[start] != places[-1])):
            return None
        if start in back:
            # Z(q) S_e Z(-q) p = Z(q) P_e + R_e p for an S_e that turns about z alone
            if any(axis != 2 for axis, _ in body.turns) or any(kind == "R" for kind, _ in body.steps):
                return None
            T = walk(body.steps)
            steady, place = T.rotation.apply(point), T.position
            stages[-1], point = replace(stages[-1], h=steady), place
            continue
        stages.append(stage(body))
        places.append(start)
    return (stages, point, tuple(places)) if stages else None
