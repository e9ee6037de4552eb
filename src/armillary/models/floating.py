"""Robots that no ground holds, and joints without motors: centre of mass, momentum, and the motion that the motors' motion brings about."""

from typing import Any

from armillary.dynamics.hybrid import hybrid_dynamics
from armillary.dynamics.momentum import Center, center_of_mass, momentum, momentum_matrix, momentum_rate
from armillary.errors import ModelError
from armillary.kinematics.frame_motion import frame_acceleration
from armillary.kinematics.motion import base_motion
from armillary.models.derivation import Derivation
from armillary.models.dynamic import accelerations_determined
from armillary.models.entry import Entry
from armillary.models.geometric import FRAME
from armillary.models.kinematic import EXPRESSED, ROWS
from armillary.program.program import Input

HIDDEN = "the centre of mass and the momentum depend on the parameters of links that the joints cannot feel"
MOMENTUM_ROWS = ("p_x", "p_y", "p_z", "L_x", "L_y", "L_z")
ORIN = "Orin, Goswami and Lee (2013)"


def _weighed(d: Derivation) -> None:
    """Says that there is nothing to have a centre."""
    if all(d.graph.lift(body.inertia.M).const == 0 for body in d.tree.bodies):
        raise ModelError(f"{d.description.name} has no centre of mass: no link that moves has a mass M")


def _tell_center(d: Derivation, center: Center) -> None:
    doc = "centre of mass of all links that move, in the base"
    d.output("c", (3,), [*center.position], "m", doc, rows=("x", "y", "z"))


def _center(d: Derivation) -> None:
    _weighed(d)
    center = center_of_mass(d.tree, d.q)
    d.output("mass", (), center.mass, "kg", "mass of all links that move")
    _tell_center(d, center)


CENTER_OF_MASS = Entry(
    name="center-of-mass",
    title="centre of mass and total mass",
    equation="M = Σ M_j,   c = Σ (⁰R_j MS_j + M_j ⁰P_j) / M",
    source=ORIN,
    inputs=("q",),
    outputs=("mass", "c"),
    build=_center,
    regrouping=HIDDEN,
    loops="too",
)


def _motion_of_center(d: Derivation, name: str, unit: str, doc: str, p: Any, mass: Any) -> None:
    d.output(name, (3,), [*(p * (1 / mass))], unit, doc, rows=("x", "y", "z"))


def _momentum(d: Derivation) -> None:
    _weighed(d)
    (p, L), center = momentum(d.tree, d.q, d.qd)
    doc = "momentum, and moment of momentum about the centre of mass, relative to the world and along the base's axes"
    d.output("h", (6,), [*p, *L], "kg·m/s, kg·m²/s", doc, rows=MOMENTUM_ROWS)
    doc = "velocity of the centre of mass relative to the world, along the base's axes"
    _motion_of_center(d, "v_c", "m/s", doc, p, center.mass)


MOMENTUM = Entry(
    name="momentum",
    title="centroidal momentum",
    equation="h = (p, L_c),   p = M ċ,   L_c = Σ (L_j + (P_j - c) × p_j)",
    source=ORIN,
    inputs=("q", "qd"),
    outputs=("h", "v_c"),
    build=_momentum,
    regrouping=HIDDEN,
    loops="too",
)


def _momentum_rate(d: Derivation) -> None:
    _weighed(d)
    (f, n), center = momentum_rate(d.tree, d.q, d.qd, d.qdd, base_motion(d.tree, gravity=False))
    doc = (
        "rate of the momentum and of its moment about the centre of mass: what all forces, weight among them, add up to"
    )
    d.output("hp", (6,), [*f, *n], "N, N·m", doc, rows=("f_x", "f_y", "f_z", "n_x", "n_y", "n_z"))
    doc = "true acceleration of the centre of mass, gravity not taken off, along the base's axes"
    _motion_of_center(d, "a_c", "m/s²", doc, f, center.mass)


