"""Every snippet of the README and the docs does what the page says: see `reference.documents` for what a block is for.

python -m pytest tests/docs --update-golden     # write what is printed now into the pages
"""

from __future__ import annotations

import ast
import contextlib
import io
import re
import shlex
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from armillary import formats, passes, targets
from armillary.cli import main
from armillary.errors import ArmillaryError, RobotWarning
from armillary.models import CATALOGUE
from armillary.robot import JOINTS
from reference.documents import Block, agrees, blocks, commands, pages, steps

ROOT = Path(__file__).parents[2]
SUFFIXES = tuple(suffix for row in formats.FORMATS.values() for suffix in row.suffixes)
TARGET_MAKE = re.compile(r"^([a-z]+):.*##", re.MULTILINE)
SET_UP = ("git clone ", "cd ", "pip install ")


@pytest.fixture(autouse=True)
def _own_tables(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Rows that a page adds to a table are gone after it."""
    tables: list[dict[str, Any]] = [formats.FORMATS, passes.PASSES, JOINTS, CATALOGUE, targets._ROWS]  # pyright: ignore
    kept = [dict(table) for table in tables]
    yield
    for table, rows in zip(tables, kept, strict=True):
        table.clear()
        table.update(rows)


@pytest.mark.parametrize("page", pages(ROOT), ids=lambda p: p.relative_to(ROOT).as_posix())
def test_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.syspath_prepend(str(tmp_path))
    update = bool(request.config.getoption("--update-golden"))
    story = _Story(page, update)
    for block in blocks(story.text):
        story.play(block)
    story.end()


class _Story:
    """One page: its names so far, and what would have to be written into it."""

    def __init__(self, page: Path, update: bool) -> None:
        self.page = page
        self.update = update
        self.text = page.read_text(encoding="utf-8")
        self.names: dict[str, Any] = {"__name__": "__main__"}
        self.written: list[tuple[int, int, list[str]]] = []
        self.modules: list[tuple[int, str]] = []

    def play(self, block: Block) -> None:
        if block.title:
            Path(block.title).parent.mkdir(parents=True, exist_ok=True)
            Path(block.title).write_text(block.text + "\n", encoding="utf-8")
        if block.language == "python" and block.title:
            self.modules.append((block.first, Path(block.title).stem))
        elif block.language == "python":
            self._python(block)
        elif block.language == "console":
            self._console(block)
        elif block.language == "sh":
            self._set_up(block)
        elif not block.title:
            raise self._wrong(block.first, f"nothing checks this block of {block.language or 'no language'}")

    def _python(self, block: Block) -> None:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("always", RobotWarning)
            warnings.showwarning = lambda message, category, *_: print(f"{category.__name__}: {message}")
            try:
                for step in steps(block):
                    self._step(block, step.line, step.code, step.value)
            except ArmillaryError as error:
                if block.output is None:
                    raise
                print(f"{type(error).__name__}: {error}")
        if block.output is not None:
            self._compare(block.output.first, block.output.last, block.output.text, printed.getvalue())

    def _step(self, block: Block, line: int, code: ast.stmt, value: str) -> None:
        if isinstance(code, ast.Expr):
            found = eval(compile(ast.Expression(code.value), str(self.page), "eval"), self.names)
            if value and not any(agrees(value, " ".join(shown.split())) for shown in (repr(found), str(found))):
                raise self._wrong(line, f"this is {found!r}, not {value}")
            return
        module = ast.Module([code], [])
        ast.increment_lineno(module, block.first)
        exec(compile(module, str(self.page), "exec"), self.names)

    def _console(self, block: Block) -> None:
        line = block.first
        for command, shown in commands(block):
            printed = _armillary(command) if command.startswith("armillary") else _shell(command)
            height = len(shown.splitlines())
            if shown:
                self._compare(line + 1, line + 1 + height, shown, printed)
            line += 1 + height

    def _set_up(self, block: Block) -> None:
        known = TARGET_MAKE.findall((ROOT / "Makefile").read_text(encoding="utf-8"))
        for command in block.text.splitlines():
            words = command.split("#")[0].split()
            if words[0] == "make":
                assert words[1] in known, f"there is no make {words[1]}"
            elif not command.startswith(SET_UP):
                raise self._wrong(block.first, f"{command!r} could be run; write it into a console block")

    def _compare(self, first: int, last: int, shown: str, printed: str) -> None:
        if agrees(shown, printed):
            return
        if not self.update:
            raise self._wrong(first, f"shown:\n{shown}\nprinted:\n{printed}")
        self.written.append((first, last, printed.strip("\n").splitlines()))

    def end(self) -> None:
        """Every module shown has been used; what was to be written is."""
        for line, module in self.modules:
            if sys.modules.pop(module, None) is None:
                raise self._wrong(line, f"{module} is imported by no block")
        if self.written:
            lines = self.text.splitlines()
            for first, last, new in reversed(self.written):
                lines[first:last] = [line.rstrip() for line in new]
            self.page.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def _wrong(self, line: int, what: str) -> pytest.fail.Exception:
        return pytest.fail.Exception(f"{self.page.relative_to(ROOT)}, line {line + 1}: {what}", pytrace=False)


def _armillary(command: str) -> str:
    """What the command line prints, errors with it."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed), pytest.raises(SystemExit):
        main(shlex.split(command)[1:])
    return printed.getvalue()


def _shell(command: str) -> str:
    done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, f"{command}: {done.stderr}"
    return done.stdout


def test_robot_files_shown_can_be_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file of a robot that a page shows is one."""
    monkeypatch.chdir(tmp_path)
    count = 0
    for page in pages(ROOT):
        for block in blocks(page.read_text(encoding="utf-8")):
            if block.title.endswith(SUFFIXES):
                Path(block.title).write_text(block.text + "\n", encoding="utf-8")
                formats.load(block.title, **({"degrees": True} if block.title.endswith(".csv") else {}))
                count += 1
    assert count >= 4
