"""Expressions as sums of products, written out: the normal form in which equal trigonometric polynomials are identical.

    Σ number · Π atomᵖ · (1 or cos or sin of a whole combination of angles)

Products of sines and cosines become sums by 2 cos a cos b = cos(a - b) + cos(a + b) and its kin, so sin² + cos² is 1 and
cos a cos b - sin a sin b is cos(a + b) without asking. What is no polynomial (a root, a sign, a quotient) is an atom.
`products` finds the way back to fewer terms: cos(a + b) + cos(a - b) is 2 cos a cos b.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from armillary.errors import ExpressionError
from armillary.expr import numbers
from armillary.expr.angles import Angle, take_apart
from armillary.expr.graph import Expr, Graph, topological
from armillary.expr.numbers import Number

Combination = tuple[tuple[int, Fraction], ...]
"""Σ multiple · atom, by the atoms' ids, the first multiple positive."""

Powers = tuple[tuple[int, int], ...]
"""Π atom^power, by the atoms' ids."""


@dataclass(frozen=True, slots=True, order=True)
class Wave:
    """cos or sin of a combination of atoms; the constant 1 is the cosine of nothing."""

    angle: Combination = ()
    sine: bool = False


ONE = Wave()
Key = tuple[Powers, Wave]
Polynomial = dict[Key, Number]


class TooLong(ExpressionError):
    """A sum with more terms than was allowed."""


def expanded(
    roots: Iterable[Expr], most: int, quotient: Callable[[Polynomial, Polynomial], Polynomial] | None = None
) -> tuple[list[Polynomial], dict[int, Expr]]:
    """The normal form of every root and the atoms by their ids; an error where a sum has more than `most` terms.

    A quotient is an atom unless `quotient` makes a form of two others.
    """
    roots = list(roots)
    atoms: dict[int, Expr] = {}
    forms: dict[int, Polynomial] = {}

    def atom(node: Expr) -> Polynomial:
        atoms[node.id] = node
        return {(((node.id, 1),), ONE): 1}

    for node in topological(roots):
        args = [forms[a.id] for a in node.args]
        if node.const is not None:
            form: Polynomial = {((), ONE): node.const} if node.const != 0 else {}
        elif node.op in ("add", "sub"):
            form = total(args[0], args[1], 1 if node.op == "add" else -1)
        elif node.op == "neg":
            form = total({}, args[0], -1)
        elif node.op == "mul":
            form = product(args[0], args[1], most)
        elif node.op == "div" and quotient is not None and args[1]:
            form = quotient(args[0], args[1])
        elif node.op in ("sin", "cos"):
            form = _wave(take_apart(node.args[0]), node.op == "sin", atoms) or atom(node)
        else:
            form = atom(node)
        if len(form) > most:
            raise TooLong(f"a sum of more than {most} terms")
        forms[node.id] = form
    return [_without_rounding(forms[r.id]) for r in roots], atoms


ROUNDING = 1e-14
"""A coefficient below this part of the largest is what rounding left of a difference of decimals."""


def _without_rounding(form: Polynomial) -> Polynomial:
    """The form without coefficients that are decimals and nothing beside the others."""
    if not any(isinstance(c, float) for c in form.values()):
        return form
    least = ROUNDING * max(abs(float(c)) for c in form.values())
    return {key: c for key, c in form.items() if not isinstance(c, float) or abs(c) >= least}


def total(a: Polynomial, b: Polynomial, sign: int = 1) -> Polynomial:
    """a + b, or a - b."""
    found = dict(a)
    for key, c in b.items():
        _more(found, key, c if sign > 0 else numbers.negative(c))
    return found


def _more(form: Polynomial, key: Key, c: Number) -> None:
    c = numbers.add(form[key], c) if key in form else c
    if c == 0:
        form.pop(key, None)
    else:
        form[key] = c


