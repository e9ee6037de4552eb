"""From a Task to LLVM IR: a function for every segment, and one that runs them over a few frames.

    void NAME(ptr frames, i64 count, ptr given)

`frames` are `count` frames one after another; `given` are the values that are the same for all of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from armillary.program.program import Program
from armillary.runtime import functions
from armillary.runtime.host import Host
from armillary.runtime.ir import SIZES, Block, Body, Real
from armillary.runtime.order import Statement, Unit
from armillary.runtime.solve import solve
from armillary.runtime.task import Task


@dataclass
class Module:
    """The functions of a module, and all that they call."""

    declarations: set[str] = field(default_factory=set[str])
    helpers: dict[str, str] = field(default_factory=dict[str, str])
    functions: list[str] = field(default_factory=list[str])

    def add(self, head: str, body: Body) -> None:
        """A function: its first line, and what it does."""
        self.functions.append("\n".join([f"{head} {{", "entry:", *body.lines, "}", ""]))
        self.declarations |= body.declarations
        self.helpers |= body.helpers

    @property
    def text(self) -> str:
        return "\n".join([*sorted(self.declarations), *self.helpers.values(), *self.functions])


def lower(module: Module, task: Task, name: str, real: Real, width: int, host: Host) -> None:
    """Add the functions of a Task to a module."""
    size = SIZES[real] * width
    for k, segment in enumerate(task.segments):
        body = Body()
        b = Block(body, real, width, host.fused)
        last = k == len(task.segments) - 1
        _Segment(task, b).write(segment, last)
        body.do("ret void")
        module.add(f"define internal void @{name}_{k}(ptr noalias %frame, ptr noalias %given) nounwind", body)
    module.functions.append(_runner(name, len(task.segments), task.frame_size * size))


def _runner(name: str, segments: int, frame_bytes: int) -> str:
    """Each segment over all frames before the next: its instructions are fetched once."""
    lines = [f"define void @{name}(ptr %frames, i64 %count, ptr %given) nounwind {{", "start:"]
    before = "start"
    for k in range(segments):
        lines += [
            f"  br label %loop{k}",
            f"loop{k}:",
            f"  %k{k} = phi i64 [ 0, %{before} ], [ %n{k}, %loop{k} ]",
            f"  %o{k} = mul i64 %k{k}, {frame_bytes}",
            f"  %f{k} = getelementptr i8, ptr %frames, i64 %o{k}",
            f"  call void @{name}_{k}(ptr %f{k}, ptr %given)",
            f"  %n{k} = add i64 %k{k}, 1",
            f"  %m{k} = icmp ult i64 %n{k}, %count",
            f"  br i1 %m{k}, label %loop{k}, label %end{k}",
            f"end{k}:",
        ]
        before = f"end{k}"
    return "\n".join([*lines, "  ret void", "}", ""])


class _Segment:
    """Writes one segment; knows which values have a name in it."""

    def __init__(self, task: Task, block: Block) -> None:
        self.task = task
        self.b = block
        self.program: Program = task.program
        self.names: dict[int, str] = {}
        self.given = {v: k for k, v in enumerate(task.given)}

    def write(self, units: Sequence[Unit], last: bool) -> None:
        for unit in units:
            for x, names in self.unit(unit):
                for v, name in zip(range(x.first, x.first + x.count), names, strict=True):
                    self.names[v] = name
                    self.keep(v, name)
        if last:
            self.outputs_not_made()

    def unit(self, unit: Unit) -> list[tuple[Statement, Sequence[str]]]:
        x = unit[0]
        args = [self.read(a) for a in x.args]
        match x.op:
            case "sin" | "cos":
                made = functions.sin_cos(self.b, args[0], frozenset(y.op for y in unit))
                return [(y, [made[y.op]]) for y in unit]
            case "solve":
                return [(x, solve(self.b, *self.program.system(x.number), args))]
            case "add":
                return [(x, [self.b.add(*args)])]
            case "sub":
                return [(x, [self.b.sub(*args)])]
            case "mul":
                return [(x, [self.b.mul(*args)])]
            case "div":
                return [(x, [self.b.div(*args)])]
            case "neg":
                return [(x, [self.b.neg(*args)])]
            case _:
                return [(x, [functions.emit(self.b, x.op, args)])]

    # ---- values ----

    def read(self, v: int) -> str:
        """A value by name, loaded from memory if it was not made here."""
        constant = self.program.constant(v)
        if constant is not None:
            return self.b.constant(float(constant))
        if v not in self.names:
            self.names[v] = self.load(v)
        return self.names[v]

    def load(self, v: int) -> str:
        b = self.b
        if v in self.given:
            number = b.let(f"load {b.real}, ptr {self.place('%given', self.given[v] * SIZES[b.real])}")
            return b.splat(number)
        return b.load(self.place("%frame", self.task.slots[v] * SIZES[b.real] * b.width))

    def keep(self, v: int, name: str) -> None:
        """Store a value that was just made wherever it is needed later."""
        places = self.task.output_slots.get(v)
        if places is None and v in self.task.slots:
            places = [self.task.slots[v]]
        for slot in places or ():
            self.b.store(name, self.place("%frame", slot * SIZES[self.b.real] * self.b.width))

    def outputs_not_made(self) -> None:
        """Outputs that are inputs, constants or given values."""
        made = self.program.first_result
        given = self.given
        for v in self.task.output_slots:
            if v < made or v in given:
                self.keep(v, self.read(v))

    def place(self, base: str, offset: int) -> str:
        return self.b.let(f"getelementptr i8, ptr {base}, i64 {offset}") if offset else base
