"""XML read without trusting it: no document types, no entities but XML's own five, a limit on size and on depth.

A document type is where XML hides its dangers (entities that expand to gigabytes, files and addresses fetched while
reading), and no robot file needs one. So any document that declares one is refused.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from armillary.errors import FormatError

LARGEST = 32_000_000
"""Bytes that a document may have."""

DEEPEST = 1000
"""Elements that may stand one within another."""


@dataclass(eq=False, slots=True)
class Element:
    """One element: tag, attributes, the line it starts on, and the elements within it. Text between them is left out."""

    tag: str
    attributes: dict[str, str]
    file: str
    line: int
    children: list["Element"] = field(default_factory=list["Element"])

    def all(self, tag: str) -> Iterator["Element"]:
        """The elements of that tag directly within this one."""
        return (child for child in self.children if child.tag == tag)

    def first(self, tag: str) -> "Element | None":
        """The first of them, None where there is none."""
        return next(self.all(tag), None)

    def error(self, message: str) -> FormatError:
        """An error that says where this element stands."""
        return FormatError(f"{self.file}, line {self.line}: {message}")


def read_document(source: str | Path) -> Element:
    """The root element of a file, or of a text (told from a path by its first character, <)."""
    if isinstance(source, str) and source.lstrip("\ufeff \t\r\n").startswith("<"):
        return parse(source, "(text)")
    path = Path(source)
    try:
        if path.stat().st_size > LARGEST:
            raise FormatError(f"{path} has {path.stat().st_size} bytes; at most {LARGEST} are read")
        return parse(path.read_bytes(), str(path))
    except (OSError, ValueError) as error:
        raise FormatError(f"{str(path)[:200]} cannot be read: {error}") from None


def parse(text: str | bytes, file: str) -> Element:
    """The root element of a text; `file` is what errors call it."""
    if len(text) > LARGEST:
        raise FormatError(f"{file} has {len(text)} bytes; at most {LARGEST} are read")
    parser = expat.ParserCreate("utf-8" if isinstance(text, str) else None)
    top = Element("", {}, file, 0)
    path = [top]

    def refuse(*_: object) -> None:
        raise FormatError(
            f"{file}, line {parser.CurrentLineNumber}: a document type or an entity is declared; "
            "neither is read, for safety: write the values themselves"
        )

    def start(tag: str, attributes: dict[str, str]) -> None:
        line = parser.CurrentLineNumber
        if len(path) > DEEPEST:
            raise FormatError(f"{file}, line {line}: <{tag}> stands more than {DEEPEST} elements deep")
        element = Element(tag, attributes, file, line)
        path[-1].children.append(element)
        path.append(element)

    def end(_: str) -> None:
        path.pop()

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = refuse
    try:
        parser.Parse(text.encode() if isinstance(text, str) else text, True)
    except (expat.ExpatError, UnicodeError, LookupError) as error:
        raise FormatError(f"{file} is not XML: {error}") from None
    return top.children[0]
