"""Sine, cosine and tangent: of an angle less its quarter turns by polynomials, then put where the quarter turns say."""

from armillary.runtime.functions.exact import Pair, plus, polynomial, quotient, times
from armillary.runtime.functions.turns import Remainder, remainder
from armillary.runtime.ir import Block, Real

SINE: dict[Real, tuple[float, ...]] = {
    "double": (
        0.1666666666666663,
        -0.00833333333332184,
        0.00019841269829358528,
        -2.755731353851119e-06,
        2.5050734388121427e-08,
        -1.589543318647826e-10,
    ),
    "float": (0.16666655242443085, -0.008332189172506332, 0.00019518291810527444),
}
"""S in sin r = r - r z S(z), z = r², |r| <= π/4, with the least relative error: 2^-57.8 in double, 2^-27.9 in float."""

COSINE: dict[Real, tuple[float, ...]] = {
    "double": (
        0.041666666666666595,
        -0.0013888888888873342,
        2.4801587289002062e-05,
        -2.755731421702807e-07,
        2.087570539375611e-09,
        -1.135874908276733e-11,
    ),
    "float": (0.04166664555668831, -0.0013887309469282627, 2.4432327336398885e-05),
}
"""C in cos r = 1 - z/2 + z² C(z), z = r², |r| <= π/4, with the least relative error: 2^-63.9 in double, 2^-32.9 in float."""


def sin_cos(b: Block, x: str, want: frozenset[str]) -> dict[str, str]:
    """The sine and cosine of x, those of them that are wanted; in any case the work is that of both.

    With k quarter turns: (sin, cos) of the remainder are exchanged where k is odd, the new cosine negated there, and
    both negated where k is 2 or 3 modulo 4.
    """
    r = remainder(b, x)
    z = b.mul_exactly(r.high, r.high)
    sine, cosine = _sine(b, r, z), _cosine(b, r, z)
    odd = _is_odd(b, r)
    flip = b.integers("shl", r.turns, b.integer_constant(b.bits - 2))
    flip = b.integers("and", flip, b.integer_constant(1 << (b.bits - 1)))
    values: dict[str, str] = {}
    if "sin" in want:
        values["sin"] = _flipped(b, b.select(odd, cosine, sine), flip)
    if "cos" in want:
        values["cos"] = _flipped(b, b.select(odd, b.neg(sine), cosine), flip)
    return values


def tan(b: Block, x: str) -> str:
    """The quotient of a sine and a cosine that are pairs; -cos / sin where the number of quarter turns is odd."""
    r = remainder(b, x)
    z, z_low = times(b, r.high, r.high)
    sine, cosine = _sine_pair(b, r, z), _cosine_pair(b, r, z, z_low)
    odd = _is_odd(b, r)
    over = tuple(b.select(odd, b.neg(c), s) for s, c in zip(sine, cosine, strict=True))
    under = tuple(b.select(odd, s, c) for s, c in zip(sine, cosine, strict=True))
    high, low = quotient(b, (over[0], over[1]), (under[0], under[1]))
    tangent = b.add_exactly(high, low)
    return b.select(b.compare("oeq", x, b.constant(0.0)), x, tangent)


def _is_odd(b: Block, r: Remainder) -> str:
    return b.compare_integers("ne", b.integers("and", r.turns, b.integer_constant(1)), b.integer_constant(0))


def _flipped(b: Block, value: str, sign_bit: str) -> str:
    return b.real_of_bits(b.integers("xor", b.bits_of(value), sign_bit))


def _sine(b: Block, r: Remainder, z: str) -> str:
    """high - (excess + high z S): 0 keeps its sign, for the bracket is then +0."""
    cube = b.mul_exactly(r.high, z)
    return b.sub_exactly(r.high, b.multiply_add(cube, polynomial(b, z, SINE[b.real]), r.excess))


def _cosine(b: Block, r: Remainder, z: str) -> str:
    """w + (what rounding took from w = 1 - z/2, + high excess + z² C)."""
    w, small = _parabola(b, z)
    small = b.multiply_add(r.high, r.excess, small)
    return b.add_exactly(w, b.multiply_add(b.mul_exactly(z, z), polynomial(b, z, COSINE[b.real]), small))


def _parabola(b: Block, z: str) -> Pair:
    """1 - z/2."""
    return plus(b, b.constant(1.0), b.mul_exactly(z, b.constant(-0.5)))


def _sine_pair(b: Block, r: Remainder, z: str) -> Pair:
    """As `_sine`, with the excess times the cosine."""
    w, _ = _parabola(b, z)
    small = b.mul_exactly(r.excess, w)
    small = b.multiply_add(b.mul_exactly(r.high, z), polynomial(b, z, SINE[b.real]), small)
    return plus(b, r.high, b.neg(small))


def _cosine_pair(b: Block, r: Remainder, z: str, z_low: str) -> Pair:
    """As `_cosine`, with what rounding took from z."""
    w, small = _parabola(b, z)
    small = b.multiply_add(z_low, b.constant(-0.5), small)
    small = b.multiply_add(r.high, r.excess, small)
    return plus(b, w, b.multiply_add(b.mul_exactly(z, z), polynomial(b, z, COSINE[b.real]), small))
