"""The robots that come with Armillary: complete, cited, and the robots of their sources."""

import re

import numpy as np
import pinocchio as pin
import pytest
from numpy.typing import NDArray

from armillary import library
from armillary.dynamics.inertia_matrix import inertia_matrix
from armillary.expr.evaluate import evaluate
from armillary.formats import load
from armillary.robot import Branch, Description, Formula, Tree, tree
from reference.pinocchio import peer

pytestmark = pytest.mark.filterwarnings("ignore:.*puma560.*link3:armillary.errors.RobotWarning")

Floats = NDArray[np.float64]
PROMISED = (
    "planar_biped biped quadruped humanoid30 eel12 snake space_manipulator quadrotor_arm underwater_arm elastic_arm "
    "rx90 puma560 stanford scara ur5 panda lwr planar2r planar3r gantry cartpole torso general6r tree12 "
    "stanford4 testloop_tree sr400_tree gantry6 rpr tree2 akr3000_tree serial6r rods2r pendulum "
    "sr400 akr3000 testloop twoloops four_bar five_bar simple_loop simple_loop2 "
    "gough_stewart rrr3 rp2 prrrp delta orthoglide "
    "unicycle differential_drive car castor3 omni3 mecanum4 mobile_manipulator"
).split()  # fmt: skip


def at_defaults(robot: Description, **values: float) -> Tree:
    """The robot in numbers: its symbols replaced by `values` or their defaults."""
    leaves = {name: p.default for name, p in robot.parameters.items()} | values
    return tree(robot, lambda x: evaluate([x.expr], leaves)[0] if isinstance(x, Formula) else float(x))


def elementary(kind: str, value: float) -> Floats:
    """A turn about or a shift along a coordinate axis."""
    T, k = np.eye(4), "xyz".index(kind[1])
    if kind[0] == "T":
        T[k, 3] = value
        return T
    i, j = (k + 1) % 3, (k + 2) % 3
    T[i, i] = T[j, j] = np.cos(value)
    T[j, i], T[i, j] = np.sin(value), -np.sin(value)
    return T


def poses(robot: Tree, q: Floats) -> dict[str, Floats]:
    """Every frame in the base, from the steps of the placements alone; revolute and prismatic joints."""
    found: list[Floats] = []

    def pose(branch: Branch) -> Floats:
        T = found[branch.parent] if branch.parent >= 0 else np.eye(4)
        for kind, value in branch.steps:
            T = T @ elementary(kind, value)
        return T @ elementary("Rz" if branch.joint.kind == "revolute" else "Tz", q[branch.q.start])

    for branch in robot.bodies:
        found.append(pose(branch))
    return {branch.name: T for branch, T in zip(robot.bodies, found, strict=True)}


def test_all_that_were_promised_are_there():
    assert sorted(PROMISED) == sorted(library.names())


@pytest.mark.parametrize("name", library.names())
def test_each_says_what_it_is_and_where_it_is_from(name):
    robot = load(name)
    assert robot.name and len(robot.source) > 30 and len(robot.doc) > 30
    assert set(robot.parameters) <= set(robot.symbols)
    text = library.path(name).read_text(encoding="utf-8")
    assert all(len(line) <= 400 for line in text.splitlines())
    assert not re.search(r"\bjoint\d+ = ", text)


def test_sizes():
    sizes = {name: (load(name).nq, len(load(name).tips)) for name in library.names()}
    assert sizes == {
        "planar_biped": (7, 2), "biped": (19, 2), "quadruped": (19, 4), "humanoid30": (37, 5), "eel12": (18, 1), "snake": (12, 1),
        "space_manipulator": (13, 1), "quadrotor_arm": (9, 1), "underwater_arm": (11, 1), "elastic_arm": (4, 1),
        "akr3000_tree": (10, 3), "cartpole": (2, 1), "gantry": (3, 1), "gantry6": (6, 1), "general6r": (6, 1), "lwr": (7, 1),
        "panda": (7, 1), "pendulum": (1, 1), "planar2r": (2, 1), "planar3r": (3, 1), "puma560": (6, 1), "rods2r": (2, 1), "rpr": (3, 1),
        "rx90": (6, 1), "scara": (4, 1), "serial6r": (6, 1), "sr400_tree": (8, 2), "stanford": (6, 1), "stanford4": (4, 1),
        "testloop_tree": (4, 2), "testloop": (4, 2), "sr400": (8, 2), "akr3000": (10, 3), "twoloops": (8, 4), "four_bar": (3, 2),
        "gough_stewart": (25, 7), "rrr3": (9, 4), "rp2": (6, 3), "prrrp": (6, 3), "delta": (16, 4), "orthoglide": (22, 7),
        "five_bar": (4, 2), "simple_loop": (3, 2), "simple_loop2": (3, 2), "torso": (5, 2), "tree12": (12, 3), "tree2": (4, 2), "ur5": (6, 1),
        "unicycle": (4, 1), "differential_drive": (7, 3), "car": (9, 4), "castor3": (9, 3), "omni3": (6, 3), "mecanum4": (7, 4),
        "mobile_manipulator": (10, 4),
    }  # fmt: skip


