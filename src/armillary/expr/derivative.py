"""Derivatives on the graph: forward, from the symbols to the roots, and reverse, from the roots to the symbols.

Each rule comes from the op table: dy = Σ_i ∂y/∂a_i da_i. A linear system A X = B has

    forward   dX = A⁻¹ (dB - dA X)
    reverse   B̄ = A⁻ᵀ X̄,   Ā = -B̄ Xᵀ

and all directions share one elimination. Zeros are never carried: what a direction does not reach costs nothing.
"""

from collections.abc import Sequence
from itertools import product

from armillary.expr.graph import Expr, topological
from armillary.expr.ops import OPS, RESULT, SOLVE

Sparse = dict[int, Expr]
"""A derivative for each direction that has one."""


def jacobian(roots: Sequence[Expr], symbols: Sequence[Expr], reverse: bool = False) -> list[list[Expr]]:
    """∂root_i/∂symbol_j, all nodes of one graph."""
    if not roots or not symbols:
        return [[] for _ in roots]
    zero = symbols[0].graph.const(0)
    if reverse:
        rows = reverse_derivatives(roots, symbols)
        return [[rows[j].get(i, zero) for j in range(len(symbols))] for i in range(len(roots))]
    return [[d.get(j, zero) for j in range(len(symbols))] for d in forward_derivatives(roots, symbols)]


def forward_derivatives(roots: Sequence[Expr], symbols: Sequence[Expr]) -> list[Sparse]:
    """For each root its derivatives along each symbol, by the symbol's place."""
    one = symbols[0].graph.const(1)
    tangents: dict[int, Sparse] = {s.id: {j: one} for j, s in enumerate(symbols)}
    solved: dict[int, list[Sparse]] = {}
    for node in topological(roots):
        if node.id in tangents or not node.args:
            continue
        if node.op == SOLVE:
            solved[node.id] = _solved_tangents(node, tangents)
        elif node.op == RESULT:
            tangents[node.id] = solved[node.args[0].id][node.attr]
        else:
            moving = [(i, tangents[a.id]) for i, a in enumerate(node.args) if tangents.get(a.id)]
            if moving:
                tangents[node.id] = _chained(node, moving)
    return [tangents.get(r.id, {}) for r in roots]


def _chained(node: Expr, moving: list[tuple[int, Sparse]]) -> Sparse:
    """Σ_i ∂y/∂a_i da_i over the arguments that move."""
    slopes = OPS[node.op].partials(node, *node.args)
    total: Sparse = {}
    for i, tangent in moving:
        for j, t in tangent.items():
            term = t * slopes[i]
            if term.const != 0:
                total[j] = total[j] + term if j in total else term
    return {j: t for j, t in total.items() if t.const != 0}


def _solved_tangents(node: Expr, tangents: dict[int, Sparse]) -> list[Sparse]:
    """The tangents of X in A X = B, element by element: A dX = dB - dA X for all directions at once."""
    g = node.graph
    n, m = _size(node)
    A, X = _matrix(node), [g.intern(RESULT, (node,), k) for k in range(n * m)]
    moved = [tangents.get(a.id, {}) for a in node.args]
    directions = sorted({j for tangent in moved for j in tangent})
    zero = g.const(0)
    right: list[list[Expr]] = [[] for _ in range(n)]
    for j, column in product(directions, range(m)):
        for i in range(n):
            total = moved[n * n + i * m + column].get(j, zero)
            for k in range(n):
                change = moved[i * n + k].get(j)
                if change is not None:
                    total = total - change * X[k * m + column]
            right[i].append(total)
    if not directions:
        return [{} for _ in X]
    solution = g.solve(A, right)
    found: list[Sparse] = []
    for i, column in product(range(n), range(m)):
        row = {j: solution[i][place * m + column] for place, j in enumerate(directions)}
        found.append({j: t for j, t in row.items() if t.const != 0})
    return found


def reverse_derivatives(roots: Sequence[Expr], symbols: Sequence[Expr]) -> list[Sparse]:
    """For each symbol the derivatives of each root along it, by the root's place."""
    g = symbols[0].graph
    needed = _reached_from(roots, symbols)
    adjoints: dict[int, Sparse] = {}
    for i, root in enumerate(roots):
        if root.id in needed:
            _add(adjoints, root, {i: g.const(1)})
    results: dict[int, dict[int, Sparse]] = {}
    for node in reversed([x for x in topological(roots) if x.id in needed]):
        if node.op == SOLVE:
            _pull_back_solve(node, results.pop(node.id, {}), needed, adjoints)
            continue
        bar = adjoints.get(node.id)
        if bar is None or not node.args:
            continue
        if node.op == RESULT:
            results.setdefault(node.args[0].id, {})[node.attr] = bar
            continue
        slopes = OPS[node.op].partials(node, *node.args)
        for a, slope in zip(node.args, slopes, strict=True):
            if a.id in needed:
                _add(adjoints, a, {i: b * slope for i, b in bar.items()})
    return [adjoints.get(s.id, {}) for s in symbols]


def _reached_from(roots: Sequence[Expr], symbols: Sequence[Expr]) -> set[int]:
    """The nodes between the symbols and the roots."""
    needed = {s.id for s in symbols}
    for node in topological(roots):
        if any(a.id in needed for a in node.args):
            needed.add(node.id)
    return needed


def _add(adjoints: dict[int, Sparse], node: Expr, more: Sparse) -> None:
    total = adjoints.setdefault(node.id, {})
    for i, term in more.items():
        if term.const != 0:
            total[i] = total[i] + term if i in total else term


def _pull_back_solve(node: Expr, bars: dict[int, Sparse], needed: set[int], adjoints: dict[int, Sparse]) -> None:
    """B̄ = A⁻ᵀ X̄ for the adjoints of all roots at once, and Ā = -B̄ Xᵀ."""
    if not bars:
        return
    g = node.graph
    n, m = _size(node)
    zero = g.const(0)
    roots = sorted({i for bar in bars.values() for i in bar})
    right = [[bars.get(i * m + c, {}).get(r, zero) for r in roots for c in range(m)] for i in range(n)]
    A = _matrix(node)
    B_bar = g.solve([[A[j][i] for j in range(n)] for i in range(n)], right)
    X = [g.intern(RESULT, (node,), k) for k in range(n * m)]
    for i in range(n):
        for c in range(m):
            b = node.args[n * n + i * m + c]
            if b.id in needed:
                _add(adjoints, b, {r: B_bar[i][p * m + c] for p, r in enumerate(roots)})
        for k in range(n):
            a = node.args[i * n + k]
            if a.id in needed:
                for p, r in enumerate(roots):
                    for c in range(m):
                        _add(adjoints, a, {r: -(B_bar[i][p * m + c] * X[k * m + c])})


def _size(node: Expr) -> tuple[int, int]:
    n, m = node.attr
    return int(n), int(m)


def _matrix(node: Expr) -> list[list[Expr]]:
    n, _ = _size(node)
    return [list(node.args[i * n : (i + 1) * n]) for i in range(n)]
