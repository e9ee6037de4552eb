"""Forces and motion: inverse, direct and hybrid dynamics, inertia and Coriolis matrices, energies."""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any

from armillary.dynamics.coriolis import coriolis_matrix
from armillary.dynamics.direct import direct_dynamics_matrix
from armillary.dynamics.energy import kinetic_energy, potential_energy
from armillary.dynamics.hybrid import direct_dynamics_articulated, hybrid_dynamics
from armillary.dynamics.inertia_matrix import inertia_matrix
from armillary.dynamics.newton_euler import inverse_dynamics, newton_euler
from armillary.errors import ExpressionError, ModelError
from armillary.expr.graph import Expr
from armillary.kinematics.motion import BaseMotion
from armillary.models.derivation import Derivation
from armillary.models.entry import Entry, Option
from armillary.models.route import operations
from armillary.program.program import Input
from armillary.robot import Tree
from armillary.spatial.vector import ZERO

NEWTON_EULER = "Khalil (2010), eqs. 14-24"


def _inverse(d: Derivation) -> None:
    d.torques("tau", inverse_dynamics(d.tree, d.q, d.qd, d.qdd, d.base), "joint torques and forces")


INVERSE_DYNAMICS = Entry(
    name="inverse-dynamics",
    title="inverse dynamic model",
    equation="Γ = A(q) q'' + H(q, q')",
    source=f"recursive Newton-Euler in Khalil's form: {NEWTON_EULER}",
    inputs=("q", "qd", "qdd"),
    outputs=("tau",),
    build=_inverse,
)


def _reactions(d: Derivation) -> None:
    found = newton_euler(d.links, d.q, d.qd, d.qdd, d.base)
    d.torques("tau", found.torques, "joint torques and forces")
    names = [b.name for b in d.links.bodies]
    doc = "(f, n) that each joint transmits to its link, in the link's frame about its origin"
    columns = ("f_x", "f_y", "f_z", "n_x", "n_y", "n_z")
    d.output("F", (len(names), 6), [[*f, *n] for f, n in found.wrenches], "N, N·m", doc, rows=names, columns=columns)
    doc = "(f, n) that the base exerts on the robot, in base components about the base's origin"
    d.output("F0", (6,), [*found.base[0], *found.base[1]], "N, N·m", doc, rows=columns)


REACTIONS = Entry(
    name="reaction-wrenches",
    title="joint reaction wrenches",
    equation="f_j = F_j + f_ej + Σ ʲR_k f_k,   n_j = N_j + n_ej + Σ (ʲR_k n_k + ʲP_k × ʲR_k f_k)",
    source=NEWTON_EULER,
    inputs=("q", "qd", "qdd"),
    outputs=("tau", "F", "F0"),
    build=_reactions,
    regrouping="the joints also carry forces that do no work, and those change when parameters are regrouped",
)


def _inertia(d: Derivation) -> None:
    names = d.description.v_names
    A = inertia_matrix(d.tree, d.q)
    d.output("A", (d.tree.nv, d.tree.nv), A, d.inertia_unit, "joint-space inertia matrix", rows=names, columns=names)


INERTIA_MATRIX = Entry(
    name="inertia-matrix",
    title="inertia matrix",
    equation="A(q) with kinetic energy ½ q'ᵀ A q'",
    source="composite bodies: Khalil (2010), section 4.3",
    inputs=("q",),
    outputs=("A",),
    build=_inertia,
)


def _bias(d: Derivation) -> None:
    H = inverse_dynamics(d.tree, d.q, d.qd, d.still, d.base)
    d.torques("H", H, "Coriolis, centrifugal, gravity, friction, spring and external torques")


BIAS = Entry(
    name="bias-torques",
    title="all torques but those of the joint accelerations",
    equation="H(q, q') = C(q, q') q' + G(q) + friction + springs + external wrenches",
    source=f"Newton-Euler with q'' = 0: {NEWTON_EULER}",
    inputs=("q", "qd"),
    outputs=("H",),
    build=_bias,
)


def _coriolis(d: Derivation) -> None:
    still = BaseMotion(ZERO, ZERO, ZERO)
    h = inverse_dynamics(d.bare, d.q, d.qd, d.still, still)
    d.torques("h", h, "Coriolis and centrifugal torques")


CORIOLIS = Entry(
    name="coriolis-torques",
    title="Coriolis and centrifugal torques",
    equation="h = C(q, q') q'",
    source=f"Newton-Euler with q'' = 0, without gravity, friction, external wrenches and base motion: {NEWTON_EULER}",
    inputs=("q", "qd"),
    outputs=("h",),
    build=_coriolis,
)


def _gravity(d: Derivation) -> None:
    base = BaseMotion(ZERO, ZERO, -d.tree.gravity)
    G = inverse_dynamics(d.bare, d.q, d.still, d.still, base)
    d.torques("G", G, "gravity torques")


GRAVITY = Entry(
    name="gravity-torques",
    title="gravity torques",
    equation="G(q) = ∂U/∂q",
    source=f"Newton-Euler at rest: {NEWTON_EULER}",
    inputs=("q",),
    outputs=("G",),
    build=_gravity,
)


def _coriolis_matrix(d: Derivation) -> None:
    names = d.description.v_names
    C = coriolis_matrix(d.bare, d.q, d.qd)
    doc = "matrix of Coriolis and centrifugal torques"
    d.output("C", (d.tree.nv, d.tree.nv), C, "", doc, rows=names, columns=names)


CORIOLIS_MATRIX = Entry(
    name="coriolis-matrix",
    title="Coriolis matrix",
    equation="C(q, q') with C q' = h and Ȧ - 2C skew-symmetric",
    source="Echeandia and Wensing (2021)",
    inputs=("q", "qd"),
    outputs=("C",),
    build=_coriolis_matrix,
)

