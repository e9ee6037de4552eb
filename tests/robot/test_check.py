"""What is no robot is one error; what physics forbids is a warning, and what only lies on its border is none."""

import warnings
from dataclasses import replace

import numpy as np
import pytest

from armillary.errors import ModelError, RobotError, RobotWarning
from armillary.robot import Base, Body, Description, Formula, Frame, Inertial, Limits, Parameter, Placement
from armillary.robot.check import check
from armillary.robot.make import describe, frame, revolute
from armillary.robot.physical import impossible
from reference.random_trees import random_tree


def body(name: str, parent: str = "base", **given: object) -> Body:
    said = {"joint_name": name, "coordinates": (f"q_{name}",), "velocities": (f"q_{name}",), **given}
    return Body(name, parent, **said)  # type: ignore[arg-type]


def robot(*bodies: Body, **given: object) -> Description:
    return Description("bench", bodies, **given)  # type: ignore[arg-type]


def test_random_trees_are_robots():
    rng = np.random.default_rng(2)
    for _ in range(100):
        given = random_tree(rng, int(rng.integers(1, 31)))
        assert check(given) == given


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (robot(body("a"), body("b", "c")), "b hangs on 'c', which is no body"),
        (robot(body("link1"), body("link2", "lnk1")), "did you mean 'link1'"),
        (robot(body("a"), frames=(Frame("tool", "b"),)), "tool hangs on 'b'"),
        (robot(body("a", "b"), body("b", "a"), body("c", "b")), "round in a circle .*: a, b, a"),
        (robot(body("a", "a")), "round in a circle .*: a, a"),
        (robot(body("a"), body("a")), "two bodies or frames are called 'a'"),
        (robot(body("a"), frames=(Frame("a", "base"),)), "two bodies or frames are called 'a'"),
        (robot(body("world")), "a body cannot be called 'world'"),
        (robot(body("a"), frames=(Frame("base", "a"),)), "a frame cannot be called 'base'"),
        (robot(body("")), "a body is called ''; a name"),
        (robot(body("a\n")), "a body is called"),
        (robot(body("a"), body("b", joint_name="a")), "two joints are called 'a'"),
        (robot(body("a"), body("b", coordinates=("q_a",))), "two coordinates are called 'q_a'"),
        (robot(body("a"), body("b", velocities=("q_a",))), "two velocities are called 'q_a'"),
        (robot(body("a", coordinates=())), "a has 0 coordinates; a revolute joint has 1"),
        (robot(body("a", joint_name="")), "a joint of a is called ''"),
        (robot(body("a", placement=Placement(alpha=float("nan")))), "a has alpha = nan"),
        (robot(body("a", FV=float("inf"))), "a has FV = inf"),
        (robot(body("a", inertia=Inertial(M=-0.5))), "a has the mass -0.5 kg"),
        (robot(body("a", placement=Placement(d=Formula("2*")))), r"a has d = '2\*': formula"),
        (
            robot(body("a", placement=Placement(d=Formula("q_a")))),
            "'q_a' is the name of a coordinate and stands in a's d",
        ),
        (robot(body("a"), parameters={"q_a": Parameter("q_a", 1.0)}), "'q_a' has the name of a coordinate"),
        (robot(body("a"), parameters={"sin": Parameter("sin")}), "formulas have their own sin"),
        (robot(body("a"), parameters={"pi": Parameter("pi")}), "formulas have their own pi"),
        (robot(body("a"), parameters={"L 1": Parameter("L 1")}), "use letters, digits and _"),
        (robot(body("a"), parameters={"L": Parameter("L", float("nan"))}), "default nan; it must be finite"),
        (robot(body("a"), parameters={"L": Parameter("M")}), "the parameter 'M' is listed as 'L'"),
        (robot(body("a"), base=Base(gravity=(0, -9.81))), "gravity has 2 components; it needs 3"),  # type: ignore[arg-type]
        (robot(body("a"), base=Base(velocity=(0, 0, 0))), "velocity has 3 components; it needs 6"),
        (robot(body("a", wrench=(1, 2, 3))), "the wrench of a has 3 numbers, not 6"),
        (robot(body("a", pitch=0.1)), "a has the pitch 0.1; only a helical joint"),
        (robot(body("a", limits=(Limits(lower=1, upper=-1),))), "lower = 1 above upper = -1"),
        (robot(body("a", limits=(Limits(), Limits()))), "limits of 2 velocities; a revolute joint has 1"),
        (robot(body("a", limits=(Limits(effort=-1),))), "effort = -1; it bounds both directions"),
        (robot(body("a", limits=(Limits(upper=float("nan")),))), "upper = nan"),
    ],
)
def test_what_is_no_robot(given, said):
    with pytest.raises(RobotError, match=said) as raised:
        check(given)
    assert str(raised.value).startswith("bench: ")
    assert "\n" not in str(raised.value)
    with pytest.raises(RobotError, match=r"^arm\.par: "):
        check(given, "arm.par")


def test_a_long_circle_names_its_bodies():
    bodies = [body(f"b{k}", f"b{(k + 1) % 1000}") for k in range(1000)]
    with pytest.raises(RobotError, match=r"\(1000 in all\)") as raised:
        check(robot(*bodies))
    assert len(str(raised.value)) < 500


