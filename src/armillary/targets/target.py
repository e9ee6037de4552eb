"""`Target`: a language that Programs are written in, and the files of a Program on disk."""

import os
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, fields
from pathlib import Path
from typing import Any

from armillary.errors import TargetError
from armillary.program.program import Program
from armillary.targets.header import Source


@dataclass(frozen=True)
class Target:
    """One language: what it is called, what its files end in, the dataclass of its options, and what makes its files.

    `sources` are the kinds of things that it writes.
    """

    name: str
    doc: str
    suffixes: tuple[str, ...]
    options: type[Any]
    generate: Callable[[Any, Any], dict[str, str]]
    sources: tuple[type[Source], ...] = (Program,)

    def files(self, source: Source, **options: object) -> dict[str, str]:
        """The text of every file by its name."""
        if not isinstance(source, self.sources):
            kinds = " or a ".join(kind.__name__ for kind in self.sources)
            raise TargetError(f"{self.name} is written from a {kinds}, not from a {type(source).__name__}")
        known: tuple[Field[Any], ...] = fields(self.options)
        unknown = sorted(set(options) - {f.name for f in known})
        if unknown:
            listed = ", ".join(f.name for f in known) or "none"
            raise TargetError(f"{self.name} has no option {', '.join(unknown)}; its options are: {listed}")
        return self.generate(source, self.options(**options))

    def write(self, source: Source, directory: str | os.PathLike[str], **options: object) -> list[Path]:
        """The files in a directory."""
        return write_files(self.files(source, **options), directory)


def write_files(files: Mapping[str, str], directory: str | os.PathLike[str]) -> list[Path]:
    """Every file in `directory`, which is made where it is missing: all of them or, if one cannot be written, none.

    Each file is written beside its place and then moved there, so that no reader ever finds a part of one.
    """
    folder = Path(directory)
    ready: list[tuple[str, Path]] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            place = folder / name
            if place.is_dir():
                raise IsADirectoryError(f"{place} is a folder")
            handle, beside = tempfile.mkstemp(prefix=f".{name}.", dir=folder)
            ready.append((beside, place))
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
                stream.write(text)
            Path(beside).chmod(0o644)
        for beside, place in ready:
            Path(beside).replace(place)
    except OSError as error:
        raise TargetError(f"cannot write {', '.join(files)} into {folder}: {error}") from error
    finally:
        for beside, _ in ready:
            Path(beside).unlink(missing_ok=True)
    return [place for _, place in ready]
