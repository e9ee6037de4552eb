"""`python -m benchmarks [WORD …] [--quick] [--json]`: the rows whose names have one of the words in them, all without."""

import argparse
import platform
import sys
import time
import warnings
from collections.abc import Sequence
from importlib.metadata import version

from armillary.cli import page
from armillary.errors import RobotWarning
from armillary.runtime.host import host
from armillary.runtime.threads import available
from benchmarks import batch, chain, compiling, cores, derive, loops, operations, single, starting, table
from benchmarks.row import Effort, Row, Subject
from benchmarks.table import Line

SUBJECTS: tuple[Subject, ...] = tuple(
    m.SUBJECT for m in (operations, derive, compiling, batch, loops, single, cores, chain, starting)
)
HEADER = """\
Everything runs on one core unless said otherwise; of many runs the fastest counts. Less is better in every unit, and
"times better" is the peer's figure divided by ours. Peers run here and now, but for those marked (recorded), whose
figures were measured elsewhere and are not measured again. Without a peer, results.json has the target beside ours.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, write; 1 if a row of ours could not be measured."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("words", nargs="*", metavar="WORD", help="measure rows with this in their names")
    parser.add_argument("--quick", action="store_true", help="a tenth of the time for each figure, no peer compiled")
    parser.add_argument("--json", action="store_true", help="print the results instead of tables; write no file")
    chosen = parser.parse_args(arguments)
    effort = Effort(0.1, False) if chosen.quick else Effort()
    warnings.simplefilter("ignore", RobotWarning)

    subjects = [s for s in (s.matching(chosen.words) for s in SUBJECTS) if s.rows]
    if not subjects:
        parser.error(f"no row has {' or '.join(chosen.words)} in its name")
    if not chosen.json:
        page.say(f"{HEADER}\n{machine()}\n")
    lines: list[Line] = []
    for subject in subjects:
        made = [_line(subject, row, effort) for row in subject.rows]
        lines += made
        if not chosen.json:
            table.show(subject, made)
    found = table.results(lines)
    if chosen.json:
        page.say(table.text(found).rstrip())
        return _status(lines)
    page.say(table.verdict(lines))
    if not chosen.words and not chosen.quick:
        table.RESULTS.write_text(table.text(found), encoding="utf-8")
        page.say(f"written: {table.RESULTS.name}")
    return _status(lines)


def machine() -> str:
    """What all this was measured on."""
    here = f"{host().cpu}, {available()} cores, vectors of {host().vector_bytes} bytes"
    return f"{here}; Python {platform.python_version()}, NumPy {version('numpy')}, Armillary {version('armillary')}"


def _line(subject: Subject, row: Row, effort: Effort) -> Line:
    """The row's figure, or why there is none: whatever goes wrong in one row, the others are measured."""
    start = time.perf_counter()
    print(f"{subject.full(row)} … ", end="", file=sys.stderr, flush=True)
    try:
        line = Line(row.name, subject.full(row), row.measure(effort))
    except Exception as error:
        line = Line(row.name, subject.full(row), None, f"{type(error).__name__}: {error}")
    print(f"{time.perf_counter() - start:.1f} s", file=sys.stderr, flush=True)
    return line


def _status(lines: Sequence[Line]) -> int:
    return int(any(line.figure is None for line in lines))


if __name__ == "__main__":
    sys.exit(main())
