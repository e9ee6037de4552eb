"""The text of a Program: one line an input, statement and output; `parse` reads back what `render` writes.

    program idm
    input state q [2] rad {th1 th2} "joint positions"
    input parameter L [] m {L} = 0.5
    %0 = cos th2
    F1: %1 = mul L %0
    %2 %3 = solve(2,1) %0 %1 ...
    output tau [2] N·m {} {} = %1 -3/2

Elements of inputs are called by their labels, constants stand for themselves, results are %0, %1, …
"""

import re

import numpy as np

from armillary.errors import ExpressionError, ProgramError
from armillary.expr import numbers
from armillary.expr.numbers import Number
from armillary.expr.ops import NAMES, OPS, SOLVE
from armillary.expr.parse import parse as parse_expression
from armillary.program.program import Input, Output, Program
from armillary.program.verify import verify
from armillary.program.words import (
    QUOTED,
    group,
    input_line,
    names,
    quote,
    read_input,
    read_shape,
    shape_text,
    unquote,
    word,
)


def render(program: Program) -> str:
    """The Program as text."""
    value = [word(label) for x in program.inputs for label in x.labels]
    value += [numbers.text(c) for c in program.constants]
    value += [f"%{k}" for k in range(program.n_values - program.first_result)]
    lines = [f"program {program.name}"]
    for x in program.inputs:
        lines.append(input_line(x))
    for k, op, arguments, first, count in program.statements():
        hints = [word(program.hints[v]) if v in program.hints else "" for v in range(first, first + count)]
        hint = ";".join(hints) + ": " if any(hints) else ""
        name = f"solve({','.join(map(str, program.system(k)))})" if op == SOLVE else op
        left = " ".join(value[first : first + count])
        lines.append(f"{hint}{left} = {name} {' '.join(value[a] for a in arguments)}")
    for out in program.outputs:
        values = " ".join(value[v] for v in out.values)
        what = f"{word(out.name)} {shape_text(out.shape)} {quote(out.unit)} {group(out.rows)} {group(out.columns)}"
        lines.append(f"output {what} {quote(out.doc)} = {values}")
    return "\n".join(lines) + "\n"


_OUTPUT = re.compile(rf"output (\S+) \[([\d,]*)\] ({QUOTED}) \{{(.*?)\}} \{{(.*?)\}} ({QUOTED}) = ?(.*)")
_STATEMENT = re.compile(r"(?:(\S+): )?((?:%\d+ ?)+) = (\w+)(?:\((\d+),(\d+)\))? (.*)")


def parse(text: str) -> Program:
    """The Program that `text` says; an error names the line."""
    lines = text.split("\n")
    if not lines or not lines[0].startswith("program "):
        raise ProgramError("line 1: a program starts with 'program NAME'")
    reader = _Reader()
    for number, line in enumerate(lines[1:], start=2):
        try:
            reader.line(line)
        except (ProgramError, ExpressionError, ValueError) as error:
            raise ProgramError(f"line {number}: {error}: {line[:120]!r}") from None
    return reader.program(lines[0].removeprefix("program ").strip())


class _Reader:
    """What has been read so far; constants are numbered once all are known."""

    def __init__(self) -> None:
        self.inputs: list[Input] = []
        self.outputs: list[tuple[Output, list[str]]] = []
        self.rows: list[tuple[int, int, list[str]]] = []
        self.hints: dict[str, str] = {}
        self.results: dict[str, int] = {}

    def line(self, line: str) -> None:
        if not line.strip():
            return
        if x := read_input(line):
            self.inputs.append(x)
        elif found := _OUTPUT.fullmatch(line):
            name, shape, unit, rows, columns, doc, values = found.groups()
            what = unquote(unit), unquote(doc), names(rows), names(columns)
            out = Output(names(name)[0], read_shape(shape), (), *what)
            self.outputs.append((out, values.split()))
        elif found := _STATEMENT.fullmatch(line):
            hint, left, op, _, m, arguments = found.groups()
            if op not in NAMES:
                raise ProgramError(f"there is no operation {op!r}; there are {', '.join(NAMES)}")
            for value, named in zip(left.split(), (hint or "").split(";"), strict=False):
                if named:
                    self.hints[value] = names(named)[0]
            self.rows.append((NAMES.index(op), int(m or 0), arguments.split()))
            for name in left.split():
                if name != f"%{len(self.results)}":
                    raise ProgramError(f"the next result is %{len(self.results)}, not {name}")
                self.results[name] = len(self.results)
        else:
            raise ProgramError("this is no input, statement or output")

    def program(self, name: str) -> Program:
        value = {label: k for k, label in enumerate(word(label) for x in self.inputs for label in x.labels)}
        n_inputs = len(value)
        constants: dict[Number, int] = {}
        used = [w for _, _, arguments in self.rows for w in arguments]
        used += [w for _, values in self.outputs for w in values]
        for w in used:
            if w not in value and not w.startswith("%"):
                value[w] = constants.setdefault(_number(w), n_inputs + len(constants))
        first = n_inputs + len(constants)
        value |= {w: first + k for w, k in self.results.items()}
        try:
            args = [[value[w] for w in arguments] for _, _, arguments in self.rows]
            outputs = tuple(
                Output(o.name, o.shape, tuple(value[w] for w in words), o.unit, o.doc, o.rows, o.columns)
                for o, words in self.outputs
            )
        except KeyError as error:
            raise ProgramError(f"{error.args[0]} is used but never made") from None
        for k, (code, _, arguments) in enumerate(self.rows):
            if NAMES[code] != SOLVE and len(arguments) != OPS[NAMES[code]].arity:
                raise ProgramError(f"statement {k} is {NAMES[code]!r} with {len(arguments)} arguments")
        return verify(
            Program(
                name=name,
                inputs=tuple(self.inputs),
                outputs=outputs,
                constants=tuple(constants),
                ops=np.array([code for code, _, _ in self.rows], dtype=np.uint8),
                starts=np.cumsum([0, *map(len, args)]).astype(np.int32),
                args=np.array([a for row in args for a in row], dtype=np.int32),
                widths=np.array([m for _, m, _ in self.rows], dtype=np.int32),
                hints={value[w]: h for w, h in self.hints.items()},
            )
        )


def _number(word: str) -> Number:
    constant = parse_expression(word).const
    if constant is None:
        raise ProgramError(f"{word!r} is neither a number nor a value made before")
    return constant
