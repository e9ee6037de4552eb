"""What machine code has to know of a Function: an array of 64-bit integers, one field each, then a record an array."""

from collections.abc import Mapping, Sequence
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

MOST_AXES = 4
"""Axes of an input or output that machine code reads shapes of; arrays with more are checked in Python."""

RECORD = 2 + MOST_AXES
"""Integers that describe one array: number of elements, number of axes, length of each axis."""


class Field(IntEnum):
    """The places of the fields: addresses of functions and objects, sizes, and from how many rows on a call is large."""

    RUN = 0
    GIVEN = 1
    FRAME_BYTES = 2
    FRAMES = 3
    N_INPUTS = 4
    N_OUTPUTS = 5
    INPUT_SIZE = 6
    RELEASE_ROWS = 7
    THREAD_ROWS = 8
    DESCR = 9
    TYPE_NUMBER = 10
    RESULT_TYPE = 11
    ARRAY_TYPE = 12
    ARRAY_NEW = 13
    SAVE_THREAD = 14
    RESTORE_THREAD = 15
    RAW_MALLOC = 16
    RAW_FREE = 17
    VECTORCALL = 18
    GENERIC_ALLOC = 19
    TUPLE_SET_ITEM = 20
    DEC_REF = 21
    NO_MEMORY = 22
    INC_REF = 23

    def load(self, name: str, kind: str = "i64") -> str:
        """IR that reads the field of `%plan`."""
        return f"  %{name}_at = getelementptr i64, ptr %plan, i64 {int(self)}\n  %{name} = load {kind}, ptr %{name}_at"


HEAD = len(Field)
"""Where the records start."""

Plan = NDArray[np.int64]


def make_plan(fields: Mapping[Field, int], shapes: Sequence[tuple[int, ...]]) -> Plan:
    """The fields, then a record for each shape: inputs first, then outputs."""
    plan = np.zeros(HEAD + RECORD * len(shapes), dtype=np.int64)
    for field, value in fields.items():
        plan[field] = value
    for k, shape in enumerate(shapes):
        record = plan[HEAD + RECORD * k :]
        record[0] = np.prod(shape, dtype=np.int64)
        record[1] = len(shape)
        record[2 : 2 + min(len(shape), MOST_AXES)] = shape[:MOST_AXES]
    return plan
