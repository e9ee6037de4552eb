"""A Routine in C: an enum of its statuses, one function, and whatever that calls as static functions before it."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from armillary.program.program import Input, Program
from armillary.routine.routine import Routine
from armillary.targets import header
from armillary.targets.c.example import Page
from armillary.targets.c.flow import COPY, FILL, Flow
from armillary.targets.c.function import (
    INDENT,
    Argument,
    broken,
    comment,
    declaration,
    definition,
    documented,
    of_output,
    remarked,
    taken,
)
from armillary.targets.c.interface import guarded
from armillary.targets.c.module import FILES, element_names, names_of_module, output_places
from armillary.targets.c.operations import LIBRARY, RESERVED, Precision
from armillary.targets.c.source import assembled, mentioned_inputs, unused, used_operations
from armillary.targets.c.statements import statements
from armillary.targets.names import Namer
from armillary.targets.sample import sample

_HELPERS = {
    COPY: """\
static void copy({real} *restrict to, const {real} *restrict from, int n)
{{
    for (int i = 0; i < n; i++) {{
        to[i] = from[i];
    }}
}}
""",
    FILL: """\
static void fill({real} *to, {real} value, int n)
{{
    for (int i = 0; i < n; i++) {{
        to[i] = value;
    }}
}}
""",
}


@dataclass(frozen=True)
class Names:
    """What is called how at file scope: functions by the name of what they are, enum constants by (routine, status)."""

    own: str
    functions: dict[str, str]
    statuses: dict[tuple[str, str], str]

    @property
    def all(self) -> frozenset[str]:
        known = (*self.functions.values(), *self.statuses.values(), COPY, FILL)
        return RESERVED | names_of_module(self.own) | frozenset(known)

    def status_type(self, routine: Routine) -> str:
        return f"{self.functions[routine.name]}_status"


@dataclass(frozen=True)
class RoutineModule:
    """A Routine as a C module."""

    routine: Routine
    names: Names
    precision: Precision

    @property
    def name(self) -> str:
        return self.names.own

    def arguments(self, callee: Program | Routine) -> tuple[list[Argument], dict[str, str]]:
        """The arguments of a function, and their names by those of inputs and outputs."""
        namer = Namer(self.names.all)
        called = {x.name: namer.name(x.name) for x in (*callee.inputs, *callee.outputs)}
        real = self.precision.real
        arguments = [taken(called[x.name], x, real) for x in callee.inputs]
        return arguments + [of_output(called[x.name], x, real) for x in callee.outputs], called


def routine_module(routine: Routine, name: str = "", real: str = "double") -> RoutineModule:
    """The C module of a Routine."""
    own = Namer(RESERVED | LIBRARY | FILES).name(name or routine.name)
    namer = Namer(RESERVED | LIBRARY | names_of_module(own) | {COPY, FILL})
    functions = {routine.name: own}
    statuses = {(routine.name, s.name): namer.name(f"{own}_{s.name}".upper()) for s in routine.statuses}
    for callee in routine.callees:
        functions[callee.name] = namer.name(callee.name)
        if isinstance(callee, Routine):
            called = functions[callee.name]
            namer.name(f"{called}_status")
            statuses |= {(callee.name, s.name): namer.name(f"{called}_{s.name}".upper()) for s in callee.statuses}
    return RoutineModule(routine, Names(own, functions, statuses), Precision(real))


# ---- NAME.h ----


def header_file(m: RoutineModule) -> str:
    """The statuses and the declaration of the function."""
    r = m.routine
    arguments, called = m.arguments(r)
    rows = documented(_with_defaults(arguments, r.inputs, called))
    facts = r.about
    what = f"{r.name}{f': {facts.model}' if facts.model else ''}{f' of {facts.robot}' if facts.robot else ''}."
    lines = [*_statuses(m, r, "How it ended."), ""]
    lines += comment(
        [what, "Arrays hold matrices row by row; what is given must not overlap what is taken.", "", *rows]
    )
    lines += [*declaration(f"{m.names.status_type(r)} {m.name}", arguments, end=";"), ""]
    return guarded(m.name, header.about(r), lines)


def _with_defaults(arguments: Iterable[Argument], inputs: Sequence[Input], called: dict[str, str]) -> list[Argument]:
    """The arguments, those of inputs that have usual values saying so."""
    usual = {called[x.name]: ", ".join(map(repr, x.default)) for x in inputs if x.default}
    return [
        Argument(a.name, a.kind, a.bracket, f"{a.what}{', ' if a.what else ''}usually {usual[a.name]}")
        if a.name in usual
        else a
        for a in arguments
    ]


def _statuses(m: RoutineModule, r: Routine, what: str) -> list[str]:
    rows = [(f"{INDENT}{m.names.statuses[r.name, s.name]} = {k},", s.doc) for k, s in enumerate(r.statuses)]
    rows[-1] = (rows[-1][0].rstrip(","), rows[-1][1])
    column = max(len(code) for code, _ in rows) + 1
    lines = [line for code, doc in rows for line in remarked(code, doc, column)]
    return [*comment([what]), "typedef enum {", *lines, f"}} {m.names.status_type(r)};"]


# ---- NAME.c ----


def source_file(m: RoutineModule) -> str:
    """The function after everything that it calls."""
    r = m.routine
    programs = [p for p in r.callees if isinstance(p, Program)]
    ops = used_operations(programs)
    used: set[str] = set()
    functions = [
        _program(m, callee) if isinstance(callee, Program) else _routine(m, callee, used) for callee in (*r.callees, r)
    ]
    helpers = m.precision.helpers(ops)
    helpers += [code.format(real=m.precision.real) for helper, code in _HELPERS.items() if helper in used]
    return assembled(m.name, header.about(r), helpers, ops, functions)


def _program(m: RoutineModule, p: Program) -> list[str]:
    arguments, called = m.arguments(p)
    texts = [text for x in p.inputs for text in element_names(called[x.name], x.shape)]
    places = {x.name: output_places(called[x.name], x.shape) for x in p.outputs}
    mentioned = mentioned_inputs(p, texts) | {called[x.name] for x in p.outputs if x.size}
    body = unused(arguments, mentioned)
    body += statements(p, texts, places, m.names.all | {a.name for a in arguments}, m.precision)
    return definition(f"static void {m.names.functions[p.name]}", arguments, body)


def _routine(m: RoutineModule, r: Routine, helpers: set[str]) -> list[str]:
    inner = r is not m.routine
    arguments, called = m.arguments(r)
    namer = Namer(m.names.all | set(called.values()))
    named = called | {x.name: namer.name(x.name) for x in r.locals}
    statuses = {s.name: m.names.statuses[r.name, s.name] for s in r.statuses}
    flow = Flow(r, m.precision, named, m.names.functions, statuses, namer, helpers)
    lines = flow.lines()
    body = unused(arguments, {word for line in lines for word in re.findall(r"\w+", line)}) + lines
    head = f"{'static ' if inner else ''}{m.names.status_type(r)} {m.names.functions[r.name]}"
    types = [*_statuses(m, r, f"How {m.names.functions[r.name]} ended."), ""] if inner else []
    return [*types, *definition(head, arguments, body)]


# ---- example.c ----


def example_file(m: RoutineModule) -> str:
    """A main that fills the arguments with sample values, runs the Routine and prints the status and what it gave."""
    r = m.routine
    page = Page(m.name, m.precision.real, {*m.names.all, "status"})
    values = sample(r.inputs)
    arguments = [page.given(x, values[x.name]) for x in r.inputs]
    arguments += [page.taken(x.name, x.shape) for x in r.outputs]
    page.calls += broken(
        f"{INDENT}const {m.names.status_type(r)} status = {m.name}({', '.join(arguments)});",
    )
    page.calls.append(f'{INDENT}printf("status %d\\n", (int)status);')
    return page.text(header.about(r))
