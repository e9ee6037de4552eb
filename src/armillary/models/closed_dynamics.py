"""Dynamics of robots whose joints are tied together, in their independent joints."""

from collections.abc import Callable, Sequence
from typing import Any

from armillary.dynamics.closed import Closed
from armillary.dynamics.loops import (
    closed_direct_dynamics,
    closed_hybrid_dynamics,
    closed_inertia_matrix,
    closed_inverse_dynamics,
    cut_reactions,
    direct_dynamics_with_multipliers,
    generalised_forces,
)
from armillary.errors import ModelError
from armillary.expr.graph import Expr
from armillary.models.closed import (
    INDEPENDENT,
    MODE,
    PROJECTION,
    TIED,
    closed,
    determined,
    driven,
    given,
    named_places,
    tell_forces,
    tell_wrenches,
)
from armillary.models.derivation import Derivation
from armillary.models.entry import Entry, Option
from armillary.program.program import Input
from armillary.robot import Description


def _inverse(d: Derivation, independent: Sequence[str], weighted: bool, mode: int | None) -> None:
    c = driven(d, closed(d, independent, mode))
    weights, preload = _preference(d, c) if weighted else (None, None)
    found = closed_inverse_dynamics(c, given(d, c, "qd"), given(d, c, "qdd"), d.base, weights, preload)
    tell_forces(d, "tau_a", c.partition.actuated, found, "torques and forces of the active joints")


def _preference(d: Derivation, c: Closed) -> tuple[list[Expr], list[Expr]]:
    """Weights and preload of the motors, as inputs."""
    places = c.partition.actuated
    n = len(places)
    if n == len(c.partition.independent):
        raise ModelError(
            f"{d.description.name} has as many motors as it is mobile, {n}: its torques leave nothing to weigh or to preload"
        )
    labels = tuple(f"WG{k + 1}" for k in places)
    doc = "weights of the motors' torques, squared and added up to what is least"
    weights = d.input(Input("weights", (n,), "parameter", "", doc, labels, (1.0,) * n))
    doc = "torques wished for; the part of them that moves nothing is added"
    labels = tuple(f"GAM0{k + 1}" for k in places)
    return weights, d.input(Input("preload", (n,), "state", d.unit("tau", places), doc, labels))


INVERSE_DYNAMICS = Entry(
    name="closed-inverse-dynamics",
    title="inverse dynamic model of the closed loops",
    equation="G_aᵀ Γ_c = Gᵀ Γ_tr = Γ_i + Wᵀ Γ_d",
    source=f"{PROJECTION}, eq. 56, projecting the recursive Newton-Euler torques of the tree",
    inputs=("q", "qd_a", "qdd_a"),
    outputs=("tau_a",),
    build=_inverse,
    options=(
        INDEPENDENT,
        Option(
            "weighted",
            "bool",
            False,
            "where there are more motors than needed: weights and a preload of the motors become inputs",
        ),
        MODE,
    ),
    accepts=TIED,
    loops="only",
)


def _bias(d: Derivation, independent: Sequence[str], mode: int | None) -> None:
    c = closed(d, independent, mode)
    qd = given(d, c, "qd")
    H = generalised_forces(c, qd, [d.graph.const(0)] * len(qd), d.base)
    tell_forces(d, "H", c.partition.independent, H, "forces along the independent joints at their accelerations 0")


BIAS = Entry(
    name="closed-bias",
    title="all torques of the closed loops but those of independent accelerations",
    equation="H_c = Gᵀ Γ_tr with q''_i = 0",
    source=f"{PROJECTION}, eq. 56",
    inputs=("q", "qd_a"),
    outputs=("H",),
    build=_bias,
    options=(INDEPENDENT, MODE),
    accepts=TIED,
    loops="only",
)


def _inertia(d: Derivation, independent: Sequence[str], mode: int | None) -> None:
    c = closed(d, independent, mode)
    names = named_places(d, c.partition.independent)
    A = closed_inertia_matrix(c)
    d.output("A", (len(A), len(A)), A, "", "inertia matrix of the independent joints", rows=names, columns=names)


INERTIA_MATRIX = Entry(
    name="closed-inertia-matrix",
    title="inertia matrix of the closed loops",
    equation="A_c = Gᵀ A G,   G = [1; W]",
    source=f"{PROJECTION}; composite bodies",
    inputs=("q",),
    outputs=("A",),
    build=_inertia,
    options=(INDEPENDENT, MODE),
    accepts=TIED,
    loops="only",
)

REDUCED, MULTIPLIERS = "reduced", "multipliers"


def _direct(d: Derivation, method: str, independent: Sequence[str], mode: int | None) -> None:
    c = closed(d, independent, mode)
    solve: Callable[..., list[Any]] = closed_direct_dynamics if method == REDUCED else direct_dynamics_with_multipliers
    with determined(d, c):
        qdd = solve(c, given(d, c, "qd"), given(d, c, "tau"), d.base)
    d.accelerations("qdd", qdd, "accelerations of all joints")


