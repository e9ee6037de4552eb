"""Robots with closed loops cut into subsystems, and into free bodies: two more ways to torques, and to what joints carry."""

from collections.abc import Sequence
from typing import Any

from armillary.dynamics.closed import Closed
from armillary.dynamics.free_bodies import free_bodies
from armillary.dynamics.subsystems import Order, all_rows, equations, order, subsystem_inverse_dynamics
from armillary.errors import ModelError
from armillary.models.closed import INDEPENDENT, TIED, closed, driven, given, named_places, tell_forces, tell_wrenches
from armillary.models.derivation import Derivation
from armillary.models.entry import Entry
from armillary.models.structure import nonzeros
from armillary.spatial.blocks import Pattern, independent_blocks

LECTURE = "S. K. Saha, Recursive Robot Dynamics"
UNCHANGED = "joints also carry forces that do no work, and those change when parameters are regrouped"
TORQUES = "torques and forces of the active joints"
LEAST = "what the motion leaves open is chosen so that the forces (N, N·m) along all {} have the least norm"
ON_B = "(f, n) that body a of each cut joint exerts on body b, along the axes of frame a about the origin of b"


def one_motor_each(d: Derivation, independent: Sequence[str] = ()) -> Closed:
    """The robot that meets its constraints at q; an error where its motors do not determine each other's torques."""
    c = driven(d, closed(d, independent))
    p = c.partition
    more = len(p.actuated) - len(p.independent)
    if more > 0:
        pressure = " contact-inverse-dynamics for given pressures," if d.description.contacts else ""
        raise ModelError(
            f"{d.description.name} has {len(p.actuated)} motors, {', '.join(named_places(d, p.actuated))}, for the mobility "
            f"{len(p.independent)}: its equations leave open what each of them takes; take closed-inverse-dynamics, which chooses the "
            f"least torques,{pressure} or make {more} of them passive (actuated = false)"
        )
    return c


def pattern(d: Derivation, A: Sequence[Sequence[Any]]) -> Pattern:
    """Where a matrix may have something other than 0."""
    return nonzeros([[d.graph.lift(x) for x in row] for row in A])


def solving_order(d: Derivation, c: Closed) -> Order:
    """In which order the subsystems' equations are solved, each cut joint seen from the side that leaves the smaller steps."""
    best = _order(d, c, ())
    for k, loop in enumerate(c.loops):
        if loop.junction.kind.mutual:
            found = _order(d, c, (*best.turned, k))
            best = min(best, found, key=_work)
    return best


def _order(d: Derivation, c: Closed, turned: Sequence[int]) -> Order:
    """The order with these joints seen from b."""
    rows = all_rows(c, turned)
    places = [i for i, row in enumerate(pattern(d, rows)) if any(row)]
    return order(d.tree, c.partition, pattern(d, equations(c.partition, [rows[i] for i in places])), places, turned)


def _work(ways: Order) -> int:
    """About how many operations solving takes."""
    return sum(len(rows) * len(unknowns) ** 2 for rows, unknowns in ways.steps)


def _subsystems(d: Derivation, independent: Sequence[str]) -> None:
    c = one_motor_each(d, independent)
    ways = solving_order(d, c)
    torques, wrenches = subsystem_inverse_dynamics(c, ways, given(d, c, "qd"), given(d, c, "qdd"), d.base)
    tell_forces(d, "tau_a", c.partition.actuated, torques, TORQUES)
    wide = any(len(unknowns) > len(rows) for rows, unknowns in ways.steps)
    doc = f"{ON_B}; {LEAST.format('rows')}" if wide else ON_B
    tell_wrenches(d, "F", [loop.name for loop in c.loops], wrenches, doc)


SUBSYSTEMS = Entry(
    name="subsystem-inverse-dynamics",
    title="torques and forces of the cut joints, subsystem after subsystem",
    equation="Γ + Jᵀ λ = Γ_tr,   solved block by block",
    source=f"{LECTURE}, lectures 3 and 4",
    inputs=("q", "qd_a", "qdd_a"),
    outputs=("tau_a", "F"),
    build=_subsystems,
    regrouping=UNCHANGED,
    options=(INDEPENDENT,),
    accepts=TIED,
    loops="only",
)


def _free_bodies(d: Derivation, independent: Sequence[str]) -> None:
    c = one_motor_each(d, independent)
    bodies = free_bodies(c, given(d, c, "qd"), given(d, c, "qdd"), d.base)
    found = bodies.solve(independent_blocks(pattern(d, bodies.A)))
    tell_forces(d, "tau_a", c.partition.actuated, found.torques, TORQUES)
    open_ = f"; {LEAST.format('directions that joints hold')}" if len(bodies.A) < len(bodies.A[0]) else ""
    doc = f"(f, n) that each joint transmits to its link, in the link's frame about its origin{open_}"
    tell_wrenches(d, "F", [b.name for b in d.tree.bodies], found.joints, doc)
    tell_wrenches(d, "Fc", [loop.name for loop in c.loops], found.cuts, f"{ON_B}{open_}")


FREE_BODIES = Entry(
    name="free-body-dynamics",
    title="torques and reaction wrenches of all joints from free bodies",
    equation="W_j - Σ ʲX_k W_k ± cut joints = (F_j, N_j) of every body j, as one system",
    source=f"Newton's and Euler's equations of each body; {LECTURE}, lecture 3",
    inputs=("q", "qd_a", "qdd_a"),
    outputs=("tau_a", "F", "Fc"),
    build=_free_bodies,
    regrouping=UNCHANGED,
    options=(INDEPENDENT,),
    accepts=TIED,
    loops="only",
)

ENTRIES = (SUBSYSTEMS, FREE_BODIES)
