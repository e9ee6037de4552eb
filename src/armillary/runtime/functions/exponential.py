"""Exponential, natural logarithm, hyperbolic tangent, in double precision."""

import math

from armillary.runtime.functions.exact import plus, plus_any, polynomial, quotient, rounded
from armillary.runtime.ir import Block

EXPONENTIAL = (
    0.5,
    0.16666666666666677,
    0.04166666666666651,
    0.008333333333321702,
    0.0013888888888962266,
    0.00019841269885934962,
    2.480158717265896e-05,
    2.7557244408086893e-06,
    2.7557402605199286e-07,
    2.5108966171983005e-08,
    2.0875323766695483e-09,
)
"""E in exp r = 1 + r + r² E(r), |r| <= log(2)/2, with the least error relative to exp r - 1: 2^-59.9."""

LOGARITHM = (
    0.6666666666666734,
    0.3999999999941663,
    0.2857142874203134,
    0.2222219860470552,
    0.1818356286951642,
    0.15314084392277852,
    0.14795637543909232,
)
"""L in log((1 + s)/(1 - s)) = 2 s + s z L(z), z = s², |s| <= (√2 - 1)/(√2 + 1), with the least relative error: 2^-59.5."""

LOG2 = (0.6931471805598903, 5.497923018708371e-14)
"""log 2 as 42 bits, which a number of 11 bits multiplies exactly, and the rest."""

_LOWEST, _HIGHEST = -746.0, 710.0
"""Below exp is 0, beyond it is infinite."""

_SATURATED = 20.0
"""From 19.1 on 1 - tanh x = 2/(exp(2x) + 1) is less than 2^-54."""

_ROOT_HALF = 0x3FE6A09E667F3BCD
"""The bits of √½."""

_ANCHOR = 0x4338000000000000
"""The bits of 3/2 2^52."""


def exp(b: Block, x: str) -> str:
    """2^k (1 + r + r² E(r)) with x = k log 2 + r, in two factors of which neither overflows nor is subnormal."""
    x = b.select(b.compare("ogt", x, b.constant(_HIGHEST)), b.constant(_HIGHEST), x)
    x = b.select(b.compare("olt", x, b.constant(_LOWEST)), b.constant(_LOWEST), x)
    r, small, k = _exponential(b, x)
    one, rest = plus(b, b.constant(1.0), r)
    value = b.add_exactly(one, b.add_exactly(rest, small))
    half = b.integers("ashr", k, b.integer_constant(1))
    value = b.mul_exactly(value, _power_of_two(b, half))
    return b.mul_exactly(value, _power_of_two(b, b.integers("sub", k, half)))


def tanh(b: Block, x: str) -> str:
    """p / (p + 2) with p = exp(2|x|) - 1 as a pair, and the sign of x."""
    size = b.abs(x)
    size = b.select(b.compare("ogt", size, b.constant(_SATURATED)), b.constant(_SATURATED), size)
    r, small, k = _exponential(b, b.add_exactly(size, size))
    scale = _power_of_two(b, k)
    high, low = plus(b, b.sub_exactly(scale, b.constant(1.0)), b.mul_exactly(scale, r))
    p = plus(b, high, b.add_exactly(low, b.mul_exactly(scale, small)))
    high, low = plus_any(b, p[0], b.constant(2.0))
    first, second = quotient(b, p, (high, b.add_exactly(low, p[1])))
    return b.copysign(b.add_exactly(first, second), x)


def log(b: Block, x: str) -> str:
    """k log 2 + log(1 + f) with x = 2^k (1 + f), √½ <= 1 + f < √2.

    With s = f/(2 + f), log(1 + f) = 2 s + s z L(z) = f - f²/2 + s (f²/2 + z L(z)); the larger terms are added as pairs.
    """
    zero = b.constant(0.0)
    tiny = b.compare("olt", x, b.constant(2.0**-1022))
    bits = b.bits_of(b.select(tiny, b.mul_exactly(x, b.constant(2.0**54)), x))
    above = b.integers("sub", bits, b.integer_constant(_ROOT_HALF))
    k = b.integers("ashr", above, b.integer_constant(52))
    f = b.real_of_bits(b.integers("sub", bits, b.integers("shl", k, b.integer_constant(52))))
    f = b.sub_exactly(f, b.constant(1.0))
    k = b.to_real(k)
    k = b.select(tiny, b.sub_exactly(k, b.constant(54.0)), k)

    half_square = b.mul_exactly(b.mul_exactly(f, b.constant(0.5)), f)
    s = b.div(f, b.add_exactly(f, b.constant(2.0)))
    z = b.mul_exactly(s, s)
    small = b.mul_exactly(s, b.multiply_add(z, polynomial(b, z, LOGARITHM), half_square))
    high, rest = plus(b, b.mul_exactly(k, b.constant(LOG2[0])), f)
    high, rest_of_square = plus(b, high, b.neg(half_square))
    rest = b.add_exactly(rest, rest_of_square)
    rest = b.add_exactly(b.multiply_add(k, b.constant(LOG2[1]), rest), small)
    value = b.add_exactly(high, rest)

    infinite = b.constant(math.inf)
    value = b.select(b.compare("oeq", x, infinite), infinite, value)
    value = b.select(b.compare("ule", x, zero), b.constant(math.nan), value)
    value = b.select(b.compare("oeq", x, zero), b.constant(-math.inf), value)
    return b.select(b.compare("uno", x, zero), x, value)


def _exponential(b: Block, x: str) -> tuple[str, str, str]:
    """(r, small, k): exp x = 2^k (1 + r + small), |r| <= log(2)/2; r = x and small = r² E(r) where k = 0."""
    k, shifted = rounded(b, x, 1 / math.log(2))
    rest = b.multiply_add(k, b.constant(-LOG2[0]), x)
    r = b.multiply_add(k, b.constant(-LOG2[1]), rest)
    small = b.multiply_add(k, b.constant(-LOG2[1]), b.sub_exactly(rest, r))
    small = b.multiply_add(b.mul_exactly(r, r), polynomial(b, r, EXPONENTIAL), small)
    return r, small, b.integers("sub", shifted, b.integer_constant(_ANCHOR))


def _power_of_two(b: Block, k: str) -> str:
    """2^k for integers -1022 <= k <= 1023."""
    field = b.integers("add", k, b.integer_constant(1023))
    return b.real_of_bits(b.integers("shl", field, b.integer_constant(52)))
