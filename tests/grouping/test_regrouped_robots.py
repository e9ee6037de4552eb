"""The relations as formulas, the names, and that the robot with base parameters moves as the robot does."""

import random
from dataclasses import replace

import numpy as np
import pytest
from numpy.random import Generator

from armillary.dynamics.inertia_matrix import inertia_matrix
from armillary.dynamics.newton_euler import newton_euler
from armillary.expr.evaluate import evaluate
from armillary.formats import load
from armillary.grouping import BaseParameters, base_parameters
from armillary.kinematics.motion import base_motion
from armillary.robot import INERTIAL, Base, Body, Description, Formula, Inertial, Parameter, Placement, tree
from armillary.robot.joints import JOINTS
from armillary.robot.symbolic import symbolic
from reference.random_trees import random_state, random_tree
from reference.special_trees import special_tree

RX90 = """
ZZ1R = IA1 + D3**2*(M3 + M4 + M5 + M6) + YY2 + YY3 + ZZ1
XX2R = -D3**2*(M3 + M4 + M5 + M6) + XX2 - YY2
XZ2R = -D3*MZ3 + XZ2
ZZ2R = IA2 + D3**2*(M3 + M4 + M5 + M6) + ZZ2
MX2R = D3*(M3 + M4 + M5 + M6) + MX2
XX3R = 2*MZ4*RL4 + RL4**2*(M4 + M5 + M6) + XX3 - YY3 + YY4
ZZ3R = 2*MZ4*RL4 + RL4**2*(M4 + M5 + M6) + YY4 + ZZ3
MY3R = MY3 + MZ4 + RL4*(M4 + M5 + M6)
XX4R = XX4 - YY4 + YY5
ZZ4R = YY5 + ZZ4
MY4R = MY4 - MZ5
XX5R = XX5 - YY5 + YY6
ZZ5R = YY6 + ZZ5
MY5R = MY5 + MZ6
XX6R = XX6 - YY6
"""
"""The minimum parameters of this robot as the textbooks and SYMORO give them, with rotor inertias."""

GONE = "XX1 XY1 XZ1 YY1 YZ1 MX1 MY1 MZ1 M1 IA1 YY2 MZ2 M2 IA2 YY3 MZ3 M3 YY4 MZ4 M4 YY5 MZ5 M5 YY6 MZ6 M6".split()


def rx90() -> BaseParameters:
    return base_parameters(symbolic(load("rx90")))


def test_relations_of_the_rx90() -> None:
    """Those of the literature, term by term, at random values of every symbol."""
    base = rx90()
    values = dict(zip(base.robot.symbols, np.random.default_rng(0).uniform(1, 2, len(base.robot.symbols)), strict=True))
    printed = dict(line.split(" = ") for line in RX90.strip().splitlines())
    grouped = {r.symbol: r for r in base.relations if r.grouped}
    assert grouped.keys() == printed.keys()
    for symbol, text in printed.items():
        expected = evaluate([Formula(text).expr], values)[0]
        assert evaluate([grouped[symbol].expr], values)[0] == pytest.approx(expected, rel=1e-14)
        assert evaluate([Formula(grouped[symbol].formula).expr], values)[0] == pytest.approx(expected, rel=1e-14)


def test_what_is_left_of_the_rx90() -> None:
    base = rx90()
    left = base.description
    gone = [
        f"{p}{k}"
        for k, b in enumerate(left.bodies, 1)
        for p, x in zip((*INERTIAL, "IA"), (*b.inertia, b.IA), strict=True)
        if x == 0
    ]
    assert gone == GONE
    assert set(base.grouped) | set(base.without_effect) == set(GONE)
    assert set(base.without_effect) == {"XX1", "XY1", "XZ1", "YY1", "YZ1", "MX1", "MY1", "MZ1", "M1", "MZ2", "M2"}
    assert base.grouped["M3"] == ("ZZ1R", "XX2R", "ZZ2R", "MX2R")
    assert Formula("ZZ1R") == left.bodies[0].inertia.ZZ and Formula("XY2") == left.bodies[1].inertia.XY
    assert left.parameters["XZ2R"].doc == "= XZ2 - D3*MZ3" and left.parameters["XZ2R"].unit == "kg·m²"
    assert [b.FV for b in left.bodies] == [b.FV for b in base.robot.bodies]


