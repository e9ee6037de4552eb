"""Formulas as mathematicians write them: sums of products, without brackets that associativity makes needless.

A formula is a sum of terms; a term has a sign, a number, and factors above and below a fraction bar. Regrouping changes
rounding, which is no matter on paper.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeGuard

from armillary.expr import numbers
from armillary.expr.numbers import Number, PiMultiple
from armillary.targets.latex.symbols import width
from armillary.targets.schedule import Operation

OPERATOR = 2.4
"""How wide a plus or minus between terms is, in digits."""


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of text that is not broken; `depth` counts the brackets around a place where a line may end before it."""

    tex: str
    width: float
    depth: int | None = None


@dataclass(frozen=True, slots=True)
class Factor:
    """A symbol, a function or a sum in brackets; `rank` orders the factors of a product."""

    tokens: tuple[Token, ...]
    rank: tuple[int, int] = (7, 0)
    bare: bool = True
    """Whether an exponent can stand at it without brackets."""
    word: str = ""
    """The word of a function behind which an exponent stands."""

    @property
    def tex(self) -> str:
        return joined(self.tokens)

    @property
    def width(self) -> float:
        return sum(t.width for t in self.tokens)


@dataclass(frozen=True, slots=True)
class Term:
    """± number · over / under."""

    number: Number = 1
    negative: bool = False
    over: tuple[Factor, ...] = ()
    under: tuple[Factor, ...] = ()


Sum = tuple[Term, ...]


def joined(tokens: Sequence[Token]) -> str:
    """The text on one line."""
    return "".join(t.tex for t in tokens)


def constant(value: Number) -> Sum:
    """A number."""
    negative = numbers.is_negative(value)
    return (Term(numbers.negative(value) if negative else value, negative),)


def symbol(tex: str, rank: tuple[int, int]) -> Sum:
    """A symbol."""
    return (Term(over=(Factor((Token(tex, width(tex)),), rank, "^" not in tex),)),)


