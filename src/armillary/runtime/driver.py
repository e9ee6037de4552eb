"""The machine code around a Task: from the rows of NumPy arrays into frames, run, and back.

One state is a row, a vector of states a frame, in which element k of an array is a vector of `width` lanes. Rows are
read lane by lane (never with gather instructions), two neighbouring elements at a time where they are neighbours in
memory; columns that are contiguous are read as vectors. Where fewer rows are left than a vector has lanes, the last row
fills the other lanes too: what they compute is stored over and over to the same place, so that no row is read or written
that is not the caller's, and a result may overwrite the very row that it was computed from.

    i64 drive(ptr plan, ptr arrays, i64 begin, i64 end)

computes the rows begin … end - 1. `arrays` holds three integers for every input and then every output: address, bytes
from row to row, bytes from element to element. `plan` is the Function's (`plan.py`). It returns 1 if memory ran out.
"""

from armillary.runtime.ir import SIZES, Block, Body, Real
from armillary.runtime.plan import HEAD, RECORD, Field

STACK = 1 << 15
"""Bytes of frames that lie on the stack; more comes from the heap."""


def driver(real: Real, width: int) -> str:
    """The functions `pack`, `unpack` and `drive`."""
    return "\n".join((_pack(real, width), _unpack(real, width), _drive(real, width)))


def _pack(real: Real, width: int) -> str:
    """The elements of up to `width` rows into a frame."""
    r = _Rows(real, width, "pack")
    b = r.b
    r.choose()

    r.begin("one")
    r.store_vector(b.splat(r.b.let(f"load {real}, ptr {r.element('%base')}, align {r.size}")), 0)
    r.end("one", 1)

    if width == 1:
        return r.text()
    r.begin("column")
    r.store_vector(b.load(r.element("%base")), 0)
    r.end("column", 1)

    r.lanes()
    r.begin("pair")
    for k, vector in enumerate(r.load_pairs()):
        r.store_vector(vector, k)
    r.end("pair", 2, "single")

    r.begin("single", "pair")
    r.store_vector(
        b.gather([b.let(f"load {real}, ptr {r.element(f'%lane{l}')}, align {r.size}") for l in range(width)]), 0
    )
    r.end("single", 1)
    return r.text()


def _unpack(real: Real, width: int) -> str:
    """The elements of up to `width` rows out of a frame."""
    r = _Rows(real, width, "unpack")
    b = r.b
    r.choose()

    r.begin("one")
    number = b.let(f"load {real}, ptr %one_frame, align {r.size}")
    b.body.do(f"store {real} {number}, ptr {r.element('%base')}, align {r.size}")
    r.end("one", 1)

    if width == 1:
        return r.text()
    r.begin("column")
    b.store(r.load_vector(0), r.element("%base"))
    r.end("column", 1)

    r.lanes()
    r.begin("pair")
    r.store_pairs(r.load_vector(0), r.load_vector(1))
    r.end("pair", 2, "single")

    r.begin("single", "pair")
    vector = r.load_vector(0)
    for l in range(width):
        b.body.do(f"store {real} {b.lane(vector, l)}, ptr {r.element(f'%lane{l}')}, align {r.size}")
    r.end("single", 1)
    return r.text()


