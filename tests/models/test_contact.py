"""Points that stay on surfaces and lines: closed forms, the KKT system of Pinocchio's kinematics, laws of energy."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pinocchio as pin
import pytest

import armillary as arm
from armillary.dynamics.closed import Closed, Partition
from armillary.dynamics.loops import closed_direct_dynamics, constraint_forces, direct_dynamics_with_multipliers
from armillary.errors import ModelError, RobotError
from armillary.formats import toml
from armillary.kinematics.closure import independent_rows, moved
from armillary.kinematics.contacts import contacts
from armillary.kinematics.motion import base_motion
from armillary.robot import tree
from armillary.robot.place import pose
from reference.closed_loops import solved
from reference.pinocchio import losses, peer, rotor_inertias
from reference.random_trees import random_state, random_tree


def point_mass(surface: str | list[str], **parameters: float) -> arm.Robot:
    """A mass m on three slides along x, y, z, which stays on a surface."""
    return arm.describe(
        "point",
        arm.prismatic("z"),
        arm.prismatic("y", alpha="-pi/2"),
        arm.prismatic("x", gamma="pi/2", alpha="pi/2", M="m"),
        arm.contact("touch", arm.side("x"), surface),
        gravity=(0, 0, "-g"),
        parameters={"m": 2.0, "g": 9.81, **parameters},
    )  # fmt: skip


def place(robot: arm.Robot, q: np.ndarray) -> np.ndarray:
    return robot.opened().pose("x").evaluate(q=q)["T"][:3, 3]


def test_a_mass_that_glides_on_the_ground() -> None:
    """The book's example: on z = 0 the pressure is 9.81 m whatever the drives push along the ground."""
    robot = point_mass("z")
    model = robot.constraint_forces()
    names = model.input("tau_a").labels
    found = model.evaluate(q=np.zeros(3), qd_a=[0.3, -0.2], tau_a=[0.0, 1.0, 2.0], m=2, g=9.81)
    assert len(names) == 3
    assert found["lambda"] == pytest.approx(2 * 9.81, rel=1e-14)
    assert np.allclose(found["qdd"][0], 0, atol=1e-14) and np.allclose(np.abs(found["qdd"][1:]), [0.5, 1.0])


def test_a_mass_on_a_ball_is_a_spherical_pendulum() -> None:
    """On |P| = R: N = -(m g·P + m v²)/R along the outward normal, a = g + N n / m."""
    R, m, g = 1.3, 2.0, np.array([0, 0, -9.81])
    robot = point_mass("x**2 + y**2 + z**2 - R**2", R=R)
    model = robot.constraint_forces()
    rng = np.random.default_rng(0)
    for _ in range(20):
        P = rng.normal(size=3)
        P *= R / np.linalg.norm(P)
        columns = np.column_stack([place(robot, e) for e in np.eye(3)])
        q = np.linalg.solve(columns, P)
        J = robot.loop_jacobian().evaluate(q=q, qd_a=[0, 0])["J"][0]
        v = np.cross(P, rng.normal(size=3))
        rates = np.linalg.solve(columns, v)
        assert abs(J @ rates) < 1e-12 and np.linalg.norm(J) == pytest.approx(1)
        independent = [int(label[2:]) - 1 for label in model.input("qd_a").labels]
        found = model.evaluate(q=q, qd_a=rates[independent], tau_a=np.zeros(3), m=m, g=9.81)
        N = -(m * (g @ P) + m * (v @ v)) / R
        assert found["lambda"][0] == pytest.approx(N, rel=1e-12)
        assert np.allclose(columns @ found["qdd"], g + N * P / R / m, atol=1e-12)


def test_a_bead_on_a_wire() -> None:
    """On the parabola z = k x², y = 0: x'' (1 + 4k²x²) + 4k² x x'² + 2 g k x = 0."""
    k, g = 0.7, 9.81
    robot = point_mass(["z - k*x**2", "y"], k=k)
    model = robot.constraint_forces(independent=("q3",))
    assert [x.size for x in model.states] == [3, 1, 3] and model.output("lambda").rows == ("touch.1", "touch.2")
    columns = np.column_stack([place(robot, e) for e in np.eye(3)])
    for x, v in ((0.4, 0.5), (-1.1, 2.0), (0.0, 1.0)):
        q = np.linalg.solve(columns, [x, 0, k * x * x])
        sign = columns[0, 2]
        found = model.evaluate(q=q, qd_a=[v * sign], tau_a=np.zeros(3), m=2, g=g, k=k)
        xdd = -(4 * k * k * x * v * v + 2 * g * k * x) / (1 + 4 * k * k * x * x)
        assert (columns @ found["qdd"])[0] == pytest.approx(xdd, rel=1e-12, abs=1e-12)


