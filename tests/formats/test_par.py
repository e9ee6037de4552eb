"""SYMORO's files: what each section means, what is written is read back, and what cannot be read or said is named."""

import contextlib
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

from armillary import library
from armillary.dynamics.newton_euler import inverse_dynamics
from armillary.errors import ArmillaryError, FormatError
from armillary.formats import load, par, save
from armillary.geometry.pose import pose
from armillary.kinematics.motion import base_motion
from armillary.robot import (
    CUTS,
    INERTIAL,
    JOINTS,
    WRENCH,
    Base,
    Body,
    Description,
    Frame,
    Inertial,
    Limits,
    Parameter,
    Placement,
    tree,
    value,
)
from armillary.robot.make import contact, couple, describe, revolute, side
from armillary.robot.value import text
from reference.pinocchio import elementary, losses, peer
from reference.random_trees import random_inertial, random_placement, random_tree
from reference.symoro_robots import TABLES, Table, par_text, table

TREES = [t for t in TABLES if t.type < 2 and t.base == "fixed"]
CLOSED = [t for t in TABLES if t.type == 2]
ORDER = {"gamma": "Rz", "b": "Tz", "alpha": "Rx", "d": "Tx", "theta": "Rz", "r": "Tz"}


def check_against_table(d: Description, t: Table) -> None:
    """Every element of the table stands where it belongs; theta or r is the coordinate."""
    names = ["base", *(b.name for b in d.bodies)]
    assert len(d.bodies) == t.NL
    for j, body in enumerate(d.bodies):
        moving = {"0": "theta", "1": "r"}.get(t.column("sigma")[j], "")
        assert body.parent == names[int(t.column("ant")[j])]
        assert str(body.joint.sigma) == t.column("sigma")[j]
        assert body.actuated == (t.column("mu")[j] == "1")
        for key in ORDER:
            given = t.column(key)[j]
            if key == moving:
                assert given == "".join(body.coordinates) if given.isidentifier() else body.coordinates[0] in given
            else:
                assert getattr(body.placement, key) == value(given), (body.name, key)
        assert [text(x) for x in body.inertia] == [f"{key}{j + 1}" for key in INERTIAL]
        assert (text(body.IA), text(body.FV), text(body.FS)) == (f"IA{j + 1}", f"FV{j + 1}", f"FS{j + 1}")
        wrench = [f"{key}{t.NL}" if j + 1 == t.NL else "0" for key in WRENCH]
        assert [text(x) for x in body.wrench] == wrench
    assert [text(x) for x in d.base.gravity] == ["0", "0", "G3"]


@pytest.mark.parametrize("t", TREES, ids=lambda t: t.name)
def test_every_robot_is_read_and_read_back(t: Table) -> None:
    d = par.read(par_text(t))
    assert d.name == t.name
    check_against_table(d, t)
    assert par.read(par.write(d)) == d


@pytest.mark.parametrize("t", CLOSED, ids=lambda t: t.name)
def test_closed_loops_are_read_and_read_back(t: Table) -> None:
    """Frame k of a cut joint and its twin k + B are the two sides; NL + 1 to NJ are the joints that are cut."""
    d = par.read(par_text(t))
    check_against_table(d, t)
    B = t.NJ - t.NL
    names = ["base", *(b.name for b in d.bodies)]
    assert len(d.cuts) == B and d.frames == ()
    for j, cut in enumerate(d.cuts, start=t.NL):
        assert (
            cut.name == f"joint{j + 1}"
            and cut.kind.kind == ("revolute", "prismatic", "fixed")[int(t.column("sigma")[j])]
        )
        for k, end in ((j, cut.a), (j + B, cut.b)):
            carrier = int(t.column("ant")[k])
            while carrier > t.NL:
                k, carrier = carrier - 1, int(t.column("ant")[carrier - 1])
            assert end.body == names[carrier]
            expected = {key: value(t.column(key)[k]) for key in ORDER if (k, key) != (j, "theta")}
            assert {key: x for key, x in end.placement.items() if key in expected} == expected
    assert par.read(par.write(d)) == d


@pytest.mark.parametrize("t", CLOSED, ids=lambda t: t.name)
def test_the_tree_of_closed_loops_alone(t: Table) -> None:
    d = par.read(par_text(t), tree=True)
    check_against_table(d, t)
    assert d.cuts == ()
    assert [f.name for f in d.frames] == [f"frame{j + 1}" for j in range(t.NL, t.NF) if t.column("sigma")[j] == "2"]
    assert par.read(par.write(d)).bodies == d.bodies


@pytest.mark.parametrize(
    "name", ["sr400", "akr3000", "testloop", "twoloops", "four_bar", "five_bar", "simple_loop", "simple_loop2"]
)
def test_closed_robots_of_the_library_are_written_and_read_again(name: str) -> None:
    d = load(name)
    again = par.read(par.write(d))
    assert (again.bodies, again.frames, again.cuts) == (d.bodies, d.frames, d.cuts)


