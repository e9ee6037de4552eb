"""NAME.h: the types of a C module and its documented declarations."""

from armillary.program.program import Input, Program
from armillary.targets import header
from armillary.targets.c.function import comment, declaration, documented, remarked
from armillary.targets.c.module import Module


def header_file(m: Module) -> str:
    """The text of NAME.h."""
    lines: list[str] = []
    if m.fields:
        lines += [*_parameters(m), ""]
    if m.setup is not None:
        lines += [*_constants(m), ""]
    if m.has_defaults:
        lines += [*comment(["Set every parameter to its default value."])]
        lines += [*declaration(f"void {m.name}_defaults", [m.parameters_argument(const=False)], end=";"), ""]
    if m.setup is not None:
        arguments = m.setup_arguments()
        lines += comment(["Do the work on the parameters, once for every set of them.", "", *documented(arguments)])
        lines += [*declaration(f"void {m.name}_setup", arguments, end=";"), ""]
    for run in m.runs:
        arguments = m.run_arguments(run)
        lines += comment([*purpose(run.program), *documented(arguments)])
        lines += [*declaration(f"void {run.name}", arguments, end=";"), ""]
    return guarded(m.name, header.about(m.source), lines)


def guarded(name: str, about: list[str], lines: list[str]) -> str:
    """A header that may be included twice, and by C++; `lines` end with an empty one."""
    guard = f"{name.upper()}_H"
    top = [*comment([f"{name}.h", "", *about]), f"#ifndef {guard}", f"#define {guard}", ""]
    top += ["#ifdef __cplusplus", 'extern "C" {', "#endif", ""]
    return "\n".join([*top, *lines, "#ifdef __cplusplus", "}", "#endif", "", f"#endif /* {guard} */"]) + "\n"


def purpose(program: Program) -> list[str]:
    """What a function computes, and how its arrays are laid out."""
    facts = program.about
    of = f" of {facts.robot}" if facts.robot else ""
    made = ", ".join(x.name for x in program.outputs) or "nothing"
    first = f"{facts.model[:1].upper()}{facts.model[1:]}{of}." if facts.model else f"Compute {made}."
    lines = header.wrap(first, header.WIDTH - 3)
    if any(len(x.shape) > 1 for x in (*program.inputs, *program.outputs)):
        lines.append("Arrays hold matrices row by row.")
    return [*lines, "What is given must not overlap what is taken.", ""]


def _parameters(m: Module) -> list[str]:
    rows = [
        (f"    {m.real} {m.fields[label]};", _remark(x, k, m.fields[label]))
        for x in m.parameters
        for k, label in enumerate(x.labels)
    ]
    column = max(len(declared) for declared, _ in rows) + 1
    lines = [line for declared, what in rows for line in remarked(declared, what, column)]
    return [*comment(["Parameters."]), "typedef struct {", *lines, f"}} {m.parameters_type};"]


def _remark(x: Input, k: int, field: str) -> str:
    """`L1: length of the link (m), default 0.3`: the label where the field is called otherwise."""
    meaning = " ".join([*([x.doc] if x.doc else []), *([f"({x.unit})"] if x.unit else [])])
    label = x.labels[k] if x.labels[k] != field else ""
    default = f"default {x.default[k]!r}" if x.default is not None else ""
    return ", ".join(part for part in (": ".join(part for part in (label, meaning) if part), default) if part)


def _constants(m: Module) -> list[str]:
    lines = [f"    {m.real} {field};" for field in m.carried]
    what = f"What depends on the parameters alone, worked out by {m.name}_setup."
    return [*comment([what]), "typedef struct {", *lines, f"}} {m.constants_type};"]