MOMENTUM_RATE = Entry(
    name="momentum-rate",
    title="rate of the centroidal momentum",
    equation="ḣ = (M c̈, L̇_c) = A_c q'' + Ȧ_c q'",
    source=ORIN,
    inputs=("q", "qd", "qdd"),
    outputs=("hp", "a_c"),
    build=_momentum_rate,
    regrouping=HIDDEN,
    loops="too",
)


def _momentum_matrix(d: Derivation) -> None:
    _weighed(d)
    A, center, J = momentum_matrix(d.tree, d.q)
    names, nv = d.description.v_names, d.tree.nv
    doc = "centroidal momentum per joint velocity"
    d.output("Ac", (6, nv), A, "", doc, rows=MOMENTUM_ROWS, columns=names)
    share = 1 / center.mass
    velocity = [[x * share for x in row] for row in A[:3]]
    d.output("Jc", (3, nv), velocity, "", "velocity of the centre of mass per joint velocity", columns=names)
    _tell_center(d, center)
    square = [[*row] for row in J.full()]
    d.output(
        "Ic",
        (3, 3),
        square,
        "kg·m²",
        "inertia of all links as one body about the centre of mass, along the base's axes",
    )


MOMENTUM_MATRIX = Entry(
    name="momentum-matrix",
    title="centroidal momentum matrix",
    equation="h = A_c(q) q',   ċ = J_c(q) q'",
    source=f"composite bodies: {ORIN}",
    inputs=("q",),
    outputs=("Ac", "Jc", "c", "Ic"),
    build=_momentum_matrix,
    regrouping=HIDDEN,
    loops="too",
)


def _proper(d: Derivation, frame: str | None, expressed_in: str) -> None:
    name = d.frame(frame)
    screw = frame_acceleration(d.tree, d.q, d.qd, d.qdd, base_motion(d.tree), name, d.frame(expressed_in))
    doc = f"(v̇ - g, ω̇) of {name} along the axes of {expressed_in}: what an accelerometer there feels, not its true acceleration"
    d.output("a_g", (6,), screw.elements(), "m/s², rad/s²", doc, rows=ROWS)


PROPER_ACCELERATION = Entry(
    name="proper-acceleration",
    title="acceleration of a frame minus gravity",
    equation="(v̇ - g, ω̇)",
    source="Khalil (2010), eqs. 16-19, from v̇_0 - g",
    inputs=("q", "qd", "qdd"),
    outputs=("a_g",),
    build=_proper,
    options=(FRAME, EXPRESSED),
    loops="too",
)


def _underactuated(d: Derivation) -> None:
    names = d.description.v_names
    mask = [b.actuated for b in d.description.bodies for _ in range(b.joint.nv)]
    places = [k for k, held in enumerate(mask) if held]
    q, qd = d.q, d.qd
    given: list[Any] = [d.graph.const(0)] * len(mask)
    if places:
        labels = tuple(f"QDP{k + 1}" for k in places)
        doc = f"accelerations of the joints that have motors: {', '.join(names[k] for k in places)}"
        accelerations = d.input(Input("qdd_a", (len(places),), "state", "", doc, labels))
        for k, x in zip(places, accelerations, strict=True):
            given[k] = x
    with accelerations_determined(d):
        qdd, tau = hybrid_dynamics(d.tree, q, qd, given, mask, d.base)
    d.accelerations("qdd", qdd, "accelerations of all joints, those that were given among them")
    d.torques("tau", tau, "torques and forces of the motors, 0 where there is none")


UNDERACTUATED = Entry(
    name="underactuated-inverse-dynamics",
    title="inverse dynamic model with unactuated joints",
    equation="A q'' + H = Γ, q'' given where a joint is actuated, Γ = 0 where it is not",
    source="three recursions: Khalil, Vijayalingam et al. (2014), section IV-C",
    inputs=("q", "qd", "qdd_a"),
    outputs=("qdd", "tau"),
    build=_underactuated,
)

ENTRIES = (CENTER_OF_MASS, MOMENTUM, MOMENTUM_RATE, MOMENTUM_MATRIX, PROPER_ACCELERATION, UNDERACTUATED)
