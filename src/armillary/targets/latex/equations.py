"""The equations of a Program: sines and cosines first, then every named intermediate result once, then the outputs."""

from collections.abc import Sequence
from dataclasses import dataclass

from armillary.expr.ops import SOLVE
from armillary.program.program import Output, Program
from armillary.targets.latex.formula import Sum, Token, Writer, constant, joined, symbol
from armillary.targets.latex.symbols import VECTORS, Symbols, elements, intermediate, name, numbered, wave, width
from armillary.targets.names import wishes
from armillary.targets.notation import ARITHMETIC, Notation, Rule, Text
from armillary.targets.schedule import Operation, Schedule, live, schedule
from armillary.targets.schedule import elements as output_elements

LIMIT = 90
"""How wide a formula may become before parts of it get a name, in digits: a little more than a line."""

CELLS = (18.0, 9.0, 5.0)
"""How wide an element of a matrix may be to be written in its place: the first of these with which the matrix fits."""

COLUMNS = 10
"""How many columns a matrix may have."""

_PARAMETER, _PLAIN, _NAMED, _WAVE, _STATE = (1, 2, 3, 4, 6)
"""Ranks: in which order the factors of a product are written; brackets and functions have theirs too."""


@dataclass(frozen=True, slots=True)
class Equation:
    """left = right."""

    left: str
    right: tuple[Token, ...]

    @property
    def width(self) -> float:
        return width(self.left) + 3 + sum(t.width for t in self.right)

    def __str__(self) -> str:
        return f"{self.left} = {joined(self.right)}"


@dataclass(frozen=True)
class Equations:
    """What depends on parameters alone; sines and cosines of what is known from the start, those of one angle together; the
    other intermediate results in their order; and for every output either a matrix in full, whose longer elements are given
    by the equations beside it, or equations alone. `hints` are the names that intermediate results had."""

    constants: tuple[Equation, ...]
    waves: tuple[tuple[Equation, ...], ...]
    steps: tuple[Equation, ...]
    results: tuple[tuple[str, tuple[Equation, ...]], ...]
    hints: tuple[str, ...]


def equations(program: Program, digits: int, line: float) -> Equations:
    """Every equation; `line` is the width of a line, `digits` the precision of numbers that are not exact."""
    return _Author(program, digits, line).equations()


def output_symbol(out: Output) -> str:
    """The symbol of an output."""
    return VECTORS.get(out.name) or name(out.name)


