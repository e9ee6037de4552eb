"""The joint coordinate within theta (of a hinge) or r (of a slide): `th2 + pi/2` is the coordinate th2 and the offset pi/2."""

from collections.abc import Collection

from armillary.errors import ExpressionError
from armillary.expr.angles import take_apart
from armillary.expr.graph import Graph, symbols_in
from armillary.expr.parse import FUNCTIONS, NOT_NUMBERS, PI_NAMES, parse
from armillary.robot import Value, value

USUAL = {"theta": ("th{}", "theta{}", "t{}", "q{}"), "r": ("r{}", "q{}"), "d": ("d{}", "q{}")}
"""What the coordinate of joint j is usually called, {} being j."""


def usual_names(key: str, j: int) -> tuple[str, ...]:
    """The names by which a coordinate is known where there are several symbols."""
    return tuple(name.format(j) for name in USUAL[key])


def separate(text: str, known: Collection[str]) -> tuple[str, Value]:
    """(coordinate, offset) of a formula that is a coordinate plus an offset.

    The coordinate is the symbol that is added as it is, with the factor 1. Where there are several it is the one whose
    name is among `known`.
    """
    graph = Graph()
    expr = parse(text, graph)
    terms = take_apart(expr).terms
    added = [str(part.attr) for part, factor in terms if part.op == "symbol" and factor == 1]
    elsewhere = set(symbols_in([part for part, factor in terms if part.op != "symbol" or factor != 1]))
    candidates = [name for name in added if name not in elsewhere]
    if len(candidates) > 1:
        candidates = [name for name in candidates if name in known] or candidates
    if not candidates:
        raise ExpressionError("it holds no symbol that is added with the factor 1, as th2 + pi/2 has th2")
    if len(candidates) > 1:
        raise ExpressionError(f"which of {', '.join(candidates)} is the coordinate? call it {' or '.join(known)}")
    name = candidates[0]
    return name, value(graph.copy([expr], {name: graph.const(0)})[0])


def sayable(name: str) -> bool:
    """Whether a formula can have a symbol of that name."""
    taken = name in FUNCTIONS or name in PI_NAMES or name.lower() in NOT_NUMBERS
    return name.isascii() and name.isidentifier() and not taken
