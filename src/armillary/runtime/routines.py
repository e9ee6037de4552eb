"""A Routine in LLVM IR: one state at a time, statement by statement as `routine.interpret` has them.

    void run(ptr frames, i64 count, ptr given)

A frame holds the states, the outputs, the number of the status, the parameters (copied from `given`), the locals, and
then the memory of whatever is called: a Routine calls one thing at a time, so all that it calls share their place.
"""

from __future__ import annotations

from armillary.program.program import Input, Program
from armillary.routine.routine import (
    Assign,
    Call,
    If,
    Operand,
    Place,
    Repeat,
    Return,
    Routine,
    Statement,
    Variable,
    While,
)
from armillary.runtime.host import Host
from armillary.runtime.ir import SIZES, Block, Body, Real
from armillary.runtime.lower import Module, lower
from armillary.runtime.signature import Signature
from armillary.runtime.task import whole

STATUS = Variable("status", doc="how the run ended")


def signature(routine: Routine) -> Signature:
    """The states, the parameters, and the outputs with the number of the status after them."""
    states = [x for x in routine.inputs if x.role == "state"]
    parameters = [x for x in routine.inputs if x.role == "parameter"]
    return Signature(routine.name, states, parameters, (*routine.outputs, STATUS), _work(routine.body))


def lower_routine(routine: Routine, real: Real, host: Host) -> tuple[Module, int]:
    """(the module with `run`, numbers in a frame)."""
    module = Module()
    sizes: dict[str, int] = {}
    layouts: dict[str, _Layout] = {}
    for callee in (*routine.callees, routine):
        if isinstance(callee, Program):
            task = whole(callee)
            lower(module, task, f"program_{callee.name}", real, 1, host)
            sizes[callee.name] = task.frame_size
        else:
            layouts[callee.name] = layout = _Layout(callee, sizes)
            _Writer(callee, layouts, Block(Body(), real, 1, host.fused)).write(module)
            sizes[callee.name] = layout.size
    module.functions.append(_run(layouts[routine.name], real))
    return module, sizes[routine.name]


class _Layout:
    """Where the variables of a Routine stand in its memory, in numbers from its start."""

    def __init__(self, routine: Routine, sizes: dict[str, int]) -> None:
        self.routine = routine
        self.states = [x for x in routine.inputs if x.role == "state"]
        self.parameters = [x for x in routine.inputs if x.role == "parameter"]
        self.at: dict[str, int] = {}
        self.size = 0
        self.add(*self.states, *routine.outputs)
        self.status = self.size
        self.size += 1
        self.given = self.size
        self.add(*self.parameters, *routine.locals)
        self.scratch = self.size
        self.size += max((sizes[callee.name] for callee in routine.callees), default=0)

    def add(self, *variables: Input | Variable) -> None:
        for x in variables:
            self.at[x.name] = self.size
            self.size += x.size


