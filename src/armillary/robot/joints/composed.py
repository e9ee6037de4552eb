"""Joints made of two with one coordinate each, and a link without mass between them.

    universal     a turn about z, then about the x axis that has turned with it: the cross of a Cardan joint
    cylindrical   a turn about z and a slide along it

The axes are those of the cut joints of the same names. The link's own frame has the second axis as its z; on a universal
joint, while q is 0, its x lies along y of the placement and its y along z, the first axis.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Composition:
    """The kinds of the two joints, what the link between them is called, and where the second stands in it."""

    kind: str
    joints: tuple[str, str]
    between: str
    place: Mapping[str, str]

    def link_between(self, name: str) -> str:
        """The name of the link without mass."""
        return f"{name} {self.between}"


COMPOSED: dict[str, Composition] = {
    c.kind: c
    for c in (
        Composition("universal", ("revolute", "revolute"), "cross", {"gamma": "pi/2", "alpha": "pi/2"}),
        Composition("cylindrical", ("revolute", "prismatic"), "sleeve", {}),
    )
}
"""Every composed joint by the name that files give it."""
