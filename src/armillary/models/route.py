"""The Jacobian on the way that costs least."""

from armillary.errors import ModelError
from armillary.expr.graph import Expr, topological
from armillary.expr.ops import OPS
from armillary.kinematics.jacobian import Route, cheapest_route, jacobian, vias
from armillary.models.derivation import Derivation


def operations(roots: list[Expr]) -> int:
    """Multiplications and additions that these results take together."""
    return sum(OPS[n.op].cost in ("mul", "add") for n in topological(roots) if n.op in OPS)


def cheapest_jacobian(d: Derivation, frame: str, expressed_in: str, via: str | None) -> list[list[Expr]]:
    """The Jacobian on the route of least cost; the intermediate frame is `via` where one is named."""
    known = vias(d.tree, frame)
    if via is not None and via not in known:
        raise ModelError(f"{via!r} is no intermediate frame on the way to {frame}; there are {', '.join(known)}")
    made: dict[Route, list[list[Expr]]] = {}

    def cost(route: Route) -> int:
        made[route] = [[d.graph.lift(x) for x in row] for row in jacobian(d.tree, d.q, frame, expressed_in, route)]
        return operations([x for row in made[route] for x in row])

    return made[cheapest_route(d.tree, frame, expressed_in, cost, via)]
