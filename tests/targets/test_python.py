"""Generated Python against the interpreter: one state, batches, parameters, systems; warnings are errors everywhere."""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from armillary.errors import TargetError
from armillary.program import About, Input, Output, Program, Trace, evaluate, package
from armillary.targets import target
from reference.python_calls import call, module_of
from reference.random_programs import random_inputs, random_program
from reference.written_programs import inertia_matrix, inverse_dynamics, pose


@pytest.mark.parametrize("seed", range(60))
def test_random_programs_one_state_and_batches(seed: int) -> None:
    rng = np.random.default_rng(seed)
    program = random_program(rng, size=int(rng.integers(10, 120)))
    for batch in (None, 1, 5):
        given = random_inputs(rng, program, batch)
        expected = evaluate(program, given)
        computed = call(program, given)
        for name, value in expected.items():
            assert computed[name].shape == value.shape
            np.testing.assert_allclose(computed[name], value, rtol=1e-12, atol=1e-14)


def test_batches_broadcast_against_single_states_and_keep_their_axes() -> None:
    program = random_program(np.random.default_rng(7))
    rng = np.random.default_rng(8)
    flat = random_inputs(rng, program, 6)
    flat["s"] = np.full(6, 0.25)
    expected = evaluate(program, flat)
    shaped = {**flat, "q": flat["q"].reshape(2, 3, 3), "A": flat["A"].reshape(2, 3, 2, 2), "s": 0.25}
    for name, value in call(program, shaped).items():
        np.testing.assert_allclose(value.reshape(expected[name].shape), expected[name], rtol=1e-12)


def test_lists_and_integers_are_taken() -> None:
    program = inertia_matrix()
    given: dict[str, Any] = {x.name: 2.0 for x in program.parameters}
    assert np.array_equal(
        call(program, {**given, "q": [1, 2]})["A"], call(program, {**given, "q": np.array([1.0, 2.0])})["A"]
    )


def test_a_batch_of_robots() -> None:
    """Parameters may be arrays too: inertia matrices of five robots in five configurations."""
    program = inertia_matrix()
    rng = np.random.default_rng(3)
    given = {x.name: rng.uniform(1, 2, size=(5, *x.shape)) for x in program.inputs}
    module = module_of(target("python").files(program, name="f")["f.py"])
    parameters = module.Parameters(**{x.name: given[x.name] for x in program.parameters})
    np.testing.assert_allclose(
        module.f(given["q"], module.setup(parameters)), evaluate(program, given)["A"], rtol=1e-14
    )


def test_only_the_singular_system_of_a_batch_has_no_value() -> None:
    trace = Trace()
    a, b = trace.input(Input("a", (2,)))
    (x,), (y,) = trace.graph.solve([[a, b], [b, a]], [[1], [a]])
    trace.output(Output("x", (2,), ()), [x, y])
    given = np.array([[2.0, 1.0], [1.0, 1.0], [3.0, -1.0]])
    got = call(trace.program("p"), {"a": given})["x"]
    assert np.isnan(got[1]).all()
    for k in (0, 2):
        u, v = given[k]
        np.testing.assert_allclose([[u, v], [v, u]] @ got[k], [1, u], rtol=1e-14)


def test_the_branch_not_taken_does_not_warn() -> None:
    trace = Trace()
    (x,) = trace.input(Input("x"))
    trace.output(Output("sinc", (), ()), [abs(x).less(1e-12).select(1, x.sin() / x)])
    assert call(trace.program("p"), {"x": 0.0})["sinc"] == 1


def odd_program() -> Program:
    """Names that mean something to Python, text that would end a docstring, elements and arguments that nothing uses."""
    trace = Trace()
    np_, lambda_, _, unicode = trace.input(
        Input("np", (4,), unit='"""', doc='ends with "', labels=("np", "lambda", "a b", "θ̈"))
    )
    trace.input(Input("unused", (2, 1, 2)))
    (batch,) = trace.input(Input("batch", doc="C:\\new\\u1234\nsecond line"))
    (p,) = trace.input(Input("p", role="parameter", doc='x"""\n\\', labels=("class",), default=(1e-7,)))
    M = trace.input(Input("M", (2, 2), "parameter", labels=("M[0,0]", "M[0,1]", "setup", "p")))
    ((x,),) = trace.graph.solve([[batch + 2]], [[p * M[0]]])
    trace.output(Output("setup", (), ()), [(np_ + lambda_ * unicode + x).named("def")])
    trace.output(Output("constants", (1, 2), ()), [[M[2] * 3, 0]])
    trace.output(Output("none", (0,), ()), [])
    return trace.program("import", About('a "robot"\\', 'model """', "E = ½", options=(("k", "'v'"),)))


