"""Points on surfaces: motor torques for a motion and a pressure, and the forces of constraints for a motion that torques make."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from armillary.dynamics.actuation import motor_torques
from armillary.dynamics.closed import Closed
from armillary.dynamics.loops import closed_direct_dynamics, constraint_forces, tree_torques
from armillary.errors import ModelError
from armillary.kinematics.constraints import conditions
from armillary.kinematics.contacts import PointOnSurfaces
from armillary.models.closed import (
    INDEPENDENT,
    MODE,
    PROJECTION,
    TIED,
    closed,
    determined,
    driven,
    given,
    named_places,
    tell_forces,
)
from armillary.models.derivation import Derivation
from armillary.models.entry import Entry
from armillary.models.partition import partition
from armillary.program.program import Input
from armillary.robot import Description

BOOK = "Vukobratović and Potkonjak (1982), section 2.10"


def _forces(d: Derivation, independent: Sequence[str], mode: int | None) -> None:
    c = closed(d, independent, mode, sums=False)
    qd, tau = given(d, c, "qd"), given(d, c, "tau")
    with determined(d, c):
        qdd = closed_direct_dynamics(c, qd, tau, d.base)
    found = constraint_forces(c, qd, qdd, tau, d.base)
    names = conditions(c.constraints)
    doc = "forces along the rows of all constraints: pressures of surfaces, forces and moments of cut joints, torques of couplings"
    if len(c.partition.rows) < len(names):
        doc += "; those that statics leaves open are chosen for the least norm"
    d.output("lambda", (len(names),), [found.get(k, 0) for k in range(len(names))], "", doc, rows=names)
    d.accelerations("qdd", qdd, "accelerations of all joints")


CONSTRAINT_FORCES = Entry(
    name="constraint-forces",
    title="motion under given torques, and the forces of the constraints",
    equation="A q'' + H = Γ + Jᵀ λ,   J q'' + J̇ q' = 0,   λ of least norm where rows are dependent",
    source=f"{PROJECTION}; {BOOK}",
    inputs=("q", "qd_a", "tau_a"),
    outputs=("lambda", "qdd"),
    build=_forces,
    options=(INDEPENDENT, MODE),
    regrouping="constraints also carry forces that do no work, and those change when parameters are regrouped",
    accepts=TIED,
    loops="only",
)


def _inverse(d: Derivation, independent: Sequence[str]) -> None:
    c = closed(d, independent)
    qd, qdd = given(d, c, "qd"), given(d, c, "qdd")
    names = conditions(c.constraints)
    kinds = [isinstance(constraint, PointOnSurfaces) for constraint in c.constraints for _ in constraint.conditions]
    touching = [k for k, touches in enumerate(kinds) if touches]
    labels = tuple(f"N{k}" for k in range(1, len(touching) + 1))
    doc = f"pressures of the surfaces on the points, {', '.join(names[k] for k in touching)}, along the gradients of the formulas"
    pressures = d.input(Input("pressure", (len(touching),), "state", "N", doc, labels))
    rates = c.velocities(qd)
    torques = tree_torques(c, rates, c.accelerations(qdd, rates), d.base)
    for k, N in zip(touching, pressures, strict=True):
        torques = [t - x * N for t, x in zip(torques, c.all_rows[k], strict=True)]
    free = _without_contacts(d)
    found: list[Any] = motor_torques(free, free.projected(torques))
    tell_forces(d, "tau_a", free.partition.actuated, found, "torques and forces of the active joints")


def _without_contacts(d: Derivation) -> Closed:
    """The robot that the surfaces have let go, which the motors have to determine by themselves."""
    apart = Derivation(replace(d.description, contacts=()), {})
    p = partition(apart, apart.q)
    lone = Closed(replace(d.tree, contacts=()), d.q, p)
    motors = named_places(d, p.actuated)
    if p.loose or len(p.actuated) < len(p.independent):
        raise ModelError(
            f"{d.description.name}: a pressure cannot be chosen where motors ({', '.join(motors) or 'none'}) do not determine the motion "
            "without the contact; take closed-inverse-dynamics"
        )
    return driven(d, lone)


def _no_contact(description: Description) -> str:
    return "" if description.contacts else "has no contact: say where a point stays on a surface, arm.contact(…)"


INVERSE_DYNAMICS = Entry(
    name="contact-inverse-dynamics",
    title="inverse dynamic model on a surface, for a given pressure",
    equation="Γ = A q'' + H - J_cᵀ N",
    source=BOOK,
    inputs=("q", "qd_a", "qdd_a", "pressure"),
    outputs=("tau_a",),
    build=_inverse,
    options=(INDEPENDENT,),
    accepts="robots with contacts; q of all joints meets the constraints",
    loops="only",
    lacks=_no_contact,
)

ENTRIES = (CONSTRAINT_FORCES, INVERSE_DYNAMICS)
