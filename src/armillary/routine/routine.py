"""`Routine`: a thin layer of control flow above Programs.

A Program is straight-line code and cannot iterate. A Routine calls Programs (and other Routines), copies their results,
repeats, branches, and ends by returning a status. It does no arithmetic of its own: that belongs to Programs.

- A variable is an array of real numbers with a fixed shape; all are local to one run. Inputs are never written.
- A loop has a fixed bound, so every Routine ends, and a counter of known range, so every index is checked beforehand.
- A condition is a scalar and holds where it is greater than 0: `less` gives 0 or 1, a height or a time left holds
  until it reaches zero, and NaN never holds.
- A NaN is a value as any other: it is copied and handed to Programs, and as a condition it ends a `While`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from math import prod

from armillary.errors import RoutineError
from armillary.program.program import About, Input, Program


@dataclass(frozen=True, slots=True)
class Variable:
    """A named array of scalars that a Routine gives, or that it works in."""

    name: str
    shape: tuple[int, ...] = ()
    unit: str = ""
    doc: str = ""

    @property
    def size(self) -> int:
        return prod(self.shape)


@dataclass(frozen=True, slots=True)
class Status:
    """How a Routine can end; its number is its place among the statuses, and 0 is the one hoped for."""

    name: str
    doc: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value stands: a variable `x`, a row of it, `x[2]` or `x[k + 1]`, or, to read only, a loop's counter `k`.

    A row is what one index leaves of an array: an element of a vector, a vector of a matrix.
    """

    name: str
    counter: str = ""
    offset: int | None = None

    def __str__(self) -> str:
        if self.offset is None:
            return self.name
        if not self.counter:
            return f"{self.name}[{self.offset}]"
        return f"{self.name}[{self.counter}{self.offset:+d}]" if self.offset else f"{self.name}[{self.counter}]"


Operand = Place | float
"""What can be read: a place, or a number, which stands for every element of what it is copied to."""


@dataclass(frozen=True, slots=True)
class Call:
    """results = callee(arguments), one argument an input and one result an output, None for a result of no interest.

    No result overlaps an argument or another result, so it does not matter when a callee reads and when it writes.
    `status` takes the number of the status that a Routine ended with.
    """

    callee: Program | Routine
    arguments: tuple[Operand, ...]
    results: tuple[Place | None, ...]
    status: Place | None = None


@dataclass(frozen=True, slots=True)
class Assign:
    """target = value, element by element; a number fills the target."""

    target: Place
    value: Operand


@dataclass(frozen=True, slots=True)
class Repeat:
    """The body `times` times; the counter, where it has a name, is 0, 1, …, times - 1."""

    times: int
    body: tuple[Statement, ...]
    counter: str = ""


@dataclass(frozen=True, slots=True)
class While:
    """The body as long as the condition holds, which is tested before each pass, at most `most` times."""

    condition: Place
    most: int
    body: tuple[Statement, ...]
    counter: str = ""


@dataclass(frozen=True, slots=True)
class If:
    """One body where the condition holds, the other where it does not."""

    condition: Place
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class Return:
    """The end of the run, with the status of this name."""

    status: str


Statement = Call | Assign | Repeat | While | If | Return


@dataclass(frozen=True)
class Routine:
    """Inputs, outputs and statements between them, ended by a status on every path.

    Outputs are variables as the locals are; whatever stands in them at the end is what the Routine gives. All names are
    identifiers, so that they are written alike in every language.
    """

    name: str
    inputs: tuple[Input, ...]
    outputs: tuple[Variable, ...]
    locals: tuple[Variable, ...]
    statuses: tuple[Status, ...]
    body: tuple[Statement, ...]
    about: About = field(default_factory=About)

    @cached_property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shape of every variable, by name."""
        return {x.name: x.shape for x in (*self.inputs, *self.outputs, *self.locals)}

    @cached_property
    def callees(self) -> tuple[Program | Routine, ...]:
        """Whatever is called, also by Routines that are called: callees before their callers, each name once."""
        found: dict[str, Program | Routine] = {}
        for statement in walk(self.body):
            if isinstance(statement, Call):
                if isinstance(statement.callee, Routine):
                    for inner in statement.callee.callees:
                        found.setdefault(inner.name, inner)
                found.setdefault(statement.callee.name, statement.callee)
        return tuple(found.values())

    def code(self, status: str) -> int:
        """The number of the status of that name."""
        names = [s.name for s in self.statuses]
        if status not in names:
            raise RoutineError(f"{self.name} has no status {status!r}; it has {', '.join(names)}")
        return names.index(status)

    def __str__(self) -> str:
        from armillary.routine.text import outline

        return outline(self)


def walk(body: tuple[Statement, ...]) -> Iterator[Statement]:
    """Every statement, those inside others after them."""
    for statement in body:
        yield statement
        if isinstance(statement, Repeat | While):
            yield from walk(statement.body)
        elif isinstance(statement, If):
            yield from walk(statement.then)
            yield from walk(statement.otherwise)
