"""The machine code around a Task: frames are filled from the rows of arrays, run, and emptied into rows.

    i64 drive(ptr plan, ptr arrays, i64 begin, i64 end)

computes the rows begin … end - 1. `arrays` holds three integers for every input and then every output: address, bytes
from row to row, bytes from element to element. `plan` is the Function's (`plan.py`). It returns 1 if memory ran out.
"""

from armillary.runtime.ir import SIZES, Real
from armillary.runtime.plan import HEAD, RECORD, Field
from armillary.runtime.rows import pack, unpack

STACK = 1 << 15
"""Bytes of frames that lie on the stack; more comes from the heap."""


def driver(real: Real, width: int) -> str:
    """The function `drive`, with `pack` and `unpack`."""
    return "\n".join((pack(real, width), unpack(real, width), _drive(real, width)))


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