class _Writer:
    """Writes i64 routine_NAME(ptr memory), which returns the number of the status."""

    def __init__(self, routine: Routine, layouts: dict[str, _Layout], block: Block) -> None:
        self.routine = routine
        self.layouts = layouts
        self.layout = layouts[routine.name]
        self.b = block
        self.body = block.body
        self.size = SIZES[block.real]
        self.counters: dict[str, str] = {}
        self.labels = 0
        self.memory: list[str] = []

    def write(self, module: Module) -> None:
        self.block(self.routine.body)
        self.body.lines[:0] = self.memory
        module.add(f"define internal i64 @routine_{self.routine.name}(ptr %memory) nounwind", self.body)

    def label(self, name: str) -> str:
        self.labels += 1
        return f"{name}{self.labels}"

    def counter(self) -> str:
        """Memory for the counter of a loop, taken once a run."""
        name = f"%counter{len(self.memory)}"
        self.memory.append(f"  {name} = alloca i64")
        return name

    # ---- statements ----

    def block(self, body: tuple[Statement, ...]) -> bool:
        """Whether every path through the statements returns."""
        returned = [self.statement(x) for x in body]
        return any(returned)

    def statement(self, statement: Statement) -> bool:
        match statement:
            case Call():
                self.call(statement)
            case Assign(target, value):
                self.move(self.place(target), value, self.elements(target))
            case If(condition, then, otherwise):
                return self.choice(condition, then, otherwise)
            case Repeat(times, body, counter):
                self.loop(None, times, body, counter)
            case While(condition, most, body, counter):
                self.loop(condition, most, body, counter)
            case Return(status):
                self.body.do(f"ret i64 {self.routine.code(status)}")
                return True
        return False

    def choice(self, condition: Place, then: tuple[Statement, ...], otherwise: tuple[Statement, ...]) -> bool:
        yes, no, end = self.label("then"), self.label("else"), self.label("end")
        self.body.do(f"br i1 {self.holds(condition)}, label %{yes}, label %{no}")
        returns: list[bool] = []
        for label, body in ((yes, then), (no, otherwise)):
            self.body.label(label)
            returns.append(self.block(body))
            if not returns[-1]:
                self.body.do(f"br label %{end}")
        if not all(returns):
            self.body.label(end)
        return all(returns)

    def loop(self, condition: Place | None, most: int, body: tuple[Statement, ...], counter: str) -> None:
        do, let = self.body.do, self.body.let
        head, go, inner, end = (self.label(x) for x in ("head", "go", "inner", "end"))
        memory = self.counter()
        do(f"store i64 0, ptr {memory}")
        do(f"br label %{head}")
        self.body.label(head)
        k = let(f"load i64, ptr {memory}")
        do(f"br i1 {let(f'icmp ult i64 {k}, {most}')}, label %{go}, label %{end}")
        self.body.label(go)
        if condition is None:
            do(f"br label %{inner}")
        else:
            do(f"br i1 {self.holds(condition)}, label %{inner}, label %{end}")
        self.body.label(inner)
        if counter:
            self.counters[counter] = k
        if not self.block(body):
            do(f"store i64 {let(f'add i64 {k}, 1')}, ptr {memory}")
            do(f"br label %{head}")
        self.body.label(end)
        self.counters.pop(counter, None)

    def call(self, statement: Call) -> None:
        callee = statement.callee
        base = self.offset("%memory", self.layout.scratch)
        outputs: list[int] = []
        if isinstance(callee, Program):
            at = 0
            for x, argument in zip(callee.inputs, statement.arguments, strict=True):
                self.move(self.offset(base, at), argument, x.size)
                at += x.size
            self.body.do(f"call void @program_{callee.name}(ptr {base}, i64 1, ptr null)")
            for x in callee.outputs:
                outputs.append(at)
                at += x.size
        else:
            inner = self.layouts[callee.name]
            for x, argument in zip(callee.inputs, statement.arguments, strict=True):
                self.move(self.offset(base, inner.at[x.name]), argument, x.size)
            code = self.body.let(f"call i64 @routine_{callee.name}(ptr {base})")
            outputs += [inner.at[x.name] for x in callee.outputs]
            if statement.status is not None:
                number = self.body.let(f"uitofp i64 {code} to {self.b.real}")
                self.body.do(f"store {self.b.real} {number}, ptr {self.place(statement.status)}")
        for place, x, at in zip(statement.results, callee.outputs, outputs, strict=True):
            if place is not None:
                self.copy(self.place(place), self.offset(base, at), x.size)

    # ---- values ----

    def holds(self, condition: Place) -> str:
        if condition.name in self.counters and condition.offset is None:
            return self.body.let(f"icmp ugt i64 {self.counters[condition.name]}, 0")
        return self.b.compare("ogt", self.b.load(self.place(condition)), self.b.constant(0.0))

    def move(self, target: str, value: Operand, elements: int) -> None:
        """A variable, a counter or a number to `elements` places."""
        if not isinstance(value, Place):
            self.fill(target, self.b.constant(value), elements)
        elif value.name in self.counters and value.offset is None:
            number = self.body.let(f"uitofp i64 {self.counters[value.name]} to {self.b.real}")
            self.fill(target, number, elements)
        else:
            self.copy(target, self.place(value), elements)

    def copy(self, target: str, source: str, elements: int) -> None:
        self.body.declarations.add("declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)")
        arguments = f"ptr {target}, ptr {source}, i64 {elements * self.size}, i1 false"
        self.body.do(f"call void @llvm.memmove.p0.p0.i64({arguments})")

    def fill(self, target: str, number: str, elements: int) -> None:
        if elements == 1:
            self.b.store(number, target)
            return
        do, let = self.body.do, self.body.let
        memory = self.counter()
        head, inner, end = (self.label(x) for x in ("fill", "filling", "filled"))
        do(f"store i64 0, ptr {memory}")
        do(f"br label %{head}")
        self.body.label(head)
        k = let(f"load i64, ptr {memory}")
        do(f"br i1 {let(f'icmp ult i64 {k}, {elements}')}, label %{inner}, label %{end}")
        self.body.label(inner)
        self.b.store(number, let(f"getelementptr {self.b.real}, ptr {target}, i64 {k}"))
        do(f"store i64 {let(f'add i64 {k}, 1')}, ptr {memory}")
        do(f"br label %{head}")
        self.body.label(end)

    # ---- places ----

    def elements(self, place: Place) -> int:
        """Numbers in a variable, or in a row of it."""
        total = 1
        for n in self.routine.shapes[place.name][0 if place.offset is None else 1 :]:
            total *= n
        return total

    def place(self, place: Place) -> str:
        start = self.layout.at[place.name]
        if place.offset is None:
            return self.offset("%memory", start)
        row = self.elements(place)
        at = self.offset("%memory", start + place.offset * row)
        if not place.counter:
            return at
        steps = self.body.let(f"mul i64 {self.counters[place.counter]}, {row * self.size}")
        return self.body.let(f"getelementptr i8, ptr {at}, i64 {steps}")

    def offset(self, base: str, numbers: int) -> str:
        return self.body.let(f"getelementptr i8, ptr {base}, i64 {numbers * self.size}")


