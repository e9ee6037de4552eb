"""Programs whose Routines have known answers: two curves that meet, a four-bar linkage, a pendulum, a decay."""

from armillary.expr.graph import Expr
from armillary.program import About, Input, Output, Program, Trace


def curves() -> Program:
    """x² + y² = R², y = x³ - a x and the derivative of both residuals."""
    trace = Trace()
    x, y = trace.input(Input("x", (2,)))
    (R,) = trace.input(Input("R"))
    (a,) = trace.input(Input("a", role="parameter", default=(1.0,)))
    trace.output(Output("r", (2,), ()), [x * x + y * y - R * R, y - x**3 + a * x])
    trace.output(Output("J", (2, 2), ()), [[2 * x, 2 * y], [a - 3 * (x * x), 1]])
    return trace.program("curves", About(model="intersection of a circle and a cubic"))


def four_bar() -> Program:
    """Loop closure of a planar four-bar linkage with crank angle q: l₁ e^{iq} + l₂ e^{ix₁} = l₄ + l₃ e^{ix₂}."""
    trace = Trace()
    x = trace.input(Input("x", (2,), unit="rad", doc="angles of coupler and rocker"))
    (q,) = trace.input(Input("q", unit="rad", doc="angle of the crank"))
    l1, l2, l3, l4 = (trace.input(Input(f"l{k}", role="parameter", unit="m"))[0] for k in range(1, 5))
    s, c = [e.sin() for e in x], [e.cos() for e in x]
    r = [l1 * q.cos() + l2 * c[0] - l4 - l3 * c[1], l1 * q.sin() + l2 * s[0] - l3 * s[1]]
    trace.output(Output("r", (2,), (), "m", "gap of the loop"), r)
    trace.output(Output("J", (2, 2), ()), [[-(l2 * s[0]), l3 * s[1]], [l2 * c[0], -(l3 * c[1])]])
    return trace.program("four_bar", About("four-bar linkage", "closure of the loop"))


def pendulum() -> Program:
    """q' = w, w' = -g/l sin q, and the energy for each m l²."""
    trace = Trace()
    q, w = (trace.input(Input(name, (1,)))[0] for name in ("q", "w"))
    (ratio,) = trace.input(Input("ratio", role="parameter", unit="1/s²", doc="g / l", default=(9.81,)))
    trace.output(Output("qd", (1,), ()), [w])
    trace.output(Output("wd", (1,), ()), [-(ratio * q.sin())])
    trace.output(Output("E", (), ()), [w * w / 2 + ratio * (1 - q.cos())])
    return trace.program("pendulum", About("pendulum", "acceleration"))


def quadrature() -> Program:
    """x' = 5 t⁴, so that x = t⁵: the time is an input."""
    trace = Trace()
    trace.input(Input("x"))
    (t,) = trace.input(Input("t"))
    trace.output(Output("xd", (), ()), [5 * t**4])
    return trace.program("power")


def spinning() -> Program:
    """A body with principal inertias (1, 2, 3) and no moment on it: Q' = Q ω / 2, J ω' = -ω × J ω."""
    trace = Trace()
    Q = trace.input(Input("Q", (4,)))
    w = trace.input(Input("w", (3,)))
    trace.output(Output("Qd", (4,), ()), [e / 2 for e in product(Q, [trace.graph.const(0), *w])])
    trace.output(Output("wd", (3,), ()), [-(w[1] * w[2]), w[2] * w[0], -(w[0] * w[1]) / 3])
    return trace.program("spinning")


def unit_quaternion() -> Program:
    """Q / |Q|."""
    trace = Trace()
    Q = trace.input(Input("Q", (4,)))
    length = sum((e * e for e in Q[1:]), Q[0] * Q[0]).sqrt()
    trace.output(Output("next_Q", (4,), ()), [e / length for e in Q])
    return trace.program("unit")


def product(a: list[Expr], b: list[Expr]) -> list[Expr]:
    """Hamilton's product, scalars first."""
    return [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    ]
