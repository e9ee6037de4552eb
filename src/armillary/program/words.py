"""What the text forms of Programs and Routines share: shapes, quoted strings, groups of names, inputs."""

import re

from armillary.errors import ProgramError
from armillary.program.program import Input

QUOTED = r'"(?:[^"\\]|\\.)*"'
"""A quoted string, as a regular expression."""

_INPUT = re.compile(rf"input (\w+) (\S+) \[([\d,]*)\] ({QUOTED}) \{{(.*?)\}} ({QUOTED})(?: = (.*))?")


def shape_text(shape: tuple[int, ...]) -> str:
    """[3,4] for a matrix, [] for a scalar."""
    return f"[{','.join(map(str, shape))}]"


def read_shape(text: str) -> tuple[int, ...]:
    """The shape written between brackets."""
    return tuple(int(n) for n in text.split(",") if n)


def quote(text: str) -> str:
    """A string in quotation marks, on one line."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def unquote(quoted: str) -> str:
    """What stands between the quotation marks."""
    return re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], quoted[1:-1])


def group(words: tuple[str, ...]) -> str:
    """{a b c}."""
    return "{" + " ".join(words) + "}"


def input_line(x: Input) -> str:
    """input state q [2] "rad" {th1 th2} "joint positions"."""
    default = "" if x.default is None else " = " + " ".join(repr(v) for v in x.default)
    return f"input {x.role} {x.name} {shape_text(x.shape)} {quote(x.unit)} {group(x.labels)} {quote(x.doc)}{default}"


def read_input(line: str) -> Input | None:
    """The input that a line declares, None if it declares none."""
    found = _INPUT.fullmatch(line)
    if found is None:
        return None
    role, name, shape, unit, labels, doc, default = found.groups()
    if role not in ("state", "parameter"):
        raise ProgramError(f"an input is a state or a parameter, not {role!r}")
    values = None if default is None else tuple(float(v) for v in default.split())
    return Input(name, read_shape(shape), role, unquote(unit), unquote(doc), tuple(labels.split()), values)