def _run(layout: _Layout, real: Real) -> str:
    """`run` over some frames."""
    size = SIZES[real]
    given = sum(x.size for x in layout.parameters) * size
    return f"""\
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define void @run(ptr %frames, i64 %count, ptr %given) nounwind {{
start:
  br label %loop
loop:
  %k = phi i64 [ 0, %start ], [ %next, %loop ]
  %offset = mul i64 %k, {layout.size * size}
  %frame = getelementptr i8, ptr %frames, i64 %offset
  %parameters = getelementptr i8, ptr %frame, i64 {layout.given * size}
  call void @llvm.memcpy.p0.p0.i64(ptr %parameters, ptr %given, i64 {given}, i1 false)
  %code = call i64 @routine_{layout.routine.name}(ptr %frame)
  %status = getelementptr i8, ptr %frame, i64 {layout.status * size}
  %number = uitofp i64 %code to {real}
  store {real} %number, ptr %status
  %next = add i64 %k, 1
  %more = icmp ult i64 %next, %count
  br i1 %more, label %loop, label %end
end:
  ret void
}}
"""


def _work(body: tuple[Statement, ...]) -> int:
    """About how many operations a run takes, loops with all their passes."""
    total = 0
    for x in body:
        match x:
            case Call(callee):
                total += len(callee.ops) + callee.n_inputs if isinstance(callee, Program) else _work(callee.body)
            case Repeat(times, inner):
                total += times * _work(inner)
            case While(_, most, inner):
                total += most * _work(inner)
            case If(_, then, otherwise):
                total += max(_work(then), _work(otherwise))
            case _:
                total += 1
    return total
