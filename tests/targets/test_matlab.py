"""Generated MATLAB, run by Octave, against the interpreter. One start of Octave computes every case."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from armillary.errors import TargetError
from armillary.expr.ops import OPS
from armillary.program import About, Input, Output, Program, Trace, evaluate, package
from armillary.targets import target
from reference import octave
from reference.matlab_calls import Case, computed_by_octave, filled, text
from reference.random_programs import random_inputs, random_program
from reference.written_programs import inertia_matrix, inverse_dynamics, pose

RANDOM = 40


def every_operation() -> Program:
    """Every operation of two numbers, nothing smoothed: signs, zeros, what leaves the real numbers, NaN and infinity."""
    trace = Trace()
    x = trace.input(Input("x", (3,)))
    results = [trace.graph.apply(op, *x[: row.arity]) for op, row in OPS.items()]
    results += [x[0].less(x[1]).select(x[1] * x[2], 1 / x[2]), trace.graph.const(1) / 3 - x[0]]
    trace.output(Output("y", (len(results),), ()), results)
    return trace.program("operations")


def systems() -> Program:
    """A system of two unknowns that is singular where a = b."""
    trace = Trace()
    a, b = trace.input(Input("a", (2,)))
    (x,), (y,) = trace.graph.solve([[a, b], [b, a]], [[1], [a]])
    trace.output(Output("x", (2,), ()), [x, y])
    return trace.program("systems")


def odd() -> Program:
    """Names that mean something to MATLAB or are too long for it, text that might end a comment, arrays of rank 3."""
    trace = Trace()
    a, b, c = trace.input(Input("end", (3,), unit="%", doc="%{\n%}", labels=("pi", "function", "x" * 80)))
    V = trace.input(Input("k", (2, 1, 2)))
    trace.input(Input("p"))
    m, n = trace.input(Input("m", (2,), "parameter", doc="...", labels=("y" * 80, "y" * 80 + "2")))
    (e,) = trace.input(Input("e", role="parameter", labels=("end function",)))
    trace.output(Output("ans", (), ()), [(a + b * c + V[3]).named("zeros") * (m - n)])
    trace.output(Output("zeros", (2, 1, 2), ()), [m * n * e, 0, V[1], 3])
    return trace.program("while" * 20, About("robot %{", "model\n%}"))


def parameters_alone() -> Program:
    trace = Trace()
    a, b = trace.input(Input("m", (2,), "parameter", labels=("a", "b"), default=(2.0, 1e-7)))
    trace.output(Output("product", (), ()), [a * b])
    return trace.program("alone")


def cases() -> dict[str, Case]:
    found: dict[str, Case] = {}
    for seed in range(RANDOM):
        rng = np.random.default_rng(seed)
        program = random_program(rng, size=int(rng.integers(10, 120)))
        found[f"random {seed}"] = Case(program, random_inputs(rng, program))
    operations = every_operation()
    special = (-2.0, -0.5, -0.0, 0.0, 1.0, 2.5, np.nan, np.inf)
    for a in special:
        for b in special:
            found[f"operations {a} {b}"] = Case(operations, {"x": [a, b, 0.25 if b == 0 else b]})
    rng = np.random.default_rng(77)
    for make in (inverse_dynamics, inertia_matrix, pose, odd):
        program = make()
        found[make.__name__] = Case(program, random_inputs(rng, program))
    found["singular"] = Case(systems(), {"a": [1.0, 1.0]})
    found["regular"] = Case(systems(), {"a": [2.0, -1.0]})
    found["parameters alone"] = Case(parameters_alone(), {"m": [2.0, 3.0]})
    found["defaults"] = Case(parameters_alone(), {}, defaults=True)
    return found


CASES = cases()


@pytest.fixture(scope="session")
def computed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[float]]:
    """What Octave computed for every case."""
    try:
        return computed_by_octave(CASES, tmp_path_factory.mktemp("matlab"))
    except octave.NoOctave as reason:
        pytest.skip(str(reason))


@pytest.mark.parametrize("key", list(CASES))
def test_octave_agrees_with_the_interpreter(key: str, computed: dict[str, list[float]]) -> None:
    case = CASES[key]
    with np.errstate(all="ignore"):
        expected = np.concatenate([np.ravel(value) for value in evaluate(case.program, case.given).values()])
    np.testing.assert_allclose(computed[key], expected, rtol=1e-12, atol=1e-14)


def test_programs_that_share_a_setup(tmp_path: Path) -> None:
    programs = [inverse_dynamics(), inertia_matrix()]
    given = {x.name: np.linspace(0.5, 2, x.size).reshape(x.shape) for p in programs for x in p.inputs}
    target("matlab").write(package(programs), tmp_path, name="planar")
    lines = [f"p.{x.name} = {text(float(given[x.name]))};" for p in programs for x in p.parameters]
    lines += ["k = planar_setup(p);"]
    for p in programs:
        for x in p.states:
            lines += filled(x.name, x.shape, given[x.name])
        lines.append(f'printf("%.17g\\n", {p.name}({", ".join(x.name for x in p.states)}, k)\');')
    try:
        printed = octave.run("\n".join(lines), tmp_path)
    except octave.NoOctave as reason:
        pytest.skip(str(reason))
    expected = [np.ravel(evaluate(p, given)[p.outputs[0].name]) for p in programs]
    np.testing.assert_allclose([float(x) for x in printed.split()], np.concatenate(expected), rtol=1e-13)
    with pytest.raises(TargetError, match="name="):
        target("matlab").files(package(programs))


def test_names_are_no_longer_than_matlab_allows_and_lines_fit_a_page() -> None:
    for key, case in CASES.items():
        for name, content in target("matlab").files(case.program).items():
            assert len(name) <= 63 + len(".m")
            assert key == "odd" or all(len(line) <= 100 for line in content.splitlines())


@pytest.mark.parametrize("make", [inverse_dynamics, inertia_matrix, pose])
def test_golden(make: Callable[[], Program], golden: Callable[[str, str], None]) -> None:
    for name, content in target("matlab").files(make()).items():
        golden(f"matlab/{name}", content)
