"""Arc functions, in double precision: all of them angles of a point (d, n) in the plane, whose coordinates may be pairs."""

import math

from armillary.runtime.functions.exact import Pair, plus, plus_any, polynomial, quotient, root, times
from armillary.runtime.functions.pi import half_pi_pieces
from armillary.runtime.ir import Block

ARC_TANGENT = (
    0.333333333333332,
    -0.1999999999995368,
    0.14285714280200837,
    -0.11111110783578793,
    0.09090897760472214,
    -0.07692060269497272,
    0.06663104831491763,
    -0.058478964896698335,
    0.05039344439664017,
    -0.0380657642694758,
    0.017908741419214048,
)
"""A in atan t = t - t z A(z), z = t², |t| <= √2 - 1, with the least relative error: 2^-59.4."""

_EIGHTH = [piece / 2 for piece in half_pi_pieces(50, 53)]
"""π/4 as 50 bits, whose multiples up to π are exact, and the rest."""

_NEGLIGIBLE = 2.0**-60
"""Up to here t = atan t; what rounding took from it cannot be had where it would be subnormal, and matters to no sum."""

_FLAT = 2.0**60
"""Beyond, atan x is π/2 in double precision."""

_TINY, _HUGE = 2.0**-700, 2.0**900
"""Coordinates of which the larger lies between are used as they are; otherwise both are scaled by a power of 2."""


def atan(b: Block, x: str) -> str:
    """The angle of (1, x)."""
    size = b.abs(x)
    size = b.select(b.compare("ogt", size, b.constant(_FLAT)), b.constant(_FLAT), size)
    zero = b.constant(0.0)
    return b.copysign(_angle(b, (size, zero), (b.constant(1.0), zero)), x)


def asin(b: Block, x: str) -> str:
    """The angle of (√(1 - x²), x)."""
    size = b.abs(x)
    return b.copysign(_angle(b, (size, b.constant(0.0)), _other_leg(b, x)), x)


def acos(b: Block, x: str) -> str:
    """The angle of (x, √(1 - x²))."""
    left = b.compare("olt", x, b.constant(0.0))
    return _angle(b, _other_leg(b, x), (b.abs(x), b.constant(0.0)), left)


def atan2(b: Block, y: str, x: str) -> str:
    """The angle of (x, y), the sign of zeros as that of numbers; infinite coordinates make multiples of π/4."""
    zero, one, infinite = b.constant(0.0), b.constant(1.0), b.constant(math.inf)
    n, d = b.abs(y), b.abs(x)
    size = b.select(b.compare("ogt", n, d), n, d)
    scale = b.select(b.compare("olt", size, b.constant(_TINY)), b.constant(2.0**300), one)
    scale = b.select(b.compare("ogt", size, b.constant(_HUGE)), b.constant(2.0**-200), scale)
    endless = b.compare("oeq", size, infinite)

    def scaled(a: str) -> str:
        far = b.select(b.compare("oeq", a, infinite), one, zero)
        return b.select(endless, far, b.mul_exactly(a, scale))

    left = b.compare_integers("slt", b.bits_of(x), b.integer_constant(0))
    angle = b.copysign(_angle(b, (scaled(n), zero), (scaled(d), zero), left), y)
    return b.select(b.compare("uno", x, y), b.add_exactly(x, y), angle)


def _other_leg(b: Block, x: str) -> Pair:
    """√(1 - x²)."""
    square, square_low = times(b, x, x)
    high, low = plus(b, b.constant(1.0), b.neg(square))
    return root(b, (high, b.sub_exactly(low, square_low)))


def _angle(b: Block, n: Pair, d: Pair, left: str | None = None) -> str:
    """The angle of (d, n), of (-d, n) where `left`, for n, d >= 0: j π/4 ± atan t with |t| <= tan(π/8).

    Below the diagonal t = n/d, or (n - d)/(n + d) and j = 1 where that is smaller; above it n and d change places, which
    takes the angle from π/2, and on the left it is taken from π.
    """
    zero, one = b.constant(0.0), b.constant(1.0)
    steep = b.compare("ogt", n[0], d[0])
    short, long = _choice(b, steep, d, n), _choice(b, steep, n, d)
    middle = b.compare("ogt", short[0], b.mul_exactly(long[0], b.constant(math.sqrt(2) - 1)))
    below = _choice(b, middle, _sum(b, short, (b.neg(long[0]), b.neg(long[1]))), short)
    above = _choice(b, middle, _sum(b, long, short), long)
    origin = b.compare("oeq", above[0], zero)
    t, t_low = quotient(b, below, (b.select(origin, one, above[0]), above[1]))
    t_low = b.select(b.compare("ogt", b.abs(t), b.constant(_NEGLIGIBLE)), t_low, zero)
    z = b.mul_exactly(t, t)
    small = b.multiply_add(b.neg(z), b.multiply_add(t, polynomial(b, z, ARC_TANGENT), t_low), t_low)

    eighths = b.select(middle, one, zero)
    eighths = b.select(steep, b.sub_exactly(b.constant(2.0), eighths), eighths)
    turned = steep
    if left is not None:
        eighths = b.select(left, b.sub_exactly(b.constant(4.0), eighths), eighths)
        turned = b.let(f"xor {b.mask} {steep}, {left}")
    t, small = b.select(turned, b.neg(t), t), b.select(turned, b.neg(small), small)
    high, low = plus(b, b.mul_exactly(eighths, b.constant(_EIGHTH[0])), t)
    low = b.add_exactly(b.multiply_add(eighths, b.constant(_EIGHTH[1]), low), small)
    return b.add_exactly(high, low)


def _choice(b: Block, mask: str, yes: Pair, no: Pair) -> Pair:
    return b.select(mask, yes[0], no[0]), b.select(mask, yes[1], no[1])


def _sum(b: Block, x: Pair, y: Pair) -> Pair:
    high, low = plus_any(b, x[0], y[0])
    return high, b.add_exactly(low, b.add_exactly(x[1], y[1]))
