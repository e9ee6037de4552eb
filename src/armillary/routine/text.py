"""The text of a Routine: one line a variable, status and statement; `parse` reads back what `render` writes.

    routine newton_kepler
    input state E_start [1] "rad" {E} "first guess"
    output E [1] "rad" "the solution"
    local done [] "" ""
    status converged "the residual is small"
    status not_converged ""
      E = E_start
      repeat 20 k
        call step(E = E, M = M) -> converged = done, next = next
        if done
          return converged
        E = next
      return not_converged

`else`, `while x at most 20 k` and `call other(…) -> … status s` complete it. Statements are indented by two spaces a
level. In `render` the texts of all callees come first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from armillary.errors import RoutineError
from armillary.program import text as program_text
from armillary.program.program import Input, Program
from armillary.program.words import QUOTED, input_line, quote, read_input, read_shape, shape_text, unquote
from armillary.routine import build
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
    Status,
    Variable,
    While,
)
from armillary.routine.verify import verify

_INDENT = "  "


def render(routine: Routine) -> str:
    """The Routine as text, after the texts of what it calls."""
    parts = [program_text.render(c) if isinstance(c, Program) else outline(c) for c in routine.callees]
    return "\n".join([*parts, outline(routine)])


def outline(routine: Routine) -> str:
    """The Routine as text, its callees by name alone."""
    lines = [f"routine {routine.name}", *(input_line(x) for x in routine.inputs)]
    for kind, variables in (("output", routine.outputs), ("local", routine.locals)):
        lines += [f"{kind} {x.name} {shape_text(x.shape)} {quote(x.unit)} {quote(x.doc)}" for x in variables]
    lines += [f"status {s.name} {quote(s.doc)}" for s in routine.statuses]
    return "\n".join([*lines, *_lines(routine.body, _INDENT)]) + "\n"


def _lines(body: tuple[Statement, ...], indent: str) -> Iterator[str]:
    for statement in body:
        match statement:
            case Call():
                yield indent + _call(statement)
            case Assign(target, value):
                yield f"{indent}{target} = {_operand(value)}"
            case If(condition, then, otherwise):
                yield f"{indent}if {condition}"
                yield from _lines(then, indent + _INDENT)
                if otherwise:
                    yield f"{indent}else"
                    yield from _lines(otherwise, indent + _INDENT)
            case Repeat(times, inner, counter):
                yield f"{indent}repeat {times} {counter}".rstrip()
                yield from _lines(inner, indent + _INDENT)
            case While(condition, most, inner, counter):
                yield f"{indent}while {condition} at most {most} {counter}".rstrip()
                yield from _lines(inner, indent + _INDENT)
            case Return(status):
                yield f"{indent}return {status}"


def _operand(value: Operand) -> str:
    return str(value) if isinstance(value, Place) else repr(value)


def _call(statement: Call) -> str:
    callee = statement.callee
    arguments = [f"{x.name} = {_operand(a)}" for x, a in zip(callee.inputs, statement.arguments, strict=True)]
    pairs = zip(callee.outputs, statement.results, strict=True)
    results = [f"{x.name} = {place}" for x, place in pairs if place is not None]
    status = f" status {statement.status}" if statement.status is not None else ""
    return f"call {callee.name}({', '.join(arguments)}) -> {', '.join(results)}".rstrip() + status


_VARIABLE = re.compile(rf"(output|local) (\S+) \[([\d,]*)\] ({QUOTED}) ({QUOTED})")
_STATUS = re.compile(rf"status (\S+) ({QUOTED})")
_CALL = re.compile(r"call (\S+)\((.*?)\) ->(?: (?!status )(.*?))?(?: status (\S+))?")
_LOOP = re.compile(r"(?:repeat|while (\S+) at most) (\d+)(?: (\S+))?")


def parse(text: str) -> Routine:
    """The Routine that `text` says, the last one in it; an error names the line."""
    callees: dict[str, Program | Routine] = {}
    made: Program | Routine | None = None
    for first, lines in _sections(text):
        if lines[0].startswith("program "):
            made = program_text.parse("\n".join(lines))
        else:
            made = _Reader(lines, first, callees).routine()
        callees[made.name] = made
    if not isinstance(made, Routine):
        raise RoutineError("the text has no routine at its end; one starts with a line 'routine NAME'")
    return made


def _sections(text: str) -> Iterator[tuple[int, list[str]]]:
    """(number of the first line, lines) of every program and routine."""
    lines = text.splitlines()
    starts = [k for k, line in enumerate(lines) if line.startswith(("program ", "routine "))]
    if not starts or any(line.strip() for line in lines[: starts[0]]):
        raise RoutineError("line 1: a text starts with 'program NAME' or 'routine NAME'")
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield start + 1, [line.rstrip() for line in lines[start:end]]


class _Reader:
    """The lines of one Routine, `at` being the next to read."""

    def __init__(self, lines: list[str], first: int, callees: dict[str, Program | Routine]) -> None:
        self.lines = [*lines, ""]
        self.first = first
        self.callees = callees
        self.at = 1

    def routine(self) -> Routine:
        inputs: list[Input] = []
        variables: dict[str, list[Variable]] = {"output": [], "local": []}
        statuses: list[Status] = []
        while (line := self.lines[self.at]) and not line.startswith(_INDENT):
            if x := read_input(line):
                inputs.append(x)
            elif found := _VARIABLE.fullmatch(line):
                kind, name, shape, unit, doc = found.groups()
                variables[kind].append(Variable(name, read_shape(shape), unquote(unit), unquote(doc)))
            elif found := _STATUS.fullmatch(line):
                statuses.append(Status(found[1], unquote(found[2])))
            else:
                raise self.wrong("this is no input, output, local or status")
            self.at += 1
        body = self.block(_INDENT)
        if any(line for line in self.lines[self.at :]):
            raise self.wrong("this line is indented like no statement before it")
        name = self.lines[0].removeprefix("routine ").strip()
        outputs, locals_ = tuple(variables["output"]), tuple(variables["local"])
        return verify(Routine(name, tuple(inputs), outputs, locals_, tuple(statuses), body))

    def wrong(self, what: str) -> RoutineError:
        return RoutineError(f"line {self.first + self.at}: {what}: {self.lines[self.at].strip()[:120]!r}")

    def block(self, indent: str) -> tuple[Statement, ...]:
        """The statements at this indentation."""
        body: list[Statement] = []
        while self.lines[self.at].startswith(indent) and self.lines[self.at][len(indent)] != " ":
            body.append(self.statement(self.lines[self.at][len(indent) :], indent))
        return tuple(body)

    def inner(self, indent: str) -> tuple[Statement, ...]:
        self.at += 1
        return self.block(indent + _INDENT)

    def statement(self, line: str, indent: str) -> Statement:
        try:
            if found := _LOOP.fullmatch(line):
                condition, passes, counter = found.groups()
                body = self.inner(indent)
                if condition:
                    return build.while_(condition, int(passes), body, counter or "")
                return build.repeat(int(passes), body, counter or "")
            if line.startswith("if "):
                then = self.inner(indent)
                otherwise = self.inner(indent) if self.lines[self.at] == f"{indent}else" else ()
                return build.if_(line.removeprefix("if "), then, otherwise)
            made = self.simple(line)
        except RoutineError as error:
            raise error if str(error).startswith("line ") else self.wrong(str(error)) from None
        self.at += 1
        return made

    def simple(self, line: str) -> Statement:
        """A statement of one line."""
        if line.startswith("return "):
            return build.return_(line.removeprefix("return "))
        if found := _CALL.fullmatch(line):
            name, arguments, results, status = found.groups()
            if name not in self.callees:
                raise RoutineError(
                    f"nothing is called {name!r}; texts of {', '.join(self.callees) or 'nothing'} come before"
                )
            return build.call(self.callees[name], _pairs(arguments), _pairs(results or ""), status or "")
        target, equals, value = line.partition(" = ")
        if not equals:
            raise RoutineError("this is no statement; there are call, =, if, else, repeat, while and return")
        return build.assign(target, value)


def _pairs(text: str) -> dict[str, str]:
    """{a: b} of 'a = b, …'."""
    pairs = [part.partition(" = ") for part in text.split(", ") if part]
    return {name: value for name, _, value in pairs}
