"""The stages of generated functions: work on parameters alone, done once, and what is left for every run."""

from collections.abc import Iterable
from dataclasses import dataclass

from armillary.program.package import Package, package
from armillary.program.program import Input, Program
from armillary.targets.names import Namer


@dataclass(frozen=True)
class Stages:
    """`runs` take the states and the vector that `setup` makes of the `parameters`, if they have any use for it.

    Without a setup the runs take the parameters themselves.
    """

    setup: Program | None
    runs: tuple[Program, ...]
    parameters: tuple[Input, ...]


def stages(source: Program | Package) -> Stages:
    """A Program, cut in two where it has parameters as well as states; or a Package as it is."""
    if isinstance(source, Program):
        if not (source.parameters and source.states):
            return Stages(None, (source,), source.parameters)
        cut = package([source])
        if not cut.setup.outputs[0].size:
            return Stages(None, (source,), source.parameters)
        return Stages(cut.setup, cut.runs, source.parameters)
    if not source.setup.outputs[0].size:
        return Stages(None, source.runs, ())
    return Stages(source.setup, source.runs, source.setup.inputs)


def constant_names(
    setup: Program, taken: Iterable[str], longest: int | None = None, letter: str = "t"
) -> tuple[str, ...]:
    """A name for each constant that setup makes: that of the parameter that it is, its own where it has one, or t1, t2, …"""
    labels = [label for x in setup.inputs for label in x.labels]
    namer = Namer(taken, longest)
    wished = [labels[v] if v < len(labels) else setup.hints.get(v) for v in setup.outputs[0].values]
    kept = [None if wish is None else namer.name(wish) for wish in wished]
    return tuple(namer.next(letter) if name is None else name for name in kept)
