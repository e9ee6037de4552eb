"""C99: its operations, numbers, reserved words, and the helper functions that some operations need."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import isfinite, isnan

import numpy as np

from armillary.errors import TargetError
from armillary.expr.numbers import Number, PiMultiple, text
from armillary.expr.ops import SOLVE
from armillary.targets.names import FUNCTIONS
from armillary.targets.notation import ARITHMETIC, ATOM, PRODUCT, SUM, Notation, Rule, Text, number_text

CALLS = {"sin": "sin", "cos": "cos", "tan": "tan", "asin": "asin", "acos": "acos", "atan": "atan", "sqrt": "sqrt"}
CALLS |= {"abs": "fabs", "exp": "exp", "log": "log", "tanh": "tanh", "atan2": "atan2"}
_TWO = ("atan2",)

_HELPERS = {
    "sign": """\
/* -1, 0 or 1; NaN of NaN */
static {real} signum({real} x)
{{
    return x > {zero} ? {one} : x < {zero} ? -{one} : x == {zero} ? {zero} : x;
}}
""",
    "min": """\
/* The smaller; NaN if either is. */
static {real} smaller({real} a, {real} b)
{{
    return a < b || a != a ? a : b;
}}
""",
    "max": """\
/* The larger; NaN if either is. */
static {real} larger({real} a, {real} b)
{{
    return a > b || a != a ? a : b;
}}
""",
    SOLVE: """\
/*
 * Solve A X = B by Gaussian elimination with row pivoting. A is n x n and B is n x m, both by rows;
 * A is destroyed, B becomes X. A singular A gives NaN.
 */
