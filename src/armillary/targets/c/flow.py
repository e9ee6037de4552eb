"""The statements of a Routine in C: loops, branches, calls, copies."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import prod

from armillary.program.program import Output
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
    Variable,
    While,
    walk,
)
from armillary.targets.c.function import INDENT, broken
from armillary.targets.c.operations import Precision
from armillary.targets.names import Namer

COPY, FILL = "copy", "fill"
"""The helpers that assign arrays."""


def operands(statement: Statement) -> Iterator[Operand]:
    """What a statement itself reads."""
    match statement:
        case Call():
            yield from statement.arguments
        case Assign():
            yield statement.value
        case If() | While():
            yield statement.condition
        case _:
            pass


def read_names(routine: Routine) -> set[str]:
    """The variables that some statement reads."""
    return {x.name for s in walk(routine.body) for x in operands(s) if isinstance(x, Place)}


@dataclass
class Flow:
    """Writes the body of one Routine.

    `names` are the C names of its variables, `functions` those of what it calls, `statuses` the enum constants of its
    statuses; `helpers` collects the helpers that were used. Locals that nothing reads are not assigned.
    """

    routine: Routine
    precision: Precision
    names: Mapping[str, str]
    functions: Mapping[str, str]
    statuses: Mapping[str, str]
    namer: Namer
    helpers: set[str]
    ignored: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict[tuple[str, str], tuple[str, str]])
    counters: dict[str, str] = field(default_factory=dict[str, str])

    def __post_init__(self) -> None:
        r = self.routine
        read = read_names(r)
        self.pointers = {x.name for x in r.outputs if not x.shape}
        self.unread = {x.name for x in r.locals if x.name not in read}

    def lines(self) -> list[str]:
        """The declarations of locals, then the statements."""
        body = self.block(self.routine.body, INDENT, 0)
        results = {p.name for s in walk(self.routine.body) if isinstance(s, Call) for p in (*s.results, s.status) if p}
        kept = [x for x in self.routine.locals if x.size and (x.name not in self.unread or x.name in results)]
        declared = [f"{INDENT}{self.precision.real} {self.names[x.name]}{self.bracket(x)};" for x in kept]
        declared += [line for _, line in self.ignored.values()]
        return [*declared, *([""] if declared else []), *body]

    def bracket(self, x: Output | Variable) -> str:
        return f"[{'*'.join(map(str, x.shape))}]" if x.shape else ""

    # ---- statements ----

    def block(self, body: Iterable[Statement], indent: str, depth: int) -> list[str]:
        return [line for s in body for line in self.statement(s, indent, depth)]

    def statement(self, s: Statement, indent: str, depth: int) -> list[str]:
        match s:
            case Call():
                return self.call(s, indent)
            case Assign(target, value):
                return [] if target.name in self.unread else self.assign(target, value, indent)
            case If(condition, then, otherwise):
                lines = [f"{indent}if ({self.holds(condition)}) {{", *self.block(then, indent + INDENT, depth)]
                if otherwise:
                    lines += [f"{indent}}} else {{", *self.block(otherwise, indent + INDENT, depth)]
                return [*lines, f"{indent}}}"]
            case Repeat(times, inner, counter):
                return self.loop("", times, inner, counter, indent, depth)
            case While(condition, most, inner, counter):
                return self.loop(f" && {self.holds(condition)}", most, inner, counter, indent, depth)
            case Return(status):
                return [f"{indent}return {self.statuses[status]};"]

    def loop(
        self, condition: str, most: int, body: tuple[Statement, ...], counter: str, indent: str, depth: int
    ) -> list[str]:
        key = counter or f"#{depth}"
        if key not in self.counters:
            self.counters[key] = self.namer.name(counter or "i")
        i = self.counters[key]
        head = f"{indent}for (int {i} = 0; {i} < {most}{condition}; {i}++) {{"
        return [head, *self.block(body, indent + INDENT, depth + 1), f"{indent}}}"]

    def assign(self, target: Place, value: Operand, indent: str) -> list[str]:
        shape = self.shape(target)
        if not shape:
            return [f"{indent}{self.value(target)} = {self.value(value)};"]
        size = "*".join(map(str, shape))
        if not prod(shape):
            return []
        if isinstance(value, Place):
            self.helpers.add(COPY)
            return broken(f"{indent}{COPY}({self.address(target)}, {self.address(value)}, {size});")
        self.helpers.add(FILL)
        return broken(f"{indent}{FILL}({self.address(target)}, {self.value(value)}, {size});")

    def call(self, s: Call, indent: str) -> list[str]:
        arguments = [
            self.address(a) if x.shape and isinstance(a, Place) else self.value(a)
            for x, a in zip(s.callee.inputs, s.arguments, strict=True)
        ]
        for x, place in zip(s.callee.outputs, s.results, strict=True):
            if place is None and x.size:
                name = self.ignore(s.callee.name, x)
                arguments.append(name if x.shape else f"&{name}")
            else:
                arguments.append(self.address(place) if place is not None else "NULL")
        called = f"{self.functions[s.callee.name]}({', '.join(arguments)})"
        if s.status is not None:
            called = f"{self.value(s.status)} = ({self.precision.real}){called}"
        return broken(f"{indent}{called};")

    def ignore(self, callee: str, x: Output | Variable) -> str:
        """A variable for a result of no interest, the same for every call."""
        key = (callee, x.name)
        if key not in self.ignored:
            name = self.namer.name(f"ignored_{x.name}")
            self.ignored[key] = name, f"{INDENT}{self.precision.real} {name}{self.bracket(x)};"
        return self.ignored[key][0]

    # ---- places ----

    def holds(self, condition: Place) -> str:
        return f"{self.value(condition)} > {self.precision.decimal(0.0)}"

    def shape(self, place: Place) -> tuple[int, ...]:
        shape = self.routine.shapes[place.name]
        return shape if place.offset is None else shape[1:]

    def row(self, place: Place) -> str:
        """The index of a place's first element."""
        assert place.offset is not None
        size = prod(self.routine.shapes[place.name][1:])
        if not place.counter:
            return f"{place.offset}*{size}" if size != 1 and place.offset else f"{place.offset}"
        i = self.counters[place.counter]
        shifted = f"{i} {'-' if place.offset < 0 else '+'} {abs(place.offset)}" if place.offset else i
        return shifted if size == 1 else f"{f'({shifted})' if place.offset else i}*{size}"

    def value(self, x: Operand) -> str:
        """A scalar as it is read or assigned."""
        if not isinstance(x, Place):
            return self.precision.decimal(x)
        if x.offset is None and x.name in self.counters:
            return f"({self.precision.real}){self.counters[x.name]}"
        name = self.names[x.name]
        if x.offset is not None:
            return f"{name}[{self.row(x)}]"
        return f"*{name}" if x.name in self.pointers else name

    def address(self, x: Place) -> str:
        """The address of a place's first element."""
        shape = self.routine.shapes[x.name]
        name = self.names[x.name]
        if not prod(self.shape(x)):
            return "NULL"
        if x.offset is not None:
            return f"&{name}[{self.row(x)}]"
        return name if shape or x.name in self.pointers else f"&{name}"
