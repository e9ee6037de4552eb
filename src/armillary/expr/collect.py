"""Sums of products collected in parameters: Σ c p x, of parameters p and of what moves, x.

Parameters with one coefficient are joined, (p₁ + p₂) x, and sums of parameters written with few factors: M2 L² + M3 L² + I
is L² (M2 + M3) + I.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from armillary.expr import numbers
from armillary.expr.fourier import Powers, Term, without
from armillary.expr.numbers import Number
from armillary.expr.quotients import content

Parameters = list[tuple[Number, Powers]]
"""Σ number · Π parameterᵖ."""


@dataclass(frozen=True, slots=True)
class Joined:
    """(Σ number · Π parameterᵖ) · (Σ number · Π stateᵖ · Π waveᵖ)."""

    own: Parameters
    moving: list[Term]

    @property
    def stands(self) -> bool:
        """Whether nothing in it moves."""
        return all(not p and not w for _, p, w in self.moving)


def collected(terms: Iterable[Term], parameters: Collection[int]) -> list[Joined]:
    """The terms by what they have besides parameters, each sum of that kind once, up to a number."""
    groups: dict[Powers, list[Term]] = {}
    for c, powers, waves in terms:
        own = tuple(p for p in powers if p[0] in parameters)
        groups.setdefault(own, []).append((c, tuple(p for p in powers if p[0] not in parameters), waves))
    found: dict[frozenset[Term], Joined] = {}
    for own, group in groups.items():
        number = common([c for c, _, _ in group])
        moving = [(numbers.divide(c, number), p, w) for c, p, w in group]
        opposite = frozenset((numbers.negative(c), p, w) for c, p, w in moving)
        if opposite in found:
            found[opposite].own.append((numbers.negative(number), own))
        else:
            found.setdefault(frozenset(moving), Joined([], moving)).own.append((number, own))
    return list(found.values())


def gathered(own: Parameters) -> list[tuple[Powers, Parameters]]:
    """The sum as Σ (Π parameterᵖ) · (Σ number · parameter): the product that most terms have but for one factor comes out
    first; products that no other term has are alone, under no factor."""
    left: Parameters = list(own)
    found: dict[int, tuple[Powers, Parameters]] = {}
    while left:
        met = Counter(rest for _, powers in left for rest in _but_one(powers))
        most = max(met, key=lambda rest: (met[rest], sum(n for _, n in rest)), default=())
        if not most or met[most] < 2:
            break
        inside = [(c, powers) for c, powers in left if most in _but_one(powers)]
        found[own.index(inside[0])] = most, [(c, without(powers, dict(most))) for c, powers in inside]
        left = [term for term in left if term not in inside]
    for term in left:
        found[own.index(term)] = (), [term]
    return [sums for _, sums in sorted(found.items())]


def _but_one(powers: Powers) -> list[Powers]:
    """What is left of a product of several factors when one of them is taken out."""
    lone = [without(powers, {k: 1}) for k, _ in powers]
    return [rest for rest in lone if rest]


def common(coefficients: list[Number]) -> Number:
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
