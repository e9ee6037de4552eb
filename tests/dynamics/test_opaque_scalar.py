"""No algorithm branches on a scalar's value: each runs on scalars that refuse to be asked, with the results of floats."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from armillary.dynamics.coriolis import coriolis_matrix
from armillary.dynamics.derivatives import inverse_dynamics_derivatives
from armillary.dynamics.direct import direct_dynamics_matrix
from armillary.dynamics.energy import kinetic_energy, potential_energy
from armillary.dynamics.formulations import DIRECT, FORMULATIONS
from armillary.dynamics.formulations.denoc import udu
from armillary.dynamics.hybrid import direct_dynamics_articulated, hybrid_dynamics
from armillary.dynamics.inertia_matrix import inertia_matrix
from armillary.dynamics.newton_euler import inverse_dynamics, newton_euler
from armillary.dynamics.regressor import regressor
from armillary.geometry.pose import pose
from armillary.kinematics.frame_motion import frame_acceleration, frame_velocity
from armillary.kinematics.jacobian import Route, gram, jacobian
from armillary.kinematics.motion import base_motion, link_velocities
from armillary.robot import Tree, tree
from armillary.spatial.vector import Vector
from reference.opaque import Opaque, revealed
from reference.random_trees import random_state, random_tree


def _components(x: Any) -> Any:
    """Vectors and tuples of them as lists."""
    if isinstance(x, Vector):
        return [*x]
    return [_components(item) for item in x] if isinstance(x, list | tuple) else x


def _jacobians(T: Tree, q: Any, v: Any, a: Any) -> Any:
    tip = T.bodies[-1].name
    vias = ["base", tip]
    return [gram(jacobian(T, q, tip, "base", Route(via, k))) for via in vias for k in (0, 1)]


def _derivatives(T: Tree, q: Any, v: Any, a: Any) -> Any:
    d = inverse_dynamics_derivatives(T, q, v, a, base_motion(T))
    return [d.torques, *d.by_position, *d.by_velocity, *d.by_acceleration]


def _hybrid(T: Tree, q: Any, v: Any, a: Any) -> Any:
    known = [k % 2 == 0 for k in range(T.nv)]
    return list(hybrid_dynamics(T, q, v, a, known, base_motion(T)))


def _motion(T: Tree, q: Any, v: Any, a: Any) -> Any:
    tip, base = T.bodies[-1].name, base_motion(T, gravity=False)
    found = [frame_velocity(T, q, v, tip, "base"), frame_acceleration(T, q, v, a, base, tip, tip)]
    return [screw.elements() for screw in found]


def _reactions(T: Tree, q: Any, v: Any, a: Any) -> Any:
    found = newton_euler(T, q, v, a, base_motion(T))
    return [found.torques, _components(found.wrenches), _components(found.base)]


def _regressor(T: Tree, q: Any, v: Any, a: Any) -> Any:
    return [[c.torques, _components(c.base)] for c in regressor(T, q, v, a, base_motion(T))]


def _formulation(name: str) -> Callable[[Tree, Any, Any, Any], Any]:
    def run(T: Tree, q: Any, v: Any, a: Any) -> Any:
        found = FORMULATIONS[name].function(T, q, v, a)
        return [found.A, found.H, found.tau]

    return run


ALGORITHMS: dict[str, Callable[[Tree, Any, Any, Any], Any]] = {
    "pose": lambda T, q, v, a: pose(T, q, T.bodies[-1].name, T.bodies[0].name).matrix(),
    "velocities": lambda T, q, v, a: _components(link_velocities(T, q, v)),
    "frame motion": _motion,
    "jacobian": _jacobians,
    "inverse dynamics": lambda T, q, v, a: inverse_dynamics(T, q, v, a, base_motion(T)),
    "reactions": _reactions,
    "inertia matrix": lambda T, q, v, a: inertia_matrix(T, q),
    "coriolis matrix": lambda T, q, v, a: coriolis_matrix(T, q, v),
    "energies": lambda T, q, v, a: [kinetic_energy(T, q, v), potential_energy(T, q)],
    "regressor": _regressor,
    "derivatives": _derivatives,
    "direct dynamics, matrix": lambda T, q, v, a: direct_dynamics_matrix(T, q, v, a, base_motion(T)),
    "direct dynamics, articulated": lambda T, q, v, a: direct_dynamics_articulated(T, q, v, a, base_motion(T)),
    "hybrid dynamics": _hybrid,
    "U D Uᵀ": lambda T, q, v, a: list(udu(T, q)),
    # links on balls have a test of their own
    **{f"formulation, {name}": _formulation(name) for name in FORMULATIONS if name != "euler-angles"},
    **{f"direct dynamics, {name}": DIRECT[name] for name in DIRECT},
}


@pytest.mark.parametrize("name", ALGORITHMS)
def test_runs_on_opaque_scalars(name: str) -> None:
    """The same numbers come out, to the last bit: nothing but arithmetic was done."""
    for seed in range(12):
        rng = np.random.default_rng(seed)
        robot = random_tree(rng, int(rng.integers(2, 7)))
        if not robot.nv:
            continue
        state = random_state(rng, robot)
        plain = ALGORITHMS[name](tree(robot, float).welded(), *state)
        T = tree(robot, lambda x: Opaque(float(x))).welded()  # type: ignore[arg-type]
        hidden = ALGORITHMS[name](T, *([Opaque(x) for x in part] for part in state))
        assert _flat(revealed(hidden)) == _flat(plain)


def _flat(x: Any) -> list[float]:
    return [y for item in x for y in _flat(item)] if isinstance(x, list | tuple) else [float(x)]
