"""Quantities of a description that a caller wants to give at every call: gravity, the base's motion, external wrenches."""

from collections.abc import Sequence
from dataclasses import replace

from armillary.errors import ModelError
from armillary.program.program import Input
from armillary.robot import WRENCH, Description, Formula
from armillary.robot.make import with_link

_BASE = {
    "gravity": (("GX", "GY", "GZ"), "m/s²", "gravity, in base components"),
    "base_velocity": (
        ("V0X", "V0Y", "V0Z", "W0X", "W0Y", "W0Z"),
        "m/s, rad/s",
        "(v, ω) of the base, in its components",
    ),
    "base_acceleration": (
        ("VP0X", "VP0Y", "VP0Z", "WP0X", "WP0Y", "WP0Z"),
        "m/s², rad/s²",
        "(v̇, ω̇) of the base, in its components; the true acceleration, gravity not in it",
    ),
    "current": (
        ("CURX", "CURY", "CURZ"),
        "m/s",
        "velocity of the fluid, the same everywhere and always, in base components",
    ),
}
_FIELDS = {"gravity": "gravity", "base_velocity": "velocity", "base_acceleration": "acceleration", "current": "current"}


def as_states(description: Description, names: str | Sequence[str]) -> tuple[Description, tuple[Input, ...]]:
    """The description with symbols in the place of these quantities, and the inputs that the symbols are elements of."""
    wrenches = {f"wrench:{x.name}": x.name for x in (*description.bodies, *description.frames)}
    found: list[Input] = []
    for name in (names,) if isinstance(names, str) else names:
        if name in _BASE:
            labels, unit, doc = _BASE[name]
            symbols = _new(description, labels)
            base = replace(description.base, **{_FIELDS[name]: tuple(Formula(s) for s in symbols)})
            description = replace(description, base=base)
            found.append(Input(name, (len(symbols),), "state", unit, doc, symbols))
        elif name in wrenches:
            description = with_link(description, wrenches[name])
            body = description.body(wrenches[name])
            k = description.index[body.name]
            symbols = _new(description, tuple(f"{letters}{k + 1}" for letters in WRENCH))
            changed = replace(body, wrench=tuple(Formula(s) for s in symbols))
            bodies = (*description.bodies[:k], changed, *description.bodies[k + 1 :])
            description = replace(description, bodies=bodies)
            doc = f"(f, n) that {body.name} exerts on its environment, in its frame about its origin"
            found.append(Input(f"wrench_{body.name}", (6,), "state", "N, N·m", doc, symbols))
        else:
            raise ModelError(f"{name!r} cannot be an input; there are {', '.join((*_BASE, *wrenches))}")
    return description, tuple(found)


def _new(description: Description, wished: Sequence[str]) -> tuple[str, ...]:
    """Names that are no symbols of the description yet, but for these quantities' own."""
    taken = {*description.symbols} - set(wished)
    return tuple(f"{name}_" if name in taken else name for name in wished)
