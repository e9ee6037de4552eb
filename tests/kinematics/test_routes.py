"""The Jacobian is the same on every route, and the short search finds nearly the cheapest."""

import numpy as np
import pytest

from armillary.kinematics.jacobian import Route, cheapest_route, jacobian, vias
from armillary.models.derivation import Derivation
from armillary.models.route import operations
from armillary.robot import tree
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
