"""Default classes: the attributes that elements have where they do not say otherwise.

    <default>
      <joint damping="1"/>
      <default class="finger"> <joint damping="0.1"/> </default>
    </default>

A class has what the class around it has, and its own on top. An element has the class that it names, else the nearest
`childclass` around it, else the outermost one, "main".
"""

from collections.abc import Mapping

from armillary.errors import near_match
from armillary.formats.mjcf.known import refused
from armillary.formats.xml import Element

MAIN = "main"

ACTUATORS = (
    *("general", "motor", "position", "velocity", "intvelocity", "orientation", "pid", "damper", "cylinder", "muscle"),
    *("adhesion", "dcmotor", "plugin"),
)
"""The kinds of actuator, which share their defaults."""

_KINDS = dict.fromkeys(ACTUATORS, "actuator") | {"fixed": "tendon", "spatial": "tendon"}
_KINDS |= {"connect": "equality", "weld": "equality"}
_LISTED = ("joint", "geom", "site", "tendon", "equality", *(tag for tag in ACTUATORS if tag != "plugin"))
_PASSED = ("mesh", "material", "texture", "camera", "light", "pair", "skin")

_ORIENTATIONS = frozenset(("quat", "axisangle", "xyaxes", "zaxis", "euler"))

Attributes = Mapping[str, str]


class Defaults:
    """The classes of a file, each with the attributes of each kind of element."""

    def __init__(self) -> None:
        self.classes: dict[str, dict[str, Attributes]] = {MAIN: {}}

    def take(self, section: Element) -> None:
        """One <default> section at the top."""
        name = section.attributes.get("class", MAIN)
        if name != MAIN:
            raise section.error(f"the outermost default class is called {name[:80]!r}; it is called {MAIN!r}")
        waiting = [(section, MAIN)]
        while waiting:
            element, name = waiting.pop()
            for child in element.children:
                if child.tag in _LISTED:
                    kind = _KINDS.get(child.tag, child.tag)
                    given = self.classes[name].get(kind, {})
                    self.classes[name][kind] = _over(given, child.attributes)
                elif child.tag not in ("default", *_PASSED):
                    raise refused(child, ("default", *_LISTED, *_PASSED))
            waiting += [(child, self._new(child, name)) for child in element.all("default")]

    def _new(self, element: Element, around: str) -> str:
        """A class within another, which begins with what that one has."""
        name = element.attributes.get("class", "")
        if not name:
            raise element.error("a <default> within another has no class")
        if name in self.classes:
            raise element.error(f"two default classes are called {name[:80]!r}")
        self.classes[name] = dict(self.classes[around])
        return name

    def known(self, element: Element, attribute: str) -> str:
        """The class that an attribute of an element names, "" where it names none."""
        name = element.attributes.get(attribute, "")
        if name and name not in self.classes:
            raise element.error(
                f"<{element.tag} {attribute}> is {name[:80]!r}, and there is no default class of that name"
                f"{near_match(name, self.classes)}"
            )
        return name

    def applied(self, element: Element, around: str = "", kind: str = "") -> Element:
        """The element with all its attributes; `around` is the nearest childclass, `kind` what it shares defaults with."""
        name = self.known(element, "class") or around or MAIN
        kind = kind or _KINDS.get(element.tag, element.tag)
        attributes = _over(self.classes[name].get(kind, {}), element.attributes)
        return Element(element.tag, dict(attributes), element.file, element.line, element.children)


def _over(given: Attributes, own: Attributes) -> Attributes:
    """The attributes given with an element's own on top; its own orientation takes the place of any other."""
    dropped = _ORIENTATIONS if _ORIENTATIONS & own.keys() else frozenset[str]()
    return {name: x for name, x in given.items() if name not in dropped} | dict(own)
