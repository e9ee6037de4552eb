"""Sums of products as a teacher writes them: what terms share in front, parameters with one coefficient together."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from armillary.expr import numbers
from armillary.expr.collect import Joined, Parameters, collected, common, gathered
from armillary.expr.fourier import Combination, Powers, Term, Wave, shared, without
from armillary.expr.graph import Expr
from armillary.expr.numbers import Number
from armillary.models.closed_style import TEXT, Style

Waves = tuple[tuple[Wave, int], ...]
"""Π waveᵖ."""

Part = tuple[bool, str]
"""A summand: whether it has a minus sign, and its text without that."""

Divisor = tuple[tuple[Term, ...], int]
"""A sum and its power."""


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes terms in these atoms, some of which are parameters."""

    atoms: Mapping[int, Expr]
    parameters: frozenset[int]
    style: Style

    def fraction(self, terms: Sequence[Term], powers: Powers, divisors: Sequence[Divisor]) -> str:
        """Σ terms / (Π atomᵖ · Π (sum)ⁿ), with whole numbers in front of its sums."""
        if not (powers or divisors):
            return self._sum(terms)
        number = common([t[0] for t in terms])
        above, below = (number.numerator, number.denominator) if isinstance(number, Fraction) else (number, 1)
        negative, size = _signed(above)
        top = self._products(size, (), [(tuple((numbers.divide(c, number), p, w) for c, p, w in terms), 1)])
        bottom = self._products(below, powers, divisors)
        if not self.style.bar and len(powers) + len(divisors) + (below != 1) > 1:
            bottom = f"({bottom})"
        return joined([(negative, self.style.over.format(top, bottom))])

    def _products(self, number: Number, powers: Powers, sums: Sequence[Divisor]) -> str:
        """number · Π atomᵖ · Π (sum)ⁿ; no brackets around a sum that stands alone over or under a bar."""
        factors = self._factors(powers, ())
        for terms, n in sums:
            if n == 1:
                front, waves = shared([dict(t[1]) for t in terms]), shared([dict(t[2]) for t in terms])
                factors += self._factors(tuple(front.items()), tuple(waves.items()))
                terms = tuple((c, without(p, front), without(w, waves)) for c, p, w in terms)
            text = self._sum(terms)
            if len(terms) == 1 and n == 1:
                factors += [text] if text != "1" else []
            elif self.style.bar and n == 1 and len(sums) == 1 and not factors and number == 1:
                factors.append(text)
            else:
                factors.append(self.style.power(self._bracketed(text), n))
        if number != 1 or not factors:
            factors.insert(0, self.style.number(number))
        return self.style.times.join(factors)

    # ---- sums ----

    def _sum(self, terms: Sequence[Term]) -> str:
        """What all terms share in front, the rest in brackets."""
        powers, waves = shared([dict(t[1]) for t in terms]), shared([dict(t[2]) for t in terms])
        decimal = len(terms) > 1 and isinstance(common([t[0] for t in terms]), float)
        if len(terms) < 2 or not (powers or waves or decimal):
            return self._collected(terms)
        number = common([t[0] for t in terms])
        rest = [(numbers.divide(c, number), without(p, powers), without(w, waves)) for c, p, w in terms]
        negative, front = self._term(number, tuple(powers.items()), tuple(waves.items()))
        return joined([(negative, self.style.times.join([front, self._bracketed(self._collected(rest))]))])

    def _collected(self, terms: Sequence[Term]) -> str:
        """Parameters with one coefficient together."""
        parts: list[Part] = []
        for group in sorted(collected(terms, self.parameters), key=self._order):
            parts += self._parameters(group.own) if group.stands else [self._group(group)]
        return joined(parts) or "0"

    def _order(self, group: Joined) -> tuple[bool, list[str]]:
        """Groups without sines and velocities first, in the order of their parameters."""
        return not group.stands, self._names(group.own[0][1])

    def _names(self, powers: Powers) -> list[str]:
        return [TEXT.atom(self.atoms[k]) for k, _ in powers]

    def _parameters(self, own: Parameters) -> list[Part]:
        """A sum of parameters: what several have as a factor in front of these."""
        parts: list[Part] = []
        for powers, inside in gathered(sorted(own, key=lambda t: self._names(t[1]))):
            if len(inside) == 1:
                parts.append(self._term(*inside[0], ()))
            else:
                negative, factors = self._factored(powers, inside)
                parts.append((negative, self.style.times.join(factors)))
        return parts

    def _factored(self, powers: Powers, inside: Parameters) -> tuple[bool, list[str]]:
        """(negative, factors) of a product of parameters and a sum of them."""
        number = common([c for c, _ in inside])
        negative, size = _signed(number)
        text = joined(self._parameters([(numbers.divide(c, number), p) for c, p in inside]))
        return negative, [*self._front(size, powers), self._bracketed(text)]

    # ---- what moves ----

    def _group(self, group: Joined) -> Part:
        """Parameters · (what moves)."""
        negative, head = self._head(group.own)
        lone = not head and len(group.moving) > 1
        inner: dict[Waves, list[tuple[Number, Powers]]] = {}
        for c, powers, waves in group.moving:
            inner.setdefault(waves, []).append((numbers.negative(c) if lone and negative else c, powers))
        parts: list[Part] = []
        for waves, terms in inner.items():
            if len(terms) == 1 or not waves:
                parts += [self._term(c, p, waves) for c, p in terms]
            else:
                parts.append(self._wave_times(waves, terms))
        if len(parts) == 1:
            flipped, text = parts[0]
            plain = [] if text == "1" and head else [text]
            return (negative and not lone) ^ flipped, self.style.times.join([*head, *plain])
        if not head:
            (flipped, first), *others = _positive_first(parts)
            return flipped, joined([(False, first), *others])
        return negative, self.style.times.join([*head, self._bracketed(joined(parts))])

    def _head(self, own: Parameters) -> tuple[bool, list[str]]:
        """(negative, factors) of what stands before all that moves."""
        if len(own) > 1:
            powers = shared([dict(p) for _, p in own])
            return self._factored(tuple(powers.items()), [(c, without(p, powers)) for c, p in own])
        negative, size = _signed(own[0][0])
        return negative, self._front(size, own[0][1])

    def _wave_times(self, waves: Waves, terms: Sequence[tuple[Number, Powers]]) -> Part:
        """Π waveᵖ · (a sum of states)."""
        negative = all(numbers.is_negative(c) for c, _ in terms)
        states = joined([self._term(numbers.negative(c) if negative else c, p, ()) for c, p in terms])
        return negative, self.style.times.join([*self._factors((), waves), self._bracketed(states)])

    # ---- products ----

    def _term(self, c: Number, powers: Powers, waves: Waves) -> Part:
        negative, size = _signed(c)
        return negative, self.style.times.join(self._front(size, powers, waves) or [self.style.number(size)])

    def _front(self, size: Number, powers: Powers, waves: Waves = ()) -> list[str]:
        return ([] if size == 1 else [self.style.number(size)]) + self._factors(powers, waves)

    def _factors(self, powers: Powers, waves: Waves) -> list[str]:
        ordered = sorted(powers, key=lambda p: (p[0] not in self.parameters, p[0]))
        texts = [self.style.power(self.style.atom(self.atoms[k]), n) for k, n in ordered]
        return texts + [self.style.wave(w.sine, self._angle(w.angle), n) for w, n in waves]

    def _angle(self, angle: Combination) -> str:
        return joined([self._term(numbers.normalise(n), ((k, 1),), ()) for k, n in angle])

    def _bracketed(self, text: str) -> str:
        return f"{self.style.brackets[0]}{text}{self.style.brackets[1]}"


def joined(parts: Iterable[Part]) -> str:
    """a - b + c: a term without a minus sign first, where there is one."""
    text = ""
    for negative, part in _positive_first(list(parts)):
        if not text:
            text = f"-{part}" if negative else part
        else:
            text += f" - {part}" if negative else f" + {part}"
    return text


def _positive_first(parts: list[Part]) -> list[Part]:
    first = next((k for k, (negative, _) in enumerate(parts) if not negative), 0)
    return [*parts[first : first + 1], *parts[:first], *parts[first + 1 :]]


def _signed(number: Number) -> tuple[bool, Number]:
    """Whether it is negative, and its size."""
    negative = numbers.is_negative(number)
    return negative, numbers.negative(number) if negative else number
