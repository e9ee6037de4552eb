"""What one row of the catalogue says: a model, its options, and how it is built."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Integral
from typing import Any, Literal, cast

from armillary.errors import ModelError, near_match
from armillary.robot import Description


@dataclass(frozen=True, slots=True)
class Option:
    """A choice that a model leaves to the caller: `type` is its Python type as text, `default` None where there is none to name."""

    name: str
    type: str
    default: Any
    doc: str
    choices: tuple[str, ...] = ()

    @property
    def wanted(self) -> str:
        """What it may be, in words."""
        return _TYPES[self.type].words

    def takes(self, value: object) -> bool:
        """Whether the value is of its type; any sequence will do for a tuple."""
        return _TYPES[self.type].fits(value)


@dataclass(frozen=True, slots=True)
class _Type:
    words: str
    fits: Callable[[object], bool]


def _several(value: object, *kinds: type) -> bool:
    listed = isinstance(value, Sequence) and not isinstance(value, str)
    return listed and all(isinstance(x, kinds) for x in cast(Sequence[object], value))


_TYPES = {
    "bool": _Type("True or False", lambda x: isinstance(x, bool)),
    "str": _Type("a name", lambda x: isinstance(x, str)),
    "str | None": _Type("a name", lambda x: x is None or isinstance(x, str)),
    "int | None": _Type(
        "a whole number", lambda x: x is None or (isinstance(x, Integral) and x is not True and x is not False)
    ),
    "tuple[str, ...]": _Type("several names, as in ('q1', 'q2')", lambda x: _several(x, str)),
    "tuple[int | str, ...] | None": _Type(
        "several whole numbers or names, as in (0, 1)", lambda x: x is None or _several(x, Integral, str)
    ),
}
"""The types that options have."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One model of the catalogue.

    `equation` and `source` say what is computed and where it stands; `inputs` and `outputs` are the names of its arrays;
    `accepts` the structures it is for, `loops` whether robots whose joints are tied together are among them; `lacks` says what else a
    robot lacks for it, nothing for those that it is for. `regrouping` is the reason why base parameters would change the result,
    empty where they leave it as it is. `build(derivation, **options)` traces it, of the robot that `of` makes of the caller's.
    """

    name: str
    title: str
    equation: str
    source: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    build: Callable[..., None]
    options: tuple[Option, ...] = ()
    regrouping: str = ""
    accepts: str = "serial and tree-structured robots"
    loops: Literal["none", "too", "only"] = "none"
    lacks: Callable[[Description], str] = lambda _: ""
    optional: bool = field(default=True)
    of: Callable[[Description], Description] = lambda description: description

    @property
    def method(self) -> str:
        """The name as a method of `Robot`."""
        return self.name.replace("-", "_")

    def options_from(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Every option with its value; an unknown one is an error that names those there are."""
        known = {option.name: option for option in self.options}
        for name, value in given.items():
            option = known.get(name)
            if option is None:
                raise ModelError(
                    f"{self.name} has no option {name!r}; it has {', '.join(known) or 'none'}{near_match(name, known)}"
                )
            if option.choices and value not in option.choices:
                raise ModelError(f"{self.name}: {name} is one of {', '.join(option.choices)}, not {value!r}")
            if not option.takes(value):
                raise ModelError(f"{self.name}: {name} must be {option.wanted}, not {value!r}")
        return {name: given.get(name, option.default) for name, option in known.items()}

    def refuse(self, description: Description, closed: Sequence[str]) -> None:
        """An error for a robot whose structure the model is not for; `closed` are the models for closed loops."""
        tied = " and ".join(f"the {what} {', '.join(names)}" for what, names in description.ties)
        if tied and self.loops == "none":
            near = sorted((name for name in closed if name.endswith(self.name)), key=len)
            raise ModelError(
                f"{self.name} is for {self.accepts}, and {description.name} has {tied}, which tie its joints together: "
                f"take {near[0] if near else 'a model for closed loops (' + ', '.join(closed) + ')'}, or the tree alone, robot.opened()"
            )
        if not tied and self.loops == "only":
            tree = self.name.removeprefix("closed-")
            near = f": take {tree}" if tree != self.name else ""
            raise ModelError(
                f"{self.name} is for {self.accepts}, and {description.name} has nothing that ties its joints together{near}"
            )
        lacking = self.lacks(description)
        if lacking:
            raise ModelError(f"{self.name} is for {self.accepts}; {description.name} {lacking}")


def entry_named(catalogue: Mapping[str, Entry], name: str) -> Entry:
    """The entry of that name, written with dashes or underscores."""
    given = str(name).replace("_", "-")
    found = catalogue.get(given)
    if found is None:
        raise ModelError(f"there is no model {name!r}; there are {', '.join(catalogue)}{near_match(given, catalogue)}")
    return found
