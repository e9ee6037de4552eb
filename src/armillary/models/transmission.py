"""Inverse dynamics through transmissions: between a motor and its joint a gear, and a spring with a damper where it gives.

Spong (1987): with θ the motor's angle, q = r θ + offset + s, and the link side the robot without its motors (`robot.transmission`),

    Γ = A q'' + H = -(K s + D s'),   τ = J θ'' + FV θ' + FS sign(θ') + r Γ

With no damper s = -Γ/K, and θ'' needs Γ''; with one s is a state of its own and θ'' needs Γ'. Where nothing gives s is 0. Wrenches,
gravity and base motion are taken to be steady.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import factorial

from armillary.dynamics.loops import closed_inverse_dynamics
from armillary.dynamics.newton_euler import inverse_dynamics
from armillary.expr.graph import Expr
from armillary.expr.series import series
from armillary.models.closed import TIED, closed, driven, given, named_places
from armillary.models.derivation import Derivation
from armillary.models.entry import Entry
from armillary.models.time_derivative import coordinate_series, moving
from armillary.program.program import Input
from armillary.robot.transmission import Transmission, link_side, transmissions
from armillary.spatial.scalar import sign

ORDER = {"rigid": 0, "damped": 1, "elastic": 2}
"""How often the torque behind a transmission has to be differentiated."""


@dataclass(frozen=True, slots=True)
class _Side:
    """The link side: velocities that its motion is given by, velocities and accelerations of all joints, and its motors' torques.

    `motors` are places of velocities. `torques` are Γ, Γ', … of each motor.
    """

    rates: list[list[Expr]]
    motors: Sequence[int]
    torques: list[list[Expr]]


@dataclass(frozen=True, slots=True)
class _Drive:
    """One transmission in symbols; `kind` is a key of `ORDER`."""

    of: Transmission
    kind: str
    v: int
    q: int
    ratio: Expr
    offset: Expr
    stiffness: Expr
    damping: Expr


def _drives(d: Derivation) -> list[_Drive]:
    names, coordinates = d.description.v_names, d.description.q_names
    found: list[_Drive] = []
    for t in transmissions(d.original):
        r, o, K, D = (d.graph.lift(d.scalar(x)) for _, x in t.coupling.values())
        kind = "rigid" if not t.coupling.elastic else "elastic" if D.const == 0 else "damped"
        places = names.index(t.link.velocities[0]), coordinates.index(t.link.coordinates[0])
        found.append(_Drive(t, kind, *places, r, o, K, D))
    return found


def _link_side(d: Derivation, order: int) -> _Side:
    """The torques of the link side as Taylor series, of a tree or of a robot whose joints are tied together."""
    q = d.q
    if d.description.ties:
        c = driven(d, closed(d, ()))
        rates = [given(d, c, "qd"), given(d, c, "qdd")]
        whole = c.velocities(rates[0])
        whole = [whole, c.accelerations(rates[1], whole)]
        torques, motors = closed_inverse_dynamics(c, rates[0], rates[1], d.base), c.partition.actuated
        ending = "_a"
    else:
        rates = whole = [d.qd, d.qdd]
        torques, motors = inverse_dynamics(d.tree, q, d.qd, d.qdd, d.base), range(d.tree.nv)
        ending = ""
    rates = [*rates]
    for name, how in (("qddd", "differentiated once"), ("qdddd", "differentiated twice"))[:order]:
        like = Input(name + ending, (len(rates[0]),), "state", "", f"the accelerations given, {how}")
        rates.append(d.input(like))
    motion = [[d.graph.lift(x) for x in row] for row in whole]
    listed = [d.graph.lift(x) for x in torques]
    if not order:
        return _Side(motion, motors, [[x] for x in listed])
    leaves = dict(moving("q", q, coordinate_series([b.joint for b in d.description.bodies], q, motion[:order])))
    for start, name in enumerate(("qd", "qdd")):
        rows = [
            [r[i] * Fraction(1, factorial(k)) for k, r in enumerate(rates[start : start + order + 1])]
            for i in range(len(rates[0]))
        ]
        leaves |= moving(name + ending, rates[start], rows)
    found = [[c * factorial(k) for k, c in enumerate(s.c)] for s in series(listed, leaves, order)]
    return _Side(motion, motors, found)


def _inverse(d: Derivation) -> None:
    drives = _drives(d)
    side = _link_side(d, max((ORDER[x.kind] for x in drives), default=0))
    damped = [x for x in drives if x.kind == "damped"]
    stretch: dict[str, Expr] = {}
    if damped:
        labels = tuple(f"STR{x.v + 1}" for x in damped)
        doc = "s = q - r θ - offset of each transmission with a damper"
        values = d.input(Input("stretch", (len(damped),), "state", "", doc, labels))
        stretch = {x.of.coupling.name: s for x, s in zip(damped, values, strict=True)}
    tau = {place: row[0] for place, row in zip(side.motors, side.torques, strict=True)}
    rows = dict(zip(side.motors, named_places(d, side.motors), strict=True))
    theta, thetad = list[Expr](), list[Expr]()
    for x in drives:
        s = _stretch(d, x, side.torques[list(side.motors).index(x.v)], stretch.get(x.of.coupling.name))
        angle, speed, acceleration = (
            (value - e) / x.ratio
            for value, e in zip((d.q[x.q] - x.offset, side.rates[0][x.v], side.rates[1][x.v]), s, strict=True)
        )
        theta.append(angle)
        thetad.append(speed)
        motor = x.of.motor
        rotor = d.scalar(motor.IA) * acceleration + d.scalar(motor.FV) * speed + d.scalar(motor.FS) * sign(speed)
        tau[x.v], rows[x.v] = rotor + x.ratio * tau[x.v], motor.velocities[0]
    doc = "torques and forces of the motors, behind a transmission those on the motor's side of it"
    d.output("tau", (len(tau),), list(tau.values()), "", doc, rows=tuple(rows.values()))
    motors = tuple(x.of.motor.velocities[0] for x in drives)
    d.output("theta", (len(drives),), theta, "", "coordinates of the motors behind transmissions", rows=motors)
    d.output("thetad", (len(drives),), thetad, "", "their velocities", rows=motors)


def _stretch(d: Derivation, x: _Drive, torque: Sequence[Expr], state: Expr | None) -> list[Expr]:
    """s, s' and s''."""
    if x.kind == "rigid":
        return [d.graph.const(0)] * 3
    if state is None:
        return [-t / x.stiffness for t in torque]
    rate = -(torque[0] + x.stiffness * state) / x.damping
    return [state, rate, -(torque[1] + x.stiffness * rate) / x.damping]


