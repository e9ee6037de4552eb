"""The text of a `.par` file taken apart: comments, and keys with the texts of their elements.

    file    := (comment | key "=" (scalar | "{" element ("," element)* "}"))*
    comment := "(*" … "*)"

Comments may stand anywhere, also within one another and behind data. Keys are the same in small and in large letters. A
vector may go over several lines. Commas within parentheses belong to the element.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path

from armillary.errors import FormatError, near_match
from armillary.formats.par.keys import KEYS, SCALARS, VECTORS
from armillary.formats.source import read_text

_ENDS = re.compile(r"\(\*|\*\)")
_KEY = re.compile(r"([A-Za-z_]\w*)[ \t]*=", re.ASCII)
_VECTOR = re.compile(r"\s*\{([^{}=]*)\}")
_OPEN_VECTOR = re.compile(r"\s*\{")
_SCALAR = re.compile(r"[^\n{}=]*")
_SPACE = re.compile(r"\s*")
_SIGNS = re.compile(r"[(),]")
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Element:
    """The text of one element, and where it stands."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class ParText:
    """The elements of each key, by its present name; a scalar is one element. Comments without their signs, by line."""

    file: str
    entries: dict[str, list[Element]]
    lines: dict[str, int]
    comments: list[Element]

    def error(self, line: int, message: str) -> FormatError:
        """An error that says where."""
        return FormatError(f"{self.file}, line {line}: {message}")


def take_apart(source: str | Path) -> ParText:
    """The file's comments and keys; an error for anything else, for keys that are unknown or stand twice."""
    text, file = read_text(source)
    return _Parts(text, file).parts()


def shown(text: str) -> str:
    """Text of the file as errors quote it."""
    text = " ".join(text[: 4 * _SHOWN].split())
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")


class _Parts:
    """One pass over one text."""

    def __init__(self, text: str, file: str) -> None:
        self.newlines = [m.start() for m in re.finditer("\n", text)]
        self.found = ParText(file, {}, {}, [])
        self.text = self._without_comments(text)

    def parts(self) -> ParText:
        position = self._skip(0)
        while position < len(self.text):
            match = _KEY.match(self.text, position)
            if match is None:
                raise self._error(
                    position, f"{shown(self._rest_of_line(position))} is neither a comment (* … *) nor KEY = value"
                )
            position = self._skip(self._entry(match))
        return self.found

    def _entry(self, match: re.Match[str]) -> int:
        """Takes in one key and its value; the position behind it."""
        start, written = match.start(), match.group(1)
        key = KEYS.get(written.lower(), written)
        if key in self.found.entries:
            raise self._error(start, f"{shown(written)} stands twice; first on line {self.found.lines[key]}")
        if key in SCALARS:
            value = _SCALAR.match(self.text, match.end())
        elif key in VECTORS:
            value = _VECTOR.match(self.text, match.end())
        else:
            known = (*SCALARS, *VECTORS)
            raise self._error(
                start,
                f"the key {shown(written)} is unknown{near_match(written, known)}; allowed are {', '.join(known)}",
            )
        if value is None:
            if _OPEN_VECTOR.match(self.text, match.end()):
                raise self._error(start, f"the braces of {key} = {{…}} are not balanced")
            raise self._error(
                start, f"{key} = {shown(self._rest_of_line(match.end()))}; it takes a vector in braces {{…}}"
            )
        self.found.lines[key] = self._line(start)
        if key in SCALARS:
            self.found.entries[key] = [Element(value.group().strip(), self._line(start))]
        else:
            self.found.entries[key] = self._elements(value.start(1), value.end(1))
        return value.end()

    def _elements(self, start: int, end: int) -> list[Element]:
        """The texts between the commas that stand in no parenthesis; none between empty braces."""
        if self._skip(start) >= end:
            return []
        cuts, depth = [start - 1], 0
        for sign in _SIGNS.finditer(self.text, start, end):
            if sign.group() == "," and depth == 0:
                cuts.append(sign.start())
            depth += {"(": 1, ")": -1, ",": 0}[sign.group()]
        elements: list[Element] = []
        for before, after in zip(cuts, [*cuts[1:], end], strict=True):
            first = min(self._skip(before + 1), after)
            elements.append(Element(self.text[first:after].strip(), self._line(first)))
        return elements

    def _without_comments(self, text: str) -> str:
        """The text with spaces for comments; the comments are kept aside."""
        pieces: list[str] = []
        depth = start = done = 0
        for sign in _ENDS.finditer(text):
            if sign.group() == "(*":
                if depth == 0:
                    start = sign.start()
                    pieces.append(text[done:start])
                depth += 1
            elif depth == 0:
                raise self._error(sign.start(), "*) ends a comment that never began")
            else:
                depth -= 1
                if depth == 0:
                    done = sign.end()
                    self.found.comments.append(Element(text[start + 2 : done - 2].strip(), self._line(start)))
                    pieces.append(re.sub(r"[^\n]", " ", text[start:done]))
        if depth:
            raise self._error(start, "the comment that begins here, (*, never ends with *)")
        return "".join([*pieces, text[done:]])

    def _skip(self, position: int) -> int:
        match = _SPACE.match(self.text, position)
        return match.end() if match else position

    def _rest_of_line(self, position: int) -> str:
        return self.text[position : position + 10 * _SHOWN].split("\n", 1)[0]

    def _line(self, position: int) -> int:
        return bisect_right(self.newlines, position - 1) + 1

    def _error(self, position: int, message: str) -> FormatError:
        return self.found.error(self._line(position), message)
