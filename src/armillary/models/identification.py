"""What torques tell of parameters."""

from armillary.dynamics.regressor import Column, regressor
from armillary.models.derivation import Derivation
from armillary.models.entry import Entry, Option
from armillary.robot.body import INERTIAL

JOINT = ("IA", "FV", "FS")
BASE_ROWS = ("f_x", "f_y", "f_z", "n_x", "n_y", "n_z")


def _regressor(d: Derivation, base_wrench: bool) -> None:
    columns = [c for c in regressor(d.tree, d.q, d.qd, d.qdd, d.base) if c.parameter in (*INERTIAL, *JOINT)]
    write_columns(d, columns, [f"{c.parameter}_{c.body}" for c in columns], base_wrench)


def write_columns(d: Derivation, columns: list[Column], names: list[str], base_wrench: bool) -> None:
    """The columns as one matrix, labelled; rows of the base's wrench first if asked for."""
    torques = [list(row) for row in zip(*(c.torques for c in columns), strict=True)]
    rows = list(d.description.v_names)
    if base_wrench:
        on_base = [[*c.base[0], *c.base[1]] for c in columns]
        torques = [*(list(row) for row in zip(*on_base, strict=True)), *torques]
        rows = [*BASE_ROWS, *rows]
    doc = "torques per unit of each parameter"
    d.output("Y", (len(rows), len(columns)), torques, "", doc, rows=rows, columns=names)


REGRESSOR = Entry(
    name="regressor",
    title="dynamic identification model",
    equation="Γ = Y(q, q', q'') χ,   χ: XX … M, IA, FV, FS of every link",
    source="Newton-Euler with one parameter at a time equal to 1: Khalil (2010), eq. 21",
    inputs=("q", "qd", "qdd"),
    outputs=("Y",),
    build=_regressor,
    options=(Option("base_wrench", "bool", False, "rows for the wrench that the base exerts on the robot come first"),),
)

ENTRIES = (REGRESSOR,)
