"""Values to try generated code with: defaults where there are any, else short decimals that differ from one another."""

from collections.abc import Iterable
from itertools import count

from armillary.program.program import Input

_PERIOD = 19


def sample(inputs: Iterable[Input]) -> dict[str, tuple[float, ...]]:
    """A value for every element of every input, by the name of the input: 0.1, 0.2, … 1.9 and again."""
    numbers = count()
    return {
        x.name: x.default if x.default is not None else tuple((next(numbers) % _PERIOD + 1) / 10 for _ in range(x.size))
        for x in inputs
    }
