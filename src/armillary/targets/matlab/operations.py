"""MATLAB, as Octave runs it too: operations, numbers, reserved words, and the functions that some operations need."""

from fractions import Fraction

from armillary.expr.numbers import Number, PiMultiple, text
from armillary.expr.ops import SOLVE
from armillary.targets.names import FUNCTIONS
from armillary.targets.notation import ARITHMETIC, ATOM, PRODUCT, SUM, Notation, Rule, Text, number_text

LONGEST = 63
"""How long a name may be in MATLAB; what is beyond is cut off by it without asking."""

CALLS = ("sin", "cos", "tan", "atan", "abs", "sign", "exp", "tanh")
REAL = ("asin", "acos", "sqrt", "log")
"""Functions that MATLAB continues into the complex numbers; ours have no value there."""

RESERVED = FUNCTIONS | frozenset(
    """break case catch classdef continue else elseif end for function global if otherwise parfor persistent return spmd
    switch try while do until unwind_protect unwind_protect_cleanup end_try_catch end_unwind_protect endfor endfunction
    endif endparfor endswitch endwhile endclassdef enumeration endenumeration events endevents methods endmethods
    properties endproperties arguments endarguments import i j e pi eps Inf NaN NA inf nan ans zeros ones diag lu isreal
    double struct size error any all smaller larger choose real_or_nan solve_or_nan nargin nargout varargin varargout
    true false clear close ls""".split()
)
"""Words of both languages, and names that mean something in the generated files."""

_HELPERS = {
    "min": """\
function x = smaller(a, b)
% The smaller; NaN if either is.
if a < b || a ~= a
    x = a;
else
    x = b;
end
end
""",
    "max": """\
function x = larger(a, b)
% The larger; NaN if either is.
if a > b || a ~= a
    x = a;
else
    x = b;
end
end
""",
    "select": """\
function x = choose(condition, a, b)
% a where the condition holds, b elsewhere.
if condition
    x = a;
else
    x = b;
end
end
""",
    "real": """\
function x = real_or_nan(x)
% x, but NaN where a function has left the real numbers.
if ~isreal(x)
    x = NaN;
end
end
""",
    SOLVE: """\
function X = solve_or_nan(A, B)
% X with A*X = B by elimination with row pivoting; NaN where A is singular.
[L, U, P] = lu(A);
if all(diag(U) ~= 0)
    X = U \\ (L \\ (P*B));
else
    X = NaN(size(B));
end
end
""",
}


def helpers(ops: set[str]) -> list[str]:
    """The functions that these operations call, each followed by an empty line."""
    needed = ops | ({"real"} if ops & set(REAL) else set[str]())
    return [line for op, text in _HELPERS.items() if op in needed for line in text.split("\n")]


def _number(value: Number) -> Text:
    """The number to its last bit; fractions that are no decimals and multiples of pi as quotients."""
    written = text(value)
    quotient = isinstance(value, Fraction | PiMultiple) and any(c in written for c in "*/")
    return number_text(written, PRODUCT if quotient else ATOM)


NOTATION = Notation(
    {
        **ARITHMETIC,
        **{op: Rule(f"{op}({{}})") for op in CALLS},
        **{op: Rule(f"real_or_nan({op}({{}}))") for op in REAL},
        "atan2": Rule("atan2({}, {})"),
        "min": Rule("smaller({}, {})"),
        "max": Rule("larger({}, {})"),
        "less": Rule("double({} < {})", ATOM, (SUM, SUM)),
        "select": Rule("choose({} ~= 0, {}, {})", ATOM, (SUM, SUM, SUM)),
        "select_less": Rule("choose({} < {}, {}, {})", ATOM, (SUM, SUM, SUM, SUM)),
    },
    _number,
)
