"""Attitudes in other clothes: SciPy's order, matrices, Euler angles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .values import doubles

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]


def _quaternions(q: ArrayLike) -> Array:
    x = doubles(q, "q")
    if x.ndim == 0 or x.shape[-1] != 4:
        raise ValueError(f"quaternions must have the shape (..., 4), not {x.shape}")
    return x


def to_scipy(q: ArrayLike) -> Array:
    """(w, x, y, z) to SciPy's (x, y, z, w).

    >>> to_scipy([1, 0, 0, 0])
    array([0., 0., 0., 1.])
    """
    import numpy as np

    return np.roll(_quaternions(q), -1, axis=-1)


def from_scipy(q: ArrayLike) -> Array:
    """SciPy's (x, y, z, w), as `Rotation.as_quat()` gives it, to (w, x, y, z).

    >>> from_scipy([0, 0, 0, 1])
    array([1., 0., 0., 0.])
    """
    import numpy as np

    return np.roll(_quaternions(q), 1, axis=-1)


def rotation(q: ArrayLike) -> Any:
    """A `scipy.spatial.transform.Rotation`, body to space; needs SciPy.

    >>> float(rotation([1, 0, 0, 0]).magnitude())
    0.0
    """
    from scipy.spatial.transform import Rotation

    return Rotation.from_quat(to_scipy(q))


def matrix(q: ArrayLike) -> Array:
    """Rotation matrices (..., 3, 3), body to space, of unit quaternions (..., 4).

    >>> matrix([1, 0, 0, 0])[0]
    array([1., 0., 0.])
    """
    import numpy as np

    w, x, y, z = np.moveaxis(_quaternions(q), -1, 0)
    rows = [[w*w + x*x - y*y - z*z, 2*(x*y - w*z), 2*(x*z + w*y)],
            [2*(x*y + w*z), w*w - x*x + y*y - z*z, 2*(y*z - w*x)],
            [2*(x*z - w*y), 2*(y*z + w*x), w*w - x*x - y*y + z*z]]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def _axes(sequence: str) -> tuple[int, int, int]:
    names = {"x": 0, "y": 1, "z": 2}
    if (len(sequence) != 3 or any(c not in names for c in sequence)
            or sequence[0] == sequence[1] or sequence[1] == sequence[2]):
        raise ValueError(f"Euler angles need an axis sequence such as 'zxz', not {sequence!r}")
    first, second, third = (names[c] for c in sequence)
    return first, second, third


def euler(q: ArrayLike, sequence: str = "zxz", degrees: bool = False) -> Array:
    """Euler angles (..., 3) about the axes of the body as they are turned (intrinsic):
    R = R_first(a) R_second(b) R_third(c).

    b is in [0, pi] for sequences such as zxz, in [-pi/2, pi/2] for those such as zyx; where a
    and c are not determined, c is 0.

    >>> euler(from_euler((30, 20, 10), "zyx", degrees=True), "zyx", degrees=True).round(9)
    array([30., 20., 10.])
    """
    import numpy as np

    i, j, k = _axes(sequence)
    R = matrix(q)
    proper = i == k
    k = 3 - i - j if proper else k
    sign = 1.0 if (j - i) % 3 == 1 else -1.0
    # In the axes i, j, k, right-handed up to the sign.
    if proper:
        b = np.arctan2(np.hypot(R[..., i, j], R[..., i, k]), R[..., i, i])
        a = np.arctan2(R[..., j, i], -sign * R[..., k, i])
        c = np.arctan2(R[..., i, j], sign * R[..., i, k])
        locked = np.hypot(R[..., i, j], R[..., i, k]) < 1e-14
    else:
        cosine = np.hypot(R[..., i, i], R[..., i, j])
        b = np.arctan2(sign * R[..., i, k], cosine)
        a = np.arctan2(-sign * R[..., j, k], R[..., k, k])
        c = np.arctan2(-sign * R[..., i, j], R[..., i, i])
        locked = cosine < 1e-14
    a = np.where(locked, np.arctan2(sign * R[..., k, j], R[..., j, j]), a)
    c = np.where(locked, 0.0, c)
    angles = np.stack([a, b, c], axis=-1)
    return np.degrees(angles) if degrees else angles


def from_euler(angles: ArrayLike, sequence: str = "zxz", degrees: bool = False) -> Array:
    """Quaternions (..., 4) of Euler angles (..., 3), as `euler` gives them.

    >>> from_euler((90, 0, 0), "zxz", degrees=True).round(6)
    array([0.707107, 0.      , 0.      , 0.707107])
    """
    import numpy as np

    x = doubles(angles, "angles")
    if x.ndim == 0 or x.shape[-1] != 3:
        raise ValueError(f"Euler angles must have the shape (..., 3), not {x.shape}")
    half = 0.5 * (np.radians(x) if degrees else x)
    turns = np.zeros((3, *x.shape[:-1], 4))
    for n, axis in enumerate(_axes(sequence)):
        turns[n, ..., 0] = np.cos(half[..., n])
        turns[n, ..., 1 + axis] = np.sin(half[..., n])
    return quaternion_product(quaternion_product(turns[0], turns[1]), turns[2])


def quaternion_product(a: Array, b: Array) -> Array:
    """The products of quaternions (..., 4)."""
    import numpy as np

    aw, ax, ay, az = np.moveaxis(a, -1, 0)
    bw, bx, by, bz = np.moveaxis(b, -1, 0)
    return np.stack([aw*bw - ax*bx - ay*by - az*bz, aw*bx + ax*bw + ay*bz - az*by,
                     aw*by - ax*bz + ay*bw + az*bx, aw*bz + ax*by - ay*bx + az*bw], axis=-1)