@pytest.mark.parametrize(
    ("kind", "losses", "message"),
    [
        ("spherical", {}, "a .par file has no spherical joints, and 'tip joint' is one"),
        ("revolute", {"FV": 0.1}, "'tip joint' has FV = 0.1; a .par file has no place for it"),
    ],
)
def test_cut_joints_that_cannot_be_written(kind: str, losses: dict[str, float], message: str) -> None:
    d = load("five_bar")
    [cut] = d.cuts
    with pytest.raises(FormatError, match=message):
        par.write(replace(d, cuts=(replace(cut, kind=CUTS[kind], **losses),)))


def test_sliding_and_fixed_cuts() -> None:
    d = load("five_bar")
    [cut] = d.cuts
    for kind in ("prismatic", "fixed"):
        changed = replace(d, cuts=(replace(cut, kind=CUTS[kind]),))
        assert par.read(par.write(changed)).cuts == changed.cuts


def test_what_is_wrong_with_a_loop_is_told() -> None:
    text = par.write(load("sr400"))
    mu = next(line for line in text.splitlines() if line.startswith("mu"))
    elements = mu[mu.index("{") + 1 : -1].split(", ")
    elements[8] = "1"
    with pytest.raises(FormatError, match=r"line \d+: mu of 9 is '1': a joint that is cut has no motor"):
        par.read(text.replace(mu, f"mu = {{{', '.join(elements)}}}"))
    with pytest.raises(FormatError, match="Type = 1, and of 9 joints 1 close loops"):
        par.read(text.replace("Type = 2 (* Closed loop *)", "Type = 1"))
    k = next(line for line in text.splitlines() if line.startswith("k ="))
    with pytest.raises(FormatError, match="k of 9 is 'ks': a joint that is cut has no spring"):
        par.read(text.replace(k, f"{k[:-2]}ks}}"))


# ---- a base that moves ----


@pytest.mark.parametrize("t", [t for t in TABLES if t.base != "fixed"], ids=lambda t: t.name)
def test_a_base_that_moves_is_the_first_body(t: Table) -> None:
    """What is said of links begins with it; the antecedent 0 is it, and no frame hangs on the ground."""
    d = par.read(par_text(t))
    base, *links = d.bodies
    assert base.joint.kind == {"floating": "free", "mobile": "fixed"}[t.base] and base.name == "link0"
    assert [text(x) for x in base.inertia] == [f"{key}0" for key in INERTIAL] and not any(base.wrench)
    assert [text(x) for x in links[0].inertia] == [f"{key}1" for key in INERTIAL]
    assert text(links[-1].wrench[0]) == f"FX{t.NL}"
    assert [d.index[b.parent] for b in links] == list(map(int, t.column("ant")))
    names = [[f"{key[:-1]}{axis}b" for axis in "XYZ"] for key in ("V0", "W0", "VP0", "WP0")]
    if t.base == "mobile":
        assert [text(x) for x in (*d.base.velocity, *d.base.acceleration)] == [x for group in names for x in group]
        assert d.nv == t.NL
    else:
        assert not any(d.base.velocity) and not any(d.base.acceleration)
        assert (d.nq, d.nv) == (t.NL + 7, t.NL + 6) and not base.actuated
        assert d.q_names[:7] == ("q1x", "q1y", "q1z", "q1ow", "q1ox", "q1oy", "q1oz")
    written = par.write(d)
    assert f"is_{t.base} = True" in written and f"NL = {t.NL}" in written
    assert par.read(written) == d


def floating_tree(rng: np.random.Generator, n: int) -> Description:
    """A body that floats, and a tree of hinges, slides and fixed links on it."""
    links = random_tree(rng, n, ("revolute", "prismatic", "fixed"), losses=False)
    free = JOINTS["free"]
    coordinates, velocities = (tuple(f"trunk {mark}" for mark in marks) for marks in free.marks)
    trunk = Body(
        "the trunk",
        joint=free,
        inertia=random_inertial(rng),
        wrench=(1, 2, 3, 4, 5, 6),
        joint_name="floats",
        coordinates=coordinates,
        velocities=velocities,
        actuated=False,
    )
    bodies = tuple(
        replace(
            b, parent="the trunk" if b.parent == "base" else b.parent, joint_name=b.joint_name if b.joint.nv else ""
        )
        for b in links.bodies
    )
    return replace(links, bodies=(trunk, *bodies), frames=(Frame("eye", "the trunk", Placement.of(r=2)),))


@pytest.mark.parametrize("seed", range(40))
def test_random_robots_that_float_are_written_and_read_back(seed: int) -> None:
    rng = np.random.default_rng([seed, 2])
    d = floating_tree(rng, int(rng.integers(0, 8)))
    assert par.read(par.write(d)) == d


