"""The C of Programs, compiled with every warning an error, against the interpreter."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from armillary.dynamics.hybrid import direct_dynamics_articulated
from armillary.dynamics.inertia_matrix import inertia_matrix
from armillary.dynamics.newton_euler import inverse_dynamics
from armillary.errors import TargetError
from armillary.expr.numbers import PI
from armillary.expr.ops import OPS
from armillary.kinematics.motion import base_motion
from armillary.program import About, Input, Output, Program, Trace, evaluate, interpret, package
from armillary.robot import Description, Formula, tree
from armillary.targets import header, target
from armillary.targets.sample import sample
from reference.gcc import compiled, compiles_as_cpp, example, symbols
from reference.random_programs import random_inputs, random_program
from reference.random_trees import random_state, random_tree
from reference.two_link import inertia, momentum

SMOOTH = tuple(op for op in OPS if op not in ("less", "select", "sign"))
Golden = Callable[[str, str], None]


def agree(program: Program, got: dict[str, np.ndarray], inputs: dict[str, np.ndarray], tolerance: float) -> None:
    """Every output equals the interpreter's, norm by norm; not-a-number stands where it stands there."""
    with np.errstate(all="ignore"):
        expected = evaluate(program, inputs)
    assert list(got) == list(expected)
    for name, array in expected.items():
        assert got[name].shape == array.shape
        assert np.allclose(
            got[name],
            array,
            rtol=tolerance,
            atol=tolerance * (1 + np.abs(array[np.isfinite(array)]).max(initial=0)),
            equal_nan=True,
        )


@pytest.mark.parametrize("seed", range(40))
def test_random_programs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    program = random_program(rng, size=15 + 2 * seed)
    run = compiled(program)
    for _ in range(5):
        inputs = random_inputs(rng, program)
        agree(program, run(**inputs), inputs, 1e-11)


@pytest.mark.parametrize("seed", range(8))
def test_random_programs_in_single_precision(seed: int) -> None:
    """Against the interpreter over numbers of single precision."""
    rng = np.random.default_rng(100 + seed)
    program = random_program(rng, size=12, systems=1, ops=SMOOTH)
    run = compiled(program, dtype="float")
    inputs = random_inputs(rng, program)
    got = run(**inputs)
    expected = interpret(program, [np.float32(v) for x in program.inputs for v in np.ravel(inputs[x.name])])
    for out, values in zip(program.outputs, expected, strict=True):
        assert np.allclose(got[out.name].ravel(), np.array(values, dtype=float), rtol=1e-4, atol=1e-4)


def traced(robot: Description, name: str) -> Program:
    """A model of a robot with numbers."""
    trace = Trace()
    made = tree(robot, lambda x: x.expr if isinstance(x, Formula) else trace.graph.const(x)).welded()
    q = trace.input(Input("q", (robot.nq,)))
    base = base_motion(made)
    if name == "inertia_matrix":
        trace.output(Output("A", (robot.nv, robot.nv), ()), inertia_matrix(made, q) if robot.nv else [])
    else:
        qd, x = (trace.input(Input(n, (robot.nv,))) for n in ("qd", "x"))
        model = {"inverse_dynamics": inverse_dynamics, "direct_dynamics": direct_dynamics_articulated}[name]
        trace.output(Output("y", (robot.nv,), ()), model(made, q, qd, x, base))
    return trace.program(name, About(robot.name, name))


@pytest.mark.parametrize("name", ["inverse_dynamics", "inertia_matrix", "direct_dynamics"])
@pytest.mark.parametrize("joints", [0, 1, 3, 6, 9])
def test_random_trees(name: str, joints: int) -> None:
    rng = np.random.default_rng([joints, len(name)])
    robot = random_tree(rng, joints)
    program = traced(robot, name)
    run = compiled(program)
    for _ in range(5):
        q, qd, qdd = random_state(rng, robot)
        inputs = {k: v for k, v in (("q", q), ("qd", qd), ("x", qdd)) if any(x.name == k for x in program.inputs)}
        agree(program, run(**inputs), inputs, 1e-9 if name == "direct_dynamics" else 1e-12)


