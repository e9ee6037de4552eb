"""An ordinary differential equation x' = f(t, x, …), f a Program or a Routine, and the stages of a step along it.

x may be several arrays, and each has a rate of its own shape. So a body that turns has the state (Q, ω), Q the four
numbers of a unit quaternion: its rate Q ω / 2 has four numbers too, while ω and its rate have three.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from armillary.errors import RoutineError
from armillary.expr.graph import Expr
from armillary.program.program import Input, Output, Program
from armillary.program.trace import Trace
from armillary.routine.build import assign, call, if_, return_
from armillary.routine.routine import Routine, Statement, Status, Variable
from armillary.routine.tableau import Tableau

STEP = "h"
"""The input that is the length of a step, as every Routine here calls it."""

NO_RATE = Status("no_rate", "the derivative, a Routine, ended with a status other than its first")


@dataclass(frozen=True)
class Equation:
    """f, which of its outputs is the rate of each of its inputs that are states, and which input is time, if any.

    Every other input is constant along the way. In the Routines that integrate, the state `q` starts from the input
    `q_start` and is the output `q`; `stage_q`, `slopes_q` and `next_q` are locals.
    """

    f: Program | Routine
    rates: Mapping[str, str]
    time: str = ""

    def __post_init__(self) -> None:
        inputs = {x.name: x.shape for x in self.f.inputs}
        outputs = {x.name: x.shape for x in self.f.outputs}
        for name in (*self.rates, self.time):
            if name and name not in inputs:
                raise RoutineError(f"{self.f.name} has no input {name!r}; it has {', '.join(inputs) or 'none'}")
        for state, rate in self.rates.items():
            if outputs.get(rate) != inputs[state]:
                raise RoutineError(
                    f"the rate {rate!r} of {state!r} must be an output of {self.f.name} of shape {inputs[state]}; "
                    f"its outputs are {', '.join(f'{n} {s}' for n, s in outputs.items()) or 'none'}"
                )
        if self.time and (inputs[self.time] or self.time in self.rates):
            raise RoutineError(f"the time {self.time!r} of {self.f.name} must be a scalar and no state")

    # ---- variables ----

    @property
    def states(self) -> tuple[Input, ...]:
        """The states, in the order of f's inputs, and last the time."""
        clock = [x for x in self.f.inputs if x.name == self.time]
        return (*[x for x in self.f.inputs if x.name in self.rates], *clock)

    def inputs(self, *own: Input) -> tuple[Input, ...]:
        """The inputs of a Routine: the start of every state, what is its `own`, and whatever else f takes."""
        starts = [replace(x, name=f"{x.name}_start") for x in self.states]
        moving = {x.name for x in self.states}
        return (*starts, *own, *[x for x in self.f.inputs if x.name not in moving])

    def outputs(self) -> tuple[Variable, ...]:
        return tuple(Variable(x.name, x.shape, x.unit, x.doc) for x in self.states)

    def locals(self, tableau: Tableau) -> tuple[Variable, ...]:
        made = [Variable(f"{kind}_{x.name}", x.shape, x.unit) for kind in ("stage", "next") for x in self.states]
        made += [Variable(f"slopes_{x}", (tableau.stages, *self._shape(x))) for x in self.rates]
        return (*made, Variable("rate_status")) if isinstance(self.f, Routine) else tuple(made)

    def statuses(self) -> tuple[Status, ...]:
        """Those that come of evaluating f."""
        return (NO_RATE,) if isinstance(self.f, Routine) else ()

    def _shape(self, state: str) -> tuple[int, ...]:
        return next(x.shape for x in self.f.inputs if x.name == state)

    # ---- statements ----

    def begin(self) -> list[Statement]:
        """x = x_start."""
        return [
            *[assign(x.name, f"{x.name}_start") for x in self.states],
            *[assign(f"slopes_{x}", 0.0) for x in self.rates],
        ]

    def stages(self, tableau: Tableau) -> list[Statement]:
        """k_1 … k_s, the rows of `slopes`."""
        body = self.evaluate("", 0)
        for i in range(1, tableau.stages):
            point = self.combination(f"stage_{i + 1}", tableau, tableau.a[i])
            body += [
                call(point, results={f"next_{x.name}": f"stage_{x.name}" for x in self.states}),
                *self.evaluate("stage_", i),
            ]
        return body

    def evaluate(self, point: str, i: int) -> list[Statement]:
        """k_i = f(point), where the states at that point are the variables of this prefix."""
        arguments = {x.name: f"{point}{x.name}" for x in self.states}
        results = {rate: f"slopes_{x}[{i}]" for x, rate in self.rates.items()}
        if isinstance(self.f, Program):
            return [call(self.f, arguments, results)]
        return [call(self.f, arguments, results, "rate_status"), if_("rate_status", [return_(NO_RATE.name)])]

    def advance(self) -> list[Statement]:
        """x = x⁺."""
        return [assign(x.name, f"next_{x.name}") for x in self.states]

    # ---- Programs ----

    def combination(self, name: str, tableau: Tableau, weights: Sequence[Fraction]) -> Program:
        """x + h Σ_j w_j k_j of every state, as `next_x`, and t + h Σ_j w_j."""
        trace = Trace()
        point = self.point(trace, tableau)
        for x, moved in zip(self.states, point.along(weights), strict=True):
            trace.output(Output(f"next_{x.name}", x.shape, (), x.unit), moved)
        return trace.program(name)

    def point(self, trace: Trace, tableau: Tableau) -> Point:
        """The states, `slopes_x` and h as inputs of a Program."""
        h = trace.input(Input(STEP))[0]
        states = [trace.input(Input(x.name, x.shape, unit=x.unit)) for x in self.states]
        one = trace.graph.const(1)
        slopes: list[list[list[Expr]]] = []
        for x in self.states:
            if x.name == self.time:
                slopes.append([[one]] * tableau.stages)
            else:
                rows = trace.input(Input(f"slopes_{x.name}", (tableau.stages, *x.shape)))
                slopes.append([rows[i * x.size : (i + 1) * x.size] for i in range(tableau.stages)])
        return Point(h, states, slopes)


@dataclass(frozen=True)
class Point:
    """The states at the start of a step and its slopes k_j, as expressions; the slopes of the time are 1."""

    h: Expr
    states: list[list[Expr]]
    slopes: list[list[list[Expr]]]

    def change(self, weights: Sequence[Fraction]) -> list[list[Expr]]:
        """h Σ_j w_j k_j of every state."""
        zero = self.h.graph.const(0)
        return [
            [
                self.h * sum((w * k for w, k in zip(weights, column, strict=False)), zero)
                for column in zip(*rows, strict=True)
            ]
            for rows in self.slopes
        ]

    def along(self, weights: Sequence[Fraction]) -> list[list[Expr]]:
        """x + h Σ_j w_j k_j of every state."""
        return [
            [x + dx for x, dx in zip(state, change, strict=True)]
            for state, change in zip(self.states, self.change(weights), strict=True)
        ]
