"""Python on the page: docstrings, assignments and lists of names that go on below where they are too wide."""

from collections.abc import Sequence
from math import prod

from armillary.targets import header

INDENT = "    "


def docstring(lines: Sequence[str], indent: str = INDENT) -> list[str]:
    """A docstring; nothing in it ends it early or is taken for an escape."""
    safe = [printable(line).replace("\\", "\\\\").replace('"""', r"\"\"\"") for line in lines]
    if len(safe) == 1:
        space = " " if safe[0].endswith('"') else ""
        return [f'{indent}"""{safe[0]}{space}"""']
    return [f'{indent}"""{safe[0]}', *(f"{indent}{line}".rstrip() for line in safe[1:]), f'{indent}"""']


def printable(line: str) -> str:
    """The line without what would end it."""
    return "".join(c for c in line if c.isprintable())


def assignment(target: str, text: str) -> list[str]:
    """`target = text`, in parentheses on several lines where it is too wide for one."""
    one = f"{INDENT}{target} = {text}"
    if len(one) <= header.WIDTH:
        return [one]
    return [f"{INDENT}{target} = (", *_filled(text.split(" "), " "), f"{INDENT})"]


def listed(head: str, items: Sequence[str], tail: str) -> list[str]:
    """`head`, the items with commas between them, `tail`; the items below where they are too many for one line."""
    one = f"{INDENT}{head}{', '.join(items)}{tail}"
    if len(one) <= header.WIDTH:
        return [one]
    return [f"{INDENT}{head.rstrip()}", *_filled([f"{item}," for item in items], " "), f"{INDENT}{tail.lstrip(',')}"]


def _filled(words: Sequence[str], space: str) -> list[str]:
    """The words on as few lines as hold them, one step further in."""
    lines = [INDENT * 2 + words[0]]
    for word in words[1:]:
        if len(lines[-1]) + len(space) + len(word) <= header.WIDTH:
            lines[-1] += space + word
        else:
            lines.append(INDENT * 2 + word)
    return lines


def unpacking(names: Sequence[str], shape: tuple[int, ...], source: str) -> list[str]:
    """`(a, b), (c, d) = source`: a name for every element of an array, _ for those that are not used."""
    if all(name == "_" for name in names):
        return []
    if len(shape) > 1:
        step = prod(shape[1:])
        rows = [_nested(names[k : k + step], shape[1:]) for k in range(0, len(names), step)]
    else:
        rows = list(names)
    if len(rows) == 1:
        return listed("(", rows, f",) = {source}")
    one = f"{INDENT}{', '.join(rows)} = {source}"
    return [one] if len(one) <= header.WIDTH else listed("(", rows, f") = {source}")


def _nested(names: Sequence[str], shape: tuple[int, ...]) -> str:
    step = prod(shape[1:])
    inner = [_nested(names[k : k + step], shape[1:]) for k in range(0, len(names), step)] if len(shape) > 1 else names
    return f"({', '.join(inner)}{',' if len(inner) == 1 else ''})"
