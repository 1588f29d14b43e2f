"""What the user gives, checked: vectors, arrays, names."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


def number(value: Any, name: str) -> float:
    """A finite float."""
    try:
        x = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a number, not {value!r}") from None
    if not math.isfinite(x):
        raise ValueError(f"{name} must be finite, not {x}")
    return x


def vector(value: Any, size: int, name: str) -> tuple[float, ...]:
    """So many finite floats, of a sequence or a one-dimensional array."""
    if isinstance(value, (str, bytes, bytearray)):
        raise TypeError(f"{name} must be {size} numbers, not text")
    try:
        x = tuple(array("d", value))
    except (TypeError, ValueError):
        shape = getattr(value, "shape", None)
        if shape is not None:
            raise ValueError(f"{name} must have the shape ({size},), not {shape}") from None
        raise TypeError(f"{name} must be {size} numbers") from None
    if len(x) != size:
        raise ValueError(f"{name} must be {size} numbers, not {len(x)}")
    if not all(map(math.isfinite, x)):
        raise ValueError(f"{name} must be finite")
    return x


def doubles(value: ArrayLike, name: str, shape: Sequence[int | None] | None = None,
            finite: bool = False) -> NDArray[Any]:
    """A C-contiguous float64 array; copied only where it is not one. None: any length."""
    import numpy as np

    try:
        given = np.asarray(value)
        if given.dtype.kind not in "fiu" and given.size:
            raise TypeError
        x = np.ascontiguousarray(given, np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be an array of real numbers") from None
    x = x.reshape(given.shape)  # ascontiguousarray makes a scalar (1,)
    if shape is not None and (
            x.ndim != len(shape)
            or any(n is not None and n != m for n, m in zip(shape, x.shape))):
        words = ", ".join("n" if n is None else str(n) for n in shape)
        words += "," if len(shape) == 1 else ""
        raise ValueError(f"{name} must have the shape ({words}), not {x.shape}")
    if finite and not np.isfinite(x).all():
        raise ValueError(f"{name} must be finite")
    return x
