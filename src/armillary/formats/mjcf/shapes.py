"""Mass and inertia of geoms: of what a body is made where the file gives it no inertia of its own."""

import math
from collections.abc import Callable, Sequence

import numpy as np

from armillary.formats.assembly import inertia_about_origin
from armillary.formats.attributes import number, numbers, vector
from armillary.formats.mjcf.orientation import between, pose_of
from armillary.formats.mjcf.settings import Settings, truth
from armillary.formats.xml import Element
from armillary.robot.place import Array
from armillary.spatial.inertia import Inertia

DENSITY = 1000.0
"""kg/m³, where a geom gives neither mass nor density."""

ENDS = ("capsule", "cylinder", "box", "ellipsoid")
"""The shapes that may be given by the ends of their z axis, `fromto`."""

WITHOUT = ("plane", "hfield")
"""The shapes that have no mass."""

WIDEST = 1e12
"""m; the mass of what is larger would overflow."""

Solid = tuple[float, tuple[float, float, float]]
"""Volume (m³), and principal moments of inertia of 1 kg (m²) about the centre."""


def _sphere(r: float) -> Solid:
    J = 0.4 * r * r
    return 4 / 3 * math.pi * r**3, (J, J, J)


def _ellipsoid(a: float, b: float, c: float) -> Solid:
    J = ((b * b + c * c) / 5, (a * a + c * c) / 5, (a * a + b * b) / 5)
    return 4 / 3 * math.pi * a * b * c, J


def _box(a: float, b: float, c: float) -> Solid:
    J = ((b * b + c * c) / 3, (a * a + c * c) / 3, (a * a + b * b) / 3)
    return 8 * a * b * c, J


def _cylinder(r: float, h: float) -> Solid:
    across = r * r / 4 + h * h / 3
    return 2 * math.pi * r * r * h, (across, across, r * r / 2)


def _capsule(r: float, h: float) -> Solid:
    """A cylinder of half length h between two half balls, whose centres of mass stand h + 3/8 r from the middle."""
    tube, (across, _, along) = _cylinder(r, h)
    ball = 4 / 3 * math.pi * r**3
    share = ball / (tube + ball)
    J = (1 - share) * across + share * (0.4 * r * r + h * h + 0.75 * h * r)
    return tube + ball, (J, J, (1 - share) * along + share * 0.4 * r * r)


SOLIDS: dict[str, tuple[int, Callable[..., Solid]]] = {
    "sphere": (1, _sphere),
    "capsule": (2, _capsule),
    "ellipsoid": (3, _ellipsoid),
    "cylinder": (2, _cylinder),
    "box": (3, _box),
}
"""The shapes whose mass is known from their sizes: how many (half) sizes, and their volume and inertia."""


def inertia_of(geom: Element, settings: Settings) -> Inertia | None:
    """The inertia of a geom about the origin of the frame that it stands in; None where it has no mass."""
    kind = geom.attributes.get("type", "sphere")
    low, high = settings.groups
    if kind in WITHOUT or not low <= number(geom, "group", 0.0) <= high:
        return None
    given = number(geom, "mass", -1.0) if "mass" in geom.attributes else None
    density = number(geom, "density", DENSITY)
    if (density if given is None else given) == 0:
        return None
    for name, x in (("mass", given), ("density", density)):
        if x is not None and x < 0:
            raise geom.error(f"<geom> has the {name} {x:g}; it is 0 or more")
    if kind not in SOLIDS or "mesh" in geom.attributes:
        if settings.massless_meshes:
            return None
        raise geom.error(
            f"the body has no <inertial>, and of a <geom> of type {kind[:80]!r} the mass is not known from the file; read are "
            f"{', '.join(SOLIDS)}: give the body an <inertial>, or read with massless_meshes=True and such geoms have no mass"
        )
    if truth(geom, "shellinertia"):
        raise geom.error("the inertia of a shell is not read; give the body an <inertial>")
    T, sizes = _stand(geom, kind, settings)
    volume, J = SOLIDS[kind][1](*sizes)
    mass = density * volume if given is None else given
    R = T[:3, :3]
    return inertia_about_origin(mass, T[:3, 3], mass * R @ np.diag(J) @ R.T)


def _stand(geom: Element, kind: str, settings: Settings) -> tuple[Array, Sequence[float]]:
    """The pose of a geom and its half sizes; between two ends, z leads from one to the other."""
    n = SOLIDS[kind][0]
    T = pose_of(geom, settings)
    sizes = [float(x) for x in numbers(geom, "size")]
    if "fromto" in geom.attributes:
        if kind not in ENDS:
            raise geom.error(f"<geom fromto> does not go with the type {kind}; it goes with {', '.join(ENDS)}")
        ends = vector(geom, "fromto", 6)
        length = float(np.linalg.norm(ends[3:] - ends[:3]))
        if length == 0:
            raise geom.error("<geom fromto> has both ends in one place")
        T, sizes = between(ends), [*sizes[:1] * (n - 1), length / 2]
    if len(sizes) < n or not 0 < min(sizes[:n]) <= max(sizes[:n]) <= WIDEST:
        raise geom.error(
            f"<geom size> of a {kind} is {n} lengths above 0 and below {WIDEST:g} m, not {geom.attributes['size'][:80]!r}"
        )
    return T, sizes[:n]
