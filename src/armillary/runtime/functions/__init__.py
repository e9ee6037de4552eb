"""The operations of Programs as vectors of LLVM IR: all but arithmetic, which a `Block` has itself.

Right to 1 ulp in both precisions for every argument. Nothing branches, except that an angle too large for the straight
path of sine, cosine and tangent takes its vector through a helper function, which `Body.helpers` then holds. Functions
that robots meet seldom are written in double precision only: single precision goes through it.
"""

from collections.abc import Callable

from armillary.runtime.functions import circular, exponential, inverse, plain
from armillary.runtime.functions.circular import sin_cos
from armillary.runtime.ir import Block

__all__ = ["emit", "sin_cos"]


def _in_double(function: Callable[..., str]) -> Callable[..., str]:
    def emitted(b: Block, *args: str) -> str:
        wide = b.over("double")
        return wide.convert(function(wide, *(b.convert(a, wide) for a in args)), b)

    return emitted


_FUNCTIONS: dict[str, Callable[..., str]] = {
    "tan": _in_double(circular.tan),
    "asin": _in_double(inverse.asin),
    "acos": _in_double(inverse.acos),
    "atan": _in_double(inverse.atan),
    "atan2": _in_double(inverse.atan2),
    "sqrt": plain.sqrt,
    "abs": plain.absolute,
    "sign": plain.sign,
    "exp": _in_double(exponential.exp),
    "log": _in_double(exponential.log),
    "tanh": _in_double(exponential.tanh),
    "min": plain.smaller,
    "max": plain.larger,
    "less": plain.less,
    "select": plain.select,
}


def emit(b: Block, op: str, args: list[str]) -> str:
    """The value of an operation with one result that is neither arithmetic nor a sine or cosine."""
    return _FUNCTIONS[op](b, *args)
