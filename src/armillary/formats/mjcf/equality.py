"""<equality>: what holds bodies and joints together, taken as exact.

MuJoCo's constraints are soft springs whose stiffness is a choice of the simulation; what they tend to is a mechanism with
joints that close loops (connect: a ball, weld: none) and joints that move together. Where bodies are given, they are held
together as the file draws the robot.
"""

from collections.abc import Collection

import numpy as np

from armillary.errors import near_match
from armillary.formats.assembly import Closing, Spot
from armillary.formats.attributes import attribute, choice, number, numbers, vector
from armillary.formats.mjcf import known
from armillary.formats.mjcf.bodies import Found
from armillary.formats.mjcf.defaults import Defaults
from armillary.formats.mjcf.orientation import quaternion
from armillary.formats.mjcf.settings import TRUTH
from armillary.formats.xml import Element
from armillary.robot import WORLD
from armillary.robot.coupling import Coupling
from armillary.robot.place import Array, inverse, length


class Equality:
    """The active constraints of a file, by what they become. `elements` are theirs by name."""

    def __init__(self, sections: list[Element], found: Found, defaults: Defaults) -> None:
        self.found = found
        self.closings: list[Closing] = []
        self.couplings: list[Coupling] = []
        self.elements: dict[str, Element] = {}
        for section in sections:
            for given in section.children:
                element = defaults.applied(given, kind="equality")
                if choice(element, "active", TRUTH, "true") == "false":
                    continue
                match element.tag:
                    case "connect":
                        known.check(element)
                        self._connect(element)
                    case "weld":
                        known.check(element)
                        self._weld(element)
                    case "joint":
                        known.check(element, "joint equality")
                        self._together(element)
                    case "tendon" | "flexvert" | "flexstrain":
                        raise element.error(
                            f"the equality of a {element.tag} is not read; take it out, or say it of joints"
                        )
                    case _:
                        raise known.refused(element, ("connect", "weld", "joint"))

    # ---- loops ----

    def _connect(self, element: Element) -> None:
        """A point of two bodies is one."""
        ends = self._sites(element)
        if ends is None:
            one, two = self._bodies(element)
            T = np.eye(4)
            T[:3, 3] = vector(element, "anchor", 3)
            ends = Spot(one, T), Spot(two, self._between(two, one) @ T)
        self._close(element, "spherical", *ends)

    def _weld(self, element: Element) -> None:
        """Two bodies are one: as drawn, or with `relpose`, the pose of the second in the first. Without torque it is a ball."""
        kind = "fixed" if number(element, "torquescale", 1.0) else "spherical"
        ends = self._sites(element)
        if ends is None:
            one, two = self._bodies(element)
            given = vector(element, "relpose", 7, (0, 1, 0, 0, 0, 0, 0))
            pose = self._between(one, two)
            if given[3:].any():
                pose = np.eye(4)
                pose[:3, :3], pose[:3, 3] = quaternion(element, given[3:]), given[:3]
            T = np.eye(4)
            T[:3, 3] = vector(element, "anchor", 3, (0, 0, 0))
            ends = Spot(one, pose @ T), Spot(two, T)
        self._close(element, kind, *ends)

    def _close(self, element: Element, kind: str, a: Spot, b: Spot) -> None:
        name = self._name(element, f"{a.link} to {b.link}")
        self.closings.append(Closing(name, kind, a, b))

    def _sites(self, element: Element) -> tuple[Spot, Spot] | None:
        """Where two sites are, None where bodies are given."""
        given = [x for x in ("site1", "site2") if x in element.attributes]
        if not given:
            return None
        if len(given) < 2 or any(x in element.attributes for x in ("body1", "body2", "anchor", "relpose")):
            raise element.error(f"<{element.tag}> takes site1 and site2, or body1 and body2, and not some of both")
        sites = self.found.sites
        one, two = (self._named(element, end, sites) for end in given)
        return sites[one], sites[two]

    def _bodies(self, element: Element) -> tuple[str, str]:
        """The two bodies, the world where the second is left out."""
        one = self._named(element, "body1", self.found.links)
        two = self._named(element, "body2", self.found.links) if "body2" in element.attributes else WORLD
        return one, two

    def _between(self, one: str, two: str) -> Array:
        """The pose of body `two` in body `one` as the file draws the robot."""
        return inverse(self.found.places[one]) @ self.found.places[two]

    # ---- joints that move together ----

    def _together(self, element: Element) -> None:
        """q_1 - ref_1 = a_0 + a_1 (q_2 - ref_2) + …, where a_2 and further are 0."""
        refs = self.found.refs
        one = self._named(element, "joint1", refs)
        if "joint2" not in element.attributes:
            raise element.error(f"the joint {one!r} is held still, having no joint2; take the joint out of its body")
        two = self._named(element, "joint2", refs)
        given = [float(x) for x in numbers(element, "polycoef")] if "polycoef" in element.attributes else []
        offset, ratio, *more = [*given, *(0.0, 1.0)[len(given) :]]
        if any(more):
            raise element.error(
                f"<joint polycoef> is {element.attributes['polycoef'][:80]!r}; joints are tied by a line, and all but the first "
                "two coefficients are 0"
            )
        name = self._name(element, f"{one} with {two}")
        offset += refs[one] - ratio * refs[two]
        self.couplings.append(Coupling(name, one, two, length(ratio, 0), length(offset, 0)))

    # ---- names ----

    def _named(self, element: Element, end: str, there: Collection[str]) -> str:
        """The body, site or joint at one end of a constraint."""
        name = attribute(element, end)
        if name not in there:
            what = end.rstrip("12")
            raise element.error(
                f"<{element.tag} {end}> is {name[:80]!r}, and there is no {what} of that name{near_match(name, there)}"
            )
        return name

    def _name(self, element: Element, usual: str) -> str:
        """The name of a constraint, or the first of usual, usual 2, … that is no joint's and no other's."""
        name, number = element.attributes.get("name", ""), 1
        while not name or (name in self.elements or name in self.found.refs):
            name = f"{usual} {number}" if number > 1 else usual
            number += 1
        self.elements[name] = element
        return name
