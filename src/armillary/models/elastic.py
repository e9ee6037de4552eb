"""Springs in joints: their energy, and torques and stiffness at rest."""

from armillary.dynamics.derivatives import inverse_dynamics_derivatives
from armillary.dynamics.energy import spring_energy
from armillary.models.derivation import Derivation
from armillary.models.entry import Entry


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
    found = inverse_dynamics_derivatives(d.tree, d.q, d.still, d.still, d.base)
    names = d.description.v_names
    shape = (d.tree.nv, d.tree.nv)
    d.torques("tau", found.torques, "torques and forces that keep the robot at rest")
    doc = "stiffness: derivative of these torques by positions, along the joint velocities"
    d.output("K", shape, found.by_position, "", doc, rows=names, columns=names)
    doc = "joint-space inertia matrix"
    d.output("A", shape, found.by_acceleration, d.inertia_unit, doc, rows=names, columns=names)


STATICS = Entry(
    name="statics",
    title="static torques and stiffness",
    equation="Γ = G(q) + K_s (q - q0) + external wrenches,   K = ∂Γ/∂q,   A q'' + K δq = 0 about an equilibrium",
    source="Newton-Euler at rest and its derivatives: Singh, Russell and Wensing (2022)",
    inputs=("q",),
    outputs=("tau", "K", "A"),
    build=_statics,
)

ENTRIES = (SPRING_ENERGY, STATICS)
