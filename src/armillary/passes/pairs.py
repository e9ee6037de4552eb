"""Common subexpressions of sums and products whatever the order of their terms: a + b + c and b - d + a share a + b.

Contract: of the pairs of terms (with their relative sign) that several sums have, the one that most have is made one value for all,
then the next of those still whole; each saves an operation for every sum but one. The same for products. Sums and products that
parameters alone decide are left alone, and so are those of more than `LONGEST` terms, whose pairs are too many to look at.
"""

from collections.abc import Mapping

from armillary.expr.graph import Expr, Graph
from armillary.passes.parts import PRODUCTS, SUMS, Parts
from armillary.passes.rewrite import Rule, remade
from armillary.program import Program

LONGEST = 16

Pair = tuple[int, int, int]
"""(a, b, relative sign): a + b or a - b, a made before b."""

Terms = list[tuple[int, int]]
"""(sign, value); of a product all signs are 1."""


def share_pairs(program: Program) -> Program:
    """The Program with pairs of terms that several sums or products have in common made one."""
    parts = Parts(program)
    sums = {v: parts.terms(v) for v in parts.roots(SUMS)}
    products = {v: [(1, f) for f in parts.factors(v)] for v in parts.roots(PRODUCTS)}
    paired = _paired(sums) | _paired(products)
    if not paired:
        return program

    def rule_for(graph: Graph, nodes: list[Expr]) -> Rule:
        def rule(value: int, op: str, arguments: list[int], operands: list[Expr]) -> Expr | None:
            if value not in paired:
                return None
            if op == "mul":
                return _product(products[value], paired[value], nodes)
            return _sum(sums[value], paired[value], nodes)

        return rule

    return remade(program, rule_for)


def _paired(wholes: Mapping[int, Terms]) -> dict[int, list[Pair]]:
    """The pairs to make in each sum or product that has some."""
    holders: dict[Pair, list[int]] = {}
    for whole, terms in wholes.items():
        values = [v for _, v in terms]
        if len(terms) > LONGEST or len(set(values)) < len(values):
            continue
        for k, (sign, a) in enumerate(terms):
            for other, b in terms[:k]:
                pair = (a, b, sign * other) if a < b else (b, a, sign * other)
                holders.setdefault(pair, []).append(whole)
    chosen: dict[int, list[Pair]] = {}
    taken: dict[int, set[int]] = {}
    shared = [(pair, whole) for pair, whole in holders.items() if len(whole) > 1]
    for pair, having in sorted(shared, key=lambda item: (-len(item[1]), item[0])):
        free = [w for w in having if taken.get(w, set[int]()).isdisjoint(pair[:2])]
        if len(free) > 1 and any(len(wholes[w]) > 2 for w in free):
            for whole in free:
                chosen.setdefault(whole, []).append(pair)
                taken.setdefault(whole, set()).update(pair[:2])
    return chosen


def _sum(terms: Terms, pairs: list[Pair], nodes: list[Expr]) -> Expr:
    """The sum, each pair first made one value; a term that is added comes first where there is one."""
    signs = {v: sign for sign, v in terms}
    units = [(signs[a], nodes[a] + nodes[b] if s > 0 else nodes[a] - nodes[b]) for a, b, s in pairs]
    single = {v for a, b, _ in pairs for v in (a, b)}
    units += [(sign, nodes[v]) for sign, v in terms if v not in single]
    (sign, total), *rest = sorted(units, key=lambda unit: -unit[0])
    total = total if sign > 0 else -total
    for sign, unit in rest:
        total = total + unit if sign > 0 else total - unit
    return total


def _product(terms: Terms, pairs: list[Pair], nodes: list[Expr]) -> Expr:
    """The product, each pair first made one value."""
    single = {v for a, b, _ in pairs for v in (a, b)}
    units = [nodes[a] * nodes[b] for a, b, _ in pairs] + [nodes[v] for _, v in terms if v not in single]
    total = units[0]
    for unit in units[1:]:
        total = total * unit
    return total
