"""TOML as text: its tables read with care, its keys found again by line, values and texts written.

The reader of the standard library says nothing of lines once the text is read, so `Lines` looks a key up where a message
needs it: it follows the headers of tables, which is where a person writing the file would look too.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from armillary.errors import FormatError
from armillary.expr.numbers import Number, PiMultiple, text
from armillary.robot.value import Formula, Value

DOTS = 300
"""Dots that a line may have: the standard reader takes a time that grows with the square of the parts of a dotted key."""

_HEADER = re.compile(r"\s*\[{1,2}\s*([^\]]+?)\s*\]{1,2}\s*(?:#.*)?$")
_KEY = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|([\w-]+))\s*=""")
_BARE = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)


def parse(given: str, file: str) -> dict[str, Any]:
    """The tables of a text; an error for whatever is not TOML."""
    for number, line in enumerate(given.split("\n"), 1):
        if line.count(".") > DOTS:
            raise FormatError(f"{file}, line {number} has more than {DOTS} dots; no line of a robot's file has")
    try:
        return tomllib.loads(given)
    except RecursionError:
        raise FormatError(f"{file}: values nested too deeply to be a robot's") from None
    except ValueError as error:
        raise FormatError(f"{file} is not TOML: {error}") from None


class Lines:
    """Where the keys of a text stand."""

    def __init__(self, given: str) -> None:
        self._text = given

    def of(self, table: str, number: int = 0, key: str = "") -> int:
        """The line of a key in the table of that name ("" for the top; counted where there are several), or of the table.

        A key of the top may be a table itself.
        """
        found = self._found
        places = ((table, number, key), (table or key, number, ""))
        return next((found[place] for place in places if place in found), 1)

    @cached_property
    def _found(self) -> dict[tuple[str, int, str], int]:
        """The first line of every (table, number, key)."""
        found: dict[tuple[str, int, str], int] = {}
        counts: dict[str, int] = {}
        table, number = "", 0
        for line, written in enumerate(self._text.split("\n"), 1):
            header = _HEADER.match(written)
            if header:
                table = header.group(1)
                number = counts[table] = counts.get(table, -1) + 1
                found[table, number, ""] = line
                continue
            key = _KEY.match(written)
            if key:
                found.setdefault((table, number, next(x for x in key.groups() if x is not None)), line)
        return found


# ---- writing ----


def written(x: Value | bool | str | Sequence[Any] | Mapping[str, Any]) -> str:
    """A value as TOML says it; fractions, multiples of pi and formulas are texts."""
    if isinstance(x, bool):
        return "true" if x else "false"
    if isinstance(x, Mapping):
        return inline(x.items())
    if isinstance(x, Formula):
        return quoted(x.text)
    if isinstance(x, str):
        return quoted(x)
    if isinstance(x, Number):
        said = text(x)
        return quoted(said) if isinstance(x, PiMultiple) or "/" in said else said
    return f"[{', '.join(written(item) for item in x)}]"


def quoted(given: str) -> str:
    """A text between quotation marks, on one line."""
    return '"' + _escaped(given) + '"'


def paragraph(given: str) -> str:
    """A text between quotation marks, over several lines where it has them."""
    lines = [_escaped(line) for line in given.split("\n")]
    return quoted(given) if len(lines) == 1 else '"""\n' + "\n".join(lines) + '"""'


def _escaped(given: str) -> str:
    """Quotation marks and backslashes behind a backslash, control characters by number."""
    marked = given.replace("\\", "\\\\").replace('"', '\\"')
    return "".join(x if x.isprintable() or ord(x) > 0xFFFF else f"\\u{ord(x):04x}" for x in marked)


def key(name: str) -> str:
    """A key, between quotation marks where it needs them."""
    return name if _BARE.fullmatch(name) else quoted(name)


def inline(pairs: Iterable[tuple[str, Any]]) -> str:
    """A table on one line."""
    listed = [f"{key(name)} = {written(x)}" for name, x in pairs]
    return f"{{ {', '.join(listed)} }}" if listed else "{}"
