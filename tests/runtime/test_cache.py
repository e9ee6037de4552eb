"""Machine code on disk: found again, never trusted when damaged, bounded, and no error where there is no place for it."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from armillary.program import Input, Output, Program, Trace
from armillary.runtime import cache, code, compile, search
from armillary.runtime.ir import Real


def program(number: float = 2.0) -> Program:
    """y = c sin(x)."""
    trace = Trace()
    x = trace.input(Input("x"))[0]
    trace.output(Output("y", (), ()), [x.sin() * number])
    return trace.program("program")


def works(directory: Path) -> bool:
    """Whether a Function compiled with this directory computes."""
    return bool(compile(program(), cache=directory)(1.0) == 2 * np.sin(1.0))


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The Programs that machine code was made for, as that happens."""
    names: list[str] = []
    make = search.make

    def noted(program: Program, real: Real) -> cache.Entry:
        names.append(f"{program.name} {real}")
        return make(program, real)

    monkeypatch.setattr(search, "make", noted)
    return names


def largest(directory: Path) -> Path:
    return max(directory.glob("*.code"), key=lambda p: p.stat().st_mtime_ns)


def test_code_is_made_once(tmp_path: Path, made: list[str]) -> None:
    for _ in range(3):
        assert works(tmp_path)
    assert made == ["program double"]
    compile(program(), dtype="float", cache=tmp_path)
    compile(program(3), cache=tmp_path)
    assert len(made) == 3
    assert works(tmp_path) and len(made) == 3
    compile(program(), cache=False)
    assert len(made) == 4


def test_code_of_other_sources_is_not_used(tmp_path: Path, made: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert works(tmp_path)
    monkeypatch.setattr(code, "generator_version", lambda: "another")
    assert works(tmp_path) and len(made) == 2


@pytest.mark.parametrize("damage", ["flipped", "truncated", "emptied", "lengthened", "replaced", "zeros", "swapped"])
def test_damaged_code_is_made_anew(tmp_path: Path, made: list[str], damage: str) -> None:
    assert works(tmp_path)
    other = tmp_path / "other"
    compile(program(3), cache=other)
    for path in tmp_path.glob("*.code"):
        content = path.read_bytes()
        middle = len(content) // 2
        match damage:
            case "flipped":
                content = content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]
            case "truncated":
                content = content[:middle]
            case "emptied":
                content = b""
            case "lengthened":
                content += b"\0"
            case "replaced":
                content = b"something else altogether" * 10
            case "zeros":
                content = bytes(len(content))
            case _:
                content = content[:32] + content[64:] + content[32:64]
        path.write_bytes(content)
    code.support.cache_clear()
    before = len(made)
    assert works(tmp_path) and len(made) == before + 1
    assert works(tmp_path) and len(made) == before + 1


def test_a_file_under_the_name_of_another_is_not_taken(tmp_path: Path) -> None:
    store = cache.Cache(tmp_path)
    store.write("one", cache.Entry(b"1", {}))
    store._path("one").rename(store._path("other"))
    assert store.read("other") is None


def test_a_directory_that_cannot_be_used_is_no_error(tmp_path: Path, made: list[str]) -> None:
    file = tmp_path / "file"
    file.write_text("")
    assert works(file)
    assert works(file / "below")
    assert works(Path("/proc/armillary"))
    assert len(made) == 3
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o500)
    assert works(locked)
    (tmp_path / "full").mkdir()
    assert works(tmp_path / "full")
    for path in (tmp_path / "full").iterdir():
        path.unlink()
        path.mkdir()
    assert works(tmp_path / "full")


def test_what_was_not_used_for_longest_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = cache.Cache(tmp_path)
    monkeypatch.setattr(cache, "LIMIT", 10_000)
    for k in range(20):
        store.write(str(k), cache.Entry(bytes(900), {}))
        os.utime(store._path(str(k)), (k, k))
        assert store.read("0") is not None
        os.utime(store._path("0"), (100 + k, 100 + k))
    kept = [k for k in range(20) if store.read(str(k)) is not None]
    assert kept == [0, *range(20 - len(kept) + 1, 20)]
    assert sum(p.stat().st_size for p in tmp_path.iterdir()) <= 10_000


def test_many_may_write_at_once(tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(lambda _: works(tmp_path), range(12)))
    assert not [p for p in tmp_path.iterdir() if p.suffix != ".code"]


def test_notes_come_back(tmp_path: Path) -> None:
    store = cache.Cache(tmp_path / "deep" / "down")
    assert store.read("key") is None
    store.write("key", cache.Entry(b"\0\1\2", {"n": 3, "name": "é"}))
    assert store.read("key") == cache.Entry(b"\0\1\2", {"n": 3, "name": "é"})
    assert store.read("another") is None
    assert store.directory.stat().st_mode & 0o077 == 0 or os.name == "nt"


def test_the_default_directory_is_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert tmp_path in cache.default_directory().parents or not hasattr(os, "sched_getaffinity")