def test_an_unknown_frame_is_a_model_error_with_a_near_match():
    arm = describe("bench", revolute("link1"), frame("tool"))
    with pytest.raises(
        ModelError, match="bench has no frame 'Tol'; it has world, base, link1, tool; did you mean 'tool'"
    ):
        arm.frame("Tol")


def test_bounds_that_bound_nothing_are_left_out():
    empty = check(robot(body("a", limits=(Limits(),)), body("b", limits=(Limits(upper=float("inf"), lower=-1.0),))))
    assert [b.limits for b in empty.bodies] == [(), (Limits(lower=-1.0),)]


# ---- inertia ----


def cloud(masses: np.ndarray, points: np.ndarray) -> Inertial:
    second = np.einsum("k,ki,kj->ij", masses, points, points)
    J, MS = np.trace(second) * np.eye(3) - second, masses @ points
    return Inertial(*map(float, (J[0, 0], J[0, 1], J[0, 2], J[1, 1], J[1, 2], J[2, 2], *MS, masses.sum())))


def rounded(inertia: Inertial, digits: int) -> Inertial:
    return Inertial(*(float(f"{float(x):.{digits}g}") for x in inertia))  # type: ignore[arg-type]


def test_clouds_of_mass_are_possible():
    rng = np.random.default_rng(3)
    for _ in range(300):
        n = int(rng.integers(1, 8))
        inertia = cloud(rng.uniform(0.01, 10, size=n), rng.normal(size=(n, 3)) * 10 ** rng.uniform(-3, 1))
        assert impossible(inertia) == ""


@pytest.mark.parametrize("size", [1e-3, 1.0, 10.0])
def test_rods_and_points_stay_silent_as_rounded_numbers(size):
    rng = np.random.default_rng(4)
    for _ in range(200):
        center, along = rng.normal(size=3) * size, rng.normal(size=3) * size
        ends = np.array([center - along, center + along]) if rng.random() < 0.7 else np.array([center])
        for digits in (16, 6):
            assert impossible(rounded(cloud(np.full(len(ends), 0.7), ends), digits)) == ""


def test_published_rods_and_plates_stay_silent():
    rod = describe("r", revolute("a", mass=0.4, center=(0.125, 0, 0), inertia=(0, 0, 0, 0.00208, 0, 0.00208)))
    plate = describe("r", revolute("a", mass=1, inertia=(0.0833, 0, 0, 0.0208, 0, 0.1042)))
    assert impossible(rod.bodies[0].inertia) == impossible(plate.bodies[0].inertia) == ""


def test_massless_links_and_symbols_stay_silent():
    assert impossible(Inertial()) == ""
    assert impossible(Inertial(XX=Formula("XX1"), YY=1, ZZ=5, M=1)) == ""


def test_grouped_parameters_stay_silent():
    """What Khalil's rules leave of a revolute joint's link, YY, MZ and M grouped with others, and of a slide's."""
    rng = np.random.default_rng(5)
    for _ in range(200):
        whole = cloud(rng.uniform(0.1, 1, size=5), rng.normal(size=(5, 3)))
        assert impossible(replace(whole, XX=float(whole.XX) - float(whole.YY), YY=0, MZ=0, M=0)) == ""
        assert impossible(replace(whole, XX=0, XY=0, XZ=0, YY=0, YZ=0, ZZ=0)) == ""


@pytest.mark.parametrize(
    ("inertia", "said"),
    [
        ((0.066, 0, 0, 0.0125, 0, 0.086), "0.0125, 0.066 and 0.086 kg m²; no body has one larger than .* 0.0785"),
        ((1, 0, 0, 1, 0, 2.1), "larger than the sum of the others, 2"),
        ((-0.1, 0, 0, 1, 0, 1), "no body has a negative one"),
        ((0.1, 0.5, 0, 0.1, 0, 0.2), "no body has a negative one"),
    ],
)
@pytest.mark.parametrize("center", [(0, 0, 0), (0.3, -0.1, 0.2)])
def test_an_impossible_inertia_is_a_warning_with_figures(inertia, said, center):
    with pytest.warns(RobotWarning, match=f"^bench: a: .*{said}") as caught:
        describe("bench", revolute("a", mass=1.0, center=center, inertia=inertia))
    assert len(caught) == 1


def test_the_border_is_found_at_every_scale():
    """A third moment from |a - b| to a + b is silent, border included; one a fiftieth beyond a + b is warned of."""
    rng = np.random.default_rng(6)
    for _ in range(200):
        a, b = np.exp(rng.uniform(-12, 3, size=2))
        R = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        inside = abs(a - b) + rng.choice([0, 1, rng.random()]) * 2 * min(a, b)
        for c, possible in ((inside, True), (1.02 * (a + b), False)):
            J = R @ np.diag([a, b, c]) @ R.T
            inertia = Inertial(*map(float, (*J[np.triu_indices(3)], 0, 0, 0, 1)))
            assert (impossible(inertia) == "") is possible


def test_random_trees_do_not_warn():
    rng = np.random.default_rng(7)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(50):
            check(random_tree(rng, 10))
