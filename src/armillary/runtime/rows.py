"""The machine code between rows of NumPy arrays and frames.

One state is a row, a vector of states a frame, in which element k of an array is a vector of `width` lanes. Rows are
read lane by lane (never with gather instructions): where their elements are neighbours in memory, 16 bytes of them at a
time, which are then exchanged between lanes. Columns that are contiguous are read as vectors. Where fewer rows are left
than a vector has lanes, the last row fills the other lanes too: what they compute is stored over and over to the same
place, so that no row is read or written that is not the caller's, and a result may overwrite the very row that it was
computed from.

    void pack(ptr base, i64 row, i64 step, i64 n, i64 rows, ptr frame)
    void unpack(the same)

move n elements of up to `width` rows. The first row starts at `base`; it is `row` bytes to the next row and `step` bytes
to the next element.
"""

from armillary.runtime.ir import SIZES, Block, Body, Real

_SEGMENT = 16
"""Bytes of the parts of vectors within which elements change places cheaply."""


def pack(real: Real, width: int) -> str:
    """Rows into a frame."""
    r = _Rows("pack", real, width)
    b = r.b
    r.choose()

    r.begin("one")
    r.to_frame(0, b.splat(r.load(b.lanes(1), "%base")))
    r.end("one", 1)
    if width == 1:
        return r.text()

    r.begin("column")
    r.to_frame(0, r.load(b, "%base"))
    r.end("column", 1)

    r.lanes()
    r.begin("parts")
    parts = [r.load(b.lanes(r.part), f"%lane{l}") for l in range(width)]
    for k, vector in enumerate(r.exchanged([r.joined(parts[k :: r.part]) for k in range(r.part)])):
        r.to_frame(k, vector)
    r.end("parts", r.part)

    r.begin("single")
    r.to_frame(0, b.gather([r.load(b.lanes(1), f"%lane{l}") for l in range(width)]))
    r.end("single", 1)
    return r.text()


def unpack(real: Real, width: int) -> str:
    """A frame into rows."""
    r = _Rows("unpack", real, width)
    b = r.b
    r.choose()

    r.begin("one")
    r.store(b.lanes(1), b.lanes(1).load(r.in_frame(0)), "%base")
    r.end("one", 1)
    if width == 1:
        return r.text()

    r.begin("column")
    r.store(b, r.from_frame(0), "%base")
    r.end("column", 1)

    r.lanes()
    r.begin("parts")
    for k, vector in enumerate(r.exchanged([r.from_frame(k) for k in range(r.part)])):
        for j in range(0, width, r.part):
            r.store(b.lanes(r.part), r.shuffled(vector, "poison", list(range(j, j + r.part))), f"%lane{j + k}")
    r.end("parts", r.part)

    r.begin("single")
    vector = r.from_frame(0)
    for l in range(width):
        r.store(b.lanes(1), b.lane(vector, l), f"%lane{l}")
    r.end("single", 1)
    return r.text()


