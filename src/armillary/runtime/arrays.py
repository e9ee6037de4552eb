"""What callers hand over, as arrays that machine code can read; and what is wrong where it cannot be."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from armillary.errors import ModelError
from armillary.program.program import Input
from armillary.runtime.signature import Shaped, Signature

Array = NDArray[Any]


def by_name(signature: Signature, args: Sequence[ArrayLike], named: Mapping[str, ArrayLike]) -> tuple[ArrayLike, ...]:
    """The values of the inputs in order, the first ones given by place, the others by name."""
    names = [x.name for x in signature.states]
    if len(args) + len(named) == len(names) and all(name in named for name in names[len(args) :]):
        return (*args, *[named[name] for name in names[len(args) :]])
    takes = f"{signature.name} takes {', '.join(names) or 'nothing'}"
    if len(args) > len(names):
        raise ModelError(f"{takes}: {len(names)} arrays; {len(args)} were given")
    values = dict(zip(names, args, strict=False))
    for name, value in named.items():
        if name in values:
            raise ModelError(f"{takes}; {name} was given twice")
        if name not in names:
            also = "; parameters go together, as parameters={name: value}" if signature.parameters else ""
            raise ModelError(f"{takes}; it has no input {name!r}{also}")
        values[name] = value
    for x in signature.states:
        if x.default is not None:
            values.setdefault(x.name, np.reshape(x.default, x.shape))
    missing = [name for name in names if name not in values]
    if missing:
        raise ModelError(f"{takes}; {', '.join(missing)} was not given")
    return tuple(values[name] for name in names)


def real_arrays(signature: Signature, args: Sequence[ArrayLike], dtype: "np.dtype[Any]") -> list[Array]:
    """The values as arrays of this type, those that are such arrays as they are."""
    try:
        return [np.asarray(a).astype(dtype, "K", "same_kind", True, False) for a in args]
    except (TypeError, ValueError) as error:
        for x, a in zip(signature.states, args, strict=True):
            _check_real(x, a)
        raise ModelError(f"{signature.name}: {error}") from error


def _check_real(x: Input, value: ArrayLike) -> None:
    try:
        array: Array = np.asarray(value)
    except ValueError as error:
        raise ModelError(f"{x.name} is no array: {error}") from None
    if array.dtype.kind not in "fiub":
        raise ModelError(f"{x.name} holds {array.dtype}; it takes real numbers")


def batch(signature: Signature, given: Sequence[Array]) -> int | None:
    """How many states there are; None where each input is a single one."""
    rows: int | None = None
    of = ""
    for x, a in zip(signature.states, given, strict=True):
        shape, axes = a.shape, len(x.shape)
        if shape == x.shape:
            continue
        if shape[1:] != x.shape or a.ndim != axes + 1:
            batched = ", ".join(["N", *map(str, x.shape)])
            raise ModelError(
                f"{signature.name}: {x.name} has shape {shape}; it takes {x.shape}, or ({batched}) for a batch of N"
            )
        if len(a) != 1 and rows not in (None, 1) and rows != len(a):
            raise ModelError(f"{signature.name}: {x.name} is a batch of {len(a)}, {of} one of {rows}")
        if rows in (None, 1):
            rows, of = len(a), x.name
    return rows


def evenly_spaced(a: Array, axes: int) -> Array:
    """The array itself if it is aligned and the elements of a row, its last `axes` axes, stand in equal steps; else a copy."""
    return a if a.flags.aligned and _step(a, axes) is not None else a.copy()


def _step(a: Array, axes: int) -> int | None:
    """Bytes from one element of a row to the next."""
    inner = [(n, s) for n, s in zip(a.shape[a.ndim - axes :], a.strides[a.ndim - axes :], strict=True) if n != 1]
    if 0 in a.shape or not inner:
        return a.itemsize
    for (_, outer), (n, s) in pairwise(inner):
        if outer != n * s:
            return None
    return inner[-1][1]


def entry(a: Array, x: Shaped, rows: int | None) -> tuple[int, int, int]:
    """(address, bytes from row to row, bytes from element to element); one row stands for all."""
    axes = len(x.shape)
    step = _step(a, axes)
    assert step is not None
    repeated = a.ndim == axes or len(a) == 1
    return a.ctypes.data, 0 if repeated else a.strides[0], step


# ---- results ----


def listed(out: Any) -> list[Any]:
    """What the caller gave to write results to: one thing, or several in a list or tuple."""
    return list(cast(Sequence[Any], out)) if isinstance(out, tuple | list) else [out]


def results(outputs: Sequence[Shaped], given: list[Any], rows: int | None) -> list[Array | None]:
    """The caller's array for every output, None where one is to be made."""
    if len(given) == 1 and given[0] is None:
        return [None] * len(outputs)
    if len(given) != len(outputs):
        raise ModelError(f"out holds {len(given)} arrays; there are {len(outputs)} outputs")
    lead = () if rows is None else (rows,)
    for x, a in zip(outputs, given, strict=True):
        if a is None:
            continue
        if not isinstance(a, np.ndarray):
            raise ModelError(f"out for {x.name} is a {type(a).__name__}; it must be an array")
        if a.shape != (*lead, *x.shape):
            raise ModelError(f"out for {x.name} has shape {a.shape}; the result has {(*lead, *x.shape)}")
        if a.dtype.kind != "f" or not a.flags.writeable:
            raise ModelError(f"out for {x.name} must be a writable array of real numbers; it holds {a.dtype}")
    return given


