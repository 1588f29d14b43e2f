"""Times the Python package: `python3 bench/python.py`, with the wheel installed. Times are of the
processor, the least of several; the figures of docs/python.md come from here."""

from __future__ import annotations

import ctypes
import pathlib
import subprocess
import sys
import tempfile
import time
from typing import Any, Callable

import numpy as np
import polhode

HEAVY_TOP = """
void torque(double t, const double *R, double *out)
{ (void)t; out[0] = R[7]; out[1] = -R[6]; out[2] = 0.0; }
"""


def seconds(call: Callable[[], Any], repeats: int = 7) -> float:
    """The least processor time of a call."""
    best = float("inf")
    for _ in range(repeats):
        begun = time.process_time()
        call()
        best = min(best, time.process_time() - begun)
    return best


def each(call: Callable[[], Any], count: int) -> float:
    """The time of one of many calls."""
    def loop() -> None:
        for _ in range(count):
            call()

    def empty() -> None:
        for _ in range(count):
            pass

    return (seconds(loop) - seconds(empty)) / count


def imports() -> float:
    """Seconds that `import polhode` adds to an interpreter, compiled modules there."""
    def run(code: str) -> float:
        best = float("inf")
        for _ in range(9):
            script = ("import time; a = time.process_time(); " + code
                      + "; print(time.process_time() - a)")
            done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True,
                                  check=True)
            best = min(best, float(done.stdout))
        return best

    return run("import polhode")


def c_torque() -> Any:
    folder = pathlib.Path(tempfile.mkdtemp())
    (folder / "torque.c").write_text(HEAVY_TOP)
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", folder / "torque.c", "-o",
                    folder / "torque.so"], check=True)
    return ctypes.CDLL(str(folder / "torque.so")).torque


def numba_torque() -> Any:
    try:
        import numba
    except ImportError:
        return None
    t = numba.types

    @numba.cfunc(t.void(t.double, t.CPointer(t.double), t.CPointer(t.double)))
    def torque(time: float, R: Any, out: Any) -> None:
        out[0], out[1], out[2] = R[7], -R[6], 0.0

    return torque


def steps(problem: Any, count: int) -> float:
    """Seconds of a step of verlet+exact, one torque each."""
    start = {"inertia": (1, 1.6, 2.2), "attitude": (0.9, 0.1, 0.3, 0.2), "velocity": (0.5, -0.5, 0.5)}
    system = polhode.System(problem, "verlet+exact", 0.01, **start)
    return seconds(lambda: system.run(steps=count)) / count


def dop853(motion: polhode.Motion, J: Any, times: Any) -> tuple[float, float, float]:
    """Seconds and error of SciPy's DOP853 where it is as accurate as it can be made, and those
    of the exact motion."""
    from scipy.integrate import solve_ivp

    J = np.asarray(J)

    def rhs(t: float, y: Any) -> Any:
        q, m = y[:4], y[4:]
        w = m / J
        return np.array([
            -0.5 * (q[1]*w[0] + q[2]*w[1] + q[3]*w[2]), 0.5 * (q[0]*w[0] + q[2]*w[2] - q[3]*w[1]),
            0.5 * (q[0]*w[1] + q[3]*w[0] - q[1]*w[2]), 0.5 * (q[0]*w[2] + q[1]*w[1] - q[2]*w[0]),
            m[1]*w[2] - m[2]*w[1], m[2]*w[0] - m[0]*w[2], m[0]*w[1] - m[1]*w[0]])

    start = motion(0.0)
    y0 = np.concatenate([start.attitude, start.momentum])
    right = motion(times).attitude
    found: list[Any] = []

    def solve() -> None:
        found[:] = [solve_ivp(rhs, (times[0], times[-1]), y0, "DOP853", t_eval=times, rtol=1e-13,
                              atol=1e-15)]

    took = seconds(solve, 2)
    error = float(np.abs(found[0].y[:4].T - right).max())
    return took, error, seconds(lambda: motion(times))


def main() -> None:
    rows = polhode.Table()

    def row(what: str, value: float, unit: str) -> None:
        rows.append({"what": what, "value": float(value), "unit": unit})
        print(f"{what:58s} {value:10.4g} {unit}", flush=True)

    row("import polhode", 1e3 * imports(), "ms")
    body = polhode.Body((1, 2, 3))
    motion = body.motion(momentum=(0.3, 2, 0.5))
    rest = body.motion(momentum=(0, 0, 0))
    row("one state, motion(t)", 1e9 * each(lambda: motion(40.0), 20000), "ns")
    row("of which Python, motion(t) of a body at rest", 1e9 * each(lambda: rest(40.0), 20000), "ns")
    row("its attitude as an array, motion(t).attitude",
        1e9 * each(lambda: motion(40.0).attitude, 20000), "ns")
    t = np.linspace(0, 60, 1_000_000)
    row("10^6 times of one motion, each", 1e9 * seconds(lambda: motion(t), 5) / t.size, "ns")
    row("10^6 times of one motion, fast=True, each",
        1e9 * seconds(lambda: motion(t, fast=True), 5) / t.size, "ns")
    random = np.random.default_rng(1)
    t = random.uniform(0, 1e6, 100_000)
    row("10^5 random times within 10^6, each", 1e9 * seconds(lambda: motion(t), 5) / t.size, "ns")
    for n in (1, 100_000):
        q, m = np.zeros((4, n)), random.normal(size=(3, n))
        q[0] = 1
        batch = polhode.Batch((1, 2, 3), q, m)
        if n == 1:
            row("a batch of one body, a step", 1e9 * each(lambda: batch.step("exact", 0.1), 2000), "ns")
        else:
            row("a batch of 10^5 bodies, a step of one",
                1e9 * seconds(lambda: batch.step("exact", 0.1, steps=10), 5) / (10 * n), "ns")
    library = steps("heavy_top", 300_000)
    row("a step of verlet+exact, torque of the library", 1e9 * library, "ns")
    compiled = steps(polhode.Problem((1, 1.6, 2.2), torque=c_torque()), 300_000)
    row("the same, a C function by ctypes", 1e9 * compiled, "ns")
    cfunc = numba_torque()
    if cfunc is not None:
        row("the same, a cfunc of numba", 1e9 * steps(
            polhode.Problem((1, 1.6, 2.2), torque=cfunc), 300_000), "ns")

    def torque(time: float, R: Any) -> Any:
        return R[2, 1], -R[2, 0], 0.0

    python = steps(polhode.Problem((1, 1.6, 2.2), torque=torque), 30_000)
    row("the same, a function of Python", 1e9 * python, "ns")
    R = np.eye(3)
    row("that function by itself, called in Python", 1e9 * each(lambda: torque(0.0, R), 20000), "ns")
    try:
        took, error, exact = dop853(motion, (1, 2, 3), np.linspace(0, 60, 4000))
    except ImportError:
        return
    row("SciPy's DOP853, 4000 points over 60, rtol 1e-13", 1e3 * took, "ms")
    row("  its largest error of the attitude", error, "")
    row("the exact motion at the same 4000 points", 1e3 * exact, "ms")
    row("  DOP853 by exact", took / exact, "")


if __name__ == "__main__":
    main()