class _Rows:
    """A function (base, row, step, n, rows, frame) with a loop over n elements for each layout of memory."""

    def __init__(self, real: Real, width: int, name: str) -> None:
        self.real: Real = real
        self.width = width
        self.name = name
        self.size = SIZES[real]
        self.body = Body()
        self.b = Block(self.body, real, width)
        self.loop = ""

    def text(self) -> str:
        head = (
            f"define internal void @{self.name}(ptr %base, i64 %row, i64 %step, i64 %n, i64 %rows, ptr %frame) nounwind"
        )
        return "\n".join([f"{head} {{", *self.body.lines, "done:", "  ret void", "}", ""])

    def choose(self) -> None:
        """Which loop is right for this array."""
        do, let = self.body.do, self.body.let
        self.body.label("start")
        do(f"br i1 {let('icmp eq i64 %n, 0')}, label %done, label %some")
        self.body.label("some")
        one = let("icmp eq i64 %rows, 1")
        if self.name == "pack":
            one = let(f"or i1 {one}, {let('icmp eq i64 %row, 0')}")
        if self.width == 1:
            do("br label %one")
            return
        do(f"br i1 {one}, label %one, label %several")
        self.body.label("several")
        full = let(f"icmp eq i64 %rows, {self.width}")
        dense = let(f"icmp eq i64 %row, {self.size}")
        do(f"br i1 {let(f'and i1 {full}, {dense}')}, label %column, label %lanes")

    def lanes(self) -> None:
        """The address of the row in each lane: the last one in those beyond it."""
        do, let = self.body.do, self.body.let
        self.body.label("lanes")
        last = let("sub i64 %rows, 1")
        for l in range(self.width):
            lane = let(f"call i64 @llvm.umin.i64(i64 {l}, i64 {last})")
            do(f"%lane{l} = getelementptr i8, ptr %base, i64 {let(f'mul i64 {lane}, %row')}")
        neighbours = let(f"icmp eq i64 %step, {self.size}")
        two = let("icmp ugt i64 %n, 1")
        do(f"br i1 {let(f'and i1 {neighbours}, {two}')}, label %pair, label %single")

    def begin(self, loop: str, before: str = "") -> None:
        """A loop over the elements, from the first or from where the loop `before` ended."""
        self.loop = loop
        body = self.body
        body.label(loop)
        start: dict[str, str] = {"k": "0", "at": "0", "frame": "%frame"}
        if before:
            for name, first in start.items():
                kind = "ptr" if name == "frame" else "i64"
                body.do(f"%{loop}_{name}_0 = phi {kind} [ {first}, %lanes ], [ %{before}_{name}_next, %{before}_end ]")
                start[name] = f"%{loop}_{name}_0"
        body.do(f"br label %{loop}_loop")
        body.label(f"{loop}_loop")
        for name, first in start.items():
            kind = "ptr" if name == "frame" else "i64"
            body.do(f"%{loop}_{name} = phi {kind} [ {first}, %{loop} ], [ %{loop}_{name}_next, %{loop}_loop ]")

    def end(self, loop: str, elements: int, rest: str = "") -> None:
        """`elements` were done; go on while there are as many, then to `rest` if there is one left."""
        do, let = self.body.do, self.body.let
        do(f"%{loop}_k_next = add i64 %{loop}_k, {elements}")
        stride = "%step" if elements == 1 else str(elements * self.size)
        do(f"%{loop}_at_next = add i64 %{loop}_at, {stride}")
        do(f"%{loop}_frame_next = getelementptr i8, ptr %{loop}_frame, i64 {elements * self.size * self.width}")
        do(f"%{loop}_left = sub i64 %n, %{loop}_k_next")
        again = let(f"icmp uge i64 %{loop}_left, {elements}")
        do(f"br i1 {again}, label %{loop}_loop, label %{f'{loop}_end' if rest else 'done'}")
        if rest:
            self.body.label(f"{loop}_end")
            do(f"br i1 {let(f'icmp eq i64 %{loop}_left, 0')}, label %done, label %{rest}")

    # ---- inside a loop ----

    def element(self, row: str) -> str:
        """Where the current element of the row that starts at `row` stands."""
        return self.body.let(f"getelementptr i8, ptr {row}, i64 %{self.loop}_at")

    def vector(self, k: int) -> str:
        """Where the k-th vector from the current one stands in the frame."""
        frame = f"%{self.loop}_frame"
        return self.body.let(f"getelementptr i8, ptr {frame}, i64 {k * self.size * self.width}") if k else frame

    def load_vector(self, k: int) -> str:
        return self.b.load(self.vector(k))

    def store_vector(self, value: str, k: int) -> None:
        self.b.store(value, self.vector(k))

    def load_pairs(self) -> tuple[str, str]:
        """Two elements of every lane: pairs of even lanes side by side, those of odd lanes likewise, then exchanged."""
        pair, let = self.b.lanes(2), self.body.let
        pairs = [pair.load(self.element(f"%lane{l}")) for l in range(self.width)]
        even, odd = self._joined(pairs[0::2]), self._joined(pairs[1::2])
        return tuple(
            let(f"shufflevector {self.b.type} {even}, {self.b.type} {odd}, {_mask(self._exchange(k))}") for k in (0, 1)
        )  # type: ignore[return-value]

    def store_pairs(self, first: str, second: str) -> None:
        """Two vectors to neighbouring elements of every lane."""
        pair, let, t = self.b.lanes(2), self.body.let, self.b.type
        for parity in (0, 1):
            mixed = let(f"shufflevector {t} {first}, {t} {second}, {_mask(self._exchange(parity))}")
            for l in range(parity, self.width, 2):
                two = let(f"shufflevector {t} {mixed}, {t} poison, {_mask([l - parity, l - parity + 1])}")
                pair.store(two, self.element(f"%lane{l}"))

    def _exchange(self, k: int) -> list[int]:
        """[k, W + k, k + 2, W + k + 2, …]"""
        return [l // 2 * 2 + k + self.width * (l % 2) for l in range(self.width)]

    def _joined(self, vectors: list[str]) -> str:
        """One vector of several, end to end."""
        width = 2
        while len(vectors) > 1:
            t = self.b.lanes(width).type
            vectors = [
                self.body.let(f"shufflevector {t} {u}, {t} {v}, {_mask(list(range(2 * width)))}")
                for u, v in zip(vectors[0::2], vectors[1::2], strict=True)
            ]
            width *= 2
        return vectors[0]


def _mask(lanes: list[int]) -> str:
    return f"<{len(lanes)} x i32> <{', '.join(f'i32 {l}' for l in lanes)}>"


def _drive(real: Real, width: int) -> str:
    vector = SIZES[real] * width
    return f"""\
declare i64 @llvm.umin.i64(i64, i64)

define internal i64 @vectors(i64 %rows) nounwind {{
start:
  %up = add i64 %rows, {width - 1}
  %n = udiv i64 %up, {width}
  ret i64 %n
}}

{_over_arrays("pack", vector, "n_inputs", outputs=False)}
{_over_arrays("unpack", vector, "n_outputs", outputs=True)}
define i64 @drive(ptr %plan, ptr %arrays, i64 %begin, i64 %end) nounwind {{
start:
  %local = alloca [{STACK} x i8], align 64
{Field.RUN.load("run", "ptr")}
{Field.FRAME_BYTES.load("frame_bytes")}
{Field.FRAMES.load("most")}
{Field.GIVEN.load("given", "ptr")}
{Field.RAW_MALLOC.load("malloc", "ptr")}
{Field.RAW_FREE.load("free", "ptr")}
  %all = sub i64 %end, %begin
  %all_vectors = call i64 @vectors(i64 %all)
  %count = call i64 @llvm.umin.i64(i64 %most, i64 %all_vectors)
  %needed = mul i64 %count, %frame_bytes
  %small = icmp ule i64 %needed, {STACK}
  br i1 %small, label %ready, label %large
large:
  %asked = add i64 %needed, 64
  %raw = call ptr %malloc(i64 %asked)
  %none = icmp eq ptr %raw, null
  br i1 %none, label %fail, label %align
fail:
  ret i64 1
align:
  %bits = ptrtoint ptr %raw to i64
  %over = add i64 %bits, 63
  %aligned = and i64 %over, -64
  %heap = inttoptr i64 %aligned to ptr
  br label %ready
ready:
  %frames = phi ptr [ %local, %start ], [ %heap, %align ]
  %owned = phi ptr [ null, %start ], [ %raw, %align ]
  br label %block
block:
  %row = phi i64 [ %begin, %ready ], [ %next, %block_end ]
  %left = sub i64 %end, %row
  %left_vectors = call i64 @vectors(i64 %left)
  %m = call i64 @llvm.umin.i64(i64 %count, i64 %left_vectors)
  br label %in
in:
  %i = phi i64 [ 0, %block ], [ %i_next, %in ]
  %i_rows = mul i64 %i, {width}
  %i_row = add i64 %row, %i_rows
  %i_left = sub i64 %end, %i_row
  %i_lanes = call i64 @llvm.umin.i64(i64 {width}, i64 %i_left)
  %i_offset = mul i64 %i, %frame_bytes
  %i_frame = getelementptr i8, ptr %frames, i64 %i_offset
  call void @pack_all(ptr %plan, ptr %arrays, i64 %i_row, i64 %i_lanes, ptr %i_frame)
  %i_next = add i64 %i, 1
  %i_more = icmp ult i64 %i_next, %m
  br i1 %i_more, label %in, label %compute
compute:
  call void %run(ptr %frames, i64 %m, ptr %given)
  br label %out
out:
  %o = phi i64 [ 0, %compute ], [ %o_next, %out ]
  %o_rows = mul i64 %o, {width}
  %o_row = add i64 %row, %o_rows
  %o_left = sub i64 %end, %o_row
  %o_lanes = call i64 @llvm.umin.i64(i64 {width}, i64 %o_left)
  %o_offset = mul i64 %o, %frame_bytes
  %o_frame = getelementptr i8, ptr %frames, i64 %o_offset
  call void @unpack_all(ptr %plan, ptr %arrays, i64 %o_row, i64 %o_lanes, ptr %o_frame)
  %o_next = add i64 %o, 1
  %o_more = icmp ult i64 %o_next, %m
  br i1 %o_more, label %out, label %block_end
block_end:
  %done_rows = mul i64 %m, {width}
  %next = add i64 %row, %done_rows
  %more = icmp slt i64 %next, %end
  br i1 %more, label %block, label %finish
finish:
  %heaped = icmp ne ptr %owned, null
  br i1 %heaped, label %release, label %done
release:
  call void %free(ptr %owned)
  br label %done
done:
  ret i64 0
}}
"""


def _over_arrays(name: str, vector: int, count: str, outputs: bool) -> str:
    """`name` for every input, or every output, of one frame."""
    first = "%n_inputs" if outputs else "0"
    frame = "%outputs" if outputs else "%frame"
    return f"""\
define internal void @{name}_all(ptr %plan, ptr %arrays, i64 %row, i64 %rows, ptr %frame) nounwind {{
start:
{Field.N_INPUTS.load("n_inputs")}
{Field.N_OUTPUTS.load("n_outputs")}
{Field.INPUT_SIZE.load("input_size")}
  %input_bytes = mul i64 %input_size, {vector}
  %outputs = getelementptr i8, ptr %frame, i64 %input_bytes
  %array0 = getelementptr [3 x i64], ptr %arrays, i64 {first}
  %records = getelementptr i64, ptr %plan, i64 {HEAD}
  %record0 = getelementptr [{RECORD} x i64], ptr %records, i64 {first}
  %some = icmp ne i64 %{count}, 0
  br i1 %some, label %loop, label %done
loop:
  %k = phi i64 [ 0, %start ], [ %k_next, %loop ]
  %array = phi ptr [ %array0, %start ], [ %array_next, %loop ]
  %record = phi ptr [ %record0, %start ], [ %record_next, %loop ]
  %place = phi ptr [ {frame}, %start ], [ %place_next, %loop ]
  %address = load ptr, ptr %array
  %row_at = getelementptr i64, ptr %array, i64 1
  %row_step = load i64, ptr %row_at
  %step_at = getelementptr i64, ptr %array, i64 2
  %step = load i64, ptr %step_at
  %size = load i64, ptr %record
  %offset = mul i64 %row, %row_step
  %base = getelementptr i8, ptr %address, i64 %offset
  call void @{name}(ptr %base, i64 %row_step, i64 %step, i64 %size, i64 %rows, ptr %place)
  %bytes = mul i64 %size, {vector}
  %place_next = getelementptr i8, ptr %place, i64 %bytes
  %k_next = add i64 %k, 1
  %array_next = getelementptr [3 x i64], ptr %array, i64 1
  %record_next = getelementptr [{RECORD} x i64], ptr %record, i64 1
  %more = icmp ult i64 %k_next, %{count}
  br i1 %more, label %loop, label %done
done:
  ret void
}}
"""
