"""Closing the loops: passive coordinates from active ones by Newton's method, as a Program, a Routine and a compiled function.

    J_p(q) Δq_p = Φ(q),   q_p ← q_p - Δq_p

with the independent rows of Φ and their analytic derivatives, from a first guess; the last solution is a good one along a
motion. The four numbers of a passive quaternion have one equation more, its length: away from 1 the derivatives are not quite
those of Φ, by as little as the length is off, which leaves the convergence quadratic.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from armillary.errors import ModelError
from armillary.expr.graph import Expr
from armillary.kinematics.constraints import conditions, constraints, geometric
from armillary.kinematics.coordinates import row_on_coordinates
from armillary.models.derivation import Derivation, Fixed
from armillary.models.loops import RESIDUAL
from armillary.models.partition import partition
from armillary.models.spans import spans
from armillary.passes import optimise
from armillary.program.program import About, Input, Program
from armillary.robot import Description
from armillary.routine import Routine, newton
from armillary.targets.names import identifier

if TYPE_CHECKING:
    from armillary.runtime import Function

ACTIVE, PASSIVE = "q_a", "q_p"
FINDER = "Newton's method"


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
    """Newton's method for the geometric constraints of a robot, in at most `most` steps."""
    RESIDUAL.refuse(description, ())
    d = Derivation(description, fixed or {})
    names, joints = description.q_names, spans(description)
    first = Derivation(description, fixed or {})
    p = partition(first, first.q, geometry=True)
    q: list[Expr] = [d.graph.const(0)] * description.nq
    passive = [k for span in joints if span.dependent(p, FINDER) for k in span.q]
    if not passive:
        raise ModelError(
            f"{description.name}: nothing ties its coordinates to each other, and there is nothing to close; wheels tie velocities alone"
        )
    active = [k for k in range(description.nq) if k not in passive]
    for name, which, chosen in ((PASSIVE, "passive", passive), (ACTIVE, "active", active)):
        labels = tuple(names[k] for k in chosen)
        inputs = d.input(Input(name, (len(chosen),), doc=f"{which} coordinates", labels=labels)) if chosen else []
        for k, x in zip(chosen, inputs, strict=True):
            q[k] = x
    found = geometric(constraints(d.tree))
    residual = [x for constraint in found for x in constraint.residual(q)]
    J = [row for constraint in found for row in constraint.rows(q, closed=False)]
    kinds = [body.joint for body in description.bodies]
    by_coordinates = [row_on_coordinates(kinds, q, J[i]) for i in p.rows]
    Phi, matrix = [residual[i] for i in p.rows], [[row[k] for k in passive] for row in by_coordinates]
    labels = [conditions(found)[i] for i in p.rows]
    for span in joints:
        if span.joint.quaternion is not None and span.dependent(p, FINDER):
            four = span.q[span.joint.quaternion : span.joint.quaternion + 4]
            Phi.append((sum(q[k] * q[k] for k in four) - 1) / 2)
            matrix.append([q[k] if k in four else 0 for k in passive])
            labels.append(f"{span.name}.length")
    doc = "what the constraints hold at 0, and the lengths of quaternions"
    d.output("Phi", (len(Phi),), Phi, "", doc, rows=labels)
    doc = "derivatives of Phi by the passive coordinates"
    columns = [names[k] for k in passive]
    d.output("J", (len(Phi), len(passive)), matrix, "", doc, rows=labels, columns=columns)
    about = About(description.name, "closure of the loops", RESIDUAL.equation, RESIDUAL.source, tuple(first.notes))
    name = identifier(f"{description.name} loop closure").lower()
    program = optimise(d.program(name, about))
    unknown, (Phi_name, J_name) = program.inputs[0].name, (x.name for x in program.outputs)
    routine = newton(program, unknown, Phi_name, J_name, most=most, name=f"{name}_newton")
    return LoopClosure(tuple(names[k] for k in active), tuple(columns), program, routine)
