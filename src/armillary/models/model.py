"""`Model`: a Program with everything that can be done with it. What `Robot`'s methods return."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from armillary.models.derivative import derivative, tangent
from armillary.models.time_derivative import time_derivative
from armillary.passes import optimise
from armillary.program import Cost, Program, bind, cost, evaluate, render
from armillary.robot import Description
from armillary.targets import target

if TYPE_CHECKING:
    from armillary.models.closed_form import ClosedForm
    from armillary.runtime import Function


@dataclass(frozen=True, eq=False)
class Model(Program):
    """A model of a robot: print it, read it, write it in a language, compile it, differentiate it."""

    description: Description | None = None

    @staticmethod
    def of(program: Program, description: Description | None = None) -> Model:
        """The Program as a model."""
        return Model(**{f.name: getattr(program, f.name) for f in fields(Program)}, description=description)

    def _again(self, program: Program, passes: bool = True) -> Model:
        return Model.of(optimise(program) if passes else program, self.description)

    # ---- what it is ----

    @cached_property
    def _costs(self) -> tuple[Cost, Cost]:
        return cost(self)

    @property
    def cost(self) -> Cost:
        """Operations of one evaluation, work on parameters alone left out."""
        return self._costs[0]

    @property
    def setup_cost(self) -> Cost:
        """Operations on parameters alone."""
        return self._costs[1]

    def __str__(self) -> str:
        from armillary.models.summary import summary

        return summary(self)

    @property
    def text(self) -> str:
        """The whole Program, a line a statement; `armillary.program.parse` reads it back."""
        return render(self)

    # ---- what it gives ----

    def evaluate(self, **inputs: ArrayLike) -> dict[str, NDArray[np.float64]]:
        """The outputs by name, by the reference interpreter: slow and sure. Inputs as arrays, or batches (N, n)."""
        for name in inputs:
            self.input(name)
        return evaluate(self, inputs)

    def compile(
        self,
        *,
        dtype: str = "double",
        parameters: Mapping[str, Any] | None = None,
        threads: int | None = None,
        cache: bool = True,
    ) -> Function:
        """A fast function of one state or a batch: LLVM makes machine code, no compiler is needed."""
        from armillary.runtime import compile as compiled

        return compiled(self, dtype=dtype, parameters=parameters, threads=threads, cache=cache)

    def source(self, language: str, **options: object) -> dict[str, str]:
        """The text of every file in a language, by the file's name."""
        return target(language).files(self, **options)

    def write(self, language: str, directory: str | os.PathLike[str] = ".", **options: object) -> list[Path]:
        """The same on disk."""
        return target(language).write(self, directory, **options)

    def latex(self) -> str:
        """The equations as a paper would show them."""
        from armillary.targets.latex import body

        return body(self)

    def closed_form(self, terms: int = 60) -> ClosedForm:
        """Every output written out: expanded, its sines and cosines reduced, parameters with one coefficient joined.

        For small robots; refused where an element would have more than `terms` terms.
        """
        from armillary.models.closed_form import closed_form

        return closed_form(self, terms)

    # ---- other models from it ----

    def bind(self, values: Mapping[str, Any]) -> Model:
        """With numbers for some inputs or parameters. Nothing is derived again."""
        return self._again(bind(self, values))

    def derivative(
        self, output: str, wrt: str | Sequence[str], *, mode: str = "auto", tangent_space: bool = False
    ) -> Model:
        """∂output/∂input for each input of `wrt`, an output of shape (*output's, *input's) each.

        `mode` is forward, reverse or auto (the cheaper). With `tangent_space` derivatives with respect to q are taken along
        the joint velocities: as many columns as q' has numbers, which differ where a joint has a quaternion.
        """
        names = (wrt,) if isinstance(wrt, str) else tuple(wrt)
        maps = tangent(self.description) if tangent_space and self.description is not None else {}
        return self._again(derivative(self, output, names, mode, maps))

    def time_derivative(self, order: int = 1) -> Model:
        """The derivative of every output in time; q, q', q'', … become further inputs as far as they are needed."""
        return self._again(time_derivative(self, order, self.description))