def test_the_rx90_is_symoros():
    robot = load("rx90")
    assert robot.joint_names == tuple(f"joint{k}" for k in range(1, 7))
    assert [str(x) for b in robot.bodies for x in (b.placement.alpha, b.placement.d, b.placement.r)] == (
        "0 0 0 pi/2 0 0 0 D3 0 -pi/2 0 RL4 pi/2 0 0 -pi/2 0 0".split()
    )
    assert {str(x) for x in robot.bodies[3].inertia} == {f"{x}4" for x in "XX XY XZ YY YZ ZZ MX MY MZ M".split()}
    assert robot.frames[0].body == "link6"


# ---- numbers against their sources, read and computed with anew ----

PUMA = (  # α, a, d; mass, centre, principal moments: classical frames, Corke and Armstrong-Hélouvry 1994
    (np.pi / 2, 0, 0, 0, (0, 0, 0), (0, 0.35, 0)),
    (0, 0.4318, 0, 17.4, (-0.3638, 0.006, 0.2275), (0.13, 0.524, 0.539)),
    (-np.pi / 2, 0.0203, 0.15005, 4.8, (-0.0203, -0.0141, 0.070), (0.066, 0.086, 0.0125)),
    (np.pi / 2, 0, 0.4318, 0.82, (0, 0.019, 0), (1.8e-3, 1.3e-3, 1.8e-3)),
    (-np.pi / 2, 0, 0, 0.34, (0, 0, 0), (0.3e-3, 0.4e-3, 0.3e-3)),
    (0, 0, 0, 0.09, (0, 0, 0.032), (0.15e-3, 0.15e-3, 0.04e-3)),
)
UR5 = (  # α, a, d; mass, centre: classical frames, the manufacturer
    (np.pi / 2, 0, 0.089159, 3.7, (0, -0.02561, 0.00193)),
    (0, -0.425, 0, 8.393, (0.2125, 0, 0.11336)),
    (0, -0.39225, 0, 2.33, (0.15, 0, 0.0265)),
    (np.pi / 2, 0, 0.10915, 1.219, (0, -0.0018, 0.01634)),
    (-np.pi / 2, 0, 0.09465, 1.219, (0, 0.0018, 0.01634)),
    (0, 0, 0.0823, 0.1879, (0, 0, -0.001159)),
)


def classical(rows, q: Floats) -> list[Floats]:
    """Frames i of classical Denavit-Hartenberg tables in the base."""
    T, found = np.eye(4), []
    for (alpha, a, d, *_), angle in zip(rows, q, strict=True):
        T = T @ elementary("Rz", angle) @ elementary("Tz", d) @ elementary("Tx", a) @ elementary("Rx", alpha)
        found.append(T)
    return found


def test_the_puma_is_that_of_the_classical_table():
    robot = tree(load("puma560"), float)
    rng = np.random.default_rng(11)
    for _ in range(20):
        q = rng.uniform(-3, 3, size=6)
        ours = poses(robot, q)
        for branch, T, (_, _, _, m, c, moments) in zip(robot.bodies, classical(PUMA, q), PUMA, strict=True):
            R = T[:3, :3]
            center = T @ np.array([*c, 1])
            p = center[:3] - ours[branch.name][:3, 3]
            about_our_origin = R @ np.diag(moments) @ R.T + m * (p @ p * np.eye(3) - np.outer(p, p))
            XX, XY, XZ, YY, YZ, ZZ, *MS, M = (float(x) for x in branch.inertia)
            A = ours[branch.name][:3, :3]
            assert np.allclose(
                A @ np.array([[XX, XY, XZ], [XY, YY, YZ], [XZ, YZ, ZZ]]) @ A.T, about_our_origin, atol=1e-14
            )
            assert np.allclose(A @ MS, m * p, atol=1e-14)
            assert m == M
    gears = (
        (200e-6, 62.6111),
        (200e-6, 107.815),
        (200e-6, 53.7063),
        (33e-6, 76.0364),
        (33e-6, 71.923),
        (33e-6, 76.686),
    )
    assert [b.IA for b in robot.bodies] == pytest.approx([J * N**2 for J, N in gears])


