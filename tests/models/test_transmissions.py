"""Transmissions and couplings that give: known systems, laws, inverse against direct dynamics along motions, the rigid robot as the limit."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

import armillary as arm
from armillary.errors import FormatError, ModelError, RobotError
from armillary.expr.arithmetics import COMPLEXES
from armillary.expr.evaluate import evaluate as evaluate_expressions
from armillary.formats import par, toml
from armillary.program import to_graph
from models.test_tied_joints import ROD, closed_state, five_bar
from reference.random_trees import random_state, random_tree

Floats = NDArray[np.float64]
NAMES = ("qd", "qdd", "qddd", "qdddd")


# ---- couplings that give ----


def sprung(seed: int) -> tuple[arm.Robot, np.random.Generator]:
    """A random tree in which pairs of joints are coupled by springs, with dampers or without."""
    rng = np.random.default_rng([seed, 31])
    robot = random_tree(rng, int(rng.integers(3, 8)))
    single = [b.joint_name for b in robot.bodies if b.joint.nv == 1]
    parts = [
        arm.couple(
            *(str(x) for x in rng.choice(single, 2, replace=False)),
            float(rng.uniform(-2, 2)),
            float(rng.normal()),
            f"spring {k}",
            stiffness=float(rng.uniform(5, 50)),
            damping=float(rng.choice([0, 2])),
        )
        for k in range(int(rng.integers(1, 4)))
        if len(single) > 1
    ]
    tied = arm.Robot.of(robot).with_parts(*parts)
    bodies = tuple(replace(b, actuated=bool(rng.random() < 0.7)) for b in tied.bodies)
    return arm.Robot.of(replace(tied, bodies=bodies)), rng


def coupling_torques(robot: arm.Robot, q: Floats, qd: Floats) -> Floats:
    """rᵀ (K s + D s'), rows by hand."""
    starts = {
        b.joint_name: (sum(x.joint.nq for x in robot.bodies[:k]), sum(x.joint.nv for x in robot.bodies[:k]))
        for k, b in enumerate(robot.bodies)
    }
    out = np.zeros(robot.nv)
    for c in robot.couplings:
        (j, v), (k, w) = starts[c.joint], starts[c.leader]
        row = np.zeros(robot.nv)
        row[v], row[w] = 1, -float(c.ratio)
        s = q[j] - float(c.ratio) * q[k] - float(c.offset)
        out += row * (float(c.stiffness) * s + float(c.damping) * (row @ qd))
    return out


@pytest.mark.parametrize("seed", range(60))
def test_what_gives_is_in_every_model(seed: int) -> None:
    """Torques of the tree and the couplings' own; both methods of direct dynamics, hybrid dynamics and the regressor agree."""
    robot, rng = sprung(seed)
    bare = arm.Robot.of(replace(robot, couplings=()))
    q, qd, qdd = random_state(rng, robot)
    s = coupling_torques(robot, q, qd)
    state = {"q": q, "qd": qd, "qdd": qdd}
    tau = robot.inverse_dynamics().evaluate(**state)["tau"]
    assert np.allclose(tau, bare.inverse_dynamics().evaluate(**state)["tau"] + s, rtol=1e-12, atol=1e-10)
    H = robot.bias_torques().evaluate(q=q, qd=qd)["H"]
    assert np.allclose(H, bare.bias_torques().evaluate(q=q, qd=qd)["H"] + s, rtol=1e-12, atol=1e-10)
    if seed < 20:
        grouped = robot.inverse_dynamics(base_parameters=True).evaluate(**state)["tau"]
        assert np.allclose(grouped, tau, rtol=1e-11, atol=1e-9)
    if seed < 20 and robot.nv:
        assert np.allclose(robot.formulation().evaluate(**state)["tau"], tau, rtol=1e-10, atol=1e-9)
    A = robot.inertia_matrix().evaluate(q=q)["A"]
    if np.linalg.cond(A) < 1e8:
        size = np.linalg.cond(A) * (np.linalg.norm(qdd) + np.linalg.norm(tau) / np.linalg.norm(A))
        for method in ("articulated", "matrix"):
            found = robot.direct_dynamics(method).evaluate(q=q, qd=qd, tau=tau)["qdd"]
            assert np.linalg.norm(found - qdd) <= 1e-12 * size
        known = [name for name in robot.v_names if rng.random() < 0.5]
        held = np.array([name in known for name in robot.v_names])
        found = robot.hybrid_dynamics(tuple(known)).evaluate(q=q, qd=qd, given=np.where(held, qdd, tau))["found"]
        assert np.allclose(found, np.where(held, tau, qdd), rtol=0, atol=1e-11 * (size + np.linalg.norm(tau)))
    made = robot.regressor()
    columns = made.outputs[0].columns
    values = {f"{key}_{p.name}": float(x) for p in (*robot.bodies, *robot.couplings) for key, x in p.values()}
    Y = made.evaluate(**state)["Y"]
    own = [k for k, name in enumerate(columns) if name.partition("_")[2].startswith("spring")]
    assert len(own) == 2 * len(robot.couplings)
    assert np.allclose(Y[:, own] @ [values[columns[k]] for k in own], s, atol=1e-9)


@pytest.mark.parametrize("seed", range(10))
def test_slopes_of_what_gives(seed: int) -> None:
    """Derivatives by complex steps, energy by its slope; gravity and Coriolis torques do not have the couplings in them."""
    rng = np.random.default_rng([seed, 32])
    robot = arm.Robot.of(random_tree(rng, 4, kinds=("revolute", "prismatic"), losses=False))
    first, second = robot.joint_names[0], robot.joint_names[-1]
    robot = robot.with_parts(arm.couple(first, second, 0.7, 0.2, stiffness=9.0, damping=1.5))
    q, qd, qdd = random_state(rng, robot)
    _, results = to_graph(robot.inverse_dynamics())
    labels = {
        x: float(y)
        for i, v in zip(robot.inverse_dynamics().states, (q, qd, qdd), strict=True)
        for x, y in zip(i.labels, v, strict=True)
    }
    found = robot.inverse_dynamics_derivatives().evaluate(q=q, qd=qd, qdd=qdd)
    for name, letters in (("dtau_dq", "q"), ("dtau_dqd", "qd")):
        for j, label in enumerate(robot.inverse_dynamics().input(letters).labels):
            stepped = {x: complex(y, 1e-30 if x == label else 0) for x, y in labels.items()}
            column = (
                np.imag(np.array(evaluate_expressions(results[0].elements, stepped, COMPLEXES), dtype=complex)) / 1e-30
            )
            assert np.abs(found[name][:, j] - column).max() <= 1e-11 * max(1, np.abs(column).max())
    rate = robot.spring_energy().time_derivative().evaluate(q=q, qd=qd)["US_d1t"]
    still = arm.Robot.of(replace(robot, couplings=tuple(replace(c, damping=0) for c in robot.couplings)))
    assert rate == pytest.approx(coupling_torques(still, q, qd) @ qd)
    bare = arm.Robot.of(replace(robot, couplings=()))
    assert np.array_equal(robot.gravity_torques().evaluate(q=q)["G"], bare.gravity_torques().evaluate(q=q)["G"])


def test_holding_one_of_two_joints_leaves_a_spring() -> None:
    """Torques at the joint that is left are those of the whole robot; its own spring stays."""
    robot = arm.describe(
        "pair",
        arm.revolute(
            "a", mass=1, center=(0.2, 0, 0), inertia=(0.1, 0, 0, 0.1, 0, 0.1), stiffness=3.0, reference=0.4, FV=0.1
        ),
        arm.revolute("b", "base", alpha="pi/2", mass=1, center=(0.2, 0, 0), inertia=(0.1, 0, 0, 0.1, 0, 0.1)),
        arm.couple("a", "b", "k", 0.3, stiffness=20.0, damping=2.0),
        parameters={"k": -1.5},
    )
    for place, name in enumerate("ab"):
        left = robot.lock({name: 0.7})
        assert not left.couplings and left.nv == 1
        q, qd = np.array([0.7, 0.7]), np.zeros(2)
        q[1 - place], qd[1 - place] = 0.2, 1.3
        tau = robot.inverse_dynamics().evaluate(q=q, qd=qd, qdd=np.zeros(2), k=-1.5)["tau"][1 - place]
        model = left.inverse_dynamics()
        given = {"q": [0.2], "qd": [1.3], "qdd": [0.0], "k": -1.5}
        assert model.evaluate(**{x.name: given[x.name] for x in model.inputs})["tau"][0] == pytest.approx(
            tau, rel=1e-13
        )
    assert not robot.lock({"a": 0, "b": 0}).couplings


def test_a_belt_in_a_loop() -> None:
    """A spring between two joints of a five-bar: recursion, subsystems and free bodies agree, and the way back."""
    robot = five_bar("ac").with_parts(arm.couple("b", "a", 0.7, 0.1, stiffness=5.0, damping=0.3))
    q, given = closed_state()[0], {"qd_a": [1.0, -0.5], "qdd_a": [0.3, 0.8]}
    names = ("closed-inverse-dynamics", "subsystem-inverse-dynamics", "free-body-dynamics")
    tau, *others = (robot.derive(name).evaluate(q=q, **given)["tau_a"] for name in names)
    without = five_bar("ac").closed_inverse_dynamics().evaluate(q=q, **given)["tau_a"]
    assert all(np.allclose(tau, other, rtol=0, atol=1e-9) for other in others) and not np.allclose(
        tau, without, atol=0.1
    )
    back = robot.closed_direct_dynamics().evaluate(q=q, qd_a=given["qd_a"], tau_a=tau)["qdd"]
    assert np.allclose(back[[0, 2]], given["qdd_a"], atol=1e-9)
    assert robot.loop_solution().output("q").shape == five_bar("ac").loop_solution().output("q").shape


def test_two_discs_and_a_belt_swing() -> None:
    """Free at both ends: ω² = K (1/J1 + r²/J2), and a motion that costs nothing."""
    robot = arm.describe(
        "belt", arm.revolute("a", ZZ=0.3), arm.revolute("b", "base", ZZ=0.02), arm.couple("a", "b", 0.25, stiffness=80.0)
    )  # fmt: skip
    assert robot.modes(free=("q1", "q2")).squares == pytest.approx([0, 80 * (1 / 0.3 + 0.25**2 / 0.02)], abs=1e-10)


# ---- transmissions ----

DRIVES = {
    "rigid": {"inertia": 1.2e-3, "ratio": 20, "FV": 2e-4},
    "elastic": {"inertia": 1.5e-3, "ratio": 15, "stiffness": 40.0, "FV": 1e-4},
    "damped": {"inertia": 1.8e-3, "ratio": 12, "stiffness": 30.0, "damping": 2.0, "FS": 1e-4},
}


def geared(*kinds: str, ball: bool = False, floating: bool = False) -> arm.Robot:
    """Two hinges and a slide with such transmissions, "" for none; the first may be a ball, on a body that may float."""
    link = {"mass": 2.0, "center": (0.2, 0.1, 0), "inertia": (0.1, 0, 0, 0.2, 0, 0.25)}
    gears = [{"transmission": DRIVES[kind]} if kind else {} for kind in kinds]
    first = (
        arm.spherical("first", **link) if ball else arm.revolute("first", alpha="pi/2", FV=0.3, **link, **gears.pop(0))
    )
    return arm.describe(
        "arm",
        *([arm.free("hull", mass=8, inertia=(1, 0, 0, 1, 0, 1))] if floating else []),
        first,
        arm.revolute("second", alpha=0.4, d=0.5, **link, **gears[0]),
        arm.prismatic("third", alpha="pi/2", d=0.3, **link, **gears[1]),
    )


def link_places(robot: arm.Robot) -> tuple[list[int], list[int]]:
    """Places in q and in q' of what is no motor behind a transmission."""
    own = [not b.name.endswith(" motor") for b in robot.bodies]
    of_q = [x for b, o in zip(robot.bodies, own, strict=True) for x in [o] * b.joint.nq]
    of_v = [x for b, o in zip(robot.bodies, own, strict=True) for x in [o] * b.joint.nv]
    return [k for k, o in enumerate(of_q) if o], [k for k, o in enumerate(of_v) if o]


class Motion:
    """Polynomials of degree six in time; a ball turns about one axis, a hull shifts and turns about one axis."""

    def __init__(self, n: int, seed: int, ball: int | None = None, shifts: int = 0) -> None:
        rng = np.random.default_rng(seed)
        self.ball, self.shifts = ball, shifts
        self.axis = rng.normal(size=3)
        self.axis /= np.linalg.norm(self.axis)
        self.c = rng.normal(size=(n, 7)) / np.arange(1, 8) ** 2

    def at(self, t: float) -> dict[str, Floats]:
        rows = [np.array([np.polyval(np.polyder(np.poly1d(c), k), t) for c in self.c]) for k in range(5)]
        if self.ball is None:
            return {"q": rows[0]} | dict(zip(NAMES, rows[1:], strict=True))
        k, half = self.ball, rows[0][self.ball] / 2
        q = np.r_[rows[0][:k], np.cos(half), np.sin(half) * self.axis, rows[0][k + 1 :]]
        return {"q": q} | {n: np.r_[r[:k], r[k] * self.axis, r[k + 1 :]] for n, r in zip(NAMES, rows[1:], strict=True)}


def taken(model: arm.Model, values: dict[str, Floats]) -> dict[str, Floats]:
    return {x.name: values[x.name] for x in model.inputs}


CASES = {
    "elastic": geared("elastic", "elastic", "elastic"),
    "mixed": geared("elastic", "", "elastic"),
    "ball": geared("elastic", "elastic", ball=True),
    "damped": geared("damped", "damped", "damped"),
    "all kinds": geared("elastic", "damped", ""),
}


@pytest.mark.parametrize("kind", CASES)
@pytest.mark.parametrize("seed", range(10))
def test_inverse_and_direct(kind: str, seed: int) -> None:
    """The torques that the inverse model finds make links and motors accelerate as the motion says, by the robot's direct dynamics."""
    r = CASES[kind]
    motion = Motion(3, seed, 0 if kind == "ball" else None)
    made, direct = r.transmission_inverse_dynamics(), r.direct_dynamics()
    of_q, of_v = link_places(r)
    damped = [x for x in made.inputs if x.name == "stretch"]
    e = np.random.default_rng(seed).normal(size=damped[0].size if damped else 0) / 10
    motors = [r.v_names.index(name) for name in made.output("theta").rows]
    places = [r.q_names.index(name) for name in made.output("theta").rows]

    def inverse(t: float, stretch: Floats) -> dict[str, Floats]:
        return made.evaluate(**taken(made, motion.at(t) | {"stretch": stretch}))

    here, state = inverse(0.2, e), motion.at(0.2)
    q, qd, tau = np.zeros(r.nq), np.zeros(r.nv), np.zeros(r.nv)
    q[of_q], q[places], qd[of_v], qd[motors] = state["q"], here["theta"], state["qd"], here["thetad"]
    tau[[r.v_names.index(name) for name in made.output("tau").rows]] = here["tau"]
    found = direct.evaluate(q=q, qd=qd, tau=tau)["qdd"]
    assert np.allclose(found[of_v], state["qdd"], rtol=1e-9, atol=1e-8)
    # stretches of damped transmissions change as s' = q' - r θ' says
    rates, seconds = np.zeros(len(e)), np.zeros(len(e))
    k = 0
    for c in r.couplings:
        if c.damping:
            v = r.v_names.index(r.joint_body(c.joint).velocities[0])
            w = r.v_names.index(r.joint_body(c.leader).velocities[0])
            rates[k], seconds[k] = qd[v] - float(c.ratio) * qd[w], found[v] - float(c.ratio) * found[w]
            k += 1
    h = 1e-4 if damped else 1e-3
    near = {k: inverse(0.2 + k * h, e + k * h * rates + (k * h) ** 2 / 2 * seconds) for k in (-2, -1, 1, 2)}

    def rate(name: str) -> Floats:
        return (8 * (near[1][name] - near[-1][name]) - (near[2][name] - near[-2][name])) / (12 * h)

    assert np.allclose(rate("theta"), here["thetad"], rtol=1e-5, atol=1e-5)
    assert np.allclose(rate("thetad"), found[motors], rtol=1e-5, atol=1e-3)


def test_stiff_transmissions_make_the_rigid_robot_with_rotors() -> None:
    """As 1/K, and rigid ones exactly: the closed robot whose couplings are constraints gives the same torques."""
    r = geared("rigid", "rigid", "rigid")
    state = Motion(3, 1).at(0.3)
    made = r.transmission_inverse_dynamics()
    assert [x.name for x in made.states] == ["q", "qd", "qdd"]
    found = made.evaluate(**taken(made, state))
    of_q, of_v = link_places(r)
    motors = [k for k in range(r.nv) if k not in of_v]
    q = np.zeros(r.nq)
    q[of_q], q[motors] = state["q"], found["theta"]
    tied = r.closed_inverse_dynamics().evaluate(q=q, qd_a=20 * state["qd"], qdd_a=20 * state["qdd"])["tau_a"]
    assert np.allclose(tied, found["tau"], rtol=1e-10) and np.allclose(found["theta"], 20 * state["q"])
    errors: list[float] = []
    for k in (1e5, 1e6, 1e7):
        stiff = arm.Robot.of(replace(r, couplings=tuple(replace(c, stiffness=k) for c in r.couplings)))
        made = stiff.transmission_inverse_dynamics()
        errors.append(float(np.abs(made.evaluate(**taken(made, state))["tau"] - found["tau"]).max()))
    assert errors[1] == pytest.approx(errors[0] / 10, rel=1e-3) and errors[2] == pytest.approx(errors[1] / 10, rel=1e-2)


def test_two_discs_on_a_shaft() -> None:
    """J1 θ'' + K (θ - q) = τ, J2 q'' = K (θ - q)."""
    drive = {"inertia": 0.2, "stiffness": 50}
    r = arm.describe("disc", arm.revolute("disc", ZZ=1, transmission=drive), gravity=(0, 0, 0))
    made = r.transmission_inverse_dynamics()
    given = {"q": [0.3], "qd": [0.1], "qdd": [2.0], "qddd": [-1.0], "qdddd": [7.0]}
    found = made.evaluate(**{x.name: np.array(given[x.name]) for x in made.inputs})
    assert found["theta"] == pytest.approx([0.3 + 2 / 50]) and found["thetad"] == pytest.approx([0.1 - 1 / 50])
    assert found["tau"] == pytest.approx([0.2 * (2 + 7 / 50) + 2.0])
    swing = r.modes(free=r.v_names)
    assert swing.squares == pytest.approx([0, 50 * (1 / 0.2 + 1 / 1)], abs=1e-10)


def test_motors_hold_and_links_sag() -> None:
    """At rest the springs carry the weight, and the motors that of the joints behind their gears."""
    r = geared("elastic", "elastic", "elastic")
    rest = r.equilibrium()
    of_q, of_v = link_places(r)
    motors = [k for k in range(r.nv) if k not in of_v]
    assert [r.v_names.index(name) for name in rest.free] == of_v and rest.stable
    rigid = arm.Robot.of(r.opened()).lock({name: 0 for name in r.joint_names if name.endswith("motor")})
    G = arm.Robot.of(replace(rigid, couplings=())).gravity_torques().evaluate(q=rest.q[of_q])["G"]
    assert np.allclose(rest.q[of_q], -G / 40, atol=1e-10) and np.allclose(rest.torques[motors], G / 15, rtol=1e-9)


def geared_five_bar(kind: str) -> arm.Robot:
    """A five-bar whose two motors drive it through gears."""
    return arm.describe(
        "geared five-bar",
        arm.revolute("a", transmission=DRIVES[kind], **ROD),
        arm.revolute("b", d=0.5, actuated=False, **ROD),
        arm.revolute("c", "base", d=0.6, transmission=DRIVES[kind], **ROD),
        arm.revolute("d", d=0.5, actuated=False, **ROD),
        arm.cut("tip", a=arm.side("b", d=0.5), b=arm.side("d", d=0.5)),
        gravity=(0, -9.81, 0),
    )


def legs(a: float, c: float) -> Floats:
    """Where the passive joints of a five-bar are, by two circles."""
    A, C = 0.5 * np.exp(1j * a), 0.6 + 0.5 * np.exp(1j * c)
    half = (C - A) / 2
    tip = A + half + 1j * half / abs(half) * np.sqrt(0.25 - abs(half) ** 2)
    return np.array([a, np.angle(tip - A) - a, c, np.angle(tip - C) - c])


@pytest.mark.parametrize("kind", ["rigid", "elastic"])
def test_transmissions_in_a_loop(kind: str) -> None:
    """Along a motion of the five-bar's links: torques and motors' motion against its direct dynamics with the motors in it."""
    r = geared_five_bar(kind)
    made = r.closed_transmission_inverse_dynamics()
    start, _ = closed_state()
    rng = np.random.default_rng(4)
    c = rng.normal(size=(2, 7)) * [0.3] / np.arange(1, 8)
    c[:, -1] = start[[0, 2]]

    def inverse(t: float) -> tuple[dict[str, Floats], list[Floats]]:
        rows = [np.array([np.polyval(np.polyder(np.poly1d(x), k), t) for x in c]) for k in range(5)]
        values = {"q": legs(*rows[0])} | {f"{n}_a": row for n, row in zip(NAMES, rows[1:], strict=True)}
        return made.evaluate(**taken(made, values)), rows

    here, rows = inverse(0.1)
    of_q, _ = link_places(r)
    motors = [r.v_names.index(name) for name in made.output("theta").rows]
    q = np.zeros(r.nq)
    q[of_q], q[motors] = legs(*rows[0]), here["theta"]
    links = [r.v_names.index(r.joint_body(x).velocities[0]) for x in "ac"]
    if kind == "rigid":
        names = tuple(r.v_names[k] for k in links)
        model = r.closed_direct_dynamics(independent=names)
        found = model.evaluate(q=q, qd_a=rows[1], tau_a=here["tau"])["qdd"]
    else:
        names = tuple(r.v_names[k] for k in sorted((*motors, *links)))
        model = r.closed_direct_dynamics(independent=names)
        rates = dict(zip((*motors, *links), (*here["thetad"], *rows[1]), strict=True))
        found = model.evaluate(q=q, qd_a=np.array([rates[k] for k in sorted(rates)]), tau_a=here["tau"])["qdd"]
    assert np.allclose(found[links], rows[2], rtol=1e-9, atol=1e-8)
    h = 1e-3
    near = {k: inverse(0.1 + k * h)[0] for k in (-2, -1, 1, 2)}
    for name, expected in (("theta", here["thetad"]), ("thetad", found[motors])):
        slope = (8 * (near[1][name] - near[-1][name]) - (near[2][name] - near[-2][name])) / (12 * h)
        assert np.allclose(slope, expected, rtol=1e-6, atol=1e-5)


def test_the_native_file_has_transmissions() -> None:
    """Said as a table of a body; written as what it is made of, a motor and a coupling."""
    text = """
    name = "arm"
    [[body]]
    name = "shoulder"
    ZZ = 1
    transmission = { inertia = "J", ratio = 100, stiffness = "K", damping = 3, FV = 0.01 }
    [[body]]
    name = "elbow"
    joint = "hinge"
    ZZ = 1
    transmission = { inertia = 0.001 }
    """
    robot = toml.read(text)
    drive = {"inertia": "J", "ratio": 100, "stiffness": "K", "damping": 3, "FV": 0.01}
    same = arm.describe(
        "arm",
        arm.revolute("shoulder", ZZ=1, transmission=drive),
        arm.revolute("elbow", ZZ=1, joint="hinge", transmission={"inertia": 0.001}),
    )
    assert robot.bodies == same.bodies and robot.couplings == same.couplings
    assert robot.bodies[3].parent == "shoulder" and robot.bodies[2].parent == "shoulder"
    again = toml.read(toml.write(robot))
    assert again.bodies == robot.bodies and again.couplings == robot.couplings
    with pytest.raises(
        FormatError, match=r"no place for couplings that give, and there is one at shoulder transmission"
    ):
        par.write(replace(robot, couplings=robot.couplings[:1]))


@pytest.mark.parametrize("seed", range(10))
def test_transmissions_on_a_base_that_floats(seed: int) -> None:
    """With the torques found, and the wrench on the hull, links accelerate as asked; without the wrench the hull gives way."""
    r = geared("elastic", "damped", "", floating=True)
    made, rng = r.transmission_inverse_dynamics(), np.random.default_rng(seed)
    given = {x.name: rng.normal(size=x.size) / 3 for x in made.inputs}
    given["q"][3:7] /= np.linalg.norm(given["q"][3:7])
    found = made.evaluate(**given)
    of_q, of_v = link_places(r)
    motors = [r.v_names.index(name) for name in made.output("theta").rows]
    q, qd, tau = np.zeros(r.nq), np.zeros(r.nv), np.zeros(r.nv)
    q[of_q], qd[of_v], qd[motors] = given["q"], given["qd"], found["thetad"]
    q[[r.q_names.index(name) for name in made.output("theta").rows]] = found["theta"]
    tau[[r.v_names.index(name) for name in made.output("tau").rows]] = found["tau"]
    back = r.direct_dynamics().evaluate(q=q, qd=qd, tau=tau)["qdd"]
    assert np.allclose(back[of_v], given["qdd"], rtol=1e-8, atol=1e-8)
    held = [k for k, name in enumerate(r.v_names) if next(b for b in r.bodies if name in b.velocities).actuated]
    loose = r.underactuated_inverse_dynamics().evaluate(q=q, qd=qd, qdd_a=back[held])
    again = r.direct_dynamics().evaluate(q=q, qd=qd, tau=loose["tau"])["qdd"]
    assert np.allclose(again, loose["qdd"], rtol=1e-8, atol=1e-7) and not loose["tau"][:6].any()


def test_a_geared_loop_sags_and_swings() -> None:
    """At rest each transmission carries what the rigid five-bar's motor would; stiffer ones swing faster, as √K."""
    r, start = geared_five_bar("elastic"), closed_state()[0]
    r = arm.Robot.of(replace(r, couplings=tuple(replace(c, stiffness=400) for c in r.couplings)))
    of_q, _ = link_places(r)
    q = np.zeros(r.nq)
    q[of_q] = start
    motors = [r.v_names.index(f"{b.velocities[0]}") for b in r.bodies if b.name.endswith(" motor")]
    links = [r.v_names.index(r.joint_body(x).velocities[0]) for x in "ac"]
    q[motors] = 15 * q[links]
    names = tuple(r.v_names[k] for k in sorted((*motors, *links)))
    rest = r.equilibrium(q, independent=names)
    assert rest.free == tuple(r.v_names[k] for k in links) and np.array_equal(rest.q[motors], q[motors])
    rigid = arm.describe(
        "five-bar", arm.revolute("a", **ROD), arm.revolute("b", d=0.5, actuated=False, **ROD),
        arm.revolute("c", "base", d=0.6, **ROD), arm.revolute("d", d=0.5, actuated=False, **ROD),
        arm.cut("tip", a=arm.side("b", d=0.5), b=arm.side("d", d=0.5)), gravity=(0, -9.81, 0),
    )  # fmt: skip
    G = rigid.closed_statics().evaluate(q=rest.q[of_q])["tau"]
    assert np.allclose(400 * (rest.q[links] - rest.q[motors] / 15), -G, atol=1e-9)
    stiff = arm.Robot.of(replace(r, couplings=tuple(replace(c, stiffness=4e6) for c in r.couplings)))
    stiffer = arm.Robot.of(replace(r, couplings=tuple(replace(c, stiffness=16e6) for c in r.couplings)))
    slow, fast = (x.modes(q, independent=names).frequencies for x in (stiff, stiffer))
    A = rigid.closed_inertia_matrix().evaluate(q=start)["A"]
    assert np.allclose(fast, 2 * slow, rtol=1e-4)
    assert np.allclose(slow**2 / 4e6, np.sort(1 / np.linalg.eigvalsh(A)), rtol=1e-4)


def test_what_is_wrong_is_said() -> None:
    for drive, message in (
        ({"inertia": 1, "gear": 3}, "the transmission of a has the unknown key 'gear'; it may have inertia, ratio"),
        ({"ratio": 0}, "has the ratio 0"),
        (3, "it is a table, such as"),
        ({"stiffness": -2}, "has stiffness = -2; what gives pulls back"),
        ({"damping": 2}, "has damping = 2 and does not give"),
    ):
        with pytest.raises(RobotError, match=message):
            arm.describe("x", arm.revolute("a", transmission=drive))  # type: ignore[arg-type]
    with pytest.raises(RobotError, match="a spherical part cannot: it drives one velocity"):
        arm.describe("x", arm.spherical("a", transmission={"ratio": 2}))
    belt = arm.describe(
        "x", arm.revolute("a", ZZ=1), arm.revolute("b", "base", ZZ=1), arm.couple("a", "b", stiffness=3)
    )
    with pytest.raises(ModelError, match="a with b gives and is no transmission"):
        belt.transmission_inverse_dynamics()
    with pytest.raises(ModelError, match="derivatives by qd in it: none of its elements can be fixed"):
        CASES["elastic"].transmission_inverse_dynamics(fixed={"QP1": 0})
    slack = arm.describe("x", arm.revolute("a", ZZ=1, transmission={"ratio": 3, "stiffness": 4}))
    with pytest.raises(ModelError, match="nothing with inertia moves with q1"):
        slack.direct_dynamics()
