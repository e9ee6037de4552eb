"""Sums and products of several terms put in the order that moves most work to the parameters: gathering and factoring.

    (p x) r = (p r) x,    (x + p) + r = x + (p + r)         p, r of parameters alone
    x y ± x z = x (y ± z)                                   where the products are needed nowhere else

Contract: a sum or a product that is used once, by a sum or a product of its kind, is taken as a part of that; what is used
elsewhere too stays as it is. Of the factors that terms have in common the one shared by most goes first, factors that leave a
sum of parameters alone before others. A sum or product in which nothing is gained keeps its form.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import mul

from armillary.expr.graph import Expr, Graph
from armillary.passes.parts import SUMS, Parts
from armillary.passes.rewrite import Rule, remade
from armillary.program import Program

Factor = tuple[Expr, bool]
"""A node, and whether parameters alone decide it."""


@dataclass(frozen=True, slots=True, eq=False)
class _Term:
    """sign · Π factors."""

    sign: int
    factors: list[Factor]

    @property
    def early(self) -> bool:
        """Whether parameters alone decide it."""
        return all(early for _, early in self.factors)

    @property
    def products(self) -> int:
        """Multiplications online, the parameters' product having been made before."""
        late = sum([not early for _, early in self.factors])
        return 0 if late == 0 else late - (late == len(self.factors))

    def without(self, factor: Expr) -> _Term:
        """The other factors, 1 where there is none."""
        k = next(k for k, (f, _) in enumerate(self.factors) if f is factor)
        return _Term(self.sign, self.factors[:k] + self.factors[k + 1 :] or [(factor.graph.const(1), True)])


def gather(program: Program) -> Program:
    """The Program with its sums and products gathered and factored."""
    parts = Parts(program)

    def rule_for(graph: Graph, nodes: list[Expr]) -> Rule:
        def rule(value: int, op: str, arguments: list[int], operands: list[Expr]) -> Expr | None:
            if parts.early[value] or parts.inner[value]:
                return None
            if op in SUMS:
                return _gathered_sum(parts, nodes, value)
            return _gathered_product(parts, nodes, value) if op == "mul" else None

        return rule

    return remade(program, rule_for)


def _gathered_sum(parts: Parts, nodes: list[Expr], value: int) -> Expr | None:
    """The sum with its parameters gathered and common factors taken out, None where that gains nothing."""
    terms: list[tuple[int, list[int]]] = []
    seen: set[int] = set()
    loose, alike = 0, False
    for sign, v in parts.terms(value):
        if parts.early[v]:
            loose += 1
            terms.append((sign, [v]))
        else:
            factors = parts.factors(v) if parts.ops[v] == "mul" and parts.once[v] else [v]
            alike = alike or not seen.isdisjoint(factors)
            seen.update(factors)
            terms.append((sign, factors))
    if loose < 2 and not alike:
        return None
    return _total([_Term(sign, [(nodes[v], parts.early[v]) for v in factors]) for sign, factors in terms])


def _gathered_product(parts: Parts, nodes: list[Expr], value: int) -> Expr | None:
    """The product with its parameters gathered, None where it has less than two, or they are together already."""
    a, b = parts.args[value]
    if not (parts.inner[a] or parts.inner[b]):
        return None
    factors = [(nodes[v], parts.early[v]) for v in parts.factors(value)]
    return _product(factors) if sum(early for _, early in factors) > 1 else None


def _product(factors: list[Factor]) -> Expr:
    """The parameters first, the rest in the order given."""
    early = [factor for factor, is_early in factors if is_early]
    late = [factor for factor, is_early in factors if not is_early]
    return reduce(mul, ([reduce(mul, early)] if early else []) + late)


def _total(terms: list[_Term]) -> Expr:
    """Σ terms: common factors out, one after another, what parameters alone decide summed apart and added last."""
    while (found := _best_factor(terms)) is not None:
        factor, members = found
        inside = [term.without(factor[0]) for term in members]
        product = _Term(1, [factor, (_total(inside), all(term.early for term in inside))])
        at = next(k for k, term in enumerate(terms) if term is members[0])
        others = [term for term in terms[at:] if not any(term is member for member in members)]
        terms = [*terms[:at], product, *others]
    late = [(term.sign, _product(term.factors)) for term in terms if not term.early]
    early = [(term.sign, _product(term.factors)) for term in terms if term.early]
    return _sum([*late, (1, _sum(early))] if early else late)


def _best_factor(terms: list[_Term]) -> tuple[Factor, list[_Term]] | None:
    """The factor that saves most operations online when taken out, the first of equals, and the terms that have it."""
    holders: dict[int, tuple[Factor, list[_Term]]] = {}
    for term in terms:
        if not term.early:
            for factor in {f.id: (f, early) for f, early in term.factors}.values():
                holders.setdefault(factor[0].id, (factor, []))[1].append(term)
    best, most = None, 0
    for factor, members in holders.values():
        if len(members) > 1:
            inside = [term.without(factor[0]) for term in members]
            gain = sum([t.products for t in members]) - sum([t.products for t in inside]) - 1
            if all(t.early for t in inside):
                gain += len(members) - 1
            if gain > most:
                best, most = (factor, members), gain
    return best


def _sum(terms: list[tuple[int, Expr]]) -> Expr:
    """Σ sign · node, from left to right."""
    (sign, total), *rest = terms
    total = total if sign > 0 else -total
    for sign, node in rest:
        total = total + node if sign > 0 else total - node
    return total
