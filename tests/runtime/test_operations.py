"""Every operation in machine code against the interpreter, in both precisions."""

from fractions import Fraction

import numpy as np
import pytest

from armillary.expr.graph import Expr
from armillary.expr.ops import OPS
from armillary.program import Input, Output, Program, Trace, evaluate
from armillary.runtime import compile

DOMAINS = {
    "asin": (-1, 1),
    "acos": (-1, 1),
    "sqrt": (0, 100),
    "log": (1e-3, 100),
    "exp": (-20, 20),
    "tan": (-1.4, 1.4),
}
EPS = {"double": 2.0**-52, "float": 2.0**-23}


def one_operation(op: str) -> Program:
    """y = op(x) of as many scalars as it takes."""
    trace = Trace()
    args = [trace.input(Input(name))[0] for name in "abc"[: OPS[op].arity]]
    trace.output(Output("y", (), ()), [trace.graph.intern(op, tuple(args))])
    return trace.program(op)


@pytest.mark.parametrize("dtype", ["double", "float"])
@pytest.mark.parametrize("op", OPS)
def test_operation_has_the_interpreters_value(op: str, dtype: str) -> None:
    program = one_operation(op)
    rng = np.random.default_rng(len(op))
    low, high = DOMAINS.get(op, (-5, 5))
    x = {i.name: rng.uniform(low, high, 301).astype("f8" if dtype == "double" else "f4") for i in program.inputs}
    if op in ("less", "min", "max", "select", "sign"):
        for values in x.values():
            values[::3] = np.round(values[::3])
    got = compile(program, dtype=dtype, cache=False)(*x.values())
    want = evaluate(program, x)["y"]
    assert np.all(np.abs(got - want) <= 1.5 * EPS[dtype] * np.abs(want))


@pytest.mark.parametrize("dtype", ["double", "float"])
def test_values_of_nothing_are_handed_on(dtype: str) -> None:
    trace = Trace()
    a, b = (trace.input(Input(name))[0] for name in "ab")
    trace.output(Output("y", (4,), ()), [a + b, a * b, a / b, -a])
    with np.errstate(all="ignore"):
        special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 1e-310])
        x, y = (v.ravel() for v in np.meshgrid(special, special))
        got = compile(trace.program("special"), dtype=dtype, cache=False)(x, y)
        kind = np.float64 if dtype == "double" else np.float32
        x, y = x.astype(kind), y.astype(kind)
        want = np.stack([x + y, x * y, x / y, -x], axis=-1)
    np.testing.assert_array_equal(got, want)
    here = ~np.isnan(want)
    np.testing.assert_array_equal(np.signbit(got[here]), np.signbit(want[here]))


def test_multiply_and_add_may_be_fused_and_nothing_else_may() -> None:
    trace = Trace()
    a, b, c = (trace.input(Input(name))[0] for name in "abc")
    trace.output(Output("y", (3,), ()), [a * b + c, (a + b) - c, (a / b) / c])
    rng = np.random.default_rng(0)
    x = rng.normal(size=(3, 1000))
    fused, sum_, quotient = compile(trace.program("fused"), cache=False)(*x).T
    once = [float(Fraction(a) * Fraction(b) + Fraction(c)) for a, b, c in x.T.tolist()]
    assert np.all((fused == once) | (fused == x[0] * x[1] + x[2]))
    np.testing.assert_array_equal(sum_, (x[0] + x[1]) - x[2])
    np.testing.assert_array_equal(quotient, (x[0] / x[1]) / x[2])


def test_zero_times_anything_is_zero_as_the_graph_has_it() -> None:
    trace = Trace()
    x = trace.input(Input("x"))[0]
    zero: Expr = 0 * x
    trace.output(Output("y", (2,), ()), [zero, x])
    np.testing.assert_array_equal(compile(trace.program("zero"), cache=False)(np.array(np.nan)), [0, np.nan])