def writable(
    wanted: Array | None, inputs: Sequence[Array], shape: tuple[int, ...], axes: int, dtype: "np.dtype[Any]"
) -> Array:
    """The array to compute into: the caller's if it can be written to in place, without spoiling an input."""
    if wanted is None:
        return np.empty(shape, dtype)
    fits = wanted.dtype == dtype and wanted.flags.aligned and wanted.dtype.isnative and _step(wanted, axes) is not None
    if fits and not spoil([wanted], inputs):
        return wanted
    return np.empty(shape, dtype)


def spoil(wanted: Sequence[Any], inputs: Sequence[Array]) -> bool:
    """Whether writing a row of what is wanted could change another row of an input. A row may overwrite itself."""
    arrays: list[Array] = [w for w in wanted if isinstance(w, np.ndarray)]
    return any(np.may_share_memory(w, a) and not _same_memory(w, a) for w in arrays for a in inputs)


def _same_memory(a: Array, b: Array) -> bool:
    return a.ctypes.data == b.ctypes.data and a.strides == b.strides and a.shape == b.shape


def handed_over(wanted: Array | None, made: Array) -> Array:
    """The caller's array, filled; the one made where the caller gave none."""
    if wanted is None or wanted is made:
        return made
    wanted[...] = made
    return wanted


# ---- parameters ----


def parameter_values(
    signature: Signature, given: Mapping[str, ArrayLike] | None, complete: bool = False
) -> tuple[float, ...] | None:
    """The elements of all parameters in their order, from values by name and from defaults.

    Where a value is missing, None, or an error if they must be `complete`.
    """
    try:
        values = dict(given or {})
    except (TypeError, ValueError):
        raise ModelError(f"{signature.name}: parameters are given as {{name: value}}, not as {given!r}") from None
    numbers: list[float] = []
    missing: list[str] = []
    for x in signature.parameters:
        value = values.pop(x.name) if x.name in values else x.default
        if value is None:
            missing.append(x.name)
            continue
        try:
            flat = np.asarray(value, dtype=float).ravel().tolist()
        except (TypeError, ValueError) as error:
            raise ModelError(f"{signature.name}: the parameter {x.name} takes real numbers, not {value!r}") from error
        if len(flat) != x.size:
            raise ModelError(f"{signature.name}: the parameter {x.name} has {x.size} elements; {len(flat)} were given")
        numbers += flat
    if values:
        known = ", ".join(x.name for x in signature.parameters) or "none"
        raise ModelError(f"{signature.name} has no parameter {', '.join(values)}; it has {known}")
    if not missing:
        return tuple(numbers)
    if complete:
        raise ModelError(
            f"{signature.name} needs values for {', '.join(missing)}; "
            f"give them with a call, parameters={{{missing[0]!r}: …}}, or before, with at()"
        )
    return None
