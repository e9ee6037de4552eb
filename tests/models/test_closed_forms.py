"""Closed forms against those that books print, and against the Programs they were written out of."""

import math
import re

import numpy as np
import pytest

import armillary as arm
from armillary.errors import ModelError


def value_of(text: str, values: dict[str, float]) -> float:
    """The number that a printed formula means, read by our own parser."""
    from armillary.expr.evaluate import evaluate
    from armillary.expr.parse import parse

    return float(evaluate([parse(text)], values)[0])


def one_link() -> arm.Robot:
    """The lecture's one-link arm: a rod of length a turning about a horizontal axis, hanging down at 0."""
    link = arm.revolute("link", mass="m", center=("a/2", 0, 0), inertia=(0, 0, 0, "m*a**2/12", 0, "m*a**2/12"))
    return arm.describe("one link", link, gravity=("g", 0, 0))


def test_one_link() -> None:
    """m a²/3 th'' = tau - m g a sin(th)/2."""
    assert str(one_link().inertia_matrix().closed_form()) == "A11 = 1/3*m*a**2"
    assert str(one_link().gravity_torques().closed_form()) == "G1 = 1/2*m*a*g*sin(q1)"


def test_two_links_in_at_most_eight_lines() -> None:
    """Planar 2R with base parameters: inertia matrix, Coriolis torques and gravity torques as every book has them."""
    r = arm.describe(
        "2R",
        arm.revolute("link1", ZZ="ZZ1", MX="MX1"),
        arm.revolute("link2", d="L1", ZZ="ZZ2", MX="MX2"),
        gravity=(0, "-g", 0),
    )
    forms = [r.inertia_matrix(), r.coriolis_torques(), r.gravity_torques()]
    lines = [line for form in forms for line in str(form.closed_form()).splitlines()]
    assert lines == [
        "A11 = ZZ1 + ZZ2 + 2*L1*MX2*cos(q2)",
        "A12 = ZZ2 + L1*MX2*cos(q2)",
        "A22 = ZZ2",
        "h1 = -L1*MX2*QP2*sin(q2)*(2*QP1 + QP2)",
        "h2 = L1*MX2*QP1**2*sin(q2)",
        "G1 = g*(MX1*cos(q1) + MX2*cos(q1 + q2))",
        "G2 = MX2*g*cos(q1 + q2)",
    ]


def test_cart_pole() -> None:
    """(M + m) ẍ + m l θ̈ cos θ - m l θ̇² sin θ, with the pole's moment of inertia (Florian 2007, eq. 23 without friction)."""
    r = arm.describe(
        "cart-pole",
        arm.prismatic("cart", alpha="pi/2", theta="pi/2", M="M"),
        arm.revolute("pole", alpha="pi/2", mass="m", center=("l", 0, 0), inertia=(0, 0, 0, 0, 0, "I")),
        gravity=(0, 0, "-g"),
    )
    A = str(r.inertia_matrix().closed_form()).splitlines()
    assert "A11 = M + m" in A and "A22 = I + l**2*m" in A
    assert re.fullmatch(r"A12 = -?l\*m\*(sin|cos)\(q2\)", A[1])
    (h,) = [line for line in str(r.coriolis_torques().closed_form()).splitlines() if not line.endswith("= 0")]
    assert re.fullmatch(r"h1 = -?QP2\*\*2\*l\*m\*(sin|cos)\(q2\)|h1 = -?l\*m\*QP2\*\*2\*(sin|cos)\(q2\)", h)


def test_the_lecture_two_link_arm() -> None:
    """Inertia matrix at th2 = 0 with the table's data: 0.08933, 0.02333, 0.00833; gravity stretched out 2.40345, 0.4905."""
    r = arm.load("planar2r")
    A = r.inertia_matrix().evaluate(q=[0.3, 0])["A"]
    assert np.allclose(A, [[0.08933, 0.02333], [0.02333, 0.00833]], rtol=0, atol=1e-12)
    assert np.allclose(r.gravity_torques().evaluate(q=[0, 0])["G"], [2.40345, 0.4905], rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("robot", "model", "options"),
    [
        ("planar2r", "inverse-dynamics", {}),
        ("rods2r", "inertia-matrix", {}),
        ("planar3r", "gravity-torques", {}),
        ("cartpole", "inverse-dynamics", {}),
        ("gantry", "inverse-dynamics", {}),
        ("rx90", "jacobian-determinant", {}),
        ("scara", "jacobian-determinant", {}),
        ("rx90", "gravity-torques", {}),
        ("stanford", "pose", {}),
        ("planar3r", "kinetic-energy", {}),
        ("pendulum", "direct-dynamics", {}),
        ("cartpole", "direct-dynamics", {}),
        ("cartpole", "linearisation", {}),
        ("rods2r", "direct-dynamics", {}),
        ("rods2r", "linearisation", {}),
        ("scara", "kinetic-energy", {}),
        ("scara", "inverse-dynamics", {}),
        ("rpr", "inverse-dynamics", {}),
    ],
)
def test_printed_is_computed(robot: str, model: str, options: dict[str, str]) -> None:
    """Each printed line, read again and evaluated, is what the interpreter gives."""
    made = arm.load(robot).derive(model, **options)
    form = made.closed_form(terms=200)
    rng = np.random.default_rng(1)
    given = {x.name: rng.uniform(0.3, 2, x.shape) for x in made.inputs}
    values = {label: float(v) for x in made.inputs for label, v in zip(x.labels, np.ravel(given[x.name]), strict=True)}
    computed = made.evaluate(**given)
    for line, text in zip(form.lines, str(form).splitlines(), strict=True):
        expected = float(computed[line.output][line.index])
        assert math.isclose(value_of(text.split(" = ", 1)[1], values), expected, rel_tol=1e-11, abs_tol=1e-11), text


