"""Equivalent inertias: other parameters, fewer of them, the same torques in every motion."""

from dataclasses import replace

import numpy as np
import pytest

from armillary.dynamics.equivalent import Gone, equivalent
from armillary.dynamics.newton_euler import newton_euler
from armillary.kinematics.motion import BaseMotion
from armillary.robot import tree
from armillary.spatial.vector import Vector
from reference.random_trees import random_state, random_tree


@pytest.mark.parametrize("gone", ["YY", "XX + YY - ZZ"])
def test_same_torques_on_a_moving_base(gone: Gone) -> None:
    for seed in range(100):
        rng = np.random.default_rng(seed)
        robot = random_tree(rng, int(rng.integers(1, 9)))
        T = tree(robot, float).welded()
        bodies = tuple(replace(b, wrench=(_vector(rng), _vector(rng))) for b in T.bodies)
        T = replace(T, bodies=bodies)
        base = BaseMotion(_vector(rng), _vector(rng), _vector(rng))
        state = random_state(rng, robot)
        before = np.array(newton_euler(T, *state, base).torques, dtype=float)
        after = np.array(newton_euler(equivalent(T, gone), *state, base).torques, dtype=float)
        assert np.linalg.norm(after - before) <= 1e-12 * max(1.0, float(np.linalg.norm(before)))


def _vector(rng: np.random.Generator) -> Vector:
    return Vector(*map(float, rng.normal(size=3)))


@pytest.mark.parametrize("gone", ["YY", "XX + YY - ZZ"])
def test_what_each_kind_of_joint_does_without(gone: Gone) -> None:
    rng = np.random.default_rng(3)
    for kind, none in {
        "revolute": (gone, "MZ", "M"),
        "helical": (gone,),
        "prismatic": ("XX", "XY", "XZ", "YY", "YZ", "ZZ"),
        "spherical": ("M",),
    }.items():
        for body in equivalent(tree(random_tree(rng, 4, (kind,)), float), gone).bodies:
            names = ("XX", "XY", "XZ", "YY", "YZ", "ZZ", "MX", "MY", "MZ", "M")
            values = dict(zip(names, body.inertia, strict=True))
            for name in none:
                value = combination(name, values)
                assert value == pytest.approx(0, abs=1e-15), (kind, name)


def combination(name: str, values: dict[str, float]) -> float:
    """XX + YY - ZZ, or one of the ten."""
    return values["XX"] + values["YY"] - values["ZZ"] if "+" in name else values[name]
