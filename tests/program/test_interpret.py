"""The interpreter against plain NumPy, over one state and batches; cutting and binding keep every value."""

from fractions import Fraction

import numpy as np
import pytest

from armillary.errors import ProgramError
from armillary.program import Input, Output, Program, Trace, bind, cost, evaluate, interpret, package, split
from reference.random_programs import random_inputs, random_program


def test_against_numpy() -> None:
    trace = Trace()
    q = trace.input(Input("q", (2,)))
    A = trace.input(Input("A", (2, 2)))
    (k,) = trace.input(Input("k", role="parameter", default=(3.0,)))
    x = trace.graph.solve([A[:2], A[2:]], [[q[0]], [q[1]]])
    trace.output(Output("x", (2,), ()), [row[0] for row in x])
    trace.output(
        Output("S", (2, 3), ()),
        [[q[0].sin() * k, q[1].arctan2(q[0]), q[0].less(q[1])], [q[0] / k, 7, abs(q[0]).sqrt()]],
    )
    program = trace.program("p")
    rng = np.random.default_rng(1)
    qs, As = rng.normal(size=(5, 2)), rng.normal(size=(5, 2, 2))
    for k_value in (3.0, 1.25):
        given = {"q": qs, "A": As} if k_value == 3.0 else {"q": qs, "A": As, "k": k_value}
        got = evaluate(program, given)
        assert got["x"].shape == (5, 2) and got["S"].shape == (5, 2, 3)
        assert np.allclose(np.einsum("nij,nj->ni", As, got["x"]), qs, rtol=0, atol=1e-12)
        first = [np.sin(qs[:, 0]) * k_value, np.arctan2(qs[:, 1], qs[:, 0]), (qs[:, 0] < qs[:, 1]) * 1.0]
        second = [qs[:, 0] / k_value, np.full(5, 7.0), np.sqrt(np.abs(qs[:, 0]))]
        assert np.allclose(got["S"], np.array([first, second]).transpose(2, 0, 1), rtol=1e-15)
        one = evaluate(program, {"q": qs[2], "A": As[2], "k": k_value})
        assert one["x"].shape == (2,) and np.allclose(one["S"], got["S"][2], rtol=1e-15)


def test_singular_systems_have_no_value() -> None:
    trace = Trace()
    A = trace.input(Input("A", (2, 2)))
    trace.output(Output("x", (2,), ()), [r[0] for r in trace.graph.solve([A[:2], A[2:]], [[1], [1]])])
    assert np.isnan(evaluate(trace.program("p"), {"A": np.ones((2, 2))})["x"]).all()


def values(program: Program, inputs: dict[str, np.ndarray]) -> np.ndarray:  # type: ignore[type-arg]
    """All outputs of a batch, one state a row."""
    out = evaluate(program, {x.name: inputs[x.name] for x in program.inputs if x.name in inputs})
    return np.concatenate([np.atleast_2d(v.reshape(len(v), -1)) for v in out.values()], axis=1)


