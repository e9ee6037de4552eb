"""What the fluid around a link does to it: coefficients of resistance and of added mass."""

from collections.abc import Iterator
from dataclasses import dataclass, fields

from armillary.robot.value import Value

Three = tuple[Value, Value, Value]

COEFFICIENTS = tuple(f"{letters}{axis}" for letters in ("FC", "FD", "FE", "FA", "FB") for axis in "XYZ")
"""Centre c, drag D and E, added mass A and inertia B, each along x, y, z of the link's frame."""


@dataclass(frozen=True, slots=True)
class Fluid:
    """About the `center` c (m) along the axes of the link's frame: resistance D |v| v (N s²/m²) and E |ω| ω (N m s²/rad²), mass (kg)
    and inertia (kg m²) of the fluid that moves with the link."""

    center: Three = (0, 0, 0)
    drag: Three = (0, 0, 0)
    turning_drag: Three = (0, 0, 0)
    added_mass: Three = (0, 0, 0)
    added_inertia: Three = (0, 0, 0)

    def values(self) -> Iterator[tuple[str, Value]]:
        """(name, value) of all fifteen."""
        yield from zip(COEFFICIENTS, (x for f in fields(self) for x in getattr(self, f.name)), strict=True)

    @staticmethod
    def of(values: list[Value]) -> "Fluid":
        """From the fifteen in their order."""
        groups = (values[k : k + 3] for k in range(0, 15, 3))
        return Fluid(*((x, y, z) for x, y, z in groups))
