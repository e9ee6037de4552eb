"""The documentation builds strictly and stands alone; the README says what was measured, and links to what is there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from armillary import library
from armillary.models import CATALOGUE
from reference.documents import pages

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"\]\(([^)#\s]+)(#[^)]*)?\)")
LOADED = re.compile(r"<(?:script|link|img)[^>]*(?:src|href)=\"?(https?:[^\"\s>]+)")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_pages_need_nothing_from_elsewhere(site: Path) -> None:
    """No font, script or style is fetched from another place."""
    for page in site.rglob("*.html"):
        fetched = [x for x in LOADED.findall(page.read_text(encoding="utf-8")) if "canonical" not in x]
        assert not fetched, f"{page.name} loads {fetched}"


def test_every_model_and_robot_has_its_place(site: Path) -> None:
    models = (site / "reference/catalogue.html").read_text(encoding="utf-8")
    robots = (site / "reference/robots.html").read_text(encoding="utf-8")
    assert all(f'id="{name}"' in models for name in CATALOGUE)
    assert all(f'id="{name}"' in robots for name in library.names())


def test_links_of_the_readme() -> None:
    """What the README links to is there; the pages' own links are mkdocs's to check."""
    for target, _ in LINK.findall((ROOT / "README.md").read_text(encoding="utf-8")):
        assert target.startswith("http") or (ROOT / target).exists(), target


def test_table_of_the_readme_is_what_was_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT))
    from benchmarks.readme import README, written

    text = README.read_text(encoding="utf-8")
    assert text == written(text), "the table is not that of benchmarks/results.json: python -m benchmarks.readme"


def test_lines_are_not_too_long_to_read() -> None:
    for page in pages(ROOT):
        inside = False
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
            inside ^= line.startswith("```")
            assert inside or line.startswith("|") or len(line) <= 125, (
                f"{page.name}, line {number}: {len(line)} characters"
            )
