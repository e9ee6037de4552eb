"""The Jacobian of a frame: its twist (v of its origin, ω) is J q'.

Column k belongs to a joint velocity with the twist (v_k, ω_k) at the origin O_k of its link's frame; with p the origin of the frame
(Khalil 2010, section 3),

    J_k = (v_k + ω_k × (p - O_k), ω_k)

All is written in one intermediate frame m on the way to the frame, and then turned into the frame asked for. The linear part is
found either from O_k and p in m, or in the link's own frame and then turned to m, which is cheaper near the tip. Where m lies, and
from which joint on the second way is taken, decides the cost and not the result: a `Route`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from armillary.geometry.pose import pose
from armillary.robot.tree import Scalars, Tree
from armillary.spatial.matrix import IDENTITY, Matrix
from armillary.spatial.rotation import Rotation

REACH = 12
"""Joints between an intermediate frame and the frame of the result beyond which nothing is sought: what it costs to turn the
result back grows with the square of their number."""


@dataclass(frozen=True, slots=True)
class Route:
    """Intermediate frame (the base or a body on the way), and the number of joints on the way that are not local."""

    via: str
    local_from: int


def vias(tree: Tree, frame: str) -> list[str]:
    """The intermediate frames there are on the way to the frame: the base and the bodies."""
    return ["base", *(tree.bodies[k].name for k in tree.path(tree.frames[frame][0]))]


def cheapest_route(
    tree: Tree, frame: str, expressed_in: str, cost: Callable[[Route], int], via: str | None = None
) -> Route:
    """The route of least cost that a short search finds: first the intermediate frame, unless it is given, then the first local joint.

    The frame is sought from the base, from the last body (where they are in reach) and from the frame of the result, a neighbour
    at a time as long as it gets cheaper; the joint among a few spread over the way and then the neighbours of the best.
    """
    names = vias(tree, frame)
    known: dict[Route, int] = {}

    def price(route: Route) -> int:
        if route not in known:
            known[route] = cost(route)
        return known[route]

    def descend(route: Route, neighbours: Callable[[Route], list[Route]]) -> Route:
        while (better := min(neighbours(route), key=price, default=route)) != route and price(better) < price(route):
            route = better
        return route

    def beside(route: Route) -> list[Route]:
        k = names.index(route.via)
        return [Route(name, route.local_from) for name in names[max(0, k - 1) : k + 2]]

    def sooner_or_later(route: Route) -> list[Route]:
        near = (route.local_from - 1, route.local_from + 1)
        return [Route(route.via, k) for k in near if 0 <= k < len(names)]

    host = tree.frames[expressed_in][0]
    start = tree.bodies[host].name if host >= 0 and tree.bodies[host].name in names else "base"
    if via is None:
        near = (name for name in (names[-1], names[0]) if abs(names.index(name) - names.index(start)) <= REACH)
        starts = dict.fromkeys((start, *near))
        via = min((descend(Route(name, 0), beside) for name in starts), key=price).via
    stride = max(2, len(names) // 4)
    best = min((Route(via, k) for k in range(0, len(names), stride)), key=price)
    return descend(best, sooner_or_later)


def jacobian(tree: Tree, q: Scalars, frame: str, expressed_in: str, route: Route) -> list[list[Any]]:
    """J (6 x nv): rows v_x, v_y, v_z, ω_x, ω_y, ω_z of `frame` in components of `expressed_in`."""
    body, offset = tree.frames[frame]
    path = tree.path(body)
    T = {k: tree.bodies[k].transform(q) for k in path}
    R = _rotations(path, {k: T[k].rotation for k in path}, tree.frames[route.via][0])
    to_result = pose(tree, q, route.via, expressed_in).rotation

    J: list[list[Any]] = [[0] * tree.nv for _ in range(6)]
    in_link = offset.position
    in_m = R[body].apply(offset.position)
    for index in reversed(range(len(path))):
        k = path[index]
        here = tree.bodies[k]
        for place, (v, w) in zip(range(tree.nv)[here.v], here.motion, strict=True):
            angular = R[k].apply(w)
            local = index >= route.local_from
            linear = R[k].apply(v + w.cross(in_link)) if local else R[k].apply(v) + angular.cross(in_m)
            for row, value in enumerate((*to_result.apply(linear), *to_result.apply(angular))):
                J[row][place] = value
        in_link = T[k].point(in_link)
        in_m = in_m + R[here.parent].apply(T[k].position)
    return J


def _rotations(path: list[int], turns: dict[int, Rotation], m: int) -> dict[int, Matrix]:
    """ᵐR_k of the base (-1) and every body on the path, as matrices: from m outwards and from m inwards."""
    frames = [-1, *path]
    start = frames.index(m)
    R = {m: IDENTITY}
    for before, k in zip(frames[start:], frames[start + 1 :], strict=False):
        R[k] = Matrix(*(turns[k].apply_inverse(row) for row in R[before]))
    for after, k in zip(frames[start:0:-1], frames[start - 1 :: -1] if start else [], strict=False):
        R[k] = Matrix(*(turns[after].apply(row) for row in R[after]))
    return R


def gram(J: list[list[Any]]) -> list[list[Any]]:
    """J Jᵀ."""
    return [[_inner(a, b) for b in J] for a in J]


def _inner(a: list[Any], b: list[Any]) -> Any:
    total: Any = 0
    for x, y in zip(a, b, strict=True):
        total = total + x * y
    return total
