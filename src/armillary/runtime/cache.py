"""Machine code on disk, found by all that it depends on. A file that is not exactly what was written is as good as none.

A file holds the SHA-256 of its key and the rest, the length of the notes, notes (JSON) and object code. Files are written beside their
place and moved there, so that none is ever half there. A directory that cannot be used is no error: then nothing is kept.
"""

import contextlib
import json
import os
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache as once
from hashlib import sha256
from pathlib import Path
from typing import Any

LIMIT = 256 << 20
"""Bytes that the files together may have; the ones not used for longest go first."""

_SUM = 32
_LENGTH = 8


@dataclass(frozen=True, slots=True)
class Entry:
    """Object code, and what was noted with it."""

    code: bytes
    notes: Mapping[str, Any]


@dataclass(frozen=True)
class Cache:
    """The files of one directory."""

    directory: Path

    def read(self, key: str) -> Entry | None:
        """What was written under the key, None if there is nothing, or nothing whole."""
        path = self._path(key)
        try:
            content = path.read_bytes()
            os.utime(path)
        except OSError:
            return None
        return _decode(key, content)

    def write(self, key: str, entry: Entry) -> None:
        """Keep an entry, if the directory can be written to."""
        content = _encode(key, entry)
        with contextlib.suppress(OSError):
            self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self.directory)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(content)
                Path(name).replace(self._path(key))
            except BaseException:
                Path(name).unlink(missing_ok=True)
                raise
            self._bound()

    def _path(self, key: str) -> Path:
        return self.directory / f"{sha256(key.encode()).hexdigest()}.code"

    def _bound(self) -> None:
        """Drop what was not used for longest until all fits."""
        found = [(x.stat(), x.path) for x in os.scandir(self.directory) if x.is_file()]
        total = sum(s.st_size for s, _ in found)
        for s, path in sorted(found, key=lambda pair: pair[0].st_mtime):
            if total <= LIMIT:
                return
            Path(path).unlink(missing_ok=True)
            total -= s.st_size


def _encode(key: str, entry: Entry) -> bytes:
    notes = json.dumps(dict(entry.notes)).encode()
    rest = len(notes).to_bytes(_LENGTH, "little") + notes + entry.code
    return _sum(key, rest) + rest


def _decode(key: str, content: bytes) -> Entry | None:
    rest = content[_SUM:]
    if len(rest) < _LENGTH or _sum(key, rest) != content[:_SUM]:
        return None
    end = _LENGTH + int.from_bytes(rest[:_LENGTH], "little")
    return Entry(rest[end:], json.loads(rest[_LENGTH:end]))


def _sum(key: str, rest: bytes) -> bytes:
    return sha256(key.encode() + b"\0" + rest).digest()


def default_directory() -> Path:
    """Where programs of this user keep what can be made again."""
    home = Path.home()
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "armillary"
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA", home)) / "armillary" / "cache"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / "armillary"


@once
def generator_version() -> str:
    """A fingerprint of the sources that make machine code: what other sources made is not used again."""
    here = Path(__file__).parent
    stats = [(p.relative_to(here).as_posix(), p.stat()) for p in here.rglob("*.py")]
    marks = sorted((name, s.st_size, s.st_mtime_ns) for name, s in stats)
    return sha256(repr(marks).encode()).hexdigest()
