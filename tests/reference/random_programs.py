"""Random straight-line Programs: every operation, systems, parameters, hints, outputs of several shapes."""

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from armillary.expr.graph import Expr
from armillary.expr.numbers import PI
from armillary.expr.ops import OPS
from armillary.program import Input, Output, Program, Trace

Floats = NDArray[np.float64]
CONSTANTS = (2, -1, 0.5, 0.1, 1.5708, PI)


def smooth(trace: Trace, op: str, args: list[Expr]) -> Expr:
    """The operation where it has a value: divisors away from 0, roots and logarithms of what is positive, arcs within 1."""
    first = args[0]
    if op in ("sqrt", "log"):
        args = [first * first + 1]
    elif op in ("div", "atan2"):
        args = [first, args[1] * args[1] + 1]
    elif op in ("asin", "acos"):
        args = [first.sin() * 0.5]
    elif op in ("tan", "exp"):
        args = [first.sin()]
    return trace.graph.apply(op, *args)


def random_program(rng: Generator, size: int = 40, systems: int = 2, ops: tuple[str, ...] = tuple(OPS)) -> Program:
    """About `size` operations on a vector, a matrix, a scalar and two parameters, one of which has a default."""
    trace = Trace()
    values: list[Expr] = []
    values += trace.input(Input("q", (3,), unit="rad", doc='angles, "quoted"', labels=("q1", "q2", "q3")))
    values += trace.input(Input("A", (2, 2)))
    values += trace.input(Input("s"))
    values += trace.input(Input("L", role="parameter", unit="m", labels=("L",), default=(0.75,)))
    values += trace.input(Input("m", (2,), "parameter", labels=("m 1", "50%")))
    values += [trace.graph.const(c) for c in CONSTANTS]

    def pick() -> Expr:
        recent = rng.random() < 0.5
        return values[int(rng.integers(max(0, len(values) - 8), len(values)) if recent else rng.integers(len(values)))]

    for k in range(size):
        op = ops[rng.integers(len(ops))]
        # A sine in between keeps the values of long chains within reach of each other.
        made = smooth(trace, op, [pick() for _ in range(OPS[op].arity)])
        values.append(made if rng.random() < 0.5 else made.sin())
        if rng.random() < 0.2:
            values[-1].named(f"N{k}")
        if systems and k % (size // systems) == size // systems - 1:
            n, m = int(rng.integers(2, 4)), int(rng.integers(1, 3))
            matrix = [[pick().sin() + (4 if i == j else 0) for j in range(n)] for i in range(n)]
            solution = trace.graph.solve(matrix, [[pick() for _ in range(m)] for _ in range(n)])
            values += [x.sin() for row in solution for x in row]
    trace.output(Output("y", (), (), "N·m", "a number"), [values[-1]])
    trace.output(Output("Y", (2, 3), (), rows=("a", "b"), columns=("1", "2", "x y")), [pick() for _ in range(6)])
    trace.output(Output("z", (2,), ()), [pick(), trace.graph.const(1)])
    return trace.program("random")


def random_inputs(rng: Generator, program: Program, batch: int | None = None) -> dict[str, Floats]:
    """A value for every input, or a batch of them for every state."""
    return {
        x.name: rng.uniform(-2, 2, size=(batch, *x.shape) if batch and x.role == "state" else x.shape)
        for x in program.inputs
    }
