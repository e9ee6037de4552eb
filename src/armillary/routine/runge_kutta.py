"""Integration with a fixed step: as many steps of a Runge-Kutta method as asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import nan

from armillary.program.program import Input, Program
from armillary.routine.build import assign, call, repeat, return_
from armillary.routine.equation import STEP, Equation
from armillary.routine.routine import Routine, Statement, Status, Variable
from armillary.routine.tableau import RK4, Tableau
from armillary.routine.verify import verify


def runge_kutta(
    f: Program | Routine,
    rates: Mapping[str, str],
    steps: int,
    *,
    tableau: Tableau = RK4,
    time: str = "",
    projection: Program | None = None,
    path: bool = False,
    name: str = "",
) -> Routine:
    """x(t + steps · h) from x(t), where x' = f(t, x, …) and the input `h` is the length of a step.

    `rates` names for each state among f's inputs the output that is its derivative; `time` is f's input t, if there
    is one. `projection` puts states right after every step, to take the drift of an invariant away (the norm of a
    quaternion Q): it takes states and other inputs of f and gives `next_Q`. With `path` the outputs `q_path`, of one row
    more than there are steps, hold every state `q` from start to end; rows not reached are NaN.
    """
    equation = Equation(f, rates, time)
    states = [x.name for x in equation.states]
    step = equation.combination("step", tableau, tableau.b)
    each: list[Statement] = [
        *equation.stages(tableau),
        call(step, results={f"next_{x}": f"next_{x}" for x in states}),
        *equation.advance(),
    ]
    if projection is not None:
        each.append(call(projection, results={x.name: x.name for x in projection.outputs}))
        each += [assign(x.name.removeprefix("next_"), x.name) for x in projection.outputs]
    begin = equation.begin()
    paths: list[Variable] = []
    if path:
        paths = [Variable(f"{x.name}_path", (steps + 1, *x.shape), x.unit) for x in equation.states]
        begin += [s for x in states for s in (assign(f"{x}_path", nan), assign(f"{x}_path[0]", x))]
        each += [assign(f"{x}_path[k+1]", x) for x in states]
    return verify(
        Routine(
            name=name or f"{f.name}_{tableau.name}",
            inputs=equation.inputs(Input(STEP, unit="s", doc="length of a step", labels=(STEP,))),
            outputs=(*equation.outputs(), *paths),
            locals=equation.locals(tableau),
            statuses=(Status("finished", "all steps are done"), *equation.statuses()),
            body=(*begin, repeat(steps, each, "k" if path else ""), return_("finished")),
            about=replace(f.about, equation="x' = f(t, x)", options=(*f.about.options, ("method", tableau.name))),
        )
    )
