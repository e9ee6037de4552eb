"""What a reader of files may be told: its keyword arguments, and whether the values given for them fit."""

from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any

from armillary.errors import FormatError, near_match

WIDEST = 0.1
"""No angle further than this (rad) from a multiple of pi/2 can be meant to be it."""


def options_of(read: Callable[..., Any]) -> dict[str, Any]:
    """The options of a reader by name, each with its default."""
    parameters = signature(read).parameters.values()
    return {p.name: p.default for p in parameters if p.kind is p.KEYWORD_ONLY}


def checked(kind: str, known: Mapping[str, Any], given: Mapping[str, object]) -> Mapping[str, object]:
    """The options given, of the types of their defaults; `kind` is the kind of file.

    An option that there is not, or a value that does not fit, is an error that says what there is.
    """
    for name, value in given.items():
        if name not in known:
            raise FormatError(
                f"{kind} files are read without an option {name!r}; they have {', '.join(known) or 'none'}"
                f"{near_match(name, known)}"
            )
        wanted = _wanted(known[name], value)
        if wanted:
            raise FormatError(f"{name} is {wanted}, not {value!r}")
    return given


def _wanted(default: object, value: object) -> str:
    """What an option with that default takes, in words, where the value is something else."""
    if isinstance(default, bool):
        return "" if isinstance(value, bool) else "True or False"
    if isinstance(default, str):
        return "" if isinstance(value, str) else "a text"
    fits = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= WIDEST
    return "" if fits else f"an angle from 0 to {WIDEST} rad"
