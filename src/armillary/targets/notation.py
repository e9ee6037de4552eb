"""How a language writes operations and numbers: one rule an operation, with just the parentheses that keep the grouping.

Floating-point sums and products depend on how they are grouped, so a + (b + c) keeps its parentheses and (a + b) + c needs none.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from armillary.expr.numbers import Number

ANY, SUM, PRODUCT, ATOM = range(4)
"""How tightly a piece of text holds together: a conditional, a sum, a product, a name or a call."""


@dataclass(frozen=True, slots=True)
class Rule:
    """The text of one operation: a form with a place for each operand, how tightly it holds, how tightly each operand must.

    `width` is what the form adds to the width of its operands, where that is not simply its own length.
    """

    form: str
    level: int = ATOM
    needs: tuple[int, ...] = (ANY, ANY, ANY)
    width: int | None = None

    @property
    def own_width(self) -> int:
        return len(self.form.format("", "", "")) if self.width is None else self.width


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of text that holds together at `level`."""

    text: str
    level: int = ATOM

    def at(self, level: int, brackets: tuple[str, str] = ("(", ")")) -> str:
        """The text, in parentheses where it holds less tightly than asked."""
        return self.text if self.level >= level else f"{brackets[0]}{self.text}{brackets[1]}"


@dataclass(frozen=True)
class Notation:
    """The rules of one language.

    `rules["select_less"]` writes `select` of a comparison that is used nowhere else, with the operands a, b, yes, no.
    """

    rules: Mapping[str, Rule]
    number: Callable[[Number], Text]
    brackets: tuple[str, str] = ("(", ")")

    def write(self, op: str, operands: list[Text]) -> Text:
        """The operation on operands already written."""
        rule = self.rules[op]
        texts = [x.at(level, self.brackets) for x, level in zip(operands, rule.needs, strict=False)]
        return Text(rule.form.format(*texts), rule.level)


ARITHMETIC: dict[str, Rule] = {
    "add": Rule("{} + {}", SUM, (SUM, PRODUCT)),
    "sub": Rule("{} - {}", SUM, (SUM, PRODUCT)),
    "mul": Rule("{}*{}", PRODUCT, (PRODUCT, ATOM)),
    "div": Rule("{}/{}", PRODUCT, (PRODUCT, ATOM)),
    "neg": Rule("-{}", SUM, (PRODUCT,)),
}
"""Arithmetic as C, Python and MATLAB write it alike. -a*b is (-a)*b to them and -(a*b) to us: the same number."""
