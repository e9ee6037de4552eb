"""A Program verifies, knows its cost and its layout, and is identified by what it computes."""

import numpy as np
import pytest

from armillary.errors import ProgramError
from armillary.expr.graph import Graph
from armillary.expr.ops import OPS
from armillary.program import (
    About,
    Cost,
    Input,
    Output,
    Program,
    Result,
    Trace,
    cost,
    to_graph,
    to_program,
    verify,
)
from reference.random_programs import random_program


def small() -> Program:
    """y = m L² cos q + sin(L)/q, M = [[a, b], [b, 0]]."""
    trace = Trace()
    (q,) = trace.input(Input("q"))
    (m,) = trace.input(Input("m", role="parameter"))
    (L,) = trace.input(Input("L", role="parameter", default=(2.0,)))
    trace.output(Output("y", (), ()), [m * (L * L) * q.cos() + L.sin() / q])
    a, b = q * m, 2 * L
    trace.output(Output("M", (2, 2), ()), [[a, b], [b, 0]])
    trace.output(Output("P", (2, 2), ()), [[a, b], [a, 0]])
    trace.output(Output("v", (2,), ()), [a, b])
    return trace.program("small")


def test_cost_by_hand() -> None:
    """Online: cos q, times it, / q, +, q m. Setup: L L, m times it, sin L, 2 L. Negation is free."""
    online, setup = cost(small())
    assert online == Cost(mul=2, add=1, div=1, trig=1)
    assert setup == Cost(mul=3, trig=1)
    assert online.total == 3 and str(online) == "2 mul + 1 add + 1 div + 1 trig"
    assert (online + setup).as_dict() == {"mul": 5, "add": 1, "div": 1, "trig": 2, "other": 0}


@pytest.mark.parametrize(("n", "m"), [(2, 1), (3, 2), (5, 1), (4, 7)])
def test_cost_of_a_system_is_that_of_elimination(n: int, m: int) -> None:
    """Counted while eliminating with ordinary loops."""
    count = {"mul": 0, "add": 0, "div": 0}
    for k in range(n):
        for _ in range(k + 1, n):
            count["div"] += 1
            for _ in range(n - k - 1 + m):
                count["mul"] += 1
                count["add"] += 1
    for _ in range(m):
        for k in reversed(range(n)):
            for _ in range(k + 1, n):
                count["mul"] += 1
                count["add"] += 1
            count["div"] += 1
    trace = Trace()
    A, B = trace.input(Input("A", (n, n))), trace.input(Input("B", (n, m)))
    X = trace.graph.solve([A[i * n : (i + 1) * n] for i in range(n)], [B[i * m : (i + 1) * m] for i in range(n)])
    trace.output(Output("X", (n, m), ()), X)
    assert cost(trace.program("solve"))[0] == Cost(**count)


def test_layout() -> None:
    p = small()
    assert [p.layout(name) for name in ("M", "P", "v", "y")] == ["symmetric", "pattern", "dense", "dense"]
    assert p.input("L").default == (2.0,) and p.offset("L") == 2 and p.states == (p.inputs[0],)
    with pytest.raises(ProgramError, match="no output 'x'; it has y, M, P, v"):
        p.output("x")


def test_the_digest_says_what_is_computed() -> None:
    p = small()
    assert p == p.with_(about=About("r", "m"), name="other", hints={3: "x"}) and hash(p) == hash(small())
    assert p == to_program("again", p.inputs, to_graph(p)[1])
    changes = (
        p.with_(constants=(*p.constants[:-1], 0.25)),
        p.with_(outputs=p.outputs[::-1]),
        p.with_(ops=np.where(p.ops == OPS["cos"].code, OPS["sin"].code, p.ops).astype(np.uint8)),
        p.with_(inputs=(*p.inputs[:2], Input("L", labels=("L",)))),
    )
    assert len({x.digest for x in (p, *changes)}) == 5


