"""Legs of a parallel robot solved from where its platform stands, over any scalar, and what is solved put into the conditions."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from armillary.errors import ModelError
from armillary.kinematics.legs import LegSolution, leg_solution
from armillary.kinematics.loops import loops
from armillary.models.closed_states import closed_configurations
from armillary.models.derivation import Derivation
from armillary.robot import Description, Formula, Tree
from armillary.robot.parallel import platforms


def lacks_platform(d: Description) -> str:
    """Why these models are not for a robot."""
    return "" if platforms(d) else "has none, take models of closed loops, or another tree"


def platform_joints(d: Description) -> tuple[str, ...]:
    """The joints on the way to every platform, by the names of the bodies that they carry."""
    return tuple(name for platform in platforms(d) for name in platform.bodies)


def platform_coordinates(d: Description) -> list[int]:
    """The places in q of the joints on the way to every platform."""
    on_the_way = platform_joints(d)
    places: list[int] = []
    start = 0
    for body in d.bodies:
        places += range(start, start + body.joint.nq) if body.name in on_the_way else ()
        start += body.joint.nq
    return places


def leg_solutions(d: Description, tree: Tree, q: Sequence[Any], known: Sequence[int]) -> list[LegSolution]:
    """Every leg solved from the platform's coordinates; errors name the one that has no closed form."""
    held = {name for platform in platforms(d) for name in platform.legs}
    pairs = [(x, c) for x, c in zip(tree.couplings, d.couplings, strict=True)]
    back = {x.q: x.leader_q for x, c in pairs if not isinstance(c.ratio, Formula) and c.ratio == -1 and c.offset == 0}
    found: list[LegSolution] = []
    for loop in loops(tree):
        solution = leg_solution(loop, q, known, back) if loop.name in held else None
        if solution is None:
            raise ModelError(
                f"{d.name}: there is no closed form for the leg that {loop.name} cuts; there is one for up to three hinges and slides to a "
                "point of the platform, of which two in a row are parallel, meet, or stand square; take q of all joints, found by "
                "loop_closure"
            )
        found.append(solution)
    return found


def in_ways(
    d: Description, tree: Tree, q: Sequence[Any], found: Sequence[LegSolution], ways: Sequence[int]
) -> list[Any]:
    """q of all joints, each leg in the way of that number."""
    whole = list(q)
    for leg, way in zip(found, ways, strict=True):
        for place, x in zip(leg.places, leg.ways[way], strict=True):
            whole[place] = x
    follow(tree, whole)
    open_ = [name for name, x in zip(d.q_names, whole, strict=True) if x is None]
    if open_:
        raise ModelError(f"{d.name}: the platform and the legs do not say {', '.join(open_)}; take q of all joints")
    return whole


def follow(tree: Tree, q: list[Any]) -> None:
    """Puts coupled joints where those that they follow lead them."""
    for _ in tree.couplings:
        for x in tree.couplings:
            if q[x.leader_q] is not None:
                q[x.q] = x.ratio * q[x.leader_q] + x.offset


def substituted(d: Derivation, known: Sequence[int]) -> None:
    """Puts the ways of the legs into the conditions at states about q = 0: an error where a way misses, or the state is none of them."""
    for at_home in closed_configurations(d.description, d.known, home=True):
        tree, state = at_home.robot, at_home.q
        q = [x if k in known else None for k, x in enumerate(state.tolist())]
        with np.errstate(all="ignore"):
            found = leg_solutions(d.description, tree, q, known)
            for leg in found:
                ways = np.array(leg.ways, dtype=float)
                off = np.abs(np.exp(1j * ways) - np.exp(1j * state[list(leg.places)])).max(axis=1)
                _judge(d.description, leg.leg, float(np.nanmin(off)) if np.isfinite(off).any() else np.inf)
                for way in ways[np.isfinite(ways).all(axis=1)]:
                    whole = list(state)
                    for place, x in zip(leg.places, way.tolist(), strict=True):
                        whole[place] = x
                    follow(tree, whole)
                    loop = next(loop for loop in loops(tree) if loop.name == leg.leg)
                    _judge(d.description, leg.leg, float(max(abs(x) for x in loop.residual(whole)[:3])))


def _judge(d: Description, leg: str, off: float) -> None:
    if not off < 1e-9:
        raise ModelError(
            f"{d.name}: the closed form of the leg that {leg} cuts misses its platform by {off:.2g}; take q of all joints, found by "
            "loop_closure"
        )
