"""MATLAB, run unchanged by Octave: a file for every function, no globals.

NAME.m takes states and gives outputs. Where the Program has parameters they are the fields of a struct; where it has
states too, NAME_setup.m does the work on parameters once and gives a struct that NAME.m takes in their place.
NAME_parameters.m gives the parameters their default values, if all have one.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from armillary.errors import TargetError
from armillary.program.package import Package
from armillary.program.program import Input, Program
from armillary.targets import header
from armillary.targets.matlab.function import element_names, function, run_body, statements
from armillary.targets.matlab.operations import LONGEST, NOTATION, RESERVED, helpers
from armillary.targets.names import Namer
from armillary.targets.page import Page
from armillary.targets.schedule import live
from armillary.targets.stages import constant_names, stages
from armillary.targets.target import Target

__all__ = ["TARGET", "Options"]

_LONGEST_STEM = LONGEST - len("_parameters")


@dataclass(frozen=True, slots=True)
class Options:
    """`name` of the function, that of the Program unless given."""

    name: str = ""


def files(source: Program | Package, options: Options) -> dict[str, str]:
    """Every function by the name of its file."""
    if isinstance(source, Package) and not options.name:
        raise TargetError(
            "MATLAB functions of several Programs need a name for their setup: give the option name='...'"
        )
    cut = stages(source)
    own = Namer(RESERVED, _LONGEST_STEM).name(options.name or cut.runs[0].name)
    functions = {own, f"{own}_setup", f"{own}_parameters"}
    namer = Namer(RESERVED | functions, LONGEST)
    names = [namer.name(p.name) for p in cut.runs] if isinstance(source, Package) else [own]
    taken = RESERVED | functions | set(names)
    about = header.about(source)

    fields_namer = Namer(RESERVED, LONGEST)
    fields = {label: fields_namer.name(label) for x in cut.parameters for label in x.labels}
    constants = constant_names(cut.setup, RESERVED, LONGEST, "c") if cut.setup else ()
    made: dict[str, str] = {}
    for name, run in zip(names, cut.runs, strict=True):
        made[f"{name}.m"] = _run(name, run, f"{own}_setup", fields, constants, taken, about)
    if cut.setup is not None:
        made[f"{own}_setup.m"] = _setup(f"{own}_setup", cut.setup, cut.parameters, fields, constants, taken, about)
    if fields and all(x.default is not None for x in cut.parameters):
        made[f"{own}_parameters.m"] = _defaults(f"{own}_parameters", cut.parameters, fields, about)
    return made


def _run(
    name: str,
    run: Program,
    setup: str,
    fields: Mapping[str, str],
    constants: tuple[str, ...],
    taken: frozenset[str],
    about: list[str],
) -> str:
    """NAME.m."""
    namer = Namer(taken, LONGEST)
    states = {x.name: namer.name(x.name) for x in run.states}
    outputs = {x.name: namer.name(x.name) for x in run.outputs}
    struct = namer.name("k" if constants else "p") if constants or any(x.size for x in run.parameters) else ""
    texts: list[str] = []
    for x in run.inputs:
        if x.role == "state":
            texts += element_names(states[x.name], x.shape)
        else:
            texts += [f"{struct}.{field}" for field in constants or [fields[label] for label in x.labels]]
    arguments = [*states.values(), *([struct] if struct else [])]

    rows = [(states[x.name], f"{_shape(x.shape)}{header.argument(x)}") for x in run.states]
    if struct:
        rows.append(
            (struct, f"what {setup} gives" if constants else f"struct of parameters: {', '.join(fields.values())}")
        )
    rows += [(outputs[x.name], f"{_shape(x.shape)}{header.argument(x)}") for x in run.outputs]
    facts = run.about
    of = f" of {facts.robot}" if facts.robot else ""
    what = (
        f"{facts.model[:1].upper()}{facts.model[1:]}{of}." if facts.model else f"Compute {', '.join(outputs.values())}."
    )
    text = [what, "", *_table(rows), "", *about]
    body = run_body(run, texts, outputs, namer.given, LONGEST)
    return _file(function(name, arguments, list(outputs.values()), text, body), [run])


def _setup(
    name: str,
    setup: Program,
    parameters: Iterable[Input],
    fields: Mapping[str, str],
    constants: tuple[str, ...],
    taken: frozenset[str],
    about: list[str],
) -> str:
    """NAME_setup.m: struct of parameters to struct of constants."""
    (out,) = setup.outputs
    given = {v: f"k.{c}" for v, c in zip(out.values, constants, strict=True) if v >= setup.first_result}
    texts = [f"p.{fields[label]}" for x in setup.inputs for label in x.labels]
    page = Page(setup, NOTATION, texts, taken | {"p", "k"}, given, longest=LONGEST)
    lines = statements(page)
    for value, constant in zip(out.values, constants, strict=True):
        if page.value(value) != f"k.{constant}":
            lines += [f"k.{constant} = {page.value(value)};"]
    described = [(f"p.{fields[label]}", _parameter(x, label, fields)) for x in parameters for label in x.labels]
    bare = ", ".join(name.removeprefix("p.") for name, what in described if not what)
    rows = [("p", f"struct of parameters{f': {bare}' if bare else ''}")]
    rows += [row for row in described if row[1]]
    rows.append(("k", "what depends on the parameters alone"))
    text = ["Do the work on the parameters, once for every set of them.", "", *_table(rows), "", *about]
    return _file(function(name, ["p"], ["k"], text, lines), [setup])


def _defaults(name: str, parameters: Iterable[Input], fields: Mapping[str, str], about: list[str]) -> str:
    """NAME_parameters.m."""
    lines = [
        f"p.{fields[label]} = {value!r};"
        for x in parameters
        for label, value in zip(x.labels, x.default or (), strict=True)
    ]
    return _file(function(name, [], ["p"], ["The default value of every parameter.", "", *about], lines), [])


def _file(lines: list[str], programs: list[Program]) -> str:
    """A function, followed by those that it calls."""
    local = helpers({x.op for p in programs for x in live(p)})
    return "\n".join([*lines, "", *local]).rstrip("\n") + "\n"


def _parameter(x: Input, label: str, fields: Mapping[str, str]) -> str:
    words = [label if fields[label] != label else "", x.doc, f"({x.unit})" if x.unit else ""]
    return " ".join(word for word in words if word)


def _table(rows: list[tuple[str, str]]) -> list[str]:
    return header.table(rows, width=header.WIDTH - 4)


def _shape(shape: tuple[int, ...]) -> str:
    """Vectors may come as rows or columns, and go as columns."""
    return f"({' x '.join(map(str, shape))})  " if shape else ""


TARGET = Target("matlab", "MATLAB and Octave", (".m",), Options, files, (Program, Package))
