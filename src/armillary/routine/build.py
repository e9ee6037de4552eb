"""Statements written with names: `call(step, {"h": 0.1}, {"next": "path[k+1]"})`, `assign("x", "x_start")`.

A place is written as its text says, `x`, `x[2]`, `x[k]`, `x[k-1]`; a number as a number.
"""

import re
from collections.abc import Iterable, Mapping

from armillary.errors import RoutineError
from armillary.program.program import Program
from armillary.routine.routine import Assign, Call, If, Operand, Place, Repeat, Return, Routine, Statement, While

_PLACE = re.compile(r"([A-Za-z]\w*)(?:\[(?:([A-Za-z]\w*)(?:\s*([+-])\s*(\d+))?|(\d+))\])?", re.ASCII)


def place(text: str) -> Place:
    """The place that `text` names."""
    found = _PLACE.fullmatch(text.strip())
    if found is None:
        raise RoutineError(f"{text!r} is no place; write a variable x, or a row of it, x[2], x[k], x[k+1]")
    name, counter, sign, shift, row = found.groups()
    if counter:
        return Place(name, counter, int(f"{sign or '+'}{shift or 0}"))
    return Place(name) if row is None else Place(name, "", int(row))


def operand(text: str | float) -> Operand:
    """A place, or a number, also written as text: 0.5, 1e-9, nan, inf."""
    if not isinstance(text, str):
        return float(text)
    try:
        return float(text)
    except ValueError:
        return place(text)


def call(
    callee: Program | Routine,
    arguments: Mapping[str, str | float] | None = None,
    results: Mapping[str, str] | None = None,
    status: str = "",
) -> Call:
    """results = callee(arguments), by the names of the callee's inputs and outputs.

    An input that is not named takes the variable of its own name; an output that is not named is of no interest.
    """
    given, taken = dict(arguments or {}), dict(results or {})
    for kind, names, known in (("input", given, callee.inputs), ("output", taken, callee.outputs)):
        for name in names:
            if all(name != x.name for x in known):
                listed = ", ".join(x.name for x in known) or "none"
                raise RoutineError(f"{callee.name} has no {kind} {name!r}; it has {listed}")
    return Call(
        callee,
        tuple(operand(given.get(x.name, x.name)) for x in callee.inputs),
        tuple(place(taken[x.name]) if x.name in taken else None for x in callee.outputs),
        place(status) if status else None,
    )


def assign(target: str, value: str | float) -> Assign:
    """target = value."""
    return Assign(place(target), operand(value))


def repeat(times: int, body: Iterable[Statement], counter: str = "") -> Repeat:
    """The body so many times."""
    return Repeat(times, tuple(body), counter)


def while_(condition: str, most: int, body: Iterable[Statement], counter: str = "") -> While:
    """The body while the condition holds, at most so many times."""
    return While(place(condition), most, tuple(body), counter)


def if_(condition: str, then: Iterable[Statement], otherwise: Iterable[Statement] = ()) -> If:
    """One body or the other."""
    return If(place(condition), tuple(then), tuple(otherwise))


def return_(status: str) -> Return:
    """The end, with this status."""
    return Return(status)
