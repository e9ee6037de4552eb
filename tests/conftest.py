"""What every test may ask for: text compared with a golden file.

A golden file holds generated text that a person has read and found good. After a change that is meant to alter it:

    python -m pytest tests/targets --update-golden     # write the new text
    git diff tests/golden                              # read it: this is the review

A test passes only where the file exists and agrees byte for byte; `--update-golden` is never given by the automatic runs.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from pathlib import Path

import pytest

GOLDEN = Path(__file__).parent / "golden"
SHOWN_LINES = 60


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="write tests/golden anew instead of comparing with it"
    )


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """`golden(name, text)`: the text is that of tests/golden/<name>; `name` may have folders ("c/rx90.c")."""
    update = bool(request.config.getoption("--update-golden"))

    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        if update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
            return
        if not path.exists():
            pytest.fail(f"tests/golden/{name} does not exist; make it with: pytest --update-golden, and read it")
        kept = path.read_bytes().decode()
        if text != kept:
            lines = difflib.unified_diff(
                kept.splitlines(), text.splitlines(), f"tests/golden/{name}", "now", lineterm=""
            )
            shown = "\n".join(list(lines)[:SHOWN_LINES])
            pytest.fail(f"generated text differs from tests/golden/{name} (meant? pytest --update-golden):\n{shown}")

    return compare
