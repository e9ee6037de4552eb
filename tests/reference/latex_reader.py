"""The value of formulas in LaTeX, read as a person reads them: an independent check of what the LaTeX target writes."""

import math
import re
from collections.abc import Callable, Mapping

_SIZES = re.compile(r"\\(?:left|right|bigl|bigr|Bigl|Bigr)(?=[()])")
_FUNCTIONS: dict[str, Callable[..., float]] = {
    r"\sin": math.sin,
    r"\cos": math.cos,
    r"\tanh": math.tanh,
    r"\tan": math.tan,
    r"\arcsin": math.asin,
    r"\arccos": math.acos,
    r"\arctan": math.atan,
    r"\ln": math.log,
    r"\min": min,
    r"\max": max,
    r"\operatorname{atan2}": math.atan2,
    r"\operatorname{sgn}": lambda x: (x > 0) - (x < 0),
}


class Reader:
    """Reads one formula from left to right; `known` has the values of symbols by their LaTeX."""

    def __init__(self, text: str, known: Mapping[str, float]) -> None:
        self.text = _SIZES.sub("", text).replace(r"\,", " ")
        self.known = known
        self.symbols = sorted(known, key=len, reverse=True)
        self.place = 0

    def value(self) -> float:
        """The value of the whole formula."""
        result = self.sum()
        assert self.rest() == "", f"{self.rest()!r} was not read in {self.text!r}"
        return result

    def rest(self) -> str:
        return self.text[self.place :].strip()

    def take(self, word: str) -> bool:
        """Whether the word comes next; then it is read."""
        while self.text[self.place : self.place + 1] == " ":
            self.place += 1
        if self.text.startswith(word, self.place):
            self.place += len(word)
            return True
        return False

    def expect(self, word: str) -> None:
        assert self.take(word), f"{word!r} expected at {self.rest()!r}"

    def sum(self) -> float:
        total = -self.product() if self.take("-") else self.product()
        while True:
            if self.take("+"):
                total += self.product()
            elif self.take("-"):
                total -= self.product()
            else:
                return total

    def product(self) -> float:
        result = self.power()
        while self.rest() and not self.rest().startswith(
            ("+", "-", ")", "}", "]", "<", ",", "&", "\\rvert", "\\\\", "\\neq", "\\end")
        ):
            self.take(r"\cdot")
            result *= self.power()
        return result

    def power(self) -> float:
        base = self.factor()
        return base ** self.group() if self.take("^") else base

    def group(self) -> float:
        self.expect("{")
        result = self.sum()
        self.expect("}")
        return result

    def factor(self) -> float:
        for symbol in self.symbols:
            if self.take(symbol):
                return self.known[symbol]
        number = re.match(r"\s*(\d+\.?\d*)", self.text[self.place :])
        if number:
            self.place += len(number[0])
            return float(number[1])
        if self.take("("):
            return self.ended(")")
        if self.take(r"\frac") or self.take(r"\tfrac"):
            return self.group() / self.group()
        if self.take(r"\sqrt"):
            return math.sqrt(self.group())
        if self.take(r"\lvert"):
            return abs(self.ended(r"\rvert"))
        if self.take("e^"):
            return math.exp(self.group())
        if self.take(r"\pi"):
            return math.pi
        if self.take("["):
            a = self.sum()
            self.expect("<")
            return float(a < self.ended("]"))
        if self.take(r"\begin{cases}"):
            return self.cases()
        for name, function in _FUNCTIONS.items():
            if self.take(name):
                power = self.group() if self.take("^") else 1
                return float(function(*self.arguments())) ** power
        raise AssertionError(f"cannot read {self.rest()!r}")

    def ended(self, word: str) -> float:
        result = self.sum()
        self.expect(word)
        return result

    def arguments(self) -> list[float]:
        if not self.take("("):
            return [self.factor()]
        values = [self.sum()]
        while self.take(","):
            values.append(self.sum())
        self.expect(")")
        return values

    def cases(self) -> float:
        yes = self.sum()
        self.expect(r"& \text{if }")
        a = self.sum()
        holds = a < self.sum() if self.take("<") else a != 0
        self.take(r"\neq 0")
        self.expect(r"\\")
        no = self.sum()
        self.expect(r"& \text{otherwise} \end{cases}")
        return yes if holds else no


def rows_of(pmatrix: str) -> list[list[str]]:
    """The cells of a matrix."""
    inner = pmatrix.strip().removeprefix(r"\begin{pmatrix}").removesuffix(r"\end{pmatrix}")
    return [[cell.strip() for cell in row.split("&")] for row in inner.split(r"\\")]