ENERGY = "energies depend on the parameters of links that the joints cannot feel"


def _kinetic(d: Derivation) -> None:
    doc = "kinetic energy, rotors included, links that are fixed to the base not"
    d.output("E", (), kinetic_energy(d.tree, d.q, d.qd), "J", doc)


KINETIC_ENERGY = Entry(
    name="kinetic-energy",
    title="kinetic energy",
    equation="E = ½ Σ_j (M v·v + 2 MS·(v × ω) + ω·J ω) + ½ Σ IA q'²",
    source="Khalil (2010), section 2",
    inputs=("q", "qd"),
    outputs=("E",),
    build=_kinetic,
    loops="too",
    regrouping=ENERGY,
)


def _potential(d: Derivation) -> None:
    doc = "potential energy of gravity, zero at the base's origin; without links that are fixed to the base"
    d.output("U", (), potential_energy(d.tree, d.q), "J", doc)


POTENTIAL_ENERGY = Entry(
    name="potential-energy",
    title="potential energy",
    equation="U = -Σ_j g·(M ⁰P_j + ⁰R_j MS_j)",
    source="Khalil (2010), section 2",
    inputs=("q",),
    outputs=("U",),
    build=_potential,
    loops="too",
    regrouping=ENERGY,
)


@contextmanager
def accelerations_determined(
    d: Derivation, inertia: Callable[[], list[list[Any]]] | None = None, names: Sequence[str] = ()
) -> Generator[None, None, None]:
    """Says which joints carry nothing that resists them, where solving for accelerations divides by zero.

    `inertia` gives the matrix solved with, that of all joints unless told, and `names` those of its rows.
    """
    try:
        yield
    except ExpressionError as error:
        A = inertia_matrix(d.tree, d.q) if inertia is None else inertia()
        rows = zip(names or d.description.v_names, A, strict=True)
        free = [name for k, (name, row) in enumerate(rows) if d.graph.lift(row[k]).const == 0]
        why = f"nothing with inertia moves with {', '.join(free)}; give the link mass, or the joint a rotor inertia IA"
        raise ModelError(
            f"{d.description.name}: torques do not determine accelerations: {why if free else error}"
        ) from None


ARTICULATED, MATRIX, AUTO = "articulated", "matrix", "auto"


LONG = 400
"""Products per joint velocity for factoring the inertia matrix, from which on articulated bodies cost less in any case."""


def _direct(d: Derivation, method: str) -> None:
    ways: list[list[Expr]] = []
    if method == AUTO and _elements(d.tree) > LONG * d.tree.nv:
        method = ARTICULATED
    with accelerations_determined(d):
        for name, build in ((MATRIX, direct_dynamics_matrix), (ARTICULATED, direct_dynamics_articulated)):
            if method in (name, AUTO):
                ways.append([d.graph.lift(a) for a in build(d.tree, d.q, d.qd, d.tau, d.base)])
    d.accelerations("qdd", min(ways, key=operations), "joint accelerations")


def _elements(tree: Tree) -> int:
    """Products that factoring the inertia matrix takes, about: half the square of the joints before each joint, summed."""
    before: list[int] = []
    for body in tree.bodies:
        before.append(len(body.motion) + (before[body.parent] if body.parent >= 0 else 0))
    return sum(n * n for n in before) // 2


DIRECT_DYNAMICS = Entry(
    name="direct-dynamics",
    title="direct dynamic model",
    equation="q'' = A⁻¹ (Γ - H(q, q'))",
    source="articulated bodies (Khalil, Vijayalingam et al. 2014, section IV-C), or the inertia matrix factored as LᵀDL",
    inputs=("q", "qd", "tau"),
    outputs=("qdd",),
    build=_direct,
    options=(Option("method", "str", AUTO, "how; `auto` takes what costs less", (AUTO, ARTICULATED, MATRIX)),),
)


def _hybrid(d: Derivation, known: tuple[str, ...]) -> None:
    names = d.description.v_names
    unknown = [name for name in known if name not in names]
    if unknown:
        raise ModelError(
            f"{d.description.name} has no joint velocity {', '.join(unknown)}; known accelerations are some of {', '.join(names)}"
        )
    mask = [name in known for name in names]
    labels = tuple(f"{'QDP' if held else 'GAM'}{k}" for k, held in enumerate(mask, start=1))
    doc = "joint accelerations where they are known, torques elsewhere"
    q, qd = d.q, d.qd
    given = d.input(Input("given", (len(mask),), "state", "", doc, labels))
    with accelerations_determined(d):
        accelerations, torques = hybrid_dynamics(d.tree, q, qd, given, mask, d.base)
    found = [t if held else a for held, a, t in zip(mask, accelerations, torques, strict=True)]
    doc = "joint torques where accelerations were known, accelerations elsewhere"
    d.output("found", (len(mask),), found, "", doc, rows=names)


HYBRID_DYNAMICS = Entry(
    name="hybrid-dynamics",
    title="hybrid dynamic model",
    equation="A q'' + H = Γ, of each joint velocity either q'' or Γ known",
    source="articulated bodies: Khalil, Vijayalingam et al. (2014), section IV-C",
    inputs=("q", "qd", "given"),
    outputs=("found",),
    build=_hybrid,
    options=(Option("known", "tuple[str, ...]", (), "the joint velocities whose accelerations are known, by name"),),
)

ENTRIES = (
    INVERSE_DYNAMICS,
    REACTIONS,
    INERTIA_MATRIX,
    BIAS,
    CORIOLIS,
    GRAVITY,
    CORIOLIS_MATRIX,
    KINETIC_ENERGY,
    POTENTIAL_ENERGY,
    DIRECT_DYNAMICS,
    HYBRID_DYNAMICS,
)