class _Author:
    """The symbols given so far."""

    def __init__(self, program: Program, digits: int, line: float) -> None:
        self.program = program
        self.line = line
        self.used = Symbols()
        self.symbols: dict[int, Sum] = {}
        self.wished = wishes(program)
        start = 0
        for x in program.inputs:
            rank = _STATE if x.role == "state" else _PARAMETER
            for k, tex in enumerate(elements(x), start):
                self.symbols[k] = symbol(self.used.give(tex), (rank, k))
            start += x.size
        for k, value in enumerate(program.constants, program.n_inputs):
            self.symbols[k] = constant(value)
        setup = program.setup.tolist()
        plan = schedule(program, NOTATION, self._leaf, LIMIT)
        self.constants = {x.first for x in plan.lines if setup[x.number]}
        self.plan = _with_angles_inside(plan, self.constants)
        self.writer = Writer(self.symbols, self.plan.folded, digits)
        self.places = self._output_symbols()

    def equations(self) -> Equations:
        lined = {v for x in self.plan.lines if not self._is_wave(x) for v in range(x.first, x.first + x.count)}
        of_outputs: dict[int, str] = {}
        for out in self.program.outputs:
            for value, place in zip(out.values, self.places[out.name], strict=True):
                if value in lined:
                    of_outputs.setdefault(value, place)
        groups: tuple[list[Operation], ...] = ([], [], [])
        for x in self.plan.lines:
            groups[0 if x.first in self.constants else 1 if self._is_wave(x) else 2].append(x)
        constants = [self._line(x, of_outputs) for x in groups[0]]
        waves: dict[tuple[int, ...], list[Equation]] = {}
        for x in sorted(groups[1], key=lambda x: self._angle(x.args[0])):
            waves.setdefault(x.args, []).append(self._wave(x))
        steps = [self._line(x, of_outputs) for x in groups[2]]
        results = tuple(self._result(out) for out in self.program.outputs if out.size)
        hints = tuple(dict.fromkeys(h for x in self.plan.lines if (h := self.program.hints.get(x.first))))
        return Equations(tuple(constants), tuple(map(tuple, waves.values())), tuple(steps), results, hints)

    def _leaf(self, value: int) -> int:
        if value in self.symbols:
            tokens = Writer(self.symbols, {}, 6).tokens(self.symbols[value])
            return round(sum(t.width for t in tokens))
        return round(width(intermediate(self.wished[value]))) if value in self.wished else 2

    def _output_symbols(self) -> dict[str, list[str]]:
        return {
            out.name: [self.used.give(s) for s in numbered(output_symbol(out), out.shape)]
            for out in self.program.outputs
        }

    # ---- intermediate results ----

    def _is_wave(self, x: Operation) -> bool:
        """A sine or cosine of what is known from the start."""
        if x.op not in ("sin", "cos") or x.first in self.constants:
            return False
        return all(v < self.program.first_result or v in self.constants for v in self._angle(x.args[0])[1])

    def _angle(self, value: int) -> tuple[int, list[int]]:
        """What an angle is made of: single joints come before sums, and in the order of q."""
        if value not in self.plan.folded:
            return 1, [value]
        leaves = sorted(v for a in self.plan.folded[value].args for v in self._angle(a)[1])
        return len(leaves), leaves

    def _line(self, x: Operation, of_outputs: dict[int, str]) -> Equation:
        return self._system(x, of_outputs) if x.op == SOLVE else self._step(x, of_outputs)

    def _wave(self, x: Operation) -> Equation:
        right = self._right(x)
        wish = self.wished.get(x.first)
        wanted = wish is not None and x.first not in self.program.hints
        tex = self.used.give(wave(x.op, wish)) if wanted and wish else self._symbol(x.first)
        self.symbols[x.first] = symbol(tex, (_WAVE, x.first))
        return Equation(tex, right)

    def _step(self, x: Operation, of_outputs: dict[int, str]) -> Equation:
        right = self._right(x)
        tex = of_outputs.get(x.first) or self._symbol(x.first)
        self.symbols[x.first] = symbol(tex, (_NAMED if x.first in self.program.hints else _PLAIN, x.first))
        return Equation(tex, right)

    def _symbol(self, value: int) -> str:
        wish = self.wished.get(value)
        if wish is None:
            return self.used.next()
        return self.used.give(intermediate(wish) if value in self.program.hints else wave(wish[0].lower(), wish))

    def _right(self, x: Operation) -> tuple[Token, ...]:
        return tuple(self.writer.tokens(self.writer.operation(x)))

    def _system(self, x: Operation, of_outputs: dict[int, str]) -> Equation:
        """x = A⁻¹ b."""
        n, m = self.program.system(x.number)
        cells = [self._text(a) for a in x.args]
        names: list[str] = []
        for value in range(x.first, x.first + x.count):
            hint = self.program.hints.get(value)
            names.append(of_outputs.get(value) or (self.used.give(intermediate(hint)) if hint else self.used.next()))
            self.symbols[value] = symbol(names[-1], (_NAMED, value))
        right = f"{pmatrix(_rows(cells[: n * n], n))}^{{-1}} {pmatrix(_rows(cells[n * n :], m))}"
        return Equation(pmatrix(_rows(names, m)), (Token(right, sum(map(width, cells)) / n + 3 * (n + m)),))

    # ---- outputs ----

    def _result(self, out: Output) -> tuple[str, tuple[Equation, ...]]:
        if len(out.shape) == 2:
            for cell in CELLS:
                found = self._matrix(out, cell)
                if found is not None:
                    return found
        places = self.places[out.name]
        rows: list[Equation] = []
        left_out: list[Equation] = []
        for x, place in zip(output_elements(self.program, out), places, strict=True):
            matrix = len(out.shape) > 1
            if matrix and self.program.constant(x.value) == 0:
                left_out = [Equation(r"\text{all other elements}", (Token("0", 1),))]
            elif not (matrix and x.mirrors == x.index[::-1]) and self._text(x.value) != place:
                rows.append(Equation(place, tuple(self.writer.tokens(self.writer.value(x.value)))))
        if self.program.layout(out.name) == "symmetric":
            head = output_symbol(out)
            rows.append(Equation(f"{head}_{{ji}}", (Token(f"{head}_{{ij}}", 3),)))
        return "", (*rows, *left_out)

    def _matrix(self, out: Output, cell: float) -> tuple[str, tuple[Equation, ...]] | None:
        """The matrix with its short elements in place and equations for the others; None where it does not fit the page."""
        m = out.shape[1]
        places = self.places[out.name]
        cells: list[str] = []
        widths: list[float] = []
        rows: list[Equation] = []
        standing: dict[int, str] = {}
        for value, place in zip(out.values, places, strict=True):
            tokens = self.writer.tokens(self.writer.value(value))
            wide = sum(t.width for t in tokens)
            if wide > cell and value not in standing:
                rows.append(Equation(place, tuple(tokens)))
                standing[value] = place
            text = standing.get(value) or joined(tokens)
            cells.append(text)
            widths.append(width(place) if value in standing else wide)
        total = sum(max(widths[j::m], default=0) + 2 for j in range(m))
        if m > COLUMNS or total + 6 > self.line:
            return None
        head = output_symbol(out)
        bold = rf"\mathbf{{{head}}}" if len(head) == 1 else head
        return f"{bold} = {pmatrix(_rows(cells, m))}", tuple(rows)

    def _text(self, value: int) -> str:
        return joined(self.writer.tokens(self.writer.value(value)))


