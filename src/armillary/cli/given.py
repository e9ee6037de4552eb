"""Numbers and names as they are typed: `q=0.1,pi/2,0`, `L1=0.3`, `frame=tool`."""

from collections.abc import Iterable, Sequence
from typing import Any

from armillary import formats
from armillary.errors import ArmillaryError, ModelError, near_match
from armillary.models.entry import Entry
from armillary.robot.value import Formula, value


def pairs(given: Iterable[str], what: str) -> dict[str, str]:
    """{name: text} of NAME=TEXT."""
    found: dict[str, str] = {}
    for item in given:
        name, equals, text = item.partition("=")
        if not equals or not name:
            raise ModelError(f"{item!r} says no {what}; write NAME=VALUE, as in q=0.1,0.2 or L1=0.3")
        if name.strip() in found:
            raise ModelError(f"{name.strip()} is given twice, as {found[name.strip()]!r} and as {text.strip()!r}")
        found[name.strip()] = text.strip()
    return found


def numbers(name: str, text: str) -> list[float]:
    """The numbers of a list separated by commas; formulas without symbols are numbers."""
    found: list[float] = []
    for part in text.strip("[]()").replace(" ", ",").split(","):
        if part:
            try:
                x = value(part)
            except ArmillaryError as error:
                raise ModelError(f"{name} = {text!r}: {error}") from None
            if isinstance(x, Formula):
                raise ModelError(f"{name} = {text!r}: {part!r} is no number, it has the symbols {', '.join(x.symbols)}")
            found.append(float(x))
    return found


def fixed(given: Sequence[str]) -> dict[str, Any]:
    """What `--set` gives: a number or formula, or several for a whole input."""
    return {name: text.split(",") if "," in text else text for name, text in pairs(given, "value").items()}


def options(entry: Entry, given: Sequence[str]) -> dict[str, Any]:
    """What `--option` gives, in the types that the model's options have."""
    known = {o.name: o for o in entry.options}
    found: dict[str, Any] = {}
    for name, text in pairs(given, "option").items():
        key = name.replace("-", "_")
        if key not in known:
            raise ModelError(
                f"{entry.name} has no option {name!r}; it has {', '.join(known) or 'none'}{near_match(key, known)}"
            )
        kind = known[key].type
        if kind.startswith("bool"):
            found[key] = _yes(name, text)
        elif kind.startswith("tuple"):
            found[key] = tuple(int(x) if "int" in kind and x.isdigit() else x for x in text.split(",") if x)
        elif kind.startswith("int") and text.lstrip("-").isdigit():
            found[key] = int(text)
        else:
            found[key] = text
    return found


def reading(robot: str, given: Sequence[str]) -> dict[str, Any]:
    """What `--read` gives, in the types that the options of this kind of file have."""
    if not given:
        return {}
    known = formats.options(robot)
    found: dict[str, Any] = {}
    for name, text in pairs(given, "option").items():
        key = name.replace("-", "_")
        default = known.get(key)
        if isinstance(default, bool):
            found[key] = _yes(name, text)
        elif isinstance(default, float):
            found[key] = _number(name, text)
        else:
            found[key] = text
    return found


def _number(name: str, text: str) -> float:
    found = numbers(name, text)
    if len(found) != 1:
        raise ModelError(f"{name} is one number, not {text!r}")
    return found[0]


def _yes(name: str, text: str) -> bool:
    if text.lower() not in ("yes", "true", "1", "no", "false", "0"):
        raise ModelError(f"{name} is yes or no, not {text!r}")
    return text.lower() in ("yes", "true", "1")
