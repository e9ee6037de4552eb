"""Python with NumPy: its operations, numbers, reserved words, and the function that solves systems."""

from fractions import Fraction

from armillary.expr.numbers import Number, PiMultiple, text
from armillary.targets.names import FUNCTIONS
from armillary.targets.notation import ARITHMETIC, ATOM, PRODUCT, SUM, Notation, Rule, Text, number_text

CALLS = {"sin": "sin", "cos": "cos", "tan": "tan", "asin": "arcsin", "acos": "arccos", "atan": "arctan", "sqrt": "sqrt"}
CALLS |= {"abs": "abs", "sign": "sign", "exp": "exp", "log": "log", "tanh": "tanh"}
PAIRS = {"atan2": "arctan2", "min": "minimum", "max": "maximum"}

RESERVED = FUNCTIONS | frozenset(
    """False None True and as assert async await break case class continue def del elif else except finally for from
    global if import in is lambda match nonlocal not or pass raise return try type while with yield abs bool complex
    dict dir float hash help id input int iter len list map max min next object print range round set slice str sum
    tuple vars zip np dataclass Any ArrayLike NDArray Array Real Parameters setup batch p""".split()
)
"""Words of the language, and names that mean something in the module."""

SOLVE_FUNCTIONS = '''\
def _solve(rows: list[list[Any]]) -> Array:
    """X with A X = B, from the rows of [A B]; NaN where A is singular."""
    cells = np.stack(np.broadcast_arrays(*(x for row in rows for x in row)), axis=-1)
    table = cells.reshape(*cells.shape[:-1], len(rows), -1)
    return _solution(table[..., : len(rows)], table[..., len(rows) :])


def _solution(A: Array, B: Array) -> Array:
    try:
        return np.asarray(np.linalg.solve(A, B), dtype=float)
    except np.linalg.LinAlgError:
        if A.ndim == 2:
            return np.full(B.shape, np.nan)
        return np.stack([_solution(a, b) for a, b in zip(A, B, strict=True)])
'''


def _number(value: Number) -> Text:
    """The number to its last bit; fractions that are no decimals and multiples of pi as quotients."""
    if isinstance(value, PiMultiple):
        written = str(value).replace("pi", "np.pi")
        return number_text(written, ATOM if written.endswith("np.pi") and "*" not in written else PRODUCT)
    return number_text(text(value), PRODUCT if isinstance(value, Fraction) and "/" in text(value) else ATOM)


NOTATION = Notation(
    {
        **ARITHMETIC,
        **{op: Rule(f"np.{name}({{}})") for op, name in CALLS.items()},
        **{op: Rule(f"np.{name}({{}}, {{}})") for op, name in PAIRS.items()},
        "less": Rule("np.where({} < {}, 1.0, 0.0)", ATOM, (SUM, SUM)),
        "select": Rule("np.where({} != 0, {}, {})", ATOM, (SUM, SUM, SUM)),
        "select_less": Rule("np.where({} < {}, {}, {})", ATOM, (SUM, SUM, SUM, SUM)),
    },
    _number,
)
