"""The table that people read, and the list that scripts do."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from armillary.cli import page
from benchmarks.row import Figure, Subject

RESULTS = Path(__file__).with_name("results.json")
COLUMNS = ("", "ours", "target", "", "peer's", "times better", "peer")
RIGHT = (1, 2, 4, 5)
LONGEST = 90
"""Letters of a reason that the table shows."""


@dataclass(frozen=True, slots=True)
class Line:
    """What came of a row: its figure, or why there is none."""

    name: str
    full_name: str
    figure: Figure | None
    failure: str = ""


def show(subject: Subject, lines: Sequence[Line]) -> None:
    """One subject's table."""
    page.table(subject.title, COLUMNS, [_cells(line) for line in lines], RIGHT)
    page.say()


def _cells(line: Line) -> list[str]:
    f = line.figure
    if f is None:
        return [line.name, "-", "", "", "", "", f"failed: {line.failure[:LONGEST]}"]
    mark = {True: "kept", False: "MISSED", None: ""}[f.within]
    target = "" if f.limit is None else f"{number(f.limit)} {f.unit}"
    value, name = (f.peer.value, f.peer.name) if f.peer else (None, "")
    theirs = "" if value is None else f"{number(value)} {f.unit}"
    times = f"{number(f.ratio)}" if f.peer and f.ratio is not None else ""
    return [line.name, f"{number(f.ours)} {f.unit}", target, mark, theirs, times, name]


def number(x: float) -> str:
    """Three significant digits, whole numbers from 100 on."""
    return f"{x:,.0f}" if x >= 100 or x == int(x) else f"{x:.3g}"


def verdict(lines: Sequence[Line]) -> str:
    """How many targets were kept, and which were not."""
    judged = [x for x in lines if x.figure is not None and x.figure.within is not None]
    missed = [x.full_name for x in judged if x.figure is not None and not x.figure.within]
    failed = [x.full_name for x in lines if x.figure is None]
    text = f"{len(judged) - len(missed)} of {len(judged)} targets kept"
    text += f"; missed: {'; '.join(missed)}" if missed else ""
    return text + (f"; failed: {'; '.join(failed)}" if failed else "")


def results(lines: Sequence[Line]) -> list[dict[str, Any]]:
    """{name, ours, peer, peer_name, unit, ratio} for every row that was measured."""
    return [_result(line.full_name, line.figure) for line in lines if line.figure is not None]


def _result(name: str, f: Figure) -> dict[str, Any]:
    peer = f.beside
    return {
        "name": name,
        "ours": _rounded(f.ours),
        "peer": _rounded(peer.value),
        "peer_name": peer.name,
        "unit": f.unit,
        "ratio": _rounded(f.ratio),
    }


def _rounded(x: float | None) -> float | None:
    return None if x is None else float(f"{x:.4g}")


def text(found: Sequence[dict[str, Any]]) -> str:
    """A result a line, so that a comparison of two files shows what changed."""
    lines = ",\n".join(f"  {json.dumps(x, ensure_ascii=False)}" for x in found)
    return f"[\n{lines}\n]\n"