def product(a: Polynomial, b: Polynomial, most: int) -> Polynomial:
    """a b."""
    if len(a) * len(b) > most * most:
        raise TooLong(f"a sum of more than {most} terms")
    found: Polynomial = {}
    for (p, u), c in a.items():
        for (q, v), d in b.items():
            powers, number = _powers(p, q), numbers.multiply(c, d)
            for wave, factor in _waves(u, v):
                _more(found, (powers, wave), numbers.multiply(number, factor))
    return found


def _powers(p: Powers, q: Powers) -> Powers:
    if not p or not q:
        return p or q
    total = dict(p)
    for k, n in q:
        total[k] = total.get(k, 0) + n
    return tuple(sorted((k, n) for k, n in total.items() if n))


def _waves(u: Wave, v: Wave) -> list[tuple[Wave, Number]]:
    """The product of two waves as a sum."""
    if u == ONE or v == ONE:
        return [(v if u == ONE else u, 1)]
    half = Fraction(1, 2)
    (minus, s), (plus, _) = _combined(u.angle, v.angle, -1), _combined(u.angle, v.angle, 1)
    if u.sine == v.sine:
        return [(Wave(minus), half), (Wave(plus), -half if u.sine else half)]
    # sin a cos b = (sin(a + b) + sin(a - b)) / 2, cos a sin b = (sin(a + b) - sin(a - b)) / 2
    sign = s if u.sine else -s
    waves: list[tuple[Wave, Number]] = [(Wave(plus, True), half)]
    return [*waves, (Wave(minus, True), half * sign)] if minus else waves


def _combined(a: Combination, b: Combination, sign: int) -> tuple[Combination, int]:
    """a ± b with its first multiple made positive, and the sign that this took."""
    total = dict(a)
    for k, n in b:
        total[k] = total.get(k, Fraction(0)) + sign * n
    return _leading(tuple(sorted((k, n) for k, n in total.items() if n)))


def _leading(angle: Combination) -> tuple[Combination, int]:
    if angle and angle[0][1] < 0:
        return tuple((k, -n) for k, n in angle), -1
    return angle, 1


def _wave(angle: Angle, sine: bool, atoms: dict[int, Expr]) -> Polynomial | None:
    """The wave of an angle; None where it is shifted by something else than quarter turns."""
    quarters = 2 * angle.turn
    if quarters.denominator != 1:
        return None
    for part, _ in angle.terms:
        atoms[part.id] = part
    combination, sign = _leading(tuple((part.id, n) for part, n in angle.terms))
    # sin(x + k pi/2) and cos(x + k pi/2) by k, from cos(x + k pi/2) with k one less for a sine.
    k = (int(quarters) - (1 if sine else 0)) % 4
    value: Number = (1, -sign, -1, sign)[k]
    return {((), Wave(combination, bool(k % 2))): value}


# ---- fewer terms ----

Term = tuple[Number, Powers, tuple[tuple[Wave, int], ...]]
"""number · Π atomᵖ · Π waveᵖ."""


def products(form: Polynomial) -> list[Term]:
    """The terms, pairs that differ in one wave of a sum and one of a difference joined as long as there are any."""
    by_powers: dict[Powers, list[tuple[Number, tuple[Wave, ...]]]] = {}
    for (powers, wave), c in form.items():
        by_powers.setdefault(powers, []).append((c, () if wave == ONE else (wave,)))
    return [
        (c, powers, tuple(Counter(waves).items()))
        for powers, terms in by_powers.items()
        for c, waves in _fewest(sorted(terms, key=lambda t: t[1]))
    ]


def _fewest(terms: list[tuple[Number, tuple[Wave, ...]]]) -> list[tuple[Number, tuple[Wave, ...]]]:
    """Terms with the same powers, joined in pairs until none can be."""
    k = 0
    while k < len(terms):
        for other in range(k + 1, len(terms)):
            joined = _joined_terms(terms[k], terms[other])
            if joined:
                terms = [joined, *terms[:k], *terms[k + 1 : other], *terms[other + 1 :]]
                k = -1
                break
        k += 1
    return terms


