"""LLVM IR as text: straight-line arithmetic over vectors of one real type.

A `Body` is the text of one function; a `Block` writes arithmetic into it over `width` lanes of one precision. Values
are the texts that name them (`%7`, or a constant), so an operand may be any text that LLVM accepts there. Nothing runs
over the IR afterwards but code generation: what is written is what is computed. Only `add`, `sub` and `mul` may be
fused, with each other; every other operation is exactly itself.

    body = Body()
    b = Block(body, "double", 8)
    x = b.load("%x")
    b.store(b.add(b.mul(x, x), b.constant(1.0)), "%y")
"""

import math
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

Real = Literal["double", "float"]

SIZES: dict[Real, int] = {"double": 8, "float": 4}
"""Bytes of a real number."""

MANTISSA: dict[Real, int] = {"double": 52, "float": 23}
"""Bits of a real number below its leading one."""

FLOAT_MAX = float(np.finfo(np.float32).max)


def real_text(value: float, real: Real) -> str:
    """The exact spelling of a number: the bits of a double in hexadecimal, for a float too."""
    if real == "float":
        value = float(np.float32(value)) if not abs(value) > FLOAT_MAX else math.copysign(math.inf, value)
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


@dataclass(slots=True)
class Body:
    """The lines of a function, the number of values named in it, and what the module must have besides: the functions
    it calls, as texts of `declarations` and as whole `helpers` by name.

    Arguments and labels of the function must have names, not numbers: numbers are the values', in their order. What
    follows a sine or cosine may stand in another basic block than what came before it.
    """

    lines: list[str] = field(default_factory=list[str])
    count: int = 0
    declarations: set[str] = field(default_factory=set[str])
    helpers: dict[str, str] = field(default_factory=dict[str, str])

    def let(self, text: str) -> str:
        """A new value, the result of the instruction `text`."""
        name = f"%{self.count}"
        self.count += 1
        self.lines.append(f"  {name} = {text}")
        return name

    def do(self, text: str) -> None:
        """An instruction without a result: a store, a branch, a return."""
        self.lines.append(f"  {text}")

    def label(self, name: str) -> None:
        """The start of a basic block."""
        self.lines.append(f"{name}:")


