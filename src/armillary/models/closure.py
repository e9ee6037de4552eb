"""Closing the loops: passive coordinates from active ones by Newton's method, as a Program, a Routine and a compiled function.

    J_p(q) Δq_p = Φ(q),   q_p ← q_p - Δq_p

with the independent rows of Φ and their analytic derivatives, from a first guess; the last solution is a good one along a
motion.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from armillary.errors import ModelError
from armillary.expr.graph import Expr
from armillary.kinematics.loops import loops, residual, rows
from armillary.models.derivation import Derivation, Fixed
from armillary.models.loops import RESIDUAL, conditions
from armillary.models.partition import active_and_passive, partition
from armillary.passes import optimise
from armillary.program.program import About, Input, Program
from armillary.robot import Description
from armillary.routine import Routine, newton
from armillary.targets.names import identifier

if TYPE_CHECKING:
    from armillary.runtime import Function

ACTIVE, PASSIVE = "q_a", "q_p"


@dataclass(frozen=True, slots=True)
class LoopClosure:
    """How passive coordinates follow from active ones: `residual` is Φ and ∂Φ/∂q_p, `routine` solves Φ = 0 for q_p.

    `active` and `passive` are the names of the coordinates, in the order of q_a and q_p.
    """

    active: tuple[str, ...]
    passive: tuple[str, ...]
    residual: Program
    routine: Routine

    def compile(self) -> Function:
        """The routine as machine code: f(q_p_start, q_a) gives q_p, the number of steps and the status, 0 where it converged."""
        from armillary.runtime import compile_routine

        return compile_routine(self.routine)


def loop_closure(description: Description, *, fixed: Fixed | None = None, most: int = 20) -> LoopClosure:
    """Newton's method for the loops of a robot, in at most `most` steps."""
    RESIDUAL.refuse(description, ())
    d = Derivation(description, fixed or {})
    places = _coordinates(description)
    names = description.q_names
    passive = [places[k] for k in active_and_passive(description)[1]]
    active = [k for k in range(description.nq) if k not in passive]
    q: list[Expr] = [d.graph.const(0)] * description.nq
    for name, which, chosen in ((PASSIVE, "passive", passive), (ACTIVE, "active", active)):
        labels = tuple(names[k] for k in chosen)
        for k, x in zip(
            chosen, d.input(Input(name, (len(chosen),), doc=f"{which} coordinates", labels=labels)), strict=True
        ):
            q[k] = x
    p = partition(d, q)
    found = loops(d.tree)
    Phi = [x for loop in found for x in residual(loop, q)]
    J = [row for loop in found for row in rows(loop, q, closed=False)]
    labels = [conditions(found)[i] for i in p.rows]
    d.output("Phi", (len(p.rows),), [Phi[i] for i in p.rows], "", "what the cut joints hold at 0", rows=labels)
    doc = "derivatives of Phi by the passive coordinates"
    columns = [names[k] for k in passive]
    matrix = [[J[i][k] for k in p.passive] for i in p.rows]
    d.output("J", (len(p.rows), len(passive)), matrix, "", doc, rows=labels, columns=columns)
    about = About(description.name, "closure of the loops", RESIDUAL.equation, RESIDUAL.source, tuple(d.notes))
    name = identifier(f"{description.name} loop closure").lower()
    program = optimise(d.program(name, about))
    unknown, (Phi_name, J_name) = program.inputs[0].name, (x.name for x in program.outputs)
    routine = newton(program, unknown, Phi_name, J_name, most=most, name=f"{name}_newton")
    return LoopClosure(tuple(names[k] for k in active), tuple(columns), program, routine)


def _coordinates(d: Description) -> dict[int, int]:
    """The coordinate of each joint velocity that is the rate of one; an error for passive joints that have none."""
    places: dict[int, int] = {}
    nq = nv = 0
    for body in d.bodies:
        joint = body.joint
        if joint.nv == 1:
            places[nv] = nq
        elif joint.nv and not body.actuated:
            raise ModelError(
                f"{d.name}: Newton's method finds coordinates of joints with one velocity; {body.joint_name} is passive and "
                f"{joint.kind}: make it of joints with one velocity each, or cut the loop at it"
            )
        nq, nv = nq + joint.nq, nv + joint.nv
    return places
