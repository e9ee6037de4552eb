"""The reference meaning of a Routine: statement by statement over floats. Every target is checked against this."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from armillary.errors import RoutineError
from armillary.program.interpret import interpret as interpret_program
from armillary.program.program import Input, Program
from armillary.routine.routine import Assign, Call, If, Operand, Place, Repeat, Return, Routine, Statement, While

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run gave: the outputs by name, and the status it ended with, by number and by name."""

    outputs: dict[str, Array]
    code: int
    status: str

    def __getitem__(self, name: str) -> Array:
        return self.outputs[name]


def interpret(routine: Routine, inputs: Mapping[str, ArrayLike]) -> Outcome:
    """One run; a parameter left out takes its default value."""
    given = [_value(routine, x, inputs) for x in routine.inputs]
    with np.errstate(all="ignore"):
        outputs, code = _run(routine, given)
    return Outcome(
        {x.name: a for x, a in zip(routine.outputs, outputs, strict=True)}, code, routine.statuses[code].name
    )


def _value(routine: Routine, x: Input, inputs: Mapping[str, ArrayLike]) -> Array:
    if x.name not in inputs:
        if x.default is None:
            raise RoutineError(f"{routine.name} needs the {x.role} {x.name!r} of shape {x.shape}; give it a value")
        return np.array(x.default, dtype=float).reshape(x.shape)
    array = np.array(inputs[x.name], dtype=float)
    if array.shape != x.shape:
        raise RoutineError(f"{routine.name}: input {x.name!r} has shape {array.shape}; it takes {x.shape}")
    return array


def _run(routine: Routine, given: list[Array]) -> tuple[list[Array], int]:
    """(outputs, number of the status)."""
    values = {x.name: a for x, a in zip(routine.inputs, given, strict=True)}
    values |= {x.name: np.full(x.shape, np.nan) for x in (*routine.outputs, *routine.locals)}
    status = _Frame(values).block(routine.body)
    assert status is not None, "a verified Routine returns on every path"
    return [values[x.name] for x in routine.outputs], routine.code(status)


class _Frame:
    """The values of one run, counters among them."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.values = values

    def block(self, body: tuple[Statement, ...]) -> str | None:
        """The status, once a `Return` was met."""
        for statement in body:
            status = self.statement(statement)
            if status is not None:
                return status
        return None

    def statement(self, statement: Statement) -> str | None:
        match statement:
            case Call():
                self.call(statement)
            case Assign(target, value):
                self.write(target, self.read(value))
            case If(condition, then, otherwise):
                return self.block(then if self.holds(condition) else otherwise)
            case Repeat(times, body, counter):
                return self.loop(None, times, body, counter)
            case While(condition, most, body, counter):
                return self.loop(condition, most, body, counter)
            case Return(status):
                return status
        return None

    def loop(self, condition: Place | None, most: int, body: tuple[Statement, ...], counter: str) -> str | None:
        for k in range(most):
            if condition is not None and not self.holds(condition):
                return None
            if counter:
                self.values[counter] = k
            status = self.block(body)
            if status is not None:
                return status
        return None

    def call(self, statement: Call) -> None:
        arguments = [np.asarray(self.read(a), dtype=float) for a in statement.arguments]
        callee = statement.callee
        if isinstance(callee, Program):
            elements = [float(v) for array in arguments for v in array.ravel()]
            outputs, code = interpret_program(callee, elements), None
        else:
            outputs, code = _run(callee, arguments)
        for place, output, x in zip(statement.results, outputs, callee.outputs, strict=True):
            if place is not None:
                self.write(place, np.asarray(output, dtype=float).reshape(x.shape))
        if statement.status is not None:
            self.write(statement.status, code)

    # ---- places ----

    def row(self, place: Place) -> Any:
        """The index of a place in its array."""
        if place.offset is None:
            return ...
        return place.offset + (self.values[place.counter] if place.counter else 0)

    def read(self, value: Operand) -> Any:
        if not isinstance(value, Place):
            return value
        found = self.values[value.name]
        return found if value.offset is None else found[self.row(value)]

    def write(self, place: Place, value: Any) -> None:
        self.values[place.name][self.row(place)] = value

    def holds(self, condition: Place) -> bool:
        return bool(self.read(condition) > 0)
