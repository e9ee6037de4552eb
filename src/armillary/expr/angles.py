"""Angles as sums: q1 + 2 q2 - pi/2 taken apart into rational multiples of its parts and of pi."""

from dataclasses import dataclass
from fractions import Fraction

from armillary.expr.graph import Expr
from armillary.expr.numbers import PiMultiple


@dataclass(frozen=True, slots=True)
class Angle:
    """Σ multiple · part + turn · pi, the parts in order of id, none with the multiple 0."""

    terms: tuple[tuple[Expr, Fraction], ...]
    turn: Fraction


def take_apart(expr: Expr) -> Angle:
    """`expr` as a sum. What is neither a sum nor a rational multiple is a part; so are numbers but multiples of pi."""
    multiples: dict[int, Fraction] = {}
    parts: dict[int, Expr] = {}
    turn = Fraction(0)
    todo = [(expr, Fraction(1))]
    while todo:
        node, factor = todo.pop()
        if node.op in ("add", "sub"):
            todo += [(node.args[0], factor), (node.args[1], factor if node.op == "add" else -factor)]
        elif node.op == "neg":
            todo.append((node.args[0], -factor))
        elif node.op == "mul" and isinstance(node.args[0].const, int | Fraction):
            todo.append((node.args[1], factor * node.args[0].const))
        elif isinstance(node.const, PiMultiple):
            turn += factor * node.const.ratio
        elif node.const != 0:
            parts[node.id] = node
            multiples[node.id] = multiples.get(node.id, Fraction(0)) + factor
    return Angle(tuple((parts[i], multiples[i]) for i in sorted(parts) if multiples[i]), turn)
