"""What torques see of a body, over floats: the same algorithm with other scalars and other linear algebra."""

import numpy as np
import pytest

from armillary.dynamics.observability import Row, rate, reference_steps, views
from armillary.grouping import base_parameters
from armillary.robot import Body, Description, Formula, Placement, tree
from armillary.robot.joints import JOINTS
from armillary.spatial.inertia import Inertia
from armillary.spatial.matrix import Matrix, Symmetric
from armillary.spatial.rotation import Dense, Rotation
from armillary.spatial.transform import Transform
from armillary.spatial.vector import Vector
from reference.random_trees import random_inertial, random_tree


class Floats:
    """Spans by singular values; what is below 1e-9 of the largest is 0."""

    def basis(self, rows: list[Row]) -> list[Row]:
        arrays = [np.array(row, dtype=float) for row in rows]
        units = [a / np.linalg.norm(a) for a in arrays if np.linalg.norm(a) > 1e-12]
        if not units:
            return []
        _, s, v = np.linalg.svd(np.array(units))
        return [list(row) for row, x in zip(v, s, strict=False) if x > 1e-9]

    def reduced(self, rows: list[Row]) -> tuple[list[Row], list[int]]:
        found = self.basis(rows)
        return found, list(range(len(found)))


@pytest.mark.parametrize("seed", range(40))
def test_counts_by_singular_values(seed: int) -> None:
    rng = np.random.default_rng(seed)
    robot = random_tree(rng, int(rng.integers(1, 8)))
    seen = views(tree(robot, lambda x: x if x == 0 else float(x)), Floats(), rotors=True)
    assert sum(len(view.seen) for view in seen) == base_parameters(robot).rank


def test_rate_of_an_inertia() -> None:
    """b π is the derivative of the inertia seen from a frame that the twist leaves, by a small step of first order."""
    rng = np.random.default_rng(1)
    ten = [float(x) for x in random_inertial(rng)]
    inertia = Inertia(Symmetric(*ten[:6]), Vector(*ten[6:9]), ten[9])
    v, w = Vector(*rng.normal(size=3)), Vector(*rng.normal(size=3))
    h = 1e-20
    turn = Matrix(
        Vector(1, -1j * h * w.z, 1j * h * w.y),
        Vector(1j * h * w.z, 1, -1j * h * w.x),
        Vector(-1j * h * w.y, 1j * h * w.x, 1),
    )
    stepped = inertia.seen_from(Transform(Rotation((Dense(turn),)), v * (1j * h)))
    expected = [np.imag(x) / h for x in stepped]
    assert np.allclose([float(x) for x in rate(inertia, (v, w))], expected, rtol=1e-13)


def test_the_joint_makes_up_for_the_end_of_its_placement() -> None:
    """θ of a hinge, r of a slide, neither of a screw."""
    place = Placement.of(alpha="al", d="D", theta="t", r="R")
    kinds = {
        "revolute": ["Rx", "Tx", "Tz"],
        "prismatic": ["Rx", "Tx", "Rz"],
        "helical": ["Rx", "Tx", "Rz", "Tz"],
        "spherical": ["Rx", "Tx", "Tz"],
    }
    for kind, left in kinds.items():
        robot = Description("one", (Body("link", joint=JOINTS[kind], placement=place, pitch=Formula("p")),))
        assert [step for step, _ in reference_steps(tree(robot, lambda x: x).bodies[0])] == left
