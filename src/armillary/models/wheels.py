"""Robots on wheels: what the ground forbids, how platform and joints can move, and the forces between wheels and ground."""

from collections.abc import Sequence

import numpy as np

from armillary.dynamics.closed import Closed
from armillary.dynamics.wheel_forces import wheel_forces, wheel_rows
from armillary.errors import ModelError
from armillary.kinematics.closure import Floats, rank
from armillary.kinematics.constraints import conditions
from armillary.kinematics.coordinates import coordinate_rates, row_on_coordinates
from armillary.kinematics.mobility import limiting_wheels, null_space, platform_velocities
from armillary.kinematics.posture import platform_motions, slides
from armillary.kinematics.wheels import wheels
from armillary.models.closed import INDEPENDENT, TIED, closed, driven, given, named_places
from armillary.models.closed_states import closed_configurations, closed_states
from armillary.models.derivation import Derivation
from armillary.models.entry import Entry
from armillary.program.program import Input
from armillary.robot import Description
from armillary.robot.mounting import held_fast

ROLLING = "robots on wheels"
CAMPION = "Campion, Bastin and d'Andréa-Novel (1996)"


def _no_wheels(description: Description) -> str:
    return "" if description.wheels else "has no wheels: say which bodies roll on the ground, arm.wheel(…)"


# ---- kinematics ----


def _constraints(d: Derivation) -> None:
    found = wheels(d.tree)
    joints = [body.joint for body in d.description.bodies]
    J = [row for constraint in found for row in constraint.rows(d.q)]
    W = [row_on_coordinates(joints, d.q, row) for row in J]
    drift = [x for constraint in found for x in constraint.drift(d.q, d.qd)]
    rows, n = conditions(found), len(J)
    doc = "a row for each condition on the joint velocities, along the platform's axes: J q' = 0"
    d.output("J", (n, d.tree.nv), J, "", doc, rows=rows, columns=d.description.v_names)
    doc = "the same on the rates of the coordinates, W dq/dt = 0"
    d.output("W", (n, d.tree.nq), W, "", doc, rows=rows, columns=d.description.q_names)
    d.output("JPQP", (n,), drift, "", "J̇ q' of the rows of J", rows=rows)


CONSTRAINTS = Entry(
    name="wheel-constraints",
    title="what wheels that neither slip nor slide forbid",
    equation="t·v_C - r φ' = 0,   a·v_C = 0,   rollers: d·v_C - r cos γ φ' = 0;   J q' = W q̇ = 0",
    source=f"{CAMPION}; Khalil, Vijayalingam et al. (2014), eq. 42",
    inputs=("q", "qd"),
    outputs=("J", "W", "JPQP"),
    build=_constraints,
    accepts=ROLLING,
    loops="only",
    lacks=_no_wheels,
)


def _posture(d: Derivation) -> None:
    tree, every = d.tree, slides(d.tree, d.q)
    names = _limiting(d)
    Sigma = platform_motions([every[name] for name in names])
    n = len(Sigma[0])
    labels = {3: ("ETAX", "ETAY", "ETAW"), 2: ("ETAV", "ETAW"), 1: ("ETA",)}[n]
    doc = {
        3: "velocity of the platform along its axes (m/s, rad/s)",
        2: f"speed along {names[0] if names else ''} (m/s) and angular velocity (rad/s)",
        1: "how fast it moves in its one way",
    }[n]
    eta = d.input(Input("eta", (n,), "state", "", doc, labels))
    own = [sum(x * y for x, y in zip(row, eta, strict=True)) for row in Sigma]
    platform = tree.bodies[tree.wheels[0].platform]
    rate = platform.joint.rates(d.q[platform.q], own)
    doc = "rate of the posture (x, y, θ) of the platform"
    d.output("xid", (3,), rate, "m/s, rad/s", doc, rows=("x", "y", "theta"))
    doc = "velocities that the platform can have at once, along its own axes"
    d.output("Sigma", (3, n), Sigma, "", doc, rows=("v_x", "v_y", "w"), columns=labels)


def _limiting(d: Derivation) -> list[str]:
    """The wheels whose slides are independent, at most two, the fixed ones before the steered."""
    states = closed_configurations(d.description, d.known)
    least = min(states, key=lambda state: platform_velocities(state.robot, state.q).shape[1])
    tree, q = least.robot, least.q
    ways = platform_velocities(tree, q).shape[1]
    if not ways:
        raise ModelError(
            f"{d.description.name}: its platform cannot move, the mobility is 0: {held_fast(d.description)}"
        )
    chosen = limiting_wheels(tree, q)
    if 3 - len(chosen) != ways:
        raise ModelError(
            f"{d.description.name}: its wheels leave the platform {3 - len(chosen)} velocities at once, and what else ties its joints "
            f"together {ways}; take configuration-kinematics, which knows of all"
        )
    return chosen


POSTURE = Entry(
    name="posture-kinematics",
    title="posture kinematic model of the platform",
    equation="ξ' = R(θ) Σ(β) η,   C_1(β) Σ(β) = 0",
    source=CAMPION,
    inputs=("q", "eta"),
    outputs=("xid", "Sigma"),
    build=_posture,
    accepts=ROLLING,
    loops="only",
    lacks=_no_wheels,
)


