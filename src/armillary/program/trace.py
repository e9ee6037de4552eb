"""Tracing: an algorithm written over any scalar is called once with symbols, and what it did becomes a Program."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any

import numpy as np

from armillary.errors import ProgramError
from armillary.expr.graph import Expr, Graph
from armillary.program.build import Result, to_program
from armillary.program.program import About, Input, Output, Program
from armillary.program.verify import verify


@dataclass
class Trace:
    """A graph, the inputs declared in it so far, and the outputs."""

    graph: Graph = field(default_factory=Graph)
    inputs: list[Input] = field(default_factory=list[Input])
    results: list[Result] = field(default_factory=list[Result])
    fixed: dict[str, Expr] = field(default_factory=dict[str, Expr])

    def input(self, like: Input) -> list[Expr]:
        """The elements of a new input, row by row; those fixed beforehand are what they were fixed to, and no input."""
        if not like.labels:
            like = replace(like, labels=default_labels(like.name, like.shape))
        open_ = [label for label in like.labels if label not in self.fixed]
        if len(open_) == like.size:
            self.inputs.append(like)
        elif open_:
            keep = [k for k, label in enumerate(like.labels) if label not in self.fixed]
            default = None if like.default is None else tuple(like.default[k] for k in keep)
            self.inputs.append(replace(like, shape=(len(keep),), labels=tuple(open_), default=default))
        return [self.fixed[label] if label in self.fixed else self.graph.symbol(label) for label in like.labels]

    def output(self, proto: Output, elements: Any) -> None:
        """An output: nested lists or an array of expressions and numbers of the shape that `proto` says."""
        flat = [self.graph.lift(e) for e in np.asarray(elements, dtype=object).ravel().tolist()]
        if len(flat) != prod(proto.shape):
            raise ProgramError(f"output {proto.name!r} of shape {proto.shape} was given {len(flat)} elements")
        self.results.append(Result(proto, tuple(flat)))

    def program(self, name: str, about: About | None = None) -> Program:
        """What was traced, verified."""
        return verify(to_program(name, self.inputs, self.results, about))


def default_labels(name: str, shape: Sequence[int]) -> tuple[str, ...]:
    """`name` for a scalar, `name[i]` or `name[i,j]` for elements of arrays, counted from 0."""
    if not shape:
        return (name,)
    return tuple(f"{name}[{','.join(map(str, index))}]" for index in np.ndindex(*shape))
