"""How closed forms are written: as text that our parser reads, and as LaTeX."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from armillary.expr import numbers
from armillary.expr.graph import Expr
from armillary.expr.infix import infix
from armillary.expr.numbers import Number
from armillary.targets.latex.symbols import name as latex_symbol
from armillary.targets.latex.typed import typeset


@dataclass(frozen=True, slots=True)
class Style:
    """How one kind of text writes names, numbers, powers, waves and products."""

    name: Callable[[str], str]
    number: Callable[[Number], str]
    power: str
    times: str
    sine: str
    cosine: str
    brackets: tuple[str, str]
    inline: Callable[[Expr], str]
    other: str
    """A second quantity of the same name."""
    over: str
    """A fraction."""


def _fraction(value: Number) -> str:
    if isinstance(value, Fraction):
        sign = "-" if value < 0 else ""
        return rf"{sign}\tfrac{{{abs(value.numerator)}}}{{{value.denominator}}}"
    return f"{float(value):.6g}" if isinstance(value, float) else numbers.text(value).replace("pi", r"\pi")


TEXT = Style(
    lambda name: name,
    lambda c: f"{c:.10g}" if isinstance(c, float) else str(c) if isinstance(c, Fraction) else numbers.text(c),
    "{}**{}",
    "*",
    "sin({})",
    "cos({})",
    ("(", ")"),
    infix,
    "{}'",
    "{}/{}",
)
LATEX = Style(
    latex_symbol,
    _fraction,
    "{}^{{{}}}",
    r"\,",
    r"\sin({})",
    r"\cos({})",
    (r"\left(", r"\right)"),
    typeset,
    r"{{{}}}^{{\prime}}",
    r"\frac{{{}}}{{{}}}",
)
