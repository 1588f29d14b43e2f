"""What the user gives, checked: vectors, arrays, names."""

from __future__ import annotations

import math
import operator
import re
from array import array
from collections.abc import Sequence
from numbers import Complex, Real
from typing import TYPE_CHECKING, Any, Union

from . import _core

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


MOST_STEPS = 2**63 - 1  # that one call takes
Quantity = Union[float, str]  # a number, or a text such as "3rpm"
WITH_UNIT = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*([A-Za-z][A-Za-z/]*)\s*")


def shown(value: Any) -> str:
    """A value in an error: one line of it, or its type."""
    try:
        text = repr(value)
    except ValueError:  # an int of thousands of digits
        text = ""
    return text if 0 < len(text) <= 40 and text.isprintable() else f"a {type(value).__name__}"


def whole(value: Any, name: str, least: int, most: int) -> int:
    """A whole number within bounds: no float, and no truth value."""
    try:
        if isinstance(value, bool) or getattr(value, "dtype", None) == bool:
            raise TypeError
        x = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {shown(value)}") from None
    if x < least:
        what = "not be negative" if least == 0 else f"be at least {least}"
        raise ValueError(f"{name} must {what}, not {shown(x)}")
    if x > most:
        raise ValueError(f"{name} must be at most {most}, not {shown(x)}")
    return x


def _in_unit(text: str, name: str, of: str, time_unit: float) -> float:
    known = {unit: factor for unit, quantity, factor in _core.units()
             if quantity == ("m" if of in ("l", "length") else of)}
    if not known:
        raise TypeError(f"{name} must be numbers, not text")
    found = WITH_UNIT.fullmatch(text)
    if found is None:
        raise TypeError(f"{name} must be numbers, or texts with a unit such as "
                        f"'2{next(iter(known))}', not {shown(text)}")
    digits, unit = found.groups()
    if unit not in known:
        raise ValueError(f"{name} cannot be in {unit}: write one of {', '.join(known)}")
    return float(digits) * (known[unit] / time_unit if of == "t" else known[unit])


def without_units(value: Any, name: str, of: str, time_unit: float = 1.0) -> Any:
    """A value, or a list of values, in which each text such as "3rpm" has become a number in the
    unit of the catalog, `of`. A problem may have a unit of time of its own, in seconds."""
    if isinstance(value, str):
        return _in_unit(value, name, of, time_unit)
    if isinstance(value, (list, tuple)) and any(isinstance(x, (str, list, tuple)) for x in value):
        return [without_units(x, name, of, time_unit) for x in value]
    return value


def duration(value: Any, name: str, time_unit: float = 1.0) -> float:
    """A finite time, which may have a unit."""
    return number(without_units(value, name, "t", time_unit), name)


def number(value: Any, name: str) -> float:
    """A finite float."""
    try:
        if isinstance(value, (str, bytes, bytearray)):
            raise TypeError
        x = float(value)
    except OverflowError:
        raise ValueError(f"{name} must be finite, but is too large") from None
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a number, not {shown(value)}") from None
    if not math.isfinite(x):
        raise ValueError(f"{name} must be finite, not {x}")
    return x


def vector(value: Any, size: int, name: str) -> tuple[float, ...]:
    """So many finite floats, of a sequence or a one-dimensional array."""
    if isinstance(value, (str, bytes, bytearray)):
        raise TypeError(f"{name} must be {size} numbers, not text")
    try:
        items = list(value)
        if any(isinstance(x, Complex) and not isinstance(x, Real) for x in items):
            raise TypeError
        x = tuple(array("d", items))
    except OverflowError:
        raise ValueError(f"{name} must be finite, but is too large") from None
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


def apart(read: NDArray[Any], name: str, written: dict[str, NDArray[Any]]) -> None:
    """Raises where an array that is read shares memory with one that is written."""
    import numpy as np

    for other, x in written.items():
        if np.shares_memory(read, x):
            raise ValueError(f"{name} and {other} must not overlap in memory: give a copy")
