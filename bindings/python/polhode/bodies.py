"""Bodies and their exact free motion."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from . import _core, files
from .rotations import euler, matrix, quaternion_product, rotation
from .tables import html_table
from .values import Quantity, doubles, duration, number, vector, without_units

if TYPE_CHECKING:
    import datetime
    import os

    from .animations import Animation

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]

RADIANS = 1e4  # in a step, after which a search for events looks for Ctrl-C


def body_of(inertia: Any, tensor: Any) -> _core.Body | None:
    """The body of one of the two, or None."""
    if inertia is not None and tensor is not None:
        raise TypeError("give inertia= or tensor=, not both")
    if inertia is not None:
        return _core.Body(vector(inertia, 3, "inertia"))
    if tensor is None:
        return None
    J = doubles(tensor, "tensor", (3, 3), finite=True)
    if abs(J - J.T).max() > 1e-12 * abs(J).max():
        raise ValueError("tensor must be symmetric")
    return _core.Body(tuple(J.ravel().tolist()))


class Body:
    """A rigid body: three principal moments, or the inertia tensor in any frame fixed in it
    (J_xy = - integral of x y dm). Everything about it is in that frame. Two bodies are equal if
    their tensors are.

    `inertia` (N, 3) or `tensor` (N, 3, 3) make N bodies, `Bodies`, whose motions are computed
    together.

    >>> Body(inertia=(1, 2, 3)).velocity((1, 2, 6))
    array([1., 1., 2.])
    >>> Body(inertia=[(1, 2, 3), (2, 2, 3)]).motion(velocity=[(0, 2, 1), (1, 0, 1)])([0, 5]).attitude.shape
    (2, 2, 4)
    """

    __slots__ = ("_core", "_given")

    def __new__(cls, inertia: Any = None, *, tensor: Any = None) -> Any:
        for value, one in ((inertia, 1), (tensor, 2)):
            if value is not None and _dimensions(value) == one + 1:
                return Bodies(inertia, tensor=tensor)
        return super().__new__(cls)

    def __init__(self, inertia: Sequence[float] | None = None, *,
                 tensor: ArrayLike | None = None) -> None:
        self._take(inertia, tensor)
        if not self.physical:
            import warnings

            warnings.warn("no rigid body can have the moments of inertia {:g}, {:g}, {:g}, because "
                          "one exceeds the sum of the others: check them".format(*self.moments),
                          stacklevel=2)

    def _take(self, inertia: Any, tensor: Any) -> None:
        body = body_of(inertia, tensor)
        if body is None:
            raise TypeError("give inertia=, three moments, or tensor=, a (3, 3) array")
        self._core = body
        self._given = ((body.moments, None) if tensor is None else
                       (None, doubles(tensor, "tensor").copy()))

    @property
    def moments(self) -> tuple[float, float, float]:
        """The principal moments."""
        return self._core.moments

    @property
    def axes(self) -> Array:
        """The principal axes, as columns, in the frame of the body."""
        return matrix(self._core.axes)

    @property
    def tensor(self) -> Array:
        """The inertia tensor in the frame of the body."""
        return (self.axes * self.moments) @ self.axes.T

    @property
    def physical(self) -> bool:
        """Whether matter can have these moments: none above the sum of the others."""
        return self._core.physical

    def _convert(self, value: ArrayLike, name: str, to_velocity: bool) -> Array:
        import numpy as np

        x = doubles(value, name)
        if x.ndim == 0 or x.shape[-1] != 3:
            raise ValueError(f"{name} must have the shape (..., 3), not {x.shape}")
        out = np.empty_like(x)
        self._core.convert(x, out, to_velocity)
        return out

    def velocity(self, momentum: ArrayLike) -> Array:
        """Angular velocities of momenta (..., 3)."""
        return self._convert(momentum, "momentum", True)

    def momentum(self, velocity: ArrayLike) -> Array:
        """Momenta of angular velocities (..., 3)."""
        return self._convert(velocity, "velocity", False)

    def motion(self, attitude: Sequence[float] = (1, 0, 0, 0), *,
               velocity: Sequence[Quantity] | None = None,
               momentum: Sequence[float] | None = None) -> Motion:
        """The exact free motion from an attitude and a velocity or a momentum.

        >>> Body((1, 1, 2)).motion(momentum=(0.6, 0, 0.8)).precession
        1.0
        """
        if (velocity is None) == (momentum is None):
            raise TypeError("give exactly one of velocity= and momentum=")
        if momentum is None:
            rate = without_units(velocity, "velocity", "rad/t")
            momentum = self.momentum(vector(rate, 3, "velocity")).tolist()
        return Motion(self, attitude, momentum)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Body):
            return NotImplemented
        return (self._core.moments, self._core.axes) == (other._core.moments, other._core.axes)

    def __hash__(self) -> int:
        return hash((self._core.moments, self._core.axes))

    def __reduce__(self) -> tuple[Any, ...]:
        return body_quietly, self._given

    def __repr__(self) -> str:
        return f"Body(inertia={self.moments})"


def _dimensions(value: Any) -> int:
    """How many indices a number of an array or of nested sequences has."""
    if hasattr(value, "ndim"):
        return int(value.ndim)
    if isinstance(value, (list, tuple)) and len(value):
        return 1 + _dimensions(value[0])
    return 1 if hasattr(value, "__len__") else 0


class Bodies:
    """N rigid bodies: `inertia` (N, 3), or `tensor` (N, 3, 3). `Body` makes them from such arrays.

    >>> Bodies([(1, 2, 3), (2, 2, 3)]).velocity([(1, 2, 6), (2, 2, 3)])
    array([[1., 1., 2.],
           [1., 1., 1.]])
    """

    __slots__ = {"_axes": "The principal axes as quaternions, or None.",
                 "moments": "The principal moments of inertia, (N, 3)."}

    def __init__(self, inertia: Any = None, *, tensor: Any = None) -> None:
        import numpy as np

        if (inertia is None) == (tensor is None):
            raise TypeError("give exactly one of inertia= and tensor=")
        self._axes: Array | None = None
        if tensor is None:
            self.moments = doubles(inertia, "inertia", (None, 3), finite=True).copy()
        else:
            bodies = [Body(tensor=J) for J in doubles(tensor, "tensor", (None, 3, 3))]
            self.moments = np.array([b.moments for b in bodies]).reshape(-1, 3)
            self._axes = np.array([b._core.axes for b in bodies]).reshape(-1, 4)
        if not (self.moments > 0).all():
            raise ValueError("inertia must be positive")

    def __len__(self) -> int:
        return len(self.moments)

    def _principal(self, value: Array, back: bool = False) -> Array:
        """Vectors (..., N, 3) in the principal axes, or from them."""
        import numpy as np

        if self._axes is None:
            return value
        of = "nij,...nj->...ni" if back else "nji,...nj->...ni"
        return np.einsum(of, matrix(self._axes), value)

    def _vectors(self, value: ArrayLike, name: str) -> Array:
        x = doubles(value, name)
        if x.ndim < 2 or x.shape[-2:] != (len(self), 3):
            raise ValueError(f"{name} must have the shape (..., {len(self)}, 3), not {x.shape}")
        return x

    def velocity(self, momentum: ArrayLike) -> Array:
        """Angular velocities of momenta (..., N, 3)."""
        m = self._principal(self._vectors(momentum, "momentum"))
        return self._principal(m / self.moments, back=True)

    def momentum(self, velocity: ArrayLike) -> Array:
        """Momenta of angular velocities (..., N, 3)."""
        w = self._principal(self._vectors(velocity, "velocity"))
        return self._principal(w * self.moments, back=True)

    def motion(self, attitude: ArrayLike = (1, 0, 0, 0), *, velocity: ArrayLike | None = None,
               momentum: ArrayLike | None = None) -> Motions:
        """The exact free motions from attitudes (N, 4) and velocities or momenta (N, 3). What has
        no first dimension N is the same for all."""
        import numpy as np

        if (velocity is None) == (momentum is None):
            raise TypeError("give exactly one of velocity= and momentum=")
        name = "velocity" if momentum is None else "momentum"
        given: Any = velocity if momentum is None else momentum
        x = doubles(given, name, finite=True)
        x = np.broadcast_to(x, (len(self), 3)) if x.shape == (3,) else x
        return Motions(self, attitude, self.momentum(x) if momentum is None else
                       self._vectors(x, name))

    def __repr__(self) -> str:
        return f"<Bodies: {len(self)}>"


class Motions:
    """Exact free motions of N bodies. Call them with a time, or an array of times of any shape.

    >>> many = Body([(1, 2, 3), (2, 2, 3)]).motion(velocity=(0, 2, 1))
    >>> many(5.0).attitude.shape, many([0.0, 1.0, 2.0]).velocity.shape
    ((2, 4), (3, 2, 3))
    """

    __slots__ = {"_momentum": None, "_attitude": None, "body": "The bodies, a `Bodies`."}

    def __init__(self, body: Bodies, attitude: ArrayLike, momentum: Array) -> None:
        import numpy as np

        n = len(body)
        q = doubles(attitude, "attitude", finite=True)
        q = np.broadcast_to(q, (n, 4)) if q.shape == (4,) else doubles(q, "attitude", (n, 4))
        size = np.linalg.norm(q, axis=1, keepdims=True)
        if not size.all():
            raise ValueError("attitude must not be the zero quaternion: "
                             "use (1, 0, 0, 0) for the identity")
        self.body = body
        self._attitude, self._momentum = q / size, momentum

    def __call__(self, times: ArrayLike) -> States:
        """The states at the times: `attitude` (..., N, 4), `momentum` and `velocity` (..., N, 3),
        where ... is the shape of the times. Each is one exact step from the start, in vector lanes."""
        import numpy as np

        from .batches import Batch

        t = doubles(times, "times", finite=True)
        n, turn = len(self.body), self.body._axes
        start = self._attitude if turn is None else quaternion_product(self._attitude, turn)
        m0 = np.ascontiguousarray(self.body._principal(self._momentum).T)
        q0, J = np.ascontiguousarray(start.T), np.ascontiguousarray(self.body.moments.T)
        q, m = np.empty((t.size, n, 4)), np.empty((t.size, n, 3))
        for k, h in enumerate(t.ravel().tolist()):
            at = Batch(J, q0.copy(), m0.copy())
            if h != 0.0:
                at.step("exact", h)
            q[k], m[k] = at.q.T, at.m.T
        if turn is not None:
            q = quaternion_product(q, np.broadcast_to(turn * (1, -1, -1, -1), q.shape))
            m = self.body._principal(m, back=True)
        return States(self.body, t, q.reshape(*t.shape, n, 4), m.reshape(*t.shape, n, 3))

    def __repr__(self) -> str:
        return f"<Motions of {len(self.body)} bodies>"


def body_quietly(inertia: Any, tensor: Any) -> Body:
    """A body without a warning: it was given before, or the system that it is for warns."""
    body = Body.__new__(Body)
    body._take(inertia, tensor)
    return body


def _number(x: float) -> str:
    return f"{x:.6g}"


class States:
    """Attitudes (..., 4), scalar first, body to space, and momenta and velocities (..., 3) in
    the body frame, at the times `time`.

    >>> Body((1, 2, 3)).motion(velocity=(0, 2, 0.1))([0.0, 1.0]).velocity.shape
    (2, 3)
    """

    __slots__ = {"_attitude": None, "_momentum": None, "_body": None,
                 "time": "The times of the states, as they were given."}

    def __init__(self, body: Body | Bodies, time: Any, attitude: Any, momentum: Any) -> None:
        self._body = body
        self.time = time
        self._attitude = attitude
        self._momentum = momentum

    @property
    def attitude(self) -> Array:
        """Quaternions, scalar first, body to space."""
        if type(self._attitude) is bytes:
            import numpy as np

            self._attitude = np.frombuffer(self._attitude, np.float64, 4).copy()
        return self._attitude

    @property
    def momentum(self) -> Array:
        """Angular momenta in the body frame."""
        if type(self._momentum) is bytes:
            import numpy as np

            self._momentum = np.frombuffer(self._momentum, np.float64, 3, 32).copy()
        return self._momentum

    @property
    def velocity(self) -> Array:
        """Angular velocities in the body frame."""
        return self._body.velocity(self.momentum)

    @property
    def matrix(self) -> Array:
        """Rotation matrices (..., 3, 3), body to space."""
        return matrix(self.attitude)

    @property
    def space_momentum(self) -> Array:
        """Angular momenta in space."""
        import numpy as np

        return np.einsum("...ij,...j->...i", self.matrix, self.momentum)

    def euler(self, sequence: str = "zxz", degrees: bool = False) -> Array:
        """Euler angles (..., 3); see polhode.euler."""
        return euler(self.attitude, sequence, degrees)

    def rotation(self) -> Any:
        """A `scipy.spatial.transform.Rotation`; needs SciPy."""
        return rotation(self.attitude)

    def _rows(self, most: int) -> list[list[str]]:
        """The names of columns, the first and the last rows, `most` in all; without those
        between them, for which a row of dots stands."""
        import numpy as np

        names = ["t", "q0", "q1", "q2", "q3", "m1", "m2", "m3", "w1", "w2", "w3"]
        times = np.asarray(self.time, np.float64).reshape(-1)
        n = len(times)
        which = list(range(n)) if n <= most else [*range(most // 2), *range(n - most // 2, n)]
        parts = [x.reshape(n, x.shape[-1])[which]
                 for x in (self.attitude, self.momentum, self.velocity)]
        rows = [[_number(x) for x in row]
                for row in np.column_stack([times[which], *parts]).tolist()]
        if n > most:
            rows.insert(most // 2, ["..."] * len(names))
        return [names, *rows]

    def _title(self) -> str:
        import numpy as np

        times = np.asarray(self.time, np.float64)
        about = f"t = {_number(float(times))}" if times.ndim == 0 else (
            f"{times.size} times" + (f", {times.flat[0]:.6g} to {times.flat[-1]:.6g}"
                                     if times.size else ""))
        return f"States of {self._body!r}, {about}"

    def __repr__(self) -> str:
        if isinstance(self._body, Bodies):
            return self._title()
        rows = self._rows(2)
        widths = [max(map(len, column)) for column in zip(*rows)]
        lines = ("  ".join(c.rjust(w) for c, w in zip(row, widths)) for row in rows)
        return "\n".join([self._title(), *lines])

    def _repr_html_(self) -> str:
        if isinstance(self._body, Bodies):
            return f"<p>{html.escape(self._title())}</p>"
        return f"<p>{self._title()}</p>{html_table(*self._rows(10))}"


class Derivatives:
    """Derivatives of a motion at its times, or of a system now: arrays (..., 3, n) of the small
    rotation of the attitude in the body, the momentum and the velocity, a column for each of
    `columns`.

    theta1, theta2, theta3: a small rotation of the initial attitude, in the body; m1, m2, m3: the
    initial momentum in the body; J11, J22, J33, J12, J13, J23: the tensor of inertia in the frame
    the body was given in, J12 standing for both of its entries; t; numbers of parameters.
    """

    __slots__ = {
        "attitude": "(..., 3, n): the small rotation of the attitude, in the body.",
        "columns": "The names of the n numbers that the columns are derivatives by.",
        "momentum": "(..., 3, n): the change of the momentum, in the body.",
        "time": "The times.",
        "velocity": "(..., 3, n): the change of the angular velocity, in the body.",
    }

    def __init__(self, time: Array, columns: Sequence[str] = _core.derivative_columns) -> None:
        import numpy as np

        self.columns = tuple(columns)
        shape = (*time.shape, 3, len(self.columns))
        self.time = time
        self.attitude, self.momentum, self.velocity = (np.empty(shape) for _ in range(3))

    def __repr__(self) -> str:
        return f"Derivatives at {self.time.size} times by {', '.join(self.columns)}"


class Motion:
    """An exact free motion. Call it with a time, or an array of any shape of them.

    >>> motion = Body((1, 2, 3)).motion(velocity=(0, 2, 1e-8))
    >>> motion([0.0, 30.0]).momentum[:, 1].round(6)
    array([ 4., -4.])
    """

    __slots__ = {"_at": None, "_core": None, "_start": None, "body": "The `Body` that moves."}

    def __init__(self, body: Body, attitude: Sequence[float],
                 momentum: Sequence[float]) -> None:
        q, m = vector(attitude, 4, "attitude"), vector(momentum, 3, "momentum")
        if not any(q):
            raise ValueError("attitude must not be the zero quaternion: "
                             "use (1, 0, 0, 0) for the identity")
        self.body = body
        self._start = q, m
        self._core = _core.Motion(body._core, q, m)
        self._at = self._core.at

    def __call__(self, times: ArrayLike, *, fast: bool = False) -> States:
        """The states at the times, with the bits of `polhode exact`; NaN where a time is not
        finite. With `fast` an array of times is done in vector lanes: in less time if they
        ascend and are close, and with the same states up to round-off."""
        if type(times) is float or type(times) is int:
            state = self._at(times)  # the doubles of both, as bytes until they are wanted
            return States(self.body, times, state, state)
        import numpy as np

        t = doubles(times, "times")
        q, m = np.empty(t.shape + (4,)), np.empty(t.shape + (3,))
        self._core.fill(t, q, m, fast)
        return States(self.body, t, q, m)

    def derivatives(self, times: ArrayLike) -> Derivatives:
        """How attitude (a small rotation in the body), momentum and velocity at the times change
        with the start, the inertia and the time, exactly; NaN where a time is not finite or a
        number is beyond double.

        >>> d = Body((1, 2, 3)).motion(velocity=(1, 2, 3)).derivatives(5.0)
        >>> d.momentum.shape, d.columns[9]
        ((3, 13), 'J12')
        """
        d = Derivatives(doubles(times, "times"))
        self._core.derivatives(d.time, d.attitude, d.momentum, d.velocity)
        return d

    def events(self, condition: Any, until: Quantity, *,
               epoch: str | datetime.datetime | None = None) -> np.recarray[Any, Any]:
        """All windows from 0 to a time, which may be negative, in which a condition holds: see
        `System.events`. On this motion it is proved that none is missed.

        >>> motion = Body((1, 2, 3)).motion(velocity=(0.1, 2, 0.1))
        >>> motion.events("angle([0,1,0], [1,0,0]) < 88deg", until=6).enter.round(6)
        array([1.838781, 5.008885])
        """
        from .systems import System

        until = duration(until, "until")
        q, m = self._start
        turn = abs(until) * sum(x * x for x in m) ** 0.5 / min(self.body.moments)
        step = until / max(1, math.ceil(turn / RADIANS)) or 1.0
        inertia, tensor = self.body._given
        system = System("free", "exact", step, inertia=inertia, tensor=tensor, attitude=q,
                        momentum=m)
        return system.events(condition, until, epoch=epoch)

    @property
    def energy(self) -> float:
        """The kinetic energy, which is constant."""
        return self._core.energy

    @property
    def period(self) -> float:
        """The time in which the momentum goes round once in the body; infinite where it stays,
        and on the separatrix."""
        return self._core.period

    @property
    def precession(self) -> float:
        """The mean angular velocity, in rad per time, at which the axis that the momentum
        encircles goes about the momentum in space."""
        return self._core.precession

    def write(self, path: str | os.PathLike[str], times: ArrayLike, *,
              object_name: str | None = None, object_id: str | None = None,
              epoch: str | datetime.datetime | None = None,
              version: str | None = None) -> None:
        """Writes the states at the times to a file; see `System.write`.

        >>> import os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "book.csv")
        >>> Body((1, 2, 3)).motion(velocity=(0, 2, 1e-8)).write(path, [0.0, 30.0])
        >>> open(path).readline()
        't,q0,q1,q2,q3,m1,m2,m3,w1,w2,w3,energy\\n'
        """
        import numpy as np

        s = self(doubles(times, "times", finite=True).reshape(-1))
        parts = {"attitude": s.attitude, "momentum": s.momentum, "velocity": s.velocity}
        letters = {"attitude": "q0,q1,q2,q3", "momentum": "m1,m2,m3", "velocity": "w1,w2,w3"}
        fields = {name: {"name": name, "columns": letters[name], "count": 1, "list": False,
                         "width": x.shape[1]} for name, x in parts.items()}
        rows = np.empty(len(s.time), [("time", "f8"), *(
            (name, "f8", x.shape[1:]) for name, x in parts.items()), ("energy", "f8")])
        for name, x in (("time", s.time), *parts.items()):
            rows[name] = x
        m, w, body = s.momentum.T, s.velocity.T, self.body._core
        rows["energy"] = 0.5 * (m[0] * w[0] + m[1] * w[1] + m[2] * w[2])
        files.write(path, fields, lambda: rows, {"moments": np.array(body.moments),
                                         "axes": np.array(body.axes)},
                    object_name=object_name, object_id=object_id, epoch=epoch, version=version,
                    method="exact")

    def __repr__(self) -> str:
        q, m = self._start
        return (f"Motion of {self.body!r} from attitude ({', '.join(map(_number, q))}), "
                f"momentum ({', '.join(map(_number, m))}): energy {_number(self.energy)}, "
                f"period {_number(self.period)}")

    def animate(self, until: float | None = None, *, frames: int = 400) -> Animation:
        """The moving body, for a notebook: from t = 0 to `until`, by default three turns.

        >>> Body((1, 2, 3)).motion(velocity=(0.1, 2, 0)).animate(10.0)
        <Animation of free motion, 400 frames>
        """
        import numpy as np

        from .animations import animation_of, times_of

        rate = float(np.linalg.norm(self.body.velocity(self._start[1])))
        s = self(times_of(until, frames, 0.0, rate))
        return animation_of(self.body._core, s.time, s.attitude, s.momentum, s.velocity, "free motion")

    def _repr_html_(self) -> str:
        from html import escape

        from .animations import still

        return f"<p>{escape(repr(self))}</p>{still(self.animate(frames=2))}"

    def phase_digits(self, time: float) -> float:
        """How many decimal digits of the phase are left at a time: 15.95 down to 0."""
        return self._core.phase_digits(number(time, "time"))

    def __reduce__(self) -> tuple[Any, ...]:
        return Motion, (self.body, *self._start)
