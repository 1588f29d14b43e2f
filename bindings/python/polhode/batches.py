"""Many independent bodies at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from . import _core
from .catalog import fact
from .systems import check_method
from .values import MOST_STEPS, apart, doubles, number, shown, whole

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[Any]  # of float64, or of float32


MOST_THREADS = 2**16


class _Columns:
    """An array of the user as columns (rows, n): in place where its memory allows it, else a
    copy that is written back after every step."""

    def __init__(self, given: Any, name: str, kind: Any, as_rows: bool, written: bool) -> None:
        import numpy as np

        self.given = given if isinstance(given, np.ndarray) else doubles(given, name)
        if self.given.dtype != kind or not self.given.dtype.isnative:
            self.given = doubles(self.given, name).astype(kind, copy=False)
        elif written and not self.given.flags.writeable:
            raise ValueError(f"{name} is read-only: give a writable array")
        self.turned = self.given.T if as_rows else self.given
        inside = (self.turned.strides[1] == kind.itemsize or self.turned.shape[1] < 2) and (
            self.given.flags.aligned)
        self.work = self.turned if inside else np.array(self.turned, kind, order="C")
        if written:
            self._check_places(name)

    def _check_places(self, name: str) -> None:
        """Refuses an array in which two numbers share memory, as strides can make it."""
        import numpy as np

        x = self.turned
        within_row = x.shape[1] > 1 and abs(x.strides[1]) < x.itemsize
        for k in range(len(x)):
            if within_row or any(np.shares_memory(x[i], x[k]) for i in range(k)):
                raise ValueError(f"{name} overlaps itself in memory: give a copy")

    def read(self) -> None:
        if self.work is not self.turned:
            self.work[...] = self.turned

    def write(self) -> None:
        if self.work is not self.turned:
            self.turned[...] = self.work


class Batch:
    """n free bodies: J (3, n) principal moments, q (4, n) attitudes, scalar first, and m
    (3, n) momenta in the body frames; or J (3,) for all. q and m are changed in place.

    Rows instead of columns, q (n, 4) and m (n, 3), and any strides are taken too, at the price
    of a copy in every call. If q and m are both float32 arrays, the bodies are stepped in float32,
    by a flow without a composition and without a torque. Other types are converted to float64,
    and the results are then in `batch.q` and `batch.m`. The result of a body depends on that body
    alone, not on the number of `threads`, which are started by every call and ended by it.

    >>> import numpy as np
    >>> q, m = np.zeros((4, 5)), np.ones((3, 5))
    >>> q[0] = 1
    >>> batch = Batch((1, 2, 3), q, m)
    >>> batch.step("exact", 0.1)
    >>> batch.time
    0.1
    """

    def __init__(self, J: ArrayLike, q: ArrayLike, m: ArrayLike, *, threads: int = 1) -> None:
        import numpy as np

        shapes = [np.shape(x) for x in (q, m)]
        if any(len(s) != 2 for s in shapes):
            raise ValueError(f"q must have the shape (4, n) and m (3, n), not {shapes[0]} and "
                             f"{shapes[1]}")
        as_rows = not (shapes[0][0] == 4 and shapes[1][0] == 3 and shapes[0][1] == shapes[1][1])
        if as_rows and not (shapes[0][1] == 4 and shapes[1][1] == 3
                            and shapes[0][0] == shapes[1][0]):
            raise ValueError("q and m must have the shapes (4, n) and (3, n), or (n, 4) and "
                             f"(n, 3), not {shapes[0]} and {shapes[1]}")
        self.n = shapes[0][0 if as_rows else 1]
        for x, name in ((q, "q"), (m, "m"), (J, "J")):
            doubles(x, name, finite=True)
        if np.shape(J) == (3,):
            J = np.repeat(np.asarray(J, np.float64)[:, None], self.n, axis=1)
            if as_rows:
                J = J.T
        if np.shape(J) != ((self.n, 3) if as_rows else (3, self.n)):
            raise ValueError(f"J must have the shape {(self.n, 3) if as_rows else (3, self.n)} "
                             f"or (3,), not {np.shape(J)}")
        single = all(getattr(x, "dtype", None) == np.float32 for x in (q, m))
        kind = np.dtype(np.float32 if single else np.float64)
        self._q = _Columns(q, "q", kind, as_rows, True)
        self._m = _Columns(m, "m", kind, as_rows, True)
        self._J = _Columns(J, "J", kind, as_rows, False)
        if self.n and not (np.isfinite(self._J.work) & (self._J.work > 0)).all():
            raise ValueError("J must be positive" + (" in float32" if single else "") +
                             ": give positive moments of inertia")
        apart(self._m.given, "m", {"q": self._q.given})
        apart(self._J.given, "J", self._written)
        self.threads = whole(threads, "threads", 1, MOST_THREADS)
        self.time = 0.0

    def __repr__(self) -> str:
        def row(i: int) -> str:
            words = (f"{name} ({', '.join(f'{x:.6g}' for x in of.turned[:, i].tolist())})"
                     for name, of in (("J", self._J), ("q", self._q), ("m", self._m)))
            return f"\n  {i}: {', '.join(words)}"

        which = sorted({0, self.n - 1}) if self.n else ()
        return f"Batch of {self.n} bodies at t = {self.time:.10g}" + "".join(map(row, which))

    @property
    def q(self) -> Array:
        """The attitudes, in the shape they were given."""
        return self._q.given

    @property
    def m(self) -> Array:
        """The momenta, in the shape they were given."""
        return self._m.given

    @property
    def _written(self) -> dict[str, Array]:
        return {"q": self.q, "m": self.m}

    @property
    def J(self) -> Array:
        """The principal moments."""
        return self._J.given

    @property
    def energy(self) -> Array:
        """The kinetic energies (n,)."""
        import numpy as np

        self._m.read()
        m, J = (np.asarray(x.work, np.float64) for x in (self._m, self._J))
        return 0.5 * (m**2 / J).sum(axis=0)

    def step(self, method: str, h: float | ArrayLike, steps: int = 1, *,
             torque: Callable[[float, Array, Array], ArrayLike] | ArrayLike | None = None
             ) -> None:
        """Advances all bodies by steps of h. `method` is a flow, with h a number or a time for
        each body; or `scheme+flow` with a torque: an array (3, n) in the body frames, or a
        function of time, q (4, n) and m (3, n) that returns one.

        A body whose step fails is left as it was, the others go on, and RunError names it. In
        float32, `method` is a flow without a composition, and h is a number, rounded to float32.
        """
        if not isinstance(method, str):
            raise TypeError(f"a method is a name, not {shown(method)}")
        scheme, plus, flow = method.rpartition("+")
        check_method(method)
        if bool(plus) != (torque is not None):
            raise ValueError(f"{method} is a scheme+flow, which needs torque=: add torque=" if plus
                             else f"{method} is a flow, which cannot be used with torque=: "
                             f"use a scheme+flow such as verlet+{method}")
        if not plus and fact("flow", flow.partition(":")[0]) is None:
            raise ValueError(f"{method} can move only one body: use a flow, or a scheme over one")
        steps = whole(steps, "steps", 0, MOST_STEPS)
        each = getattr(h, "ndim", 0) > 0 or isinstance(h, (list, tuple))
        if self._q.work.itemsize == 4 and (each or plus or ":" in flow):
            raise ValueError("float32 arrays need a flow without a composition, and one time for "
                             "all bodies: give q and m in float64")
        if each and (plus or steps != 1):
            raise ValueError("a time for each body can be used only with one step of a flow: "
                             "give one number for h")
        times: Any = doubles(h, "h", (self.n,), finite=True) if each else number(h, "h")
        if each:
            apart(times, "h", self._written)
        for c in (self._q, self._m, self._J):
            c.read()
        try:
            if plus:
                self._split(scheme, flow, times, steps, torque)
            else:
                self._drift(flow, times, steps)
        finally:
            self._q.write()
            self._m.write()
        if not each:
            self.time += steps * times

    def _drift(self, flow: str, h: Any, steps: int) -> None:
        parts = min(whole(self.threads, "threads", 1, MOST_THREADS), max(1, self.n // 512))
        arrays = (self._q.work, self._m.work, self._J.work)
        if parts == 1:
            _core.batch_step(*arrays, flow, h, steps, 0, self.n)
            return
        from concurrent.futures import ThreadPoolExecutor

        ends = [self.n * k // parts for k in range(parts + 1)]
        with ThreadPoolExecutor(parts) as pool:
            jobs = [pool.submit(_core.batch_step, *arrays, flow, h, steps, a, b)
                    for a, b in zip(ends, ends[1:])]
        for job in jobs:
            job.result()

    def _split(self, name: str, flow: str, h: float, steps: int, torque: Any) -> None:
        scheme = fact("scheme", name)
        if scheme is None or scheme["gradient"]:
            raise ValueError(f"{name} needs the derivative of the torque: use another scheme")
        half = scheme["half"]
        stages = [*half, *half[-2::-1]]
        time, kicked = self.time, None

        def kick(length: float) -> None:
            nonlocal kicked
            if kicked is None:
                now = torque(time, self._q.work, self._m.work) if callable(torque) else torque
                kicked = doubles(now, "the torque", (3, self.n))
                apart(kicked, "the torque", {"q": self._q.work, "m": self._m.work})
            _core.batch_kick(self._q.work, self._m.work, self._J.work, kicked, length, self.n)

        for k in range(steps):
            for i, part in enumerate(stages):
                if (i % 2 == 0) == scheme["kick_first"]:
                    kick(part * h)
                else:
                    self._drift(flow, part * h, 1)
                    time += part * h
                    kicked = None
            time = self.time + (k + 1) * h
