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


_PLAIN = re.compile(r"(?!pi\b)[A-Za-z_][^\s{}%\\;:]*")
_FIRST = re.compile(r"(?!pi\b)[A-Za-z_]")


def word(name: str) -> str:
    """A name as one word that is no number: characters that would be misread are escaped."""
    if _PLAIN.fullmatch(name):
        return name
    odd = [not re.fullmatch(r"[^\s{}%\\;:]", c) for c in name]
    odd[:1] = [_FIRST.match(name) is None] * len(odd[:1])
    return "".join(f"\\u{ord(c):06x}" if escaped else c for c, escaped in zip(name, odd, strict=True))


def names(text: str) -> tuple[str, ...]:
    """The names of words that `word` made."""
    return tuple(re.sub(r"\\u([0-9a-f]{6})", lambda found: chr(int(found[1], 16)), x) for x in text.split())


def group(words: tuple[str, ...]) -> str:
    """{a b c}."""
    return "{" + " ".join(map(word, words)) + "}"


def input_line(x: Input) -> str:
    """input state q [2] "rad" {th1 th2} "joint positions"."""
    default = "" if x.default is None else " = " + " ".join(repr(v) for v in x.default)
    return (
        f"input {x.role} {word(x.name)} {shape_text(x.shape)} {quote(x.unit)} {group(x.labels)} {quote(x.doc)}{default}"
    )


def read_input(line: str) -> Input | None:
    """The input that a line declares, None if it declares none."""
    found = _INPUT.fullmatch(line)
    if found is None:
        return None
    role, name, shape, unit, labels, doc, default = found.groups()
    if role not in ("state", "parameter"):
        raise ProgramError(f"an input is a state or a parameter, not {role!r}")
    values = None if default is None else tuple(float(v) for v in default.split())
    return Input(names(name)[0], read_shape(shape), role, unquote(unit), unquote(doc), names(labels), values)
