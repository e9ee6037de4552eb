"""The catalogue as a whole: every row derives on several robots, methods are current, bytes depend on the input alone."""

import os
import subprocess
import sys
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import armillary as arm
from armillary.errors import ModelError
from armillary.models import CATALOGUE
from armillary.models import methods as written
from armillary.models.signatures import methods_text
from armillary.program import parse, render
from armillary.robot.part import Part
from reference.every_model import fits

ROBOTS = ("rx90", "planar2r", "cartpole", "torso", "scara", "pendulum")


def test_methods_are_current() -> None:
    """After a change of the catalogue: python -m armillary.models.signatures."""
    assert Path(written.__file__).read_text(encoding="utf-8") == methods_text(list(CATALOGUE.values()))


def frame_of(robot: arm.Robot, model: str) -> dict[str, str]:
    takes_frame = any(o.name == "frame" for o in CATALOGUE[model].options)
    return {"frame": robot.bodies[-1].name} if takes_frame else {}


@pytest.mark.parametrize(
    ("robot", "model"),
    [(r, m) for r in (*ROBOTS, "five_bar", "differential_drive") for m in CATALOGUE if fits(arm.load(r), m)]
    + [("rrr3", m) for m in CATALOGUE if fits(arm.load("rrr3"), m) and CATALOGUE[m].lacks(arm.load("five_bar"))],
)
def test_every_model_of_every_robot(robot: str, model: str) -> None:
    r = arm.load(robot)
    made = r.derive(model, **frame_of(r, model))
    entry = CATALOGUE[model]
    assert [x.name for x in made.states] == [x for x in entry.inputs if x in {s.name for s in made.states}]
    assert [x.name for x in made.outputs] == list(entry.outputs)
    assert made.about.robot == r.name and made.about.equation == entry.equation
    assert parse(render(made)).digest == made.digest
    lines = str(made).splitlines()
    assert 4 <= len(lines) <= 9 and all(len(line) < 160 for line in lines)


@pytest.mark.parametrize("model", [m for m in CATALOGUE if CATALOGUE[m].regrouping])
def test_what_regrouping_changes_is_refused_with_the_reason(model: str) -> None:
    robot = "five_bar" if CATALOGUE[model].loops == "only" else "rx90"
    with pytest.raises(ModelError, match="base parameters") as error:
        arm.load(robot).derive(model, base_parameters=True)
    assert CATALOGUE[model].regrouping in str(error.value)


PROGRAM = """
import sys, armillary as arm
if len(sys.argv) > 1:
    for name in ("panda", "ur5", "scara", "torso", "planar3r"):
        arm.load(name).inertia_matrix(); arm.load(name).direct_dynamics()
r = arm.load("rx90")
for m in (r.inverse_dynamics(base_parameters=True), r.direct_dynamics(), r.jacobian("tool"), r.regressor()):
    print(m.digest)
    sys.stdout.write(m.text); sys.stdout.write("".join(m.source("c").values()))
"""


def links(length: str) -> list[Part]:
    """Two links with a symbol for their length."""
    inertia = (0, 0, 0, 0, 0, 1)
    return [arm.revolute(x, d=length, mass=1, center=(length, 0, 0), inertia=inertia) for x in ("upper", "lower")]


def open_elbow(length: str) -> arm.Robot:
    """The two and a tool."""
    return arm.describe("elbow", *links(length), arm.frame("tool", d=length), gravity=(0, -9.81, 0))


def rolling_elbow(length: str) -> arm.Robot:
    """The two on a cart with two wheels."""
    disc = {"b": 0.1, "alpha": "-pi/2", "mass": 1}
    wheels = [arm.wheel(f"wheel {name}", body=name, radius=0.1) for name in ("left", "right")]
    sides = [arm.revolute("left", "cart", r=length, **disc), arm.revolute("right", "cart", r=-1, **disc)]  # type: ignore[arg-type]
    return arm.describe("elbow", arm.planar("cart", mass=3), *sides, *links(length), *wheels)