def test_determinants_are_factored() -> None:
    """RX-90: D3 RL4 cos(q3) sin(q5) (D3 cos(q2) - RL4 sin(q2 + q3)), Khalil and Dombre (2002), chapter 5."""
    text = str(arm.load("rx90").jacobian_determinant().closed_form())
    assert text in (
        "det = D3*RL4*cos(q3)*sin(q5)*(D3*cos(q2) - RL4*sin(q2 + q3))",
        "det = -D3*RL4*cos(q3)*sin(q5)*(RL4*sin(q2 + q3) - D3*cos(q2))",
    )
    r = arm.load("ur5")
    assert "sin(q3)*sin(q5)" in str(r.jacobian_determinant().closed_form()).replace("elbow", "q3").replace(
        "wrist_2", "q5"
    )


@pytest.mark.parametrize(("robot", "options"), [("rx90", {}), ("panda", {}), ("scara", {"rows": (0, 1, 2, 5)})])
def test_determinants_against_numpy(robot: str, options: dict[str, tuple[int, ...]]) -> None:
    r = arm.load(robot)
    det, J = r.jacobian_determinant(**options), r.jacobian()
    rng = np.random.default_rng(2)
    for _ in range(5):
        given = {x.name: rng.uniform(0.3, 2, x.shape) for x in J.inputs}
        full = J.evaluate(**given)["J"][list(options.get("rows", range(6)))]
        square = full if full.shape[0] == full.shape[1] else full @ full.T
        found = det.evaluate(**{x.name: given[x.name] for x in det.inputs})["det"]
        assert math.isclose(found, np.linalg.det(square), rel_tol=1e-9, abs_tol=1e-12)


def pose_of_a_ball() -> list[str]:
    ball = arm.describe("ball", arm.spherical("ball"), arm.frame("bob", r="-l"))
    return str(ball.pose(frame="bob").closed_form()).splitlines()


def test_signs_and_order_are_those_of_a_person() -> None:
    """No bracket behind a lone minus sign, a positive term first, velocities in their order."""
    assert pose_of_a_ball()[0] == "T11 = 1 - 2*q1y**2 - 2*q1z**2"
    assert "T24 = 2*l*(q1w*q1x - q1y*q1z)" in pose_of_a_ball()
    r = arm.describe("3R", *(arm.revolute(f"link{k}", d="L", MX=f"MX{k}") for k in (1, 2, 3)), gravity=(0, -9.81, 0))
    h3 = str(r.coriolis_torques().closed_form()).splitlines()[2]
    assert "(QP1**2 + 2*QP1*QP2 + QP2**2)" in h3
    assert "(QP1 + QP2 + QP3)" in str(r.coriolis_matrix().closed_form())
    lines = str(r.gravity_torques().closed_form()).splitlines()
    assert lines[1] == "G2 = 9.81*(MX2*cos(q1 + q2) + MX3*cos(q1 + q2 + q3))"


def test_a_matrix_of_zeros_is_printed() -> None:
    assert str(one_link().coriolis_matrix().closed_form()) == "C = 0"


def test_an_output_and_a_symbol_of_one_name_are_told_apart() -> None:
    """SYMORO calls gravity G3, which is the third gravity torque's name too."""
    r = arm.describe(
        "3R", *(arm.revolute(f"link{k}", alpha="pi/2", MX=f"MX{k}") for k in (1, 2, 3)), gravity=(0, 0, "G3")
    )
    form = r.gravity_torques().closed_form()
    assert [line.split(" = ")[0] for line in str(form).splitlines()] == ["G1", "G2", "G3'"]
    assert r"{G_{3}}^{\prime} &= " in form.latex()


