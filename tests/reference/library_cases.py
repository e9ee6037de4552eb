"""Robots with closed loops that are given, not drawn, at random states where the loops close: those of the library, and any in numbers."""

import numpy as np
from numpy.random import Generator

import armillary as arm
from armillary.dynamics.closed import Partition
from armillary.kinematics.closure import close, independent_rows, jacobian, random_coordinates
from armillary.kinematics.constraints import constraints
from armillary.models.partition import actuated
from armillary.robot import Description, tree
from reference.closed_loops import ClosedCase
from reference.with_numbers import random_values, with_numbers

LIBRARY = ("four_bar", "five_bar", "testloop", "twoloops", "sr400", "akr3000", "simple_loop", "simple_loop2")


def library_case(name: str, seed: int) -> tuple[ClosedCase, dict[str, float]]:
    """A robot of the library with random numbers at a state where its loops close, and the numbers."""
    rng = np.random.default_rng(seed)
    described = arm.load(name)
    while True:
        values = random_values(described, rng) | {n: p.default for n, p in described.parameters.items() if p.default}
        case = attempt(with_numbers(described, values), rng)
        if case is not None:
            return case, values


def case_of(robot: Description, seed: int) -> ClosedCase:
    """A robot in numbers at a random state where its loops close."""
    rng = np.random.default_rng(seed)
    while True:
        case = attempt(robot, rng)
        if case is not None:
            return case


def attempt(robot: Description, rng: Generator) -> ClosedCase | None:
    """The state that Newton's method finds from a random one; None where it finds none, or one that is nearly singular."""
    joints = [b.joint for b in robot.bodies]
    numbers = tree(robot, float)
    found = close(numbers, joints, random_coordinates(joints, rng))
    active = actuated(robot)
    passive = tuple(k for k in range(robot.nv) if k not in active)
    J_p = jacobian(constraints(numbers), robot.nv, found.q)[:, passive]
    if not found.closed or np.linalg.svd(J_p, compute_uv=False).min() <= 0.05:
        return None
    rows = tuple(independent_rows(J_p, len(passive)))
    every = tuple(range(len(rows)))
    parts = Partition(active, passive, active, rows, ((every, every),))
    return ClosedCase(robot, found.q, parts, *rng.normal(size=(2, len(active))))
