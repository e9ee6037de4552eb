"""Functions of the compiler, run over arrays: a loop over vectors around what they emit."""

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from llvmlite import binding as llvm

from armillary.runtime.functions import emit, sin_cos
from armillary.runtime.host import host
from armillary.runtime.ir import SIZES, Block, Body, Real
from armillary.runtime.jit import load, object_code

DTYPE: dict[Real, type] = {"double": np.float64, "float": np.float32}
ARITY = {"atan2": 2, "min": 2, "max": 2, "less": 2, "select": 3}

Write = Callable[[Block, list[str]], list[str]]


@dataclass(frozen=True)
class Op:
    """Operations of one argument list, `sin cos` for both at once."""

    name: str

    @property
    def arity(self) -> int:
        return ARITY.get(self.name, 1)

    @property
    def results(self) -> list[str]:
        return self.name.split()

    def __call__(self, b: Block, args: list[str]) -> list[str]:
        if self.results[0] in ("sin", "cos"):
            made = sin_cos(b, args[0], frozenset(self.results))
            return [made[name] for name in self.results]
        return [emit(b, self.name, args)]


def module(op: Op, real: Real, width: int, fused: bool) -> str:
    """`void run(ptr a, …, ptr y, …, i64 n)` over n vectors of consecutive numbers."""
    body = Body()
    b = Block(body, real, width, fused)
    arrays = [f"%a{k}" for k in range(op.arity)] + [f"%y{k}" for k in range(len(op.results))]
    body.label("entry")
    body.do("br label %loop")
    body.label("loop")
    body.do("%i = phi i64 [ 0, %entry ], [ %next, %latch ]")
    body.do(f"%o = mul i64 %i, {SIZES[real] * width}")
    places = [body.let(f"getelementptr i8, ptr {a}, i64 %o") for a in arrays]
    results = op(b, [b.load(p) for p in places[: op.arity]])
    for value, place in zip(results, places[op.arity :], strict=True):
        b.store(value, place)
    body.do("br label %latch")
    body.label("latch")
    body.do("%next = add i64 %i, 1")
    body.do("%more = icmp ult i64 %next, %n")
    body.do("br i1 %more, label %loop, label %end")
    body.label("end")
    body.do("ret void")
    given = ", ".join([f"ptr {a}" for a in arrays] + ["i64 %n"])
    lines = "\n".join(body.lines)
    name = symbol(op, real, width, fused)
    parts = [*sorted(body.declarations), *body.helpers.values(), f"define void @{name}({given}) {{\n{lines}\n}}"]
    return "\n".join(parts)


def symbol(op: Op, real: Real, width: int, fused: bool) -> str:
    return f"run_{op.name.replace(' ', '_')}_{real}_{width}_{int(fused)}"


def compiled(
    name: str, real: Real, width: int | None = None, fused: bool | None = None, features: str | None = None
) -> Callable[..., list[np.ndarray]]:
    """The operations `name` over arrays, for this machine or for its kind with other `features`."""
    op = Op(name)
    width = host().width(real) if width is None else width
    fused = host().fused if fused is None else fused
    text = module(op, real, width, fused)
    code = object_code(text, 1) if features is None else _object_code_for(features, text)
    loaded = load([code], [symbol(op, real, width, fused)])
    kinds = [ctypes.c_void_p] * (op.arity + len(op.results)) + [ctypes.c_int64]
    run = ctypes.CFUNCTYPE(None, *kinds)(loaded[symbol(op, real, width, fused)])

    def call(*arrays: Sequence[float] | np.ndarray) -> list[np.ndarray]:
        _ = loaded
        given = np.broadcast_arrays(*(np.asarray(a, dtype=DTYPE[real]) for a in arrays))
        count = given[0].size
        vectors = -(-count // width)
        padded = [np.ones(vectors * width, DTYPE[real]) for _ in given]
        for p, a in zip(padded, given, strict=True):
            p[:count] = a.ravel()
        results = [np.full(vectors * width, np.nan, DTYPE[real]) for _ in op.results]
        run(*(a.ctypes.data for a in [*padded, *results]), vectors)
        return [r[:count].reshape(given[0].shape) for r in results]

    return call


def _object_code_for(features: str, text: str) -> bytes:
    host()
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu="x86-64", features=features, opt=1, reloc="pic", codemodel="small", jit=True
    )
    return bytes(machine.emit_object(llvm.parse_assembly(text)))
