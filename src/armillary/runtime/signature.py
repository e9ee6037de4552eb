"""What a Function takes and gives, whatever it was made of."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from armillary.program.program import Input


class Shaped(Protocol):
    """An array by name: an input, an output of a Program, a variable of a Routine."""

    @property
    def name(self) -> str: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def size(self) -> int: ...


@dataclass(frozen=True)
class Signature:
    """`states` are given with every call, `parameters` once for many. `work` is about the operations of one run."""

    name: str
    states: Sequence[Input]
    parameters: Sequence[Input]
    outputs: Sequence[Shaped]
    work: int
