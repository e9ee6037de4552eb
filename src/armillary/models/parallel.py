"""Parallel robots: their motion given by that of the platform, and the legs found from where it stands."""

from collections.abc import Sequence
from typing import Any

from armillary.dynamics.actuation import actuation_matrix
from armillary.dynamics.closed import Closed
from armillary.dynamics.loops import closed_inverse_dynamics
from armillary.errors import ModelError
from armillary.kinematics.legs import LegSolution
from armillary.models.closed import INDEPENDENT, PROJECTION, TIED, closed, driven, given, named_places, tell_forces
from armillary.models.derivation import Derivation
from armillary.models.entry import Entry, Option
from armillary.models.geometric import FRAME
from armillary.models.kinematic import EXPRESSED, ROWS
from armillary.models.legs import (
    in_ways,
    lacks_platform,
    leg_solutions,
    platform_coordinates,
    platform_joints,
    substituted,
)
from armillary.models.partition import partition
from armillary.models.route import cheapest_jacobian
from armillary.program.program import Input
from armillary.robot import Description
from armillary.robot.parallel import platforms
from armillary.spatial.linear import Matrix, solved

LEGS = "Khalil (2010), section 5; Khalil and Ibrahim (2007)"
PARALLEL = (
    "parallel robots: a platform that joints without motors carry (free, planar, slides), two or more legs cut from it"
)


def _frame(d: Derivation, name: str | None) -> str:
    """A frame by name; without one the platform, where there is one."""
    if name is not None:
        return d.frame(name)
    names = [platform.name for platform in platforms(d.description)]
    if len(names) > 1:
        raise ModelError(f"{d.description.name} has the platforms {', '.join(names)}; name the frame that is meant")
    [d.taken_frame] = names
    return d.taken_frame


# ---- Jacobians ----


def _twists(d: Derivation, c: Closed, frame: str, expressed_in: str) -> Matrix:
    """6 x m: the twist of a frame from the independent velocities, J G."""
    p, J = c.partition, cheapest_jacobian(d, frame, expressed_in, None)
    W = (
        c.W()
        if any(row[k].const != 0 for row in J for k in p.dependent)
        else [[0] * len(p.independent)] * len(p.dependent)
    )
    return [
        [row[k] + sum(row[j] * w[i] for j, w in zip(p.dependent, W, strict=True)) for i, k in enumerate(p.independent)]
        for row in J
    ]


def _closed_jacobian(d: Derivation, frame: str | None, expressed_in: str, independent: Sequence[str]) -> None:
    name = d.frame(frame)
    c = closed(d, independent)
    J = _twists(d, c, name, d.frame(expressed_in))
    doc = f"twist (m/s, rad/s) of {name} from the independent velocities"
    d.output(
        "J", (6, len(c.partition.independent)), J, "", doc, rows=ROWS, columns=named_places(d, c.partition.independent)
    )


CLOSED_JACOBIAN = Entry(
    name="closed-jacobian",
    title="Jacobian of a frame, loops closed",
    equation="(v, ω) = J q'_i,   J = J_tr G",
    source=f"{PROJECTION}; the tree's Jacobian times G",
    inputs=("q",),
    outputs=("J",),
    build=_closed_jacobian,
    options=(FRAME, EXPRESSED, INDEPENDENT),
    accepts=TIED,
    loops="only",
)


def _platform_jacobian(d: Derivation, frame: str | None, expressed_in: str) -> None:
    name = _frame(d, frame)
    c = driven(d, closed(d, platform_joints(d.description)))
    p = c.partition
    motors, moves = named_places(d, p.actuated), named_places(d, p.independent)
    inverse, V = actuation_matrix(c), _twists(d, c, name, d.frame(expressed_in))
    doc = "velocities of the motors from those platform velocities that determine the others: the reduced inverse Jacobian"
    d.output("Jinv", (len(motors), len(moves)), inverse, "", doc, rows=motors, columns=moves)
    doc = f"twist (m/s, rad/s) of {name} from the velocities of the motors"
    d.output("J", (6, len(motors)), _from_motors(inverse, V), "", doc, rows=ROWS, columns=motors)


def _from_motors(inverse: Matrix, V: Matrix) -> Matrix:
    """V Jr⁻¹, or V (Jrᵀ Jr)⁻¹ Jrᵀ where there are more motors than independent velocities."""
    n, m = len(inverse), len(inverse[0])
    if n == m:
        columns = solved([list(x) for x in zip(*inverse, strict=True)], [list(x) for x in zip(*V, strict=True)])
        return [list(x) for x in zip(*columns, strict=True)]
    gram = [[sum(row[i] * row[j] for row in inverse) for j in range(m)] for i in range(m)]
    left = solved(gram, [[row[i] for row in inverse] for i in range(m)])
    return [[sum(v * line[k] for v, line in zip(row, left, strict=True)) for k in range(n)] for row in V]


