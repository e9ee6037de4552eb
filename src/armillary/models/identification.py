"""What torques tell of parameters."""

from collections.abc import Sequence

from armillary.dynamics.closed_regressor import closed_regressor
from armillary.dynamics.regressor import Column, regressor
from armillary.errors import ModelError
from armillary.expr.graph import symbols_in
from armillary.grouping import base_parameters
from armillary.grouping.names import column_names
from armillary.models.closed import INDEPENDENT, MODE, PROJECTION, TIED, closed, given, named_places
from armillary.models.derivation import Derivation
from armillary.models.entry import Entry, Option

OWN = ("FV", "FS", "stiffness")
"""What a joint takes itself, which no regrouping touches."""
BASE_ROWS = ("f_x", "f_y", "f_z", "n_x", "n_y", "n_z")


def _regressor(d: Derivation, base_wrench: bool) -> None:
    columns = {(c.body, c.parameter): c for c in regressor(d.tree, d.q, d.qd, d.qdd, d.base)}
    known = column_names(d.description)
    names = {key: known[key] for key in columns}
    if d.kept is not None:
        names = {**d.kept, **{key: label for key, label in names.items() if key[1] in OWN}}
        if base_wrench:
            raise ModelError(
                "rows for the wrench on the base need the full parameters: the base feels also those that no joint feels"
            )
    write_columns(d, [columns[key] for key in names], list(names.values()), base_wrench)


def write_columns(
    d: Derivation, columns: list[Column], names: list[str], base_wrench: bool = False, velocities: Sequence[str] = ()
) -> None:
    """The columns as one matrix, labelled; rows of the base's wrench first if asked for; rows of all joint velocities unless told."""
    torques = [list(row) for row in zip(*(c.torques for c in columns), strict=True)]
    rows = list(velocities or d.description.v_names)
    if base_wrench:
        on_base = [[*c.base[0], *c.base[1]] for c in columns]
        torques = [*(list(row) for row in zip(*on_base, strict=True)), *torques]
        rows = [*BASE_ROWS, *rows]
    doc = "torques per unit of each parameter"
    d.output("Y", (len(rows), len(columns)), torques, "", doc, rows=rows, columns=names)


REGRESSOR = Entry(
    name="regressor",
    title="dynamic identification model",
    equation="Γ = Y(q, q', q'') χ,   χ: XX … M, IA, FV, FS, stiffness of every link, or the base parameters with FV, FS, stiffness",
    source="Newton-Euler with one parameter at a time equal to 1: Khalil (2010), eq. 21",
    inputs=("q", "qd", "qdd"),
    outputs=("Y",),
    build=_regressor,
    options=(Option("base_wrench", "bool", False, "rows for the wrench that the base exerts on the robot come first"),),
)


def _closed(d: Derivation, independent: Sequence[str], mode: int | None) -> None:
    c = closed(d, independent, mode)
    columns = {(x.body, x.parameter): x for x in closed_regressor(c, given(d, c, "qd"), given(d, c, "qdd"), d.base)}
    known = column_names(d.description)
    names = {key: known.get(key, f"{key[1]}_{key[0]}") for key in columns}
    if d.kept is not None:
        cuts = {cut.name for cut in d.description.cuts}
        names = {**d.kept, **{key: label for key, label in names.items() if key[1] in OWN or key[0] in cuts}}
    along = named_places(d, c.partition.independent)
    write_columns(d, [columns[key] for key in names], list(names.values()), velocities=along)


CLOSED_REGRESSOR = Entry(
    name="closed-regressor",
    title="dynamic identification model of closed loops",
    equation="Gᵀ Γ_tr = Y χ,   χ: XX … M, IA, FV, FS, stiffness of every link and cut joint, or the base parameters of the tree",
    source=f"{PROJECTION}; columns of the tree",
    inputs=("q", "qd_a", "qdd_a"),
    outputs=("Y",),
    build=_closed,
    options=(INDEPENDENT, MODE),
    accepts=TIED,
    loops="only",
)


def _values(d: Derivation) -> None:
    found = base_parameters(d.description)
    place = {name: key for key, name in found.names.items()}
    sums = [r.expr for r in found.relations]
    leaves = {x: d.scalar(found.given[place[x]]) if x in place else d.leaf(x) for x in symbols_in(sums)}
    values = d.graph.copy(sums, leaves)
    symbols = [r.symbol for r in found.relations]
    d.output("chi", (len(values),), values, "", "base inertial parameters", rows=symbols)


BASE_PARAMETER_VALUES = Entry(
    name="base-parameter-values",
    title="base inertial parameters",
    equation="χ_b = χ_kept + K χ_grouped",
    source="null space of the regressor, joint by joint, in exact arithmetic (after Wensing, Niemeyer and Slotine 2017)",
    inputs=(),
    outputs=("chi",),
    build=_values,
    regrouping="the values are those that the full parameters make",
)

ENTRIES = (REGRESSOR, CLOSED_REGRESSOR, BASE_PARAMETER_VALUES)
