"""Expressions, and formulas that were typed, `ZZ1 + D3**2*M3`, as mathematicians write them."""

from collections.abc import Mapping

from armillary.expr.graph import Expr, Graph, topological
from armillary.expr.parse import parse
from armillary.targets.latex.formula import Sum, Writer, constant, joined, symbol
from armillary.targets.latex.symbols import name
from armillary.targets.schedule import Operation

DIGITS = 6


def typed(text: str) -> str:
    """The formula on one line; an ExpressionError where the text is none."""
    return typeset(parse(text, Graph()))


def typeset(expr: Expr, symbols: Mapping[str, str] | None = None) -> str:
    """An expression on one line; `symbols` are those that are not written as their names say."""
    known = symbols or {}
    leaves: dict[int, Sum] = {}
    folded: dict[int, Operation] = {}
    for k, node in enumerate(topological([expr])):
        if node.const is not None:
            leaves[node.id] = constant(node.const)
        elif node.op == "symbol":
            leaves[node.id] = symbol(known.get(node.attr) or name(node.attr), (1, k))
        else:
            folded[node.id] = Operation(k, node.op, tuple(a.id for a in node.args), node.id, 1)
    writer = Writer(leaves, folded, DIGITS)
    return joined(writer.tokens(writer.value(expr.id)))
