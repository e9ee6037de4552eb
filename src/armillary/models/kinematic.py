"""How links and frames move."""

from armillary.kinematics.frame_motion import Screw, frame_acceleration, frame_velocity
from armillary.kinematics.motion import base_motion, link_motions, link_velocities
from armillary.models.derivation import Derivation
from armillary.models.determinant import ROWS, Chosen, determinant
from armillary.models.entry import Entry, Option
from armillary.models.geometric import FRAME
from armillary.models.route import cheapest_jacobian
from armillary.robot import BASE

EXPRESSED = Option("expressed_in", "str", BASE, "the frame whose axes the result is written along")


def _velocities(d: Derivation) -> None:
    links = link_velocities(d.links, d.q, d.qd)
    elements = [[*v, *w] for v, w in links]
    names = [b.name for b in d.links.bodies]
    d.output(
        "V", (len(links), 6), elements, "m/s, rad/s", "(v, ω) of each link, in its own frame", rows=names, columns=ROWS
    )


VELOCITIES = Entry(
    name="velocities",
    title="velocities of all links",
    equation="ω_j = ʲR_i ω_i + ω_J,   v_j = ʲR_i (v_i + ω_i × ⁱP_j) + v_J",
    source="Khalil (2010), eqs. 14-15",
    inputs=("q", "qd"),
    outputs=("V",),
    build=_velocities,
    loops="too",
)


def _accelerations(d: Derivation) -> None:
    links = link_motions(d.links, d.q, d.qd, d.qdd, base_motion(d.links, gravity=False))
    elements = [[*m.dv, *m.dw] for m in links]
    names = [b.name for b in d.links.bodies]
    doc = "(v̇, ω̇) of each link, in its own frame; true accelerations, gravity not in them"
    d.output("VP", (len(links), 6), elements, "m/s², rad/s²", doc, rows=names, columns=ROWS)


ACCELERATIONS = Entry(
    name="accelerations",
    title="accelerations of all links",
    equation="ω̇_j = ʲR_i ω̇_i + ʲω_i × ω_J + ω̇_J,   v̇_j = ʲR_i (v̇_i + U_i ⁱP_j) + 2 ʲω_i × v_J + v̇_J",
    source="Khalil (2010), eqs. 16-19",
    inputs=("q", "qd", "qdd"),
    outputs=("VP",),
    build=_accelerations,
    loops="too",
)


def _screw(d: Derivation, name: str, screw: Screw, unit: str, doc: str) -> None:
    d.output(name, (6,), screw.elements(), unit, doc, rows=ROWS)


def _frame_velocity(d: Derivation, frame: str | None, expressed_in: str) -> None:
    name = d.frame(frame)
    screw = frame_velocity(d.tree, d.q, d.qd, name, d.frame(expressed_in))
    _screw(d, "v", screw, "m/s, rad/s", f"(v, ω) of {name} along the axes of {expressed_in}")


FRAME_VELOCITY = Entry(
    name="frame-velocity",
    title="velocity of a frame",
    equation="(v, ω) = J q'",
    source="Khalil (2010), eqs. 14-15",
    inputs=("q", "qd"),
    outputs=("v",),
    build=_frame_velocity,
    loops="too",
    options=(FRAME, EXPRESSED),
)


def _frame_acceleration(d: Derivation, frame: str | None, expressed_in: str) -> None:
    name = d.frame(frame)
    base = base_motion(d.tree, gravity=False)
    screw = frame_acceleration(d.tree, d.q, d.qd, d.qdd, base, name, d.frame(expressed_in))
    doc = f"(v̇, ω̇) of {name} along the axes of {expressed_in}; true accelerations, gravity not in them"
    _screw(d, "a", screw, "m/s², rad/s²", doc)


FRAME_ACCELERATION = Entry(
    name="frame-acceleration",
    title="acceleration of a frame",
    equation="(v̇, ω̇) = J q'' + J̇ q'",
    source="Khalil (2010), eqs. 16-19",
    inputs=("q", "qd", "qdd"),
    outputs=("a",),
    build=_frame_acceleration,
    loops="too",
    options=(FRAME, EXPRESSED),
)


def _jacobian_rate(d: Derivation, frame: str | None, expressed_in: str) -> None:
    name = d.frame(frame)
    base = base_motion(d.tree, gravity=False)
    screw = frame_acceleration(d.tree, d.q, d.qd, d.still, base, name, d.frame(expressed_in))
    _screw(d, "JPQP", screw, "m/s², rad/s²", f"J̇ q' of {name} along the axes of {expressed_in}")


JACOBIAN_RATE = Entry(
    name="jacobian-rate",
    title="the part J̇ q' of a frame's acceleration",
    equation="J̇ q' = (v̇, ω̇) with q'' = 0; where the base has a given motion, its part is in it",
    source="Khalil (2010), eqs. 16-19",
    inputs=("q", "qd"),
    outputs=("JPQP",),
    build=_jacobian_rate,
    loops="too",
    options=(FRAME, EXPRESSED),
)


def _jacobian(d: Derivation, frame: str | None, expressed_in: str, via: str | None) -> None:
    name = d.frame(frame)
    J = cheapest_jacobian(d, name, d.frame(expressed_in), via)
    names = d.description.v_names
    doc = f"(v, ω) of {name} along the axes of {expressed_in} per joint velocity"
    d.output("J", (6, len(names)), J, "", doc, rows=ROWS, columns=names)


VIA = Option("via", "str | None", None, "the intermediate frame; the one of least cost if none is named")

JACOBIAN = Entry(
    name="jacobian",
    title="Jacobian of a frame",
    equation="(v, ω) = J(q) q',   J_k = (v_k + ω_k × (p - O_k), ω_k)",
    source="Khalil (2010), section 3",
    inputs=("q",),
    outputs=("J",),
    build=_jacobian,
    loops="too",
    options=(FRAME, EXPRESSED, VIA),
)


def _determinant(d: Derivation, frame: str | None, expressed_in: str, rows: Chosen, columns: Chosen) -> None:
    name = d.frame(frame)
    found = determinant(d, name, d.frame(expressed_in), rows, columns)
    d.output("det", (), found.value, "", found.meaning)


_SEVERAL = "tuple[int | str, ...] | None"

DETERMINANT = Entry(
    name="jacobian-determinant",
    title="determinant of a Jacobian",
    equation="det J, of chosen rows and columns; √ is not taken: det J Jᵀ, or det Jᵀ J, where J is not square",
    source="Laplace's expansion over the blocks of the block-triangular form",
    inputs=("q",),
    outputs=("det",),
    build=_determinant,
    loops="too",
    options=(
        FRAME,
        EXPRESSED,
        Option("rows", _SEVERAL, None, f"the rows of J to keep: 0 to 5, or {', '.join(ROWS)}; all if none are named"),
        Option("columns", _SEVERAL, None, "the columns of J to keep: from 0, or names; all if none are named"),
    ),
)

ENTRIES = (VELOCITIES, ACCELERATIONS, FRAME_VELOCITY, FRAME_ACCELERATION, JACOBIAN, JACOBIAN_RATE, DETERMINANT)
