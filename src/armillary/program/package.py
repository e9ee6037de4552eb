"""Cutting and joining Programs: work on parameters alone moves into a setup Program; numbers are put in for inputs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from armillary.errors import ExpressionError, ProgramError
from armillary.expr import numbers
from armillary.expr.graph import Expr, Graph
from armillary.expr.numbers import Number
from armillary.program.build import Result, to_graph, to_program
from armillary.program.program import Input, Output, Program


@dataclass(frozen=True)
class Package:
    """Programs of one robot that share a setup.

    `setup` takes the parameters and gives one vector, `setup` unless that name is taken; every Program of `runs` takes its
    states and that vector, if it has any use for it.
    """

    setup: Program
    runs: tuple[Program, ...]


def bind(program: Program, values: Mapping[str, Number | float | Sequence[float]]) -> Program:
    """The Program with numbers for some inputs, by the name of an input or the label of one of its elements."""
    graph = Graph()
    given: dict[str, Expr] = {}
    known = {x.name: x for x in program.inputs}
    labels = {label for x in program.inputs for label in x.labels}
    for name, value in values.items():
        if name in known:
            x = known[name]
            flat = (
                [value]
                if isinstance(value, int | float | numbers.Fraction | numbers.PiMultiple)
                else list(np.ravel(np.asarray(value)).tolist())
            )
            if len(flat) != x.size:
                raise ProgramError(f"{program.name}: {name!r} has {x.size} elements, {len(flat)} values were given")
            given |= {label: _number(graph, label, v) for label, v in zip(x.labels, flat, strict=True)}
        elif name in labels:
            given[name] = _number(graph, name, value)
        else:
            raise ProgramError(f"{program.name} has no input {name!r}; it has {', '.join(known)}")
    _, results = to_graph(program, graph, given)
    kept = [x for x in program.inputs if not all(label in given for label in x.labels)]
    return to_program(program.name, [without(x, given) for x in kept], results, program.about)


def _number(graph: Graph, name: str, given: Any) -> Expr:
    try:
        return graph.const(given)
    except ExpressionError as error:
        raise ProgramError(f"{name} = {given!r}: {error}") from None


def without(x: Input, labels: Mapping[str, object]) -> Input:
    """The input with the elements of these labels taken out; it becomes a vector of the others."""
    keep = [k for k, label in enumerate(x.labels) if label not in labels]
    if len(keep) == x.size:
        return x
    default = None if x.default is None else tuple(x.default[k] for k in keep)
    return replace(x, shape=(len(keep),), labels=tuple(x.labels[k] for k in keep), default=default)


def split(program: Program, names: Sequence[str]) -> tuple[Program, Program]:
    """(first, second): `first` does the work that depends on the inputs `names` alone, `second` the rest.

    What `second` needs of it travels as one vector `setup`, in which inputs that it needs directly travel too.
    """
    cut = _cut((program,), frozenset(names))
    return cut.setup, cut.runs[0]


def package(programs: Sequence[Program]) -> Package:
    """The Programs with their work on parameters moved into one setup that they share."""
    names = frozenset(x.name for p in programs for x in p.parameters)
    return _cut(tuple(programs), names)


def _cut(programs: tuple[Program, ...], names: frozenset[str]) -> Package:
    graph = Graph()
    inputs: dict[str, Input] = {}
    for p in programs:
        for x in p.inputs:
            if inputs.setdefault(x.name, x).labels != x.labels:
                raise ProgramError(f"the input {x.name!r} is not the same in the Programs of one package")
    early_labels = {label for name, x in inputs.items() if name in names for label in x.labels}
    results = [to_graph(p, graph)[1] for p in programs]

    early: list[bool] = []
    for node in graph.nodes:
        if node.op == "symbol":
            early.append(node.attr in early_labels)
        else:
            early.append(all(early[a.id] for a in node.args))

    crossing: dict[int, str] = {}
    name = _free("setup", programs)
    late = Graph()
    copies: dict[int, Expr] = {}

    def later(node: Expr) -> Expr:
        if not early[node.id]:
            return copies[node.id]
        if node.const is not None:
            return late.const(node.const)
        return late.symbol(crossing.setdefault(node.id, f"{name}[{len(crossing)}]"))

    for node in graph.nodes:
        if not early[node.id]:
            copies[node.id] = late.rebuild(node, [later(a) for a in node.args]) if node.args else late.symbol(node.attr)
            if node.id in graph.hints:
                copies[node.id].named(graph.hints[node.id])
    late_results = [[Result(r.output, tuple(later(e) for e in r.elements)) for r in group] for group in results]

    carried = tuple(graph.nodes[k] for k in crossing)
    shape = (len(carried),)
    first = to_program(
        f"{programs[0].name}_setup" if len(programs) == 1 else "setup",
        [x for x in inputs.values() if x.name in names],
        [Result(Output(name, shape, (), doc="work on the parameters alone"), carried)],
        programs[0].about,
    )
    vector = Input(name, shape, "parameter", doc="work on the parameters alone", labels=tuple(crossing.values()))
    runs = [
        to_program(p.name, [*(x for x in p.inputs if x.name not in names), vector], group, p.about)
        for p, group in zip(programs, late_results, strict=True)
    ]
    return Package(first, tuple(runs))


def _free(name: str, programs: tuple[Program, ...]) -> str:
    """The name, made longer while it belongs to an input or output, or to elements of one."""
    taken = {x.name for p in programs for x in (*p.inputs, *p.outputs)}
    taken |= {label.partition("[")[0] for p in programs for x in p.inputs for label in x.labels}
    while name in taken:
        name += "_"
    return name