def _joined_terms(
    one: tuple[Number, tuple[Wave, ...]], two: tuple[Number, tuple[Wave, ...]]
) -> tuple[Number, tuple[Wave, ...]] | None:
    """Two terms as one, where all but one of their waves are the same."""
    (c, u), (d, v) = one, two
    shared = Counter(u) & Counter(v)
    left, right = list((Counter(u) - shared).elements()), list((Counter(v) - shared).elements())
    if len(left) > 1 or len(right) > 1 or len(left) + len(right) == 0:
        return None
    found = _joined(*((left or [ONE])[0], c), *((right or [ONE])[0], d))
    return None if found is None else (found[0], tuple(sorted((*shared.elements(), *found[1]))))


def _joined(a: Wave, c: Number, b: Wave, d: Number) -> tuple[Number, tuple[Wave, ...]] | None:
    """c a + d b as one product of waves, where c = ±d."""
    if a.sine != b.sine or (c != d and c != numbers.negative(d)):
        return None
    alike = c == d
    sums = _halved(_plain(b.angle, a.angle, 1)), _halved(_plain(b.angle, a.angle, -1))
    if sums[0] is None or sums[1] is None:
        return None
    (x, sx), (y, sy) = _leading(sums[0]), _leading(sums[1])
    twice = numbers.multiply(2, d)
    if not a.sine:
        # cos B + cos A = 2 cos x cos y, cos B - cos A = -2 sin x sin y with x, y = (B ± A)/2
        if alike:
            return twice, (Wave(x), Wave(y))
        return numbers.multiply(twice, -sx * sy), (Wave(x, True), Wave(y, True))
    # sin B + sin A = 2 sin x cos y, sin B - sin A = 2 cos x sin y
    if alike:
        return numbers.multiply(twice, sx), (Wave(x, True), Wave(y))
    return numbers.multiply(twice, sy), (Wave(x), Wave(y, True))


def _plain(a: Combination, b: Combination, sign: int) -> Combination:
    total = dict(a)
    for k, n in b:
        total[k] = total.get(k, Fraction(0)) + sign * n
    return tuple(sorted((k, n) for k, n in total.items() if n))


def _halved(angle: Combination) -> Combination | None:
    halves = tuple((k, n / 2) for k, n in angle)
    return halves if all(n.denominator == 1 for _, n in halves) else None


# ---- back to expressions ----


def factored(expr: Expr, most: int = 400) -> Expr:
    """The expression as a product of what all its terms share and the rest, where written out it has at most `most` terms."""
    try:
        (form,), atoms = expanded([expr], most)
    except TooLong:
        return expr
    terms = products(form)
    g = expr.graph
    if not terms:
        return g.const(0)
    powers = shared([dict(t[1]) for t in terms])
    waves = shared([dict(t[2]) for t in terms])
    total = g.const(0)
    for c, p, w in terms:
        total = total + _written(g, c, without(p, powers), without(w, waves), atoms)
    return _written(g, 1, tuple(powers.items()), tuple(waves.items()), atoms) * total


def _written(g: Graph, c: Number, powers: Powers, waves: tuple[tuple[Wave, int], ...], atoms: dict[int, Expr]) -> Expr:
    value = g.const(c)
    for k, n in powers:
        value = value * atoms[k] ** n
    for wave, n in waves:
        angle = g.const(0)
        for k, m in wave.angle:
            angle = angle + atoms[k] * m
        value = value * (angle.sin() if wave.sine else angle.cos()) ** n
    return value


K = TypeVar("K")


def shared(factors: list[dict[K, int]]) -> dict[K, int]:
    """The powers that all have."""
    common = dict(factors[0]) if factors else {}
    for f in factors[1:]:
        common = {k: min(n, f[k]) for k, n in common.items() if k in f}
    return common


def without(factors: tuple[tuple[K, int], ...], taken: dict[K, int]) -> tuple[tuple[K, int], ...]:
    """The powers with others taken out."""
    return tuple((k, n - taken.get(k, 0)) for k, n in factors if n > taken.get(k, 0))
