"""Equations of motion after one principle or another: second opinions on the dynamics of a robot."""

from typing import Any

from armillary.dynamics.formulations import DIRECT, FORMULATIONS
from armillary.errors import ModelError
from armillary.models.derivation import Derivation
from armillary.models.dynamic import accelerations_determined
from armillary.models.entry import Entry, Option
from armillary.models.partition import partition

BOOK = "Vukobratović and Potkonjak (1982), chapter 2"
LECTURE = "Shah, Saha and Dutt (2013)"
GAUSS, NEWTON_EULER = "gauss", "newton-euler"


def _formulation(d: Derivation, principle: str) -> None:
    def nothing(x: Any) -> bool:
        return d.graph.lift(x).const == 0

    chosen = FORMULATIONS[principle]
    reason = chosen.refuses(d.tree, nothing)
    if reason:
        raise ModelError(f"{principle} is for links that hang on balls; in {d.description.name} {reason}")
    names, nv = d.description.v_names, d.tree.nv
    found = chosen.function(d.tree, d.q, d.qd, d.qdd)
    d.output("A", (nv, nv), found.A, d.inertia_unit, "joint-space inertia matrix", rows=names, columns=names)
    d.torques("H", found.H, "all torques but those of the joint accelerations")
    d.torques("tau", found.tau, "joint torques and forces")


FORMULATION = Entry(
    name="formulation",
    title="equations of motion after one principle",
    equation="Γ = A(q) q'' + H(q, q')",
    source=f"{BOOK}; {LECTURE}",
    inputs=("q", "qd", "qdd"),
    outputs=("A", "H", "tau"),
    build=_formulation,
    options=(Option("principle", "str", NEWTON_EULER, "what they are derived from", tuple(FORMULATIONS)),),
)


def _direct(d: Derivation, principle: str) -> None:
    rows: tuple[Any, ...] = ()
    if d.description.ties:
        if principle != GAUSS:
            raise ModelError(
                f"{principle} is for serial and tree-structured robots, and the joints of {d.description.name} are tied together: "
                f"take principle={GAUSS}, or the tree alone, robot.opened()"
            )
        rows = (partition(d, d.q).rows,)
    with accelerations_determined(d):
        qdd = DIRECT[principle](d.tree, d.q, d.qd, d.tau, *rows)
    d.accelerations("qdd", qdd, "accelerations of all joints")


DIRECT_DYNAMICS = Entry(
    name="formulation-direct-dynamics",
    title="direct dynamics after one principle",
    equation="Z(q'') least with J q'' + J̇ q' = 0,   or   U D Uᵀ q'' = Γ - H",
    source=f"{BOOK}, section 2.8; {LECTURE}",
    inputs=("q", "qd", "tau"),
    outputs=("qdd",),
    build=_direct,
    options=(Option("principle", "str", GAUSS, "least constraint, or Saha's factors", tuple(DIRECT)),),
    accepts="serial and tree-structured robots; by Gauss' principle also joints that are tied together, from q' and Γ of all joints",
    loops="too",
)

ENTRIES = (FORMULATION, DIRECT_DYNAMICS)