# ---- random robots ----

SHAPES: tuple[Callable[[np.ndarray, np.ndarray], tuple[str, np.ndarray, np.ndarray]], ...] = (
    lambda P, c: (f"{c[0]}*(x - {P[0]}) + {c[1]}*(y - {P[1]}) + {c[2]}*(z - {P[2]})", c, np.zeros((3, 3))),
    lambda P, c: (
        f"{c[0]}*(x**2 - {P[0] ** 2}) + {c[1]}*(y**2 - {P[1] ** 2}) + {c[2]}*(z*x - {P[2] * P[0]})",
        np.array([2 * c[0] * P[0] + c[2] * P[2], 2 * c[1] * P[1], c[2] * P[0]]),
        np.array([[2 * c[0], 0, c[2]], [0, 2 * c[1], 0], [c[2], 0, 0]]),
    ),
    lambda P, c: (
        f"z - {P[2]} - {c[0]}*(sin(x) - {np.sin(P[0])}) - {c[1]}*(cos(y) - {np.cos(P[1])})",
        np.array([-c[0] * np.cos(P[0]), c[1] * np.sin(P[1]), 1]),
        np.diag([c[0] * np.sin(P[0]), c[1] * np.cos(P[1]), 0]),
    ),
)
"""(formula, gradient, second derivatives) of a surface through P: a plane, a quadric, a wavy ground; derivatives by hand."""


def case(seed: int) -> tuple[arm.Robot, np.ndarray, list[tuple[np.ndarray, np.ndarray]], str, str]:
    """A random tree, a point of one of its links on one or two surfaces that stand on the base or on another link."""
    rng = np.random.default_rng(seed)
    robot = random_tree(rng, int(rng.integers(4, 8)), losses=seed % 2 == 0)
    q, _, _ = random_state(rng, robot)
    movers = [b.name for b in robot.bodies if b.joint.nv]
    tip = movers[-1]
    on = "base" if seed % 3 else movers[0]
    if on == tip:
        on = "base"
    other = peer(robot)
    pin.framesForwardKinematics(other.model, other.data, other.q(q))
    poses = {}
    for name in (tip, on):
        joint, offset = other.joint_of[name]
        poses[name] = (other.data.oMi[joint] * offset).homogeneous if joint else offset.homogeneous
    d = rng.uniform(-0.5, 0.5, 3)
    P = np.linalg.inv(poses[on]) @ poses[tip] @ np.r_[d, 1]
    shapes = [SHAPES[k](P[:3], rng.uniform(0.3, 1.5, 3)) for k in rng.permutation(3)[: 1 + (seed % 4 == 0)]]
    tied = arm.Robot.of(robot).with_parts(
        arm.contact(
            "touch",
            arm.side(tip, gamma=float(np.arctan2(d[1], d[0])), d=float(np.hypot(d[0], d[1])), r=float(d[2])),
            [s[0] for s in shapes],
            on=on,
        )
    )
    bodies = tuple(replace(b, actuated=b.joint.nv == 1) for b in tied.bodies)
    return arm.Robot.of(replace(tied, bodies=bodies)), q, [(s[1], s[2]) for s in shapes], tip, on


