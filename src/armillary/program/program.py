"""`Program`: named inputs and outputs, and straight-line statements between them, held as arrays.

Values are numbered: first the elements of the inputs, in their order and row by row; then the constants; then the
results of the statements, one after another. A statement's arguments have smaller numbers than its results. A statement
`solve` of an n x n system with m right-hand sides has n·m results; every other statement has one.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from math import prod
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from armillary.errors import ProgramError
from armillary.expr import numbers
from armillary.expr.numbers import Number
from armillary.expr.ops import NAMES, SOLVE_CODE

Role = Literal["state", "parameter"]
"""A state changes from call to call; a parameter belongs to the robot, and work on parameters alone is setup."""

Layout = Literal["dense", "symmetric", "pattern"]


@dataclass(frozen=True, slots=True)
class Input:
    """A named array of scalars that a Program takes.

    `labels` names its elements, row by row (a joint, a parameter); `default` is a value for each element, or None.
    """

    name: str
    shape: tuple[int, ...] = ()
    role: Role = "state"
    unit: str = ""
    doc: str = ""
    labels: tuple[str, ...] = ()
    default: tuple[float, ...] | None = None

    @property
    def size(self) -> int:
        return prod(self.shape)


@dataclass(frozen=True, slots=True)
class Output:
    """A named array of scalars that a Program gives; `values` are the numbers of its elements, row by row."""

    name: str
    shape: tuple[int, ...]
    values: tuple[int, ...]
    unit: str = ""
    doc: str = ""
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        return len(self.values)


@dataclass(frozen=True, slots=True)
class About:
    """What a Program is a model of: shown in headers, no part of what it computes."""

    robot: str = ""
    model: str = ""
    equation: str = ""
    source: str = ""
    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, eq=False)
class Program:
    """Straight-line statements from `inputs` to `outputs`.

    `ops[k]` is the code (index in `expr.ops.NAMES`) of statement k; its arguments are `args[starts[k]:starts[k + 1]]`;
    `widths[k]` is the number of right-hand sides of a `solve` and 0 for every other operation. Two Programs with the
    same digest compute the same thing in the same way; `hints` (names for values) and `about` are not part of it.
    """

    name: str
    inputs: tuple[Input, ...]
    outputs: tuple[Output, ...]
    constants: tuple[Number, ...]
    ops: NDArray[np.uint8]
    starts: NDArray[np.int32]
    args: NDArray[np.int32]
    widths: NDArray[np.int32]
    hints: dict[int, str] = field(default_factory=dict[int, str])
    about: About = About()

    # ---- values ----

    @cached_property
    def n_inputs(self) -> int:
        """The number of input elements: the values 0 … n_inputs - 1."""
        return sum(x.size for x in self.inputs)

    @cached_property
    def first_result(self) -> int:
        """The number of the first statement's first result."""
        return self.n_inputs + len(self.constants)

    @cached_property
    def results(self) -> NDArray[np.int32]:
        """results[k] is the first result of statement k; the last entry is the number of all values."""
        counts = np.ones(len(self.ops), dtype=np.int32)
        for k in np.flatnonzero(self.ops == SOLVE_CODE):
            n, m = self.system(int(k))
            counts[k] = n * m
        return np.concatenate(([self.first_result], self.first_result + np.cumsum(counts))).astype(np.int32)

    @property
    def n_values(self) -> int:
        return int(self.results[-1])

    def system(self, k: int) -> tuple[int, int]:
        """(n, m) of the `solve` statement k: n equations, m right-hand sides."""
        m, total = int(self.widths[k]), int(self.starts[k + 1] - self.starts[k])
        n = next(n for n in range(1, total + 1) if n * (n + m) >= total)
        if n * (n + m) != total:
            raise ProgramError(
                f"statement {k} of {self.name}: a solve with {m} right-hand sides cannot have {total} arguments"
            )
        return n, m

    def statements(self) -> Iterator[tuple[int, str, list[int], int, int]]:
        """(k, operation, arguments, first result, number of results) of every statement."""
        return iter(self._rows)

    @cached_property
    def _rows(self) -> list[tuple[int, str, list[int], int, int]]:
        starts, results, args = self.starts.tolist(), self.results.tolist(), self.args.tolist()
        return [
            (k, NAMES[code], args[starts[k] : starts[k + 1]], results[k], results[k + 1] - results[k])
            for k, code in enumerate(self.ops.tolist())
        ]

    @cached_property
    def setup(self) -> NDArray[np.bool_]:
        """For every statement, whether it depends on parameters and constants alone."""
        known: list[bool] = []
        for x in self.inputs:
            known += [x.role == "parameter"] * x.size
        known += [True] * len(self.constants)
        answer: list[bool] = []
        for _, _, arguments, _, count in self._rows:
            early = False not in [known[a] for a in arguments]
            known += [early] * count
            answer.append(early)
        return np.array(answer, dtype=bool)

    def offset(self, name: str) -> int:
        """The value number of the first element of the input `name`."""
        start = 0
        for x in self.inputs:
            if x.name == name:
                return start
            start += x.size
        raise self._unknown("input", name, [x.name for x in self.inputs])

    def input(self, name: str) -> Input:
        """The input of that name."""
        for x in self.inputs:
            if x.name == name:
                return x
        raise self._unknown("input", name, [x.name for x in self.inputs])

    def output(self, name: str) -> Output:
        """The output of that name."""
        for x in self.outputs:
            if x.name == name:
                return x
        raise self._unknown("output", name, [x.name for x in self.outputs])

    def _unknown(self, what: str, name: str, known: list[str]) -> ProgramError:
        return ProgramError(f"{self.name} has no {what} {name!r}; it has {', '.join(known) or 'none'}")

    @property
    def states(self) -> tuple[Input, ...]:
        return tuple(x for x in self.inputs if x.role == "state")

    @property
    def parameters(self) -> tuple[Input, ...]:
        return tuple(x for x in self.inputs if x.role == "parameter")

    # ---- structure of outputs ----

    def constant(self, value: int) -> Number | None:
        """The number that `value` is, when it is a constant."""
        k = value - self.n_inputs
        return self.constants[k] if 0 <= k < len(self.constants) else None

    def layout(self, name: str) -> Layout:
        """`symmetric`: a matrix equal to its transpose by structure; `pattern`: some elements are 0 by structure."""
        out = self.output(name)
        if len(out.shape) != 2:
            return "dense"
        n, m = out.shape
        values = out.values
        if n == m and n > 1 and all(values[i * n + j] == values[j * n + i] for i in range(n) for j in range(i)):
            return "symmetric"
        return "pattern" if any(self.constant(v) == 0 for v in values) else "dense"

    # ---- identity ----

    @cached_property
    def digest(self) -> str:
        """SHA-256 of all that decides what is computed and how."""
        head = [repr((x.name, x.shape, x.role)) for x in self.inputs]
        head += [repr((x.name, x.shape, x.values)) for x in self.outputs]
        head += [numbers.text(c) for c in self.constants]
        h = sha256("\n".join(head).encode())
        for array in (self.ops, self.starts, self.args, self.widths):
            h.update(np.ascontiguousarray(array).tobytes())
        return h.hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Program) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def with_(self, **changes: Any) -> "Program":
        """A copy with some fields replaced."""
        return replace(self, **changes)