def test_parameters_with_one_coefficient_are_joined() -> None:
    """The SCARA's inertia matrix and kinetic energy: what turns with a joint, and what hangs on a length, in one bracket."""
    r = arm.load("scara")
    A = str(r.inertia_matrix().closed_form()).splitlines()
    assert A[3] == (
        "A22 = D3**2*(M3 + M4) + IA2 + ZZ2 + ZZ3 + ZZ4 + 2*D3*(MX3 + MX4)*cos(q3) - 2*D3*(MY3 + MY4)*sin(q3)"
    )
    E = str(r.kinetic_energy().closed_form())
    assert "1/2*(D2**2*(M2 + M3 + M4) + IA1 + ZZ1)*QP1**2" in E
    assert E.startswith("E = D2*(D3*(M3 + M4) + MX2)*cos(q2)*(QP1**2 + QP1*QP2) + ")
    for name in ("M2", "M3", "MX3", "MY4", "ZZ3"):
        assert E.count(name) <= 3, name
    tau = str(r.inverse_dynamics().closed_form()).splitlines()
    assert len(tau) == 4 and max(map(len, tau)) < 850


def test_opposite_coefficients_are_joined() -> None:
    """u (x - y) + v (y - x) is (u - v) (x - y); a sum of parameters alone needs no bracket."""
    from armillary.expr.graph import Graph
    from armillary.models.closed_form import closed_form
    from armillary.program import Input, Output, to_program
    from armillary.program.build import Result

    g = Graph()
    u, v, x, y = (g.symbol(name) for name in "uvxy")
    inputs = [Input("s", (2,), labels=("x", "y")), *(Input(p, (), "parameter", labels=(p,)) for p in "uv")]
    sums = (u * (x - y) + v * (y - x), u * u * v + u * v * v + 3)
    program = to_program("two", inputs, [Result(Output("z", (2,), (), "", ""), sums)])
    assert str(closed_form(program, 60)) == "z1 = (u - v)*(x - y)\nz2 = 3 + u*v*(u + v)"


def test_quotients_are_one_fraction() -> None:
    """The cart-pole of Florian (2007) about upright: (M + m) 3 g / (l (4 M + m)); a rod's pendulum; the 2R's determinant."""
    upright = str(arm.load("cartpole").linearisation(fixed={"q": 0, "qd": 0, "tau": 0}).closed_form()).splitlines()
    assert "F32 = -29.4*m/(m + 4*mc)" in upright and "F42 = 29.4*(m + mc)/(l*(m + 4*mc))" in upright
    assert str(arm.load("pendulum").direct_dynamics().closed_form()) == "qdd1 = 3*(2*GAM1 - m*a*g*sin(q1))/(2*m*a**2)"
    rods = arm.load("rods2r").linearisation(fixed={"qd": 0, "tau": 0}).closed_form()
    assert "G31 = 24/(a1**2*(8*m1 + 3*m2*(5 - 3*cos(2*q2))))" in str(rods).splitlines()
    assert r"\frac{24}{a_{1}^{2}\,\left(8\,m_{1} + 3\,m_{2}\," in rods.latex()


def test_pages_are_refused() -> None:
    with pytest.raises(ModelError, match="written out would be pages"):
        arm.load("rx90").inverse_dynamics().closed_form()


def test_latex() -> None:
    text = arm.load("rods2r").inertia_matrix().closed_form().latex()
    assert text.startswith(r"\begin{aligned}") and text.count("&=") == 3 and r"\cos(" in text
    assert text.count("{") == text.count("}")


def test_latex_is_that_of_documents() -> None:
    """Accelerations with two dots, torques as Γ, coordinates numbered whatever they are called, powers at functions."""
    assert r"\ddot{q}_{1} &= " in arm.load("pendulum").direct_dynamics().closed_form().latex()
    r = arm.describe(
        "2R", arm.revolute("a", joint="th1"), arm.revolute("b", alpha="pi/2", joint="elbow", XX="XX", IA="Ia2")
    )
    text = r.inverse_dynamics().closed_form().latex()
    assert r"\Gamma_{1} &= " in text and r"\ddot{q}_{1}" in text and r"I_{\mathrm{a}2}\,\ddot{q}_{2}" in text
    assert r"\sin(2\,q_{2})" in text and "elbow" not in text
    assert r"\sin^{2}(q_{2})" in r.kinetic_energy().closed_form().latex()


def test_one_is_singular() -> None:
    assert str(arm.load("pendulum")).startswith("Pendulum: 1 body, 1 degree of freedom\n")