def S(a: np.ndarray) -> np.ndarray:
    """S(a) b = a × b."""
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def rows(robot: arm.Robot, q: np.ndarray, qd: np.ndarray, shapes: list[tuple[np.ndarray, np.ndarray]], on: str) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """n·v over q' and its rate with q'' = 0, from Pinocchio's frame Jacobians."""
    other = peer(robot)
    ids = []
    for frame in (robot.contacts[0].point, robot.contacts[0].on):
        joint, offset = other.joint_of[frame.body]

        at = offset * pin.SE3(pose(frame.placement))
        ids.append(other.model.addFrame(pin.Frame(f"f{len(ids)}", joint, 0, at, pin.FrameType.OP_FRAME), False))
    data = other.model.createData()
    v = other.v(qd)
    pin.computeJointJacobiansTimeVariation(other.model, data, other.q(q), v)
    pin.updateFramePlacements(other.model, data)
    where = (other.model, data)
    Jp, Jo = (pin.getFrameJacobian(*where, k, pin.LOCAL_WORLD_ALIGNED) for k in ids)
    dJp, dJo = (pin.getFrameJacobianTimeVariation(*where, k, pin.LOCAL_WORLD_ALIGNED) for k in ids)
    R = data.oMf[ids[1]].rotation
    r = data.oMf[ids[0]].translation - data.oMf[ids[1]].translation
    dr, w = (Jp[:3] - Jo[:3]) @ v, Jo[3:] @ v
    # v in the moving frame: R^T (v_p - v_o - w x r); its Jacobian B and the rate of B
    world = Jp[:3] - Jo[:3] + S(r) @ Jo[3:]
    dworld = dJp[:3] - dJo[:3] + S(dr) @ Jo[3:] + S(r) @ dJo[3:]
    B = R.T @ world
    dB = R.T @ dworld - R.T @ S(w) @ world
    J, rate = [], []
    u = B @ v
    for gradient, second in shapes:
        n = gradient / np.linalg.norm(gradient)
        J.append(other.ours(n @ B))
        rate.append(float(n @ dB @ v + u @ second @ u / np.linalg.norm(gradient)))
    return np.array(J), np.array(rate)


@dataclass
class Touching:
    """A random robot on its surfaces: a state, its parts, torques of all joints, and what the KKT system makes of them."""

    robot: arm.Robot
    q: np.ndarray
    parts: Partition
    qd: np.ndarray
    tau: np.ndarray
    qdd: np.ndarray
    forces: np.ndarray
    size: float


def touching(seed: int) -> Touching | None:
    """One whose rows and masses are well conditioned."""
    robot, q, shapes, _, on = case(seed)
    if robot.nv < 3:
        return None
    rng = np.random.default_rng(seed)
    J, _ = rows(robot, q, np.zeros(robot.nv), shapes, on)
    if np.linalg.svd(J, compute_uv=False).min() < 0.1:
        return None
    places = tuple(range(len(J)))
    dependent = tuple(independent_rows(J.T, len(J)))
    if np.linalg.svd(J[:, dependent], compute_uv=False).min() < 0.1:
        return None
    free = [k for k in range(robot.nv) if k not in dependent]
    qd = np.zeros(robot.nv)
    qd[free] = rng.normal(size=len(free))
    qd[list(dependent)] = np.linalg.solve(J[:, dependent], -J[:, free] @ qd[free])
    if np.abs(qd).min() < 1e-9:
        return None  # Coulomb friction of a joint at rest has the sign of rounding errors
    motors = tuple(k for k, b in enumerate(b for b in robot.bodies for _ in range(b.joint.nv)) if b.actuated)
    tau = np.zeros(robot.nv)
    tau[list(motors)] = rng.normal(size=len(motors))
    _, rate = rows(robot, q, qd, shapes, on)
    other = peer(robot)
    M = pin.crba(other.model, other.data, other.q(q))
    M = other.ours_square(np.triu(M) + np.triu(M, 1).T) + rotor_inertias(robot)
    h = other.ours(pin.nonLinearEffects(other.model, other.data, other.q(q), other.v(qd)))
    h = h + losses(robot, qd, np.zeros_like(qd))
    if np.linalg.cond(M) > 1e5:
        return None
    n, k = robot.nv, len(J)
    x = solved(np.block([[M, -J.T], [J, np.zeros((k, k))]]), np.r_[tau - h, -rate]).astype(float)
    parts = Partition(tuple(free), dependent, motors, places, ((places, places),))
    size = float(np.linalg.norm(x)) + float(np.linalg.norm(qd) ** 2) + float(np.linalg.norm(h)) + 1
    return Touching(robot, q, parts, qd, tau, x[:n], x[n:], size * float(np.sqrt(np.linalg.cond(M))))


def test_random_robots_against_a_kkt_system() -> None:
    """Motion and pressures of 300 random robots by both methods; surfaces on the base and on links that move."""
    done = moving = lines = 0
    for seed in range(2000):
        t = touching(seed)
        if t is None:
            continue
        closed = Closed(tree(t.robot, float).welded(), t.q.tolist(), t.parts)
        base = base_motion(closed.tree)
        qd = t.qd[list(t.parts.independent)].tolist()
        tau = t.tau[list(t.parts.actuated)].tolist()
        for solve in (closed_direct_dynamics, direct_dynamics_with_multipliers):
            assert np.allclose(solve(closed, qd, tau, base), t.qdd, rtol=0, atol=1e-9 * t.size)
        forces = constraint_forces(closed, qd, t.qdd.tolist(), tau, base)
        assert np.allclose([forces[k] for k in range(len(t.forces))], t.forces, rtol=0, atol=1e-9 * t.size)
        moving += t.robot.contacts[0].on.body != "base"
        lines += len(t.forces) == 2
        done += 1
        if done == 300:
            break
    assert done == 300 and moving > 50 and lines > 40


