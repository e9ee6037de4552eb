"""Markdown that is executed: the fenced blocks of a page, and what each of them is for.

A page is a story: its blocks run in order, in one namespace and one folder.

    ```toml title="arm.toml"     any language with a title: a file of that name
    ```python                    runs; a comment after an expression is its value. With a title it is a module to import
    ```text                      straight after a python block, in any language: what that prints, or its error
    ```console                   `$ command`, then what the command prints; nothing if that does not matter
    ```sh                        set-up that tests cannot do themselves: make, pip, git

In what is expected, `…` stands for anything. Numbers that change from machine to machine are never written out.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path

_FENCE = re.compile(r"```(\w*)(?:\s+title=\"([^\"]+)\")?\s*$")


@dataclass(frozen=True)
class Block:
    """Lines `first` … `last` (from 0) of a page between two fences; `output` is the block that shows what this one prints."""

    language: str
    title: str
    first: int
    last: int
    text: str
    output: Block | None = None


def blocks(page: str) -> list[Block]:
    """The fenced blocks; what follows a python block at once is its output."""
    found: list[Block] = []
    lines = page.splitlines()
    start, head = None, ("", "")
    for k, line in enumerate(lines):
        if not line.startswith("```"):
            continue
        if start is not None:
            found.append(Block(*head, start, k, "\n".join(lines[start:k])))
            start = None
            continue
        match = _FENCE.match(line)
        assert match, f'line {k + 1}: a fence is ```language, with title="file" for a file; this is {line!r}'
        start, head = k + 1, (match[1], match[2] or "")
    assert start is None, f"line {start}: the block does not end"
    return _joined(found, lines)


def _joined(found: list[Block], lines: list[str]) -> list[Block]:
    joined: list[Block] = []
    for block in found:
        before = joined[-1] if joined else None
        follows = (
            before is not None
            and before.language == "python"
            and before.output is None
            and not block.title
            and block.language not in ("python", "console", "sh")
            and not any(line.strip() for line in lines[before.last + 1 : block.first - 1])
        )
        if follows and before is not None:
            joined[-1] = Block(before.language, before.title, before.first, before.last, before.text, block)
        else:
            joined.append(block)
    return joined


def agrees(shown: str, printed: str) -> bool:
    """Whether the text is what is shown, where `…` is anything; spaces at the ends of lines do not count."""
    pattern = ".*?".join(re.escape(part) for part in _trimmed(shown).split("…"))
    return re.fullmatch(pattern, _trimmed(printed), re.DOTALL) is not None


def _trimmed(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines())


@dataclass(frozen=True)
class Step:
    """One statement of a python block; `value` is the comment that says what the expression is, if there is one."""

    line: int
    code: ast.stmt
    value: str = ""


def steps(block: Block) -> list[Step]:
    """The statements of a block, and the values written beside expressions."""
    source = block.text.splitlines()
    found: list[Step] = []
    for node in ast.parse(block.text).body:
        value = ""
        if isinstance(node, ast.Expr) and node.end_lineno is not None and node.end_col_offset is not None:
            rest = source[node.end_lineno - 1].encode()[node.end_col_offset :].decode().strip()
            value = rest.removeprefix("#").strip()
        found.append(Step(block.first + node.lineno, node, value))
    return found


def commands(block: Block) -> list[tuple[str, str]]:
    """(command, what it prints) of a console block."""
    found: list[tuple[str, list[str]]] = []
    for line in block.text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found:
            found[-1][1].append(line)
        else:
            raise AssertionError(f"line {block.first + 1}: a console block begins with a command, $ …")
    return [(command, "\n".join(shown)) for command, shown in found]


def pages(root: Path) -> list[Path]:
    """Every page that people read."""
    return [root / "README.md", *sorted((root / "docs").rglob("*.md"))]
