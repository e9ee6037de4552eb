"""Classical Denavit-Hartenberg tables of serial robots, converted exactly to modified ones.

    type, theta, d, a, alpha            ʲ⁻¹T_j = Rot(z, θ_j) Trans(z, d_j) Trans(x, a_j) Rot(x, α_j)
    R,    q1,    0.67, 0, -pi/2
    R,    q2,    0, 0.43, 0
    P,    0,     q3, 0,   0

In the classical table joint j moves along or about z of the frame before it, and its frame stands at the far end of the
link. The link's own frame, on the axis of its joint, is reached by a_{j-1} and α_{j-1} of the row before, then θ_j and
d_j: Rot(x, α) Trans(x, a) commute, so nothing is computed and nothing lost. What the last row leaves over is the frame
"end", which stands in the last link where the table's last frame stands.

θ of a revolute row and d of a prismatic one are offsets, to which the coordinate q1, q2, … is added; a row may also name
it there itself (q2, th2, theta2, t2, d2: `th2 - 90`). A head line may put the columns in another order and add names of
links; cells stand between commas, semicolons, tabs, bars or spaces, and # begins a comment.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import pi
from pathlib import Path

from armillary.errors import ExpressionError, FormatError, near_match
from armillary.expr.numbers import PiMultiple, near_right_angle
from armillary.formats.coordinate import separate, usual_names
from armillary.formats.source import read_text, robot_name, source_name
from armillary.robot import BASE, JOINTS, Body, Description, Formula, Frame, Placement, Value, value
from armillary.robot.check import check
from armillary.robot.place import RIGHT
from armillary.robot.value import text

COLUMNS = ("type", "theta", "d", "a", "alpha")
"""The columns of a table without a head line, in this order."""

OTHER_HEADS = {"joint": "type", "kind": "type", "sigma": "type", "offset": "theta", "link": "name", "name": "name"}
"""Further words of a head line, and the columns that they mean."""

KINDS = {
    **dict.fromkeys(("r", "revolute", "0"), "revolute"),
    **dict.fromkeys(("p", "prismatic", "1"), "prismatic"),
    **dict.fromkeys(("f", "fixed", "2"), "fixed"),
}
"""What stands in the column type."""

MOVED = {"revolute": "theta", "prismatic": "d"}
END = "end"

Cell = str | int | float | Formula | PiMultiple
"""What rows given by hand may hold."""

_RULE = re.compile(r"[\s|:=+-]+")


def read(
    source: str | Path | Sequence[Sequence[Cell]],
    *,
    name: str = "",
    degrees: bool = False,
    millimetres: bool = False,
    snap: float = RIGHT,
) -> Description:
    """The robot of a table: a file, a text of several lines, or rows (type, theta, d, a, alpha).

    With `degrees` all angles of the table are in degrees, symbols too; with `millimetres` all lengths are in mm. Angles
    within `snap` (rad) of a multiple of pi/2 are that multiple; numbers beyond a turn in rad are refused.
    """
    if isinstance(source, str | Path):
        given, file = read_text(source)
        table = _Table(list(_text_rows(given, file)), file, degrees, millimetres, snap)
        return table.description(name or robot_name(file), source_name(file))
    file = "the table"
    return _Table(list(_given_rows(source, file)), file, degrees, millimetres, snap).description(name or "robot", "")


@dataclass(frozen=True, slots=True)
class _Row:
    """One line of a table, and what errors say of where it is."""

    where: str
    cells: tuple[Cell, ...]


def _given_rows(rows: Sequence[Sequence[Cell]], file: str) -> Iterator[_Row]:
    """Rows that are not text."""
    for number, row in enumerate(rows, start=1):
        where = f"{file}, row {number}"
        try:
            cells = tuple(row)
        except TypeError:
            raise FormatError(f"{where}: {str(row)[:50]!r} is no row; each is a list {', '.join(COLUMNS)}") from None
        yield _Row(where, cells)


# ---- text ----


def _text_rows(given: str, file: str) -> Iterator[_Row]:
    """The lines that have cells."""
    for number, line in enumerate(given.splitlines(), start=1):
        content = line.split("#", 1)[0].strip()
        if content and not _RULE.fullmatch(content):
            yield _Row(f"{file}, line {number}", tuple(cell.strip().strip('"').strip() for cell in _cells(content)))


def _cells(line: str) -> list[str]:
    """Between the first of ; tab | , that the line has, else between spaces. A comma in parentheses is a formula's."""
    if line.startswith("|"):
        line = line.strip("|")
    for sign in ";\t|":
        if sign in line:
            return line.split(sign)
    if "," not in line:
        return line.split()
    cells, depth = [""], 0
    for piece in re.split(r"([(),])", line):
        depth += {"(": 1, ")": -1}.get(piece, 0)
        if piece == "," and depth == 0:
            cells.append("")
        else:
            cells[-1] += piece
    return cells


# ---- the robot ----


