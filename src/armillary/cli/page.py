"""What commands print: tables and words, coloured where a terminal shows them, plain where a file or a script reads."""

import json
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any


def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]], right: Sequence[int] = ()) -> None:
    """A table; the columns numbered in `right` hold numbers."""
    cells = [[str(x) for x in row] for row in rows]
    try:
        from rich.console import Console
        from rich.table import Table
    except ImportError:
        _plain(title, columns, cells, right)
        return
    shown = Table(title=title or None, title_justify="left", box=None, pad_edge=False, header_style="bold")
    for k, column in enumerate(columns):
        shown.add_column(column, justify="right" if k in right else "left", overflow="fold")
    for row in cells:
        shown.add_row(*(_literal(x) for x in row))
    console = Console()
    if not console.is_terminal:
        console = Console(width=max(100, _width(columns, cells)))
    console.print(shown)


def _literal(text: str) -> Any:
    from rich.text import Text

    return Text(text)


def _width(columns: Sequence[str], cells: list[list[str]]) -> int:
    return sum(max([len(column), *(len(row[k]) for row in cells)]) + 2 for k, column in enumerate(columns))


def _plain(title: str, columns: Sequence[str], cells: list[list[str]], right: Sequence[int]) -> None:
    from armillary.models.summary import aligned

    if title:
        print(title)
    for line in aligned(columns, cells, right):
        print(line)


def say(text: str = "") -> None:
    """Words, as they are."""
    print(text)


def data(value: object) -> None:
    """One JSON object, for scripts."""
    print(json.dumps(value, ensure_ascii=False))


@contextmanager
def working(what: str) -> Generator[None]:
    """While something takes its time, a line on a terminal's standard error says what."""
    if not sys.stderr.isatty():
        yield
        return
    try:
        from rich.console import Console
    except ImportError:
        print(f"{what} …", file=sys.stderr)
        yield
        return
    with Console(stderr=True).status(f"{what} …"):
        yield
