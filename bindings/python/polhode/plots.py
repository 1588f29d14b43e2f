"""Pictures with matplotlib, which is imported when one is drawn. Each function draws into the
axes it is given, or into a new figure, and returns the axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .bodies import Body, Motion
from .tables import Table
from .values import whole

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

COLOURS = ("#c1272d", "#0072b2", "#008f5a")  # of the three axes of a body
GREY = "#8a8a8a"


def _axes(ax: Any, solid: bool = False) -> Any:
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    figure = plt.figure(figsize=(6, 6) if solid else (7, 4.2), layout="constrained")
    return figure.add_subplot(projection="3d" if solid else None)


class _Solid:
    """An ellipsoid of three radii, seen from one side: curves on it are faint behind it."""

    def __init__(self, ax: Any, radius: Any, view: tuple[float, float], names: Sequence[str]
                 ) -> None:
        import numpy as np

        self.ax, self.radius = ax, np.asarray(radius)
        elevation, azimuth = np.radians(view)
        self.eye = np.array([np.cos(elevation) * np.cos(azimuth),
                             np.cos(elevation) * np.sin(azimuth), np.sin(elevation)])
        ax.view_init(*view)
        ax.computed_zorder = False
        ax.set_proj_type("ortho")
        ax.set_axis_off()
        size = 1.02 * self.radius.max()
        ax.set(xlim=(-size, size), ylim=(-size, size), zlim=(-size, size))
        ax.set_box_aspect((1, 1, 1), zoom=1.3)
        u, v = np.meshgrid(np.linspace(0, np.pi, 61), np.linspace(0, 2 * np.pi, 121))
        ball = np.stack([np.sin(u) * np.cos(v), np.sin(u) * np.sin(v), np.cos(u)])
        ax.plot_surface(*(self.radius[:, None, None] * ball), color="#e8eef4", shade=False,
                        linewidth=0, rcount=60, ccount=60, zorder=1)
        for k, name in enumerate(names):
            tip = np.zeros((2, 3))
            tip[:, k] = self.radius[k], 1.25 * self.radius[k]
            front = self.eye[k] >= 0
            ax.plot(*tip.T, color="black", linewidth=0.9, zorder=4 if front else 0)
            ax.text(*(1.12 * tip[1]), name, ha="center", va="center", fontsize=11,
                    alpha=1.0 if front else 0.35)

    def curve(self, x: Any, **style: Any) -> None:
        """A curve (n, 3) on the surface."""
        import numpy as np

        x = np.asarray(x)
        front = (x / self.radius**2) @ self.eye >= 0  # the normal looks to the eye
        label = style.pop("label", None)
        for where, alpha, order in ((~front, 0.22, 2), (front, 1.0, 3)):
            y = np.where(where[:, None], x, np.nan)
            self.ax.plot(*y.T, alpha=alpha, zorder=order, **style)
        if label:
            self.ax.plot([], [], [], label=label, **style)

    def point(self, x: Any, **style: Any) -> None:
        front = (x / self.radius**2) @ self.eye >= 0
        self.ax.scatter(*x, alpha=1.0 if front else 0.3, zorder=4 if front else 2, **style)


def ellipsoid(motion: Motion, others: int = 9, view: tuple[float, float] = (20, 35),
              ax: Any = None) -> Any:
    """The energy ellipsoid 2 E = w.Jw of a body in the frame of its principal axes, the polhode
    of a motion on it in red, `others` from one principal axis to the next, and the separatrix
    dashed; `view` is the elevation and the azimuth of the eye in degrees.

    >>> import matplotlib; matplotlib.use("Agg")
    >>> ax = ellipsoid(Body((1, 2, 3)).motion(velocity=(0, 2, 0.1)))
    """
    import numpy as np

    others = whole(others, "others", 0, 1000)
    ax = _axes(ax, solid=True)
    J = np.array(motion.body.moments)
    E = motion.energy
    solid = _Solid(ax, np.sqrt(2 * E / J), view, (r"$\omega_1$", r"$\omega_2$", r"$\omega_3$"))
    low, mid, high = np.argsort(J)
    principal = Body(tuple(J))

    def polhode(start: Any, **style: Any) -> None:
        one = principal.motion(velocity=tuple(start))
        if np.isfinite(one.period):
            solid.curve(one(np.linspace(0, one.period, 400)).velocity, **style)

    for angle in np.linspace(0, np.pi / 2, others + 2)[1:-1]:
        start = np.zeros(3)  # between the axes of the smallest and the largest moment
        start[low], start[high] = np.cos(angle), np.sin(angle)
        start *= solid.radius
        about = low if (J * start) @ (J * start) < 2 * E * J[mid] else high
        for side in (1, -1):
            start[about] *= side
            polhode(start, color=GREY, linewidth=0.7)
    if J[low] < J[mid] < J[high]:  # where also |Jw|^2 = 2 E J_mid
        t = np.linspace(0, 2 * np.pi, 300)
        for side in (1, -1):
            w = np.zeros((t.size, 3))
            w[:, low] = np.sqrt((J[high] - J[mid]) / (J[high] - J[low])) * np.cos(t)
            w[:, high] = side * np.sqrt((J[mid] - J[low]) / (J[high] - J[low])) * np.cos(t)
            w[:, mid] = np.sin(t)
            solid.curve(w * solid.radius, color="black", linewidth=0.8, linestyle="--")
    polhode(motion(0.0).velocity @ motion.body.axes, color=COLOURS[0], linewidth=2.2)
    return ax


def axes(motion: Motion, times: ArrayLike, view: tuple[float, float] = (20, 35),
         ax: Any = None) -> Any:
    """Where the three axes of the body frame point in space at the times: curves on a sphere,
    each with a dot at the last time.

    >>> import matplotlib; matplotlib.use("Agg")
    >>> ax = axes(Body((1, 2, 3)).motion(velocity=(0, 2, 0.1)), [0.0, 0.1, 0.2])
    """
    import numpy as np

    ax = _axes(ax, solid=True)
    solid = _Solid(ax, np.ones(3), view, ("x", "y", "z"))
    R = motion(times).matrix
    for k, colour in enumerate(COLOURS):
        solid.curve(R[:, :, k], color=colour, linewidth=0.9, label=f"axis {k + 1}")
        solid.point(R[-1, :, k], color=colour, s=28)
    ax.legend(loc="upper left", frameon=False)
    return ax


def energy_error(runs: Mapping[str, NDArray[Any]], ax: Any = None, relative: bool = True) -> Any:
    """The error of the energy over time, of rows as `System.sample` gives them, by name.

    >>> import matplotlib; matplotlib.use("Agg")
    >>> from polhode import System
    >>> ax = energy_error({"vlv": System("well", "vlv", 0.1).sample([0, 1, 2])})
    """
    ax = _axes(ax)
    for name, rows in runs.items():
        error = rows["energy"] - rows["energy"][0]
        ax.plot(rows["time"], error / abs(rows["energy"][0]) if relative else error,
                linewidth=0.9, label=name)
    ax.axhline(0, color=GREY, linewidth=0.5)
    ax.set(xlabel="time", ylabel="(E - E₀)/|E₀|" if relative else "E - E₀")
    ax.legend(frameon=False)
    return ax


def work_precision(table: Table, work: str = "kicks", error: str = "error",
                   ax: Any = None) -> Any:
    """Error against work, both logarithmic, of a table of `compare`.

    >>> import matplotlib; matplotlib.use("Agg")
    >>> from polhode import compare
    >>> ax = work_precision(compare("heavy_top", ["vlv"], [0.1, 0.05], 1.0))
    """
    ax = _axes(ax)
    markers = "osD^vP*X"
    for k, method in enumerate(dict.fromkeys(table.column("method"))):
        rows = [r for r in table if r["method"] == method and r[error]]
        ax.loglog([r[work] for r in rows], [r[error] for r in rows], marker=markers[k % 8],
                  markersize=4, linewidth=1, label=method)
    ax.set(xlabel={"kicks": "forces or torques computed"}.get(work, work),
           ylabel=error.replace("_", " "))
    ax.grid(True, which="major", linewidth=0.3)
    ax.legend(frameon=False)
    return ax