def test_the_digest_does_not_know_what_was_derived_before() -> None:
    first = random_program(np.random.default_rng(7)).digest
    for seed in range(10):
        random_program(np.random.default_rng(seed))
    assert random_program(np.random.default_rng(7)).digest == first


@pytest.mark.parametrize("seed", range(10))
def test_through_the_graph_and_back(seed: int) -> None:
    """The laws have nothing left to do, and names stay."""
    p = random_program(np.random.default_rng(seed))
    graph, results = to_graph(p)
    back = to_program(p.name, p.inputs, results)
    assert back.digest == p.digest and back.hints == p.hints
    assert all(node.graph is graph for r in results for node in r.elements)


def test_what_no_output_needs_is_left_out() -> None:
    trace = Trace()
    x, y = (trace.input(Input(name))[0] for name in "xy")
    trace.input(Input("unused", role="parameter"))
    _ = x * y
    trace.output(Output("z", (), ()), [x + 1])
    p = trace.program("p")
    assert [i.name for i in p.inputs] == ["x", "y"] and len(p.ops) == 1


def test_inputs_fixed_beforehand_are_no_inputs() -> None:
    trace = Trace()
    trace.fixed["q1"] = trace.graph.symbol("q0") * 2
    q = trace.input(Input("q", (3,), labels=("q0", "q1", "q2"), default=(1.0, 2.0, 3.0)))
    assert q[1] is 2 * q[0]
    assert trace.inputs == [Input("q", (2,), labels=("q0", "q2"), default=(1.0, 3.0))]


def test_symbols_must_be_inputs() -> None:
    g = Graph()
    with pytest.raises(ProgramError, match="symbol 'b' is no input; the inputs are a"):
        to_program("p", [Input("a", labels=("a",))], [Result(Output("y", (), ()), (g.symbol("a") + g.symbol("b"),))])
    trace = Trace()
    trace.input(Input("a"))
    with pytest.raises(ProgramError, match=r"'y' of shape \(2,\) was given 3"):
        trace.output(Output("y", (2,), ()), [1, 2, 3])


def _with(p: Program, **changes: object) -> Program:
    return p.with_(**changes)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (lambda p: {"inputs": (*p.inputs[:2], Input("q", labels=("L",)))}, "a name is used twice"),
        (lambda p: {"inputs": (*p.inputs[:2], Input("L", labels=("q",)))}, "two input elements have one label"),
        (lambda p: {"inputs": (*p.inputs[:2], Input("L", (2,), labels=("L",)))}, "has 1 labels"),
        (lambda p: {"inputs": (*p.inputs[:2], Input("L", labels=("L",), default=(1.0, 2.0)))}, "has 2 default values"),
        (lambda p: {"ops": p.ops + np.uint8(100)}, "there is no operation 1"),
        (lambda p: {"starts": p.starts[:-1]}, "different lengths"),
        (lambda p: {"starts": p.starts[::-1] - p.starts[0] + 0 * p.starts}, "different lengths"),
        (lambda p: {"starts": np.concatenate(([1], p.starts[1:])).astype(np.int32)}, "do not follow one another"),
        (lambda p: {"ops": np.where(p.ops == OPS["cos"].code, OPS["add"].code, p.ops).astype(np.uint8)}, "it takes 2"),
        (lambda p: {"args": p.args + np.int32(3)}, "before it is made"),
        (lambda p: {"args": p.args - np.int32(3)}, "uses value -"),
        (lambda p: {"outputs": (Output("y", (2,), (0,)),)}, "has 1 elements"),
        (lambda p: {"outputs": (Output("y", (), (99,)),)}, "a value that does not exist"),
    ],
)
def test_what_is_no_program_is_refused(changes: object, message: str) -> None:
    p = small()
    assert verify(p) is p
    with pytest.raises(ProgramError) as caught:
        verify(_with(p, **changes(p)))  # type: ignore[operator]
    assert message in str(caught.value) and "'small' does not verify" in str(caught.value)