def _configuration(d: Derivation, independent: Sequence[str]) -> None:
    c = closed(d, independent)
    p, joints = c.partition, [body.joint for body in d.description.bodies]
    rates = coordinate_rates(joints, d.q, c.velocities(given(d, c, "qd")))
    d.output("qp", (d.tree.nq,), rates, "", "rates of all coordinates", rows=d.description.q_names)
    W = c.W()
    columns = [
        coordinate_rates(joints, d.q, p.whole([int(i == k) for i in range(len(p.independent))], [row[k] for row in W]))
        for k in range(len(p.independent))
    ]
    S = [list(row) for row in zip(*columns, strict=True)]
    doc = "rates of all coordinates from the independent velocities"
    names = named_places(d, p.independent)
    d.output("S", (d.tree.nq, len(names)), S, "", doc, rows=d.description.q_names, columns=names)


CONFIGURATION = Entry(
    name="configuration-kinematics",
    title="configuration kinematic model",
    equation="q̇ = S(q) q'_i,   S = N(q) G,   q' = G q'_i,   q̇ = N(q) q'",
    source=f"{CAMPION}; Khalil, Vijayalingam et al. (2014), eq. 42",
    inputs=("q", "qd_a"),
    outputs=("qp", "S"),
    build=_configuration,
    options=(INDEPENDENT,),
    accepts=TIED,
    loops="only",
)


# ---- forces ----

SIDES = ("forward", "axle")


def _forces(d: Derivation, independent: Sequence[str]) -> None:
    c = driven(d, closed(d, independent))
    forces, total = wheel_forces(c, given(d, c, "qd"), given(d, c, "qdd"), d.base)
    contacts = wheel_rows(c)
    names = [contact.name for contact, _ in contacts]
    N = _undetermined(d, c)
    flags = [
        [
            int(np.linalg.norm(N[k]) > OPEN and d.graph.lift(x).const != 0)
            for k, x in zip((places[0], places[-1]), pair, strict=True)
        ]
        for (_, places), pair in zip(contacts, forces, strict=True)
    ]
    doc = "force of the ground on each wheel, forwards (a × up) and along its axle a"
    count = sum(map(sum, flags))
    if count:
        d.notes.append(("open forces", f"{count} of {2 * len(names)}"))
        doc += "; of least norm where the motion leaves it open, see F_open"
    d.output("F", (len(names), 2), [list(pair) for pair in forces], "N", doc, rows=names, columns=SIDES)
    doc = "1 where the equations of motion leave the force open and F is a choice, 0 where they determine it"
    d.output("F_open", (len(names), 2), flags, "", doc, rows=names, columns=SIDES)
    doc = "all these forces together on the platform, along its axes and about its origin"
    if count and len(c.constraints) == len(wheels(d.tree)):
        doc += "; no choice changes them"
    d.output("total", (3,), total, "N, N·m", doc, rows=("f_x", "f_y", "n_z"))
    axles = _axles(d, c, N)
    sums = [sum(forces[k][1] * sign for k, sign in axle.items()) for axle in axles]
    doc = "forces of wheels on one axle together, along the axle of the first: determined where each alone is open"
    d.output("axles", (len(sums),), sums, "N", doc, rows=[" + ".join(names[k] for k in axle) for axle in axles])


OPEN = 1e-6
"""A part of a unit null vector above which its force is open."""


def _undetermined(d: Derivation, c: Closed) -> Floats:
    """Changes of the forces along all rows that leave the motion as it is: null vectors of [Jᵀ, S], S the columns of the motors."""
    J = max(closed_states(d.description, d.known), key=lambda A: rank(A).rank)
    S = np.eye(J.shape[1])[:, list(c.partition.actuated)]
    return null_space(np.hstack([J.T, S]))[: len(J)]


def _axles(d: Derivation, c: Closed, N: Floats) -> list[dict[int, int]]:
    """Fixed wheels on one line whose sideways forces are open and add up to what is not: places of the wheels, and signs."""
    state = closed_configurations(d.description, d.known)[0]
    tree, q = state.robot, state.q
    lines = {name: np.array(row, dtype=float) for name, row in slides(tree, q.tolist()).items()}
    contacts = wheel_rows(c)
    left = [k for k, (contact, _) in enumerate(contacts) if contact.name in lines and not contact.wheel.forks]
    found: list[dict[int, int]] = []
    while left:
        first = lines[contacts[left[0]][0].name]
        axle = {
            k: round(float(first[:2] @ line[:2]))
            for k in left
            if rank(np.array([first, line := lines[contacts[k][0].name]])).rank == 1
        }
        left = [k for k in left if k not in axle]
        total = sum(N[contacts[k][1][-1]] * sign for k, sign in axle.items())
        alone = [np.linalg.norm(N[contacts[k][1][-1]]) for k in axle]
        if min(alone) > OPEN and np.linalg.norm(total) < OPEN:
            found.append(axle)
    return found


FORCES = Entry(
    name="wheel-forces",
    title="forces of the ground on the wheels",
    equation="A q'' + H = Γ + Jᵀ λ,   λ of least norm where statics leaves it open",
    source="multipliers of the tree's torques: Khalil (2010), section 6",
    inputs=("q", "qd_a", "qdd_a"),
    outputs=("F", "F_open", "total", "axles"),
    build=_forces,
    options=(INDEPENDENT,),
    accepts=ROLLING,
    loops="only",
    lacks=_no_wheels,
)

ENTRIES = (CONSTRAINTS, POSTURE, CONFIGURATION, FORCES)