def test_it_prints() -> None:
    text = str(rx90())
    assert text.splitlines()[:3] == [
        "40 base inertial parameters of Stäubli RX-90",
        "ZZ1R = ZZ1 + YY2 + YY3 + IA1 + D3**2*(M3 + M4 + M5 + M6)",
        "XX2R = XX2 - YY2 - D3**2*(M3 + M4 + M5 + M6)",
    ]
    assert "without effect: XX1, " in text
    assert text.splitlines()[-1].startswith("proof: rank 40 over ")


def motion(robot: Description, rng: Generator) -> tuple[np.ndarray, np.ndarray]:
    """Torques and inertia matrix at a random state."""
    d = tree(robot, float)
    q, qd, qdd = random_state(rng, robot)
    torques = newton_euler(d, q, qd, qdd, base_motion(d)).torques
    return np.array(torques, dtype=float), np.array(inertia_matrix(d, q), dtype=float)


@pytest.mark.parametrize("seed", range(200))
def test_torques_and_inertia_stay(seed: int) -> None:
    """Over random trees of numbers with every kind of joint; the base moves in half of them."""
    rng = np.random.default_rng(seed)
    robot = random_tree(rng, int(rng.integers(1, 9)))
    if seed % 2:
        v, a = (tuple(map(float, rng.normal(size=6))) for _ in range(2))
        robot = replace(robot, base=replace(robot.base, velocity=v, acceleration=a))
    regrouped = base_parameters(robot, rotors=bool(rng.integers(2))).description
    seeds = rng.integers(1 << 30)
    before = motion(robot, np.random.default_rng(seeds))
    after = motion(regrouped, np.random.default_rng(seeds))
    for x, y in zip(before, after, strict=True):
        assert np.linalg.norm(x - y) <= 1e-10 * (1 + np.linalg.norm(x))


@pytest.mark.parametrize("seed", range(100))
def test_formulas_say_the_same(seed: int) -> None:
    """Special trees in symbols: the formulas, with numbers for the geometry and the parameters, keep the torques."""
    rng, numbers = random.Random(seed), np.random.default_rng(seed)
    robot = symbolic(special_tree(rng, rng.choice((2, 3, 4))), geometry=False)
    base = base_parameters(robot)
    known = {s: float(numbers.uniform(0.3, 1.2)) for s in base.robot.symbols}
    robot = replace(base.robot, parameters={s: Parameter(s, x) for s, x in known.items()})
    grouped = base_parameters(robot).symbolic
    known |= {s: p.default for s, p in grouped.parameters.items() if p.default is not None}
    state = random_state(numbers, robot)
    torques = []
    for form in (robot, grouped, base.substituted):
        d = tree(form, lambda x: evaluate([x.expr], known)[0] if isinstance(x, Formula) else float(x))
        torques.append(np.array(newton_euler(d, *state, base_motion(d)).torques, dtype=float))
    for other in torques[1:]:
        assert np.linalg.norm(other - torques[0]) <= 1e-10 * (1 + np.linalg.norm(torques[0]))


def pair(**links: Inertial) -> Description:
    """Two hinges with parallel axes across gravity."""
    first = Body("a", inertia=links.get("a", Inertial()), joint_name="p", coordinates=("p",), velocities=("p",))
    second = Body(
        "b",
        "a",
        placement=Placement.of(d="L"),
        inertia=links.get("b", Inertial()),
        joint_name="q",
        coordinates=("q",),
        velocities=("q",),
    )
    return Description("pair", (first, second), base=Base(gravity=(0, 9.81, 0)))