@pytest.mark.parametrize("seed", range(40))
def test_a_mobile_base_feels_what_a_floating_one_is_driven_by(seed: int) -> None:
    """One text with is_mobile and with is_floating: where the second moves as the first is said to, torques are the same.

    V0 and VP0 are the velocity and the true acceleration of the base's origin: VP0 = v' + W0 × V0.
    """
    rng = np.random.default_rng([seed, 4])
    d = floating_tree(rng, int(rng.integers(1, 8)))
    text = par.write(d)
    V0, W0, VP0, WP0 = rng.normal(size=(4, 3))
    for key, x in (("V0", V0), ("W0", W0), ("VP0", VP0), ("WP0", WP0)):
        text = re.sub(rf"\n{key} = .*", f"\n{key} = {{{', '.join(repr(float(u)) for u in x)}}}", text)
    mobile = par.read(
        text.replace("is_floating = True", "is_floating = False").replace("is_mobile = False", "is_mobile = True")
    )
    assert par.read(par.write(mobile)) == mobile
    n = mobile.nv
    q, v, a = rng.normal(size=(3, n))
    fixed = tree(mobile, float)
    ours = np.array(inverse_dynamics(fixed, q, v, a, base_motion(fixed)), dtype=float)
    free = tree(d, float)
    state = (np.r_[np.zeros(3), 1, 0, 0, 0, q], np.r_[V0, W0, v], np.r_[VP0 - np.cross(W0, V0), WP0, a])
    theirs = np.array(inverse_dynamics(free, *state, base_motion(free)), dtype=float)
    assert np.linalg.norm(ours - theirs[6:]) <= 1e-9 * max(1, np.linalg.norm(theirs))


FLOAT = par_text(table("Float2R"))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("is_mobile = False", "is_mobile = True", "line 9: the base is floating and mobile; it is one of them"),
        ("W0 = {WXb", "W0 = {2*WXb", "W0 of 1 is '2\\*WXb': of a base that floats it is the name of an input"),
        ("VP0 = {VPXb", "VP0 = {1", "VP0 of 1 is '1': of a base that floats"),
        ("M = {M0,", "M = {", "line 32: M has 2 elements; it takes 3"),
        ("M = {M0,", "M = {-1,", "link0 has the mass -1"),
    ],
)
def test_what_is_wrong_with_a_base_that_floats(old: str, new: str, message: str) -> None:
    assert FLOAT.count(old) == 1
    with pytest.raises(ArmillaryError, match=message):
        par.read(FLOAT.replace(old, new))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"placement": Placement.of(r=1)}, "'the trunk' floats from another place than the base's"),
        ({"actuated": True}, "'the trunk' floats and has motors"),
        ({"FV": 0.5}, "'the trunk' floats and has losses"),
        ({"limits": (Limits(-1, 1),) * 6}, "'the trunk' floats and has limits"),
    ],
)
def test_what_a_floating_base_cannot_say(changes: dict[str, object], message: str) -> None:
    d = floating_tree(np.random.default_rng(1), 2)
    with pytest.raises(FormatError, match=message):
        par.write(replace(d, bodies=(replace(d.bodies[0], **changes), *d.bodies[1:])))  # type: ignore[arg-type]


def test_nothing_hangs_on_the_ground_below_a_base_that_floats() -> None:
    d = floating_tree(np.random.default_rng(1), 2)
    with pytest.raises(FormatError, match="floats, and 'mark' hangs on the base, which is no body then"):
        par.write(replace(d, frames=(Frame("mark", "base"),)))
    with pytest.raises(FormatError, match="floats from a base that moves"):
        par.write(replace(d, base=Base(velocity=(1, 0, 0, 0, 0, 0))))


def test_couplings_and_contacts_are_refused_by_name() -> None:
    d = describe("r", revolute("a"), revolute("b"), couple("b", "a", 2))
    with pytest.raises(FormatError, match=r"r: a \.par file has no place for couplings, and 'b with a' is one"):
        par.write(d)
    with pytest.raises(FormatError, match=r"no place for contacts, and 'tip' is one"):
        par.write(describe("r", revolute("a"), contact("tip", side("a", d=1), "y")))


# ---- what the numbers mean: independent matrices, and Pinocchio ----


