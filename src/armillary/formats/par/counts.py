"""How many links, joints and frames a `.par` file speaks of, and whether it is a robot that can be said."""

from collections.abc import Mapping
from dataclasses import dataclass

from armillary.errors import FormatError
from armillary.formats.par.keys import FIXED, FLOATING, MOBILE, TYPES
from armillary.formats.par.text import ParText, shown

REQUIRED = ("NL", "ant", "sigma", "alpha", "d", "theta", "r")
"""The keys that every file has."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Links, joints and frames; whether the loops that joints beyond the links' close are to be read too; the base."""

    links: int
    joints: int
    frames: int
    loops: bool
    base: str

    @property
    def bases(self) -> int:
        """1 where the base has a body of its own, link 0."""
        return int(self.base != FIXED)

    @property
    def cuts(self) -> range:
        """The joints that close loops; the frame of joint j has its twin at j + B, B being their number."""
        return range(self.links + 1, self.joints + 1) if self.loops else range(0)

    def twin(self, j: int) -> int:
        """The frame of the other side of cut joint j."""
        return j + self.joints - self.links


def count(text: ParText, tree: bool) -> Counts:
    """NL, NJ and NF, and what the base is."""
    for key in REQUIRED:
        if key not in text.entries:
            raise FormatError(f"{text.file}: the key {key} is missing; a robot has at least {', '.join(REQUIRED)}")
    said = [kind for key, kind in (("is_floating", FLOATING), ("is_mobile", MOBILE)) if _flag(text, key)]
    if len(said) > 1:
        raise text.error(text.lines["is_mobile"], "the base is floating and mobile; it is one of them, or neither")
    NL = _whole(text, "NL", 0, 0)
    NJ = _whole(text, "NJ", NL, NL)
    closed = 2 * NJ - NL
    NF = _whole(text, "NF", closed, closed)
    kind = _choice(text, "Type", TYPES) if "Type" in text.entries else 2
    if NJ > NL and kind != 2:
        raise text.error(
            text.lines["Type"], f"Type = {kind}, and of {NJ} joints {NJ - NL} close loops; such a robot has Type = 2"
        )
    return Counts(NL, NJ, NF, not tree, said[0] if said else FIXED)


def _whole(text: ParText, key: str, least: int, usual: int) -> int:
    if key not in text.entries:
        return usual
    [element] = text.entries[key]
    if not (element.text.isascii() and element.text.isdigit() and len(element.text) < 8 and int(element.text) >= least):
        raise text.error(element.line, f"{key} = {shown(element.text)}; it is a whole number, {least} or more")
    return int(element.text)


def _choice(text: ParText, key: str, allowed: Mapping[int, str]) -> int:
    [element] = text.entries[key]
    for number in allowed:
        if element.text == str(number):
            return number
    raise text.error(element.line, f"{key} = {shown(element.text)}; allowed are {listed(allowed)}")


def _flag(text: ParText, key: str) -> bool:
    if key not in text.entries:
        return False
    [element] = text.entries[key]
    if element.text.lower() not in ("true", "false", "1", "0"):
        raise text.error(element.line, f"{key} = {shown(element.text)}; allowed are True, False, 1, 0")
    return element.text.lower() in ("true", "1")


def listed(allowed: Mapping[int, str]) -> str:
    return ", ".join(f"{number} ({word})" for number, word in allowed.items())