# ---- parameters, several Programs ----


def test_parameters_are_a_struct_with_defaults() -> None:
    program = momentum()
    run = compiled(program)
    rng = np.random.default_rng(1)
    for given in ({}, {"L1": 0.7}, {"L1": 0.1, "ZZ": [0.4, 0.1], "MS2": [0.3, 0.2]}):
        inputs = {"q": rng.normal(size=2), "qd": rng.normal(size=2), **given}
        agree(program, run(**inputs), inputs, 1e-13)
    text = target("c").files(inertia())["inertia_matrix.h"]
    assert "double ZZ1; /* inertias (kg·m²), default 0.9 */" in text
    assert "void inertia_matrix_setup(const inertia_matrix_parameters *p, inertia_matrix_constants *k);" in text


def test_programs_of_a_package_share_their_setup() -> None:
    programs = inertia(), momentum()
    both = package(programs)
    run = compiled(both, "arm")
    inputs = {"q": np.array([0.3, -1.2]), "qd": np.array([2.0, 0.5]), "L1": 0.5, "ZZ": [0.4, 0.1], "MS2": [0.3, 0.2]}
    for program in programs:
        agree(program, run(program.name, **inputs), {k: v for k, v in inputs.items() if k != "qd" or program.name == "momenta"}, 1e-13)  # fmt: skip
    text = target("c").files(both, name="arm")["arm.h"]
    assert text.count("arm_setup(") == 1 and "Model     inertia matrix\n *           momenta and energy" in text
    with pytest.raises(TargetError, match="several Programs needs a name"):
        target("c").files(both)


def test_parameters_without_states_or_use() -> None:
    trace = Trace()
    a, b = trace.input(Input("v", (2,), role="parameter", labels=("a b", "a-b")))
    trace.output(Output("y", (), ()), [a * b])
    run = compiled(trace.program("product"))
    assert run(v=[3, 4])["y"] == 12
    assert "double a_b;   /* a b */\n    double a_b_2; /* a-b */" in target("c").files(trace.program("p"))["p.h"]


# ---- what the operations mean ----


def table(op: str) -> Program:
    """One operation on inputs a, b, c."""
    trace = Trace()
    args = [trace.input(Input(name))[0] for name in "abc"[: OPS[op].arity]]
    trace.output(Output("y", (), ()), [trace.graph.apply(op, *args)])
    return trace.program(f"one_{op}")


@pytest.mark.parametrize("op", ["min", "max", "sign", "less", "select", "abs"])
@pytest.mark.parametrize("dtype", ["double", "float"])
def test_branches_at_the_edges(op: str, dtype: str) -> None:
    program = table(op)
    run = compiled(program, dtype=dtype)
    edges = (-np.inf, -1.0, -0.0, 0.0, 2.0, np.inf, np.nan)
    names = [x.name for x in program.inputs]
    for k, a in enumerate(edges):
        for b in edges:
            inputs = dict(zip(names, (a, b, edges[k - 1]), strict=False))
            agree(program, run(**inputs), {n: np.array(v) for n, v in inputs.items()}, 0)


def test_systems_pivot_and_singular_ones_have_no_value() -> None:
    trace = Trace()
    A = trace.input(Input("A", (3, 3)))
    B = trace.input(Input("B", (3, 2)))
    X = trace.graph.solve([A[3 * i : 3 * i + 3] for i in range(3)], [B[2 * i : 2 * i + 2] for i in range(3)])
    trace.output(Output("X", (3, 2), ()), X)
    run = compiled(trace.program("system"))
    rng = np.random.default_rng(3)
    right = rng.normal(size=(3, 2))
    for M in (np.eye(3)[[2, 0, 1]], np.array([[0, 1, 2], [1e-20, 0, 1], [3, 1, 0]]), rng.normal(size=(3, 3))):
        assert np.allclose(M @ run(A=M, B=right)["X"], right, rtol=0, atol=1e-12)
    for M in (np.zeros((3, 3)), np.outer([1, 2, 4], [1, 0.5, 2])):
        assert np.isnan(run(A=M, B=right)["X"]).all()


