"""Arithmetic without rounding errors: sums, products and quotients as a number and what rounding took from it.

Dekker (1971), Knuth (The Art of Computer Programming 2, 4.2.2), Møller (1965). A pair (high, low) means high + low.
"""

from armillary.runtime.ir import MANTISSA, Block

Pair = tuple[str, str]

_SPLIT_BITS = {"double": 27, "float": 12}


def plus(b: Block, x: str, y: str) -> Pair:
    """x + y where |x| >= |y|, or x is a multiple of y's last bit, or x = 0."""
    high = b.add_exactly(x, y)
    return high, b.sub_exactly(y, b.sub_exactly(high, x))


def plus_any(b: Block, x: str, y: str) -> Pair:
    """x + y, whatever their sizes."""
    high = b.add_exactly(x, y)
    part_y = b.sub_exactly(high, x)
    part_x = b.sub_exactly(high, part_y)
    return high, b.add_exactly(b.sub_exactly(x, part_x), b.sub_exactly(y, part_y))


def times(b: Block, x: str, y: str) -> Pair:
    """x y; without fused operations for |x|, |y| < 2^900 (2^100 in single precision)."""
    high = b.mul_exactly(x, y)
    if b.fused:
        return high, b.fma(x, y, b.neg(high))
    x1, x2 = _halves(b, x)
    y1, y2 = _halves(b, y)
    rest = b.sub_exactly(high, b.mul_exactly(x1, y1))
    rest = b.sub_exactly(b.sub_exactly(rest, b.mul_exactly(x2, y1)), b.mul_exactly(x1, y2))
    return high, b.sub_exactly(b.mul_exactly(x2, y2), rest)


def _halves(b: Block, x: str) -> Pair:
    """x as two numbers of half as many bits, whose products with each other are exact."""
    shifted = b.mul_exactly(x, b.constant(2.0 ** _SPLIT_BITS[b.real] + 1))
    high = b.sub_exactly(shifted, b.sub_exactly(shifted, x))
    return high, b.sub_exactly(x, high)


def residue(b: Block, a: str, x: str, y: str) -> str:
    """a - x y, rounded once, where x y is a rounded in the last few bits."""
    if b.fused:
        return b.fma(b.neg(x), y, a)
    high, low = times(b, x, y)
    return b.sub_exactly(b.sub_exactly(a, high), low)


def quotient(b: Block, n: Pair, d: Pair) -> Pair:
    """n / d to about twice the precision; d is not 0."""
    high = b.div(n[0], d[0])
    rest = b.add_exactly(residue(b, n[0], high, d[0]), n[1])
    rest = b.sub_exactly(rest, b.mul_exactly(high, d[1]))
    return high, b.div(rest, d[0])


def root(b: Block, a: Pair) -> Pair:
    """√a to about twice the precision; 0 of 0."""
    high = b.sqrt(a[0])
    rest = b.add_exactly(residue(b, a[0], high, high), a[1])
    low = b.div(rest, b.add_exactly(high, high))
    return high, b.select(b.compare("oeq", high, b.constant(0.0)), high, low)


def polynomial(b: Block, x: str, coefficients: tuple[float, ...]) -> str:
    """c0 + c1 x + c2 x² + … by Horner's rule."""
    value = b.constant(coefficients[-1])
    for c in reversed(coefficients[:-1]):
        value = b.multiply_add(value, x, b.constant(c))
    return value


def rounded(b: Block, x: str, scale: float) -> tuple[str, str]:
    """k, the integer nearest to x scale (or next to it), as a real number and in the last bits of an integer.

    For |k| < 2^51 (2^22 in single precision). Adding 3/2 times the number whose last bit counts ones pushes the
    fraction out and leaves the integer in the last bits.
    """
    anchor = b.constant(1.5 * 2.0 ** MANTISSA[b.real])
    shifted = b.multiply_add(x, b.constant(scale), anchor)
    return b.sub_exactly(shifted, anchor), b.bits_of(shifted)
