"""What ties the joints of a robot together: the conditions, their rows, and how motors act on the motion that is left."""

from collections.abc import Sequence

from armillary.dynamics.actuation import actuation_matrix, null_space
from armillary.kinematics.constraints import conditions, constraints, geometric
from armillary.models.closed import INDEPENDENT, PROJECTION, TIED, closed, driven, given, named_places
from armillary.models.derivation import Derivation
from armillary.models.entry import Entry


def _residual(d: Derivation) -> None:
    found = geometric(constraints(d.tree))
    elements = [x for constraint in found for x in constraint.residual(d.q)]
    doc = "what the constraints hold at 0: positions (m) and cosines of angles of frame b in frame a, coordinates"
    d.output("residual", (len(elements),), elements, "", doc, rows=conditions(found))


RESIDUAL = Entry(
    name="loop-residual",
    title="geometric constraints of the loops",
    equation="Φ(q) = 0:   e·P_b along the axes e that a holds,   e·u of axes of a and b that are square,   q_j - ratio q_k - offset",
    source="Khalil and Kleinfinger (1986); conditions of each cut joint",
    inputs=("q",),
    outputs=("residual",),
    build=_residual,
    accepts=TIED,
    loops="only",
)


def _jacobian(d: Derivation, independent: Sequence[str]) -> None:
    c = closed(d, independent)
    qd = given(d, c, "qd")
    p, nv = c.partition, d.tree.nv
    names = d.description.v_names
    rows = [conditions(c.constraints)[i] for i in p.rows]
    doc = "independent rows of the constraints, J q' = 0 for all joints"
    d.output("J", (len(rows), nv), c.J, "", doc, rows=rows, columns=names)
    doc = "velocities of dependent joints from those of independent ones"
    shape = (len(p.dependent), len(p.independent))
    d.output("W", shape, c.W(), "", doc, rows=named_places(d, p.dependent), columns=named_places(d, p.independent))
    rates = c.velocities(qd)
    d.output("qd", (nv,), rates, "", "velocities of all joints", rows=names)
    d.output("JPQP", (len(rows),), c.drift(rates), "", "J̇ q' of the rows of J", rows=rows)


JACOBIAN = Entry(
    name="loop-jacobian",
    title="kinematic constraints of the loops and their reduction",
    equation="J q' = 0,   q'_d = W q'_i,   W = -J_d⁻¹ J_i,   J q'' + J̇ q' = 0",
    source=f"{PROJECTION}; relative twists of the two sides of each cut joint",
    inputs=("q", "qd_a"),
    outputs=("J", "W", "qd", "JPQP"),
    build=_jacobian,
    options=(INDEPENDENT,),
    accepts=TIED,
    loops="only",
)


def _actuation(d: Derivation, independent: Sequence[str]) -> None:
    c = driven(d, closed(d, independent))
    p = c.partition
    motors = named_places(d, p.actuated)
    doc = "velocities of joints with motors from those of independent ones: forces along these are the transpose times torques"
    shape = (len(motors), len(p.independent))
    d.output("G", shape, actuation_matrix(c), "", doc, rows=motors, columns=named_places(d, p.independent))
    doc = "what it leaves of motor torques moves nothing: they work against each other"
    d.output("N", (len(motors), len(motors)), null_space(c), "", doc, rows=motors, columns=motors)


ACTUATION = Entry(
    name="actuation",
    title="how motors act on the motion, and how they work against each other",
    equation="Q = Gᵀ Γ,   N = 1 - G (Gᵀ G)⁻¹ Gᵀ",
    source=f"{PROJECTION}; G the rows of [1; W] at joints with motors",
    inputs=("q",),
    outputs=("G", "N"),
    build=_actuation,
    options=(INDEPENDENT,),
    accepts=TIED,
    loops="only",
)

ENTRIES = (RESIDUAL, JACOBIAN, ACTUATION)