TRANSMISSION_INVERSE = Entry(
    name="transmission-inverse-dynamics",
    title="inverse dynamic model through transmissions",
    equation="τ = J θ'' + FV θ' + FS sign(θ') + r Γ,   Γ = -(K s + D s') = A q'' + H,   s = q - r θ - offset",
    source="Spong (1987); Γ' and Γ'' from the Taylor series of the link side's model",
    inputs=("q", "qd", "qdd", "qddd", "qdddd", "stretch"),
    outputs=("tau", "theta", "thetad"),
    build=_inverse,
    of=link_side,
)

CLOSED_TRANSMISSION_INVERSE = Entry(
    name="closed-transmission-inverse-dynamics",
    title="inverse dynamic model of closed loops through transmissions",
    equation="τ = J θ'' + FV θ' + FS sign(θ') + r Γ_c,   Γ_c = -(K s + D s') = A_c q''_a + H_c,   s = q - r θ - offset",
    source="Spong (1987); Γ_c' and Γ_c'' from the Taylor series of the link side's model",
    inputs=("q", "qd_a", "qdd_a", "qddd_a", "qdddd_a", "stretch"),
    outputs=("tau", "theta", "thetad"),
    build=_inverse,
    accepts=TIED,
    loops="only",
    of=link_side,
)

ENTRIES = (TRANSMISSION_INVERSE, CLOSED_TRANSMISSION_INVERSE)
