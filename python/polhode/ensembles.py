"""Many bodies in one problem, each with an inertia, a start and parameters of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _core
from .systems import Problem, Scheme, _end_progress, _hears, _numbers, _parts
from .values import doubles, number

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]

LANES = "dop853"  # the method of those who give a tolerance alone
WIDTHS = {"inertia": 3, "attitude": 4, "velocity": 3, "momentum": 3}


class Samples(NamedTuple):
    """The bodies at T times: arrays (T, N, 4) and (T, N, 3), NaN where a body did not come."""

    time: Array
    attitude: Array
    momentum: Array
    velocity: Array


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
                 step: float | None = None, tolerance: float | None = None,
                 longest_step: float | None = None, bodies: int | None = None,
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
            x = doubles(value, name, finite=True)
            width = WIDTHS.get(name, 6)
            if x.ndim not in (1, 2) or x.shape[-1] != width:
                raise ValueError(f"{name} must have the shape (N, {width}), not {x.shape}")
            if x.ndim == 2:
                each[name] = x
            else:
                same[name] = _numbers(x, name)
        sizes = {len(x) for x in each.values()}
        for name, value in (parameters or {}).items():
            x = np.asarray(value, np.float64)
            if x.ndim == 2 or (x.ndim == 1 and (len(x) in sizes or len(x) == bodies or
                                                (not sizes and bodies is None and len(x) != 3))):
                each[name] = doubles(x, name, finite=True).reshape(len(x), -1)
                sizes.add(len(x))
            else:
                same[name] = _numbers(value, name)
        if bodies is not None:
            sizes.add(bodies)
        if len(sizes) != 1:
            raise ValueError("the arrays are of different numbers of bodies: "
                             f"{sorted(sizes)}" if sizes else
                             "no array says how many bodies there are: give bodies=")
        self.n = sizes.pop()
        if method is None and step is None:
            method = LANES
        self._recipe = (_parts(problem, "problem"),
                        None if method is None else _parts(method, "method"),
                        0.0 if step is None else number(step, "step"), same, each, self.n,
                        0.0 if tolerance is None else number(tolerance, "tolerance"),
                        0.0 if longest_step is None else number(longest_step, "longest_step"), device)
        self._core = _core.Ensemble(*self._recipe)
        self.time = 0.0

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

    def _go(self, core: _core.Ensemble, until: float, times: Array,
            progress: bool | Callable[[float], Any]) -> Samples:
        import numpy as np

        parts = [np.full((len(times), self.n, k), np.nan) for k in (4, 3, 3)]
        hears = _hears(progress, 1.0)
        core.run(until, times, parts[0], parts[1], parts[2], hears)
        _end_progress(progress, hears)
        return Samples(times, parts[0], parts[1], parts[2])

    def run(self, until: float, *, progress: bool | Callable[[float], Any] = False) -> Ensemble:
        """Takes all bodies that have not failed to a time; `status` tells of those that fail."""
        import numpy as np

        end = number(until, "until")
        self._go(self._core, end, np.empty(0), progress)
        self.time = end
        return self

    def sample(self, times: ArrayLike, *,
               progress: bool | Callable[[float], Any] = False) -> Samples:
        """The bodies at increasing times from their start, 0, on; the ensemble stays where it is."""
        import numpy as np

        t = np.ascontiguousarray(np.atleast_1d(doubles(times, "times", finite=True)))
        if t.ndim != 1 or not t.size or (np.diff(t) < 0).any() or t[0] < 0:
            raise ValueError("times must be a list that increases, from 0 on")
        core = _core.Ensemble(*self._recipe)
        rows = self._go(core, float(t[-1]), t, progress)
        return rows

    def events(self, condition: str, until: float) -> tuple[Array, Array]:
        """When a condition such as "R33 < 0" first becomes true for each body from its start, NaN if
        it does not, and how often: (first, count)."""
        import numpy as np

        first, count = np.empty(self.n), np.empty(self.n)
        _core.Ensemble(*self._recipe).events(number(until, "until"), condition, first, count)
        return first, count

    def quantiles(self, times: ArrayLike, q: Sequence[float] = (0.05, 0.5, 0.95), *,
                  of: Callable[[Samples], Array] = lambda s: s.velocity) -> Array:
        """Quantiles over the bodies of an array (T, N, ...) that `of` makes of the samples:
        (len(q), T, ...). Bodies that did not come to a time are left out there."""
        import numpy as np

        return np.nanquantile(of(self.sample(times)), q, axis=1)
