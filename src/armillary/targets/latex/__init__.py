"""LaTeX: a document with the equations as a paper would have them, and the equations alone."""

from dataclasses import dataclass

from armillary.errors import TargetError
from armillary.program.program import Program
from armillary.targets import header
from armillary.targets.latex.equations import equations
from armillary.targets.latex.layout import display
from armillary.targets.latex.prose import mathematics, prose
from armillary.targets.latex.table import symbol_table
from armillary.targets.names import Namer
from armillary.targets.target import Target

__all__ = ["TARGET", "Options", "body"]

LINE = 80.0
"""How wide a line of mathematics is in the document, in digits."""


@dataclass(frozen=True, slots=True)
class Options:
    """`digits` of numbers that are not exact; `line`, the width of a line in digits (80 for a page, 40 for a column)."""

    digits: int = 6
    line: float = LINE

    def __post_init__(self) -> None:
        if not 1 <= self.digits <= 17:
            raise TargetError(f"latex: digits is from 1 to 17, not {self.digits}")
        if not self.line >= 20:
            raise TargetError(f"latex: line is at least 20, not {self.line}")


def body(program: Program, digits: int = 6, line: float = LINE) -> str:
    """The equations alone, to be put into a paper that uses amsmath."""
    options = Options(digits, line)
    parts = display(equations(program, options.digits, options.line), options.line)
    return "\n".join(text for _, lines in parts for text in lines) + "\n"


def files(program: Program, options: Options) -> dict[str, str]:
    """The document, by its name."""
    found = equations(program, options.digits, options.line)
    facts = program.about
    title = f"{facts.model[:1].upper()}{facts.model[1:]}" if facts.model else program.name
    lines = [*(f"% {line}".rstrip() for line in header.about(program)), ""]
    lines += [*_PREAMBLE, rf"\section*{{{prose(title)}{f' of {prose(facts.robot)}' if facts.robot else ''}}}", ""]
    lines += [rf"\[ {mathematics(facts.equation)} \]", ""] if facts.equation else []
    lines += [rf"\noindent {prose(facts.source)}.", ""] if facts.source else []
    lines += [*_facts(program), "", r"\subsection*{Symbols}", *symbol_table(program, found.hints)]
    for heading, shown in display(found, options.line):
        lines += ["", rf"\subsection*{{{heading}}}", *shown]
    name = Namer(()).name(program.name)
    return {f"{name}.tex": "\n".join([*lines, "", r"\end{document}"]) + "\n"}


_PREAMBLE = (
    r"\documentclass[a4paper,10pt]{article}",
    r"\usepackage[T1]{fontenc}",
    r"\usepackage{amsmath,longtable}",
    r"\usepackage[margin=22mm]{geometry}",
    r"\setlength{\parindent}{0pt}",
    r"\allowdisplaybreaks",
    r"\begin{document}",
)


def _facts(program: Program) -> list[str]:
    """Options, cost and version in a sentence each."""
    chosen = ", ".join(f"{name}: {value}" for name, value in program.about.options)
    sentences = [f"Options: {chosen}."] if chosen else []
    sentences.append(f"Cost: {header.costs(program)}.")
    sentences.append(f"By Armillary {header.armillary_version()}.")
    return [prose(s) for s in sentences]


TARGET = Target("latex", "LaTeX", (".tex",), Options, files)
