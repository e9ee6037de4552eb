"""The inertia of a body: what <inertial> says, else what its geoms come to."""

from collections.abc import Mapping

import numpy as np

from armillary.formats.assembly import MASSLESS, inertia_about_origin, transform
from armillary.formats.attributes import number, vector
from armillary.formats.mjcf import known
from armillary.formats.mjcf.orientation import pose_of
from armillary.formats.mjcf.settings import Settings
from armillary.formats.mjcf.shapes import inertia_of
from armillary.formats.xml import Element
from armillary.robot.place import Array
from armillary.spatial.inertia import Inertia


def body_inertia(
    inertials: list[tuple[Element, Array]], geoms: list[tuple[Element, Array]], settings: Settings
) -> Inertia:
    """The inertia of a body about its origin; elements come with the pose in the body of the frames around them."""
    if len(inertials) > 1:
        raise inertials[1][0].error("two <inertial> in one body")
    if inertials and settings.from_geoms != "true":
        return _inertial(*inertials[0], settings)
    total = MASSLESS
    if settings.from_geoms != "false":
        for geom, T in geoms:
            inertia = inertia_of(geom, settings)
            total = total if inertia is None else total + inertia.seen_from(transform(T))
    return total


def _inertial(element: Element, T: Array, settings: Settings) -> Inertia:
    """Mass, and moments of inertia about the centre of mass: three along given axes, or the matrix."""
    known.check(element)
    given = element.attributes
    mass = number(element, "mass")
    if mass < 0:
        raise element.error(f"<inertial> has the mass {mass:g} kg; a mass is not negative")
    if "pos" not in given:
        raise element.error("<inertial> without pos")
    at = T @ pose_of(element, settings)
    if "fullinertia" in given:
        if others := [name for name in given if name not in ("pos", "mass", "fullinertia")]:
            raise element.error(
                f"<inertial> has fullinertia and {', '.join(others)}; the matrix is along the body's axes"
            )
        xx, yy, zz, xy, xz, yz = vector(element, "fullinertia", 6)
        J = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        principal, axes = np.linalg.eigh(J)
        changed = _allowed(principal, settings)
        J = J if (changed == principal).all() else axes @ np.diag(changed) @ axes.T
    else:
        J = np.diag(_allowed(vector(element, "diaginertia", 3, (0, 0, 0)), settings))
    R = at[:3, :3]
    return inertia_about_origin(max(mass, settings.least_mass), at[:3, 3], R @ J @ R.T)


def _allowed(principal: Array, settings: Settings) -> Array:
    """Principal moments of inertia after what <compiler> says of them: not too small, and of a body of mass."""
    principal = np.maximum(principal, settings.least_inertia)
    low, middle, high = sorted(principal)
    return np.full(3, principal.mean()) if settings.balanced and low + middle < high else principal


def scaled(links: Mapping[str, Inertia], total: float) -> dict[str, Inertia]:
    """The same links, as much lighter or heavier as makes their masses `total` (kg), those that stand still among them."""
    given = sum(float(inertia.M) for inertia in links.values())
    k = total / given if given else 0.0
    return {name: Inertia(x.J * k, x.MS * k, x.M * k) for name, x in links.items()}