class Writer:
    """Writes values: those in `symbols` by their symbol, all else by the operations that were folded into their place."""

    def __init__(self, symbols: Mapping[int, Sum], folded: Mapping[int, Operation], digits: int) -> None:
        self.symbols = symbols
        self.folded = folded
        self.digits = digits

    def value(self, value: int) -> Sum:
        """The formula of a value."""
        return self.symbols[value] if value in self.symbols else self.operation(self.folded[value])

    def operation(self, x: Operation) -> Sum:
        """The formula of an operation."""
        if x.op == "select":
            return (Term(over=(self._cases(x),)),)
        operands = [self.value(a) for a in x.args]
        match x.op:
            case "add":
                return like((*operands[0], *operands[1]))
            case "sub":
                return like((*operands[0], *negated(operands[1])))
            case "neg":
                return negated(operands[0])
            case "mul":
                return self.product(*operands)
            case "div":
                return self.quotient(*operands)
            case _:
                return (Term(over=(self._function(x.op, operands),)),)

    # ---- arithmetic ----

    def product(self, a: Sum, b: Sum) -> Sum:
        """a b."""
        s, t = self.single(a), self.single(b)
        number = numbers.multiply(s.number, t.number)
        return (Term(number, s.negative != t.negative, s.over + t.over, s.under + t.under),)

    def quotient(self, a: Sum, b: Sum) -> Sum:
        """a / b."""
        s, t = self.single(a), self.single(b)
        below = Factor(self._number(t.number), (0, 0)) if isinstance(t.number, float | PiMultiple) else None
        number = s.number if below else numbers.divide(s.number, t.number)
        under = (*([below] if below else []), *s.under, *t.over)
        return (Term(number, s.negative != t.negative, s.over + t.under, under),)

    def single(self, a: Sum) -> Term:
        """A formula as one term, a sum in brackets."""
        return a[0] if len(a) == 1 else Term(over=(self.brackets(a),))

    def brackets(self, a: Sum) -> Factor:
        """(a): larger brackets around brackets."""
        tokens = self.tokens(a, 1)
        inside = joined(tokens)
        if r"\frac" in inside or r"\begin" in inside:
            return Factor((Token(rf"\left({inside}\right)", sum(t.width for t in tokens) + 2),), _BRACKETS)
        size = r"\Bigl \Bigr" if r"\bigl(" in inside else r"\bigl \bigr" if "(" in inside else " "
        left, right = size.split(" ")
        return Factor((Token(f"{left}(", 1), *tokens, Token(f"{right})", 1)), _BRACKETS)

    # ---- text ----

    def tokens(self, a: Sum, depth: int = 0) -> list[Token]:
        """The text of a sum; a term without a minus sign comes first where there is one."""
        terms = sorted(a, key=lambda term: term.negative) if a[0].negative else list(a)
        if a[0].negative:
            first = next((t for t in a if not t.negative), a[0])
            place = next(k for k, t in enumerate(a) if t is first)
            terms = [first, *a[:place], *a[place + 1 :]]
        written: list[Token] = []
        for k, term in enumerate(terms):
            sign = "-" if term.negative else "+"
            if k:
                written.append(Token(f" {sign} ", OPERATOR, depth))
            elif term.negative:
                written.append(Token("-", 1.5))
            inner = self.term(term)
            written += [replace(t, depth=t.depth + depth) if t.depth is not None else t for t in inner]
        return written

    def term(self, term: Term) -> list[Token]:
        """A product or a fraction, its sign left out."""
        if not term.under:
            return self._product(term.number, term.over)
        number, below = term.number, 1
        if _is_quotient(number):
            number, below = number.numerator, number.denominator
        above = self._product(number, term.over)
        under = self._product(below, term.under)
        wide = max(sum(t.width for t in above), sum(t.width for t in under)) + 1
        return [Token(rf"\frac{{{joined(_unbracketed(above))}}}{{{joined(_unbracketed(under))}}}", wide)]

    def _product(self, number: Number, factors: Sequence[Factor]) -> list[Token]:
        """A number and factors, equal ones as powers."""
        powers: dict[str, tuple[Factor, int]] = {}
        for factor in factors:
            _, n = powers.get(factor.tex, (factor, 0))
            powers[factor.tex] = (factor, n + 1)
        parts: list[Sequence[Token]] = []
        if number != 1 or not factors:
            parts.append(self._number(number))
        for factor, n in sorted(powers.values(), key=lambda pair: pair[0].rank):
            tokens = factor.tokens
            if n > 1 and factor.word:
                text = f"{factor.word}^{{{n}}}{factor.tex.removeprefix(factor.word)}"
                tokens = (Token(text, factor.width + 0.7),)
            elif n > 1:
                tokens = tokens if factor.bare else (Token("(", 1), *tokens, Token(")", 1))
                tokens = (*tokens, Token(f"^{{{n}}}", 0.7))
            parts.append(tokens)
        written: list[Token] = []
        for k, part in enumerate(parts):
            written += [*([_SPACE] if k else []), *part]
        return written

    def _number(self, value: Number) -> tuple[Token, ...]:
        text, wide = self.number(value)
        return (Token(text, wide),)

    def number(self, value: Number) -> tuple[str, float]:
        """A number that is not negative: 2, 0.25, 1/3, a multiple of pi, 1.5·10⁻⁷, in at most so many digits."""
        if isinstance(value, PiMultiple):
            n, d = value.ratio.numerator, value.ratio.denominator
            above = r"\pi" if n == 1 else rf"{n} \pi"
            return (above, len(str(n)) + 1.0) if d == 1 else (rf"\tfrac{{{above}}}{{{d}}}", len(str(n)) + 1.0)
        if _is_quotient(value):
            n, d = value.numerator, value.denominator
            return rf"\tfrac{{{n}}}{{{d}}}", 0.8 * len(str(max(n, d)))
        if isinstance(value, int):
            return str(value), float(len(str(value)))
        mantissa, _, exponent = repr(float(f"{float(value):.{self.digits}g}")).partition("e")
        mantissa = mantissa.removesuffix(".0")
        if not exponent:
            return mantissa, float(len(mantissa))
        power = f"10^{{{int(exponent)}}}"
        return (power, 4.0) if mantissa == "1" else (rf"{mantissa} \cdot {power}", len(mantissa) + 6.0)

    # ---- functions ----

    def _function(self, op: str, operands: Sequence[Sum]) -> Factor:
        inner = [self.tokens(a) for a in operands]
        texts = [joined(tokens) for tokens in inner]
        wide = sum(t.width for tokens in inner for t in tokens)
        if op in _WORDS:
            alone = len(operands) == 1 and len(operands[0]) == 1 and not operands[0][0].negative and len(inner[0]) == 1
            left, right = (r"\left(", r"\right)") if r"\frac" in "".join(texts) else ("(", ")")
            text = f" {texts[0]}" if alone else f"{left}{', '.join(texts)}{right}"
            word = _WORDS[op] if op in _POWERS else ""
            return Factor((Token(_WORDS[op] + text, wide + len(op) + 1),), bare=False, word=word)
        form, extra = _FORMS[op]
        return Factor((Token(form.format(*texts), wide + extra),), bare=op in ("abs", "less"))

    def _cases(self, x: Operation) -> Factor:
        """a where the condition holds, b elsewhere."""
        condition, yes, no = x.args
        inner = self.folded.get(condition) if condition not in self.symbols else None
        if inner is not None and inner.op == "less":
            test = " < ".join(joined(self.tokens(self.value(a))) for a in inner.args)
        else:
            test = joined(self.tokens(self.value(condition))) + r" \neq 0"
        rows = [joined(self.tokens(self.value(a))) for a in (yes, no)]
        text = rf"\begin{{cases}} {rows[0]} & \text{{if }} {test} \\ {rows[1]} & \text{{otherwise}} \end{{cases}}"
        return Factor((Token(text, max(width(row) for row in rows) + width(test) + 6),), bare=False)


