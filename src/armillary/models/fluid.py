"""Wrenches of links on the fluid around them, which models with `inputs=("wrench:LINK", …)` take."""

from armillary.dynamics.fluid import Fluid, fluid_wrenches
from armillary.models.derivation import Derivation
from armillary.models.entry import Entry, Option
from armillary.program.program import Input
from armillary.spatial.vector import ZERO, Vector

COEFFICIENTS = tuple(f"{letter}{axis}" for letter in ("FC", "FD", "FE", "FA", "FB") for axis in "XYZ")
"""Centre c, drag D and E, added mass A and inertia B, each along x, y, z of the link's frame."""


def _coefficients(d: Derivation, name: str, number: int) -> Fluid:
    """The parameters of one link, an array of fifteen."""
    taken = set(d.description.symbols)
    labels = tuple(f"{x}{number}_" if f"{x}{number}" in taken else f"{x}{number}" for x in COEFFICIENTS)
    doc = (
        f"{name} in the fluid: c (m), D (N·s²/m²), E (N·m·s²/rad²), A (kg), B (kg·m²), each along x, y, z of its frame"
    )
    x = d.input(Input(f"fluid_{name}", (len(labels),), "parameter", "", doc, labels))
    return Fluid(*(Vector(*x[k : k + 3]) for k in range(0, len(labels), 3)))


def _fluid(d: Derivation, current: bool) -> None:
    q, qd, qdd = d.q, d.qd, d.qdd
    flow = ZERO
    if current:
        doc = "velocity of the fluid, the same everywhere and always, along the base's axes"
        flow = Vector(*d.input(Input("current", (3,), "state", "m/s", doc, ("CURX", "CURY", "CURZ"))))
    number = {b.name: k for k, b in enumerate(d.description.bodies, start=1)}
    names = [b.name for b in d.tree.bodies]
    coefficients = [_coefficients(d, name, number[name]) for name in names]
    found = fluid_wrenches(d.tree, q, qd, qdd, coefficients, flow)
    doc = "(f, n) that each link exerts on the fluid, in its frame about its origin"
    columns = ("f_x", "f_y", "f_z", "n_x", "n_y", "n_z")
    d.output("W", (len(names), 6), [[*f, *n] for f, n in found], "N, N·m", doc, rows=names, columns=columns)


FLUID_WRENCHES = Entry(
    name="fluid-wrenches",
    title="wrenches on the fluid around the links",
    equation="f = D|v|v + A v̇ + ω × A v,   n = E|ω|ω + B ω̇ + ω × B ω + v × A v,   about each link's centre c",
    source="resistance after Taylor (1952), added mass after Kirchhoff (Lamb 1932, section 124)",
    inputs=("q", "qd", "qdd", "current"),
    outputs=("W",),
    build=_fluid,
    options=(Option("current", "bool", False, "whether the fluid flows: its velocity becomes an input"),),
    loops="too",
)

ENTRIES = (FLUID_WRENCHES,)