@pytest.mark.parametrize("seed", range(60))
def test_frames_of_random_tables(seed: int) -> None:
    """Each frame's pose is the product of the six elementary matrices of its line, antecedent by antecedent."""
    rng = np.random.default_rng(seed)
    n, tools = int(rng.integers(1, 8)), int(rng.integers(0, 4))
    ant = [int(rng.integers(0, j)) for j in range(1, n + tools + 1)]
    sigma = [int(rng.integers(0, 3)) for _ in range(n)] + [2] * tools
    given = {key: [float(x) for x in rng.normal(size=n + tools).round(3)] for key in ORDER}
    columns = {"ant": list(map(str, ant)), "sigma": list(map(str, sigma))}
    columns |= {key: list(map(repr, c)) for key, c in given.items()}
    moving = ["theta" if s == 0 else "r" for s in sigma]
    for j, s in enumerate(sigma):
        if s < 2:
            columns[moving[j]][j] += f" + q{j + 1}"
    d = par.read(par_text(Table("random", 1, n, n, "fixed", columns), G=[1, 2, 3]))
    q = rng.normal(size=d.nq)
    coordinate = iter(q)
    for j, s in enumerate(sigma):
        if s < 2:
            given[moving[j]][j] += next(coordinate)
    T = [np.eye(4)]
    robot = tree(d, lambda x: 0.0 if not isinstance(x, int | float) and hasattr(x, "expr") else float(x))
    for j in range(1, n + tools + 1):
        step = np.eye(4)
        for key, kind in ORDER.items():
            step = step @ elementary(kind, given[key][j - 1])
        T.append(T[ant[j - 1]] @ step)
        name = d.bodies[j - 1].name if j <= n else f"frame{j}"
        ours = np.array(pose(robot, q, name, "base").matrix(), dtype=float)
        assert np.abs(ours - T[j]).max() < 1e-13


@pytest.mark.parametrize("seed", range(60))
def test_random_trees_are_written_and_read_back(seed: int) -> None:
    """Numbers to the last bit; torques equal to Pinocchio's after the way through the file."""
    rng = np.random.default_rng(seed)
    d = random_tree(rng, int(rng.integers(1, 12)), ("revolute", "prismatic", "fixed"))
    d = replace(
        d,
        name="any robot",
        frames=(Frame("tool", d.bodies[-1].name, replace(random_placement(rng), beta=0)),),
        bodies=tuple(replace(b, joint_name=b.joint_name if b.joint.nv else "") for b in d.bodies),
    )
    back = par.read(par.write(d))
    assert back == d
    if not d.nv:
        return
    p = peer(back)
    q, v, a = rng.normal(size=d.nv), rng.normal(size=d.nv), rng.normal(size=d.nv)
    robot = tree(back, float)
    ours = np.array(inverse_dynamics(robot, q, v, a, base_motion(robot)), dtype=float)
    theirs = p.ours(pin.rnea(p.model, p.data, p.q(q), p.v(v), p.v(a))) + losses(back, v, a)
    assert np.linalg.norm(ours - theirs) <= 1e-9 * max(1, np.linalg.norm(theirs))


def test_gravity_and_the_base_as_the_sections_say() -> None:
    d = par.read(
        par_text(
            table("RX90"),
            G=[0, "g", "-9.81"],
            V0=[1, 2, 3],
            W0=["w", 0, 0],
            VP0=[4, 5, 6],
            WP0=[7, 8, "9"],
            Z=["0", "-1", "0", "0", "1", "0", "0", "h", "0", "0", "1", "2*h", "0", "0", "0", "1"],
        )
    )
    assert d.base.gravity == (0, value("g"), value("-9.81"))
    assert d.base.velocity == (1, 2, 3, value("w"), 0, 0)
    assert d.base.acceleration == (4, 5, 6, 7, 8, 9)
    assert par.read(par.write(d)) == d


def matrix_with(d: Description, **symbols: float) -> np.ndarray:
    """The pose of the base in the world, with numbers for symbols."""

    def number(x: object) -> float:
        expr = getattr(x, "expr", None)
        if expr is None:
            return float(x)  # type: ignore[arg-type]
        graph = expr.graph
        [bound] = graph.copy([expr], {k: graph.const(v) for k, v in symbols.items() if k in x.symbols})  # type: ignore[attr-defined]
        return float(bound.const)

    numbers = Placement(**{k: value(number(x)) for k, x in d.base.placement.items()})
    T = np.eye(4)
    for kind, x in numbers.steps(float):
        T = T @ elementary(kind, x)
    return T


@pytest.mark.parametrize("seed", range(40))
def test_the_pose_of_the_base(seed: int) -> None:
    """Any rotation of numbers, also by right angles and half turns, with a position of numbers or symbols."""
    rng = np.random.default_rng(seed)
    turns = [rng.choice([0, np.pi / 2, np.pi, -np.pi / 2, float(rng.uniform(-3, 3))]) for _ in range(3)]
    R = elementary("Rz", turns[0]) @ elementary("Rx", turns[1]) @ elementary("Rz", turns[2])
    if seed % 2:
        R = np.where(np.abs(R) < 1e-15, 0, R)
    numbers = rng.normal(size=3).round(3)
    expected = R.copy()
    expected[:3, 3] = numbers
    Z = [[repr(float(x)) for x in row] for row in expected]
    symbols = {"px": numbers[0], "py": numbers[1], "pz": numbers[2]}
    for given in (dict[str, float](), symbols):
        if given:
            for row, name in zip(Z, symbols, strict=False):
                row[3] = name
        d = par.read(par_text(table("RX90"), Z=[x for row in Z for x in row]))
        assert np.abs(matrix_with(d, **given) - expected).max() < 1e-14
        try:
            back = par.read(par.write(d))
        except FormatError as error:
            assert given and "the base is turned by a formula" in str(error)
            continue
        assert np.abs(matrix_with(back, **given) - expected).max() < 1e-14


