"""The text of `methods.py`, made from the catalogue: a typed method for every model.

python -m armillary.models.signatures     writes the file anew
"""

from pathlib import Path

from armillary.models.entry import Entry

_HEAD = '''"""The models of the catalogue as methods of `Robot`. Written by `python -m armillary.models.signatures`; not by hand."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from armillary.models.model import Model

Fixed = Mapping[str, Any] | None
"""Numbers or formulas for inputs and parameters, by name."""


class Methods(ABC):
    """A method for every model.

    All take: `fixed`, numbers or formulas to put in for elements of inputs or parameters before deriving; `inputs`, what
    of the description is to be given at every call ("gravity", "base_velocity", "base_acceleration", "wrench:FRAME");
    `base_parameters`, to put the base inertial parameters in the place of the full ones, which some models refuse.
    """

    @abstractmethod
    def derive(
        self,
        model: str,
        *,
        fixed: Fixed = None,
        inputs: Sequence[str] = (),
        base_parameters: bool = False,
        passes: bool = True,
        **options: Any,
    ) -> Model:
        """The model of that name."""
'''


def methods_text(entries: list[Entry]) -> str:
    """The whole module."""
    return _HEAD + "".join(_method(entry) for entry in entries)


def _method(entry: Entry) -> str:
    options = [f"{o.name}: {o.type} = {_literal(o.default)}" for o in entry.options]
    common = ["*", "fixed: Fixed = None", "inputs: Sequence[str] = ()", "base_parameters: bool = False"]
    arguments = ["self", *options, *common]
    head = f"    def {entry.method}({', '.join(arguments)}) -> Model:"
    if len(head) > 120:
        head = "\n".join([f"    def {entry.method}(", *_lines(arguments), "    ) -> Model:"])
    passed = [f'"{entry.name}"', *(f"{o.name}={o.name}" for o in entry.options)]
    passed += ["fixed=fixed", "inputs=inputs", "base_parameters=base_parameters"]
    call = f"        return self.derive({', '.join(passed)})"
    if len(call) > 120:
        call = "\n".join(["        return self.derive(", *_lines(passed, 12), "        )"])
    title = f"{entry.title[0].upper()}{entry.title[1:]}"
    doc = [f'        """{title}: {entry.equation}.']
    if len(doc[0]) > 136:
        doc = [f'        """{title}.', "", f"        {entry.equation}."]
    if entry.options or entry.regrouping:
        doc.append("")
        doc += [f"        {o.name}: {o.doc}." for o in entry.options]
        doc += [f"        Not with base parameters: {entry.regrouping}."] if entry.regrouping else []
        doc.append('        """')
    else:
        doc[-1] += '"""'
    return "\n" + "\n".join([head, *doc, call]) + "\n"


def _lines(arguments: list[str], indent: int = 8) -> list[str]:
    one = f"{' ' * indent}{', '.join(arguments)}"
    return [one] if len(one) <= 120 else [f"{' ' * indent}{a}," for a in arguments]


def _literal(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)


if __name__ == "__main__":
    from armillary.models.catalogue import CATALOGUE

    Path(__file__).with_name("methods.py").write_text(methods_text(list(CATALOGUE.values())), encoding="utf-8")