def test_the_ur5_is_that_of_the_manufacturers_table():
    robot = load("ur5")
    numbers = at_defaults(robot, **dict.fromkeys(robot.symbols, 0.0))
    q = np.random.default_rng(12).uniform(-3, 3, size=6)
    ours = poses(numbers, q)
    for branch, T, (_, _, _, m, c) in zip(numbers.bodies, classical(UR5, q), UR5, strict=True):
        A = ours[branch.name]
        *_, MX, MY, MZ, M = branch.inertia
        assert m == M
        assert np.allclose(A @ np.array([MX, MY, MZ, M]), T @ np.array([*c, 1]) * m, atol=1e-14)


def test_the_pandas_flange_at_rest():
    """The manufacturer's drawing: 0.088 m before the base and 0.926 m above it, pointing down."""
    robot = load("panda")
    T = poses(tree(robot, float), np.zeros(7))["link7"] @ elementary("Tz", float(robot.frames[0].placement.r))
    assert np.allclose(T[:3, 3], (0.088, 0, 0.926))
    assert np.allclose(T[:3, :3], np.diag((1, -1, -1)))


def test_the_lectures_two_link_arm():
    """Inertia matrix at th2 = 0 and the gravity torque stretched out, with the table's data and with the rod formula."""
    numbers = peer(load("planar2r"))
    M = pin.crba(numbers.model, numbers.data, np.zeros(2))
    assert [M[0, 0], M[0, 1], M[1, 1]] == pytest.approx([0.08933, 0.02333, 0.00833], abs=1e-12)
    assert pin.computeGeneralizedGravity(numbers.model, numbers.data, np.zeros(2)) == pytest.approx([2.40345, 0.4905])
    rods = inertia_matrix(at_defaults(load("rods2r")), [0.0, 0.0])
    assert [rods[0][0], rods[0][1], rods[1][1]] == pytest.approx([0.0893333333, 0.0233333333, 0.0083333333])


def test_the_cart_pole_is_barto_suttons():
    """Upright at 0, falling towards x: M = [[mc + m, m l cos], [m l cos, 4/3 m l²]], the tip at x + 2 l sin."""
    robot = at_defaults(load("cartpole"))
    for q in ((0.3, 0.0), (0.1, 0.7), (-1, -2.0)):
        M = inertia_matrix(robot, q)
        assert np.allclose(M, [[1.1, 0.05 * np.cos(q[1])], [0.05 * np.cos(q[1]), 4 / 3 * 0.1 * 0.25]])
        T = poses(robot, np.array(q))["pole"] @ elementary("Tx", 1.0)
        assert np.allclose(T[:3, 3], (q[0] + np.sin(q[1]), 0, np.cos(q[1])))


def test_the_gantry_slides_along_x_y_and_z():
    q = np.array([0.1, 0.2, 0.3])
    robot = load("gantry")
    assert np.allclose(poses(at_defaults(robot, **dict.fromkeys(robot.symbols, 1.0)), q)["column"][:3, 3], q)


def test_the_upper_body_stands():
    """At rest: shoulders at LT, 0.2 m to either side, the head above them, upright."""
    robot = load("tree12")
    rest = poses(at_defaults(robot, **{s: 1.0 for s in robot.symbols if s not in robot.parameters}), np.zeros(12))
    assert np.allclose(rest["neck"][:3, 3], (0, 0, 0.55))
    assert np.allclose(abs(rest["head"][:3, 2]), (0, 1, 0))
    assert np.allclose(sorted(rest[f"{side}_shoulder"][1, 3] for side in ("left", "right")), (-0.2, 0.2))
    assert np.allclose([rest[f"{side}_shoulder"][2, 3] for side in ("left", "right")], 0.4)
