"""What one row of the catalogue says: a model, its options, and how it is built."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, Literal

from armillary.errors import ModelError
from armillary.robot import Description


@dataclass(frozen=True, slots=True)
class Option:
    """A choice that a model leaves to the caller: `type` is its Python type as text, `default` None where there is none to name."""

    name: str
    type: str
    default: Any
    doc: str
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """One model of the catalogue.

    `equation` and `source` say what is computed and where it stands; `inputs` and `outputs` are the names of its arrays;
    `accepts` the structures it is for, `loops` whether robots with closed loops are among them. `regrouping` is the
    reason why base parameters would change the result, empty where they leave it as it is. `build(derivation, **options)` traces it.
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
    optional: bool = field(default=True)

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
                near = get_close_matches(name, known, n=1)
                hint = f"; did you mean {near[0]!r}?" if near else ""
                raise ModelError(f"{self.name} has no option {name!r}; it has {', '.join(known) or 'none'}{hint}")
            if option.choices and value not in option.choices:
                raise ModelError(f"{self.name}: {name} is one of {', '.join(option.choices)}, not {value!r}")
        return {name: given.get(name, option.default) for name, option in known.items()}

    def refuse(self, description: Description, closed: Sequence[str]) -> None:
        """An error for a robot whose structure the model is not for; `closed` are the models for closed loops."""
        cuts = ", ".join(cut.name for cut in description.cuts)
        if cuts and self.loops == "none":
            near = [name for name in closed if name.endswith(self.name)]
            raise ModelError(
                f"{self.name} is for {self.accepts}, and {description.name} has the cut joints {cuts}, which tie its joints together: "
                f"take {near[0] if near else 'a model for closed loops (' + ', '.join(closed) + ')'}, or the tree alone, robot.opened()"
            )
        if not cuts and self.loops == "only":
            tree = self.name.removeprefix("closed-")
            near = f": take {tree}" if tree != self.name else ""
            raise ModelError(f"{self.name} is for {self.accepts}, and {description.name} has no cut joints{near}")


def entry_named(catalogue: Mapping[str, Entry], name: str) -> Entry:
    """The entry of that name, written with dashes or underscores."""
    found = catalogue.get(name.replace("_", "-"))
    if found is None:
        near = get_close_matches(name.replace("_", "-"), catalogue, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise ModelError(f"there is no model {name!r}{hint} There are: {', '.join(catalogue)}")
    return found