def test_numbers_keep_their_last_bit() -> None:
    trace = Trace()
    (x,) = trace.input(Input("x"))
    numbers = (0.1, 1e-300, 123456789.123456789, PI, 2, 1 / 3, 5e-324, -1.5)
    trace.output(Output("y", (len(numbers),), ()), [x * c if c != 2 else x + c for c in numbers])
    trace.output(Output("z", (2,), ()), [x - 0.7, x / 3])
    program = trace.program("numbers")
    got, expected = compiled(program)(x=1.0), evaluate(program, {"x": 1.0})
    assert all(np.array_equal(got[k], expected[k]) for k in expected)
    source = target("c").files(program)["numbers.c"]
    assert "z[0] = x - 0.7;" in source and "z[1] = 1.0/3.0*x;" in source and "/* pi */" in source
    with pytest.raises(TargetError, match=r"1e-300|5e-324|beyond the range of float"):
        huge = Trace()
        (x,) = huge.input(Input("x"))
        huge.output(Output("y", (), ()), [x * 1e300])
        target("c").files(huge.program("huge"), dtype="float")


# ---- names and text ----


@pytest.mark.parametrize(
    "word",
    [
        "double",
        "main",
        "sin",
        "malloc",
        "example",
        "class",
        "I",
        "θ₁",
        "2R arm",
        "q-1",
        "solve",
        "M_PI",
        "test",
        "p",
        "k",
        "t1",
        "A",
    ],
)
def test_any_name_is_a_name(word: str) -> None:
    """As the name of a module, an input, an output, a parameter and a value."""
    trace = Trace()
    (x,) = trace.input(Input(f"{word}", labels=("x",)))
    (p,) = trace.input(Input(f"{word}!", role="parameter", labels=(f"{word}'",), default=(2.0,)))
    s = (x + p).named(word)
    trace.output(Output(f"{word} out", (), ()), [s * s.sin()])
    program = trace.program(word)
    agree(program, compiled(program)(**{word: 0.5}), {word: np.array(0.5)}, 1e-15)
    compiles_as_cpp(target("c").files(program))


def test_texts_cannot_leave_their_comment() -> None:
    trace = Trace()
    (x,) = trace.input(Input("x", doc="*/ int y; /* what??/", unit="\\"))
    (p,) = trace.input(Input("p", role="parameter", doc="*/ } /*" * 20, default=(1.0,)))
    trace.output(Output("y", (), (), doc="line\nline"), [x * p])
    about = About("evil */ #error\n#error", "model /*", "a\nb", "\u2028 \\", options=(("a*/", "b\\\n"),))
    run = compiled(trace.program("odd", about))
    assert run(x=3)["y"] == 3
    compiles_as_cpp(target("c").files(run.source))


@pytest.mark.parametrize("seed", range(6))
def test_text_is_fit_to_read(seed: int) -> None:
    """Lines are at most 100 columns wide, carry no blanks at their ends, and every file says what it is."""
    program = random_program(np.random.default_rng(seed), size=80).with_(about=About("arm", "model", "a = b"))
    for name, text in target("c").files(program).items():
        assert all(len(line) <= header.WIDTH and line == line.rstrip() for line in text.splitlines()), name
        top = text.split("\n\n")[0]
        for fact in (name, "Robot     arm", "Model     model", "Equation  a = b", "Cost      ", "Armillary"):
            assert fact in top, name
        assert text.endswith("\n") and not text.endswith("\n\n") and "\n\n\n" not in text
        for variable in re.findall(r"const double (\w+) =", text):
            assert len(re.findall(rf"\b{variable}\b", text)) > 1, f"{variable} is never used"


def test_no_allocation_and_no_globals() -> None:
    """Object code with functions alone, which call the mathematical library and nothing else."""
    files = target("c").files(package([inertia(), momentum()]), name="arm")
    found = symbols(files)
    assert found["T"] == {"arm_defaults", "arm_setup", "inertia_matrix", "momenta"}
    assert found["U"] <= {"sin", "cos", "sincos", "_GLOBAL_OFFSET_TABLE_"}
    assert set(found) <= {"T", "t", "U", "r"}  # read-only constants are no globals


