"""Robots with closed loops: what the cut joints demand, and dynamics in the active joints."""

from collections.abc import Callable, Sequence
from typing import Any

from armillary.dynamics.loops import (
    Closed,
    closed_direct_dynamics,
    closed_inertia_matrix,
    closed_inverse_dynamics,
    cut_reactions,
    direct_dynamics_with_multipliers,
)
from armillary.dynamics.newton_euler import Wrench
from armillary.expr.graph import Expr
from armillary.kinematics.loops import Loop, loops, residual
from armillary.models.derivation import RATES, Derivation
from armillary.models.entry import Entry, Option
from armillary.models.partition import partition
from armillary.program.program import Input

LOOPS = "robots with closed loops; q of all joints closes them"
PROJECTION = "Khalil (2010), section 6"


def closed(d: Derivation) -> Closed:
    """The robot with its loops closed at q."""
    return Closed(d.tree, d.q, partition(d, d.q))


# ---- inputs and outputs of active joints ----


def active(d: Derivation, c: Closed, name: str) -> list[Expr]:
    """qd, qdd or tau of the active joints alone."""
    doc = {"qd": "velocities", "qdd": "accelerations", "tau": "torques and forces"}[name]
    labels = tuple(f"{RATES[name][0]}{k + 1}" for k in c.partition.active)
    unit = d.unit(name, c.partition.active)
    return d.input(Input(f"{name}_a", (len(labels),), "state", unit, f"{doc} of the active joints", labels))


def _names(d: Derivation, places: Sequence[int]) -> tuple[str, ...]:
    return tuple(d.description.v_names[k] for k in places)


def tell_active(d: Derivation, c: Closed, name: str, elements: Sequence[Any], doc: str) -> None:
    places = c.partition.active
    d.output(name, (len(places),), elements, d.unit("tau", places), doc, rows=_names(d, places))


def tell_wrenches(d: Derivation, name: str, rows: Sequence[str], wrenches: Sequence[Wrench], doc: str) -> None:
    """An output with a wrench a row."""
    columns = ("f_x", "f_y", "f_z", "n_x", "n_y", "n_z")
    elements = [[*f, *n] for f, n in wrenches]
    d.output(name, (len(wrenches), 6), elements, "N, N·m", doc, rows=rows, columns=columns)


def conditions(found: Sequence[Loop]) -> tuple[str, ...]:
    """A name for each row: the cut joint, then the axis held or the two axes that are square."""
    return tuple(f"{loop.junction.name}.{row}" for loop in found for row in loop.junction.kind.rows)


# ---- kinematics ----


def _residual(d: Derivation) -> None:
    found = loops(d.tree)
    elements = [x for loop in found for x in residual(loop, d.q)]
    doc = "what the cut joints hold at 0: positions (m) and cosines of angles of frame b in frame a"
    d.output("residual", (len(elements),), elements, "", doc, rows=conditions(found))


RESIDUAL = Entry(
    name="loop-residual",
    title="geometric constraints of the loops",
    equation="Φ(q) = 0:   e·P_b along the axes e that a holds,   e·u of axes of a and b that are square",
    source="Khalil and Kleinfinger (1986); conditions of each cut joint",
    inputs=("q",),
    outputs=("residual",),
    build=_residual,
    accepts=LOOPS,
    loops="only",
)


def _jacobian(d: Derivation) -> None:
    c = closed(d)
    qd = active(d, c, "qd")
    p, nv = c.partition, d.tree.nv
    names = d.description.v_names
    rows = [conditions(c.loops)[i] for i in p.rows]
    doc = "independent rows of the loops' conditions, J q' = 0 for all joints"
    d.output("J", (len(rows), nv), c.J, "", doc, rows=rows, columns=names)
    doc = "velocities of passive joints from those of active ones"
    d.output(
        "W", (len(p.passive), len(p.active)), c.W(), "", doc, rows=_names(d, p.passive), columns=_names(d, p.active)
    )
    rates = c.velocities(qd)
    d.output("qd", (nv,), rates, "", "velocities of all joints", rows=names)
    d.output("JPQP", (len(rows),), c.drift(rates), "", "J̇ q' of the rows of J", rows=rows)


JACOBIAN = Entry(
    name="loop-jacobian",
    title="kinematic constraints of the loops and their reduction",
    equation="J q' = 0,   q'_p = W q'_a,   W = -J_p⁻¹ J_a,   J q'' + J̇ q' = 0",
    source=f"{PROJECTION}; relative twists of the two sides of each cut joint",
    inputs=("q", "qd_a"),
    outputs=("J", "W", "qd", "JPQP"),
    build=_jacobian,
    accepts=LOOPS,
    loops="only",
)


