"""Closed forms: every output of a small model written out as a teacher prints it.

Expanded, sines and cosines reduced (sums of angles of parallel axes merged, sin² + cos² = 1), and collected: parameters that
stand with the same sines, cosines and velocities are joined.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from armillary.errors import ModelError
from armillary.expr import fourier
from armillary.expr.collect import collected
from armillary.expr.fourier import Polynomial, Powers, Term, TooLong
from armillary.expr.graph import Expr
from armillary.expr.quotients import Fractional, fractions
from armillary.models.closed_style import TEXT, Style, element_name, latex
from armillary.models.closed_writer import Divisor, Writer
from armillary.program import Program, to_graph
from armillary.program.program import Output
from armillary.targets.latex.symbols import elements


@dataclass(frozen=True, slots=True)
class Line:
    """One element of an output: its name, which may be that of an input too, and its terms over their divisors."""

    output: str
    index: tuple[int, ...]
    terms: tuple[Term, ...]
    taken: bool = False
    powers: Powers = ()
    divisors: tuple[Divisor, ...] = ()
    """What the terms are divided by: powers of atoms, and sums with their powers."""

    def name(self, style: Style) -> str:
        name = style.element(self.output, self.index)
        return style.other.format(name) if self.taken else name


@dataclass(frozen=True)
class ClosedForm:
    """The lines of a closed form; `str()` for the eye, `latex()` for the paper. `parameters` are those among the atoms."""

    lines: tuple[Line, ...]
    atoms: dict[int, Expr]
    parameters: frozenset[int]
    symbols: Mapping[str, str]
    """The inputs' names in LaTeX."""

    def __str__(self) -> str:
        return "\n".join(f"{name} = {value}" for name, value in self._written(TEXT))

    def latex(self) -> str:
        """An aligned environment."""
        rows = [f"  {name} &= {value}" for name, value in self._written(latex(self.symbols))]
        return "\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}"

    def _written(self, style: Style) -> Iterator[tuple[str, str]]:
        """(left, right) of every line."""
        writer = Writer(self.atoms, self.parameters, style)
        for line in self.lines:
            yield line.name(style), writer.fraction(line.terms, line.powers, line.divisors)


def closed_form(program: Program, most: int) -> ClosedForm:
    """Every different element of every output. Zeros and mirror images of matrices are left out; one that is 0 is 0.

    An element may have `most` terms, parameters with one coefficient counted as one.
    """
    graph, results = to_graph(program)
    lines: list[Line] = []
    atoms: dict[int, Expr] = {}
    symbols = {label: tex for x in program.inputs for label, tex in zip(x.labels, elements(x), strict=True)}
    parameters = frozenset(graph.symbol(label).id for x in program.parameters for label in x.labels)
    for r in results:
        before = len(lines)
        forms, found = _written_out(program, r.output, r.elements, most)
        atoms |= found
        for place, (index, form) in enumerate(zip(np.ndindex(*r.output.shape), forms, strict=True)):
            if program.layout(r.output.name) == "symmetric" and index[0] > index[1]:
                continue
            terms = _terms(form.over)
            count = sum(len(group.moving) for group in collected(terms, parameters))
            if count > most:
                why = f"element {place} alone would have {count} terms, at most {most} are printed"
                raise _refusal(program, r.output, why)
            if terms or len(r.output.shape) < 2:
                taken = element_name(r.output.name, index) in symbols
                divisors = tuple((_terms(divisor), n) for divisor, n in form.divisors)
                lines.append(Line(r.output.name, index, terms, taken, form.powers, divisors))
        if len(lines) == before:
            lines.append(Line(r.output.name, (), (), r.output.name in symbols))
    return ClosedForm(tuple(lines), atoms, parameters, symbols)


def _written_out(
    program: Program, out: Output, roots: tuple[Expr, ...], most: int
) -> tuple[list[Fractional], dict[int, Expr]]:
    """Every element as one fraction, and the atoms."""
    try:
        return fractions(roots, max(most * 4, 400))
    except TooLong as error:
        raise _refusal(program, out, str(error)) from None


def _terms(form: Polynomial) -> tuple[Term, ...]:
    return tuple(sorted(fourier.products(form), key=_place))


def _place(term: Term) -> list[int]:
    """Terms in the order of their factors, which are numbered as they stand among the inputs: x², x y, x z, y²."""
    return [k for k, n in term[1] for _ in range(n)]


def _refusal(program: Program, out: Output, why: str) -> ModelError:
    return ModelError(
        f"{program.name}: {out.name} written out would be pages ({why}); closed forms are for small robots. "
        "Print the model itself, whose intermediate results have names, or ask for more with terms="
    )