class _Table:
    """Rows on their way to a description."""

    def __init__(self, rows: list[_Row], file: str, degrees: bool, millimetres: bool, snap: float) -> None:
        self.degrees, self.millimetres, self.snap = degrees, millimetres, snap
        self.file = file
        self.columns, self.rows = _heads(rows)
        if not self.rows:
            raise FormatError(f"{file} has no rows; each joint has one: {', '.join(COLUMNS)}")
        for row in self.rows:
            if len(row.cells) != len(self.columns):
                raise FormatError(
                    f"{row.where}: {len(row.cells)} columns, {_shown(row.cells)}; there are {len(self.columns)}: "
                    f"{', '.join(self.columns)}"
                )

    def description(self, name: str, source: str) -> Description:
        bodies: list[Body] = []
        d: Value = 0
        alpha: Value = 0
        for j, row in enumerate(self.rows, start=1):
            before = bodies[-1].name if bodies else BASE
            bodies.append(self._body(j, row, before, d, alpha))
            d, alpha = self._length(row, "a"), self._angle(row, "alpha")
        end = Frame(END, bodies[-1].name, Placement(alpha=alpha, d=d))
        description = Description(name, tuple(bodies), (end,), source=source)
        lines = {body.name: row.where for body, row in zip(bodies, self.rows, strict=True)}
        return check(description, lambda part, _: f"{lines.get(part, self.file)}: ")

    def _body(self, j: int, row: _Row, before: str, d: Value, alpha: Value) -> Body:
        """Link j; d and alpha lead from the frame before to the axis of its joint."""
        word = str(self._cell(row, "type"))
        kind = KINDS.get(word.lower())
        if kind is None:
            raise self._error(row, "type", f"allowed are R, P, F, or {', '.join(dict.fromkeys(KINDS.values()))}")
        coordinate, offset = self._coordinate(j, row, kind)
        name = str(self._cell(row, "name")) if "name" in self.columns else f"link{j}"
        joint = JOINTS[kind]
        given = {"theta": self._angle(row, "theta", offset), "r": self._length(row, "d", offset)}
        return Body(
            name,
            before,
            joint,
            Placement(alpha=alpha, d=d, **given),
            joint_name=f"joint{j}" if joint.nv else "",
            coordinates=(coordinate,) * joint.nq,
            velocities=(coordinate,) * joint.nv,
        )

    def _coordinate(self, j: int, row: _Row, kind: str) -> tuple[str, dict[str, Value]]:
        """The coordinate of a row, and the column that moves without it: as the row names it, or q1, q2, …."""
        if kind not in MOVED:
            return "", {}
        column = MOVED[kind]
        given = self._value(row, column)
        known = usual_names(column, j)
        if not isinstance(given, Formula) or not set(known) & set(given.symbols):
            return f"q{j}", {}
        try:
            coordinate, offset = separate(given.text, known)
        except ExpressionError as error:
            raise self._error(row, column, str(error)) from None
        return coordinate, {column: offset}

    # ---- cells ----

    def _angle(self, row: _Row, column: str, instead: dict[str, Value] | None = None) -> Value:
        """An angle in rad; right angles are exact."""
        given = (instead or {}).get(column, self._value(row, column))
        if self.degrees:
            if isinstance(given, PiMultiple):
                raise self._error(row, column, "the table is read in degrees, and this is a multiple of pi")
            given = value(f"({text(given)})*pi/180")
        elif not isinstance(given, Formula | PiMultiple) and abs(given) > 2 * pi:
            raise self._error(row, column, "more than a turn in rad; did you mean degrees=True?")
        return near_right_angle(given, max(self.snap, RIGHT)) if isinstance(given, float) else given

    def _length(self, row: _Row, column: str, instead: dict[str, Value] | None = None) -> Value:
        """A length in m."""
        given = (instead or {}).get(column, self._value(row, column))
        return value(f"({text(given)})/1000") if self.millimetres else given

    def _value(self, row: _Row, column: str) -> Value:
        given = self._cell(row, column)
        if isinstance(given, str) and not given:
            raise self._error(row, column, "it is empty; a number, a symbol or a formula stands there")
        try:
            return value(given)
        except ExpressionError as error:
            raise self._error(row, column, str(error)) from None

    def _cell(self, row: _Row, column: str) -> Cell:
        return row.cells[self.columns.index(column)]

    def _error(self, row: _Row, column: str, message: str) -> FormatError:
        return FormatError(f"{row.where}, column {column}: {_shown((self._cell(row, column),))}: {message}")


def _heads(rows: list[_Row]) -> tuple[tuple[str, ...], list[_Row]]:
    """The columns, from a head line where there is one, and the rows after it."""
    words = [str(cell).lower() for cell in rows[0].cells] if rows else []
    known = {**dict.fromkeys(COLUMNS), **OTHER_HEADS}
    if not words or words[0] in KINDS or not {"alpha", *OTHER_HEADS} & set(words):
        return COLUMNS, rows
    columns = tuple(OTHER_HEADS.get(word, word) for word in words)
    for word, column in zip(words, columns, strict=True):
        if word not in known or columns.count(column) > 1:
            what = "unknown" if word not in known else "there twice"
            raise FormatError(
                f"{rows[0].where}: the column {word[:50]!r} is {what}{near_match(word, known)}; "
                f"a table has {', '.join(COLUMNS)} and may have name"
            )
    for column in COLUMNS:
        if column not in columns:
            raise FormatError(f"{rows[0].where}: the column {column} is missing; a table has {', '.join(COLUMNS)}")
    return columns, rows[1:]


def _shown(cells: Sequence[Cell]) -> str:
    written = ", ".join(repr(str(cell)[:40]) for cell in cells[:8])
    return f"{written}, …" if len(cells) > 8 else written
