"""What ties the joints of a robot together: the conditions, their rows, and how motors act on the motion that is left."""

from collections.abc import Sequence

from armillary.assembly import undetermined
from armillary.dynamics.actuation import actuation_matrix, null_space
from armillary.errors import ModelError
from armillary.kinematics.constraints import conditions, constraints, geometric
from armillary.models.assembly import modes
from armillary.models.closed import INDEPENDENT, MODE, PROJECTION, TIED, closed, driven, given, named_places
from armillary.models.derivation import Derivation
from armillary.models.determinant import block_determinant
from armillary.models.entry import Entry, Option


def _residual(d: Derivation) -> None:
    found = geometric(constraints(d.tree))
    elements = [x for constraint in found for x in constraint.residual(d.q)]
    doc = "what the constraints hold at 0: positions (m) and cosines of angles of frame b in frame a, coordinates"
    d.output("residual", (len(elements),), elements, "", doc, rows=conditions(found))


RESIDUAL = Entry(
    name="loop-residual",
    title="geometric constraints of the loops",
    equation="Φ(q) = 0:   e·P_b along the axes e that a holds,   e·u of axes of a and b that are square,   q_j - ratio q_k - offset",
    source="Khalil and Kleinfinger (1986); conditions of each cut joint",
    inputs=("q",),
    outputs=("residual",),
    build=_residual,
    accepts=TIED,
    loops="only",
)


def _solution(d: Derivation, independent: Sequence[str], mode: int | None) -> None:
    ways = modes(d, independent)
    given_ = ways.input(d)
    names = d.description.q_names
    chosen = ways.modes if mode is None else (ways.one(d, mode),)
    found = [way.solved(given_, d.scalar) for way in chosen]
    labels = [way.assembly.name or "the only one" for way in chosen]
    flag = "1 where the mode can be reached, 0 where its passive coordinates are not numbers"
    lost = undetermined(d.description, [way.assembly for way in chosen])
    if lost:
        flag += f"; modes meet where a triangle is stretched, and none is determined where {', or '.join(lost)}"
    if mode is None:
        shape = (len(found), len(names))
        doc = "coordinates of all joints, angles up to whole turns; a row for each way to assemble the robot"
        d.output("q", shape, [q for q, _ in found], "", doc, rows=labels, columns=names)
        d.output("reached", (len(found),), [reached for _, reached in found], "", flag, rows=labels)
    else:
        d.output("q", (len(names),), found[0][0], "", f"coordinates of all joints: {labels[0]}", rows=names)
        d.output("reached", (), found[0][1], "", flag)


SOLUTION = Entry(
    name="loop-solution",
    title="passive coordinates of the loops in closed form, in every way to assemble them",
    equation="A cos θ + B sin θ = C for each triangle of bodies:   θ = atan2(B, A) ± atan2(√(A² + B² - C²), C)",
    source="triangles of bodies in a plane or about a point; sums of coordinates where opposite sides are equal",
    inputs=("q_a",),
    outputs=("q", "reached"),
    build=_solution,
    options=(
        INDEPENDENT,
        Option("mode", "int | None", None, "one way to assemble the robot, by its number; all if none is told"),
    ),
    accepts=TIED,
    loops="only",
)


def _jacobian(d: Derivation, independent: Sequence[str], mode: int | None) -> None:
    c = closed(d, independent, mode)
    qd = given(d, c, "qd")
    p, nv = c.partition, d.tree.nv
    names = d.description.v_names
    rows = [conditions(c.constraints)[i] for i in p.rows]
    doc = "independent rows of the constraints, J q' = 0 for all joints"
    d.output("J", (len(rows), nv), c.J, "", doc, rows=rows, columns=names)
    doc = "velocities of dependent joints from those of independent ones"
    shape = (len(p.dependent), len(p.independent))
    d.output("W", shape, c.W(), "", doc, rows=named_places(d, p.dependent), columns=named_places(d, p.independent))
    rates = c.velocities(qd)
    d.output("qd", (nv,), rates, "", "velocities of all joints", rows=names)
    d.output("JPQP", (len(rows),), c.drift(rates), "", "J̇ q' of the rows of J", rows=rows)


JACOBIAN = Entry(
    name="loop-jacobian",
    title="kinematic constraints of the loops and their reduction",
    equation="J q' = 0,   q'_d = W q'_i,   W = -J_d⁻¹ J_i,   J q'' + J̇ q' = 0",
    source=f"{PROJECTION}; relative twists of the two sides of each cut joint",
    inputs=("q", "qd_a"),
    outputs=("J", "W", "qd", "JPQP"),
    build=_jacobian,
    options=(INDEPENDENT, MODE),
    accepts=TIED,
    loops="only",
)


WIDEST = 8
"""The largest block whose determinant is written out."""


def _determinants(d: Derivation, independent: Sequence[str], mode: int | None) -> None:
    c = closed(d, independent, mode)
    p, J = c.partition, c.J
    names = [" ".join(named_places(d, [p.dependent[k] for k in sorted(unknowns)])) for _, unknowns in p.blocks]
    for name, (rows, _) in zip(names, p.blocks, strict=True):
        if len(rows) > WIDEST:
            raise ModelError(
                f"{d.description.name}: {name} depend on each other in one block of {len(rows)} × {len(rows)}, whose determinant is not "
                f"written out beyond {WIDEST}; name other joints as independent, or ask robot.singularity(q) at one state"
            )
    blocks = [
        [[d.graph.lift(J[i][p.dependent[k]]) for k in sorted(unknowns)] for i in sorted(rows)]
        for rows, unknowns in p.blocks
    ]
    found = [block_determinant(block) for block in blocks]
    doc = "determinant of each block of J_d; where one is 0 the independent joints do not determine the motion"
    d.output("det", (len(found),), found, "", doc, rows=names)


DETERMINANTS = Entry(
    name="loop-determinants",
    title="where the independent joints do not determine the motion",
    equation="det J_d = Π det of its irreducible blocks = 0",
    source=f"{PROJECTION}; Gosselin and Angeles (1990)",
    inputs=("q",),
    outputs=("det",),
    build=_determinants,
    options=(INDEPENDENT, MODE),
    accepts=TIED,
    loops="only",
)


def _actuation(d: Derivation, independent: Sequence[str], mode: int | None) -> None:
    c = driven(d, closed(d, independent, mode))
    p = c.partition
    motors = named_places(d, p.actuated)
    doc = "velocities of joints with motors from those of independent ones: forces along these are the transpose times torques"
    shape = (len(motors), len(p.independent))
    d.output("G", shape, actuation_matrix(c), "", doc, rows=motors, columns=named_places(d, p.independent))
    doc = "what it leaves of motor torques moves nothing: they work against each other"
    d.output("N", (len(motors), len(motors)), null_space(c), "", doc, rows=motors, columns=motors)


ACTUATION = Entry(
    name="actuation",
    title="how motors act on the motion, and how they work against each other",
    equation="Q = Gᵀ Γ,   N = 1 - G (Gᵀ G)⁻¹ Gᵀ",
    source=f"{PROJECTION}; G the rows of [1; W] at joints with motors",
    inputs=("q",),
    outputs=("G", "N"),
    build=_actuation,
    options=(INDEPENDENT, MODE),
    accepts=TIED,
    loops="only",
)

ENTRIES = (RESIDUAL, SOLUTION, JACOBIAN, DETERMINANTS, ACTUATION)
