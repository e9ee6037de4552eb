"""How closed forms are written: as text that our parser reads, and as LaTeX."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from armillary.expr import numbers
from armillary.expr.graph import Expr
from armillary.expr.infix import infix
from armillary.expr.numbers import Number
from armillary.targets.latex.symbols import VECTORS, indexed
from armillary.targets.latex.symbols import name as latex_name
from armillary.targets.latex.typed import typeset


@dataclass(frozen=True, slots=True)
class Style:
    """How one kind of text writes names, numbers, powers, waves and products."""

    name: Callable[[str], str]
    element: Callable[[str, tuple[int, ...]], str]
    """An element of an output, counted from 0."""
    number: Callable[[Number], str]
    power: Callable[[str, int], str]
    wave: Callable[[bool, str, int], str]
    """A power of the sine or cosine of an angle."""
    times: str
    brackets: tuple[str, str]
    inline: Callable[[Expr], str]
    other: str
    """A second quantity of the same name."""
    over: str
    """A fraction."""
    bar: bool
    """Whether that groups what is above and below."""

    def atom(self, node: Expr) -> str:
        """A symbol, or what is no polynomial."""
        return self.name(node.attr) if node.op == "symbol" else self.inline(node)


def _latex_number(value: Number) -> str:
    if isinstance(value, Fraction):
        sign = "-" if value < 0 else ""
        return rf"{sign}\tfrac{{{abs(value.numerator)}}}{{{value.denominator}}}"
    return f"{float(value):.6g}" if isinstance(value, float) else numbers.text(value).replace("pi", r"\pi")


def _latex_power(text: str, n: int) -> str:
    return text if n == 1 else f"{text}^{{{n}}}"


_LATEX_WAVES = (r"\cos", r"\sin")


def _latex_wave(sine: bool, angle: str, n: int) -> str:
    return f"{_latex_power(_LATEX_WAVES[sine], n)}({angle})"


def _text_number(value: Number) -> str:
    if isinstance(value, float):
        return f"{value:.10g}"
    return str(value) if isinstance(value, Fraction) else numbers.text(value)


def _text_power(text: str, n: int) -> str:
    return text if n == 1 else f"{text}**{n}"


def _text_wave(sine: bool, angle: str, n: int) -> str:
    return _text_power(f"{'sin' if sine else 'cos'}({angle})", n)


def element_name(output: str, index: tuple[int, ...]) -> str:
    """A12, or A_1_12 where places have two digits."""
    return output + ("" if max(index, default=0) < 9 else "_").join(str(k + 1) for k in index)


def _latex_element(output: str, index: tuple[int, ...]) -> str:
    places = ("" if max(index, default=0) < 9 else ",").join(str(k + 1) for k in index)
    return indexed(VECTORS.get(output) or latex_name(output), places)


TEXT = Style(
    lambda name: name,
    element_name,
    _text_number,
    _text_power,
    _text_wave,
    "*",
    ("(", ")"),
    infix,
    "{}'",
    "{}/{}",
    False,
)


def latex(symbols: Mapping[str, str]) -> Style:
    """LaTeX with these symbols of inputs and parameters by their names."""
    return Style(
        lambda name: symbols.get(name) or latex_name(name),
        _latex_element,
        _latex_number,
        _latex_power,
        _latex_wave,
        r"\,",
        (r"\left(", r"\right)"),
        lambda node: typeset(node, symbols),
        r"{{{}}}^{{\prime}}",
        r"\frac{{{}}}{{{}}}",
        True,
    )
