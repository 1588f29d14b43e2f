"""Motions from observations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from . import _core
from .bodies import Body, Motion, body_quietly
from .systems import System
from .values import doubles, vector

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]

START = ("inertia", "attitude", "velocity")
LOSSES = ("squares", "huber", "cauchy")
LAWS = ("lommel_seeliger", "lambert")
KINDS = {"attitude": 4, "velocity": 3, "axis": 3, "brightness": 1}
RESIDUALS = {"attitude": 3, "velocity": 3, "axis": 3, "brightness": 1}
COLUMNS = 45  # at most: PH_FIT_COLUMNS


class Fitted:
    """What a fit knows beside the motion."""

    __slots__ = ()
    fit: dict[str, Any]

    @property
    def covariance(self) -> Array:
        """Of the unknowns `columns`; directions that cannot be seen are not in it."""
        return self.fit["covariance"]

    @property
    def columns(self) -> tuple[str, ...]:
        """theta1..3 (a small rotation of the attitude, in the body), w1..3, J11, J22, J33, J12,
        J13, J23, brightness, parameters: those that were sought."""
        return self.fit["columns"]

    @property
    def chi2(self) -> float:
        """The sum of the squares of the residuals over sigma, or of another loss."""
        return self.fit["chi2"]

    @property
    def degrees_of_freedom(self) -> int:
        return self.fit["degrees_of_freedom"]

    @property
    def residuals(self) -> Array:
        """Observed - computed, a row for each time: of an attitude a rotation vector in the
        body."""
        return self.fit["residuals"]

    @property
    def unobservable(self) -> tuple[str, ...]:
        """What the observations do not show, in words."""
        return self.fit["unobservable"]


class FittedMotion(Fitted, Motion):
    """An exact free motion that was found by `fit`; t = 0 is the first observation."""

    __slots__ = ("fit",)

    def __init__(self, body: Body, attitude: Any, momentum: Any, fit: dict[str, Any]) -> None:
        super().__init__(body, attitude, momentum)
        self.fit = fit

    def __reduce__(self) -> tuple[Any, ...]:
        return FittedMotion, (self.body, *self._start, self.fit)


class FittedSystem(Fitted, System):
    """A system in the start that was found by `fit`; its time is 0 at the first observation."""

    __slots__ = ("fit",)


def _choice(name: str, words: tuple[str, ...], what: str) -> int:
    if name not in words:
        raise ValueError(f"{what} must be one of {', '.join(words)}, not {name!r}")
    return words.index(name)


def _array(x: ArrayLike | None, name: str, count: int, width: int) -> Any:
    import numpy as np

    if x is None:
        return None
    shape = (count,) if width == 1 else (count, width)
    a = doubles(x, name)
    if name.startswith("sigma") or name in ("sun", "observer"):
        a = np.broadcast_to(a, shape)
    if a.shape != shape:
        raise ValueError(f"{name} must have the shape {shape}, not {a.shape}")
    return np.ascontiguousarray(a)


def fit(times: ArrayLike, *, attitude: ArrayLike | None = None,
        velocity: ArrayLike | None = None, axis: ArrayLike | None = None,
        body_axis: ArrayLike | None = None, brightness: ArrayLike | None = None,
        sun: ArrayLike | None = None, observer: ArrayLike | None = None,
        sigma: float | dict[str, ArrayLike] | None = None, free: Iterable[str] = START,
        problem: str | None = None, parameters: dict[str, Any] | None = None,
        start: dict[str, Any] | None = None, loss: str = "squares",
        law: str = "lommel_seeliger") -> FittedMotion | FittedSystem:
    """Inertia, start and parameters from observations at ascending times.

    Observed are attitudes (n, 4), whose sign does not count, velocities (n, 3) in the body,
    directions in space (n, 3) of the axis `body_axis` of the body, or brightness (n) with the
    directions of `sun` and `observer` in space. `sigma` is their standard deviation, a number or
    one for each kind by name; without it, the covariance comes from the scatter. `free` is what is
    sought; what is not is known, and in `start`, as `System` takes it; else `start` is a first guess,
    and none is needed. The result is a motion, or with a `problem` a system, with `covariance`,
    `columns`, `chi2`, `degrees_of_freedom`, `residuals` and `unobservable`. Of a free motion only
    ratios of the moments can be seen: the largest is 1.

    >>> import numpy as np
    >>> t = np.linspace(0, 20, 60)
    >>> seen = Body((1, 1.6, 2)).motion(velocity=(0.1, 0.8, 0.4))(t).attitude
    >>> motion = fit(t, attitude=seen, sigma=1e-6)
    >>> motion.body.tensor.diagonal().round(6)
    array([0.5, 0.8, 1. ])
    >>> motion.covariance.shape
    (12, 12)
    """
    import numpy as np

    t = np.ascontiguousarray(doubles(times, "times"))
    if t.ndim != 1:
        raise ValueError(f"times must have one dimension, not the shape {t.shape}")
    n = len(t)
    given = {"attitude": attitude, "velocity": velocity, "axis": axis, "brightness": brightness}
    seen = {name: _array(x, name, n, KINDS[name]) for name, x in given.items()}
    sigmas: dict[str, Any] = sigma if isinstance(sigma, dict) else dict.fromkeys(KINDS, sigma)
    if not sigmas:
        raise ValueError("sigma has no kind of observation: leave it out")
    if unknown := set(sigmas) - set(KINDS):
        raise ValueError(f"sigma has no {sorted(unknown)[0]!r}: its names are {', '.join(KINDS)}")
    errors = [_array(sigmas.get(name), f"sigma of {name}", n, 1) for name in KINDS]
    names = [free] if isinstance(free, str) else list(free)
    sought = sum(1 << k for k, name in enumerate(START) if name in names)
    known = {name: doubles(x, name).reshape(-1).tolist() for name, x in (start or {}).items()
             if name != "tensor"}
    if start and "tensor" in start:
        J = doubles(start["tensor"], "tensor", (3, 3))
        known["tensor"] = [J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]]
    numbers = {name: np.ascontiguousarray(doubles(x, name)).reshape(-1)
               for name, x in (parameters or {}).items()}
    residuals = np.empty((n, sum(RESIDUALS[k] for k, x in seen.items() if x is not None)))
    matrix = np.empty(COLUMNS * COLUMNS)
    result = _core.fit(
        (t, *seen.values(), *errors, _array(sun, "sun", n, 3),
         _array(observer, "observer", n, 3), residuals),
        (0, 0, 0) if body_axis is None else vector(body_axis, 3, "body_axis"), sought,
        tuple(name for name in names if name not in START), problem or "free", numbers, known,
        _choice(loss, LOSSES, "loss"), _choice(law, LAWS, "law"), matrix)
    size = len(result["columns"])
    result["covariance"] = matrix[:size * size].reshape(size, size).copy()
    result["residuals"] = residuals
    xx, yy, zz, xy, xz, yz = result["tensor"]
    tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    if problem is None:
        body = body_quietly(None, tensor)
        m = body.momentum(result["velocity"]).tolist()
        return FittedMotion(body, result["attitude"], m, result)
    found = dict(numbers)
    at = 0
    for name in (x for x in names if x not in START):
        width = sum(c.rstrip("123456789") == name or c == name for c in result["columns"])
        found[name] = result["parameter"][at:at + width]
        at += width
    system = FittedSystem(problem, tolerance=1e-12, parameters=found, tensor=tensor,
                          attitude=result["attitude"], velocity=result["velocity"], method="gbs")
    system.fit = result
    return system
