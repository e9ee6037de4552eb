"""Springs in joints: their energy, and torques and stiffness at rest."""

from collections.abc import Sequence

from armillary.dynamics.derivatives import inverse_dynamics_derivatives
from armillary.dynamics.energy import spring_energy
from armillary.dynamics.inertia_matrix import inertia_matrix
from armillary.dynamics.loops import closed_inertia_matrix, generalised_forces
from armillary.dynamics.newton_euler import inverse_dynamics
from armillary.models.closed import INDEPENDENT, PROJECTION, TIED, closed, named_places, tell_forces
from armillary.models.derivation import Derivation
from armillary.models.entry import Entry
from armillary.models.slopes import by_positions, slope


def _spring_energy(d: Derivation) -> None:
    d.output("US", (), spring_energy(d.tree, d.q), "J", "potential energy of the springs, zero where all are slack")


SPRING_ENERGY = Entry(
    name="spring-energy",
    title="potential energy of the springs",
    equation="U_s = ½ Σ K (q - q0)²",
    source="Khalil and Gautier (2000)",
    inputs=("q",),
    outputs=("US",),
    build=_spring_energy,
    loops="too",
)


def _statics(d: Derivation) -> None:
    names, n = d.description.v_names, d.tree.nv
    if d.description.immersed:
        torques = [d.graph.lift(x) for x in inverse_dynamics(d.tree, d.q, d.still, d.still, d.base)]
        K, A = [list(row) for row in zip(*by_positions(d, torques), strict=True)], inertia_matrix(d.tree, d.q)
    else:
        found = inverse_dynamics_derivatives(d.tree, d.q, d.still, d.still, d.base)
        torques, K, A = found.torques, found.by_position, found.by_acceleration
    d.torques("tau", torques, "torques and forces that keep the robot at rest")
    doc = "stiffness: derivative of these torques by positions, along the joint velocities"
    d.output("K", (n, n), K, "", doc, rows=names, columns=names)
    d.output("A", (n, n), A, d.inertia_unit, "joint-space inertia matrix", rows=names, columns=names)


STATICS = Entry(
    name="statics",
    title="static torques and stiffness",
    equation="Γ = G(q) + K_s (q - q0) + external wrenches,   K = ∂Γ/∂q,   A q'' + K δq = 0 about an equilibrium",
    source="Newton-Euler at rest and its derivatives: Singh, Russell and Wensing (2022)",
    inputs=("q",),
    outputs=("tau", "K", "A"),
    build=_statics,
)


def _closed_statics(d: Derivation, independent: Sequence[str]) -> None:
    c = closed(d, independent)
    p = c.partition
    still = [d.graph.const(0)] * len(p.independent)
    Q = [d.graph.lift(x) for x in generalised_forces(c, still, still, d.base)]
    names = named_places(d, p.independent)
    tell_forces(d, "tau", p.independent, Q, "forces along the independent joints that keep the robot at rest")
    unit = [[int(i == k) for i in range(len(names))] for k in range(len(names))]
    W = c.W()
    columns = [slope(d, Q, p.whole(e, [w[k] for w in W])) for k, e in enumerate(unit)]
    doc = "stiffness: derivative of these forces along the motions that the constraints leave"
    K = [[column[i] for column in columns] for i in range(len(names))]
    d.output("K", (len(names), len(names)), K, "", doc, rows=names, columns=names)
    A = closed_inertia_matrix(c)
    d.output(
        "A", (len(names), len(names)), A, "", "inertia matrix of the independent joints", rows=names, columns=names
    )


CLOSED_STATICS = Entry(
    name="closed-statics",
    title="static forces and stiffness of the closed loops",
    equation="Q = Gᵀ Γ_tr at rest,   K_c = dQ/dq_i = Gᵀ (∂Γ_tr/∂q - ∂(Jᵀ λ)/∂q) G,   A_c q''_i + K_c δq_i = 0 about an equilibrium",
    source=f"{PROJECTION}; K_c by Taylor series along the columns of G, the turning of the constraints' forces in it",
    inputs=("q",),
    outputs=("tau", "K", "A"),
    build=_closed_statics,
    options=(INDEPENDENT,),
    accepts=TIED,
    loops="only",
)

ENTRIES = (SPRING_ENERGY, STATICS, CLOSED_STATICS)
