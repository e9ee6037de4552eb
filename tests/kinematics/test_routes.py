"""The Jacobian is the same on every route, and the short search finds nearly the cheapest."""

import numpy as np
import pytest

from armillary.kinematics.jacobian import Route, cheapest_route, jacobian, vias
from armillary.models.derivation import Derivation
from armillary.models.route import operations
from armillary.robot import tree
from armillary.robot.make import describe, revolute
from reference.arms import arm
from reference.random_trees import random_state, random_tree


@pytest.mark.parametrize("seed", range(40))
def test_every_route_leads_to_the_same_jacobian(seed: int) -> None:
    rng = np.random.default_rng(seed)
    robot = random_tree(rng, int(rng.integers(1, 7)))
    T = tree(robot, float).welded()
    if not T.nv:
        return
    q = random_state(rng, robot)[0]
    tip = T.bodies[-1].name
    names = vias(T, tip)
    found = [
        np.array(jacobian(T, q, tip, "base", Route(via, k)), dtype=float) for via in names for k in range(len(names))
    ]
    for J in found[1:]:
        assert np.abs(J - found[0]).max() <= 1e-12 * max(1.0, float(np.abs(found[0]).max()))


@pytest.mark.parametrize("name", ["rx90", "puma560", "panda", "general 6R"])
@pytest.mark.parametrize("own", [False, True])
def test_the_search_finds_what_trying_all_routes_finds(name: str, own: bool) -> None:
    d = Derivation(arm(name), {})
    tip = d.tree.bodies[-1].name
    result = tip if own else "base"
    names = vias(d.tree, tip)
    tried: list[Route] = []

    def cost(route: Route) -> int:
        tried.append(route)
        J = jacobian(d.tree, d.q, tip, result, route)
        return operations([d.graph.lift(x) for row in J for x in row])

    chosen = cost(cheapest_route(d.tree, tip, result, cost))
    assert len(tried) <= 2 * len(names)
    assert chosen == min(cost(Route(via, k)) for via in names for k in range(len(names)))


def test_long_ways_are_not_searched_from_their_far_end() -> None:
    """What a route costs grows with the square of its joints between the intermediate frame and that of the result."""
    chain = describe("chain", *(revolute(f"link{k}", d=0.1, alpha=1.1) for k in range(60)))
    d = Derivation(chain, {})
    tried: list[Route] = []

    def cost(route: Route) -> int:
        tried.append(route)
        return abs(vias(d.tree, "link59").index(route.via)) ** 2 + route.local_from

    assert cheapest_route(d.tree, "link59", "base", cost) == Route("base", 0)
    assert len(tried) < 12 and {r.via for r in tried} == {"base", "link0"}
