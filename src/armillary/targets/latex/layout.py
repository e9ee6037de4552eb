"""Equations on the page: aligned at their equals signs, short ones side by side, long ones broken before a plus or minus."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from armillary.targets.latex.equations import Equation, Equations
from armillary.targets.latex.formula import Token, joined
from armillary.targets.latex.symbols import width

SIDE_BY_SIDE = 3
"""How many equations may stand beside each other."""

GAP = 4.0
"""The space between columns, in digits."""

BETWEEN = 1.5
"""The space between blocks, in lines."""


def display(found: Equations, line: float) -> list[tuple[str, list[str]]]:
    """The displays under their headings."""
    parts = [
        ("Constants", _columns(found.constants, line)),
        ("Sines and cosines", _waves(found.waves, line)),
        ("Intermediate quantities", _columns(found.steps, line)),
    ]
    results: list[str] = []
    plain: list[Equation] = []
    for matrix, rows in found.results:
        if matrix:
            results += [*_align(plain, 1, line), r"\[", matrix, r"\]", *_align(rows, 1, line)]
            plain = []
        else:
            plain += rows
    parts.append(("Results", results + _align(plain, 1, line)))
    return [(heading, lines) for heading, lines in parts if lines]


def _waves(groups: Sequence[tuple[Equation, ...]], line: float) -> list[str]:
    """Sines and cosines, those of one angle beside each other, two angles a row where they fit."""
    flat = [e for group in groups for e in group]
    if all(len(group) == 2 for group in groups):
        return _align(flat, 4 if all(e.width + GAP <= line / 4 for e in flat) else 2, line)
    return _columns(flat, line)


def _columns(rows: Sequence[Equation], line: float) -> list[str]:
    """The equations in blocks of one, two or three columns, so that the whole is shortest.

    The shortest ways to place the equations so far are kept for each state that the last block can be in: its columns, and
    how many places of its last row are filled.
    """
    best: dict[tuple[int, int], _Way] = {(1, 1): _Way(-BETWEEN)}
    for k, row in enumerate(rows):
        shortest = min(best.values(), key=lambda way: way.height)
        ways: dict[tuple[int, int], _Way] = {}
        for columns in range(1, SIDE_BY_SIDE + 1):
            if columns > 1 and row.width + GAP > line / columns:
                break
            ways[columns, 1] = _Way(shortest.height + BETWEEN + 1, shortest, k, columns)
            for (same, filled), way in best.items() if k else ():
                place, height = (filled + 1, 0) if filled < columns else (1, 1)
                if same == columns and way.height + height < ways.get((columns, place), _FAR).height:
                    ways[columns, place] = replace(way, height=way.height + height)
        best = ways
    way = min(best.values(), key=lambda way: way.height)
    blocks: list[list[str]] = []
    end = len(rows)
    while way.before is not None:
        blocks.append(_align(rows[way.start : end], way.columns, line))
        end, way = way.start, way.before
    return [text for block in reversed(blocks) for text in block]


@dataclass(frozen=True, slots=True)
class _Way:
    """A way to place equations: its height in lines, and the last block: where it starts and its columns."""

    height: float
    before: "_Way | None" = None
    start: int = 0
    columns: int = 1


_FAR = _Way(float("inf"))


def _align(rows: Sequence[Equation], columns: int, line: float) -> list[str]:
    """An align environment."""
    if not rows:
        return []
    written: list[str] = []
    for k in range(0, len(rows), columns):
        if columns == 1:
            written += _broken(rows[k], line)
        else:
            written.append(" & ".join(f"{e.left} &= {joined(e.right)}" for e in rows[k : k + columns]))
    return [r"\begin{align*}", *(rf"{text} \\" for text in written[:-1]), written[-1], r"\end{align*}"]


def _broken(e: Equation, line: float) -> list[str]:
    """The lines of one equation."""
    room = line - width(e.left) - 3
    lines: list[str] = []
    tokens = list(e.right)
    while sum(t.width for t in tokens) > room:
        cut = _cut(tokens, room)
        if cut == 0:
            break
        lines.append(joined(tokens[:cut]).rstrip())
        tokens = tokens[cut:]
        room = line - width(e.left) - 6
    lines.append(joined(tokens))
    head, *rest = lines
    return [f"{e.left} &= {head}", *(rf"&\quad {{}} {text.lstrip()}" for text in rest)]


def _cut(tokens: Sequence[Token], room: float) -> int:
    """Where to end the line: within the fewest brackets, as far right as fits; 0 where there is no place."""
    places: list[tuple[int, float, int]] = []
    wide = 0.0
    for k, t in enumerate(tokens):
        if k and t.depth is not None and wide <= room:
            places.append((t.depth, -wide, k))
        wide += t.width
    late = [p for p in places if -p[1] > room / 2]
    return min(late or places, default=(0, 0.0, 0))[2]
