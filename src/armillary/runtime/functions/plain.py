"""Operations that a machine has: roots, signs, comparisons. They mean what NumPy's do, NaN and the sign of zero included."""

from armillary.runtime.ir import Block


def sqrt(b: Block, x: str) -> str:
    """The root, correctly rounded; -0 of -0, NaN below."""
    return b.sqrt(x)


def absolute(b: Block, x: str) -> str:
    """x without its sign."""
    return b.abs(x)


def sign(b: Block, x: str) -> str:
    """-1, 0 or 1: +0 of both zeros, NaN of NaN."""
    zero = b.constant(0.0)
    unit = b.copysign(b.constant(1.0), x)
    size = b.select(b.compare("oeq", x, zero), zero, unit)
    return b.select(b.compare("uno", x, zero), x, size)


def smaller(b: Block, x: str, y: str) -> str:
    """min(x, y): y where they are equal, NaN where one of them is."""
    return b.select(b.compare("uno", x, x), x, b.select(b.compare("olt", x, y), x, y))


def larger(b: Block, x: str, y: str) -> str:
    """max(x, y): y where they are equal, NaN where one of them is."""
    return b.select(b.compare("uno", x, x), x, b.select(b.compare("ogt", x, y), x, y))


def less(b: Block, x: str, y: str) -> str:
    """1 where x < y, else 0."""
    return b.select(b.compare("olt", x, y), b.constant(1.0), b.constant(0.0))


def select(b: Block, condition: str, yes: str, no: str) -> str:
    """`yes` where the condition is not 0, which NaN is not; else `no`."""
    return b.select(b.compare("une", condition, b.constant(0.0)), yes, no)
