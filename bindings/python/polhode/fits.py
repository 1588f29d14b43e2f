"""Motions from observations."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from . import _core
from .bodies import Body, Motion, States, body_quietly
from .systems import System
from .values import doubles
from .values import vector as numbers_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]

START = ("inertia", "attitude", "velocity", "bias")
LOSSES = ("squares", "huber", "cauchy")
LAWS = ("lommel_seeliger", "lambert")
KINDS = {"attitude": 4, "velocity": 3, "axis": 3, "vector": 3, "brightness": 1}
RESIDUALS = {"attitude": 3, "velocity": 3, "axis": 3, "vector": 3, "brightness": 1}
LARGE = 5.0  # chi2 per degree of freedom


class Fit:
    """A solution that `fit` found: a body, its state at the first time, and their errors.

    Call it with times after the first one for the states of a free motion.
    """

    def __init__(self, fit: dict[str, Any], problem: str | None,
                 parameters: dict[str, Any]) -> None:
        #: All numbers by name, as `polhode fit --json` has them.
        self.fit = fit
        #: The name of the problem, None for a free motion.
        self.problem = problem
        #: The parameters of the problem, those found included.
        self.parameters = parameters
        #: Other solutions whose chi2 is less than 9 above the least, in units of the noise.
        self.rivals: tuple[Fit, ...] = ()

    @property
    def inertia(self) -> tuple[float, ...]:
        """The principal moments, over the largest if only ratios are seen."""
        return self.fit["inertia"]

    @property
    def inertia_sigma(self) -> tuple[float, ...]:
        """The standard deviations of the moments; NaN if they are not determined."""
        return self.fit["inertia_sigma"]

    @property
    def attitude(self) -> tuple[float, ...]:
        """The attitude at the first time."""
        return self.fit["attitude"]

    @property
    def velocity(self) -> tuple[float, ...]:
        """The velocity at the first time, in the body."""
        return self.fit["velocity"]

    @property
    def bias(self) -> tuple[float, ...]:
        """The bias of the observed velocities."""
        return self.fit["bias"]

    @property
    def covariance(self) -> Array:
        """Of the unknowns `columns`."""
        return self.fit["covariance"]

    @property
    def columns(self) -> tuple[str, ...]:
        """theta1..3 (a small rotation of the attitude, in the body), w1..3, J11, J22, J33, J12,
        J13, J23, bias1..3, brightness, parameters: those that were sought and are determined."""
        return self.fit["columns"]

    @property
    def chi2(self) -> float:
        """The sum of the squares of the residuals over sigma, or of another loss."""
        return self.fit["chi2"]

    @property
    def degrees_of_freedom(self) -> int:
        """The number of observed numbers minus the number of unknowns."""
        return self.fit["degrees_of_freedom"]

    @property
    def residuals(self) -> Array:
        """Observed - computed, a row for each time: of an attitude a rotation vector in the
        body. Those of the best solution."""
        return self.fit["residuals"]

    @property
    def not_determined(self) -> tuple[str, ...]:
        """The names of columns, and inertia1..3, that the observations do not determine."""
        return self.fit["not_determined"]

    @property
    def intervals(self) -> dict[str, dict[str, tuple[float, float]]]:
        """Where errors are not normally distributed: the intervals "68" and "95" by name."""
        return self.fit["intervals"]

    @property
    def minima(self) -> int:
        """How many different minima the search has found."""
        return self.fit["minima"]

    @property
    def unobservable(self) -> tuple[str, ...]:
        """What the observations do not show, in words."""
        return self.fit["unobservable"]

    @property
    def tensor(self) -> Array:
        """The inertia tensor in the frame of the body."""
        import numpy as np

        xx, yy, zz, xy, xz, yz = self.fit["tensor"]
        return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])

    @property
    def body(self) -> Body:
        """The body with this tensor."""
        return body_quietly(None, self.tensor)

    @property
    def motion(self) -> Motion:
        """The free motion; its time is 0 at the first observation."""
        if self.problem is not None:
            raise ValueError(f"this is a fit of {self.problem}, not of a free motion: use system()")
        body = self.body
        return Motion(body, self.attitude, body.momentum(self.velocity).tolist())

    def __call__(self, times: ArrayLike) -> States:
        return self.motion(times)

    def system(self) -> System:
        """A new system in the state at the first observation, where its time is 0."""
        return System(self.problem or "free", tolerance=1e-12, parameters=self.parameters,
                      tensor=self.tensor, attitude=self.attitude, velocity=self.velocity,
                      method="gbs")


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
    if name.startswith("sigma") or name in ("sun", "observer", "space"):
        a = np.broadcast_to(a, shape)
    if a.shape != shape:
        raise ValueError(f"{name} must have the shape {shape}, not {a.shape}")
    return np.ascontiguousarray(a)


def _solution(found: dict[str, Any], intervals: tuple[str, ...] = ("68", "95")) -> dict[str, Any]:
    """The numbers of a solution; the covariance is that of what is determined."""
    import numpy as np

    quantities = found.pop("quantities")
    names, size = found["columns"], len(found["columns"])
    keep = [k for k, q in enumerate(quantities[:size]) if q[1] and q[2] > 0]
    found["covariance"] = np.array(found["covariance"]).reshape(size, size)[np.ix_(keep, keep)]
    found["columns"] = tuple(names[k] for k in keep)
    found["not_determined"] = tuple(q[0] for q in quantities if not q[1])
    found["intervals"] = {q[0]: dict(zip(intervals, q[3:], strict=True)) for q in quantities
                          if q[1] and not np.isnan(q[3][0])}
    matrix = np.array(found["inertia_over_trace_covariance"]).reshape(3, 3)
    found["inertia_over_trace_covariance"] = matrix
    return found


def fit(times: ArrayLike, *, attitude: ArrayLike | None = None,
        velocity: ArrayLike | None = None, axis: ArrayLike | None = None,
        body_axis: ArrayLike | None = None, vector: ArrayLike | None = None,
        space: ArrayLike | None = None, brightness: ArrayLike | None = None,
        sun: ArrayLike | None = None, observer: ArrayLike | None = None,
        sigma: float | dict[str, ArrayLike] | None = None, free: Iterable[str] = START[:3],
        problem: str | None = None, parameters: dict[str, Any] | None = None,
        start: dict[str, Any] | None = None, loss: str = "squares",
        law: str = "lommel_seeliger", principal: bool = False,
        undirected: bool = False) -> Fit:
    """Inertia, start and parameters from observations at ascending times.

    Observed are attitudes (n, 4), whose sign does not count, velocities (n, 3) in the body,
    directions in space (n, 3) of the axis `body_axis` of the body (`undirected`: its two ends look
    the same, and these have no sign), directions `vector` (n, 3) that
    were measured in the body and are `space` (n, 3) in space, at times that may be equal, or
    brightness (n) with the directions of `sun` and `observer` in space. `sigma` is their standard
    deviation, a number or one for each kind by name; without it, the covariance comes from the
    scatter. `free` is what is sought: inertia, attitude, velocity, bias (of the observed
    velocities), parameters. What is not sought is known, and in `start`, as `System` takes it; else
    `start` is a first guess, and none is needed. With `principal` the products of inertia are 0.
    Of a free motion only ratios of the moments can be seen: the largest is 1. A large chi2 is a
    `UserWarning`.

    >>> import numpy as np
    >>> t = np.linspace(0, 20, 60)
    >>> seen = Body((1, 1.6, 2)).motion(velocity=(0.1, 0.8, 0.4))(t).attitude
    >>> found = fit(t, attitude=seen, sigma=1e-6)
    >>> found.body.tensor.diagonal().round(6)
    array([0.5, 0.8, 1. ])
    >>> found.covariance.shape, found.not_determined, found.rivals
    ((12, 12), (), ())
    """
    import numpy as np

    t = np.ascontiguousarray(doubles(times, "times"))
    if t.ndim != 1:
        raise ValueError(f"times must have one dimension, not the shape {t.shape}")
    n = len(t)
    given = {"attitude": attitude, "velocity": velocity, "axis": axis, "vector": vector,
             "brightness": brightness}
    seen = {name: _array(x, name, n, KINDS[name]) for name, x in given.items()}
    sigmas: dict[str, Any] = sigma if isinstance(sigma, dict) else dict.fromkeys(KINDS, sigma)
    if not sigmas:
        raise ValueError("sigma is an empty dictionary: remove it, or add a kind of observation")
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
    found = _core.fit(
        (t, *seen.values(), *errors, _array(sun, "sun", n, 3),
         _array(observer, "observer", n, 3), _array(space, "space", n, 3), residuals),
        (0, 0, 0) if body_axis is None else numbers_of(body_axis, 3, "body_axis"), sought,
        tuple(name for name in names if name not in START), problem or "free", numbers, known,
        _choice(loss, LOSSES, "loss"), _choice(law, LAWS, "law"), bool(principal), bool(undirected))
    solutions = []
    for result in found:
        values = dict(numbers)
        at = 0
        for name in (x for x in names if x not in START):
            width = sum(c.rstrip("123456789") == name or c == name for c in result["columns"])
            values[name] = result["parameter"][at:at + width]
            at += width
        solutions.append(Fit(_solution(result), problem, values))
    best = solutions[0]
    best.fit["residuals"] = residuals
    best.rivals = tuple(solutions[1:])
    if not best.fit["covariance_scaled"] and best.chi2 > LARGE * best.degrees_of_freedom > 0:
        warnings.warn(f"chi2 is {best.chi2 / best.degrees_of_freedom:.3g} per degree of freedom: "
                      "the model does not fit the observations, or sigma is too small",
                      UserWarning, stacklevel=2)
    return best