def _with_angles_inside(plan: Schedule, constants: set[int]) -> Schedule:
    """The same lines, but for sums of inputs that are angles and nothing else: those stay inside their sines and cosines."""
    program = plan.program
    users: dict[int, set[str]] = {v: {"output"} for out in program.outputs for v in out.values}
    for x in live(program):
        for a in x.args:
            users.setdefault(a, set()).add(x.op)
    inside = [
        x
        for x in plan.lines
        if x.first not in program.hints
        and x.first not in constants
        and users.get(x.first, set()) <= {"sin", "cos"}
        and x.op in ("add", "sub", "neg", "mul", "div")
        and all(a < program.first_result or a in constants or a in plan.folded for a in x.args)
    ]
    kept = tuple(x for x in plan.lines if x not in inside)
    return Schedule(program, kept, plan.folded | {x.first: x for x in inside})


def _rows(cells: Sequence[str], m: int) -> list[Sequence[str]]:
    return [cells[k : k + m] for k in range(0, len(cells), m)]


def pmatrix(rows: Sequence[Sequence[str]]) -> str:
    """A matrix in round brackets."""
    inner = r" \\ ".join(" & ".join(row) for row in rows)
    return rf"\begin{{pmatrix}} {inner} \end{{pmatrix}}"


NOTATION = Notation(
    {
        **ARITHMETIC,
        "mul": Rule("{} {}", ARITHMETIC["mul"].level, ARITHMETIC["mul"].needs, 0),
        **{op: Rule(f"{op} {{}}") for op in "sin cos tan asin acos atan sqrt abs sign exp log tanh".split()},
        **{op: Rule(f"{op}({{}}, {{}})") for op in ("atan2", "min", "max", "less")},
        "select": Rule("{} if {}, {} otherwise"),
    },
    lambda value: Text(str(value)),
)
"""What formulas are about as wide as; their text is made elsewhere."""
