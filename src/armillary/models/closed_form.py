"""Closed forms: every output of a small model written out as a teacher prints it.

Expanded, sines and cosines reduced (sums of angles of parallel axes merged, sin² + cos² = 1), and collected: first by
what stands in parameters, then by sines and cosines, then by velocities and the like.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from armillary.errors import ModelError
from armillary.expr import fourier, numbers
from armillary.expr.fourier import Combination, Polynomial, Powers, Term, TooLong, Wave, shared, without
from armillary.expr.graph import Expr
from armillary.expr.numbers import Number
from armillary.expr.quotients import content, fractions
from armillary.models.closed_style import LATEX, TEXT, Style
from armillary.program import Program, to_graph
from armillary.program.program import Output


def element_name(output: str, index: tuple[int, ...]) -> str:
    """A12, or A_1_12 where places have two digits."""
    return output + ("" if max(index, default=0) < 9 else "_").join(str(k + 1) for k in index)


@dataclass(frozen=True, slots=True)
class Line:
    """One element of an output: its name, which may be that of an input too, and its terms over their divisors."""

    output: str
    index: tuple[int, ...]
    terms: tuple[Term, ...]
    taken: bool = False
    powers: Powers = ()
    divisors: tuple[tuple[tuple[Term, ...], int], ...] = ()
    """What the terms are divided by: powers of atoms, and sums with their powers."""

    def name(self, style: Style) -> str:
        name = style.name(element_name(self.output, self.index))
        return style.other.format(name) if self.taken else name


@dataclass(frozen=True)
class ClosedForm:
    """The lines of a closed form; `str()` for the eye, `latex()` for the paper."""

    lines: tuple[Line, ...]
    atoms: dict[int, Expr]
    parameters: frozenset[str]

    def __str__(self) -> str:
        return "\n".join(f"{line.name(TEXT)} = {self._line(line, TEXT)}" for line in self.lines)

    def latex(self) -> str:
        """An aligned environment."""
        rows = [rf"  {line.name(LATEX)} &= {self._line(line, LATEX)}" for line in self.lines]
        return "\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}"

    def _line(self, line: Line, style: Style) -> str:
        """A sum, or a fraction with whole numbers in front of its sums."""
        if not (line.powers or line.divisors):
            return self._sum(line.terms, style)
        number = _common([t[0] for t in line.terms])
        above, below = (number.numerator, number.denominator) if isinstance(number, Fraction) else (number, 1)
        negative = numbers.is_negative(above)
        over = [(numbers.divide(c, number), p, w) for c, p, w in line.terms]
        top = self._product_text(numbers.negative(above) if negative else above, (), [(over, 1)], style)
        bottom = self._product_text(below, line.powers, [(list(d), n) for d, n in line.divisors], style)
        if style is TEXT:
            single = len(line.powers) + len(line.divisors) + (below != 1) == 1
            bottom = bottom if single else f"({bottom})"
        return joined([(negative, style.over.format(top, bottom))])

    def _product_text(self, number: Number, powers: Powers, sums: list[tuple[list[Term], int]], style: Style) -> str:
        """number · Π atomᵖ · Π (sum)ⁿ; no brackets around a sum that stands alone over or under a bar."""
        factors = self._factors(powers, (), style)
        for terms, n in sums:
            if n == 1:
                common, waves = shared([dict(t[1]) for t in terms]), shared([dict(t[2]) for t in terms])
                factors += self._factors(tuple(common.items()), tuple(waves.items()), style)
                terms = [(c, without(p, common), without(w, waves)) for c, p, w in terms]
            text = self._sum(terms, style)
            if len(terms) == 1 and n == 1:
                factors += [text] if text != "1" else []
            elif style is LATEX and n == 1 and len(sums) == 1 and not factors and number == 1:
                factors.append(text)
            else:
                bracketed = f"{style.brackets[0]}{text}{style.brackets[1]}"
                factors.append(bracketed if n == 1 else style.power.format(bracketed, n))
        if number != 1 or not factors:
            factors.insert(0, style.number(number))
        return style.times.join(factors)

    # ---- collecting ----

    def _sum(self, terms: Iterable[Term], style: Style) -> str:
        """What all terms share in front, the rest in brackets."""
        terms = list(terms)
        powers, waves = shared([dict(t[1]) for t in terms]), shared([dict(t[2]) for t in terms])
        decimal = len(terms) > 1 and isinstance(_common([t[0] for t in terms]), float)
        if len(terms) < 2 or not (powers or waves or decimal):
            return self._collected(terms, style)
        rest = [(c, without(p, powers), without(w, waves)) for c, p, w in terms]
        common = _common([c for c, _, _ in rest])
        front = self._term(common, tuple(powers.items()), tuple(waves.items()), style)
        inner = self._collected([(numbers.divide(c, common), p, w) for c, p, w in rest], style)
        return joined([(front[0], style.times.join([front[1], f"{style.brackets[0]}{inner}{style.brackets[1]}"]))])

    def _collected(self, terms: list[Term], style: Style) -> str:
        """Terms with the same parameters together."""
        groups: dict[tuple[tuple[int, int], ...], list[Term]] = {}
        for term in terms:
            groups.setdefault(self._split(term)[0], []).append(term)
        written = [self._group(inner, style) for _, inner in sorted(groups.items(), key=self._order)]
        return joined(written) or "0"

    def _order(self, item: tuple[tuple[tuple[int, int], ...], list[Term]]) -> tuple[int, list[str]]:
        """Groups without sines and velocities first, in the order of their parameters."""
        powers, terms = item
        moving = any(waves or self._split(term)[1] for term in terms for waves in (term[2],))
        return int(moving), [self._text(k, TEXT) for k, _ in powers]

    def _split(self, term: Term) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]:
        """The powers of parameters, and those of states."""
        own = tuple(p for p in term[1] if self._is_parameter(p[0]))
        return own, tuple(p for p in term[1] if p not in own)

    def _is_parameter(self, atom: int) -> bool:
        node = self.atoms[atom]
        return node.op == "symbol" and node.attr in self.parameters

    def _group(self, terms: list[Term], style: Style) -> tuple[bool, str]:
        """(negative, text) of terms with the same parameters: number · parameters · (what is left)."""
        common = _common([c for c, _, _ in terms])
        own = self._split(terms[0])[0]
        if not own and len(terms) > 1 and common == -1:
            common = 1
        inner: dict[tuple[tuple[Wave, int], ...], list[Term]] = {}
        for c, powers, waves in terms:
            inner.setdefault(waves, []).append((numbers.divide(c, common), powers, waves))
        parts: list[tuple[bool, str]] = []
        for waves, group in inner.items():
            if not waves:
                parts += [self._term(c, self._split((c, p, w))[1], (), style) for c, p, w in group]
            elif len(group) == 1:
                c, p, w = group[0]
                parts.append(self._term(c, self._split((c, p, w))[1], w, style))
            else:
                factor = self._factors((), waves, style)
                flip = all(numbers.is_negative(c) for c, _, _ in group)
                signed = [(numbers.negative(c) if flip else c, p, w) for c, p, w in group]
                states = joined([self._term(c, self._split((c, p, w))[1], (), style) for c, p, w in signed])
                parts.append((flip, style.times.join([*factor, f"{style.brackets[0]}{states}{style.brackets[1]}"])))
        negative = numbers.is_negative(common)
        size = numbers.negative(common) if negative else common
        head = ([] if size == 1 else [style.number(size)]) + self._factors(own, (), style)
        if len(parts) == 1:
            flipped, text = parts[0]
            plain = [] if text == "1" and head else [text]
            return negative ^ flipped, style.times.join([*head, *plain])
        if not head:
            (flipped, first), *others = _positive_first(parts)
            return flipped, joined([(False, first), *others])
        return negative, style.times.join([*head, f"{style.brackets[0]}{joined(parts)}{style.brackets[1]}"])

    def _term(
        self, c: Number, powers: tuple[tuple[int, int], ...], waves: tuple[tuple[Wave, int], ...], style: Style
    ) -> tuple[bool, str]:
        negative = numbers.is_negative(c)
        size = numbers.negative(c) if negative else c
        factors = self._factors(powers, waves, style)
        if size != 1 or not factors:
            factors.insert(0, style.number(size))
        return negative, style.times.join(factors)

    # ---- writing ----

    def _factors(
        self, powers: tuple[tuple[int, int], ...], waves: tuple[tuple[Wave, int], ...], style: Style
    ) -> list[str]:
        ordered = sorted(powers, key=lambda p: (not self._is_parameter(p[0]), p[0]))
        texts = [(self._text(k, style), n) for k, n in ordered] + [(self._wave(w, style), n) for w, n in waves]
        return [text if n == 1 else style.power.format(text, n) for text, n in texts]

    def _text(self, atom: int, style: Style) -> str:
        node = self.atoms[atom]
        return style.name(node.attr) if node.op == "symbol" else style.inline(node)

    def _wave(self, wave: Wave, style: Style) -> str:
        return (style.sine if wave.sine else style.cosine).format(self._angle(wave.angle, style))

    def _angle(self, angle: Combination, style: Style) -> str:
        return joined([self._term(numbers.normalise(n), ((k, 1),), (), style) for k, n in angle])


def joined(parts: Iterable[tuple[bool, str]]) -> str:
    """a - b + c: a term without a minus sign first, where there is one."""
    text = ""
    for negative, part in _positive_first(list(parts)):
        if not text:
            text = f"-{part}" if negative else part
        else:
            text += f" - {part}" if negative else f" + {part}"
    return text


def _positive_first(parts: list[tuple[bool, str]]) -> list[tuple[bool, str]]:
    first = next((k for k, (negative, _) in enumerate(parts) if not negative), 0)
    return [*parts[first : first + 1], *parts[:first], *parts[first + 1 :]]


def _common(coefficients: list[Number]) -> Number:
    """What can be taken out of all coefficients: their greatest common divisor if they are exact, with the sign of most; a
    decimal that all have; else 1."""
    first = coefficients[0]
    if len(coefficients) == 1:
        return first
    if isinstance(first, float) and all(c in (first, -first) for c in coefficients):
        return -abs(first) if sum(numbers.is_negative(c) for c in coefficients) * 2 > len(coefficients) else abs(first)
    size = content(coefficients)
    if isinstance(size, float):
        return 1
    size = numbers.negative(size) if numbers.is_negative(size) else size
    return numbers.negative(size) if sum(map(numbers.is_negative, coefficients)) * 2 > len(coefficients) else size


def closed_form(program: Program, most: int) -> ClosedForm:
    """Every different element of every output. Zeros and mirror images of matrices are left out; one that is 0 is 0."""
    _, results = to_graph(program)
    lines: list[Line] = []
    atoms: dict[int, Expr] = {}
    symbols = {label for x in program.inputs for label in x.labels}
    for r in results:
        before = len(lines)
        try:
            forms, found = fractions(r.elements, max(most * 4, 400))
        except TooLong as error:
            raise _refusal(program, r.output, str(error)) from None
        atoms |= found
        for index, form, place in zip(_indices(r.output), forms, range(len(forms)), strict=True):
            if program.layout(r.output.name) == "symmetric" and index[0] > index[1]:
                continue
            terms = _terms(form.over)
            divisors = tuple((_terms(divisor), n) for divisor, n in form.divisors)
            if len(terms) > most:
                raise _refusal(
                    program,
                    r.output,
                    f"element {place} alone would have {len(terms)} terms, at most {most} are printed",
                )
            if terms or len(r.output.shape) < 2:
                taken = element_name(r.output.name, index) in symbols
                lines.append(Line(r.output.name, index, terms, taken, form.powers, divisors))
        if len(lines) == before:
            lines.append(Line(r.output.name, (), (), r.output.name in symbols))
    return ClosedForm(tuple(lines), atoms, frozenset(label for x in program.parameters for label in x.labels))


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


def _indices(out: Output) -> list[tuple[int, ...]]:
    return [tuple(int(k) for k in index) for index in np.ndindex(*out.shape)]