PLATFORM_JACOBIAN = Entry(
    name="platform-jacobian",
    title="Jacobian of a parallel robot and its inverse",
    equation="q'_a = Jr⁻¹ v,   (v, ω) = J q'_a,   J = V Jr,   v independent velocities of the platform, (v, ω) = V v",
    source=f"{LEGS}, eqs. 60-64; of reduced mobility: J from the reduced inverse",
    inputs=("q",),
    outputs=("Jinv", "J"),
    build=_platform_jacobian,
    options=(FRAME, EXPRESSED),
    accepts=PARALLEL,
    loops="only",
    lacks=lacks_platform,
)


# ---- legs ----


def _pose(d: Derivation) -> tuple[list[Any], list[int]]:
    """q with the platforms' coordinates as an input, and their places."""
    description, known = d.description, platform_coordinates(d.description)
    labels = tuple(description.q_names[k] for k in known)
    q: list[Any] = [None] * description.nq
    doc = "coordinates of the platform"
    for k, x in zip(known, d.input(Input("x", (len(known),), "state", "", doc, labels)), strict=True):
        q[k] = x
    return q, known


def _leg_geometry(d: Derivation) -> None:
    q, known = _pose(d)
    found = leg_solutions(d.description, d.tree, q, known)
    substituted(d, known)
    count = max(len(leg.ways) for leg in found)
    ways = [in_ways(d.description, d.tree, q, found, [k % len(leg.ways) for leg in found]) for k in range(count)]
    doc = "coordinates of all joints, every leg in its way of that number, for a place that the platform can have; no number out of reach"
    labels = [f"way {k}" for k in range(count)]
    d.output("q", (count, d.description.nq), ways, "", doc, rows=labels, columns=d.description.q_names)
    d.notes.append(("ways", ", ".join(f"{leg.leg} {len(leg.ways)}" for leg in found)))


LEG_GEOMETRY = Entry(
    name="leg-geometry",
    title="inverse geometric model of the legs",
    equation="q_i with P_i(q_i) = P_i(x), x the coordinates of the platform, every way of each leg",
    source="elimination of what hinges and slides cannot change, as in Pieper (1968)",
    inputs=("x",),
    outputs=("q",),
    build=_leg_geometry,
    accepts=PARALLEL,
    loops="only",
    lacks=lacks_platform,
)


# ---- dynamics ----


def _inverse(d: Derivation, ways: Sequence[int | str] | None) -> None:
    q, known = _pose(d)
    found = leg_solutions(d.description, d.tree, q, known)
    whole = in_ways(d.description, d.tree, q, found, _numbers(d.description, found, ways))
    lifted = [d.graph.lift(x) for x in whole]
    c = driven(d, Closed(d.tree, lifted, partition(d, lifted, platform_joints(d.description))))
    substituted(d, known)
    tau = closed_inverse_dynamics(c, given(d, c, "qd"), given(d, c, "qdd"), d.base)
    tell_forces(d, "tau_a", c.partition.actuated, tau, "torques and forces of the active joints")


def _numbers(d: Description, found: Sequence[LegSolution], ways: Sequence[int | str] | None) -> list[int]:
    """A way for each leg, the first where none is named."""
    if ways is None:
        return [0] * len(found)
    if len(ways) != len(found):
        raise ModelError(
            f"{d.name} has {len(found)} legs, {', '.join(x.leg for x in found)}; {len(ways)} ways were named"
        )
    for leg, way in zip(found, ways, strict=True):
        if isinstance(way, str) or not 0 <= int(way) < len(leg.ways):
            raise ModelError(
                f"{d.name}: the leg that {leg.leg} cuts has the ways 0 to {len(leg.ways) - 1}, not {way!r}"
            )
    return [int(way) for way in ways]


PARALLEL_INVERSE_DYNAMICS = Entry(
    name="parallel-inverse-dynamics",
    title="inverse dynamic model of a parallel robot, from its platform",
    equation="Γ = J_pᵀ [F_p + Σ J_viᵀ J_i⁻ᵀ Γ_i],   q_i from x in closed form",
    source=f"{LEGS}, eq. 66, of reduced mobility too",
    inputs=("x", "qd_a", "qdd_a"),
    outputs=("tau_a",),
    build=_inverse,
    options=(
        Option(
            "ways",
            "tuple[int | str, ...] | None",
            None,
            "the way of each leg to reach the platform, by number as leg-geometry lists them; 0 unless told",
        ),
    ),
    accepts=PARALLEL,
    loops="only",
    lacks=lacks_platform,
)

ENTRIES = (CLOSED_JACOBIAN, PLATFORM_JACOBIAN, LEG_GEOMETRY, PARALLEL_INVERSE_DYNAMICS)
