"""Formulas as text, read by a small parser of our own: nothing in the text is ever run.

    sum      := product (("+" | "-") product)*
    product  := signed (("*" | "/") signed)*
    signed   := ("+" | "-") signed | power
    power    := operand (("**" | "^") signed)?
    operand  := number | name | function "(" sum ("," sum)* ")" | "(" sum ")"

Names are symbols, whatever they are called, but for `pi` and for what is no number (`nan`, `inf`); functions are those
of the op table. Decimals are the nearest double, 1/3 and pi/2 stay exact (see `numbers`).
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from armillary.errors import ExpressionError
from armillary.expr import arithmetic, numbers
from armillary.expr.graph import Expr, Graph
from armillary.expr.numbers import Number
from armillary.expr.ops import OPS

MAX_LENGTH = 10_000
"""Characters in a formula."""

MAX_DEPTH = 60
"""Levels of parentheses, calls and powers within each other."""

PI_NAMES: Mapping[str, Number] = {"pi": numbers.PI, "Pi": numbers.PI}
"""The names that are constants unless the caller says otherwise."""

NOT_NUMBERS = ("nan", "inf", "infinity", "oo", "zoo")
"""Words that other programs write for what is no number; never symbols, in any case of letters."""

FUNCTIONS = {name: op.arity for name, op in OPS.items() if name not in ("add", "sub", "mul", "div", "neg")}
"""What can be called in a formula, and with how many arguments."""

_TOKEN = re.compile(
    r"(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z_][A-Za-z0-9_]*)|(?P<sign>\*\*|[-+*/^(),])",
    re.ASCII,
)
_PRECEDENCE = {"+": 1, "-": 1, "*": 2, "/": 2, "**": 3, "^": 3}
_OPS = {"+": "add", "-": "sub", "*": "mul", "/": "div"}
_SIGN_PRECEDENCE = 3
_AROUND = 20


class _Token(NamedTuple):
    kind: str
    text: str
    start: int


def parse(text: str, graph: Graph | None = None, constants: Mapping[str, Number] = PI_NAMES) -> Expr:
    """The expression that `text` says, in `graph` or one of its own; `constants` are the names with a fixed value."""
    return _Parser(text, Graph() if graph is None else graph, constants).whole()


class _Parser:
    """One pass over the tokens of one text, by precedence climbing."""

    def __init__(self, text: str, graph: Graph, constants: Mapping[str, Number]) -> None:
        if len(text) > MAX_LENGTH:
            raise ExpressionError(
                f"a formula of {len(text):,} characters, beginning {text[:_AROUND]!r}; at most {MAX_LENGTH:,} are read"
            )
        self.text = text
        self.graph = graph
        self.constants = constants
        self.depth = 0
        self.position = 0
        self.token = self._next()

    def whole(self) -> Expr:
        value = self._binary(1)
        if self.token.kind != "end":
            raise self._error(self.token, "an operator or the end")
        return value

    def _next(self) -> _Token:
        """The token at the position, which moves behind it."""
        while self.position < len(self.text) and self.text[self.position].isspace():
            self.position += 1
        start = self.position
        if start == len(self.text):
            return _Token("end", "", start)
        match = _TOKEN.match(self.text, start)
        if match is None:
            raise self._error(_Token("sign", self.text[start], start), "a number, a name, an operator or a parenthesis")
        self.position = match.end()
        return _Token(str(match.lastgroup), match.group(), start)

    def _advance(self) -> _Token:
        """The current token; the one after it becomes current."""
        token, self.token = self.token, self._next()
        return token

    def _binary(self, lowest: int) -> Expr:
        """Operands joined by operators of at least the precedence `lowest`."""
        start = self.token
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self._error(start, f"at most {MAX_DEPTH} levels of nesting")
        value = self._signed()
        while self.token.kind == "sign" and _PRECEDENCE.get(self.token.text, 0) >= lowest:
            operator = self._advance()
            if operator.text in ("**", "^"):
                value = self._power(operator, value, self._binary(_SIGN_PRECEDENCE))
            else:
                value = self._apply(operator, _OPS[operator.text], value, self._binary(_PRECEDENCE[operator.text] + 1))
        self.depth -= 1
        return value

    def _signed(self) -> Expr:
        """Signs bind less tightly than powers: -x**2 is -(x**2)."""
        negative = False
        signed = False
        while self.token.text in ("+", "-"):
            signed = True
            negative ^= self._advance().text == "-"
        value = self._binary(_SIGN_PRECEDENCE) if signed else self._operand()
        return -value if negative else value

    def _operand(self) -> Expr:
        token = self._advance()
        if token.kind == "number":
            return self._number(token)
        if token.kind == "name":
            if self.token.text == "(":
                return self._call(token)
            if token.text in FUNCTIONS:
                raise self._error(self.token, f"'(' after the function {token.text}")
            if token.text.lower() in NOT_NUMBERS:
                raise ExpressionError(
                    f"{self._place(token)}: {token.text} is not a number; allowed are finite numbers and symbols"
                )
            value = self.constants.get(token.text)
            return self.graph.symbol(token.text) if value is None else self.graph.const(value)
        if token.text == "(":
            value = self._binary(1)
            self._expect(")", "an operator or ')'")
            return value
        raise self._error(token, "a number, a name, a function or '('")

    def _number(self, token: _Token) -> Expr:
        try:
            return self.graph.const(int(token.text) if token.text.isdigit() else float(token.text))
        except (ExpressionError, ValueError):
            raise self._error(token, "a number that fits in a double, at most 1.8e308") from None

    def _call(self, name: _Token) -> Expr:
        arity = FUNCTIONS.get(name.text)
        if arity is None:
            raise self._error(name, f"one of the functions {', '.join(FUNCTIONS)}")
        self._advance()
        args = [self._binary(1)]
        while len(args) < arity:
            self._expect(",", f"an operator or ',' ({name.text} takes {arity} arguments)")
            args.append(self._binary(1))
        self._expect(")", f"an operator or ')' ({name.text} takes {arity} argument{'s' * (arity > 1)})")
        return self._apply(name, name.text, *args)

    def _power(self, operator: _Token, base: Expr, exponent: Expr) -> Expr:
        if exponent.const is None:
            raise self._error(operator, "a number as power; write exp(y*log(x)) for others")
        try:
            return arithmetic.power(self.graph, base, exponent.const)
        except ExpressionError as error:
            raise self._failure(operator, error) from None

    def _apply(self, where: _Token, op: str, *args: Expr) -> Expr:
        try:
            return self.graph.apply(op, *args)
        except ExpressionError as error:
            raise self._failure(where, error) from None

    def _expect(self, text: str, wanted: str) -> None:
        if self.token.text != text:
            raise self._error(self.token, wanted)
        self._advance()

    def _error(self, token: _Token, wanted: str) -> ExpressionError:
        found = repr(_shortened(token.text)) if token.text else "the end"
        return ExpressionError(f"{self._place(token)}: expected {wanted}, found {found}")

    def _failure(self, token: _Token, error: ExpressionError) -> ExpressionError:
        return ExpressionError(f"{self._place(token)}: {error}")

    def _place(self, token: _Token) -> str:
        """The column, and the text around it."""
        begin, end = max(0, token.start - _AROUND), token.start + min(len(token.text), _AROUND) + _AROUND
        around = f"{'…' * (begin > 0)}{self.text[begin:end]}{'…' * (end < len(self.text))}"
        return f"formula {around!r}, column {token.start + 1}"


def _shortened(text: str) -> str:
    return text if len(text) <= _AROUND else f"{text[:_AROUND]}…"
