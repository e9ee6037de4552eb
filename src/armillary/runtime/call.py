"""One call from Python in machine code: check the arrays, make the results, drive.

    PyObject *call(PyObject *self, PyObject *const *args, i64 nargs, PyObject *kwnames)

`self` is a tuple of the plan, an array of integers, and of a Python function that takes whatever is not plain: keywords,
lists, other types and shapes, large batches for several threads. A third item says that the arrays for the results come
after those of the inputs; whether they may be written to is for the caller to know. Plain are arrays of the right type, each of its input's
shape or with one more axis in front, elements evenly spaced.
"""

from armillary.runtime.cpython import Layout
from armillary.runtime.ir import SIZES, Real
from armillary.runtime.plan import HEAD, MOST_AXES, RECORD, Field

ALIGNED, WRITEABLE = 0x0100, 0x0400
"""Flags of arrays."""

MOST_ARRAYS = 32
"""Inputs and outputs of a Function that is called in machine code."""


def caller(real: Real, at: Layout) -> str:
    """The function `call`; needs `drive` in the same module."""
    size = SIZES[real]
    return f"""\
define ptr @call(ptr %self, ptr %args, i64 %nargs, ptr %names) nounwind {{
start:
  %arrays = alloca [{3 * MOST_ARRAYS} x i64], align 8
  %made = alloca [{MOST_ARRAYS} x ptr], align 8
  %dims = alloca [{MOST_AXES + 1} x i64], align 8
  %plan_item = getelementptr i8, ptr %self, i64 {at.items}
  %plan_array = load ptr, ptr %plan_item
  %plan_data = getelementptr i8, ptr %plan_array, i64 {at.data}
  %plan = load ptr, ptr %plan_data
{Field.N_INPUTS.load("n_inputs")}
{Field.N_OUTPUTS.load("n_outputs")}
{Field.DESCR.load("descr", "ptr")}
{Field.ARRAY_TYPE.load("array_type", "ptr")}
{Field.TYPE_NUMBER.load("type_number")}
{Field.THREAD_ROWS.load("thread_rows")}
  %records = getelementptr i64, ptr %plan, i64 {HEAD}
  %unnamed = icmp eq ptr %names, null
  %items_at = getelementptr i8, ptr %self, i64 {at.length}
  %items = load i64, ptr %items_at
  %into = icmp ugt i64 %items, 2
  %n_taken = select i1 %into, i64 %n_outputs, i64 0
  %n_arrays = add i64 %n_inputs, %n_taken
  %all = icmp eq i64 %nargs, %n_arrays
  %positional = and i1 %unnamed, %all
  br i1 %positional, label %inputs, label %slow
inputs:
  %any = icmp ne i64 %n_arrays, 0
  br i1 %any, label %input, label %outputs

input:
  %k = phi i64 [ 0, %inputs ], [ %k_next, %input_done ]
  %rows_before = phi i64 [ -1, %inputs ], [ %rows_after, %input_done ]
  %arg_at = getelementptr ptr, ptr %args, i64 %k
  %arg = load ptr, ptr %arg_at
  %type_at = getelementptr i8, ptr %arg, i64 {at.type}
  %type = load ptr, ptr %type_at
  %is_array = icmp eq ptr %type, %array_type
  %is_output = icmp uge i64 %k, %n_inputs
  br i1 %is_array, label %array, label %slow
array:
  %descr_of_at = getelementptr i8, ptr %arg, i64 {at.descr}
  %descr_of = load ptr, ptr %descr_of_at
  %flags_at = getelementptr i8, ptr %arg, i64 {at.flags}
  %flags = load i32, ptr %flags_at
  %needed = select i1 %is_output, i32 {ALIGNED | WRITEABLE}, i32 {ALIGNED}
  %aligned_bits = and i32 %flags, %needed
  %aligned = icmp eq i32 %aligned_bits, %needed
  %same_type = icmp eq ptr %descr_of, %descr
  %readable = and i1 %aligned, %same_type
  br i1 %readable, label %axes, label %slow
axes:
  %axes_at = getelementptr i8, ptr %arg, i64 {at.axes}
  %axes32 = load i32, ptr %axes_at
  %n_axes = zext i32 %axes32 to i64
  %shape_at = getelementptr i8, ptr %arg, i64 {at.shape}
  %shape = load ptr, ptr %shape_at
  %strides_at = getelementptr i8, ptr %arg, i64 {at.strides}
  %strides = load ptr, ptr %strides_at
  %record = getelementptr [{RECORD} x i64], ptr %records, i64 %k
  %rank_at = getelementptr i64, ptr %record, i64 1
  %rank = load i64, ptr %rank_at
  %record_dims = getelementptr i64, ptr %record, i64 2
  %lead = sub i64 %n_axes, %rank
  %is_one = icmp eq i64 %lead, 0
  br i1 %is_one, label %no_leading, label %leading
no_leading:
  %no_batch = icmp eq i64 %rows_before, -1
  %is_input = xor i1 %is_output, true
  %one_fits = or i1 %no_batch, %is_input
  br i1 %one_fits, label %shapes, label %slow
leading:
  %is_batch = icmp eq i64 %lead, 1
  br i1 %is_batch, label %batch, label %slow
batch:
  %n_rows = load i64, ptr %shape
  %row_stride = load i64, ptr %strides
  %single = icmp eq i64 %n_rows, 1
  %row_step_batch = select i1 %single, i64 0, i64 %row_stride
  %was_open = icmp slt i64 %rows_before, 2
  %was_empty = icmp eq i64 %rows_before, 0
  %was_settled = xor i1 %was_open, true
  %settled = or i1 %was_settled, %was_empty
  %keeps = and i1 %settled, %single
  %keep = or i1 %keeps, %is_output
  %rows_batch = select i1 %keep, i64 %rows_before, i64 %n_rows
  %equal = icmp eq i64 %rows_before, %n_rows
  %not_settled = xor i1 %settled, true
  %fits0 = or i1 %not_settled, %single
  %fits_input = or i1 %fits0, %equal
  %fits = select i1 %is_output, i1 %equal, i1 %fits_input
  br i1 %fits, label %shapes, label %slow
shapes:
  %rows_after = phi i64 [ %rows_before, %no_leading ], [ %rows_batch, %batch ]
  %row_step = phi i64 [ 0, %no_leading ], [ %row_step_batch, %batch ]
  %has_axes = icmp ne i64 %rank, 0
  br i1 %has_axes, label %last_axis, label %input_done
last_axis:
  %last = sub i64 %rank, 1
  %last_in_array = sub i64 %n_axes, 1
  %last_stride_at = getelementptr i64, ptr %strides, i64 %last_in_array
  %last_stride = load i64, ptr %last_stride_at
  br label %axis
axis:
  %axis_k = phi i64 [ %last, %last_axis ], [ %axis_next, %axis_on ]
  %expected_stride = phi i64 [ %last_stride, %last_axis ], [ %outer_stride, %axis_on ]
  %in_array = add i64 %axis_k, %lead
  %length_at = getelementptr i64, ptr %shape, i64 %in_array
  %length = load i64, ptr %length_at
  %wanted_at = getelementptr i64, ptr %record_dims, i64 %axis_k
  %wanted = load i64, ptr %wanted_at
  %stride_at = getelementptr i64, ptr %strides, i64 %in_array
  %stride = load i64, ptr %stride_at
  %right_length = icmp eq i64 %length, %wanted
  %right_stride = icmp eq i64 %stride, %expected_stride
  %axis_fits = and i1 %right_length, %right_stride
  br i1 %axis_fits, label %axis_on, label %slow
axis_on:
  %outer_stride = mul i64 %length, %stride
  %axis_next = sub i64 %axis_k, 1
  %axis_more = icmp sge i64 %axis_next, 0
  br i1 %axis_more, label %axis, label %input_done
input_done:
  %step = phi i64 [ {size}, %shapes ], [ %last_stride, %axis_on ]
  %data_at = getelementptr i8, ptr %arg, i64 {at.data}
  %data = load i64, ptr %data_at
  %entry = getelementptr [3 x i64], ptr %arrays, i64 %k
  store i64 %data, ptr %entry
  %entry1 = getelementptr i64, ptr %entry, i64 1
  store i64 %row_step, ptr %entry1
  %entry2 = getelementptr i64, ptr %entry, i64 2
  store i64 %step, ptr %entry2
  %k_next = add i64 %k, 1
  %more_inputs = icmp ult i64 %k_next, %n_arrays
  br i1 %more_inputs, label %input, label %outputs

outputs:
  %rows_given = phi i64 [ -1, %inputs ], [ %rows_after, %input_done ]
  %one_state = icmp slt i64 %rows_given, 0
  %rows = select i1 %one_state, i64 1, i64 %rows_given
  %too_many = icmp uge i64 %rows, %thread_rows
  %given_there_at = getelementptr i64, ptr %plan, i64 {int(Field.GIVEN)}
  %given_there = load i64, ptr %given_there_at
  %no_given = icmp eq i64 %given_there, 0
  %for_python = or i1 %too_many, %no_given
  br i1 %for_python, label %slow, label %outputs_begin
outputs_begin:
  br i1 %into, label %take_begin, label %make_begin

take_begin:
{Field.INC_REF.load("inc_ref", "ptr")}
  br label %take

take:
  %t0 = phi i64 [ 0, %take_begin ], [ %t0_next, %take ]
  %taken_k = add i64 %t0, %n_inputs
  %taken_at = getelementptr ptr, ptr %args, i64 %taken_k
  %taken = load ptr, ptr %taken_at
  call void %inc_ref(ptr %taken)
  %kept_at = getelementptr ptr, ptr %made, i64 %t0
  store ptr %taken, ptr %kept_at
  %t0_next = add i64 %t0, 1
  %more_taken = icmp ult i64 %t0_next, %n_outputs
  br i1 %more_taken, label %take, label %compute

make_begin:
  %lead_out = select i1 %one_state, i64 0, i64 1
  store i64 %rows, ptr %dims
  %dims_rest = getelementptr i64, ptr %dims, i64 %lead_out
{Field.ARRAY_NEW.load("array_new", "ptr")}
  %type_number32 = trunc i64 %type_number to i32
  br label %output

output:
  %o = phi i64 [ 0, %make_begin ], [ %o_next, %output_done ]
  %out_index = add i64 %o, %n_inputs
  %out_record = getelementptr [{RECORD} x i64], ptr %records, i64 %out_index
  %out_size = load i64, ptr %out_record
  %out_rank_at = getelementptr i64, ptr %out_record, i64 1
  %out_rank = load i64, ptr %out_rank_at
  %out_axes = add i64 %out_rank, %lead_out
  %out_axes32 = trunc i64 %out_axes to i32
  br label %copy
copy:
  %c = phi i64 [ 0, %output ], [ %c_next, %copying ]
  %c_more = icmp ult i64 %c, %out_rank
  br i1 %c_more, label %copying, label %copied
copying:
  %c_from = add i64 %c, 2
  %c_at = getelementptr i64, ptr %out_record, i64 %c_from
  %c_value = load i64, ptr %c_at
  %c_to = getelementptr i64, ptr %dims_rest, i64 %c
  store i64 %c_value, ptr %c_to
  %c_next = add i64 %c, 1
  br label %copy
copied:
  %new = call ptr %array_new(ptr %array_type, i32 %out_axes32, ptr %dims, i32 %type_number32, ptr null, ptr null, i32 0, i32 0, ptr null)
  %new_at = getelementptr ptr, ptr %made, i64 %o
  store ptr %new, ptr %new_at
  %failed = icmp eq ptr %new, null
  br i1 %failed, label %undo, label %output_done
output_done:
  %new_data_at = getelementptr i8, ptr %new, i64 {at.data}
  %new_data = load i64, ptr %new_data_at
  %out_entry = getelementptr [3 x i64], ptr %arrays, i64 %out_index
  store i64 %new_data, ptr %out_entry
  %out_entry1 = getelementptr i64, ptr %out_entry, i64 1
  %out_row = mul i64 %out_size, {size}
  store i64 %out_row, ptr %out_entry1
  %out_entry2 = getelementptr i64, ptr %out_entry, i64 2
  store i64 {size}, ptr %out_entry2
  %o_next = add i64 %o, 1
  %more_outputs = icmp ult i64 %o_next, %n_outputs
  br i1 %more_outputs, label %output, label %compute

compute:
  %nothing = icmp eq i64 %rows, 0
  br i1 %nothing, label %result, label %rows_there
rows_there:
{Field.RELEASE_ROWS.load("release_rows")}
  %long = icmp uge i64 %rows, %release_rows
  br i1 %long, label %released, label %held
held:
  %status_held = call i64 @drive(ptr %plan, ptr %arrays, i64 0, i64 %rows)
  br label %driven
released:
{Field.SAVE_THREAD.load("save_thread", "ptr")}
{Field.RESTORE_THREAD.load("restore_thread", "ptr")}
  %thread = call ptr %save_thread()
  %status_released = call i64 @drive(ptr %plan, ptr %arrays, i64 0, i64 %rows)
  call void %restore_thread(ptr %thread)
  br label %driven
driven:
  %status = phi i64 [ %status_held, %held ], [ %status_released, %released ]
  %good = icmp eq i64 %status, 0
  br i1 %good, label %result, label %no_memory

result:
  %only_one = icmp eq i64 %n_outputs, 1
  br i1 %only_one, label %array_result, label %tuple_result
array_result:
  %only = load ptr, ptr %made
  ret ptr %only
tuple_result:
{Field.RESULT_TYPE.load("result_type", "ptr")}
{Field.GENERIC_ALLOC.load("generic_alloc", "ptr")}
{Field.TUPLE_SET_ITEM.load("set_item", "ptr")}
  %tuple = call ptr %generic_alloc(ptr %result_type, i64 %n_outputs)
  %no_tuple = icmp eq ptr %tuple, null
  br i1 %no_tuple, label %undo_all, label %fill
fill:
  %t = phi i64 [ 0, %tuple_result ], [ %t_next, %fill ]
  %item_at = getelementptr ptr, ptr %made, i64 %t
  %item = load ptr, ptr %item_at
  %set = call i32 %set_item(ptr %tuple, i64 %t, ptr %item)
  %t_next = add i64 %t, 1
  %more_items = icmp ult i64 %t_next, %n_outputs
  br i1 %more_items, label %fill, label %filled
filled:
  ret ptr %tuple

no_memory:
{Field.NO_MEMORY.load("set_error", "ptr")}
  %error = call ptr %set_error()
  br label %undo_all
undo_all:
  br label %undo
undo:
  %n_made = phi i64 [ %o, %copied ], [ %n_outputs, %undo_all ]
{Field.DEC_REF.load("dec_ref", "ptr")}
  br label %drop
drop:
  %d = phi i64 [ %n_made, %undo ], [ %d_next, %dropping ]
  %d_more = icmp ne i64 %d, 0
  br i1 %d_more, label %dropping, label %dropped
dropping:
  %d_next = sub i64 %d, 1
  %d_at = getelementptr ptr, ptr %made, i64 %d_next
  %d_object = load ptr, ptr %d_at
  call void %dec_ref(ptr %d_object)
  br label %drop
dropped:
  ret ptr null

slow:
  %slow_item = getelementptr i8, ptr %plan_item, i64 8
  %python = load ptr, ptr %slow_item
{Field.VECTORCALL.load("vectorcall", "ptr")}
  %answer = call ptr %vectorcall(ptr %python, ptr %args, i64 %nargs, ptr %names)
  ret ptr %answer
}}
"""