@pytest.mark.parametrize("seed", range(25))
def test_cutting_keeps_the_values(seed: int) -> None:
    rng = np.random.default_rng(seed)
    program = random_program(rng)
    inputs = random_inputs(rng, program, batch=7)
    expected = values(program, inputs)
    first, second = split(program, [x.name for x in program.parameters])
    setup = evaluate(first, {x.name: inputs[x.name] for x in first.inputs})["setup"]
    assert np.allclose(values(second, inputs | {"setup": setup}), expected, rtol=1e-12, atol=1e-12)
    assert not cost(second)[1].as_dict() or all(v == 0 for v in cost(second)[1].as_dict().values())
    assert cost(second)[0] == cost(program)[0] and cost(first)[1] == cost(program)[1]

    early, late = split(program, ["q"])
    given = {x.name: inputs[x.name] for x in early.inputs}
    crossing = evaluate(early, given)["setup"] if early.outputs[0].size else np.zeros((7, 0))
    assert np.allclose(values(late, inputs | {"setup": crossing}), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("seed", range(10))
def test_programs_of_one_package_share_their_setup(seed: int) -> None:
    rng = np.random.default_rng(seed)
    program = random_program(rng)
    one = program.with_(name="one", outputs=program.outputs[:1])
    two = program.with_(name="two", outputs=program.outputs[1:])
    inputs = random_inputs(rng, program, batch=4)
    both = package([one, two])
    setup = evaluate(both.setup, {x.name: inputs[x.name] for x in both.setup.inputs})["setup"]
    for before, run in zip((one, two), both.runs, strict=True):
        assert np.allclose(values(run, inputs | {"setup": setup}), values(before, inputs), rtol=1e-12, atol=1e-12)
        assert run.name == before.name


@pytest.mark.parametrize("seed", range(25))
def test_binding_keeps_the_values(seed: int) -> None:
    rng = np.random.default_rng(seed)
    program = random_program(rng)
    inputs = random_inputs(rng, program, batch=5)
    numbers = {"L": 0.3, "m": [1.25, -0.5], "q2": Fraction(1, 3), "A[0,1]": 2}
    there = {"q2", "A[0,1]", *(x.name for x in program.parameters)}  # a parameter that nothing uses is no input
    bound = bind(program, {name: value for name, value in numbers.items() if name in there})
    assert bound.parameters == () and cost(bound)[0].total <= cost(program)[0].total + cost(program)[1].total
    full = dict(inputs) | {"L": np.array(0.3), "m": np.array([1.25, -0.5])}
    full["q"] = np.column_stack([inputs["q"][:, 0], np.full(5, 1 / 3), inputs["q"][:, 2]])
    full["A"] = inputs["A"].copy()
    full["A"][:, 0, 1] = 2
    open_ = {"q": inputs["q"][:, [0, 2]], "A": inputs["A"].reshape(5, 4)[:, [0, 2, 3]], "s": inputs["s"]}
    assert bound.input("q").labels == ("q1", "q3") and bound.input("A").shape == (3,)
    assert np.allclose(values(bound, open_), values(program, full), rtol=1e-9, atol=1e-9)


def test_binding_folds() -> None:
    trace = Trace()
    x, y = (trace.input(Input(name))[0] for name in "xy")
    trace.output(Output("z", (), ()), [x * y + y * 0.5 + x.cos()])
    bound = bind(trace.program("p"), {"x": 0})
    assert cost(bound)[0].as_dict() == {"mul": 1, "add": 1, "div": 0, "trig": 0, "other": 0}
    assert evaluate(bind(bound, {"y": 4}), {})["z"] == 3


def test_errors() -> None:
    program = random_program(np.random.default_rng(0))
    with pytest.raises(ProgramError, match="no input 'x'; it has q, A, s, L, m"):
        bind(program, {"x": 1})
    with pytest.raises(ProgramError, match="'q' has 3 elements, 2 values"):
        bind(program, {"q": [1, 2]})
    with pytest.raises(ProgramError, match="takes 11 input elements, not 2"):
        interpret(program, [1, 2])
    given = random_inputs(np.random.default_rng(0), program)
    with pytest.raises(ProgramError, match=r"needs the parameter 'm' of shape \(2,\)"):
        evaluate(program, {k: v for k, v in given.items() if k != "m"})
    with pytest.raises(ProgramError, match=r"'q' has shape \(4,\); it takes \(3,\)"):
        evaluate(program, given | {"q": np.zeros(4)})
    with pytest.raises(ProgramError, match="a batch of 3, another input one of 2"):
        evaluate(program, given | {"q": np.zeros((2, 3)), "s": np.zeros(3)})


def test_a_state_may_be_called_setup() -> None:
    trace = Trace()
    x = trace.input(Input("setup", (2,)))
    (m,) = trace.input(Input("m", role="parameter"))
    trace.output(Output("setup_", (), ()), [x[0] * (m * m) + x[1]])
    first, second = split(trace.program("p"), ["m"])
    carried = evaluate(first, {"m": 3})
    assert list(carried) == ["setup__"]
    assert evaluate(second, {"setup": [2, 5], **carried})["setup_"] == 23