# ---- dynamics ----


def _inverse(d: Derivation) -> None:
    c = closed(d)
    found = closed_inverse_dynamics(c, active(d, c, "qd"), active(d, c, "qdd"), d.base)
    tell_active(d, c, "tau_a", found, "torques and forces of the active joints")


INVERSE_DYNAMICS = Entry(
    name="closed-inverse-dynamics",
    title="inverse dynamic model of the closed loops",
    equation="Γ_c = Gᵀ Γ_tr = Γ_a + Wᵀ Γ_p",
    source=f"{PROJECTION}, eq. 56, projecting the recursive Newton-Euler torques of the tree",
    inputs=("q", "qd_a", "qdd_a"),
    outputs=("tau_a",),
    build=_inverse,
    accepts=LOOPS,
    loops="only",
)


def _bias(d: Derivation) -> None:
    c = closed(d)
    qd = active(d, c, "qd")
    H = closed_inverse_dynamics(c, qd, [d.graph.const(0)] * len(qd), d.base)
    tell_active(d, c, "H", H, "torques of the active joints at their accelerations 0")


BIAS = Entry(
    name="closed-bias",
    title="all torques of the closed loops but those of active accelerations",
    equation="H_c = Γ_c with q''_a = 0",
    source=f"{PROJECTION}, eq. 56",
    inputs=("q", "qd_a"),
    outputs=("H",),
    build=_bias,
    accepts=LOOPS,
    loops="only",
)


def _inertia(d: Derivation) -> None:
    c = closed(d)
    names = _names(d, c.partition.active)
    A = closed_inertia_matrix(c)
    d.output("A", (len(A), len(A)), A, "", "inertia matrix of the active joints", rows=names, columns=names)


INERTIA_MATRIX = Entry(
    name="closed-inertia-matrix",
    title="inertia matrix of the closed loops",
    equation="A_c = Gᵀ A G,   G = [1; W]",
    source=f"{PROJECTION}; composite bodies",
    inputs=("q",),
    outputs=("A",),
    build=_inertia,
    accepts=LOOPS,
    loops="only",
)

REDUCED, MULTIPLIERS = "reduced", "multipliers"


def _direct(d: Derivation, method: str) -> None:
    c = closed(d)
    solve: Callable[..., list[Any]] = closed_direct_dynamics if method == REDUCED else direct_dynamics_with_multipliers
    d.accelerations("qdd", solve(c, active(d, c, "qd"), active(d, c, "tau"), d.base), "accelerations of all joints")


DIRECT_DYNAMICS = Entry(
    name="closed-direct-dynamics",
    title="direct dynamic model of the closed loops",
    equation="A_c q''_a = Γ_a - H_c,   or   A q'' + H = Γ + Jᵀ λ with J q'' + J̇ q' = 0",
    source=f"{PROJECTION}; Featherstone (2008), section 8.4",
    inputs=("q", "qd_a", "tau_a"),
    outputs=("qdd",),
    build=_direct,
    options=(
        Option(
            "method",
            "str",
            REDUCED,
            "in the active joints alone, or all joints and the loops' forces at once",
            (REDUCED, MULTIPLIERS),
        ),
    ),
    accepts=LOOPS,
    loops="only",
)


def _reactions(d: Derivation) -> None:
    c = closed(d)
    wrenches = cut_reactions(c, active(d, c, "qd"), active(d, c, "qdd"), d.base)
    doc = "(f, n) that body a of each cut joint exerts on body b, along the axes of frame a about the origin of b"
    if len(c.partition.rows) < sum(len(loop.junction.kind.rows) for loop in c.loops):
        doc += "; what the motion leaves open is chosen so that the forces (N, N·m) along all rows have the least norm"
    tell_wrenches(d, "F", [loop.junction.name for loop in c.loops], wrenches, doc)


REACTIONS = Entry(
    name="cut-reactions",
    title="reaction wrenches of the cut joints",
    equation="J_pᵀ λ = Γ_p,   of least norm where rows are dependent",
    source=f"{PROJECTION}; multipliers of the tree's torques",
    inputs=("q", "qd_a", "qdd_a"),
    outputs=("F",),
    build=_reactions,
    regrouping="the cut joints also carry forces that do no work, and those change when parameters are regrouped",
    accepts=LOOPS,
    loops="only",
)

ENTRIES = (RESIDUAL, JACOBIAN, INVERSE_DYNAMICS, INERTIA_MATRIX, BIAS, DIRECT_DYNAMICS, REACTIONS)
