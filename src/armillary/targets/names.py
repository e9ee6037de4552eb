"""Names in generated text: legal in the language, each used once, and as near as can be to what the model calls things."""

import re
import unicodedata
from collections.abc import Iterable

from armillary.expr.ops import OPS
from armillary.program.program import Program


def identifier(text: str) -> str:
    """`text` as an identifier that C, Python and MATLAB accept: ASCII letters, digits and single underscores, a letter first."""
    spelled = "".join(_letter(c) for c in unicodedata.normalize("NFKD", text))
    word = re.sub(r"[^A-Za-z0-9]+", "_", spelled).strip("_")
    return word if word[:1].isalpha() else f"x{word}"


def _letter(c: str) -> str:
    """A Greek letter by its name; accents, which stand alone in decomposed text, go."""
    if unicodedata.combining(c):
        return ""
    found = re.fullmatch(r"GREEK (SMALL|CAPITAL) LETTER (?:FINAL )?(\w+)", unicodedata.name(c, ""))
    if found is None:
        return c
    name = {"LAMDA": "LAMBDA"}.get(found[2], found[2])
    return name.lower() if found[1] == "SMALL" else name.capitalize()


class Namer:
    """Gives every name once; words of the language count as given. `longest` is the length at which names are cut off."""

    def __init__(self, reserved: Iterable[str], longest: int | None = None) -> None:
        self._given = set(reserved)
        self._longest = longest
        self._number = 0

    def name(self, wish: str) -> str:
        """`wish`, made legal and followed by _2, _3, … where it was given before."""
        word = candidate = identifier(wish)[: self._longest]
        number = 1
        while candidate in self._given:
            number += 1
            ending = f"_{number}"
            candidate = (word if self._longest is None else word[: self._longest - len(ending)]) + ending
        self._given.add(candidate)
        return candidate

    @property
    def given(self) -> frozenset[str]:
        """All that cannot be given any more."""
        return frozenset(self._given)

    def next(self, letter: str = "t") -> str:
        """A name without a meaning: t1, t2, …"""
        while True:
            self._number += 1
            candidate = f"{letter}{self._number}"
            if candidate not in self._given:
                self._given.add(candidate)
                return candidate


def wishes(program: Program) -> dict[int, str]:
    """Names that results would like to have: their hints; sines and cosines of inputs S1, C1 or, of sums of them, S12."""
    wanted = dict(program.hints)
    subscript = input_subscripts(program)
    for _, op, arguments, result, _ in program.statements():
        if op == "add" and all(a in subscript and subscript[a].isdigit() for a in arguments):
            subscript.setdefault(result, "".join(subscript[a] for a in arguments))
        elif op in ("sin", "cos") and arguments[0] in subscript:
            wanted.setdefault(result, f"{op[0].upper()}{subscript[arguments[0]]}")
    return wanted


def input_subscripts(program: Program) -> dict[int, str]:
    """What tells an input element apart in a name: its place, counted from 1, in the vector q, with the name of any other input."""
    subscript: dict[int, str] = {}
    start = 0
    for x in program.inputs:
        for k in range(x.size):
            place = str(k + 1) if len(x.shape) == 1 else ""
            subscript[start + k] = (
                place if place and x.name == "q" else f"_{x.labels[k] if x.role == 'parameter' else x.name + place}"
            )
        start += x.size
    return subscript


FUNCTIONS = frozenset(OPS)
"""Names of operations, which no variable should hide in any language."""
