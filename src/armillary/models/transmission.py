"""Transmissions that give: between a motor and its joint a gear and a spring with a damper, two coordinates instead of one.

Spong (1987): with θ the motor's angle seen behind the gear, and the link side that of the tree,

    A q'' + H = Γ,   Γ = K (θ - q) + D (θ' - q'),   N² J θ'' + Γ = N τ

The motors turn about their own axes alone. Joints with one velocity and a motor can have one; the others are rigid, their motors
give Γ. Wrenches, gravity and base motion are taken to be steady.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import factorial

from armillary.dynamics.hybrid import direct_dynamics_articulated
from armillary.dynamics.newton_euler import inverse_dynamics
from armillary.errors import ModelError
from armillary.expr.graph import Expr
from armillary.expr.series import series
from armillary.models.derivation import Derivation
from armillary.models.dynamic import accelerations_determined
from armillary.models.entry import Entry, Option
from armillary.models.time_derivative import DOCS, coordinate_series
from armillary.program.program import Input

SPONG = "Spong (1987)"


@dataclass(frozen=True, slots=True)
class _Transmission:
    """The coefficients of one, and the place of its joint among the velocities and among the coordinates."""

    v: int
    q: int
    stiffness: Expr
    damping: Expr
    inertia: Expr
    ratio: Expr


def _transmissions(d: Derivation, chosen: Sequence[str], damped: bool) -> list[_Transmission]:
    """Those of the joints that are named, or of all that can have one; their coefficients are parameters."""
    able: dict[str, tuple[int, int]] = {}
    q = v = 0
    for body in d.description.bodies:
        if body.joint.nv == 1 and body.actuated:
            able[body.velocities[0]] = (v, q)
        q, v = q + body.joint.nq, v + body.joint.nv
    wrong = [name for name in chosen if name not in able]
    if wrong or not able:
        raise ModelError(
            f"{d.description.name}: {', '.join(wrong) + ' cannot' if wrong else 'no joint can'} have a transmission; joints can that "
            f"have one velocity and a motor: {', '.join(able) or 'there are none'}"
        )
    places = [able[name] for name in able if not chosen or name in chosen]

    def parameter(name: str, letters: str, doc: str) -> list[Expr]:
        taken = set(d.description.symbols)
        labels = tuple(f"{letters}{v + 1}_" if f"{letters}{v + 1}" in taken else f"{letters}{v + 1}" for v, _ in places)
        return d.input(Input(name, (len(labels),), "parameter", "", doc, labels))

    K = parameter("transmission_stiffness", "KT", "stiffness K of each transmission, on the joint's side of the gear")
    D = (
        parameter("transmission_damping", "DT", "damping D of each transmission")
        if damped
        else [d.graph.const(0)] * len(K)
    )
    J = parameter("motor_inertia", "JM", "moment of inertia J of each motor's rotor about its own axis")
    N = parameter("gear_ratio", "NG", "turns of the motor for one of the joint")
    return [_Transmission(*place, *x) for place, x in zip(places, zip(K, D, J, N, strict=True), strict=True)]


def _tell(d: Derivation, name: str, found: Sequence[Expr], of: Sequence[_Transmission], doc: str) -> None:
    names = d.description.v_names
    d.output(name, (len(of),), list(found), "", doc, rows=tuple(names[t.v] for t in of))


def _torque_series(d: Derivation, order: int) -> list[list[Expr]]:
    """Γ, Γ', … of every joint, from the Taylor series of the tree's inverse dynamics."""
    q, rates = d.q, [d.qd, d.qdd]
    for name in ("qddd", "qdddd")[:order]:
        doc = DOCS.get(name, "joint accelerations, differentiated twice")
        rates.append(d.input(Input(name, (d.tree.nv,), "state", "", doc, ())))
    torques = [d.graph.lift(x) for x in inverse_dynamics(d.tree, q, d.qd, d.qdd, d.base)]
    motion = coordinate_series([b.joint for b in d.description.bodies], q, rates[: order + 1])
    leaves = {x.attr: c for x, c in zip(q, motion, strict=True) if x.op == "symbol"}
    for start in (0, 1):
        for i, x in enumerate(rates[start]):
            if x.op == "symbol":
                leaves[x.attr] = [
                    r[i] * Fraction(1, factorial(k)) for k, r in enumerate(rates[start : start + order + 1])
                ]
    return [[c * factorial(k) for k, c in enumerate(s.c)] for s in series(torques, leaves, order)]


def _inverse(d: Derivation, joints: tuple[str, ...], damped: bool) -> None:
    found = _torque_series(d, 1 if damped else 2)
    of = _transmissions(d, joints, damped)
    stretch: list[Expr] = []
    if damped:
        names = tuple(f"STR{t.v + 1}" for t in of)
        stretch = d.input(Input("stretch", (len(of),), "state", "", "θ - q of each transmission", names))
    tau = [s[0] for s in found]
    theta, thetad = list[Expr](), list[Expr]()
    for i, t in enumerate(of):
        torque = found[t.v]
        if damped:
            e = stretch[i]
            ed = (torque[0] - t.stiffness * e) / t.damping
            edd = (torque[1] - t.stiffness * ed) / t.damping
        else:
            e, ed, edd = (x / t.stiffness for x in torque)
        theta.append(d.q[t.q] + e)
        thetad.append(d.qd[t.v] + ed)
        tau[t.v] = t.ratio * t.inertia * (d.qdd[t.v] + edd) + torque[0] / t.ratio
    d.torques("tau", tau, "torques and forces of the motors, on their side of the gear")
    _tell(d, "theta", theta, of, "coordinates of the motors, on the joint's side of the gear")
    _tell(d, "thetad", thetad, of, "their velocities")


JOINTS = Option(
    "joints", "tuple[str, ...]", (), "the joint velocities with a transmission, by name; all that can have one if none"
)

TRANSMISSION_INVERSE = Entry(
    name="transmission-inverse-dynamics",
    title="inverse dynamic model with elastic transmissions",
    equation="N τ = N² J θ'' + Γ,   Γ = K (θ - q) + D (θ' - q') = A q'' + H",
    source=f"{SPONG}; Γ' and Γ'' from the Taylor series of the tree's model",
    inputs=("q", "qd", "qdd", "qddd", "qdddd", "stretch"),
    outputs=("tau", "theta", "thetad"),
    build=_inverse,
    options=(
        JOINTS,
        Option("damped", "bool", False, "whether there are dampers: then θ - q is a state of its own, an input"),
    ),
)


def _direct(d: Derivation, joints: tuple[str, ...]) -> None:
    q, qd, tau = d.q, d.qd, d.tau
    of = _transmissions(d, joints, damped=True)

    def state(name: str, letters: str, doc: str) -> list[Expr]:
        labels = tuple(f"{letters}{t.v + 1}" for t in of)
        return d.input(Input(name, (len(of),), "state", "", doc, labels))

    theta = state("theta", "TH", "coordinates of the motors, on the joint's side of the gear")
    thetad = state("thetad", "THP", "their velocities")
    driven = list(tau)
    accelerations: list[Expr] = []
    for t, angle, speed in zip(of, theta, thetad, strict=True):
        torque = t.stiffness * (angle - q[t.q]) + t.damping * (speed - qd[t.v])
        driven[t.v] = torque
        accelerations.append((t.ratio * tau[t.v] - torque) / (t.ratio * t.ratio * t.inertia))
    with accelerations_determined(d):
        qdd = direct_dynamics_articulated(d.tree, q, qd, driven, d.base)
    d.accelerations("qdd", qdd, "joint accelerations")
    _tell(d, "thetadd", accelerations, of, "accelerations of the motors, on the joint's side of the gear")


TRANSMISSION_DIRECT = Entry(
    name="transmission-direct-dynamics",
    title="direct dynamic model with elastic transmissions",
    equation="A q'' = Γ - H,   N² J θ'' = N τ - Γ,   Γ = K (θ - q) + D (θ' - q')",
    source=f"{SPONG}; articulated bodies",
    inputs=("q", "qd", "tau", "theta", "thetad"),
    outputs=("qdd", "thetadd"),
    build=_direct,
    options=(JOINTS,),
)

ENTRIES = (TRANSMISSION_INVERSE, TRANSMISSION_DIRECT)
