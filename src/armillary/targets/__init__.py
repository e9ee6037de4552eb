"""Languages that Programs are written in: the table `TARGETS`, one row a language.

target("c").files(program)              # the text of every file, by its name
target("c").write(program, "build/")    # the same on disk
"""

from collections.abc import Iterator, Mapping
from importlib import import_module

from armillary.errors import TargetError
from armillary.targets.target import Target, write_files

__all__ = ["TARGETS", "Target", "target", "write_files"]

_ROWS = {
    "c": "armillary.targets.c",
    "python": "armillary.targets.python",
    "matlab": "armillary.targets.matlab",
    "latex": "armillary.targets.latex",
    "text": "armillary.targets.text",
}
"""The module of each language; its `TARGET` is imported when it is first asked for."""


class _Targets(Mapping[str, Target]):
    """The rows by name, each imported at its first use."""

    def __getitem__(self, name: str) -> Target:
        row: Target = import_module(_ROWS[name]).TARGET
        return row

    def __iter__(self) -> Iterator[str]:
        return iter(_ROWS)

    def __len__(self) -> int:
        return len(_ROWS)


TARGETS: Mapping[str, Target] = _Targets()
"""Every language, by name."""


def target(name: str) -> Target:
    """The language of that name."""
    if name not in TARGETS:
        raise TargetError(f"there is no target {name!r}; there are {', '.join(TARGETS)}")
    return TARGETS[name]