class Block:
    """Arithmetic over `width` lanes of `real` numbers; width 1 means plain scalars.

    `fused` says that the machine multiplies and adds in one instruction; without it `fma` may not be asked for, and
    `multiply_add` rounds twice.
    """

    def __init__(self, body: Body, real: Real, width: int = 1, fused: bool = True) -> None:
        self.body = body
        self.real: Real = real
        self.width = width
        self.fused = fused
        self.bits = 8 * SIZES[real]
        self.type = self._lanes(real)
        """<8 x double>"""
        self.integer = self._lanes(f"i{self.bits}")
        """<8 x i64>: the bits of the lanes."""
        self.mask = self._lanes("i1")
        """<8 x i1>: the result of a comparison."""
        self.suffix = ("f" if width == 1 else f"v{width}f") + str(self.bits)
        """v8f64: how intrinsic functions name the type."""

    def _lanes(self, element: str) -> str:
        return element if self.width == 1 else f"<{self.width} x {element}>"

    def lanes(self, width: int) -> "Block":
        """The same function and precision over another number of lanes."""
        return Block(self.body, self.real, width, self.fused)

    def over(self, real: Real) -> "Block":
        """The same function and number of lanes in another precision."""
        return Block(self.body, real, self.width, self.fused)

    def let(self, text: str) -> str:
        return self.body.let(text)

    # ---- constants ----

    def constant(self, value: float) -> str:
        """The number in every lane."""
        text = real_text(value, self.real)
        return text if self.width == 1 else f"splat ({self.real} {text})"

    def integer_constant(self, value: int) -> str:
        """The integer in every lane."""
        value &= (1 << self.bits) - 1
        value -= (value >> (self.bits - 1)) << self.bits
        return str(value) if self.width == 1 else f"splat (i{self.bits} {value})"

    # ---- arithmetic that may be fused ----

    def add(self, a: str, b: str) -> str:
        return self.let(f"fadd contract {self.type} {a}, {b}")

    def sub(self, a: str, b: str) -> str:
        return self.let(f"fsub contract {self.type} {a}, {b}")

    def mul(self, a: str, b: str) -> str:
        return self.let(f"fmul contract {self.type} {a}, {b}")

    # ---- arithmetic that is rounded as written ----

    def add_exactly(self, a: str, b: str) -> str:
        """a + b, never part of a fused operation."""
        return self.let(f"fadd {self.type} {a}, {b}")

    def sub_exactly(self, a: str, b: str) -> str:
        """a - b, never part of a fused operation."""
        return self.let(f"fsub {self.type} {a}, {b}")

    def mul_exactly(self, a: str, b: str) -> str:
        """a b, never part of a fused operation."""
        return self.let(f"fmul {self.type} {a}, {b}")

    def div(self, a: str, b: str) -> str:
        return self.let(f"fdiv {self.type} {a}, {b}")

    def neg(self, a: str) -> str:
        return self.let(f"fneg {self.type} {a}")

    def fma(self, a: str, b: str, c: str) -> str:
        """a b + c, rounded once."""
        assert self.fused, "this machine has no fused multiply and add"
        return self.intrinsic("fma", a, b, c)

    def multiply_add(self, a: str, b: str, c: str) -> str:
        """a b + c, rounded once where the machine can."""
        return self.fma(a, b, c) if self.fused else self.add_exactly(self.mul_exactly(a, b), c)

    def sqrt(self, a: str) -> str:
        return self.intrinsic("sqrt", a)

    def abs(self, a: str) -> str:
        return self.intrinsic("fabs", a)

    def copysign(self, size: str, sign: str) -> str:
        """The size of the one with the sign of the other."""
        return self.intrinsic("copysign", size, sign)

    def intrinsic(self, name: str, *operands: str) -> str:
        """A function of LLVM's that maps lanes to lanes: `llvm.fma.v8f64`."""
        full = f"@llvm.{name}.{self.suffix}"
        self.body.declarations.add(f"declare {self.type} {full}({', '.join([self.type] * len(operands))})")
        return self.let(f"call {self.type} {full}({', '.join(f'{self.type} {x}' for x in operands)})")

    # ---- choices ----

    def compare(self, relation: str, a: str, b: str) -> str:
        """A mask: `relation` is olt, ole, ogt, oge, oeq, une, uno, … as in `fcmp`."""
        return self.let(f"fcmp {relation} {self.type} {a}, {b}")

    def compare_integers(self, relation: str, a: str, b: str) -> str:
        """A mask: `relation` is eq, ne, slt, sgt, ult, … as in `icmp`."""
        return self.let(f"icmp {relation} {self.integer} {a}, {b}")

    def select(self, mask: str, yes: str, no: str) -> str:
        return self.let(f"select {self.mask} {mask}, {self.type} {yes}, {self.type} {no}")

    def select_integers(self, mask: str, yes: str, no: str) -> str:
        return self.let(f"select {self.mask} {mask}, {self.integer} {yes}, {self.integer} {no}")

    def both(self, a: str, b: str) -> str:
        """The mask where both masks hold."""
        return self.let(f"and {self.mask} {a}, {b}")

    def either(self, a: str, b: str) -> str:
        """The mask where one of the masks holds."""
        return self.let(f"or {self.mask} {a}, {b}")

    def any(self, mask: str) -> str:
        """One bit: whether the mask holds in some lane."""
        if self.width == 1:
            return mask
        bits = self.let(f"bitcast {self.mask} {mask} to i{self.width}")
        return self.let(f"icmp ne i{self.width} {bits}, 0")

    # ---- bits ----

    def bits_of(self, a: str) -> str:
        return self.let(f"bitcast {self.type} {a} to {self.integer}")

    def real_of_bits(self, a: str) -> str:
        return self.let(f"bitcast {self.integer} {a} to {self.type}")

    def integers(self, operation: str, a: str, b: str) -> str:
        """`operation` is add, sub, and, or, xor, shl, lshr, ashr."""
        return self.let(f"{operation} {self.integer} {a}, {b}")

    def to_integer(self, a: str) -> str:
        """The lanes rounded toward zero."""
        return self.let(f"fptosi {self.type} {a} to {self.integer}")

    def to_real(self, a: str) -> str:
        """The real numbers nearest to integers."""
        return self.let(f"sitofp {self.integer} {a} to {self.type}")

    def convert(self, a: str, to: "Block") -> str:
        """The lanes in the precision of another block, rounded to nearest where it is the lower one."""
        if to.real == self.real:
            return a
        return self.let(f"{'fptrunc' if to.real == 'float' else 'fpext'} {self.type} {a} to {to.type}")

    # ---- lanes and memory ----

    def splat(self, scalar: str) -> str:
        """A scalar value in every lane."""
        if self.width == 1:
            return scalar
        one = self.let(f"insertelement {self.type} poison, {self.real} {scalar}, i64 0")
        return self.let(f"shufflevector {self.type} {one}, {self.type} poison, <{self.width} x i32> zeroinitializer")

    def gather(self, scalars: Sequence[str]) -> str:
        """A vector of scalars, one a lane."""
        return self._gather(scalars, self.type, self.real)

    def gather_integers(self, scalars: Sequence[str]) -> str:
        """A vector of integers, one a lane."""
        return self._gather(scalars, self.integer, f"i{self.bits}")

    def _gather(self, scalars: Sequence[str], vector_type: str, scalar_type: str) -> str:
        if self.width == 1:
            return scalars[0]
        vector = "poison"
        for lane, scalar in enumerate(scalars):
            vector = self.let(f"insertelement {vector_type} {vector}, {scalar_type} {scalar}, i64 {lane}")
        return vector

    def lane(self, a: str, lane: int) -> str:
        """The scalar in one lane."""
        return a if self.width == 1 else self.let(f"extractelement {self.type} {a}, i64 {lane}")

    def load(self, pointer: str) -> str:
        """The lanes from consecutive numbers in memory."""
        return self.let(f"load {self.type}, ptr {pointer}, align {SIZES[self.real]}")

    def store(self, a: str, pointer: str) -> None:
        """The lanes to consecutive numbers in memory."""
        self.body.do(f"store {self.type} {a}, ptr {pointer}, align {SIZES[self.real]}")