def test_odd_names_and_texts() -> None:
    program = odd_program()
    given = random_inputs(np.random.default_rng(0), program, 3)
    for name, value in evaluate(program, given).items():
        np.testing.assert_allclose(call(program, given)[name], value, rtol=1e-14)


def test_parameters_alone_constants_alone_nothing_at_all() -> None:
    trace = Trace()
    a, b = trace.input(Input("m", (2,), "parameter", labels=("a", "b"), default=(2.0, 3.0)))
    trace.output(Output("product", (), ()), [a * b])
    module = module_of(target("python").files(trace.program("f"))["f.py"])
    assert module.f(module.Parameters()) == 6
    assert np.array_equal(module.f(module.Parameters(a=np.array([1.0, 2.0]))), [3, 6])

    trace = Trace()
    trace.output(Output("I", (2, 2), ()), [[1, 0], [0, 1]])
    trace.output(Output("e", (), ()), [2])
    unit, two = module_of(target("python").files(trace.program("f"))["f.py"]).f()
    assert np.array_equal(unit, np.eye(2)) and two == 2

    trace = Trace()
    trace.input(Input("q", (0,)))
    trace.output(Output("tau", (0,), ()), [])
    f = module_of(target("python").files(trace.program("f"))["f.py"]).f
    assert f([]).shape == (0,) and f(np.zeros((4, 0))).shape == (4, 0)

    assert module_of(target("python").files(Trace().program("f"))["f.py"]).f() is None


ROBOT_PROGRAMS = {"dynamics": inverse_dynamics, "inertia": inertia_matrix, "pose": pose}


def test_programs_that_share_a_setup() -> None:
    programs = [inverse_dynamics(), inertia_matrix()]
    text = target("python").files(package(programs), name="planar")["planar.py"]
    module = module_of(text)
    rng = np.random.default_rng(5)
    given = {x.name: rng.uniform(0.5, 2, size=x.shape) for p in programs for x in p.inputs}
    constants = module.setup(module.Parameters(**{f.name: given[f.name] for f in fields(module.Parameters)}))
    for p in programs:
        computed = getattr(module, p.name)(*(given[x.name] for x in p.states), constants)
        np.testing.assert_allclose(computed, evaluate(p, given)[p.outputs[0].name], rtol=1e-13)
    with pytest.raises(TargetError, match="name="):
        target("python").files(package(programs))


def test_a_package_without_parameters() -> None:
    trace = Trace()
    (a,) = trace.input(Input("a"))
    trace.output(Output("b", (), ()), [a + 1])
    (text,) = target("python").files(package([trace.program("f")]), name="m").values()
    assert module_of(text).f(1.0) == 2


@pytest.mark.parametrize("which", list(ROBOT_PROGRAMS))
def test_golden(which: str, golden: Callable[[str, str], None]) -> None:
    for name, text in target("python").files(ROBOT_PROGRAMS[which]()).items():
        golden(f"python/{name}", text)


def test_no_warning_and_no_lint(tmp_path: Path) -> None:
    programs = {
        **{name: make() for name, make in ROBOT_PROGRAMS.items()},
        "odd": odd_program(),
        "random": random_program(np.random.default_rng(1), 60),
    }
    for name, program in programs.items():
        target("python").write(program, tmp_path, name=f"module_{name}")
    imports = "; ".join(f"import module_{name}" for name in programs)
    subprocess.run([sys.executable, "-W", "error", "-c", imports], cwd=tmp_path, check=True)
    lint = [sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", "--line-length", "100"]
    lint += ["--select", "E,F,W,I,UP,B,C4,SIM,PIE,RET,RUF", "--ignore", "RUF001,RUF002,RUF003,E741,SIM108", "."]
    found = subprocess.run(lint, cwd=tmp_path, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout


def test_an_option_that_does_not_exist() -> None:
    with pytest.raises(TargetError, match="no option dtype; its options are: name"):
        target("python").files(inertia_matrix(), dtype="float")
