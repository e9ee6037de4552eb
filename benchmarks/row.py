"""One line of the table: what is measured, how, and beside what."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from armillary.cli.timing import fastest
from benchmarks.peers import Missing


@dataclass(frozen=True, slots=True)
class Effort:
    """How much a run may take: seconds for each figure, and whether peers may be compiled, which takes minutes."""

    seconds: float = 2.0
    compile_peers: bool = True

    def time(self, run: Callable[[], object], scale: float = 1.0, least: int = 3) -> float:
        """The time of the fastest run, in seconds / `scale`: 1e3 for milliseconds."""
        return scale * fastest(run, self.seconds, least)[0]


@dataclass(frozen=True, slots=True)
class Peer:
    """Somebody else's figure; None with the reason in the name where there is none."""

    value: float | None
    name: str

    @staticmethod
    def measured(name: str, measure: Callable[[], float]) -> Peer:
        """The figure, or why there is none."""
        try:
            return Peer(measure(), name)
        except Missing as reason:
            return Peer(None, f"{name}: {reason}")


def recorded(value: float, name: str) -> Peer:
    """A figure that was measured elsewhere and is not measured again here."""
    return Peer(value, f"{name} (recorded)")


@dataclass(frozen=True, slots=True)
class Figure:
    """A measurement: less is better in every unit. `limit` is what it may be at most, where that was ever said."""

    ours: float
    unit: str
    peer: Peer | None = None
    limit: float | None = None

    @property
    def beside(self) -> Peer:
        """The peer; without one the target that we set ourselves, if there is one."""
        return self.peer or Peer(self.limit, "" if self.limit is None else "target")

    @property
    def ratio(self) -> float | None:
        """How many times better than the peer: peer / ours."""
        return self.beside.value / self.ours if self.beside.value is not None and self.ours else None

    @property
    def within(self) -> bool | None:
        """Whether the limit is kept; None without one."""
        return None if self.limit is None else self.ours <= self.limit


@dataclass(frozen=True, slots=True)
class Row:
    """A line's name, and the function that measures it."""

    name: str
    measure: Callable[[Effort], Figure]


@dataclass(frozen=True, slots=True)
class Subject:
    """Rows under one heading; a row's full name is "key: name"."""

    key: str
    title: str
    rows: tuple[Row, ...]

    def full(self, row: Row) -> str:
        """The row's name, unlike every other."""
        return f"{self.key}: {row.name}"

    def matching(self, words: Sequence[str]) -> Subject:
        """The rows whose full name has one of the words in it; all without words."""
        wanted = [w.lower() for w in words]
        kept = (r for r in self.rows if not wanted or any(w in self.full(r).lower() for w in wanted))
        return replace(self, rows=tuple(kept))