def _is_quotient(value: Number) -> TypeGuard[Fraction]:
    """Whether a number is written as a quotient and not as a decimal: 1/3, and 1/2."""
    return isinstance(value, Fraction) and (
        "/" in numbers.text(value) or (value.denominator == 2 and value.numerator < 10)
    )


_BRACKETS = (5, 0)
"""The rank of a sum in brackets: after symbols, before what moves."""

_SPACE = Token(r"\,", 0.3)


def _unbracketed(tokens: Sequence[Token]) -> Sequence[Token]:
    """Without brackets around the whole, which a fraction bar makes needless."""
    if len(tokens) < 3 or tokens[0].tex[-1:] != "(" or tokens[-1].tex[-1:] != ")":
        return tokens
    level = 0
    for k, t in enumerate(tokens):
        level += (t.tex in _OPENING) - (t.tex in _CLOSING)
        if level == 0 and k < len(tokens) - 1:
            return tokens
    return tokens[1:-1]


_OPENING = ("(", r"\bigl(", r"\Bigl(")
_CLOSING = (")", r"\bigr)", r"\Bigr)")


def negated(a: Sum) -> Sum:
    """-a."""
    return tuple(replace(term, negative=not term.negative) for term in a)


def like(a: Sum) -> Sum:
    """The sum with terms that differ in their numbers only made one, t + 2 x + t into 2 t + 2 x."""
    found: dict[tuple[tuple[str, ...], tuple[str, ...]], Term] = {}
    for term in a:
        key = tuple(sorted(f.tex for f in term.over)), tuple(sorted(f.tex for f in term.under))
        if key in found:
            number = numbers.add(_signed(found[key]), _signed(term))
            negative = numbers.is_negative(number)
            term = replace(found[key], number=numbers.negative(number) if negative else number, negative=negative)
        found[key] = term
    return tuple(term for term in found.values() if term.number != 0) or constant(0)


def _signed(term: Term) -> Number:
    return numbers.negative(term.number) if term.negative else term.number


_WORDS = {op: rf"\{op}" for op in ("sin", "cos", "tan", "tanh", "min", "max")}
_WORDS |= {"asin": r"\arcsin", "acos": r"\arccos", "atan": r"\arctan", "log": r"\ln"}
_WORDS |= {"atan2": r"\operatorname{atan2}", "sign": r"\operatorname{sgn}"}

_POWERS = ("sin", "cos", "tan", "tanh")
"""Functions whose powers are written sin² x."""

_FORMS = {
    "sqrt": (r"\sqrt{{{}}}", 1.5),
    "abs": (r"\lvert {} \rvert", 1.0),
    "exp": (r"e^{{{}}}", 1.0),
    "less": (r"[{} < {}]", 4.0),
}
"""[a < b] is 1 where the comparison holds and 0 elsewhere."""