def test_what_is_derived_for_random_robots() -> None:
    """Parts that `partition` finds by itself give the same motion and pressures."""
    done = 0
    for seed in range(200):
        t = touching(seed)
        if t is None:
            continue
        model = t.robot.constraint_forces()
        assert np.abs(t.robot.loop_residual().evaluate(q=t.q)["residual"]).max() < 1e-12
        places = [int(label[2:]) - 1 for label in model.input("qd_a").labels]
        given = {"q": t.q, "qd_a": t.qd[places], "tau_a": t.tau[list(t.parts.actuated)]}
        found = model.evaluate(**{x.name: given[x.name] for x in model.states})
        assert np.allclose(found["qdd"], t.qdd, rtol=0, atol=1e-8 * t.size)
        assert np.allclose(found["lambda"], t.forces, rtol=0, atol=1e-8 * t.size)
        done += 1
        if done == 15:
            break
    assert done == 15


def test_rows_are_rates_of_the_distance() -> None:
    """By central differences, on the surface: |∇h| times the row."""
    for seed in range(12):
        robot, q, shapes, _, _ = case(seed)
        joints = [b.joint for b in robot.bodies]
        residual = robot.loop_residual()
        (touch,) = contacts(tree(robot, float).welded())
        J = np.array(touch.rows(q.tolist()), dtype=float)
        for k in range(robot.nv):
            step = np.zeros(robot.nv)
            step[k] = 1e-6
            ends = [residual.evaluate(q=moved(joints, q, s))["residual"] for s in (step, -step)]
            sizes = np.array([np.linalg.norm(g) for g, _ in shapes])
            assert np.allclose((ends[0] - ends[1]) / 2e-6, J[:, k] * sizes, rtol=0, atol=1e-7)


# ---- drives for a motion and a pressure ----


def test_torques_for_a_motion_and_a_pressure_make_both() -> None:
    """A planar arm wipes a wall: what the drives give comes back as this motion and this pressure."""
    rod = {"mass": 1.0, "center": (0.25, 0, 0), "inertia": (0, 0, 0, 0.02, 0, 0.02)}
    robot = arm.describe(
        "wiper",
        *(arm.revolute(n, d=0.5 if k else 0, **rod) for k, n in enumerate("abc")),
        arm.contact("wall", arm.side("c", d=0.5), "x - 0.8"),
        gravity=(0, -9.81, 0),
    )
    a, b = 0.9, -0.3
    x = 0.8 - 0.5 * (np.cos(a) + np.cos(a + b))
    q = np.array([a, b, np.arccos(x / 0.5) - a - b])
    inverse, forces = robot.contact_inverse_dynamics(), robot.constraint_forces()
    for qdd, N in (([0.3, -0.4], -12.0), ([0.0, 1.0], 5.0)):
        tau = inverse.evaluate(q=q, qd_a=[0.5, 0.2], qdd_a=qdd, pressure=[N])["tau_a"]
        back = forces.evaluate(q=q, qd_a=[0.5, 0.2], tau_a=tau)
        places = [int(label[2:]) - 1 for label in forces.input("qd_a").labels]
        assert np.allclose(back["qdd"][places], qdd, atol=1e-11) and back["lambda"][0] == pytest.approx(N, rel=1e-11)
    # torques of least norm do the same motion with a pressure of their own
    least = robot.closed_inverse_dynamics().evaluate(q=q, qd_a=[0.5, 0.2], qdd_a=[0.3, -0.4])["tau_a"]
    one = inverse.evaluate(q=q, qd_a=[0.5, 0.2], qdd_a=[0.3, -0.4], pressure=[-12.0])["tau_a"]
    J = robot.loop_jacobian().evaluate(q=q, qd_a=[0, 0])["J"][0]
    assert np.linalg.matrix_rank(np.array([least - one, J]), 1e-9) == 1 and abs(least @ J) < 1e-10