def closed_elbow(length: str) -> arm.Robot:
    """The two and a third, which a joint holds to the base."""
    third = arm.revolute("third", d=length, mass=1, actuated=False)
    foot = arm.cut("foot", a=arm.side("base", d=length), b=arm.side("third", d=length))
    passive = [replace(part, given={**part.given, "actuated": k == 0}) for k, part in enumerate(links(length))]
    return arm.describe("elbow", *passive, third, foot, gravity=(0, -9.81, 0))


def carried_elbow(length: str) -> arm.Robot:
    """A tool on two slides, which two rods on carriages carry."""
    turned = {"gamma": "pi/2", "alpha": "pi/2"}
    slides = [arm.prismatic(name, mass=1, actuated=False, **turned) for name in ("across", "tool")]  # type: ignore[arg-type]
    legs: list[Part] = []
    for k, at in ((1, -0.3), (2, 0.3)):
        rod = {"mass": 1, "center": (length, 0, 0), "actuated": False}
        legs += [
            arm.prismatic(f"carriage{k}", "base", alpha="-pi/2", d=at, mass=1),
            arm.revolute(f"rod{k}", alpha="pi/2", **rod),
        ]  # type: ignore[arg-type]
        legs.append(arm.cut(f"pin{k}", a=arm.side("tool", **turned), b=arm.side(f"rod{k}", d=f"1 + {length}")))  # type: ignore[arg-type]
    return arm.describe("elbow", *slides, *legs, gravity=(0, -9.81, 0))


def touching_elbow(length: str) -> arm.Robot:
    """The two with the end on a wall."""
    wall = arm.contact("wall", arm.side("lower", d=length), f"x - {length}/3")
    return arm.describe("elbow", *links(length), wall, gravity=(0, -9.81, 0))


def elbow_of(model: str) -> Callable[[str], arm.Robot] | None:
    """The first elbow that the model is for."""
    return next(
        (
            elbow
            for elbow in (open_elbow, closed_elbow, touching_elbow, rolling_elbow, carried_elbow)
            if fits(elbow("L"), model)
        ),
        None,
    )


@pytest.mark.parametrize("model", [m for m in CATALOGUE if elbow_of(m)])
def test_symbols_may_have_the_names_of_inputs_and_outputs(model: str) -> None:
    """A, G, q and so on: the symbol keeps its name, what the model calls so gets an underscore. Numbers are the same."""
    entry = CATALOGUE[model]
    elbow = elbow_of(model)
    assert elbow is not None
    for symbol in (*entry.inputs, *entry.outputs):
        here, usual = (elbow(x).derive(model) for x in (symbol, "L"))
        names = [x.name for x in (*usual.states, *usual.outputs)]
        if usual.parameters:
            names = [f"{name}_" if name == symbol else name for name in names]
        assert [x.name for x in (*here.states, *here.outputs)] == names
        given = {x.name: np.linspace(0.3, 0.7, max(x.size, 1)).reshape(x.shape) for x in usual.inputs}
        moved = symbol if usual.parameters else ""
        renamed = {symbol if name == "L" else f"{name}_" if name == moved else name: x for name, x in given.items()}
        pairs = zip(here.evaluate(**renamed).values(), usual.evaluate(**given).values(), strict=True)
        assert all(np.array_equal(a, b) for a, b in pairs)


def test_same_input_same_bytes() -> None:
    """Whatever the hash seed, and whatever was derived before in the same process."""
    outputs = []
    for seed, before in (("0", []), ("1", []), ("2", ["others"])):
        environment = os.environ | {"PYTHONHASHSEED": seed}
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, *before], capture_output=True, env=environment, check=True
        )
        outputs.append(done.stdout)
    assert outputs[0] and outputs[0] == outputs[1] == outputs[2]


def test_importing_starts_nothing() -> None:
    code = "import sys, time; t = time.perf_counter(); import armillary; print(time.perf_counter() - t); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    seconds, modules = done.stdout.split("\n")[:2]
    assert float(seconds) < 0.25
    assert not {"numpy", "llvmlite", "typer", "rich"} & set(modules.split())
    code = "import sys, armillary; armillary.load; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"llvmlite", "typer", "rich", "sympy"} & set(done.stdout.split())


