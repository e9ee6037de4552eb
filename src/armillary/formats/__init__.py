"""Robots from files and into files: the table `FORMATS`, one row a kind of file, its module imported at its first use.

load("rx90")                   # a robot of the library
load("arm.urdf", snap=1e-4)    # a file, by its suffix; options are those of the format
save(robot, "arm.toml")
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from armillary import library
from armillary.errors import FormatError, near_match
from armillary.formats.options import checked, options_of
from armillary.robot import Description

__all__ = ["FORMATS", "Format", "load", "options", "save"]


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file: its name, the suffixes it goes by, the module that reads it and, where it can, writes it.

    `root` is the outermost element of an XML file, by which kinds with the suffix .xml are told apart.
    """

    name: str
    suffixes: tuple[str, ...]
    module: str
    root: str = ""

    @property
    def read(self) -> Callable[..., Description]:
        """read(source, **options) -> Description."""
        return import_module(self.module).read

    @property
    def options(self) -> dict[str, Any]:
        """What `read` may be told, and the defaults."""
        return options_of(self.read)

    @property
    def write(self) -> Callable[[Description], str] | None:
        """write(description) -> text, None where the format is only read."""
        return getattr(import_module(self.module), "write", None)


FORMATS = {
    row.name: row
    for row in (
        Format("toml", (".toml",), "armillary.formats.toml"),
        Format("par", (".par",), "armillary.formats.par"),
        Format("urdf", (".urdf", ".xml"), "armillary.formats.urdf", "robot"),
        Format("mjcf", (".mjcf", ".xml"), "armillary.formats.mjcf", "mujoco"),
        Format("dh", (".csv", ".dh"), "armillary.formats.dh"),
    )
}
"""Every kind of file, by name."""


def load(source: str | Path, **options: Any) -> Description:
    """The robot of that name in the library, or of that file, whose suffix says what it is (and .xml, whose first element).

    Options are those of the kind of file. `snap` (.urdf, .mjcf, .csv) is how near (rad) an angle is taken for a multiple of
    pi/2: snap=1e-4 makes pi/2 of 1.5708. `floating` (.urdf) takes the ground away, `ignore_mimic` (.urdf) frees joints that
    mimic others, `massless_meshes` (.mjcf) lets meshes have no mass. `degrees` and `millimetres` (.csv) say what a table is
    written in, `name` (.csv) what the robot is called.
    """
    row, file = _found(source)
    return row.read(file, **checked(row.name, row.options, options))


def options(source: str | Path) -> dict[str, Any]:
    """The options that this source can be loaded with, and their defaults."""
    return _found(source)[0].options


def save(description: Description, path: str | Path) -> None:
    """Write a file of the kind that its suffix says."""
    chosen = _rows(path)[0]
    write = chosen.write
    if write is None:
        able = [suffix for row in FORMATS.values() if row.write for suffix in row.suffixes]
        raise FormatError(f"{path}: {Path(path).suffix} files are only read; robots are written to {', '.join(able)}")
    text = write(description)
    try:
        Path(path).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise FormatError(f"{path} cannot be written: {error}") from None


def _found(source: str | Path) -> tuple[Format, str | Path]:
    """The kind of a source, and its file."""
    if not isinstance(source, str | Path):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise FormatError(f"a robot is loaded by its name in the library or from a file's path, not {source!r:.100}")
    name = _library_name(source) if isinstance(source, str) else ""
    if name:
        return FORMATS["toml"], library.path(name)
    suffix = Path(source).suffix.lower()
    if not suffix or (suffix not in _by_suffix() and not _exists(source)):
        raise _unknown(source)
    return _format(source), source


def _by_suffix() -> dict[str, list[Format]]:
    found: dict[str, list[Format]] = {}
    for row in FORMATS.values():
        for suffix in row.suffixes:
            found.setdefault(suffix, []).append(row)
    return found


def _rows(path: str | Path) -> list[Format]:
    """The kinds of file that a suffix may mean."""
    rows = _by_suffix()
    found = rows.get(Path(path).suffix.lower())
    if found is None:
        raise FormatError(f"{str(path)[:200]}: the suffix says what kind of file it is; known are {', '.join(rows)}")
    return found


def _format(path: str | Path) -> Format:
    """The kind of a file, which is looked into where the suffix leaves it open."""
    rows = _rows(path)
    if len(rows) == 1:
        return rows[0]
    from armillary.formats.xml import read_document  # the parser is loaded where there is XML

    tag = read_document(Path(path)).tag
    found = next((row for row in rows if row.root == tag), None)
    if found is None:
        known = ", ".join(f"<{row.root}> ({row.name})" for row in rows)
        raise FormatError(f"{path}: the outermost element is <{tag[:80]}>; read are {known}")
    return found


def _library_name(source: str) -> str:
    """The robot of the library that is meant: RX-90 and rx90 are the same. A name with a dot or a slash is a file's."""
    if "." in source or "/" in source or "\\" in source:
        return ""
    wanted = re.sub(r"[\W_]+", "", source).lower()
    return next((name for name in library.names() if name.replace("_", "") == wanted), "")


def _exists(source: str | Path) -> bool:
    try:
        return Path(source).is_file()
    except (OSError, ValueError):
        return False


def _unknown(source: str | Path) -> FormatError:
    names, suffixes = library.names(), ", ".join(_by_suffix())
    return FormatError(
        f"there is no robot {str(source)[:200]!r} in the library; it has {', '.join(names)}; "
        f"files end in {suffixes}{near_match(source, names)}"
    )
