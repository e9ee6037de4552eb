"""A planar arm with two links, written out by hand: small Programs that have all that generated code can show."""

from armillary.expr.graph import Expr
from armillary.program import About, Input, Output, Program, Trace

ROBOT = "planar 2R"


def begin() -> tuple[Trace, list[Expr], list[Expr], list[list[Expr]]]:
    """A trace with q, q', parameters and the inertia matrix M(q)."""
    trace = Trace()
    q = trace.input(Input("q", (2,), unit="rad", doc="joint positions", labels=("q1", "q2")))
    qd = trace.input(Input("qd", (2,), unit="rad/s", doc="joint velocities", labels=("shoulder", "elbow")))
    (L1,) = trace.input(Input("L1", (), "parameter", "m", "length of the first link", default=(0.3,)))
    ZZ1, ZZ2 = trace.input(Input("ZZ", (2,), "parameter", "kg·m²", "inertias", ("ZZ1", "ZZ2"), (0.9, 0.25)))
    (M2,) = trace.input(Input("M2", (), "parameter", "kg", "mass of the second link", default=(1.5,)))
    MX2, MY2 = trace.input(Input("MS2", (2,), "parameter", "kg·m", "first moments", ("MX2", "MY2"), (0.2, -0.1)))
    ZZ1R = (ZZ1 + ZZ2 + M2 * (L1 * L1)).named("ZZ1R")
    coupling = L1 * MX2 * q[1].cos() - L1 * MY2 * q[1].sin()
    M12 = (ZZ2 + coupling).named("M12")
    return trace, q, qd, [[(ZZ1R + 2 * coupling).named("M11"), M12], [M12, ZZ2]]


def inertia() -> Program:
    """M(q)."""
    trace, _, _, M = begin()
    trace.inputs = [x for x in trace.inputs if x.name != "qd"]
    trace.output(Output("M", (2, 2), (), "kg·m²", "inertia matrix"), M)
    return trace.program(
        "inertia_matrix", About(ROBOT, "inertia matrix", "M(q)", options=(("base parameters", "yes"),))
    )


def momentum() -> Program:
    """p = M q', T = q'ᵀ M q' / 2, and q'₀ with M q'₀ = (1, 0), which needs a system to be solved."""
    trace, q, qd, M = begin()
    p = [M[0][0] * qd[0] + M[0][1] * qd[1], M[1][0] * qd[0] + M[1][1] * qd[1]]
    (x1,), (x2,) = trace.graph.solve(M, [[1], [0]])
    trace.output(Output("momentum", (2,), (), "kg·m²/s", "generalised momenta", ("p1", "p2")), p)
    trace.output(Output("T", (), (), "J", "kinetic energy"), [(p[0] * qd[0] + p[1] * qd[1]) / 2])
    trace.output(Output("column", (2,), (), "", "first column of the inverse of M"), [x1, x2])
    trace.output(Output("tip", (2,), ()), [(q[0] + q[1]).cos(), -(q[0] + q[1]).sin() * 2 / 3])
    about = About(ROBOT, "momenta and energy", "p = M(q) q', T = q'ᵀ p / 2", "any book on mechanics")
    return trace.program("momenta", about)
