"""Trigonometric laws: turns about one direction, one after another, become one turn by the sum of the angles.

With x = a cos ψ + b sin ψ and y = b cos ψ - a sin ψ (a vector turned by ψ),

    x cos φ + y sin φ = a cos(ψ + φ) + b sin(ψ + φ),        x cos φ - y sin φ = a cos(ψ - φ) + b sin(ψ - φ)

which covers the sums of angles of parallel axes (a = 1, b = 0) and cos² + sin² = 1 (the angle ψ - φ being 0).

Contract: a sum is replaced where a or b is absent, where the new angle is a number, or where x and y are needed for this turn
alone; each saves products and sums for one sum of angles and two functions of it. Nothing else changes.
"""

import numpy as np

from armillary.expr.angles import take_apart
from armillary.expr.graph import Expr, Graph
from armillary.expr.numbers import PI
from armillary.passes.rewrite import Rule, remade
from armillary.program import Program

Signed = tuple[int, Expr]
"""(sign, node); (0, any node) stands for nothing."""

Component = tuple[Expr, Signed, Signed]
"""(φ, p, q) of p cos φ + q sin φ."""


def merge_turns(program: Program) -> Program:
    """The Program with chains of turns about one direction merged."""
    if not _has_candidates(program):
        return program
    return remade(program, lambda graph, nodes: _rule(program, graph, nodes))


def _has_candidates(program: Program) -> bool:
    """Whether a sum turns, by one angle, two values that both come from a turn by another: what the laws ask for first."""
    none: list[tuple[str, int, int]] = []
    factors: list[list[tuple[str, int, int]]] = [none] * program.first_result
    turned: list[set[int]] = [set[int]()] * program.first_result
    for _, op, arguments, first, count in program.statements():
        found, angles = none, set[int]()
        if op in ("cos", "sin"):
            found, angles = [(op, arguments[0], first)], {arguments[0]}
        elif op == "mul":
            a, b = arguments
            found = [(kind, angle, b) for kind, angle, trig in factors[a] if trig == a]
            found += [(kind, angle, a) for kind, angle, trig in factors[b] if trig == b]
            angles = {angle for _, angle, _ in found}
        elif op == "neg":
            found, angles = factors[arguments[0]], turned[arguments[0]]
        elif op in ("add", "sub"):
            for kind, angle, p in factors[arguments[0]]:
                for other, same, q in factors[arguments[1]]:
                    if same == angle and kind != other:
                        if not turned[p].isdisjoint(turned[q]):
                            return True
                        angles.add(angle)
        factors += [found] * count
        turned += [angles] * count
    return False


def _rule(program: Program, graph: Graph, nodes: list[Expr]) -> Rule:
    known: dict[int, list[Component]] = {}
    made_of: list[list[int]] = [[]] * program.first_result
    for _, _, arguments, _, count in program.statements():
        made_of += [arguments] * count
    uses = np.bincount(program.args, minlength=program.n_values).tolist()
    for out in program.outputs:
        for v in out.values:
            uses[v] += 1

    def rule(value: int, op: str, arguments: list[int], operands: list[Expr]) -> Expr | None:
        if op != "add" and op != "sub":
            return None
        a, b = operands
        if (a.op != "mul" and a.op != "neg") or (b.op != "mul" and b.op != "neg"):
            return None
        twice = {nodes[v].id for argument in arguments for v in made_of[argument] if uses[v] == 2}
        for angle, p, q in two_terms(graph, a, b, 1 if op == "add" else -1):
            passing = p[1].id in twice and q[1].id in twice
            for inner, x, y in components(graph, p[1], known):
                merged = _merged(graph, angle, p[0], q, inner, x, y, known, passing)
                if merged is not None:
                    return merged
        return None

    return rule


def two_terms(graph: Graph, a: Expr, b: Expr, sign: int) -> list[Component]:
    """All (φ, p, q) with a + sign · b = p cos φ + q sin φ, both there."""
    found: list[Component] = []
    second = terms(graph, b)
    for which, angle, p in terms(graph, a):
        for other, same, q in second:
            if same is angle and which != other:
                q_signed = (sign * q[0], q[1])
                found.append((angle, p, q_signed) if which == "cos" else (angle, q_signed, p))
    return found


def terms(graph: Graph, node: Expr) -> list[tuple[str, Expr, Signed]]:
    """All ("cos" or "sin", φ, (sign, x)) with node = sign · x cos φ, or sin φ."""
    sign = 1
    if node.op == "neg":
        sign, node = -1, node.args[0]
    if node.op in ("cos", "sin"):
        return [(node.op, node.args[0], (sign, graph.const(1)))]
    if node.op != "mul":
        return []
    x, y = node.args
    found = [(f.op, f.args[0], (sign, other)) for f, other in ((x, y), (y, x)) if f.op in ("cos", "sin")]
    return found[:1] if x is y else found


def components(graph: Graph, node: Expr, known: dict[int, list[Component]]) -> list[Component]:
    """All (ψ, a, b) with node = a cos ψ + b sin ψ, one of a and b may be nothing."""
    found = known.get(node.id)
    if found is None:
        sign, inner = (-1, node.args[0]) if node.op == "neg" else (1, node)
        found = known[node.id] = []
        for which, angle, x in terms(graph, inner):
            x, nothing = _times(sign, x), (0, node)
            found.append((angle, x, nothing) if which == "cos" else (angle, nothing, x))
        if inner.op in ("add", "sub"):
            first, second = inner.args
            for angle, a, b in two_terms(graph, first, second, 1 if inner.op == "add" else -1):
                found.append((angle, _times(sign, a), _times(sign, b)))
    return found


def _merged(
    graph: Graph,
    angle: Expr,
    sign: int,
    q: Signed,
    inner: Expr,
    x: Signed,
    y: Signed,
    known: dict[int, list[Component]],
    passing: bool,
) -> Expr | None:
    """sign · (x cos ψ + y sin ψ) cos φ + q sin φ as one turn, where q is the other component of the same vector.

    `passing` says that both are needed by one turn alone.
    """
    for same, c, s in components(graph, q[1], known):
        if same is not inner:
            continue
        c, s = _times(q[0] * sign, c), _times(q[0] * sign, s)
        if _equal(c, y) and _equal(s, _times(-1, x)):
            total = _sum(graph, inner, angle, 1)
        elif _equal(c, _times(-1, y)) and _equal(s, x):
            total = _sum(graph, inner, angle, -1)
        else:
            continue
        if x[0] and y[0] and total.const is None and not passing:
            continue
        a = graph.const(0) if not x[0] else x[1] * (x[0] * sign)
        b = graph.const(0) if not y[0] else y[1] * (y[0] * sign)
        return a * total.cos() + b * total.sin()
    return None


def _times(sign: int, x: Signed) -> Signed:
    return sign * x[0], x[1]


def _equal(x: Signed, y: Signed) -> bool:
    return x[0] == y[0] and (x[0] == 0 or x[1] is y[1])


def _sum(graph: Graph, a: Expr, b: Expr, sign: int) -> Expr:
    """a ± b, its parts in order of their making, so that every way to the same sum gives the same node."""
    total = take_apart(a + b if sign > 0 else a - b)
    result = graph.const(0)
    for part, multiple in total.terms:
        result = result + part * multiple
    return result + graph.const(PI) * total.turn