# ---- what OpenSYMORO failed to read ----


def test_symbols_of_any_name_and_comments_lose_nothing() -> None:
    """Names that other systems take for constants and functions; a comment behind a vector used to drop the vector."""
    t = table("RX90")
    d = par.read(
        par_text(
            t,
            d=["S", "N", "E", "I", "Q", "O"],
            r=["beta", "gamma", "lambda", "zeta", "C", "Pi*L"],
            gamma=["Pi/2", "pi", "2*Pi/3", "-Pi", "0", "atan2(S, 2*N)"],
            MX=["None", "True", "im", "re", "Symbol", "Integer} (* metres, kg = {1, 2} *)"],
        ).replace("Integer} (* metres, kg = {1, 2} *)}", "Integer} (* metres, kg = {1, 2} *)")
    )
    assert [text(b.placement.d) for b in d.bodies] == ["S", "N", "E", "I", "Q", "O"]
    assert [text(b.placement.r) for b in d.bodies] == ["beta", "gamma", "lambda", "zeta", "C", "pi*L"]
    gammas = [text(b.placement.gamma) for b in d.bodies]
    assert gammas == ["pi/2", "pi", "2*pi/3", "-pi", "0", "atan2(S, 2*N)"]
    assert [text(b.inertia.MX) for b in d.bodies] == ["None", "True", "im", "re", "Symbol", "Integer"]
    assert par.read(par.write(d)) == d


def test_vectors_over_several_lines_with_comments_between() -> None:
    usual = par_text(table("RX90"))
    spread = usual.replace("alpha = {0,pi/2,0,", "alpha =\n  {0, (* one *)\n  pi/2 (* two (* within *) *),\n\t0 , ")
    assert spread != usual
    assert par.read(spread) == par.read(usual)
    assert par.read(usual.replace("\n", "\r\n")) == par.read(usual)


def test_old_keys() -> None:
    usual = par_text(table("Stanford"))
    old = usual
    for new, name in (("ant", "Ant"), ("mu", "Mu"), ("sigma", "Sigma"), ("b", "B"), ("alpha", "Alpha")):
        old = old.replace(f"\n{new} =", f"\n{name} =")
    old = old.replace("\ntheta =", "\nTheta =").replace("\nr =", "\nR =")
    assert par.read(old) == par.read(usual)
    assert par.read(re.sub(r"^\w+(?= = )", lambda key: key[0].upper(), usual, flags=re.M)) == par.read(usual)
    assert par.read(re.sub(r"^\w+(?= = )", lambda key: key[0].lower(), usual, flags=re.M)) == par.read(usual)


def test_frames_beyond_the_links_are_tools() -> None:
    """On links, on the base, and on one another, with symbols where the placements join."""
    t = table("RX90")
    columns = {key: [*c] for key, c in t.columns.items()}
    rows = {
        "ant": ("6", "0", "7", "8", "10"),
        "alpha": ("0.3", "0", "0", "pi/2", "0"),
        "gamma": ("g", "0", "h", "0", "0"),
        "r": ("L7", "2", "-L7", "0", "1"),
    }
    for key in ("ant", "sigma", "mu", "gamma", "b", "alpha", "d", "theta", "r"):
        columns.setdefault(key, ["0"] * 6)
        columns[key] += rows.get(key, ("2",) * 5 if key == "sigma" else ("0",) * 5)
    d = par.read(par_text(replace(t, columns=columns)))
    assert [(f.name, f.body) for f in d.frames] == [
        ("frame7", "link6"),
        ("frame8", "base"),
        ("frame9", "link6"),
        ("frame10", "base"),
        ("frame11", "base"),
    ]
    assert d.frames[0].placement == Placement.of(gamma="g", alpha=0.3, r="L7")
    assert d.frames[2].placement == Placement.of(gamma="g", alpha=0.3, theta="h")
    assert d.frames[4].placement == Placement.of(b=2, alpha="pi/2", r=1)
    assert par.read(par.write(d)) == d


def test_absent_keys_have_the_symbols_of_symoro() -> None:
    lines = par_text(table("RX90")).splitlines()
    kept = ("NL", "ant", "sigma", "alpha", "d", "theta", "r", "(*")
    d = par.read("\n".join(x for x in lines if x.startswith(kept) and not x.startswith("(* End")) + "\n")
    full = par.read(par_text(table("RX90"), G=[0, 0, "GZ"]))
    assert replace(d, source="") == full


@pytest.mark.parametrize(
    ("theta", "coordinate", "offset"),
    [
        ("th2 + pi/2", "th2", "pi/2"),
        ("th2-Pi", "th2", "-pi"),
        ("0.25 + (q + 0.5)", "q", "0.75"),
        ("phi + th2 - 2*psi", "th2", "phi - 2*psi"),
        ("S + q2", "q2", "S"),
        ("th2/2 + th2/2", "th2", "0"),
        ("E", "E", "0"),
    ],
)
def test_a_coordinate_with_an_offset(theta: str, coordinate: str, offset: str) -> None:
    d = par.read(par_text(table("RX90"), theta=["th1", theta, "th3", "th4", "th5", "th6"]))
    assert d.bodies[1].coordinates == (coordinate,)
    assert d.bodies[1].placement.theta == value(offset)
    assert par.read(par.write(d)) == d


