"""Angles of any size less their quarter turns, out of line: Payne and Hanek (1983).

For x = m 2^e with an integer m of 53 bits, of the binary digits of 2/π only those matter whose product with x is below
4 quarter turns and above the precision wanted: 192 of them, starting at the digit that e says. The product with them, an
integer modulo 2^192, has the quarter turns in its two first bits and after them the fraction, of which at most 62 bits
vanish (for 6381956970095103 · 2^797).
"""

from armillary.runtime.functions.exact import Pair, plus, times
from armillary.runtime.functions.pi import TWO_OVER_PI, half_pi_pieces
from armillary.runtime.ir import Block, Body

_DIGITS = "armillary.two_over_pi"
_SCALAR = "armillary.far"

_WORD = 192
_FIRST_BYTE = 122
"""The byte of the digits at which those for e = 0 … 7 start: TWO_OVER_PI_BITS = 190 + 8 · 122."""
_LEAST_EXPONENT = -40
"""The e of 2^12; smaller angles are not far."""

Parts = tuple[str, str, str]


def far_remainder(b: Block, x: str, near: Parts, limit: float) -> Parts:
    """(high, excess, turns) of x in the lanes where |x| > limit, and what they are in `near` in the others."""
    name = f"{_SCALAR}.{b.suffix}.{'fused' if b.fused else 'plain'}"
    if name not in b.body.helpers:
        b.body.helpers[name] = _lanes(name, b, limit)
        b.body.helpers[_SCALAR] = _scalar(b)
    given = ", ".join(f"{kind} {v}" for kind, v in zip((b.type, *_kinds(b)), (x, *near), strict=True))
    both = b.let(f"call {_result(b)} @{name}({given})")
    return _parts(b, both, _result(b))


def _kinds(b: Block) -> Parts:
    return b.type, b.type, b.integer


def _result(b: Block) -> str:
    return f"{{ {', '.join(_kinds(b))} }}"


def _parts(b: Block, value: str, kind: str) -> Parts:
    first, second, third = (b.let(f"extractvalue {kind} {value}, {k}") for k in range(3))
    return first, second, third


def _lanes(name: str, like: Block, limit: float) -> str:
    """The function that takes a vector apart, does one angle after the other, and puts the results together."""
    body = Body()
    b = Block(body, like.real, like.width, like.fused)
    one, wide = b.lanes(1), b.lanes(1).over("double")
    found: list[Parts] = []
    for lane in range(b.width):
        value = body.let(f"call {_result(wide)} @{_SCALAR}(double {one.convert(b.lane('%x', lane), wide)})")
        high, excess, turns = _parts(wide, value, _result(wide))
        if b.real == "float":
            exact = wide.sub_exactly(high, excess)
            high = wide.convert(exact, one)
            excess = wide.convert(wide.sub_exactly(one.convert(high, wide), exact), one)
            turns = body.let(f"trunc i64 {turns} to i32")
        found.append((high, excess, turns))
    highs, excesses, turns = zip(*found, strict=True)
    is_far = b.compare("ogt", b.abs("%x"), b.constant(limit))
    result = "poison"
    merged = (
        b.select(is_far, b.gather(highs), "%high"),
        b.select(is_far, b.gather(excesses), "%excess"),
        b.select_integers(is_far, b.gather_integers(turns), "%turns"),
    )
    for k, (kind, value) in enumerate(zip(_kinds(b), merged, strict=True)):
        result = body.let(f"insertvalue {_result(b)} {result}, {kind} {value}, {k}")
    body.do(f"ret {_result(b)} {result}")
    like.body.declarations |= body.declarations
    given = f"{b.type} %x, {b.type} %high, {b.type} %excess, {b.integer} %turns"
    return _text(f"define internal {_result(b)} @{name}({given}) noinline cold nounwind", body)


def _scalar(like: Block) -> str:
    """The function of one double, for |x| >= 2^12; NaN for infinities and NaN."""
    body = Body()
    b = Block(body, "double", 1, like.fused)
    bits = b.bits_of("%x")
    field = b.integers("and", b.integers("lshr", bits, "52"), "2047")
    exponent = b.integers("sub", field, "1075")
    small = b.compare_integers("slt", exponent, str(_LEAST_EXPONENT))
    exponent = b.select_integers(small, str(_LEAST_EXPONENT), exponent)

    size = b.integers("or", b.integers("and", bits, str(2**52 - 1)), str(2**52))
    size = b.integers("shl", size, b.integers("and", exponent, "7"))
    negative = b.compare_integers("slt", bits, "0")
    integer = b.select_integers(negative, b.integers("sub", "0", size), size)

    byte = b.integers("sub", str(_FIRST_BYTE), b.integers("ashr", exponent, "3"))
    place = body.let(f"getelementptr i8, ptr @{_DIGITS}, i64 {byte}")
    digits = body.let(f"load i{_WORD}, ptr {place}, align 1")
    product = body.let(f"mul i{_WORD} {body.let(f'sext i64 {integer} to i{_WORD}')}, {digits}")

    nearest = body.let(f"add i{_WORD} {product}, {1 << (_WORD - 3)}")
    turns = body.let(f"trunc i{_WORD} {body.let(f'lshr i{_WORD} {nearest}, {_WORD - 2}')} to i64")
    fraction = body.let(f"trunc i{_WORD} {body.let(f'lshr i{_WORD} {product}, {_WORD - 2 - 128}')} to i128")
    high, low = _pair(b, fraction)

    first, second = half_pi_pieces(53, 53)
    angle, rest = times(b, high, b.constant(first))
    rest = b.add_exactly(rest, b.mul_exactly(low, b.constant(first)))
    rest = b.add_exactly(rest, b.mul_exactly(high, b.constant(second)))
    angle, rest = plus(b, angle, rest)
    angle = b.add_exactly(angle, b.sub_exactly("%x", "%x"))

    kind = _result(b)
    result = body.let(f"insertvalue {kind} poison, double {angle}, 0")
    result = body.let(f"insertvalue {kind} {result}, double {b.neg(rest)}, 1")
    body.do(f"ret {kind} {body.let(f'insertvalue {kind} {result}, i64 {turns}, 2')}")
    like.body.declarations |= body.declarations
    # Least byte first: the machines that this runs on read integers so.
    length = _FIRST_BYTE - (_LEAST_EXPONENT >> 3) + _WORD // 8
    table = ", ".join(f"i8 {byte}" for byte in TWO_OVER_PI.to_bytes(length, "little"))
    constant = f"@{_DIGITS} = internal constant [{length} x i8] [{table}]\n"
    return constant + _text(f"define internal {kind} @{_SCALAR}(double %x) noinline cold nounwind", body)


def _pair(b: Block, fraction: str) -> Pair:
    """A signed integer of 128 bits over 2^128 as a pair, right to the last bit of its second number.

    It is cut into 42, 43 and 43 bits, each a double.
    """
    parts: list[str] = []
    for below in (86, 43, 0):
        part = b.let(f"trunc i128 {b.let(f'ashr i128 {fraction}, {below}')} to i64")
        part = part if below == 86 else b.integers("and", part, str((1 << 43) - 1))
        parts.append(b.mul_exactly(b.to_real(part), b.constant(2.0 ** (below - 128))))
    high, low = plus(b, parts[0], parts[1])
    return plus(b, high, b.add_exactly(low, parts[2]))


def _text(head: str, body: Body) -> str:
    lines = "\n".join(body.lines)
    return f"{head} {{\nentry:\n{lines}\n}}\n"
