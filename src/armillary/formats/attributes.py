"""Numbers in the attributes of XML elements: finite, not too large, as many as belong there."""

import math
from collections.abc import Sequence

import numpy as np

from armillary.errors import near_match
from armillary.formats.xml import Element
from armillary.robot.place import Array

LARGEST = 1e100
"""Numbers beyond this size (in SI units) are mistakes, and their squares would overflow."""


def attribute(element: Element, name: str) -> str:
    """The text of an attribute that has to be there."""
    if name not in element.attributes:
        raise element.error(f"<{element.tag}> without {name}")
    return element.attributes[name]


def number(element: Element, name: str, absent: float | None = None, *, infinite: bool = False) -> float:
    """One number; `absent` where the attribute may be left out and is."""
    if absent is not None and name not in element.attributes:
        return absent
    return _number(element, name, attribute(element, name).strip(), infinite)


def vector(element: Element, name: str, n: int, absent: Sequence[float] | None = None) -> Array:
    """n numbers; `absent` where the attribute may be left out and is."""
    if absent is not None and name not in element.attributes:
        return np.array(absent, dtype=float)
    found = numbers(element, name)
    if len(found) != n:
        raise element.error(f"<{element.tag} {name}> has {len(found)} numbers; it takes {n}")
    return found


def numbers(element: Element, name: str) -> Array:
    """All numbers of an attribute, which has one at least."""
    words = attribute(element, name).split()
    if not words:
        raise element.error(f"<{element.tag} {name}> is empty; it takes numbers")
    return np.array([_number(element, name, word) for word in words])


def coefficient(element: Element, name: str) -> float:
    """One number, 0 or more and 0 where it is left out; the further terms of a polynomial are refused."""
    if name not in element.attributes:
        return 0.0
    x, *more = (float(x) for x in numbers(element, name))
    if any(more):
        raise element.error(
            f"<{element.tag} {name}> is a polynomial, {element.attributes[name][:80]!r}; read is one number"
        )
    if x < 0:
        raise element.error(f"<{element.tag} {name}> is {x:g}; it is 0 or more")
    return x


def choice(element: Element, name: str, allowed: Sequence[str], absent: str) -> str:
    """One of the allowed words; `absent` where the attribute is left out."""
    word = element.attributes.get(name, absent)
    if word not in allowed:
        near = near_match(word, allowed)
        raise element.error(f"<{element.tag} {name}> is {word[:80]!r}; allowed are {', '.join(allowed)}{near}")
    return word


def direction(element: Element, vector: Array, snap: float) -> Array:
    """The unit vector along `vector`, whose length means nothing; its components up to `snap` are 0."""
    size = float(np.abs(vector).max())
    if size == 0:
        raise element.error(f"<{element.tag}> has the axis 0 0 0, which points nowhere")
    unit = vector / size
    unit = unit / np.linalg.norm(unit)
    unit = np.where(np.abs(unit) <= snap, 0.0, unit)
    return unit / np.linalg.norm(unit)


def _number(element: Element, name: str, word: str, infinite: bool = False) -> float:
    try:
        x = float(word)
    except ValueError:
        x = math.nan
    if abs(x) <= LARGEST or (infinite and not math.isnan(x)):
        return x
    hint = "; expand the file with xacro first" if "${" in word else ""
    raise element.error(f"<{element.tag} {name}> has {word[:80]!r}, which is not a finite number{hint}")