# ---- names and facts that travel in comments ----


def test_names_limits_and_parameters_travel_in_comments() -> None:
    d = Description(
        "arm 7-b",
        (
            Body(
                "upper arm",
                placement=Placement.of(theta="phi + pi/3", r="L1"),
                joint_name="shoulder (*) 'yaw'",
                coordinates=("q-shoulder",),
                velocities=("w*) shoulder",),
                limits=(Limits(-1.5, None, 2.0, 30.0),),
                FV="FV1",  # type: ignore[arg-type]
                inertia=Inertial(M=2),
            ),
            Body("hand", "upper arm", JOINTS["prismatic"], joint_name="slide", coordinates=("d",), velocities=("d",)),
        ),
        frames=(Frame('tool {1} = "tip"', "hand", Placement.of(r=0.1)),),
        base=Base(Placement.of(r=1, theta="pi/2"), (0, 0, value("-g"))),
        parameters={"L1": Parameter("L1", 0.5, "m", "length, *) of (* the arm"), "g": Parameter("g")},
        source="somewhere",
        doc="two joints\nand two lines (*)",
    )
    d = replace(d, bodies=(replace(d.bodies[0], FV=value("FV1")), d.bodies[1]))
    assert par.read(par.write(d)) == d


def test_a_file_gives_its_name_where_it_has_no_other(tmp_path: Path) -> None:
    path = tmp_path / "my_robot.par"
    text = "\n".join(x for x in par_text(table("RX90")).splitlines() if "Robotname" not in x)
    path.write_bytes(b"\xef\xbb\xbf(* \xc3\xa9tude *)\n" + text.encode())
    d = par.read(path)
    assert (d.name, d.source) == ("my_robot", "my_robot.par")
    path.write_bytes(b"(* \xe9tude en Latin-1 *)\n" + text.encode())
    assert par.read(str(path)) == d


def test_elastic_joints() -> None:
    """eta says that a joint has a spring instead of a motor, k its stiffness; with eta 0 the spring is beside the motor."""
    d = par.read(par_text(table("RX90"), eta=[0, 1, 0, 0, 1, 0], k=[0, "K2", 0, 30, "2*K", 0]))
    assert [b.actuated for b in d.bodies] == [True, False, True, True, False, True]
    assert [text(b.stiffness) for b in d.bodies] == ["0", "K2", "0", "30", "2*K", "0"]
    assert par.read(par.write(d)).bodies == d.bodies
    with pytest.raises(FormatError, match="eta"):
        par.read(par_text(table("RX90"), eta=[0, 2, 0, 0, 1, 0]))


# ---- what the format cannot say ----


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"joint": JOINTS["helical"], "pitch": 1}, "no helical joints, and 'b'"),
        ({"joint": JOINTS["spherical"]}, "no spherical joints, and 'b'"),
        ({"stiffness": 2, "reference": value("q0")}, "the spring of 'b' is slack at q0"),
        ({"placement": Placement.of(beta=1e-3)}, "'b' is turned by beta = 0.001"),
        ({"placement": Placement.of(r="q")}, "q cannot be the coordinate of 'b'"),
    ],
)
def test_what_a_par_file_cannot_say_is_refused_by_name(body: dict[str, object], message: str) -> None:
    d = Description("r", (Body("b", coordinates=("q",), velocities=("q",), **body),))  # type: ignore[arg-type]
    with pytest.raises(FormatError, match=message):
        par.write(d)


@pytest.mark.parametrize("base", [Placement.of(theta="a"), Placement.of(gamma="a", alpha=0.2)])
def test_a_base_turned_by_a_formula_is_refused(base: Placement) -> None:
    with pytest.raises(FormatError, match="the base is turned by a formula"):
        par.write(Description("r", (), base=Base(base)))


def test_a_name_that_would_end_the_comment_is_refused() -> None:
    with pytest.raises(FormatError, match="name"):
        par.write(Description("a *) b", ()))


# ---- errors: one, with file, line, key, value and what is allowed ----