def test_a_belt_that_moves_as_it_will_is_known_by_its_acceleration() -> None:
    """A mass m on a wedge that is driven: closed form of the sliding block, wedge accelerating by a given amount."""
    angle, g = 0.4, 9.81
    robot = arm.describe(
        "wedge",
        arm.prismatic("wedge", alpha="pi/2", gamma="pi/2", mass=3),
        arm.prismatic("bx", "base", alpha="pi/2", gamma="pi/2", actuated=False),
        arm.prismatic("bz", "bx", alpha="-pi/2", mass=0.5, actuated=False),
        arm.contact("slide", arm.side("bz"), "z*sin(s) - y*cos(s)", on="wedge"),
        parameters={"s": angle},
        gravity=(0, 0, -9.81),
    )
    # along the wedge's z (the way it slides) and its y (upwards or downwards)
    T = robot.opened().pose("wedge").evaluate(q=np.zeros(3))["T"]
    model = robot.closed_hybrid_dynamics(known=("wedge",) if "wedge" in robot.v_names else ("q1",))
    a = 1.7
    places = [int(label[2:]) - 1 for label in model.input("qd_a").labels]
    found = model.evaluate(q=np.zeros(3), qd_a=np.zeros(len(places)), given=[a], s=angle)
    T_x = robot.opened().pose("bx").evaluate(q=np.zeros(3))["T"][:3, 2]
    T_z = robot.opened().pose("bz").evaluate(q=np.zeros(3))["T"][:3, 2]
    block = T_x * found["qdd"][1] + T_z * found["qdd"][2]
    wedge = T[:3, 2] * found["qdd"][0]
    normal = T[:3, :3] @ [0, -np.cos(angle), np.sin(angle)]
    assert abs((block - wedge) @ normal) < 1e-12
    # the only force on the block but its weight is along the normal
    rest = block - np.array([0, 0, -g])
    assert np.linalg.norm(np.cross(rest, normal)) < 1e-11 and np.linalg.norm(rest) > 1


# ---- what cannot be ----


@pytest.mark.parametrize(
    ("surface", "message"),
    [
        ("R - 1", "with neither x nor y nor z in it"),
        ("x +", "has surface = 'x \\+'"),
        (["x", "y", "z"], "it is a formula in x, y, z that vanishes"),
        (3, "it is a formula in x, y, z that vanishes"),
    ],
)
def test_surfaces_that_are_none(surface: object, message: str) -> None:
    with pytest.raises(RobotError, match=message):
        arm.describe("x", arm.revolute("a"), arm.contact("c", arm.side("a", d=1), surface))  # type: ignore[arg-type]


def test_a_surface_on_the_link_itself() -> None:
    with pytest.raises(RobotError, match="the contact c stands between a and itself"):
        arm.describe("x", arm.revolute("a"), arm.contact("c", arm.side("a", d=1), "x", on="a"))


def test_a_pressure_that_motors_cannot_choose() -> None:
    robot = arm.describe(
        "p",
        arm.revolute("a", mass=1, actuated=True),
        arm.revolute("b", d=1, mass=1, actuated=False),
        arm.contact("c", arm.side("b", d=1), "y"),
    )
    with pytest.raises(ModelError, match="a pressure cannot be chosen where motors"):
        robot.contact_inverse_dynamics()
    assert robot.closed_inverse_dynamics().states


def test_couplings_and_contacts_of_a_file() -> None:
    robot = toml.read(
        """
        name = "tied"
        [parameters]
        R = 1.5
        [[body]]
        name = "a"
        [[body]]
        name = "b"
        d = 1
        [[body]]
        name = "c"
        d = 1
        actuated = true
        [[coupling]]
        name = "gear"
        joint = "b"
        leader = "a"
        ratio = -2
        [[coupling]]
        name = "belt"
        joint = "c"
        leader = "b"
        offset = "R/2"
        [[contact]]
        name = "rim"
        point = { body = "c", d = 0.5 }
        on = { body = "base", r = 0.2 }
        surface = ["x**2 + y**2 - R**2", "z"]
        """
    )
    assert [b.actuated for b in robot.bodies] == [True, False, True]
    text = toml.write(robot)
    assert toml.write(toml.read(text)) == text
    again = toml.read(text)
    assert (again.couplings, again.contacts, again.bodies) == (robot.couplings, robot.contacts, robot.bodies)


def test_what_is_wrong_in_a_file_says_the_line() -> None:
    text = 'name = "x"\n[[body]]\nname = "a"\n[[contact]]\nname = "c"\npoint = { body = "a" }\non = { body = "base" }\nsurface = "1"\n'
    with pytest.raises(RobotError, match="line 8: c has surface = '1', with neither x nor y nor z in it"):
        toml.read(text)
