"""Bodies that stand still in each other once some joints are known, and the ways between joints through such a group."""

from collections import deque
from collections.abc import Collection, Sequence

from armillary.errors import ModelError
from armillary.geometry.ways import Leg
from armillary.robot.description import BASE
from armillary.robot.pairs import Pair


class Groups:
    """The bodies of a robot, joined by the pairs whose coordinates are known."""

    def __init__(self, pairs: Sequence[Pair], known: Collection[int]) -> None:
        self.pairs = pairs
        self.doors: dict[str, list[tuple[str, int, bool]]] = {BASE: []}
        for k, pair in enumerate(pairs):
            for body, other, forward in ((pair.a, pair.b, True), (pair.b, pair.a, False)):
                doors = self.doors.setdefault(body, [])
                if k in known:
                    doors.append((other, k, forward))
        self.of: dict[str, int] = {}
        for number, body in enumerate(self.doors):
            if body not in self.of:
                for met in self._reach(body):
                    self.of[met] = number

    def ends(self, k: int) -> tuple[int, int]:
        """The groups that a pair stands between."""
        return self.of[self.pairs[k].a], self.of[self.pairs[k].b]

    def leg(self, start: tuple[int, int], end: tuple[int, int]) -> Leg:
        """The shortest way from a side of one pair to a side of another, in one group."""
        here, there = self._body(start), self._body(end)
        came = self._reach(here)
        course: list[tuple[int, bool]] = []
        while there != here:
            step = came.get(there)
            if step is None:
                raise ModelError(f"no way from {here} to {there} within one group of bodies")
            there, k, forward = step
            course.insert(0, (k, forward))
        return Leg(start, tuple(course), end)

    def _body(self, side: tuple[int, int]) -> str:
        pair = self.pairs[side[0]]
        return pair.b if side[1] else pair.a

    def _reach(self, start: str) -> dict[str, tuple[str, int, bool] | None]:
        """Every body of the group, with the one it was reached from, nearest first."""
        came: dict[str, tuple[str, int, bool] | None] = {start: None}
        todo = deque([start])
        while todo:
            body = todo.popleft()
            for other, k, forward in self.doors[body]:
                if other not in came:
                    came[other] = (body, k, forward)
                    todo.append(other)
        return came
