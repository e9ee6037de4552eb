"""A model in a few lines: what it computes, from what, and what that costs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from armillary.program.cost import Cost
from armillary.program.program import Input, Output
from armillary.robot import Description

if TYPE_CHECKING:
    from armillary.models.model import Model

_MOST = 6


def summary(model: "Model") -> str:
    """At most nine lines."""
    about = model.about
    lines = [f"{about.robot or model.name}: {about.model}" if about.model else model.name]
    if about.equation:
        lines.append(f"  {about.equation}")
    if about.options:
        lines.append("  with     " + ", ".join(f"{name} = {value}" for name, value in about.options))
    if model.states:
        lines.append("  inputs   " + ", ".join(_array(x) for x in model.states))
    if model.parameters:
        names = [label for x in model.parameters for label in x.labels]
        more = f", … ({len(names)} in all)" if len(names) > _MOST else ""
        lines.append("  setup    " + ", ".join(names[:_MOST]) + more)
    lines.append("  outputs  " + ", ".join(_array(x) for x in model.outputs))
    setup = f"; on parameters alone {model.setup_cost}" if model.setup_cost != Cost() else ""
    lines.append(f"  cost     {model.cost}{setup}")
    if about.source:
        lines.append(f"  source   {about.source}")
    return "\n".join(lines)


def _array(x: Input | Output) -> str:
    size = "×".join(map(str, x.shape))
    unit = f" {x.unit}" if x.unit and "," not in x.unit else ""
    return f"{x.name}[{size}]{unit}" if size else f"{x.name}{unit}"


def counted(n: int, one: str, many: str) -> str:
    """1 body, 2 bodies."""
    return f"{n} {one if n == 1 else many}"


def freedom(description: Description) -> str:
    """How many degrees of freedom, or joint velocities and what ties them together."""
    if not description.ties:
        return counted(description.nv, "degree of freedom", "degrees of freedom")
    ties = " and ".join(f"{what} ({len(names)})" for what, names in description.ties)
    return f"{counted(description.nv, 'joint velocity', 'joint velocities')} tied by {ties}"


def aligned(columns: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> list[str]:
    """The lines of a table, its head first; the columns numbered in `right` hold numbers."""
    wide = [max([len(column), *(len(row[k]) for row in rows)]) for k, column in enumerate(columns)]
    cells = (
        [f"{x:>{w}}" if k in right else f"{x:<{w}}" for k, (x, w) in enumerate(zip(row, wide, strict=True))]
        for row in (columns, *rows)
    )
    return ["  ".join(row).rstrip() for row in cells]