DIRECT_DYNAMICS = Entry(
    name="closed-direct-dynamics",
    title="direct dynamic model of the closed loops",
    equation="A_c q''_i = G_aᵀ Γ_a - H_c,   or   A q'' + H = Γ + Jᵀ λ with J q'' + J̇ q' = 0",
    source=f"{PROJECTION}; Featherstone (2008), section 8.4",
    inputs=("q", "qd_a", "tau_a"),
    outputs=("qdd",),
    build=_direct,
    options=(
        Option(
            "method",
            "str",
            REDUCED,
            "in the independent joints alone, or all joints and the forces of the constraints at once",
            (REDUCED, MULTIPLIERS),
        ),
        INDEPENDENT,
        MODE,
    ),
    accepts=TIED,
    loops="only",
)


def _tell_both(d: Derivation, c: Closed, known: Sequence[int], name: str, doc: str) -> None:
    """q'' of all joints and Γ of all motors, of each motor either the one or the other given."""
    motors, qd = c.partition.actuated, given(d, c, "qd")
    labels = tuple(f"{'QDP' if k in known else 'GAM'}{k + 1}" for k in motors)
    unit = d.unit("qdd", motors) if len(known) == len(motors) else ""
    values = d.input(Input(name, (len(labels),), "state", unit, doc, labels)) if labels else []
    with determined(d, c):
        qdd, tau = closed_hybrid_dynamics(c, qd, values, known, d.base)
    d.accelerations("qdd", qdd, "accelerations of all joints")
    if c.partition.actuated:
        tell_forces(d, "tau_a", c.partition.actuated, tau, "torques and forces of the active joints")


def _hybrid(d: Derivation, known: Sequence[str], independent: Sequence[str], mode: int | None) -> None:
    c = closed(d, independent, mode, kept=known)
    p = c.partition
    may = named_places(d, [k for k in p.independent if k in p.actuated])
    strange = [name for name in known if name not in may]
    if strange:
        raise ModelError(
            f"{d.description.name}: the acceleration of {', '.join(strange)} cannot be given; known can be those of independent "
            f"joints with motors, {', '.join(may) or 'of which there is none'}"
        )
    held = [k for k in p.independent if d.description.v_names[k] in known]
    _tell_both(d, c, held, "given", "accelerations of joints with motors where they are known, their torques elsewhere")


HYBRID_DYNAMICS = Entry(
    name="closed-hybrid-dynamics",
    title="hybrid dynamic model of the closed loops",
    equation="A_c q''_i + H_c = G_aᵀ Γ_a, of each motor either q'' or Γ known",
    source=f"{PROJECTION}; rows of the reduced equations",
    inputs=("q", "qd_a", "given"),
    outputs=("qdd", "tau_a"),
    build=_hybrid,
    options=(
        Option("known", "tuple[str, ...]", (), "joints with motors whose accelerations are known, by name"),
        INDEPENDENT,
        MODE,
    ),
    accepts=TIED,
    loops="only",
)


def _underactuated(d: Derivation, mode: int | None) -> None:
    c = closed(d, (), mode)
    p = c.partition
    tied = [k for k in p.actuated if k not in p.independent]
    if tied:
        raise ModelError(
            f"{d.description.name}: the motors of {', '.join(named_places(d, tied))} cannot be moved at will, others determine them; "
            "take closed-inverse-dynamics, or closed-hybrid-dynamics with the accelerations that are known"
        )
    _tell_both(d, c, p.actuated, "qdd_a", "accelerations of the joints that have motors")


UNDERACTUATED = Entry(
    name="closed-underactuated-inverse-dynamics",
    title="inverse dynamic model of closed loops with unactuated joints",
    equation="A_c q''_i + H_c = Γ_i, q'' given where a joint is actuated, Γ = 0 where it is not",
    source=f"{PROJECTION}; rows of the reduced equations",
    inputs=("q", "qd_a", "qdd_a"),
    outputs=("qdd", "tau_a"),
    build=_underactuated,
    options=(MODE,),
    accepts=TIED,
    loops="only",
)


def _reactions(d: Derivation, independent: Sequence[str], mode: int | None) -> None:
    c = driven(d, closed(d, independent, mode, sums=False))
    wrenches = cut_reactions(c, given(d, c, "qd"), given(d, c, "qdd"), d.base)
    doc = "(f, n) that body a of each cut joint exerts on body b, along the axes of frame a about the origin of b"
    if len(c.partition.rows) < sum(len(constraint.conditions) for constraint in c.constraints):
        doc += "; what the motion leaves open is chosen so that the forces (N, N·m) along all rows have the least norm"
    tell_wrenches(d, "F", [loop.name for loop in c.loops], wrenches, doc)


def _no_cut(description: Description) -> str:
    return "" if description.cuts else "has no cut joint: take constraint-forces, or wheel-forces"


REACTIONS = Entry(
    name="cut-reactions",
    title="reaction wrenches of the cut joints",
    equation="J_dᵀ λ = Γ_d,   of least norm where rows are dependent",
    source=f"{PROJECTION}; multipliers of the tree's torques",
    inputs=("q", "qd_a", "qdd_a"),
    outputs=("F",),
    build=_reactions,
    options=(INDEPENDENT, MODE),
    regrouping="the cut joints also carry forces that do no work, and those change when parameters are regrouped",
    accepts=TIED,
    loops="only",
    lacks=_no_cut,
)

ENTRIES = (INVERSE_DYNAMICS, INERTIA_MATRIX, BIAS, DIRECT_DYNAMICS, HYBRID_DYNAMICS, UNDERACTUATED, REACTIONS)
