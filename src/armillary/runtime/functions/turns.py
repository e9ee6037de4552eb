"""Angles less their quarter turns: x - k π/2, |x - k π/2| <= π/4, to a few bits more than twice the precision needed.

Near angles follow Cody and Waite (1980): π/2 is cut into pieces whose product with k is exact, or exact as a pair. Of the
near doubles the one next to 29 π/2 leaves least, 6.2e-19; of single precision the one next to 161 π/2, 4.2e-9. Far
angles leave the straight path (`far`), which costs the near ones a comparison.
"""

import math
from dataclasses import dataclass

from armillary.runtime.functions.exact import rounded
from armillary.runtime.functions.far import far_remainder
from armillary.runtime.functions.pi import half_pi_pieces
from armillary.runtime.ir import Block, Real

NEAR: dict[Real, float] = {"double": 1.6e6, "float": 1e5}
"""Angles up to here are near: k has 20 bits in double, 16 in single precision."""

_TURNS = 2 / math.pi

_RARELY = '!prof !{!"branch_weights", i32 1, i32 1048575}'
"""Code for far angles is put out of the way of the rest."""


@dataclass(frozen=True)
class Remainder:
    """x - k π/2 = high - excess, |excess| <= a few last bits of high, +0 for x = ±0; `turns` ends in the last two bits of k."""

    high: str
    excess: str
    turns: str


def remainder(b: Block, x: str) -> Remainder:
    """What x is beyond the nearest multiple of π/2; NaN for infinities."""
    if b.real == "double":
        near = _near_double(b, x)
    else:
        near = _near_float(b, x) if b.fused else _through_double(b, x)
    is_far = b.compare("ogt", b.abs(x), b.constant(NEAR[b.real]))
    fast, away, join = (f"{label}{b.body.count}" for label in ("near", "far", "join"))
    b.body.do(f"br i1 {b.any(is_far)}, label %{away}, label %{fast}, {_RARELY}")
    b.body.label(away)
    far = far_remainder(b, x, (near.high, near.excess, near.turns), NEAR[b.real])
    b.body.do(f"br label %{join}")
    b.body.label(fast)
    b.body.do(f"br label %{join}")
    b.body.label(join)
    both = zip((b.type, b.type, b.integer), (near.high, near.excess, near.turns), far, strict=True)
    high, excess, turns = (b.let(f"phi {kind} [ {n}, %{fast} ], [ {f}, %{away} ]") for kind, n, f in both)
    return Remainder(high, excess, turns)


def _near_double(b: Block, x: str) -> Remainder:
    """k has 20 bits, so products with pieces of 33 bits are exact, and so are all differences but the last of each line."""
    first, middle, last = ((53,), 33, 53) if b.fused else ((33, 20), 33, 53)
    *leading, second, third = half_pi_pieces(*first, middle, last)
    k, turns = rounded(b, x, _TURNS)
    rest = x
    for piece in leading:
        rest = b.multiply_add(k, b.constant(-piece), rest)
    high = b.multiply_add(k, b.constant(-second), rest)
    excess = b.multiply_add(k, b.constant(second), b.sub_exactly(high, rest))
    return Remainder(high, b.multiply_add(k, b.constant(third), excess), turns)


def _near_float(b: Block, x: str) -> Remainder:
    """k has 16 bits; its product with the second piece is a pair."""
    first, second, third = half_pi_pieces(24, 24, 24)
    k, turns = rounded(b, x, _TURNS)
    rest = b.fma(k, b.constant(-first), x)
    product = b.mul_exactly(k, b.constant(second))
    tail = b.fma(k, b.constant(second), b.neg(product))
    high = b.sub_exactly(rest, product)
    excess = b.add_exactly(b.sub_exactly(high, rest), product)
    return Remainder(high, b.add_exactly(excess, b.fma(k, b.constant(third), tail)), turns)


def _through_double(b: Block, x: str) -> Remainder:
    """Single precision by way of double."""
    wide = b.over("double")
    exact = _near_double(wide, b.convert(x, wide))
    value = wide.sub_exactly(exact.high, exact.excess)
    high = wide.convert(value, b)
    excess = wide.convert(wide.sub_exactly(b.convert(high, wide), value), b)
    return Remainder(high, excess, b.let(f"trunc {wide.integer} {exact.turns} to {b.integer}"))
