"""π as integers, and cut into pieces that a few bits multiply exactly."""

HALF_PI_BITS = 200
HALF_PI = 0x1921FB54442D18469898CC51701B839A252049C1114CF98E804
"""⌊(π/2) 2²⁰⁰⌋."""

TWO_OVER_PI_BITS = 1166
TWO_OVER_PI = int(
    "28be60db9391054a7f09d5f47d4d377036d8a5664f10e4107f9458eaf7aef1586dc91b8e909374b801924bba82746487"
    "3f877ac72c4a69cfba208d7d4baed1213a671c09ad17df904e64758e60d4ce7d272117e2ef7e4a0ec7fe25fff7816603"
    "fbcbc462d6829b47db4d9fb3c9f2c26dd3d18fd9a797fa8b5d49eeb1faf97c5ecf41ce7de294a4ba9afed7ec47e35742"
    "1580",
    16,
)
"""⌊(2/π) 2¹¹⁶⁶⌋: enough to reduce any double, whose exponent is at most 971 above its last bit, to 190 bits."""


def half_pi_pieces(*widths: int) -> list[float]:
    """π/2 as a sum of numbers that hold its next `width` bits each, counted from the bit of 1; the rest is cut off."""
    pieces: list[float] = []
    taken = 0
    below = HALF_PI_BITS + 1
    for width in widths:
        below -= width
        piece = (HALF_PI >> below) - (taken >> below)
        pieces.append(piece * 2.0 ** (below - HALF_PI_BITS))
        taken += piece << below
    return pieces
