"""Bodies and their exact free motion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from . import _core
from .rotations import euler, matrix, rotation
from .values import doubles, number, vector

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]


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
    (J_xy = - integral of x y dm). Everything about it is in that frame.

    >>> Body(inertia=(1, 2, 3)).velocity((1, 2, 6))
    array([1., 1., 2.])
    """

    __slots__ = ("_core", "_given")

    def __init__(self, inertia: Sequence[float] | None = None, *,
                 tensor: ArrayLike | None = None) -> None:
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
               velocity: Sequence[float] | None = None,
               momentum: Sequence[float] | None = None) -> Motion:
        """The exact free motion from an attitude and a velocity or a momentum.

        >>> Body((1, 1, 2)).motion(momentum=(0.6, 0, 0.8)).precession
        1.0
        """
        if (velocity is None) == (momentum is None):
            raise TypeError("give velocity= or momentum=, one of them")
        if momentum is None:
            momentum = self.momentum(vector(velocity, 3, "velocity")).tolist()
        return Motion(self, attitude, momentum)

    def __reduce__(self) -> tuple[Any, ...]:
        return _body_again, self._given

    def __repr__(self) -> str:
        return f"Body(inertia={self.moments})"


def _body_again(inertia: Any, tensor: Any) -> Body:
    return Body(inertia, tensor=tensor)


class States:
    """Attitudes (..., 4), scalar first, body to space, and momenta and velocities (..., 3) in
    the body frame, at the times `time`.

    >>> Body((1, 2, 3)).motion(velocity=(0, 2, 0.1))([0.0, 1.0]).velocity.shape
    (2, 3)
    """

    __slots__ = ("_attitude", "_momentum", "_body", "time")

    def __init__(self, body: Body, time: Any, attitude: Any, momentum: Any) -> None:
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

    def __repr__(self) -> str:
        return f"<States at {self.time}>"


class Motion:
    """An exact free motion. Call it with a time, or an array of any shape of them.

    >>> motion = Body((1, 2, 3)).motion(velocity=(0, 2, 1e-8))
    >>> motion([0.0, 30.0]).momentum[:, 1].round(6)
    array([ 4., -4.])
    """

    __slots__ = ("_at", "_core", "_start", "body")

    def __init__(self, body: Body, attitude: Sequence[float],
                 momentum: Sequence[float]) -> None:
        q, m = vector(attitude, 4, "attitude"), vector(momentum, 3, "momentum")
        if not any(q):
            raise ValueError("attitude must not be the zero quaternion: "
                             "(1, 0, 0, 0) is the identity")
        self.body = body
        self._start = q, m
        self._core = _core.Motion(body._core, q, m)
        self._at = self._core.at

    def __call__(self, times: ArrayLike) -> States:
        """The states at the times; NaN where a time is not finite."""
        if type(times) is float or type(times) is int:
            state = self._at(times)  # the doubles of both, as bytes until they are wanted
            return States(self.body, times, state, state)
        import numpy as np

        t = doubles(times, "times")
        q, m = np.empty(t.shape + (4,)), np.empty(t.shape + (3,))
        self._core.fill(t, q, m)
        return States(self.body, t, q, m)

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

    def phase_digits(self, time: float) -> float:
        """How many decimal digits of the phase are left at a time: 15.95 down to 0."""
        return self._core.phase_digits(number(time, "time"))

    def __reduce__(self) -> tuple[Any, ...]:
        return Motion, (self.body, *self._start)
