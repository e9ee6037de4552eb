"""Newton's method for r(x, …) = 0 with as many equations as unknowns.

    J(x_k) d_k = r(x_k),   x_{k+1} = x_k - d_k,   J = ∂r/∂x,

until every element of r is nearer to 0 than the tolerance. Near a root where J is regular the number of right digits
doubles with every step. Source: Deuflhard, Newton Methods for Nonlinear Problems (2004), 2.1.
"""

from __future__ import annotations

from dataclasses import replace

from armillary.errors import RoutineError
from armillary.program.program import Input, Output, Program
from armillary.program.trace import Trace
from armillary.routine.build import assign, call, if_, repeat, return_
from armillary.routine.routine import Routine, Status, Variable
from armillary.routine.verify import verify

TOLERANCE = 1e-12
"""The usual tolerance of a residual."""

HUGE = 1e300
"""A step is none that is not shorter than this: NaN is not."""


def newton(f: Program, unknown: str, residual: str, jacobian: str, *, most: int = 20, name: str = "") -> Routine:
    """The Routine that solves r = 0 for x from a first guess, in at most `most` steps.

    `unknown`, `residual` and `jacobian` name the input x and the outputs r and J of f; J has a row for each element of r and
    a column for each of x. The Routine starts from the input `x_start` (the last solution, where one is near), takes
    `tolerance` and whatever else f takes, and gives `x` and the number of `steps`. It ends with the status `converged`,
    `not_converged` or, where J has no inverse or a value is none, `singular`; x is then the last point reached.
    """
    x, r, J = f.input(unknown), f.output(residual), f.output(jacobian)
    if len(x.shape) != 1 or r.shape != x.shape or J.shape != (x.size, x.size) or not x.size:
        raise RoutineError(
            f"Newton needs as many equations as unknowns: in {f.name} the unknown {x.name!r} has shape {x.shape}, "
            f"the residual {r.name!r} {r.shape}, its derivative {J.name!r} {J.shape}; they must be (n,), (n,), (n, n)"
        )
    start = replace(x, name=f"{x.name}_start", role="state", default=None)
    tolerance = Input(
        "tolerance", role="parameter", doc="largest residual", labels=("tolerance",), default=(TOLERANCE,)
    )
    others = tuple(other for other in f.inputs if other.name != x.name)
    own = name or f"{f.name}_newton"
    check, step = _check(f"{own}_check", x.size), _step(f"{own}_step", x)
    body = (
        assign(x.name, start.name),
        repeat(
            most + 1,
            [
                call(f, results={r.name: "residual", J.name: "jacobian"}),
                assign("steps", "k"),
                call(check, results={"converged": "converged"}),
                if_("converged", [return_("converged")]),
                call(step, {"x": x.name}, {"next": "next", "regular": "regular"}),
                if_("regular", [assign(x.name, "next")], [return_("singular")]),
            ],
            "k",
        ),
        return_("not_converged"),
    )
    return verify(
        Routine(
            name=own,
            inputs=(start, tolerance, *others),
            outputs=(
                Variable(x.name, x.shape, x.unit, x.doc),
                Variable("steps", doc="number of steps taken"),
            ),
            locals=(
                Variable("residual", r.shape),
                Variable("jacobian", J.shape),
                Variable("next", x.shape),
                Variable("converged"),
                Variable("regular"),
            ),
            statuses=(
                Status("converged", "every residual is smaller than the tolerance"),
                Status("not_converged", f"a residual is not, after {most} steps"),
                Status("singular", "the derivative has no inverse, or a value is no number"),
            ),
            body=body,
            about=replace(
                f.about, equation=f"{r.name}({x.name}) = 0", options=(*f.about.options, ("method", "newton"))
            ),
        )
    )


def _check(name: str, n: int) -> Program:
    """converged = 1 where max |r_i| < tolerance."""
    trace = Trace()
    residual = trace.input(Input("residual", (n,)))
    (tolerance,) = trace.input(Input("tolerance"))
    largest = abs(residual[0])
    for r in residual[1:]:
        largest = largest.maximum(abs(r))
    trace.output(Output("converged", (), ()), [largest.less(tolerance)])
    return trace.program(name)


def _step(name: str, x: Input) -> Program:
    """x - J⁻¹ r, and whether it is a number."""
    n = x.size
    trace = Trace()
    point = trace.input(Input("x", x.shape, unit=x.unit))
    residual = trace.input(Input("residual", (n,)))
    J = trace.input(Input("jacobian", (n, n)))
    d = [row[0] for row in trace.graph.solve([J[i * n : (i + 1) * n] for i in range(n)], [[r] for r in residual])]
    length = sum((abs(e) for e in d[1:]), abs(d[0]))
    trace.output(Output("next", x.shape, (), x.unit), [a - b for a, b in zip(point, d, strict=True)])
    trace.output(Output("regular", (), ()), [length.less(HUGE)])
    return trace.program(name)
