"""What every generated file says of itself, and of the arguments it takes and gives."""

import textwrap
from importlib.metadata import PackageNotFoundError, version

from armillary.program.cost import Cost, cost
from armillary.program.program import Input, Output, Program
from armillary.program.trace import default_labels

WIDTH = 100
"""How wide generated text is, in columns."""


def about(program: Program) -> list[str]:
    """Robot, model, equation, options, cost and version: one fact a line, none that is not known."""
    facts = program.about
    online, setup = cost(program)
    rows = [
        ("Robot", facts.robot),
        ("Model", facts.model),
        ("Equation", facts.equation),
        ("Source", facts.source),
        ("Options", ", ".join(f"{name} = {value}" for name, value in facts.options)),
        ("Cost", f"{online}{'' if setup == Cost() else f'; on parameters alone {setup}'}"),
    ]
    column = max(len(name) for name, _ in rows) + 1
    lines: list[str] = []
    for name, text in rows:
        for k, line in enumerate(line for part in text.splitlines() for line in wrap(part, WIDTH - column - 4)):
            lines.append(f"{'' if k else name:<{column}} {line}".rstrip())
    return [*lines, f"{'By':<{column}} Armillary {armillary_version()}"]


def armillary_version() -> str:
    """The version of the installed package."""
    try:
        return version("armillary")
    except PackageNotFoundError:
        return "(not installed)"


def argument(x: Input | Output) -> str:
    """`joint positions (rad): shoulder, elbow`: what an argument is, its unit, and its elements where they have names."""
    words = [x.doc] if x.doc else []
    if x.unit:
        words.append(f"({x.unit})")
    text = " ".join(words)
    names = element_names(x)
    return f"{text}{': ' if text and names else ''}{names}"


def element_names(x: Input | Output) -> str:
    """The elements in a few words; nothing where they are only numbered."""
    if isinstance(x, Input):
        return "" if x.labels == default_labels(x.name, x.shape) else ", ".join(x.labels)
    if x.rows and x.columns:
        return f"rows {', '.join(x.rows)}; columns {', '.join(x.columns)}"
    return ", ".join(x.rows or x.columns)


def wrap(text: str, width: int) -> list[str]:
    """The text in lines; long words stay whole."""
    return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False) or ([""] if text else [])


def table(rows: list[tuple[str, str]], indent: str = "", width: int = WIDTH) -> list[str]:
    """Two columns, the second wrapped."""
    column = max((len(name) for name, _ in rows), default=0) + 2
    lines: list[str] = []
    for name, text in rows:
        first, *rest = wrap(text, width - column - len(indent)) or [""]
        lines.append(f"{indent}{name:<{column}}{first}".rstrip())
        lines += [f"{indent}{'':<{column}}{line}" for line in rest]
    return lines
