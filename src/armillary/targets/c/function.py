"""C functions: their arguments, declarations and definitions, and comments."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from armillary.program.program import Input, Output
from armillary.routine.routine import Variable
from armillary.targets import header

INDENT = "    "


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a C function: its name, its type and bracket, and what it is."""

    name: str
    kind: str
    bracket: str
    what: str

    def declared(self, qualifier: str = "") -> str:
        """`const double q[6]`; in a definition with `restrict` inside the bracket."""
        if self.bracket and qualifier:
            return f"{self.kind} {self.name}[{f'{qualifier} {self.bracket[1:-1]}'.strip()}]"
        if qualifier and self.kind.endswith("*"):
            return f"{self.kind}{qualifier} {self.name}"
        return f"{self.kind}{'' if self.kind.endswith('*') else ' '}{self.name}{self.bracket}"


def taken(name: str, x: Input, real: str) -> Argument:
    """An input as an argument: a scalar by value, an array by its address."""
    bracket = bracket_of(x.shape)
    return Argument(name, f"const {real}" if bracket else real, bracket, header.argument(x))


def of_output(name: str, x: Output | Variable, real: str) -> Argument:
    """An output as an argument: an address."""
    bracket = bracket_of(x.shape)
    return Argument(name, real if bracket else f"{real} *", bracket, header.argument(x))


def bracket_of(shape: Sequence[int]) -> str:
    """`[6]`, `[6*7]`; nothing for a scalar. C has no arrays of length 0, a pointer stands for them."""
    if not shape:
        return ""
    return "[]" if 0 in shape else f"[{'*'.join(map(str, shape))}]"


def declaration(head: str, arguments: Sequence[Argument], qualifier: str = "", end: str = "") -> list[str]:
    """`void name(double a, …)`, on one line where it fits; `head` is all that stands before the parenthesis."""
    declared = [a.declared(qualifier) for a in arguments] or ["void"]
    one = f"{head}({', '.join(declared)}){end}"
    if len(one) <= header.WIDTH:
        return [one]
    return [f"{head}(", *(f"{INDENT}{d}," for d in declared[:-1]), f"{INDENT}{declared[-1]}){end}"]


def definition(head: str, arguments: Sequence[Argument], body: Sequence[str]) -> list[str]:
    """A function with its body."""
    return [*declaration(head, arguments, "restrict"), "{", *body, "}"]


def documented(arguments: Sequence[Argument]) -> list[str]:
    """What every argument is, one a line."""
    return header.table([(f"{a.name}{a.bracket}", a.what) for a in arguments], width=header.WIDTH - 3)


def comment(lines: Sequence[str], indent: str = "") -> list[str]:
    """A block comment, one line alone on its line; what would end it early, or mean something to the preprocessor, is pulled apart."""
    safe = [_APART.sub(r"\1 ", _printable(line)) for line in lines]
    if len(safe) == 1 and len(indent) + len(safe[0]) + 6 <= header.WIDTH:
        return [f"{indent}/* {safe[0]} */"]
    return [f"{indent}/*", *(f"{indent} * {line}".rstrip() for line in safe), f"{indent} */"]


def remarked(code: str, what: str, column: int) -> list[str]:
    """A line of code with a comment that starts at a column, and goes on below where it is long."""
    if not what:
        return [code]
    first, *rest = (comment([line])[0][3:-3] for line in header.wrap(what, max(header.WIDTH - column - 6, 24)))
    lines = [f"{code:<{column}}/* {first}", *(f"{'':<{column}} * {line}" for line in rest)]
    return [*lines[:-1], f"{lines[-1]} */"]


def broken(line: str) -> list[str]:
    """A line of code, continued below at a space where it is too wide for the page."""
    if len(line) <= header.WIDTH:
        return [line]
    indent = line[: len(line) - len(line.lstrip())] + INDENT
    lines: list[str] = []
    while len(line) > header.WIDTH:
        start = len(line) - len(line.lstrip())
        cut = line.rfind(" ", start, header.WIDTH + 1)
        if cut < 0:
            cut = line.find(" ", start)
        if cut < 0:
            break
        lines.append(line[:cut])
        line = indent + line[cut + 1 :]
    return [*lines, line]


_APART = re.compile(r"([*](?=/)|/(?=[*])|[?](?=[?]))")


def _printable(line: str) -> str:
    return "".join(c for c in line if c.isprintable())