class _Rows:
    """One of the two functions, with a loop over the elements for each layout of memory."""

    def __init__(self, name: str, real: Real, width: int) -> None:
        self.name = name
        self.width = width
        self.size = SIZES[real]
        self.part = min(_SEGMENT // self.size, width)
        self.body = Body()
        self.b = Block(self.body, real, width)

    def text(self) -> str:
        arguments = "ptr %base, i64 %row, i64 %step, i64 %n, i64 %rows, ptr %frame"
        head = f"define internal void @{self.name}({arguments}) nounwind {{"
        return "\n".join([head, *self.body.lines, "done:", "  ret void", "}", ""])

    def choose(self) -> None:
        """Which loop is right for this array."""
        do, let = self.body.do, self.body.let
        self.body.label("start")
        do(f"br i1 {let('icmp eq i64 %n, 0')}, label %done, label %some")
        self.body.label("some")
        if self.width == 1:
            do("br label %one")
            return
        one = let("icmp eq i64 %rows, 1")
        if self.name == "pack":
            one = let(f"or i1 {one}, {let('icmp eq i64 %row, 0')}")
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
        enough = let(f"icmp uge i64 %n, {self.part}")
        do(f"br i1 {let(f'and i1 {neighbours}, {enough}')}, label %parts, label %single")

    def begin(self, loop: str) -> None:
        """A loop over the elements k, k + 1, …"""
        do, let = self.body.do, self.body.let
        self.body.label(loop)
        do(f"br label %{loop}_loop")
        self.body.label(f"{loop}_loop")
        k = f"%{loop}_k"
        do(f"{k} = phi i64 [ 0, %{loop} ], [ {k}_next, %{loop}_on ]")
        self.at = let(f"mul i64 {k}, %step")
        self.vector = let(f"mul i64 {k}, {self.size * self.width}")

    def end(self, loop: str, elements: int) -> None:
        """So many elements are done. The last pass is for the last so many, some of them once more."""
        do, let = self.body.do, self.body.let
        after = let(f"add i64 %{loop}_k, {elements}")
        do(f"br i1 {let(f'icmp ult i64 {after}, %n')}, label %{loop}_on, label %done")
        self.body.label(f"{loop}_on")
        last = let(f"sub i64 %n, {elements}")
        do(f"%{loop}_k_next = call i64 @llvm.umin.i64(i64 {after}, i64 {last})")
        do(f"br label %{loop}_loop")

    # ---- inside a loop ----

    def load(self, block: Block, row: str) -> str:
        """As many elements as the block has lanes, from the current one of the row on."""
        return block.load(self.body.let(f"getelementptr i8, ptr {row}, i64 {self.at}"))

    def store(self, block: Block, value: str, row: str) -> None:
        block.store(value, self.body.let(f"getelementptr i8, ptr {row}, i64 {self.at}"))

    def in_frame(self, k: int) -> str:
        """Where the k-th vector from the current one stands."""
        vector = self.body.let(f"getelementptr i8, ptr %frame, i64 {self.vector}")
        return self.body.let(f"getelementptr i8, ptr {vector}, i64 {k * self.size * self.width}")

    def from_frame(self, k: int) -> str:
        return self.b.load(self.in_frame(k))

    def to_frame(self, k: int, value: str) -> None:
        self.b.store(value, self.in_frame(k))

    def joined(self, vectors: list[str]) -> str:
        """One vector of several, end to end."""
        width = self.width // len(vectors)
        while len(vectors) > 1:
            t = self.b.lanes(width).type
            mask = _mask(list(range(2 * width)))
            pairs = zip(vectors[0::2], vectors[1::2], strict=True)
            vectors = [self.body.let(f"shufflevector {t} {u}, {t} {v}, {mask}") for u, v in pairs]
            width *= 2
        return vectors[0]

    def exchanged(self, vectors: list[str], unit: int = 1) -> list[str]:
        """Each segment of the vectors, one above the other, as a square that is transposed."""
        if len(vectors) == 1:
            return vectors
        pairs = list(zip(vectors[0::2], vectors[1::2], strict=True))
        low, high = ([self.shuffled(u, v, self._merged(half, unit)) for u, v in pairs] for half in (0, 1))
        return self.exchanged(low, 2 * unit) + self.exchanged(high, 2 * unit)

    def _merged(self, half: int, unit: int) -> list[int]:
        """Lanes of one half of every segment of two vectors, by turns `unit` of the one and of the other."""
        lanes: list[int] = []
        for segment in range(0, self.width, self.part):
            start = segment + half * self.part // 2
            for k in range(start, start + self.part // 2, unit):
                lanes += [*range(k, k + unit), *range(self.width + k, self.width + k + unit)]
        return lanes

    def shuffled(self, u: str, v: str, lanes: list[int]) -> str:
        return self.body.let(f"shufflevector {self.b.type} {u}, {self.b.type} {v}, {_mask(lanes)}")


def _mask(lanes: list[int]) -> str:
    return f"<{len(lanes)} x i32> <{', '.join(f'i32 {l}' for l in lanes)}>"
