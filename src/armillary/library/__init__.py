"""Robots that come with Armillary, one TOML file each with its source cited: what a person would write, nothing more."""

from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent


@cache
def names() -> tuple[str, ...]:
    """The names of the robots, in alphabetical order."""
    return tuple(sorted(file.stem for file in _FOLDER.glob("*.toml")))


def path(name: str) -> Path:
    """The file of a robot of the library."""
    return _FOLDER / f"{name}.toml"