RX90 = par_text(table("RX90"))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("NL = 6", "", "the key NL is missing"),
        ("alpha = {0,pi/2,0,-pi/2,pi/2,-pi/2}", "", "the key alpha is missing"),
        ("NL = 6", "NL = six", "line 4: NL = 'six'; it is a whole number"),
        ("NL = 6", "NL = 6.0", "line 4: NL = '6.0'"),
        ("NL = 6", "NL = 99999999999999999999", "line 4: NL"),
        ("NL = 6", "NL = ²", "line 4: NL"),
        ("NL = 6", "NL = 7", "line 5: NJ = '6'; it is a whole number, 7 or more"),
        ("NF = 6", "NF = 7", "ant has 6 elements; it takes 7"),
        ("Type = 0", "Type = 3", r"line 7: Type = '3'; allowed are 0 \(Simple\), 1 \(Tree\), 2"),
        ("is_mobile = False", "is_mobile = no", "line 9: is_mobile = 'no'; allowed are True"),
        ("d = {0,0,D3,0,0,0}", "d = {0,0,D3,0,0}", "line 15: d has 5 elements; it takes 6"),
        ("d = {0,0,D3,0,0,0}", "d = {0,0,D3,0,0,}", "d of 6 is '': it is empty"),
        ("d = {0,0,D3,0,0,0}", "d = {0,0,D3,0,0,0", "line 15: the braces of d"),
        ("d = {0,0,D3,0,0,0}", "d = 0,0,D3,0,0,0}", "line 15: d = '0,0,D3,0,0,0}'; it takes a vector"),
        ("d = {0,0,D3,0,0,0}", "d = {0,0,D3,0,0,0}}", "line 15: '}' is neither"),
        ("d = {0,0,D3,0,0,0}", "d = {0,0,{D3},0,0,0}", "line 15: the braces of d"),
        ("d = {0,0,D3,0,0,0}", "d = {0,0,D3,0,0,0} m", "line 15: 'm' is neither a comment"),
        ("d = {0,0,D3,0,0,0}", "d = {0,0,D3 +,0,0,0}", "line 15: d of 3 is 'D3 \\+': formula"),
        (
            "d = {0,0,D3,0,0,0}",
            "d = {0,0,\nNaN,0,0,0}",
            "line 16: d of 3 is 'NaN': formula 'NaN', column 1: NaN is not a number",
        ),
        ("d = {0,0,D3,0,0,0}", "d = {0,0,1e999,0,0,0}", "d of 3 is '1e999'"),
        ("d = {0,0,D3,0,0,0}", "d = {0,0,-oo,0,0,0}", "d of 3 is '-oo': formula '-oo', column 2: oo is not a number"),
        ("d = {0,0,D3,0,0,0}", "d = {0,0,1/0,0,0,0}", "division"),
        ("d = {0,0,D3,0,0,0}", "d = {0,0,__import__('os'),0,0,0}", "d of 3"),
        ("d = {0,0,D3,0,0,0}", "d = {0,0,D3,0,0,0}\nd = {0,0,D3,0,0,0}", "line 16: 'd' stands twice; first on line 15"),
        ("\nb = {", "\nBeta = {", "the key 'Beta' is unknown; did you mean 'eta'.; allowed are NL, NJ"),
        ("alpha = {0", "alfa = {0", "the key 'alfa' is unknown; did you mean 'alpha'"),
        ("ant = {0,1,2,3,4,5}", "ant = {0,1,2,3,4,7}", r"ant of 6 is '7': allowed are 0 \(the base\) to 6"),
        ("ant = {0,1,2,3,4,5}", "ant = {0,1,-2,3,4,5}", "ant of 3 is '-2'"),
        ("ant = {0,1,2,3,4,5}", "ant = {0,1,6,3,4,5}", "ant of 3 is '6': antecedents lead round in a circle"),
        ("ant = {0,1,2,3,4,5}", "ant = {1,1,2,3,4,5}", "ant of 1 is '1': antecedents lead round in a circle"),
        ("sigma = {0,", "sigma = {3,", r"sigma of 1 is '3': allowed are 0 \(revolute\), 1 \(prismatic\), 2 \(fixed\)"),
        ("mu = {1,", "mu = {2,", r"mu of 1 is '2': allowed are 0 \(passive\), 1 \(actuated\)"),
        ("theta = {th1,", "theta = {0,", "theta of 1 is '0': it holds no symbol .* the joint is revolute"),
        ("theta = {th1,", "theta = {-th1,", "theta of 1 is '-th1': it holds no symbol that is added with the factor 1"),
        ("theta = {th1,", "theta = {sin(th1),", "theta of 1"),
        ("theta = {th1,", "theta = {a + b,", "which of a, b is the coordinate"),
        ("theta = {th1,th2,", "theta = {th1,th1,", "two coordinates are called 'th1'"),
        (
            "theta = {th1,th2,",
            "theta = {th1,th2 - th1,",
            "'th1' is the name of a coordinate and stands in link2's theta",
        ),
        ("eta = {0,0,", "eta = {0,2,", "eta of 2 is '2'"),
        ("k = {0,0,", "k = {0,-2,", "link2 has stiffness = -2; a spring pulls back"),
        ("QP = {QP1,", "QP = {0,", "QP of 1 is '0': it is the name of an input"),
        ("GAM = {GAM1,", "GAM = {2*GAM1,", "GAM of 1 is '2\\*GAM1'"),
        ("{M1,", "{-1,", "link1 has the mass -1 kg"),
        ("Z = {1,", "Z = {2,", "Z: its rows 1 to 3 are not those of a rotation"),
        ("Z = {1,", "Z = {c,", "Z: its rotation or its last row has c; only the position"),
        ("0,0,0,1}", "0,0,0,2}", "Z: its last row is 0, 0, 0, 2"),
        ("(* End of definition *)", "(* End of definition", "the comment that begins here"),
        ("(* End of definition *)", "End of definition *)", r"\*\) ends a comment that never began"),
        ("(* End of definition *)", "rubbish", "'rubbish' is neither a comment"),
    ],
)
def test_errors(old: str, new: str, message: str, tmp_path: Path) -> None:
    assert RX90.count(old) >= 1
    path = tmp_path / "bad.par"
    path.write_text(RX90.replace(old, new, 1))
    with pytest.raises(ArmillaryError, match=message) as caught:
        par.read(path)
    assert str(path) in str(caught.value)
    assert len(str(caught.value)) < 800


