"""How a language writes operations and numbers: one rule an operation, with just the parentheses that keep the grouping.

Floating-point sums and products depend on how they are grouped, not on which operand comes first: (a + b) + c needs no
parentheses, and a + (b + c) is written b + c + a.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from armillary.expr.numbers import Number
from armillary.expr.ops import OPS

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
    """A piece of text that holds together at `level`; `opposite` is the text of -x, a product, where x has its sign in front."""

    text: str
    level: int = ATOM
    opposite: str = ""

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
        if op == "add" and operands[1].opposite:
            op, operands = "sub", [operands[0], Text(operands[1].opposite, PRODUCT)]
        rule = self.rules[op]
        if is_better_swapped(op, rule, [x.level for x in operands]):
            operands = operands[::-1]
        texts = [x.at(level, self.brackets) for x, level in zip(operands, rule.needs, strict=False)]
        return Text(rule.form.format(*texts), rule.level, texts[0] if op == "neg" else "")


def is_better_swapped(op: str, rule: Rule, levels: Sequence[int]) -> bool:
    """Whether the operands of a commuting operation need fewer parentheses in the other order; the value is the same."""
    if op not in OPS or not OPS[op].commutes:
        return False
    (a, b), (first, second) = levels, rule.needs[:2]
    return (a < first) + (b < second) > (b < first) + (a < second)


def number_text(text: str, level: int = ATOM) -> Text:
    """A number already written, which holds together at `level` but for its sign."""
    return Text(text, SUM, text[1:]) if text.startswith("-") else Text(text, level)


ARITHMETIC: dict[str, Rule] = {
    "add": Rule("{} + {}", SUM, (SUM, PRODUCT)),
    "sub": Rule("{} - {}", SUM, (SUM, PRODUCT)),
    "mul": Rule("{}*{}", PRODUCT, (PRODUCT, ATOM)),
    "div": Rule("{}/{}", PRODUCT, (PRODUCT, ATOM)),
    "neg": Rule("-{}", SUM, (PRODUCT,)),
}
"""Arithmetic as C, Python and MATLAB write it alike. -a*b is (-a)*b to them and -(a*b) to us: the same number."""
