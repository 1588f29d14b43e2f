"""Many bodies in one problem, each with an inertia, a start and parameters of its own."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, overload

from . import _core
from .catalog import fact
from .files import days_from_j2000
from .systems import (Problem, Scheme, _end_progress, _hears, _numbers, _parts, _step_settings,
                      _time_unit, _unit)
from .rotations import euler, matrix, rotation
from .tables import window_rows
from .values import Quantity, doubles, duration, whole, without_units

if TYPE_CHECKING:
    import datetime

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from .fits import Fit

    Array = NDArray[np.float64]

LANES = "dop853"  # the method of those who give a tolerance alone
EXACT, ANY_TIME = "exact", 1e-10  # that of free bodies; the tolerance says that any time is reached
MOST = 2**40  # bodies
MOST_BINS = 2**20
ROUND_OFF = 1e-14  # by which the largest moment may exceed the sum of the others
WIDTHS = {"inertia": 3, "attitude": 4, "velocity": 3, "momentum": 3}


def _product(q: Array, turn: Array) -> Array:
    """q exp(turn) of rotation vectors (N, 3)."""
    import numpy as np

    angle = np.linalg.norm(turn, axis=1, keepdims=True)
    w, v = np.cos(angle / 2), np.sinc(angle / (2 * np.pi)) / 2 * turn
    return np.hstack([q[0] * w - v @ q[1:, None], q[0] * v + w * q[1:] + np.cross(q[1:], v)])


def _in_range(words: str, x: Array) -> NDArray[np.bool_]:
    """Which numbers a parameter may have, by the words of its range."""
    import numpy as np

    known = {"> 0": x > 0, ">= 0": x >= 0, ">= 0 and < 1": (x >= 0) & (x < 1),
             "a whole number >= 1": (x >= 1) & (x == np.floor(x))}
    return np.isfinite(x) & known.get(words, True)


class Samples(NamedTuple):
    """The bodies at T times: arrays (T, N, 4) and (T, N, 3), NaN where a body did not come."""

    time: Array  #: (T)
    attitude: Array  #: (T, N, 4), scalar first, body to space
    momentum: Array  #: (T, N, 3), in the body frames
    velocity: Array  #: (T, N, 3), in the body frames

    @property
    def matrix(self) -> Array:
        """Rotation matrices (T, N, 3, 3), body to space."""
        return matrix(self.attitude)

    def euler(self, sequence: str = "zxz", degrees: bool = False) -> Array:
        """Euler angles (T, N, 3); see polhode.euler."""
        return euler(self.attitude, sequence, degrees)

    def rotation(self) -> Any:
        """A `scipy.spatial.transform.Rotation` of T N rotations, a time after the other; needs
        SciPy."""
        return rotation(self.attitude.reshape(-1, 4))


Samples.time.__doc__ = "The times, (T)."
Samples.attitude.__doc__ = "The attitudes, (T, N, 4), scalar first, body to space."
Samples.momentum.__doc__ = "The angular momenta, (T, N, 3), in the body frames."
Samples.velocity.__doc__ = "The angular velocities, (T, N, 3), in the body frames."


class Reduction(NamedTuple):
    """Over the bodies at T times, of C quantities."""

    time: Array  #: (T)
    bodies: Array  #: (T), that came there
    mean: Array  #: (T, C)
    covariance: Array  #: (T, C, C)
    histogram: Array | None  #: (T, C, bins), what lies outside in its ends; or None
    edges: Array | None  #: (C, bins + 1)


class Ensemble:
    """N bodies in a problem: `inertia` (N, 3) or `tensor` (N, 3, 3), `attitude` (N, 4), `velocity`
    or `momentum` (N, 3), `parameters` each a number or an array (N,), a vector (N, 3). What has no
    first dimension N is the same for all. Each body has the bits of `System` with the same method;
    dop853, the default with a tolerance, moves a body a lane of the machine's vectors. `device`, the
    name of an OpenCL device or "any", moves them there, by dop853 or a scheme with a step.

    >>> import numpy as np
    >>> spin = np.random.default_rng(1).normal(0.001, 1e-4, (100, 3))
    >>> many = Ensemble("spacecraft", velocity=spin, parameters={"damping": 0.01}, tolerance=1e-9)
    >>> many.sample([0, 600, 3600]).attitude.shape
    (3, 100, 4)
    >>> many.run(until=7200).status.any(), many.velocity.shape
    (False, (100, 3))
    """

    def __init__(self, problem: str | Problem, method: str | Scheme | None = None, *,
                 inertia: ArrayLike | None = None, tensor: ArrayLike | None = None,
                 attitude: ArrayLike | None = None, velocity: ArrayLike | None = None,
                 momentum: ArrayLike | None = None, parameters: dict[str, Any] | None = None,
                 step: Quantity | None = None, tolerance: float | None = None,
                 longest_step: Quantity | None = None, bodies: int | None = None,
                 device: str | None = None) -> None:
        import numpy as np

        given: dict[str, Any] = {"inertia": inertia, "attitude": attitude,
                                 "velocity": velocity, "momentum": momentum}
        if tensor is not None:
            x = doubles(tensor, "tensor", finite=True)
            if x.shape[-2:] != (3, 3):
                raise ValueError(f"tensor must have the shape (N, 3, 3), not {x.shape}")
            given["tensor"] = x[..., [0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
        same: dict[str, Any] = {}
        each: dict[str, Array] = {}
        for name, value in given.items():
            if value is None:
                continue
            x = doubles(without_units(value, name, _unit(problem, name)), name, finite=True)
            width = WIDTHS.get(name, 6)
            if x.ndim not in (1, 2) or x.shape[-1] != width:
                raise ValueError(f"{name} must have the shape (N, {width}), not {x.shape}")
            if x.ndim == 2:
                each[name] = np.require(x, requirements=["C", "A"])
            else:
                same[name] = _numbers(x, name, problem)
        sizes = {len(x) for x in each.values()}
        for name, value in dict(parameters or {}).items():
            if name in same or name in each:
                raise ValueError(f"{name} is given twice: remove it from parameters=")
            value = without_units(value, name, _unit(problem, name), _time_unit(problem))
            x = np.asarray(value, np.float64)
            if x.ndim == 2 or (x.ndim == 1 and (len(x) in sizes or len(x) == bodies or
                                                (not sizes and bodies is None and len(x) != 3))):
                each[name] = doubles(x, name, finite=True).reshape(len(x), -1)
                sizes.add(len(x))
            else:
                same[name] = _numbers(value, name, problem)
        if bodies is not None:
            sizes.add(whole(bodies, "bodies", 1, MOST))
        if len(sizes) != 1:
            raise ValueError("the arrays have different numbers of bodies, "
                             f"{sorted(sizes)}: give one row for each body" if sizes else
                             "the number of bodies is unknown: give an array or bodies=")
        self.n = sizes.pop()
        if self.n == 0:
            raise ValueError("there are no bodies: give at least one")
        if method is None and step is None:
            facts = fact("problem", problem) if isinstance(problem, str) else None
            free = facts is not None and not facts["torque"] and device is None
            method = EXACT if free else LANES
            if free and tolerance is None:
                tolerance = ANY_TIME
        h, allowed_error, longest = _step_settings(problem, method, step, tolerance, longest_step)
        self._recipe = (problem, method, h, same, each, self.n, allowed_error, longest, device)
        self._core = _make(self._recipe)
        for text in self._core.warnings:
            warnings.warn(text, stacklevel=2)
        self.time = 0.0
        self._ends: list[float] = []  # of the runs so far
        self._digits: Array | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self._recipe, self._ends, self._digits)

    def __len__(self) -> int:
        return self.n

    def __repr__(self) -> str:
        return f"<Ensemble of {self.n} bodies by {self.method} at t = {self.time:.10g}>"

    @property
    def method(self) -> str:
        """The name of the method."""
        return self._core.method

    @property
    def status(self) -> NDArray[np.int64]:
        """Of each body: 0, or why its last run ended early."""
        import numpy as np

        return np.frombuffer(self._core.status(), np.int64)

    def _now(self, which: int) -> Array:
        import numpy as np

        parts = [np.empty((self.n, k)) for k in (4, 3, 3)]
        self._core.state(parts[0], parts[1], parts[2])
        return parts[which]

    @property
    def attitude(self) -> Array:
        """The attitudes now (N, 4)."""
        return self._now(0)

    @property
    def momentum(self) -> Array:
        """The momenta now, in the body frames (N, 3)."""
        return self._now(1)

    @property
    def velocity(self) -> Array:
        """The angular velocities now, in the body frames (N, 3)."""
        return self._now(2)

    @property
    def matrix(self) -> Array:
        """The rotation matrices now (N, 3, 3), body to space."""
        return matrix(self.attitude)

    def euler(self, sequence: str = "zxz", degrees: bool = False) -> Array:
        """The Euler angles now (N, 3); see polhode.euler."""
        return euler(self.attitude, sequence, degrees)

    def rotation(self) -> Any:
        """The attitudes now as a `scipy.spatial.transform.Rotation`; needs SciPy."""
        return rotation(self.attitude)

    @staticmethod
    def _times(times: ArrayLike) -> Array:
        import numpy as np

        t = np.array(doubles(times, "times", finite=True), ndmin=1)
        if t.ndim != 1 or not t.size or (np.diff(t) < 0).any() or t[0] < 0:
            raise ValueError("times must increase, from 0 on: sort them")
        return t

    def _go(self, core: _core.Ensemble, until: float, times: Array,
            progress: bool | Callable[[float], Any], digits: Array | None = None) -> Samples:
        import numpy as np

        parts = [np.full((len(times), self.n, k), np.nan) for k in (4, 3, 3)]
        hears = _hears(progress, 1.0)
        core.run(until, times, parts[0], parts[1], parts[2], hears, digits)
        _end_progress(progress, hears)
        return Samples(times, parts[0], parts[1], parts[2])

    def _duration(self, until: Any) -> float:
        return duration(until, "until", _time_unit(self._recipe[0]))

    def run(self, until: Quantity, *, progress: bool | Callable[[float], Any] = False,
            companion: bool = False) -> Ensemble:
        """Takes all bodies that have not failed to a time; `status` tells of those that fail.

        With `companion` each body has a companion to a tenth of the tolerance, as in
        `System.run`. `digits_hold_until` then tells how long the digits of each body hold, and a
        warning says if those of some do not hold to the end. The run must begin at the start of the
        bodies, by a method that chooses its steps, and takes about twice the time or more.
        """
        import numpy as np

        end = self._duration(until)
        if companion and self._recipe[-1] is not None:
            raise ValueError("a run on a device has no companion: remove companion=, or device=")
        digits = np.full(self.n, np.nan) if companion else None
        self._go(self._core, end, np.empty(0), progress, digits)
        self.time = end
        self._ends.append(end)
        if digits is not None:
            self._digits = digits
            self._warn_of_digits(digits, end)
        return self

    def _warn_of_digits(self, digits: Array, end: float) -> None:
        lost = (self.status == 0) & (abs(digits) < abs(end))
        if lost.any():
            first = int(digits[lost].argmin())
            body = int(lost.nonzero()[0][first])
            warnings.warn(f"the requested digits of {lost.sum()} of {self.n} bodies do not hold to the "
                          f"end, those of body {body} only until t = {digits[body]:.4g}: later the "
                          "error of the attitude exceeds 20 tolerances per turn; "
                          "`digits_hold_until` has the time for each body", stacklevel=3)

    @property
    def digits_hold_until(self) -> Array:
        """Of each body the latest time until which its digits are known to hold, (N); NaN if there
        was no companion."""
        import numpy as np

        return np.full(self.n, np.nan) if self._digits is None else self._digits.copy()

    def sample(self, times: ArrayLike, *,
               progress: bool | Callable[[float], Any] = False) -> Samples:
        """The bodies at increasing times from their start, 0, on; the ensemble stays where it is."""
        t = self._times(times)
        core = _make(self._recipe)
        rows = self._go(core, float(t[-1]), t, progress)
        return rows

    @overload
    def events(self, condition: str, until: Quantity, *, all: Literal[False] = False,
               epoch: str | datetime.datetime | None = None) -> tuple[Array, Array]: ...
    @overload
    def events(self, condition: str, until: Quantity, *, all: Literal[True],
               epoch: str | datetime.datetime | None = None) -> np.recarray[Any, Any]: ...
    def events(self, condition: str, until: Quantity, *, all: bool = False,
               epoch: str | datetime.datetime | None = None) -> Any:
        """When a condition such as "R33 < 0" first becomes true for each body from its start, NaN if
        it does not, and how often: (first, count). With `all` the windows of all bodies in which it
        holds, as records with `body`, `enter`, `leave`, `extremum_time` and `extremum`: see
        `System.events`, whose bits they have."""
        import numpy as np

        core = _make(self._recipe)
        if epoch is not None:
            core.set_epoch(days_from_j2000(epoch))
        if all:
            return window_rows(core.windows(self._duration(until), condition), "body", None)
        first, count = np.empty(self.n), np.empty(self.n)
        core.events(self._duration(until), condition, first, count)
        return first, count

    def reduce(self, times: ArrayLike, of: Sequence[str], *, bins: int = 0,
               ranges: ArrayLike | None = None) -> Reduction:
        """Mean, covariance and, with `bins` and `ranges` (C, 2) or (2,), a histogram of expressions
        such as "w1" or "R33" over the bodies, from their start on, without keeping their states.

        >>> many = Ensemble("free", velocity=[[1, 0, 0], [1.2, 0, 0]])
        >>> many.reduce([0, 1], ["w1", "w2"]).mean.round(12)
        array([[1.1, 0. ],
               [1.1, 0. ]])
        """
        import numpy as np

        t = self._times(times)
        texts = (of,) if isinstance(of, str) else tuple(of)
        T, C = len(t), len(texts)
        bodies, mean, covariance = np.zeros(T), np.zeros((T, C)), np.zeros((T, C, C))
        histogram = edges = low = high = None
        bins = whole(bins, "bins", 0, MOST_BINS)
        if bins:
            if ranges is None:
                raise ValueError("a histogram needs ranges=, the ends of its bins")
            ends = np.broadcast_to(doubles(ranges, "ranges", finite=True), (C, 2))
            low, high = ends[:, 0].copy(), ends[:, 1].copy()
            edges = np.linspace(low, high, bins + 1, axis=1)
            histogram = np.zeros((T, C, bins))
        _make(self._recipe).reduce(float(t[-1]), t, texts, bodies, mean, covariance,
                                             histogram, low, high)
        return Reduction(t, bodies, mean, covariance, histogram, edges)

    @classmethod
    def from_fit(cls, fit: Fit, samples: int, seed: int = 0, *,
                 method: str | Scheme | None = None, step: Quantity | None = None,
                 tolerance: float | None = None, device: str | None = None,
                 spread: dict[str, float] | None = None) -> Ensemble:
        """Bodies drawn from the covariance of a `fit`, which start where it found the motion at its
        first time. Sample k depends on the seed and on k alone; draws that no body can have are
        drawn again, and a `UserWarning` says how many. If the fit does not determine a quantity,
        `spread` must contain its standard deviation: {"attitude": 0.5}, in radians; the names are
        inertia (whose largest moment is 1), attitude, velocity and those of parameters."""
        import numpy as np

        samples, seed = whole(samples, "samples", 1, MOST), whole(seed, "seed", 0, 2**64 - 1)
        found = fit.fit
        start = found["tensor"]
        parameters: dict[str, Any] = {}
        problem = "free"
        if fit.problem is not None:
            problem, parameters = fit.problem, dict(fit.system().parameters)
        columns, covariance = _with_spread(found, dict(spread or {}), parameters)
        n = len(columns)
        drawn_parameters: list[tuple[str, list[str], Array, str]] = []
        if fit.problem is not None:
            row = fact("problem", problem) if isinstance(problem, str) else None
            ranges = {p["name"]: p["range"] for p in row["parameters"]} if row else {}
            for name, value in parameters.items():
                words = _columns_of(name, value)
                if any(c in columns for c in words):
                    drawn_parameters.append((name, words, np.ravel(value),
                                             ranges.get(name, "any")))
        x = np.empty((samples, n))

        def part(names: Sequence[str], mean: Any) -> Array:
            shift = [x[:, columns.index(c)] if c in columns else np.zeros(samples) for c in names]
            return np.asarray(np.array(mean) + np.array(shift).T, np.float64)

        again = np.ones(samples, bool)
        for attempt in range(1000):
            drawn = np.empty((samples, n))
            _core.draw(covariance, n, seed, attempt, drawn)
            x[again] = drawn[again]
            xx, yy, zz, xy, xz, yz = part(("J11", "J22", "J33", "J12", "J13", "J23"), start).T
            J = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]).transpose(2, 0, 1)
            moments = np.linalg.eigvalsh(J)
            possible = (moments[:, 0] > 0) & (
                moments[:, 2] <= (moments[:, 0] + moments[:, 1]) * (1 + ROUND_OFF))
            for _, words, value, words_of_range in drawn_parameters:
                possible &= _in_range(words_of_range, part(words, value)).all(axis=1)
            again = ~possible
            if attempt == 0 and again.any():
                warnings.warn(f"{again.sum()} of {samples} samples were drawn again, because no body "
                              "can have the values of the first draw: the spread of the samples "
                              "is smaller than the covariance", UserWarning, stacklevel=2)
            if not again.any():
                break
        else:
            raise ValueError("none of 1000 draws of a sample is a possible body: use a fit with "
                             "smaller deviations")
        for name, words, value, _ in drawn_parameters:
            parameters[name] = part(words, value)
        turn = part(("theta1", "theta2", "theta3"), (0.0, 0.0, 0.0))
        attitude = _product(np.array(found["attitude"]), turn)
        return cls(problem, method, tensor=J, attitude=attitude, parameters=parameters, step=step,
                   velocity=part(("w1", "w2", "w3"), found["velocity"]), tolerance=tolerance,
                   device=device)

    def quantiles(self, times: ArrayLike, q: Sequence[float] = (0.05, 0.5, 0.95), *,
                  of: Callable[[Samples], Array] = lambda s: s.velocity) -> Array:
        """Quantiles over the bodies of an array (T, N, ...) that `of` makes of the samples:
        (len(q), T, ...). Bodies that did not come to a time are left out there."""
        import numpy as np

        return np.nanquantile(of(self.sample(times)), doubles(q, "q", finite=True), axis=1)


def _columns_of(name: str, value: Any) -> list[str]:
    """The columns of a parameter."""
    import numpy as np

    size = np.size(value)
    return [name] if size == 1 else [f"{name}{k + 1}" for k in range(size)]


def _with_spread(found: dict[str, Any], spread: dict[str, float],
                 parameters: dict[str, Any]) -> tuple[tuple[str, ...], Array]:
    """The columns of a fit with their covariance, and those that it does not determine with the
    deviations of `spread`."""
    import numpy as np

    drawn = {"attitude": ["theta1", "theta2", "theta3"], "velocity": ["w1", "w2", "w3"],
             "inertia": ["J11", "J22", "J33", "J12", "J13", "J23"]}
    drawn |= {name: _columns_of(name, value) for name, value in parameters.items()}
    parts: dict[str, list[str]] = {}
    for name, words in drawn.items():
        undetermined = [c for c in words if c in found["not_determined"]]
        if undetermined:
            parts[name] = undetermined
    for name in spread:
        if name not in parts:
            raise ValueError(f"spread: the fit determines {name}, or does not have it: remove it")
    columns, deviations = list(found["columns"]), []
    for name, undetermined in parts.items():
        if name not in spread:
            raise ValueError(f"the fit does not determine {', '.join(undetermined)}: give the spread, "
                             f"as in spread={{'{name}': deviation}}")
        deviation = float(spread[name])
        if not 0 <= deviation < math.inf:
            raise ValueError(f"spread: the deviation of {name} must be a finite number from 0")
        columns += undetermined
        deviations += [deviation] * len(undetermined)
    size = len(found["columns"])
    covariance = np.diag(np.concatenate([np.zeros(size), np.square(deviations)]))
    covariance[:size, :size] = found["covariance"]
    return tuple(columns), np.ascontiguousarray(covariance)


def _make(recipe: Any) -> _core.Ensemble:
    """The bodies in their start."""
    problem, method = recipe[:2]
    return _core.Ensemble(_parts(problem, "problem"),
                          None if method is None else _parts(method, "method"), *recipe[2:])


def _again(recipe: Any, ends: list[float], digits: Array | None = None) -> Ensemble:
    """An ensemble that was pickled. It takes its runs again, which end in the same bits."""
    ensemble = Ensemble.__new__(Ensemble)
    ensemble._recipe, ensemble.n, ensemble.time, ensemble._ends = recipe, recipe[5], 0.0, []
    ensemble._core, ensemble._digits = _make(recipe), digits
    for end in ends:
        ensemble.run(end)
    return ensemble
