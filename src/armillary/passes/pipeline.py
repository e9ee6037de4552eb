"""The sequences of passes, and how a sequence is run: each result verified, and kept only where it costs no more."""

from collections.abc import Callable, Sequence

from armillary.expr.collector import collector_paused
from armillary.passes.common import share
from armillary.passes.gather import gather
from armillary.passes.turns import merge_turns
from armillary.program import Cost, Program, cost, verify

Pass = Callable[[Program], Program]
"""A Program with the same outputs for the same inputs, up to rounding."""

PASSES: dict[str, Pass] = {"common": share, "turns": merge_turns, "gather": gather}
"""Every pass by name."""

DEFAULT = ("turns", "gather")
"""The sequence that models go through unless asked otherwise."""


def optimise(program: Program, sequence: Sequence[str] = DEFAULT) -> Program:
    """The Program after the passes of `sequence`, never dearer than it was."""
    with collector_paused():
        price = _price(program)
        for name in sequence:
            better = verify(PASSES[name](program))
            if _price(better) <= price:
                program, price = better, _price(better)
    return program


def _price(program: Program) -> tuple[int, ...]:
    """What Programs are compared by: mul + add online, then functions and divisions online, then setup."""
    online, setup = cost(program)
    return online.total, online.trig + online.div + online.other, _all(setup)


def _all(c: Cost) -> int:
    return c.total + c.trig + c.div + c.other
