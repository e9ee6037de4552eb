"""What a function of machine code has to do: a `Task` reads values, computes, and leaves values, all in one `frame`.

A frame is memory for one run over one vector of states: the inputs, then the outputs, then whatever else has to be kept
from one segment to another. A Task is cut into segments, because the time to make machine code, and the code's speed,
suffer when functions grow; values that cross a cut go through the frame.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from armillary.program.program import Program
from armillary.runtime.order import Unit, as_written

SEGMENT = 1500
"""Statements in one function."""


@dataclass(frozen=True)
class Task:
    """`segments` compute `outputs` from `inputs` and from `given` values, which are the same for every state.

    Inputs, outputs and given values are value numbers of the Program, in the order in which they stand in memory.
    """

    program: Program
    inputs: tuple[int, ...]
    given: tuple[int, ...]
    outputs: tuple[int, ...]
    segments: tuple[tuple[Unit, ...], ...]

    @cached_property
    def output_slots(self) -> dict[int, list[int]]:
        """Where in the frame each output goes; a value may be several outputs."""
        slots: dict[int, list[int]] = {}
        for k, v in enumerate(self.outputs, start=len(self.inputs)):
            slots.setdefault(v, []).append(k)
        return slots

    @cached_property
    def _kept(self) -> tuple[dict[int, int], int]:
        """(slot of every value that can be read from the frame, number of slots in the frame)."""
        slots = {v: k for k, v in enumerate(self.inputs)}
        slots |= {v: places[0] for v, places in self.output_slots.items() if v not in slots}
        crossing = _crossing(self.segments, slots)
        size = len(self.inputs) + len(self.outputs)
        free: list[int] = []
        for k in range(len(self.segments)):
            for v in crossing.made.get(k, ()):
                if not free:
                    free.append(size)
                    size += 1
                slots[v] = free.pop()
            free += [slots[v] for v in crossing.done.get(k, ())]
        return slots, size

    @property
    def slots(self) -> dict[int, int]:
        """The place in the frame of every value that stands there: inputs, outputs, values that cross a cut."""
        return self._kept[0]

    @property
    def frame_size(self) -> int:
        """Numbers (vectors of them) in a frame."""
        return self._kept[1]


@dataclass(frozen=True)
class _Crossings:
    """By segment: the values made there that later ones use, and those that no later one uses."""

    made: dict[int, list[int]]
    done: dict[int, list[int]]


def _crossing(segments: Sequence[Sequence[Unit]], placed: dict[int, int]) -> _Crossings:
    maker: dict[int, int] = {}
    last: dict[int, int] = {}
    for k, segment in enumerate(segments):
        for unit in segment:
            for x in unit:
                for a in x.args:
                    if maker.get(a, k) != k and a not in placed:
                        last[a] = k
                for v in range(x.first, x.first + x.count):
                    maker[v] = k
    made: dict[int, list[int]] = {}
    done: dict[int, list[int]] = {}
    for v, k in last.items():
        made.setdefault(maker[v], []).append(v)
        done.setdefault(k, []).append(v)
    return _Crossings(made, done)


def tasks(program: Program, units: Sequence[Unit]) -> tuple[Task, Task]:
    """(setup, run): the work on parameters alone, whose results are given to the work on the rest."""
    is_setup = program.setup.tolist()
    early = [u for u in units if is_setup[u[0].number]]
    late = [u for u in units if not is_setup[u[0].number]]
    states: list[int] = []
    parameters: list[int] = []
    start = 0
    for x in program.inputs:
        (states if x.role == "state" else parameters).extend(range(start, start + x.size))
        start += x.size
    known = {v for u in early for x in u for v in range(x.first, x.first + x.count)} | set(parameters)
    outputs = tuple(v for out in program.outputs for v in out.values)
    needed = dict.fromkeys(a for u in late for x in u for a in x.args if a in known)
    needed |= dict.fromkeys(v for v in outputs if v in known)
    given = tuple(needed)
    setup = Task(program, tuple(parameters), (), given, _cut(early))
    return setup, Task(program, tuple(states), given, outputs, _cut(late))


def whole(program: Program) -> Task:
    """The Program with all its inputs, parameters too, as inputs of one run."""
    outputs = tuple(v for out in program.outputs for v in out.values)
    return Task(program, tuple(range(program.n_inputs)), (), outputs, _cut(as_written(program)))


def _cut(units: Sequence[Unit]) -> tuple[tuple[Unit, ...], ...]:
    """Segments of nearly equal length, each at most about SEGMENT long; one without work where there is no work."""
    count = max(1, -(-len(units) // SEGMENT))
    bounds = [len(units) * k // count for k in range(count + 1)]
    return tuple(tuple(units[a:b]) for a, b in pairwise(bounds))
