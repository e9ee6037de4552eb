"""The Jacobian on the way that costs least."""

from armillary.errors import ModelError
from armillary.expr.graph import Expr, topological
from armillary.expr.ops import OPS
from armillary.kinematics.jacobian import jacobian, routes
from armillary.models.derivation import Derivation


def operations(roots: list[Expr]) -> int:
    """Multiplications and additions that these results take together."""
    return sum(OPS[n.op].cost in ("mul", "add") for n in topological(roots) if n.op in OPS)


def cheapest_jacobian(d: Derivation, frame: str, expressed_in: str, via: str | None) -> list[list[Expr]]:
    """The Jacobian on the route of least cost; the intermediate frame is `via` where one is named."""
    ways = routes(d.tree, frame)
    chosen = [r for r in ways if via in (None, r.via)]
    if not chosen:
        known = ", ".join(dict.fromkeys(r.via for r in ways))
        raise ModelError(f"{via!r} is no intermediate frame on the way to {frame}; there are {known}")
    best: tuple[int, list[list[Expr]]] | None = None
    for route in chosen:
        J = [[d.graph.lift(x) for x in row] for row in jacobian(d.tree, d.q, frame, expressed_in, route)]
        cost = operations([x for row in J for x in row])
        if best is None or cost < best[0]:
            best = cost, J
    assert best is not None
    return best[1]
