"""How torques and motion change with the state: derivatives by recursion, and the linearised dynamics."""

from armillary.dynamics.derivatives import Derivatives, inverse_dynamics_derivatives
from armillary.dynamics.direct import direct_dynamics_matrix
from armillary.dynamics.inertia_matrix import inertia_matrix
from armillary.dynamics.linearisation import Linear, assembled, linearisation
from armillary.dynamics.newton_euler import inverse_dynamics
from armillary.models.derivation import Derivation
from armillary.models.dynamic import accelerations_determined
from armillary.models.entry import Entry
from armillary.models.slopes import by_positions, by_velocities
from armillary.spatial.linear import solve_positive


def _derivatives(d: Derivation) -> None:
    if d.description.immersed:
        tau = [d.graph.lift(x) for x in inverse_dynamics(d.tree, d.q, d.qd, d.qdd, d.base)]
        by_q, by_qd = ([list(row) for row in zip(*f(d, tau), strict=True)] for f in (by_positions, by_velocities))
        found = Derivatives(tau, by_q, by_qd, inertia_matrix(d.tree, d.q))
    else:
        found = inverse_dynamics_derivatives(d.tree, d.q, d.qd, d.qdd, d.base)
    names = d.description.v_names
    shape = (d.tree.nv, d.tree.nv)
    blocks = (
        ("dtau_dq", found.by_position, "derivative of the torques by positions, along the joint velocities"),
        ("dtau_dqd", found.by_velocity, "derivative of the torques by velocities"),
        ("A", found.by_acceleration, "derivative of the torques by accelerations: the inertia matrix"),
    )
    d.torques("tau", found.torques, "joint torques and forces")
    for name, block, doc in blocks:
        d.output(name, shape, block, "", doc, rows=names, columns=names)


DERIVATIVES = Entry(
    name="inverse-dynamics-derivatives",
    title="derivatives of the inverse dynamic model",
    equation="dΓ = ∂Γ/∂q dq + ∂Γ/∂q' dq' + A dq''",
    source="Singh, Russell and Wensing (2022); in a fluid by Taylor series",
    inputs=("q", "qd", "qdd"),
    outputs=("tau", "dtau_dq", "dtau_dqd", "A"),
    build=_derivatives,
)


def _in_fluid(d: Derivation) -> Linear:
    """The same, derivatives of the accelerations by Taylor series."""
    qdd = [d.graph.lift(x) for x in direct_dynamics_matrix(d.tree, d.q, d.qd, d.tau, d.base)]
    A, n = inertia_matrix(d.tree, d.q), d.tree.nv
    by_torque = [solve_positive(A, [int(i == k) for i in range(n)]) for k in range(n)]
    return assembled(d.tree, d.qd, qdd, by_positions(d, qdd), by_velocities(d, qdd), by_torque)


def _linearisation(d: Derivation) -> None:
    with accelerations_determined(d):
        found = _in_fluid(d) if d.description.immersed else linearisation(d.tree, d.q, d.qd, d.tau, d.base)
    names = d.description.v_names
    rows = (*(f"d{x}" for x in names), *(f"d{x}'" for x in names))
    n = d.tree.nv
    d.accelerations("qdd", found.accelerations, "joint accelerations at the state")
    d.output("F", (2 * n, 2 * n), found.F, "", "ẋ = F x + G u with x = (δq, δq')", rows=rows, columns=rows)
    d.output("G", (2 * n, n), found.G, "", "ẋ = F x + G u with u = δΓ", rows=rows, columns=names)


LINEARISATION = Entry(
    name="linearisation",
    title="dynamics linearised about a state",
    equation="ẋ = F x + G u,   x = (δq, δq'),   u = δΓ",
    source="δq'' = A⁻¹ (δΓ - ∂Γ/∂q δq - ∂Γ/∂q' δq'), the derivatives after Singh, Russell and Wensing (2022)",
    inputs=("q", "qd", "tau"),
    outputs=("qdd", "F", "G"),
    build=_linearisation,
)

ENTRIES = (DERIVATIVES, LINEARISATION)