def test_tools_that_cannot_be_joined_are_refused() -> None:
    t = table("RX90")
    columns = {
        key: [*t.column(key), *("0", "0")] for key in ("ant", "sigma", "mu", "gamma", "b", "alpha", "d", "theta", "r")
    }
    columns["sigma"][6:] = "22"
    columns["ant"][6:] = "67"
    columns["alpha"][6:] = ("a", "0.1")
    with pytest.raises(FormatError, match="ant of 8 is '7': a frame on a frame that is no link's, with symbols"):
        par.read(par_text(replace(t, columns=columns)))
    columns["sigma"][7] = "0"
    with pytest.raises(FormatError, match="sigma of 8 is '0': a frame beyond the links' stands still"):
        par.read(par_text(replace(t, columns=columns)))


@pytest.mark.parametrize(
    "garbage",
    [b"(*" * 900_000, b"a" * 1_900_000, b"NL = 6\n" * 250_000, b"d={" + b"0," * 900_000, b"\x00\xff\x80" * 600_000]
    + [
        b"NL=1 ant={" + b"(" * 1_900_000,
        b"\n" * 1_900_000,
        b"NL = 1\nd = {" + b"(,)" * 600_000 + b"}",
        b"x" * 10_000_000,
    ],
    ids=range(9),
)
def test_garbage_is_one_short_error(garbage: bytes, tmp_path: Path) -> None:
    path = tmp_path / "garbage.par"
    path.write_bytes(garbage)
    with pytest.raises(FormatError) as caught:
        par.read(path)
    assert len(str(caught.value)) < 800


@pytest.mark.parametrize("seed", range(300))
def test_damaged_files_are_read_or_refused(seed: int) -> None:
    """Bytes struck out, doubled or exchanged: an ArmillaryError or a robot, nothing else."""
    rng = np.random.default_rng(seed)
    data = list(RX90)
    for _ in range(int(rng.integers(1, 6))):
        k = int(rng.integers(len(data)))
        match rng.integers(3):
            case 0:
                del data[k : k + int(rng.integers(1, 20))]
            case 1:
                data[k] = "{}(),*=\n+^0aπ"[rng.integers(13)]
            case _:
                data[k:k] = data[k : k + 8]
    with contextlib.suppress(ArmillaryError):
        par.read("".join(data))


def test_a_missing_file_is_named() -> None:
    with pytest.raises(FormatError, match=r"nowhere\.par cannot be read"):
        par.read("nowhere.par")


def test_a_long_chain_is_read_in_reasonable_time() -> None:
    n = 500
    columns = {"ant": [str(j) for j in range(n)], "theta": [f"q{j}" for j in range(n)]}
    columns["alpha"] = ["pi/2" if a % 2 else "0" for a, _ in pairwise(range(n + 1))]
    d = par.read(par_text(Table("chain", 0, n, n, "fixed", columns)))
    assert len(d.bodies) == n


UNSAYABLE = (
    {"planar_biped": "no planar joints", "snake": "no planar joints"}
    | dict.fromkeys(
        "unicycle differential_drive car castor3 omni3 mecanum4 mobile_manipulator".split(), "no place for wheels"
    )
    | dict.fromkeys(("eel12", "underwater_arm"), "no place for fluid around links")
    | {"rrr3": "no planar joints", "orthoglide": "no place for couplings"}
    | dict.fromkeys(("delta", "gough_stewart"), "no place for that")
)
"""Robots of the library that the format cannot say, and why."""


@pytest.mark.filterwarnings("ignore::armillary.errors.RobotWarning")
@pytest.mark.parametrize("name", library.names())
def test_the_library_goes_through_the_file_unchanged(name: str, tmp_path: Path) -> None:
    d = load(name)
    path = tmp_path / f"{name}.par"
    if name in UNSAYABLE:
        with pytest.raises(FormatError, match=rf"a \.par file has {UNSAYABLE[name]}"):
            save(d, path)
        return
    save(d, path)
    assert load(path) == d
