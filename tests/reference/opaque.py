"""A scalar that can be computed with and nothing else: it has no truth, no order, no equality and is no float."""

from typing import Any

import numpy as np


class Opaque:
    """A hidden number. Algorithms that branch on a scalar's value fail on it."""

    __slots__ = ("_hidden",)
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, value: float) -> None:
        self._hidden = float(value)

    def __add__(self, other: Any) -> "Opaque":
        return Opaque(self._hidden + _number(other))

    __radd__ = __add__

    def __sub__(self, other: Any) -> "Opaque":
        return Opaque(self._hidden - _number(other))

    def __rsub__(self, other: Any) -> "Opaque":
        return Opaque(_number(other) - self._hidden)

    def __mul__(self, other: Any) -> "Opaque":
        return Opaque(self._hidden * _number(other))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> "Opaque":
        return Opaque(self._hidden / _number(other))

    def __rtruediv__(self, other: Any) -> "Opaque":
        return Opaque(_number(other) / self._hidden)

    def __neg__(self) -> "Opaque":
        return Opaque(-self._hidden)

    def sin(self) -> "Opaque":
        return Opaque(np.sin(self._hidden))

    def cos(self) -> "Opaque":
        return Opaque(np.cos(self._hidden))

    def sqrt(self) -> "Opaque":
        return Opaque(np.sqrt(self._hidden))

    def atan2(self, x: Any) -> "Opaque":
        return Opaque(np.arctan2(self._hidden, _number(x)))

    def sign(self) -> "Opaque":
        return Opaque(np.sign(self._hidden))

    def arctan2(self, other: Any) -> "Opaque":
        return Opaque(np.arctan2(self._hidden, _number(other)))

    def less(self, other: Any) -> "Opaque":
        return Opaque(float(self._hidden < _number(other)))

    def _refuse(self, *_: Any) -> Any:
        raise TypeError("an algorithm asked for the value of a scalar")

    __bool__ = __float__ = __int__ = __index__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __abs__ = _refuse


def _number(x: Any) -> float:
    return x._hidden if isinstance(x, Opaque) else x


def revealed(x: Any) -> Any:
    """The numbers in nested lists of opaque scalars."""
    if isinstance(x, list | tuple):
        return [revealed(item) for item in x]
    return _number(x)
