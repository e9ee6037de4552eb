"""Wrenches of links on the fluid around them."""

from armillary.dynamics.fluid import fluid_wrenches
from armillary.models.derivation import Derivation
from armillary.models.entry import Entry
from armillary.robot import Description


def in_fluid(description: Description) -> str:
    """Why a model that leaves out what a fluid does is not for a robot, nothing for those in none."""
    inside = ", ".join(b.name for b in description.bodies if b.fluid is not None)
    return f"has {inside} in a fluid, which this model leaves out; take bodies without `fluid`" if inside else ""


def _fluid(d: Derivation) -> None:
    found = fluid_wrenches(d.tree, d.q, d.qd, d.qdd)
    names = [b.name for b in d.tree.bodies]
    doc = "(f, n) that each link exerts on the fluid, in its frame about its origin"
    columns = ("f_x", "f_y", "f_z", "n_x", "n_y", "n_z")
    d.output("W", (len(names), 6), [[*f, *n] for f, n in found], "N, N·m", doc, rows=names, columns=columns)


FLUID_WRENCHES = Entry(
    name="fluid-wrenches",
    title="wrenches on the fluid around the links",
    equation="f = D|v|v + A v̇ + ω × A v,   n = E|ω|ω + B ω̇ + ω × B ω + v × A v,   about each link's centre c",
    source="resistance after Taylor (1952), added mass after Kirchhoff (Lamb 1932, section 124)",
    inputs=("q", "qd", "qdd"),
    outputs=("W",),
    build=_fluid,
    loops="too",
)

ENTRIES = (FLUID_WRENCHES,)
