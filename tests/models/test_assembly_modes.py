"""How many ways there are to assemble robots with loops: against circles, spheres, an equation in one unknown, and mirrors."""

import numpy as np
import pytest

import armillary as arm
from armillary.errors import ModelError
from armillary.models.closed_states import closed_configurations
from armillary.models.numbers import in_numbers
from reference.parallel_robots import robot

pytestmark = pytest.mark.filterwarnings("ignore::armillary.RobotWarning")


def circles(A: np.ndarray, B: np.ndarray, a: float, b: float) -> list[np.ndarray]:
    """Where a circle about A with radius a and one about B meet."""
    d = np.linalg.norm(B - A)
    e = (B - A) / d
    x = (d * d + a * a - b * b) / (2 * d)
    h = np.sqrt(a * a - x * x)
    return [A + x * e + s * h * np.array([-e[1], e[0]]) for s in (1, -1)]


def test_the_five_bar_has_two() -> None:
    found = arm.load("five_bar").assembly_modes([1.5, 1.6], starts=200)
    assert len(found) == 2 and sum(found.hits) > 100
    assert (found.held, found.found) == (("q1", "q3"), ("q2", "q4"))
    expected = circles(along(1.5), along(1.6) + [1, 0], 1, 1)
    tips = [along(q[0]) + along(q[0] + q[1]) for q in found.q]
    assert all(min(np.linalg.norm(tip - x) for x in expected) < 1e-9 for tip in tips)
    assert str(found).startswith("Five-bar: 2 ways to assemble, found from 200 starts; hits ")


def along(angle: float) -> np.ndarray:
    return np.array([np.cos(angle), np.sin(angle)])


@pytest.mark.parametrize(("name", "q_a"), [("prrrp", (0.02, -0.05)), ("rp2", (0.1, -0.2))])
def test_tips_where_two_circles_meet(name: str, q_a: tuple[float, float]) -> None:
    found = robot(name).assembly_modes(q_a, starts=300)
    if name == "prrrp":
        expected = circles(np.array([-0.3, q_a[0]]), np.array([0.3, q_a[1]]), 0.5, 0.5)
        tips = [q[:2] + [0, 0.4] for q in found.q]
    else:
        expected = circles(np.array([-2.0, 0]), np.array([2.0, 0]), 2.8 + q_a[0], 2.8 + q_a[1])
        tips = [q[:2] + [0, 2.0] for q in found.q]
    assert len(found) == 2
    assert all(min(np.linalg.norm(tip - x) for x in expected) < 1e-9 for tip in tips)


def plates(q_a: np.ndarray) -> int:
    """How many poses a 3-RRR's plate has: its angle is the one unknown of an equation that two differences of circles leave."""
    corners = np.radians([210, 330, 90])
    elbows = [1.2 / np.sqrt(3) * along(c) + 0.4 * along(a) for c, a in zip(corners, q_a, strict=True)]
    phi = np.linspace(-np.pi, np.pi, 40_001)
    # |p + R b_i - e_i|² = l²: with c_i = e_i - R b_i, 2 (c_j - c_i)·p = |c_j|² - |c_i|²
    c = [
        np.array([e[0] - 0.4 / np.sqrt(3) * np.cos(phi + k), e[1] - 0.4 / np.sqrt(3) * np.sin(phi + k)])
        for e, k in zip(elbows, corners, strict=True)
    ]
    (a, b), (d, e) = (2 * (c[j] - c[0]) for j in (1, 2))
    r, s = ((c[j] ** 2).sum(axis=0) - (c[0] ** 2).sum(axis=0) for j in (1, 2))
    det = a * e - b * d
    # over det, that poles be no changes of sign
    x, y = r * e - b * s, a * s - r * d
    value = (x - det * c[0][0]) ** 2 + (y - det * c[0][1]) ** 2 - (0.6 * det) ** 2
    return int((np.diff(np.sign(value)) != 0).sum())


def test_a_3rrr_has_as_many_as_its_equation_has_roots() -> None:
    rng = np.random.default_rng(7)
    numbers, known = in_numbers(robot("rrr3"), {})
    assert numbers.nq == 9
    home = closed_configurations(robot("rrr3"), known, home=True)[0].q[[3, 5, 7]]
    counts: list[int] = []
    for _ in range(6):
        q_a = home + rng.uniform(-0.4, 0.4, 3)
        counts.append(plates(q_a))
        assert len(robot("rrr3").assembly_modes(q_a, starts=400)) == counts[-1]
    assert max(counts) == 6 and len(set(counts)) > 1


def test_a_level_delta_has_two() -> None:
    """Where three spheres about the arms' ends, moved inwards, meet."""
    q_a = np.array([0.3, 0.5, 0.4])
    found = robot("delta").assembly_modes(q_a, starts=600)
    level = [q[:3] for q in found.q if np.abs(q[4:7]).max() < 1e-8]
    assert len(level) == 2
    for p in level:
        for angle, phi in zip(q_a, np.radians([0, 120, 240]), strict=True):
            out = 0.2 - 0.05 + 0.25 * np.cos(angle)
            end = np.array([out * np.cos(phi), out * np.sin(phi), -0.25 * np.sin(angle)])
            assert np.linalg.norm(p - [0, 0, np.sqrt(0.2)] - end) == pytest.approx(0.6, abs=1e-9)


def test_those_of_a_gough_stewart_come_with_their_mirrors() -> None:
    """Joints on the ground lie in a plane, and on the platform: with every way there is its reflection in the ground."""
    made = robot("gough_stewart")
    found = made.assembly_modes([0.02, -0.03, 0.01, 0.04, -0.02, 0.03], starts=400)
    poses = [(q[:3] + [0, 0, 0.65], q[3:7]) for q in found.q]
    assert len(poses) >= 4 and len(poses) % 2 == 0
    for p, (w, x, y, z) in poses:
        mirror, turned = p * [1, 1, -1], np.array([w, -x, -y, z])
        # a reflection of platform and space: R' = M R M, which keeps a plane platform what it is
        assert any(np.allclose(other, mirror, atol=1e-6) and abs(abs(turned @ e) - 1) < 1e-9 for other, e in poses)


def test_out_of_reach_and_what_is_wrong() -> None:
    assert len(arm.load("five_bar").assembly_modes([np.pi, 0.0], starts=100)) == 0
    with pytest.raises(ModelError, match="Five-bar has 2 active coordinates, q1, q3, not 3"):
        arm.load("five_bar").assembly_modes([1, 2, 3])
