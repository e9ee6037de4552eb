"""The sequences of passes, and how a sequence is run: each result verified, and kept only where it costs no more."""

from collections.abc import Callable, Sequence

from armillary.expr.collector import collector_paused
from armillary.passes.common import share
from armillary.passes.gather import gather
from armillary.passes.pairs import share_pairs
from armillary.passes.turns import merge_turns
from armillary.program import Cost, Program, cost, verify

Pass = Callable[[Program], Program]
"""A Program with the same outputs for the same inputs, up to rounding."""

PASSES: dict[str, Pass] = {"common": share, "turns": merge_turns, "gather": gather, "pairs": share_pairs}
"""Every pass by name."""

DEFAULT = ("common", "turns", "gather", "pairs")
"""The sequence that models go through unless asked otherwise."""


def optimise(program: Program, sequence: Sequence[str] = DEFAULT) -> Program:
    """The Program after the passes of `sequence`, never dearer than it was."""
    with collector_paused():
        price = _price(program)
        for name in sequence:
            candidate = PASSES[name](program)
            if candidate is not program:
                candidate_price = _price(verify(candidate))
                if candidate_price <= price:
                    program, price = candidate, candidate_price
    return program


def _price(program: Program) -> tuple[int, ...]:
    """What Programs are compared by: mul + add online, then functions and divisions online, then setup."""
    online, setup = cost(program)
    return online.total, online.trig + online.div + online.other, _all(setup)


def _all(c: Cost) -> int:
    return c.total + c.trig + c.div + c.other
