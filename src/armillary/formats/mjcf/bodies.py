"""The bodies of an MJCF file, as links and joints.

A body may have several joints: the first turns or shifts all that follows. Each but the last carries a link without mass or
name, so a body with three joints is a chain of three links. A body without joints is fixed to the one around it, and one
with a free joint stands in the world. A joint's coordinate is `ref` where the file draws the robot.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from armillary.formats.assembly import MASSLESS, Spot
from armillary.formats.attributes import number, vector
from armillary.formats.frames import Joint
from armillary.formats.mjcf import known
from armillary.formats.mjcf.defaults import Defaults
from armillary.formats.mjcf.inertias import body_inertia, scaled
from armillary.formats.mjcf.joints import TURNING, Placed, joint_of
from armillary.formats.mjcf.orientation import between, pose_of
from armillary.formats.mjcf.settings import Settings, truth
from armillary.formats.xml import Element
from armillary.robot import BASE, WORLD
from armillary.robot.place import Array
from armillary.spatial.inertia import Inertia

CONTENT = ("body", "frame", "inertial", *TURNING, "geom", "site")
PASSED = ("camera", "light")
"""What stands in a body: read, and passed over."""

PLURALS = {"body": "bodies", "joint": "joints", "site": "sites"}
"""What has a name of its own."""


@dataclass(slots=True)
class Found:
    """What the bodies of a file come to.

    `places` are the links' poses in the world and `refs` the joints' coordinates where the file draws the robot;
    `elements` are those of links, joints and sites by what they are and by name.
    """

    links: dict[str, Inertia] = field(default_factory=lambda: {WORLD: MASSLESS})
    joints: dict[str, Joint] = field(default_factory=dict[str, Joint])
    sites: dict[str, Spot] = field(default_factory=dict[str, Spot])
    places: dict[str, Array] = field(default_factory=lambda: {WORLD: np.eye(4)})
    refs: dict[str, float] = field(default_factory=dict[str, float])
    elements: dict[tuple[str, str], Element] = field(default_factory=dict[tuple[str, str], Element])


@dataclass(frozen=True, slots=True, eq=False)
class _Item:
    """An element in a body, with the pose in the body, and the childclass, of the frames around it."""

    element: Element
    T: Array
    around: str


class Bodies:
    """Walks through the bodies of a file, from the world outwards and in the order of the file."""

    def __init__(self, worlds: list[Element], settings: Settings, defaults: Defaults) -> None:
        self.settings = settings
        self.defaults = defaults
        self.found = Found()
        self.still = {WORLD}
        self.given = {(_what(element), element.attributes.get("name", "")) for element in _all(worlds)}
        items = [item for world in worlds for item in self._items(world, "")]
        for item in items:
            if item.element.tag in ("inertial", *TURNING):
                raise item.element.error(
                    f"<{item.element.tag}> stands in the world, which has none; put it into a body"
                )
            self._site(WORLD, item)
        waiting = [(WORLD, item) for item in reversed(items) if item.element.tag == "body"]
        while waiting:
            name, inner = self._body(*waiting.pop())
            waiting += [(name, item) for item in reversed(inner) if item.element.tag == "body"]
        if self.settings.total_mass:
            self.found.links = scaled(self.found.links, self.settings.total_mass)

    def _items(self, body: Element, around: str) -> Iterator[_Item]:
        """What stands in a body, in frames or not."""
        waiting = [_Item(child, np.eye(4), around) for child in reversed(body.children)]
        while waiting:
            item = waiting.pop()
            tag = item.element.tag
            if tag == "frame":
                known.check(item.element)
                T = item.T @ pose_of(item.element, self.settings)
                inner = self.defaults.known(item.element, "childclass") or item.around
                waiting += [_Item(child, T, inner) for child in reversed(item.element.children)]
            elif tag in CONTENT:
                yield item
            elif tag not in PASSED:
                raise known.refused(item.element, (*CONTENT, *PASSED))

    # ---- one body ----

    def _body(self, parent: str, item: _Item) -> tuple[str, list[_Item]]:
        """The name of a body that hangs on `parent`, and what stands in it."""
        body = item.element
        known.check(body)
        if truth(body, "mocap"):
            raise body.error("a body that is moved from outside (mocap) is not read; take it out")
        if number(body, "gravcomp", 0.0) != 0:
            raise body.error("gravcomp is the work of motors, not mechanics; take it out, and see gravity_torques")
        name = self._name(body)
        if name == WORLD:
            raise body.error("a body is called 'world', as the world itself; rename it")
        around = self.defaults.known(body, "childclass") or item.around
        items = list(self._items(body, around))
        joints = [self._joint(name, x) for x in items if x.element.tag in TURNING]
        pose = item.T @ pose_of(body, self.settings)
        self.found.places[name] = self.found.places[parent] @ pose
        if any(joint.kind == "free" for joint in joints):
            if len(joints) > 1 or parent != WORLD:
                raise body.error(f"the body {name!r} floats; it has one joint then, and stands in <worldbody>")
            pose = np.eye(4)
        elif joints and name == BASE:
            raise body.error("the body 'base' moves; that name is kept for what stands still or floats: rename it")
        self._chain(parent, name, pose, joints)
        if not joints and parent in self.still:
            self.still.add(name)
        unfelt = name in self.still and not self.settings.total_mass
        self.found.links[name] = MASSLESS if unfelt else self._inertia(items)
        for x in items:
            self._site(name, x)
        return name, items

    def _inertia(self, items: list[_Item]) -> Inertia:
        """What <inertial> and geoms say; nobody feels that of bodies that stand still."""
        inertials = [(x.element, x.T) for x in items if x.element.tag == "inertial"]
        geoms = [(self.defaults.applied(x.element, x.around), x.T) for x in items if x.element.tag == "geom"]
        return body_inertia(inertials, geoms, self.settings)

    def _joint(self, body: str, item: _Item) -> Joint:
        """A joint of a body, by the name that the file gives it or after the body."""
        element = item.element if item.element.tag == "freejoint" else self.defaults.applied(item.element, item.around)
        name = self._name(element, f"{body}_joint")
        joint, self.found.refs[name] = joint_of(name, Placed(element, item.T), self.settings)
        return joint

    def _chain(self, parent: str, name: str, pose: Array, joints: list[Joint]) -> None:
        """The joints of a body one after another, each but the last with a link whose name no file can have."""
        if not joints:
            self.found.joints[f"\0{name}"] = Joint("", "fixed", parent, name, pose, np.array([0.0, 0.0, 1.0]))
        for joint in joints:
            child = name if joint is joints[-1] else f"\0{joint.name}"
            self.found.joints[joint.name] = replace(joint, parent=parent, child=child, pose=pose @ joint.pose)
            parent, pose = child, np.eye(4)

    def _site(self, body: str, item: _Item) -> None:
        """A site with a name is a frame."""
        if item.element.tag == "site" and item.element.attributes.get("name"):
            site = self.defaults.applied(item.element, item.around)
            T = pose_of(site, self.settings)
            if "fromto" in site.attributes:
                T = between(vector(site, "fromto", 6))
            self.found.sites[self._name(site)] = Spot(body, item.T @ T)

    def _name(self, element: Element, usual: str = "body") -> str:
        """The name of an element, or the first of usual, usual2, … that nothing of its kind has."""
        what, name = _what(element), element.attributes.get("name", "")
        taken = self.found.elements
        if (what, name) in taken:
            raise element.error(
                f"two {PLURALS[what]} are called {name[:80]!r}; the first stands on line {taken[what, name].line}"
            )
        number = 1
        while not name or (what, name) in taken:
            candidate = f"{usual}{number if number > 1 else ''}"
            name = "" if (what, candidate) in self.given else candidate
            number += 1
        taken[what, name] = element
        return name


def _what(element: Element) -> str:
    return "joint" if element.tag in TURNING else element.tag


def _all(worlds: list[Element]) -> Iterator[Element]:
    """All elements below these."""
    waiting = list(worlds)
    while waiting:
        element = waiting.pop()
        yield element
        waiting += element.children
