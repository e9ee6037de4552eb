"""Random Programs of the kind that robots give: vectors turned by angles one after another, scaled by parameters, added up."""

from numpy.random import Generator

from armillary.expr.graph import Expr
from armillary.program import Input, Output, Program, Trace


def turning_program(rng: Generator, size: int) -> Program:
    """About `size` turns, sums and products of pairs of numbers, by three angles and their multiples."""
    trace = Trace()
    angles = trace.input(Input("q", (3,), labels=("q1", "q2", "q3")))
    states = trace.input(Input("x", (4,)))
    parameters = trace.input(Input("p", (4,), "parameter"))
    pairs: list[tuple[Expr, Expr]] = [
        (states[0], states[1]),
        (states[2], trace.graph.const(0)),
        (states[3], parameters[0]),
    ]

    def pick() -> tuple[Expr, Expr]:
        return pairs[int(rng.integers(max(0, len(pairs) - 4), len(pairs)))]

    for _ in range(size):
        x, y = pick()
        match int(rng.integers(5)):
            case 0 | 1:
                a = angles[int(rng.integers(3))]
                c, s = a.cos(), a.sin()
                pairs.append((c * x + s * y, c * y - s * x) if rng.random() < 0.7 else (c * x - s * y, c * y + s * x))
            case 2:
                u, v = pick()
                pairs.append((x + u, y - v))
            case 3:
                p, r = (parameters[int(k)] for k in rng.integers(4, size=2))
                pairs.append((p * x, r * (p * y)))
            case _:
                u, v = pick()
                p, r = (parameters[int(k)] for k in rng.integers(4, size=2))
                pairs.append((p * x + r * u + p, (y + p) + (v + r)))
    trace.output(Output("y", (4,), ()), [*pairs[-1], *pairs[-2]])
    return trace.program("turning")
