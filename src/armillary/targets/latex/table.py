"""The table of symbols: inputs, parameters, intermediate quantities and outputs, with what they are and their units."""

from collections.abc import Sequence
from contextlib import suppress

from armillary.errors import ExpressionError
from armillary.program.program import Input, Output, Program
from armillary.targets.header import element_names
from armillary.targets.latex.equations import output_symbol
from armillary.targets.latex.prose import prose
from armillary.targets.latex.symbols import FAMILIES, elements, family, name, numbered
from armillary.targets.latex.typed import typed

_SHOWN = 3

Row = tuple[str, str, str]
"""Symbol, meaning, unit."""


def symbol_table(program: Program, hints: Sequence[str]) -> list[str]:
    """A row for every vector, all parameters of one meaning, and every family of intermediate quantities."""
    rows = [(_some(elements(x)), _state(x), prose(x.unit)) for x in program.states if x.size]
    rows += [*_parameters(program.parameters), *_families(hints)]
    rows += [(_some(numbered(output_symbol(x), x.shape)), _output(x), prose(x.unit)) for x in program.outputs if x.size]
    if not rows:
        return []
    lines = [rf"{symbol} & {what} & {unit} \\" for symbol, what, unit in rows]
    return [r"\begin{longtable}[l]{@{}l@{\quad}p{0.62\linewidth}@{\quad}l@{}}", *lines, r"\end{longtable}"]


def _parameters(inputs: Sequence[Input]) -> list[Row]:
    groups: dict[tuple[str, str], list[str]] = {}
    for x in inputs:
        groups.setdefault((x.doc, x.unit), []).extend(elements(x))
    rows: list[Row] = []
    for (doc, unit), symbols in groups.items():
        all_ = ", ".join(f"${s}$" for s in symbols)
        what = _meaning(doc) or ("parameter of the robot" if len(symbols) == 1 else "parameters of the robot")
        rows.append((_some(symbols), what if len(symbols) <= _SHOWN else f"{what}: {all_}", prose(unit)))
    return rows


def _meaning(doc: str) -> str:
    """Words, or the formula that `= …` says."""
    if doc.startswith("= "):
        with suppress(ExpressionError):
            return f"$= {typed(doc[2:])}$"
    return prose(doc)


def _families(hints: Sequence[str]) -> list[Row]:
    stems = dict.fromkeys(found[0] for hint in hints if (found := family(hint)))
    rows: dict[tuple[str, str], list[str]] = {}
    for stem in stems:
        kind = FAMILIES[stem]
        index = ("j", "jx", "jxy")[kind.components]
        more = r", \dots" if kind.components else ""
        rows.setdefault((kind.meaning, prose(kind.unit)), []).append(f"${kind.tex}_{{{index}}}{more}$")
    return [(", ".join(symbols), meaning, unit) for (meaning, unit), symbols in rows.items()]


def _some(symbols: Sequence[str]) -> str:
    """The symbols, all but the ends left out where they are many."""
    if len(symbols) <= _SHOWN:
        return ", ".join(f"${s}$" for s in symbols)
    return rf"${symbols[0]}, \dots, {symbols[-1]}$"


def _state(x: Input) -> str:
    """What an input is, and the labels that its symbols do not say."""
    told = [name(label) for label in x.labels] == elements(x)
    return _with_names(x.doc, "" if told else element_names(x))


def _output(x: Output) -> str:
    return _with_names(x.doc, element_names(x))


def _with_names(doc: str, names: str) -> str:
    return prose(f"{doc} ({names})" if doc and names else doc or names)
