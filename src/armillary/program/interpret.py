"""The reference meaning of a Program: statement by statement over floats or NumPy arrays.

Every pass, target and the machine code are checked against this.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from armillary.errors import ProgramError
from armillary.expr.ops import OPS, SOLVE
from armillary.program.program import Input, Program


def interpret(program: Program, elements: Sequence[Any]) -> list[list[Any]]:
    """The elements of every output, from the elements of the inputs: any scalars or arrays that NumPy computes with."""
    if len(elements) != program.n_inputs:
        raise ProgramError(f"{program.name} takes {program.n_inputs} input elements, not {len(elements)}")
    values: list[Any] = [*elements, *(float(c) for c in program.constants)]
    functions = {name: row.numpy for name, row in OPS.items()}
    with np.errstate(all="ignore"):  # what has no value is NaN, here as in every generated program
        for k, op, arguments, _, _ in program.statements():
            operands = [values[a] for a in arguments]
            if op == SOLVE:
                values += _solve(*program.system(k), operands)
            else:
                values.append(functions[op](*operands))
    return [[values[v] for v in out.values] for out in program.outputs]


def _solve(n: int, m: int, operands: list[Any]) -> list[Any]:
    """Elements of X in A X = B, by rows; elements may be arrays of a batch."""
    stacked = np.stack(np.broadcast_arrays(*operands), axis=-1)
    matrix = stacked[..., : n * n].reshape(*stacked.shape[:-1], n, n)
    right = stacked[..., n * n :].reshape(*stacked.shape[:-1], n, m)
    try:
        solution = np.linalg.solve(matrix, right)
    except np.linalg.LinAlgError:
        solution = np.full(right.shape, np.nan)
    return [solution[..., i, j] for i in range(n) for j in range(m)]


def evaluate(program: Program, inputs: Mapping[str, ArrayLike]) -> dict[str, NDArray[np.float64]]:
    """Outputs by name, each of its shape, or (N, *shape) where an input comes as a batch of N.

    A parameter left out takes its default value.
    """
    elements: list[Any] = []
    batch: int | None = None
    for x in program.inputs:
        array = _value(program, x, inputs)
        if array.ndim > len(x.shape):
            batch = len(array) if batch in (None, 1) else batch
            if len(array) not in (1, batch):
                raise ProgramError(
                    f"{program.name}: input {x.name!r} is a batch of {len(array)}, another input one of {batch}"
                )
        flat = array.reshape(*array.shape[: array.ndim - len(x.shape)], x.size)
        elements += [flat[..., i] for i in range(x.size)]
    answers: dict[str, NDArray[np.float64]] = {}
    for out, computed in zip(program.outputs, interpret(program, elements), strict=True):
        lead = () if batch is None else (batch,)
        columns = [np.broadcast_to(np.asarray(c, dtype=float), lead) for c in computed]
        answers[out.name] = (
            np.stack(columns, axis=-1).reshape((*lead, *out.shape)) if columns else np.zeros((*lead, *out.shape))
        )
    return answers


def _value(program: Program, x: Input, inputs: Mapping[str, ArrayLike]) -> NDArray[np.float64]:
    if x.name not in inputs:
        if x.default is None:
            raise ProgramError(f"{program.name} needs the {x.role} {x.name!r} of shape {x.shape}; give it a value")
        return np.array(x.default, dtype=float).reshape(x.shape)
    array = _real(program, x, inputs[x.name])
    if array.shape != x.shape and array.shape[1:] != x.shape:
        raise ProgramError(
            f"{program.name}: input {x.name!r} has shape {array.shape}; "
            f"it takes {x.shape}, or (N, *{x.shape}) for a batch of N"
        )
    return array


def _real(program: Program, x: Input, given: ArrayLike) -> NDArray[np.float64]:
    try:
        array = np.asarray(given)
    except ValueError:
        raise ProgramError(f"{program.name}: {x.name!r} is given no array, its rows differ in length") from None
    if array.dtype.kind not in "biuf":
        raise ProgramError(f"{program.name}: input {x.name!r} holds {array.dtype}; it takes real numbers")
    return array.astype(float)
