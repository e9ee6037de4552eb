"""What of CPython and NumPy machine code may touch: functions by address, and where objects keep what.

Functions come from the C interfaces of both, which are stable. Objects are read directly, at offsets that both publish
in their headers; they are compared with real objects first, and where one is not as expected there is no such code.
"""

import ctypes
import os
import platform
import sys
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from armillary.runtime.plan import Field

_ARRAY_NEW = 93
"""The place of `PyArray_New` in NumPy's table of functions."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Offsets in bytes: the type in any object, the length and the first item of a tuple, the fields of an array."""

    type: int = object.__basicsize__ - ctypes.sizeof(ctypes.c_void_p)
    length: int = object.__basicsize__
    items: int = tuple.__basicsize__
    data: int = object.__basicsize__
    axes: int = object.__basicsize__ + 8
    shape: int = object.__basicsize__ + 16
    strides: int = object.__basicsize__ + 24
    descr: int = object.__basicsize__ + 40
    flags: int = object.__basicsize__ + 48


def raw_memory() -> dict[Field, int]:
    """Functions that give and take memory, whoever holds the interpreter."""
    return {Field.RAW_MALLOC: _function("PyMem_RawMalloc"), Field.RAW_FREE: _function("PyMem_RawFree")}


def table() -> dict[Field, int]:
    """The functions that a call in machine code uses, and the type of arrays."""
    return {
        Field.ARRAY_TYPE: id(np.ndarray),
        Field.ARRAY_NEW: _array_functions()[_ARRAY_NEW],
        Field.SAVE_THREAD: _function("PyEval_SaveThread"),
        Field.RESTORE_THREAD: _function("PyEval_RestoreThread"),
        Field.VECTORCALL: _function("PyObject_Vectorcall"),
        Field.GENERIC_ALLOC: _function("PyType_GenericAlloc"),
        Field.TUPLE_SET_ITEM: _function("PyTuple_SetItem"),
        Field.DEC_REF: _function("Py_DecRef"),
        Field.INC_REF: _function("Py_IncRef"),
        Field.NO_MEMORY: _function("PyErr_NoMemory"),
    }


def _function(name: str) -> int:
    address = ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value
    assert address is not None
    return address


def _array_functions() -> "ctypes.Array[Any] | Any":
    """NumPy's table of C functions, as its own extensions find it."""
    import numpy._core._multiarray_umath as core  # pyright: ignore

    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    prototype = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
    address = prototype(ctypes.cast(pointer, ctypes.c_void_p).value or 0)(core._ARRAY_API, None)
    return ctypes.cast(address or 0, ctypes.POINTER(ctypes.c_size_t))


@cache
def layout() -> Layout | None:
    """Where things stand in this interpreter's objects; None where they are not found as expected."""
    if platform.python_implementation() != "CPython" or sys.maxsize < 2**32 or os.name == "nt":
        return None
    if hasattr(sys, "_is_gil_enabled"):
        import sysconfig

        if sysconfig.get_config_var("Py_GIL_DISABLED"):
            return None
    try:
        found = Layout()
        return found if all(_as_expected(found, x) for x in _specimens()) and _allocates() else None
    except (ImportError, AttributeError):
        return None


def _specimens() -> list["np.ndarray[Any, Any]"]:
    base = np.arange(24.0).reshape(4, 6)
    return [base, base.T, base[::-2, 1::3], base.astype(np.float32)[:, 2], np.zeros((2, 0, 3)), np.zeros(())]


def _as_expected(at: Layout, x: "np.ndarray[Any, Any]") -> bool:
    def word(offset: int, kind: Any = ctypes.c_ssize_t) -> int:
        return kind.from_address(id(x) + offset).value

    def words(offset: int) -> tuple[int, ...]:
        return tuple((ctypes.c_ssize_t * x.ndim).from_address(word(offset))) if x.ndim else ()

    pair = (x, at)
    return (
        word(at.type) == id(type(x))
        and word(at.data) == x.ctypes.data
        and word(at.axes, ctypes.c_int) == x.ndim
        and words(at.shape) == x.shape
        and words(at.strides) == x.strides
        and word(at.descr) == id(x.dtype)
        and bool(word(at.flags, ctypes.c_int) & 0x100) == x.flags.aligned
        and bool(word(at.flags, ctypes.c_int) & 0x1) == x.flags.c_contiguous
        and ctypes.c_ssize_t.from_address(id(pair) + at.length).value == len(pair)
        and all(ctypes.c_size_t.from_address(id(pair) + at.items + 8 * k).value == id(pair[k]) for k in (0, 1))
    )


def _allocates() -> bool:
    """Whether the function at the expected place makes arrays."""
    new = ctypes.PYFUNCTYPE(
        ctypes.py_object,
        ctypes.py_object,
        ctypes.c_int,
        ctypes.POINTER(ctypes.c_ssize_t),
        ctypes.c_int,
        ctypes.c_void_p,
        ctypes.c_void_p,
        ctypes.c_int,
        ctypes.c_int,
        ctypes.c_void_p,
    )(_array_functions()[_ARRAY_NEW])
    made = new(np.ndarray, 2, (ctypes.c_ssize_t * 2)(2, 3), np.dtype(np.float32).num, None, None, 0, 0, None)
    return type(made) is np.ndarray and made.shape == (2, 3) and made.dtype == np.float32


class _MethodDef(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("call", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    ]


_FASTCALL_KEYWORDS = 0x0080 | 0x0002


@cache
def _method(address: int) -> _MethodDef:
    """One for each function, forever: what is made of it refers to it."""
    return _MethodDef(b"evaluate", address, _FASTCALL_KEYWORDS, None)


def builtin(address: int, self: object) -> Any:
    """A built-in function of Python at an address: PyObject *(self, args, nargs, kwnames)."""
    make = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)(
        _function("PyCFunction_NewEx")
    )
    return make(ctypes.addressof(_method(address)), self, None)
