"""Ways from the frame of one joint to that of another, through bodies that stand still in each other or move as is known."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from armillary.robot.pairs import Pair
from armillary.spatial.transform import Step, Transform, walk

Coordinates = dict[int, tuple[Any, ...]]
"""What is known of each pair: the coordinates of its joint."""


class Move(NamedTuple):
    """A step, taken forwards (1) or backwards (-1), and the pair whose motion it is, if it is one's."""

    kind: str
    value: Any
    sign: int
    pair: int | None

    @property
    def step(self) -> Step:
        """The step that it comes to."""
        if self.sign > 0:
            return self.kind, self.value
        return self.kind, self.value.T if self.kind == "R" else -self.value


@dataclass(frozen=True, slots=True)
class Leg:
    """The way from the frame of one pair on one of its bodies (0 is a, 1 is b) to that of another, through pairs that are known.

    `course` are these pairs, each with whether it is passed from a to b.
    """

    start: tuple[int, int]
    course: tuple[tuple[int, bool], ...]
    end: tuple[int, int]

    def moves(self, pairs: Sequence[Pair], known: Coordinates) -> list[Move]:
        """The moves of the way; those that take each other back are left out."""
        found: list[Move] = []
        _take(found, _side(pairs, self.start), -1)
        for k, forward in self.course:
            pair = pairs[k]
            a, b = (0, 1) if forward else (1, 0)
            _take(found, _side(pairs, (k, a)), 1)
            _take(found, [Move(kind, x, 1, k) for kind, x in pair.motion(known[k])], 1 if forward else -1)
            _take(found, _side(pairs, (k, b)), -1)
        _take(found, _side(pairs, self.end), 1)
        return found

    def transform(self, pairs: Sequence[Pair], known: Coordinates) -> Transform:
        """The pose of the frame at its end in that at its start."""
        return walk([move.step for move in self.moves(pairs, known)])


def _side(pairs: Sequence[Pair], side: tuple[int, int]) -> list[Move]:
    k, end = side
    return [Move(kind, x, 1, None) for kind, x in (pairs[k].to_b if end else pairs[k].to_a)]


def _take(found: list[Move], moves: Sequence[Move], sign: int) -> None:
    """Moves, forwards or backwards; a move back along the same step (not an equal one) undoes it."""
    for move in moves if sign > 0 else reversed(moves):
        last = found[-1] if found else None
        if last is not None and last.kind == move.kind and last.value is move.value and last.sign != move.sign * sign:
            found.pop()
        else:
            found.append(move._replace(sign=move.sign * sign))
