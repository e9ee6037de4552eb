"""The stages of generated functions: work on parameters alone, done once, and what is left for every run."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from armillary.program.package import Package, package
from armillary.program.program import Input, Program
from armillary.targets.names import Namer


@dataclass(frozen=True)
class Stages:
    """`runs` take the states and, as their last input, the vector that `setup` makes of the `parameters`.

    Without a setup the runs are as they were, and take parameters themselves.
    """

    setup: Program | None
    runs: tuple[Program, ...]
    parameters: tuple[Input, ...]


def stages(source: Program | Package) -> Stages:
    """A Program, cut in two where it has parameters as well as states and something depends on the parameters; or a Package."""
    if isinstance(source, Program):
        if not (source.parameters and source.states):
            return Stages(None, (source,), source.parameters)
        cut = package([_numbered(source)])
        if not cut.setup.outputs[0].size:
            return Stages(None, (source,), source.parameters)
        labelled = cut.runs[0].with_(inputs=(*source.states, cut.runs[0].inputs[-1]))
        return Stages(cut.setup, (labelled,), source.parameters)
    if not source.setup.outputs[0].size:
        return Stages(None, tuple(p.with_(inputs=p.inputs[:-1]) for p in source.runs), ())
    return Stages(source.setup, source.runs, source.setup.inputs)


def constant_names(setup: Program, taken: Iterable[str], longest: int | None = None) -> tuple[str, ...]:
    """A name for each constant that setup makes: that of the parameter that it is, its own where it has one, or t1, t2, …"""
    labels = [label for x in setup.inputs for label in x.labels]
    namer = Namer(taken, longest)
    wished = [labels[v] if v < len(labels) else setup.hints.get(v) for v in setup.outputs[0].values]
    kept = [None if wish is None else namer.name(wish) for wish in wished]
    return tuple(namer.next() if name is None else name for name in kept)


def _numbered(program: Program) -> Program:
    """Labels of states that cannot be taken for those of the values that setup hands over."""
    inputs = [
        replace(x, labels=tuple(f"{x.name}#{k}" for k in range(x.size))) if x.role == "state" else x
        for x in program.inputs
    ]
    return program.with_(inputs=tuple(inputs))
