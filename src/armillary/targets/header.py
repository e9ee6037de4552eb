"""What every generated file says of itself, and of the arguments it takes and gives."""

import textwrap
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version

from armillary.program.cost import Cost, cost
from armillary.program.package import Package
from armillary.program.program import Input, Output, Program
from armillary.program.trace import default_labels
from armillary.routine.routine import Routine, Variable

WIDTH = 100
"""How wide generated text is, in columns."""


Source = Program | Package | Routine
"""What files are generated from."""


def about(source: Source) -> list[str]:
    """Robot, model, equation, options, cost and version: one fact a line, none that is not known."""
    facts = [source.about] if not isinstance(source, Package) else [p.about for p in source.runs]
    rows = [
        ("Robot", _distinct(f.robot for f in facts)),
        ("Model", _distinct(f.model for f in facts)),
        ("Equation", _distinct(f.equation for f in facts)),
        ("Source", _distinct(f.source for f in facts)),
        ("Options", _distinct(", ".join(f"{name} = {value}" for name, value in f.options) for f in facts)),
        ("Cost", costs(source)),
    ]
    column = max(len(name) for name, _ in rows) + 1
    lines: list[str] = []
    for name, text in rows:
        for k, line in enumerate(line for part in text.splitlines() for line in wrap(part, WIDTH - column - 4)):
            lines.append(f"{'' if k else name:<{column}} {line}".rstrip())
    return [*lines, f"{'By':<{column}} Armillary {armillary_version()}"]


def costs(source: Source) -> str:
    """The cost of a Program, or a line for each of the Programs of a Package or a Routine."""
    if isinstance(source, Program):
        online, setup = cost(source)
        return f"{online}{'' if setup == Cost() else f'; on parameters alone {setup}'}"
    if isinstance(source, Package):
        each = [f"{p.name}: {cost(p)[0]}" for p in source.runs]
        return "\n".join([*each, f"on parameters alone: {cost(source.setup)[1]}"])
    return "\n".join(f"{p.name}: {sum(cost(p), Cost())}" for p in source.callees if isinstance(p, Program))


def _distinct(texts: Iterable[str]) -> str:
    return "\n".join(dict.fromkeys(text for text in texts if text))


def armillary_version() -> str:
    """The version of the installed package."""
    try:
        return version("armillary")
    except PackageNotFoundError:
        return "(not installed)"


def argument(x: Input | Output | Variable) -> str:
    """`joint positions (rad): shoulder, elbow`: what an argument is, its unit, and its elements where they have names."""
    words = [x.doc] if x.doc else []
    if x.unit:
        words.append(f"({x.unit})")
    text = " ".join(words)
    names = element_names(x)
    return f"{text}{': ' if text and names else ''}{names}"


def element_names(x: Input | Output | Variable) -> str:
    """The elements in a few words; nothing where they are only numbered."""
    if isinstance(x, Variable):
        return ""
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