def test_every_public_name_is_there_and_explained() -> None:
    for name in arm.__all__:
        assert getattr(arm, name).__doc__, name
    with pytest.raises(AttributeError, match="has no attribute 'lod'"):
        _ = arm.lod  # type: ignore[attr-defined]


def test_unknown_names_are_told() -> None:
    r = arm.load("planar2r")
    with pytest.raises(ModelError, match="did you mean 'inverse-dynamics'"):
        r.derive("inverse-dynamic")
    with pytest.raises(ModelError, match="did you mean 'frame'"):
        r.derive("pose", fram="tool")
    with pytest.raises(ModelError, match="no frame 'tol'"):
        r.pose("tol")
    with pytest.raises(ModelError, match="one of auto, articulated, matrix"):
        r.derive("direct-dynamics", method="magic")
    with pytest.raises(ModelError, match="tips"):
        arm.load("torso").pose()


@pytest.mark.parametrize(
    ("model", "options", "said"),
    [
        ("jacobian-determinant", {"rows": 0}, r"rows must be several whole numbers or names, as in \(0, 1\), not 0"),
        ("jacobian-determinant", {"columns": "01"}, "columns must be several whole numbers"),
        ("jacobian-determinant", {"rows": (0, 0.5)}, "rows must be several whole numbers"),
        ("hybrid-dynamics", {"known": "q1"}, r"known must be several names, as in \('q1', 'q2'\), not 'q1'"),
        ("regressor", {"base_wrench": "no"}, "base_wrench must be True or False, not 'no'"),
        ("pose", {"frame": 3}, "frame must be a name, not 3"),
        ("pose", {"reference": None}, "reference must be a name, not None"),
    ],
)
def test_options_that_do_not_fit(model: str, options: dict[str, object], said: str) -> None:
    with pytest.raises(ModelError, match=f"^{model}: {said}"):
        arm.load("planar2r").derive(model, **options)


def test_options_may_be_any_sequence() -> None:
    r = arm.load("planar2r")
    rows = r.jacobian_determinant(rows=(0, 1))
    assert r.derive("jacobian-determinant", rows=[np.int64(0), 1]).digest == rows.digest
    assert r.derive("jacobian-determinant", rows=range(2)).digest == rows.digest


def test_rows_and_columns_by_name() -> None:
    """L1 L2 sin(q2): the planar arm's determinant, as every book has it."""
    r = arm.load("planar2r")
    named = r.jacobian_determinant(rows=("v_x", "v_y"), columns=("q1", 1))
    assert str(named.closed_form()) == "det = 0.075*sin(q2)"
    assert named.outputs[0].doc == "det J of tool, rows v_x, v_y, columns all"
    for wrong in (("v_x", "vy"), ("v_x", 0), (0, 6), (-1, 0)):
        with pytest.raises(
            ModelError, match="rows of a determinant are different ones of v_x, v_y, v_z, w_x, w_y, w_z"
        ):
            r.jacobian_determinant(rows=wrong)


@pytest.mark.parametrize("model", ["direct-dynamics", "hybrid-dynamics", "linearisation"])
def test_accelerations_that_nothing_determines(model: str) -> None:
    """The joint is named; hybrid dynamics that knows its acceleration is fine."""
    r = arm.describe("arm", arm.revolute("upper", mass=1, center=(0.2, 0, 0)), arm.revolute("hand", d=0.3))
    with pytest.raises(ModelError, match="nothing with inertia moves with q2; give the link mass"):
        r.derive(model)
    assert r.hybrid_dynamics(known=("q2",)).evaluate(q=[0, 0], qd=[0, 0], given=[0.04, 0])["found"][0] == pytest.approx(
        1
    )


@pytest.fixture(autouse=True)
def _quiet() -> object:  # type: ignore[misc]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", arm.RobotWarning)
        yield