static void solve({real} *restrict A, {real} *restrict B, int n, int m)
{{
    for (int k = 0; k < n; k++) {{
        int pivot = k;
        for (int i = k + 1; i < n; i++) {{
            if ({abs}(A[i*n + k]) > {abs}(A[pivot*n + k])) {{
                pivot = i;
            }}
        }}
        for (int j = k; j < n && pivot != k; j++) {{
            const {real} kept = A[k*n + j];
            A[k*n + j] = A[pivot*n + j];
            A[pivot*n + j] = kept;
        }}
        for (int j = 0; j < m && pivot != k; j++) {{
            const {real} kept = B[k*m + j];
            B[k*m + j] = B[pivot*m + j];
            B[pivot*m + j] = kept;
        }}
        const {real} reciprocal = A[k*n + k] != {zero} ? {one}/A[k*n + k] : ({real})NAN;
        for (int i = k + 1; i < n; i++) {{
            const {real} factor = A[i*n + k]*reciprocal;
            for (int j = k + 1; j < n; j++) {{
                A[i*n + j] -= factor*A[k*n + j];
            }}
            for (int j = 0; j < m; j++) {{
                B[i*m + j] -= factor*B[k*m + j];
            }}
        }}
        A[k*n + k] = reciprocal;
    }}
    for (int i = n - 1; i >= 0; i--) {{
        for (int j = 0; j < m; j++) {{
            for (int k = i + 1; k < n; k++) {{
                B[i*m + j] -= A[i*n + k]*B[k*m + j];
            }}
            B[i*m + j] *= A[i*n + i];
        }}
    }}
}}
""",
}
"""C functions that operations call, by operation; doubled braces are braces."""

RESERVED = frozenset(
    """auto break case char const continue default do double else enum extern float for goto if inline int long
    register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
    alignas alignof and and_eq asm bitand bitor bool catch char8_t char16_t char32_t class co_await co_return
    co_yield compl concept const_cast consteval constexpr constinit decltype delete dynamic_cast explicit export
    false friend mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public
    reinterpret_cast requires static_assert static_cast template this thread_local throw true try typeid typename
    using virtual wchar_t xor xor_eq main errno signgam near far linux unix assert complex imaginary stdin stdout
    stderr clock printf NULL EOF NAN INFINITY HUGE_VAL I DOMAIN SING OVERFLOW UNDERFLOW PLOSS TLOSS MAXFLOAT HUGE
    BUFSIZ CLOCKS_PER_SEC RAND_MAX M_E M_LOG2E M_LOG10E M_LN2 M_LN10 M_PI M_PI_2 M_PI_4 M_1_PI M_2_PI M_2_SQRTPI
    M_SQRT2 M_SQRT1_2 signum smaller larger solve""".split()
    + [name + suffix for name in (*FUNCTIONS, "fabs") for suffix in ("", "f")]
)
"""Words of C, and of C++ because headers are read by both; what <math.h> may define as a macro; what this target defines."""

_MATHEMATICS = """acos asin atan atan2 cos sin tan acosh asinh atanh cosh sinh tanh exp exp2 expm1 frexp ilogb ldexp log log10
    log1p log2 logb modf scalbn scalbln cbrt fabs hypot pow sqrt erf erfc lgamma tgamma ceil floor nearbyint rint
    lrint llrint round lround llround trunc fmod remainder remquo copysign nan nextafter nexttoward fdim fmax fmin
    fma cabs carg cimag conj cproj creal gamma j0 j1 jn y0 y1 yn drem significand finite pow10 exp10 sincos""".split()

LIBRARY = frozenset(
    """abort abs atexit atof atoi atol atoll bsearch calloc div exit free getenv labs ldiv llabs lldiv malloc mblen
    mbstowcs mbtowc qsort rand realloc srand strtod strtof strtol strtold strtoll strtoul strtoull system wcstombs
    wctomb memchr memcmp memcpy memmove memset strcat strchr strcmp strcoll strcpy strcspn strerror strlen strncat
    strncmp strncpy strpbrk strrchr strspn strstr strtok strxfrm index rindex bcmp bcopy bzero ffs stpcpy strdup
    alloca clearerr fclose feof ferror fflush fgetc fgetpos fgets fopen fprintf fputc fputs fread freopen fscanf
    fseek fsetpos ftell fwrite getc getchar gets perror printf putc putchar puts remove rename rewind scanf setbuf
    setvbuf snprintf sprintf sscanf tmpfile tmpnam ungetc vfprintf vfscanf vprintf vscanf vsnprintf vsprintf
    vsscanf isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit
    tolower toupper asctime clock ctime difftime gmtime localtime mktime strftime time raise signal longjmp setjmp
    close connect link open pause pipe read send sleep select stat sync unlink wait write""".split()
    + [name + suffix for name in _MATHEMATICS for suffix in ("", "f", "l")]
)
"""Functions of the C library, and of the systems around it, that no function here may replace."""


@dataclass(frozen=True)
class Precision:
    """The C of one floating-point type: `double` or `float`."""

    real: str

    @property
    def suffix(self) -> str:
        return "f" if self.real == "float" else ""

    @cached_property
    def notation(self) -> Notation:
        """The rules of C for this type."""
        zero, one = f"0.0{self.suffix}", f"1.0{self.suffix}"
        rules = {
            **ARITHMETIC,
            **{op: Rule(f"{name}{self.suffix}({'{}, {}' if op in _TWO else '{}'})") for op, name in CALLS.items()},
            "sign": Rule("signum({})"),
            "min": Rule("smaller({}, {})"),
            "max": Rule("larger({}, {})"),
            "less": Rule(f"({{}} < {{}} ? {one} : {zero})", ATOM, (SUM, SUM)),
            "select": Rule(f"({{}} != {zero} ? {{}} : {{}})", ATOM, (SUM, SUM, SUM)),
            "select_less": Rule("({} < {} ? {} : {})", ATOM, (SUM, SUM, SUM, SUM)),
        }
        return Notation(rules, self.number)

    def number(self, value: Number) -> Text:
        """The number, to the last bit of this type; a fraction that is no decimal as a quotient."""
        if isinstance(value, Fraction) and "/" in text(value) and self._exact(value.numerator, value.denominator):
            return number_text(f"{value.numerator}.0{self.suffix}/{value.denominator}.0{self.suffix}", PRODUCT)
        comment = f" /* {value} */" if isinstance(value, PiMultiple) else ""
        return number_text(self.decimal(float(value)) + comment)

    def decimal(self, value: float) -> str:
        """The shortest decimal that is read back as the same number; what is none by its macro."""
        if not isfinite(value):
            name = "NAN" if isnan(value) else "INFINITY"
            return f"{'-' if value < 0 else ''}({self.real}){name}"
        if not self.suffix:
            return repr(value)
        with np.errstate(over="ignore"):
            single = np.float32(value)
        if not np.isfinite(single):
            raise TargetError(f"the constant {value!r} is beyond the range of float; generate with dtype='double'")
        return f"{single!s}f"

    def _exact(self, *integers: int) -> bool:
        return not self.suffix or max(map(abs, integers)) < 1 << 24

    def helpers(self, ops: set[str]) -> list[str]:
        """The functions that these operations call."""
        words = {
            "real": self.real,
            "zero": f"0.0{self.suffix}",
            "one": f"1.0{self.suffix}",
            "abs": f"fabs{self.suffix}",
        }
        return [helper.format(**words) for op, helper in _HELPERS.items() if op in ops]
