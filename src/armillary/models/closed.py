"""What models of robots with constraints share: the independent joints, and inputs and outputs of these and of the motors."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any

from armillary.dynamics.closed import Closed
from armillary.dynamics.loops import closed_inertia_matrix
from armillary.dynamics.newton_euler import Wrench
from armillary.errors import ModelError
from armillary.expr.graph import Expr
from armillary.models.assembly import modes
from armillary.models.derivation import RATES, Derivation
from armillary.models.dynamic import accelerations_determined
from armillary.models.entry import Option
from armillary.models.partition import partition
from armillary.program.program import Input

TIED = "robots whose joints are tied together, by loops, couplings, contacts or wheels; q of all joints meets the constraints"
PROJECTION = "Khalil (2010), section 6"

INDEPENDENT = Option(
    "independent",
    "tuple[str, ...]",
    (),
    "the joint velocities that the motion is given by, by name; those with motors as far as they are needed, unless told",
)


MODE = Option(
    "mode",
    "int | None",
    None,
    "a way to assemble the robot, by its number in loop_solution: q_a is given instead of q, all other coordinates follow",
)


def closed(
    d: Derivation, independent: Sequence[str], mode: int | None = None, *, kept: Sequence[str] = (), sums: bool = True
) -> Closed:
    """The robot that meets its constraints at q, see `partition`, or at what q_a comes to in one mode.

    There coordinates that are sums of others tie the joints by constant rows, which `sums` may leave out.
    """
    if mode is None:
        return Closed(d.tree, d.q, partition(d, d.q, independent, kept=kept))
    ways = modes(d, independent, kept)
    way = ways.one(d, mode)
    q, _ = way.solved(ways.input(d), d.scalar)
    d.notes.append(("assembled", way.assembly.name or "in the only way"))
    p = partition(d, q, independent, kept=kept, way=way if sums else None)
    return Closed(d.tree, q, p, way.more(d.scalar) if sums else ())


def driven(d: Derivation, c: Closed) -> Closed:
    """The same; an error where the motors do not determine the motion. More motors than needed are noted on the model."""
    p, names = c.partition, d.description.v_names
    mobility = len(p.independent)
    if not p.actuated:
        raise ModelError(
            f"{d.description.name}: no joint is active, and the mobility is {mobility}; say actuated = true of as many joints"
        )
    if p.loose:
        free = ", ".join(names[k] for k in p.loose)
        raise ModelError(
            f"{d.description.name} is under-actuated: with its active joints held, {free} can still move; the mobility is {mobility}, "
            f"active are {', '.join(names[k] for k in p.actuated)}: make other or more joints active, or take "
            "closed-underactuated-inverse-dynamics, which finds how the others move"
        )
    if len(p.actuated) > mobility:
        d.notes.append(("motors", f"{len(p.actuated)} for the mobility {mobility}: torques of least norm"))
    return c


def determined(d: Derivation, c: Closed) -> AbstractContextManager[None]:
    """Says along which independent joints nothing has inertia, where solving for their accelerations divides by zero."""
    return accelerations_determined(d, lambda: closed_inertia_matrix(c), named_places(d, c.partition.independent))


_DOC = {
    "qd": "velocities of the independent joints",
    "qdd": "accelerations of the independent joints",
    "tau": "torques and forces of the active joints",
}


def given(d: Derivation, c: Closed, name: str) -> list[Expr]:
    """qd or qdd of the independent joints, tau of the motors."""
    p = c.partition
    places = p.actuated if name == "tau" else p.independent
    if not places:
        return []
    doc = _DOC[name] if p.actuated != p.independent else _DOC[name].replace("independent", "active")
    labels = tuple(f"{RATES[name][0]}{k + 1}" for k in places)
    return d.input(Input(f"{name}_a", (len(places),), "state", d.unit(name, places), doc, labels))


def named_places(d: Derivation, places: Sequence[int]) -> tuple[str, ...]:
    """The names of velocities at these places."""
    return tuple(d.description.v_names[k] for k in places)


def tell_forces(d: Derivation, name: str, places: Sequence[int], elements: Sequence[Any], doc: str) -> None:
    """Torques or forces at these places as an output."""
    d.output(name, (len(places),), elements, d.unit("tau", places), doc, rows=named_places(d, places))


def tell_wrenches(d: Derivation, name: str, rows: Sequence[str], wrenches: Sequence[Wrench], doc: str) -> None:
    """An output with a wrench a row."""
    columns = ("f_x", "f_y", "f_z", "n_x", "n_y", "n_z")
    elements = [[*f, *n] for f, n in wrenches]
    d.output(name, (len(wrenches), 6), elements, "N, N·m", doc, rows=rows, columns=columns)