def test_the_same_program_gives_the_same_bytes() -> None:
    first = target("c").files(random_program(np.random.default_rng(5)))
    target("c").files(random_program(np.random.default_rng(6)))
    assert target("c").files(random_program(np.random.default_rng(5))) == first


def test_the_bytes_do_not_depend_on_the_hash_seed() -> None:
    code = (
        "from hashlib import sha256; from armillary.targets import target;"
        "from reference.two_link import momentum; from reference.random_programs import random_program;"
        "import numpy as np; made = [momentum(), random_program(np.random.default_rng(8), size=60)];"
        "print(sha256(repr([target('c').files(p) for p in made]).encode()).hexdigest())"
    )
    tests = Path(__file__).parents[1]
    digests = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(tests)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "77")
    }
    assert len(digests) == 1


def test_golden(golden: Golden, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(header, "armillary_version", lambda: "x.y.z")
    for name, text in target("c").files(momentum()).items():
        golden(f"c/momenta/{name}", text)
    for name, text in target("c").files(package([inertia(), momentum()]), name="arm", dtype="float").items():
        golden(f"c/arm/{name}", text)


# ---- headers, examples, building ----


def test_headers_are_read_by_cpp() -> None:
    compiles_as_cpp(target("c").files(momentum()))
    compiles_as_cpp(target("c").files(package([inertia(), momentum()]), name="arm"))


def sampled(program: Program) -> dict[str, np.ndarray]:
    """The arguments that an example uses."""
    values = sample([*program.states, *program.parameters])
    return {x.name: np.reshape(values[x.name], x.shape) for x in program.inputs}


@pytest.mark.parametrize("dtype", ["double", "float"])
def test_the_example_prints_what_the_interpreter_says(dtype: str) -> None:
    tree = traced(random_tree(np.random.default_rng(1), 3), "inertia_matrix")
    tolerance = 1e-12 if dtype == "double" else 2e-4
    for program in (momentum(), random_program(np.random.default_rng(3)), tree):
        printed = example(program, dtype=dtype)
        for name, array in evaluate(program, sampled(program)).items():
            assert np.allclose(printed[name].ravel(), array.ravel(), rtol=tolerance, atol=tolerance)


def test_the_example_of_a_package() -> None:
    printed = example(package([inertia(), momentum()]), name="arm")
    assert np.allclose(printed["M"], evaluate(inertia(), sampled(momentum()))["M"], rtol=1e-14)
    assert np.allclose(printed["momentum"][0], evaluate(momentum(), sampled(momentum()))["momentum"], rtol=1e-14)


@pytest.mark.skipif(shutil.which("cmake") is None, reason="CMake is not installed")
def test_cmake_builds_it(tmp_path: Path) -> None:
    target("c").write(momentum(), tmp_path)
    for command in (["cmake", "-B", "build"], ["cmake", "--build", "build"], ["build/momenta_example"]):
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("momentum =\n")


# ---- errors ----


def test_errors() -> None:
    with pytest.raises(TargetError, match="no target 'pascal'; there are c,"):
        target("pascal")
    with pytest.raises(TargetError, match="c has no option size; its options are: name, dtype"):
        target("c").files(momentum(), size=3)
    with pytest.raises(TargetError, match="dtype is double or float, not 'half'"):
        target("c").files(momentum(), dtype="half")
    with pytest.raises(TargetError, match="written from a Program or a Package or a Routine, not from a str"):
        target("c").files("momenta")  # type: ignore[arg-type]


def test_files_on_disk(tmp_path: Path) -> None:
    written = target("c").write(momentum(), tmp_path / "new")
    assert [path.name for path in written] == ["momenta.h", "momenta.c", "example.c", "CMakeLists.txt"]
    assert all(p.read_text() == text for p, text in zip(written, target("c").files(momentum()).values(), strict=True))
    (tmp_path / "file").write_text("")
    with pytest.raises(TargetError, match=r"cannot write momenta\.h, momenta\.c"):
        target("c").write(momentum(), tmp_path / "file")
