"""NAME.c: the functions that NAME.h declares, and the helpers that they call."""

from collections.abc import Iterable, Sequence

from armillary.expr.ops import SOLVE
from armillary.program.program import Program
from armillary.targets import header
from armillary.targets.c.function import INDENT, Argument, comment, definition
from armillary.targets.c.module import Module, Run, names_of_module, output_places
from armillary.targets.c.operations import CALLS, RESERVED
from armillary.targets.c.statements import statements
from armillary.targets.schedule import live, used_values


def source_file(m: Module) -> str:
    """The text of NAME.c."""
    ops = used_operations([*(run.program for run in m.runs), *([m.setup] if m.setup is not None else [])])
    functions = [_defaults(m)] if m.has_defaults else []
    functions += [_setup(m, m.setup)] if m.setup is not None else []
    functions += [_run(m, run) for run in m.runs]
    return assembled(m.name, header.about(m.source), m.precision.helpers(ops), ops, functions)


def assembled(
    name: str, about: Sequence[str], helpers: Sequence[str], ops: set[str], functions: Sequence[Sequence[str]]
) -> str:
    """A source file: what it is, what it includes, helpers, functions."""
    code = "\n".join([*helpers, *("\n".join([*lines, ""]) for lines in functions)])
    top = [*comment([f"{name}.c", "", *about]), f'#include "{name}.h"', ""]
    needed = {
        "#include <math.h>": ops & {*CALLS, SOLVE} or "NAN" in code or "INFINITY" in code,
        "#include <stddef.h>": "NULL" in code,
    }
    includes = [line for line, is_needed in needed.items() if is_needed]
    return "\n".join([*top, *includes, *([""] if includes else []), code])


def used_operations(programs: Iterable[Program]) -> set[str]:
    """The operations that some output depends on."""
    return {x.op for program in programs for x in live(program)}


def unused(arguments: Iterable[Argument], mentioned: set[str]) -> list[str]:
    """Statements for the arguments that no other mentions: compilers want to know that this is meant."""
    return [f"{INDENT}(void){a.name};" for a in arguments if a.name not in mentioned]


def mentioned_inputs(program: Program, texts: list[str]) -> set[str]:
    """The arguments that stand in the texts of the input elements that a Program uses."""
    used = used_values(program, live(program))
    return {text.split("[")[0].split("->")[0] for k, text in enumerate(texts) if k in used}


def _defaults(m: Module) -> list[str]:
    lines = [
        f"{INDENT}{m.pointer}->{m.fields[label]} = {m.precision.decimal(value)};"
        for x in m.parameters
        for label, value in zip(x.labels, x.default or (), strict=True)
    ]
    return definition(f"void {m.name}_defaults", [m.parameters_argument(const=False)], lines)


def _setup(m: Module, setup: Program) -> list[str]:
    texts = m.parameter_texts(list(setup.inputs))
    places = {setup.outputs[0].name: [f"{m.constants}->{field}" for field in m.carried]}
    taken = RESERVED | names_of_module(m.name) | {m.pointer, m.constants}
    arguments = m.setup_arguments()
    body = unused(arguments[:1], mentioned_inputs(setup, texts))
    body += statements(setup, texts, places, taken, m.precision)
    return definition(f"void {m.name}_setup", arguments, body)


def _run(m: Module, run: Run) -> list[str]:
    program = run.program
    arguments = m.run_arguments(run)
    texts = m.input_texts(run)
    places = {x.name: output_places(run.names[x.name], x.shape) for x in program.outputs}
    taken = RESERVED | names_of_module(m.name) | {r.name for r in m.runs} | {a.name for a in arguments}
    mentioned = mentioned_inputs(program, texts) | {run.names[x.name] for x in program.outputs if x.size}
    body = unused(arguments, mentioned) + statements(program, texts, places, taken, m.precision)
    return definition(f"void {run.name}", arguments, body)
