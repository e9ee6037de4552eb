"""Names and facts that the keys of a `.par` file have no place for, carried in comments that other readers pass over.

    (* Robotname = 'RX 90' *)          as SYMORO writes it
    (* Link 2 = "upper arm" *)         and of ours: a word, an index or a symbol where there may be several, and JSON

What is left out has its usual value: links are called link1, link2, …, their joints joint1, …, further frames frame7, ….
"""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, cast

from armillary.errors import FormatError
from armillary.formats.par.text import ParText, shown
from armillary.robot import Limits, Parameter

_ROBOT_NAME = re.compile(r"Robotname\s*=\s*'(.*)'", re.DOTALL)
_LABEL = re.compile(
    r"(Link|Joint|Coordinate|Velocity|Frame|Limits|Parameter|Source|Doc)(?: +(\w+))? *= *(.*)", re.DOTALL
)


@dataclass(slots=True)
class Labels:
    """What the comments say; texts and lists of texts by word and index ("" where there is one alone)."""

    robot: str = ""
    texts: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    lists: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict[tuple[str, str], tuple[str, ...]])
    limits: dict[str, Limits] = field(default_factory=dict[str, Limits])
    parameters: dict[str, Parameter] = field(default_factory=dict[str, Parameter])

    def text(self, word: str, index: object = "", usual: str = "") -> str:
        """The text of a label, or what is usual."""
        return self.texts.get((word, str(index)), usual)


def read_labels(text: ParText) -> Labels:
    """The labels among a file's comments."""
    labels = Labels()
    for comment in text.comments:
        if match := _ROBOT_NAME.fullmatch(comment.text):
            labels.robot = match.group(1)
        elif match := _LABEL.fullmatch(comment.text):
            word, index, content = match.group(1), match.group(2) or "", match.group(3)
            try:
                _take(labels, word, index, json.loads(content))
            except (ValueError, TypeError, RecursionError):
                continue  # a comment that only looks like a label
    return labels


def _take(labels: Labels, word: str, index: str, content: Any) -> None:
    if word == "Limits":
        labels.limits[index] = Limits(*(None if x is None else float(x) for x in content))
    elif word == "Parameter":
        default = content["default"]
        labels.parameters[index] = Parameter(
            index, None if default is None else float(default), str(content["unit"]), str(content["doc"])
        )
    elif isinstance(content, str):
        labels.texts[word, index] = content
    elif isinstance(content, list):
        labels.lists[word, index] = tuple(str(x) for x in cast(list[Any], content))


def robot_name_line(name: str) -> str:
    """The first line of a file."""
    if "\n" in name or "(*" in name or "*)" in name:
        raise FormatError(
            f"the robot's name {shown(name)} cannot stand in a .par file: it has a line end or a comment sign"
        )
    return f"(* Robotname = '{name}' *)"


def label(word: str, index: object, content: object) -> str:
    """One label as a line; comment signs within its texts are written as JSON escapes."""
    if isinstance(content, Limits | Parameter):
        fields = {k: v for k, v in asdict(content).items() if k != "name"}
        content = list(fields.values()) if isinstance(content, Limits) else fields
    written = json.dumps(content, ensure_ascii=False, allow_nan=False).replace("*", "\\u002a")
    return f"(* {word}{f' {index}' if index != '' else ''} = {written} *)"


def parameter_lines(parameters: Mapping[str, Parameter]) -> list[str]:
    """The labels of what is known of the symbols."""
    return [label("Parameter", name, parameter) for name, parameter in parameters.items()]