def test_a_parameter_keeps_the_symbol_that_it_has_to_itself() -> None:
    given = pair(
        a=Inertial(ZZ=Formula("Ja"), M=Formula("m")), b=Inertial(ZZ=Formula("ZZ1"), MX=Formula("c*m"), M=Formula("mb"))
    )
    base = base_parameters(given)
    assert base.kept == ("Ja", "MX1", "MY1", "ZZ2", "MX2", "MY2", "IA2")
    assert [str(r) for r in base.relations[:3]] == ["JaR = Ja + IA1 + L**2*mb", "MX1R = MX1 + L*mb", "MY1"]
    assert base.description.bodies[1].inertia == Inertial(ZZ=Formula("ZZ1"), MX=Formula("c*m"))
    assert Formula("mb*L") == base.substituted.bodies[0].inertia.MX


def test_names_that_are_taken_are_left_alone() -> None:
    """A length called M2 is not the mass of the second body, nor is a symbol called ZZ1R ours."""
    given = pair(a=Inertial(ZZ=Formula("ZZ1R")), b=Inertial(M=2))
    given = replace(given, bodies=(given.bodies[0], replace(given.bodies[1], placement=Placement.of(d="M2"))))
    base = base_parameters(given)
    assert str(base.relations[0]) == "ZZ1RR = ZZ1R + IA1 + M2**2*M2_"
    assert Formula("2*M2") == base.substituted.bodies[0].inertia.MX


def test_parameters_that_are_nothing_stay_nothing() -> None:
    base = base_parameters(pair(b=Inertial(M=Formula("m"))))
    assert base.description.bodies[1].inertia == Inertial()
    assert base.description.bodies[0].inertia == Inertial(ZZ=Formula("ZZ1R"), MX=Formula("MX1R"))


def test_numbers_stay_numbers_unless_asked() -> None:
    robot = replace(pair(b=Inertial(M=2)), parameters={"L": Parameter("L", 0.5)})
    base = base_parameters(robot)
    assert Formula("2*L**2") == base.description.bodies[0].inertia.ZZ
    assert Formula("ZZ1R") == base.symbolic.bodies[0].inertia.ZZ
    assert base.symbolic.parameters["ZZ1R"].default == pytest.approx(0.5)
    assert base_parameters(load("panda")).description.symbols == load("panda").symbols


def test_rotors_may_be_left_out() -> None:
    robot = replace(pair(b=Inertial(M=2)), bodies=tuple(replace(b, IA=Formula("J")) for b in pair().bodies))
    base = base_parameters(robot, rotors=False)
    assert [b.IA for b in base.description.bodies] == [Formula("J"), Formula("J")]
    assert all("IA" not in name for name in (*base.kept, *base.grouped, *base.without_effect))


def test_links_behind_fixed_joints_are_grouped_away() -> None:
    tool = Body("tool", "b", JOINTS["fixed"], Placement.of(d="T"), Inertial(M=Formula("mt")))
    robot = pair()
    base = base_parameters(replace(robot, bodies=(*robot.bodies, tool)))
    assert base.rank == 7
    assert base.grouped["mt"] == ("ZZ1R", "MX1R", "ZZ2R", "MX2R")
    assert base.description.bodies[2].inertia == Inertial()


def test_the_same_in_every_process() -> None:
    """Nothing depends on what was grouped before."""
    first = str(rx90())
    for name in ("scara", "stanford", "general6r"):
        base_parameters(load(name))
    assert str(rx90()) == first


def test_bodies_in_any_order() -> None:
    """A link that stands before the one it hangs on has the same parameters, under another number."""
    robot = pair(b=Inertial(M=2))
    turned = replace(robot, bodies=robot.bodies[::-1])
    base = base_parameters(turned)
    assert base.kept == ("ZZ1", "MX1", "MY1", "IA1", "ZZ2", "MX2", "MY2")
    assert base.proof.rank == 7
    assert base.columns[0] == ("b", "ZZ") and str(base.relations[4]) == "ZZ2R = ZZ2 + IA2 + L**2*M1"
