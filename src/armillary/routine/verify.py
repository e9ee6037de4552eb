"""Whether a Routine is one: names, shapes, indices in bounds, nothing read unwritten, a status at every end."""

from __future__ import annotations

import re

from armillary.errors import RoutineError
from armillary.routine.routine import (
    Assign,
    Call,
    If,
    Operand,
    Place,
    Repeat,
    Return,
    Routine,
    Statement,
    While,
    walk,
)

MOST = 2**31 - 1
"""The longest loop: a counter fits a 32-bit integer in every language."""

_IDENTIFIER = re.compile(r"[A-Za-z]\w*", re.ASCII)
_NUMBERS = ("nan", "inf", "infinity")


def verify(routine: Routine) -> Routine:
    """The Routine itself, when interpreter and targets may take it as it stands."""
    _Verifier(routine).check()
    return routine


class _Verifier:
    """One walk over the statements in the order of running.

    `written` holds the variables that are written on every path to the current statement, None where no path leads;
    `counters` the loops around it, each with the number of passes.
    """

    def __init__(self, routine: Routine) -> None:
        self.routine = routine
        self.inputs = {x.name for x in routine.inputs}
        self.written: frozenset[str] | None = frozenset(self.inputs)
        self.counters: dict[str, int] = {}

    def wrong(self, what: str) -> RoutineError:
        return RoutineError(f"routine {self.routine.name!r} does not verify: {what}")

    def check(self) -> None:
        r = self.routine
        if not r.statuses:
            raise self.wrong("it has no status to return")
        names = [r.name, *(s.name for s in r.statuses)]
        names += [x.name for x in (*r.inputs, *r.outputs, *r.locals)]
        for name in names:
            self.identifier(name)
        variables = names[1 + len(r.statuses) :]
        for group, what in ((variables, "variables"), ([s.name for s in r.statuses], "statuses")):
            twice = sorted({name for name in group if group.count(name) > 1})
            if twice:
                raise self.wrong(f"two {what} are called {', '.join(twice)}")
        for name, shape in r.shapes.items():
            if any(n < 0 for n in shape):
                raise self.wrong(f"{name} has the shape {shape}")
        self.callees()
        self.block(r.body)
        if self.written is not None:
            raise self.wrong("it can reach its end without a status; end every path with one")

    def identifier(self, name: str) -> None:
        if _IDENTIFIER.fullmatch(name) is None or name.lower() in _NUMBERS:
            raise self.wrong(
                f"{name!r} is no name; a name has letters, digits and _, starts with a letter, and is not inf or nan"
            )

    def callees(self) -> None:
        """In generated code a callee is known by its name alone."""
        seen = {self.routine.name: object()}

        def look(routine: Routine) -> None:
            for statement in _calls(routine.body):
                callee = statement.callee
                if seen.setdefault(callee.name, callee) != callee:
                    raise self.wrong(f"{callee.name!r} names two different things that it calls or is")
                if isinstance(callee, Routine):
                    look(callee)

        look(self.routine)

    # ---- statements ----

    def block(self, body: tuple[Statement, ...]) -> None:
        for statement in body:
            if self.written is None:
                raise self.wrong(f"nothing leads to {_short(statement)}, which follows a return")
            match statement:
                case Call():
                    self.call(statement)
                case Assign(target, value):
                    shape = self.target(target)
                    found = self.read(value)
                    if found is not None and found != shape:
                        raise self.wrong(f"{target} of shape {shape} cannot take {value} of shape {found}")
                    self.write(target)
                case If(condition, then, otherwise):
                    self.condition(condition)
                    before = self.written
                    self.block(then)
                    after, self.written = self.written, before
                    self.block(otherwise)
                    self.written = _joined(after, self.written)
                case Repeat(times, inner, counter):
                    if not 1 <= times <= MOST:
                        raise self.wrong(f"repeat {times}: a loop has 1 to {MOST} passes")
                    self.loop(times, inner, counter)
                case While(condition, most, inner, counter):
                    if not 1 <= most <= MOST:
                        raise self.wrong(f"while {condition}, at most {most}: a loop has 1 to {MOST} passes")
                    self.condition(condition)
                    before = self.written
                    self.loop(most, inner, counter)
                    self.written = before
                case Return(status):
                    self.routine.code(status)
                    missing = [x.name for x in self.routine.outputs if x.name not in self.written]
                    if missing:
                        raise self.wrong(f"it returns {status!r} on a path that has not written {', '.join(missing)}")
                    self.written = None

    def loop(self, passes: int, body: tuple[Statement, ...], counter: str) -> None:
        if counter:
            self.identifier(counter)
            if counter in self.counters or counter in self.routine.shapes:
                raise self.wrong(f"the counter {counter!r} has the name of a variable or of a counter around it")
            self.counters[counter] = passes
        self.block(body)
        self.counters.pop(counter, None)

    def call(self, statement: Call) -> None:
        callee = statement.callee
        inputs, outputs = callee.inputs, callee.outputs
        if len(statement.arguments) != len(inputs) or len(statement.results) != len(outputs):
            raise self.wrong(
                f"{callee.name} takes {len(inputs)} inputs and gives {len(outputs)} outputs, "
                f"it is called with {len(statement.arguments)} and {len(statement.results)}"
            )
        for x, argument in zip(inputs, statement.arguments, strict=True):
            shape = self.read(argument)
            if shape != x.shape and (shape is not None or x.shape):
                raise self.wrong(
                    f"{callee.name} takes {x.name} of shape {x.shape}, {argument} has {shape or 'no shape'}"
                )
        if statement.status is not None and not isinstance(callee, Routine):
            raise self.wrong(f"the Program {callee.name} has no status to put into {statement.status}")
        shapes = [out.shape for out in outputs]
        pairs = [(place, shape) for place, shape in zip(statement.results, shapes, strict=True) if place is not None]
        if statement.status is not None:
            pairs.append((statement.status, ()))
        touched = [a for a in statement.arguments if isinstance(a, Place)]
        for result, shape in pairs:
            found = self.target(result)
            if found != shape:
                raise self.wrong(f"{callee.name} gives shape {shape}, {result} has {found}")
            for other in touched:
                if _overlap(result, other):
                    raise self.wrong(
                        f"in a call of {callee.name} the result {result} overlaps {other}; put a local between them"
                    )
            touched.append(result)
        for result, _ in pairs:
            self.write(result)

    # ---- places ----

    def shape(self, place: Place) -> tuple[int, ...]:
        """The shape of what stands there, the index checked."""
        shapes = self.routine.shapes
        if place.name not in shapes:
            known = ", ".join([*shapes, *self.counters]) or "none"
            raise self.wrong(f"there is no variable {place.name!r} here; there are {known}")
        shape = shapes[place.name]
        if place.offset is None:
            return shape
        if not shape:
            raise self.wrong(f"{place.name} is a scalar, {place} asks for a row of it")
        if place.counter and place.counter not in self.counters:
            raise self.wrong(f"{place}: no loop around it has the counter {place.counter!r}")
        last = place.offset + (self.counters[place.counter] - 1 if place.counter else 0)
        if place.offset < 0 or last >= shape[0]:
            raise self.wrong(
                f"{place} reaches from {place.offset} to {last}; {place.name} has the rows 0 to {shape[0] - 1}"
            )
        return shape[1:]

    def read(self, value: Operand) -> tuple[int, ...] | None:
        """The shape of an operand, None for a number."""
        if not isinstance(value, Place):
            return None
        if value.name in self.counters and value.offset is None:
            return ()
        shape = self.shape(value)
        if self.written is not None and value.name not in self.written:
            raise self.wrong(f"{value} is read on a path that has not written {value.name}")
        return shape

    def condition(self, place: Place) -> None:
        shape = self.read(place)
        if shape != ():
            raise self.wrong(f"the condition {place} has shape {shape}; a condition is a scalar")

    def target(self, place: Place) -> tuple[int, ...]:
        """The shape of what is written; a row can only be written where the other rows have values already."""
        if place.name in self.inputs or (place.name in self.counters and place.offset is None):
            raise self.wrong(f"{place} is written; inputs and counters are for reading")
        shape = self.shape(place)
        if place.offset is not None and self.written is not None and place.name not in self.written:
            raise self.wrong(f"{place} is written before {place.name} as a whole; fill it first, with 0 or nan")
        return shape

    def write(self, place: Place) -> None:
        assert self.written is not None
        self.written |= {place.name}


def _calls(body: tuple[Statement, ...]) -> list[Call]:
    return [s for s in walk(body) if isinstance(s, Call)]


def _joined(a: frozenset[str] | None, b: frozenset[str] | None) -> frozenset[str] | None:
    """What is written on both of two paths that meet."""
    if a is None or b is None:
        return b if a is None else a
    return a & b


def _overlap(a: Place, b: Place) -> bool:
    """Whether two places may share an element: not if they are rows a known distance apart."""
    if a.name != b.name:
        return False
    if a.offset is None or b.offset is None or a.counter != b.counter:
        return True
    return a.offset == b.offset


def _short(statement: Statement) -> str:
    """A few words for a message."""
    match statement:
        case Call(callee):
            return f"a call of {callee.name}"
        case Assign(target):
            return f"the assignment of {target}"
        case Return(status):
            return f"the return of {status!r}"
        case _:
            return f"a statement {type(statement).__name__.lower()!r}"
