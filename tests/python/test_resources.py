"""Memory stays flat; threads, forks and processes."""

import gc
import multiprocessing
import os
import sys
import threading
import time

import numpy as np
import polhode
import pytest

BODY = polhode.Body((1, 2, 3))
MOTION = BODY.motion(momentum=(1, 2, 3))
TIMES = np.linspace(0, 1, 3)
SYSTEM = polhode.System("heavy_top", "vlv", 0.1)
BYTES = SYSTEM._core.save(None)
OWN = polhode.System(polhode.Problem((1, 2, 3), torque=lambda t, R: (0, R[2, 0], 0)),
                     "verlet+exact", 0.01)
BATCH = polhode.Batch((1, 2, 3), np.eye(4)[:, [0, 0]].copy(), np.ones((3, 2)))


def raises(call, *args, **more):
    try:
        call(*args, **more)
    except (ValueError, TypeError, ArithmeticError):
        return
    raise AssertionError


def broken(t, R):
    raise ValueError


CALLS = {
    "one state": lambda: MOTION(1.0).attitude,
    "states": lambda: MOTION(TIMES).velocity,
    "list of times": lambda: MOTION([0.0, 1.0]),
    "body": lambda: polhode.Body((1, 2, 3)).motion(momentum=(1, 2, 3)).period,
    "tensor": lambda: polhode._core.Body((1.0, 0, 0, 0, 2, 0, 0, 0, 3)),
    "bad body": lambda: raises(polhode.Body, (1, 2, 0)),
    "bad times": lambda: raises(MOTION, "abc"),
    "system": lambda: polhode._core.System("heavy_top", "vlv", 0.1, {"strength": (2.0,)},
                                           {"attitude": (1, 0, 0, 0)}, 0),
    "bad system": lambda: raises(polhode._core.System, "heavy_top", "exact", 0.1, None, None, 0),
    "spheres": lambda: polhode._core.System("pendulum", "rattle", 0.1, None, None, 0),
    "bad spheres": lambda: raises(polhode._core.System, "pendulum", "rattle", 0.1, None,
                                  {"q": (1, 1, 1)}, 0),
    "run": lambda: SYSTEM.run(steps=1),
    "fields": lambda: (SYSTEM.attitude, SYSTEM.view("momentum"), SYSTEM._core.fields()),
    "observables": lambda: (SYSTEM._core.observables(), SYSTEM.parameters, SYSTEM.energy),
    "sample": lambda: SYSTEM._core.sample(np.array([SYSTEM.time]), np.empty(12), 0, None),
    "save": lambda: SYSTEM._core.save("a note"),
    "open": lambda: polhode._core.System.open(BYTES),
    "note": lambda: polhode._core.note(BYTES),
    "bad snapshot": lambda: raises(polhode._core.System.open, b"abc"),
    "own torque": lambda: OWN.run(steps=1),
    "own system": lambda: polhode._core.System(OWN._recipe.problem._parts(), "verlet+exact", 0.1,
                                               None, None, 0),
    "own scheme": lambda: polhode._core.System(
        "heavy_top", ("mine", 2, True, (0.5, 1.0), "exact"), 0.1, None, None, 0),
    "raising torque": lambda: raises(
        polhode._core.System(("own", BODY._core, (1, 0, 0, 0), (1, 2, 3), broken, None, None,
                              None, False, False, None, ()), "verlet+exact", 0.1, None, None, 0).run, 1, None),
    "batch": lambda: BATCH.step("exact", 0.1),
    "kicks": lambda: BATCH.step("verlet+exact", 0.1, torque=np.zeros((3, 2))),
    "bad batch": lambda: raises(BATCH.step, "exact", "abc"),
    "catalog": lambda: polhode._core.catalog("composition"),
}


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="no /proc")
@pytest.mark.parametrize("what", CALLS)
def test_thirty_thousand_calls_leave_memory_flat(what):
    call = CALLS[what]
    for _ in range(3000):
        call()
    most = 64 << 20 if "ASAN_OPTIONS" in os.environ else 256 << 10
    # A leak grows in every round; what the allocator takes once, as for fragments, in one of them.
    for _ in range(3):
        gc.collect()
        before, blocks = resident(), sys.getallocatedblocks()
        for _ in range(30_000):
            call()
        gc.collect()
        # One object lost per call would be 30 000 blocks, 16 bytes each 470 kB.
        assert sys.getallocatedblocks() - blocks < 3000
        grown = resident() - before
        if grown < most:
            return
    raise AssertionError(f"{what}: memory grows by {grown} bytes in 30000 calls, in each of three rounds")


def busy_run(_=0):
    return polhode.System("heavy_top", "s6_10+exact", 0.001).run(steps=20_000).attitude.tolist()


def test_threads_run_at_once():
    """Runs, motions and batches in many threads have the bits of one; and the lock is free
    meanwhile: this thread counts while another one runs."""
    expected = busy_run()
    ends = []
    threads = [threading.Thread(target=lambda: ends.append(busy_run())) for _ in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(ends) == 8 and all(e == expected for e in ends)
    for work in (lambda: polhode.System("heavy_top", "s6_10+exact", 0.001).run(steps=400_000),
                 lambda: MOTION(np.linspace(0, 1e3, 600_000)),
                 lambda: polhode.check("vlv", quick=True)):
        thread = threading.Thread(target=work)
        begun = time.monotonic()
        thread.start()
        counted = 0
        while thread.is_alive():
            counted += 1
        took = time.monotonic() - begun
        assert counted > 1e4 * took, took


def test_fork():
    J, q, m = np.ones((3, 5000)), np.zeros((4, 5000)), np.ones((3, 5000))
    q[0] = 1
    polhode.Batch(J, q, m, threads=2).step("exact", 0.1)
    expected = busy_run()
    pid = os.fork()
    if pid == 0:
        try:
            polhode.Batch(J, q, m, threads=2).step("exact", 0.1)
            os._exit(0 if busy_run() == expected else 1)
        except BaseException:
            os._exit(2)
    assert os.waitpid(pid, 0)[1] == 0


@pytest.mark.parametrize("how", ["fork", "spawn"])
def test_multiprocessing(how):
    with multiprocessing.get_context(how).Pool(2) as pool:
        assert pool.map_async(busy_run, range(4)).get(60) == [busy_run()] * 4
        systems = [polhode.System("heavy_top", "vlv", 0.01).run(steps=k) for k in range(3)]
        for a, b in zip(systems, pool.map_async(advance, systems).get(60)):
            assert (b.attitude == a.run(steps=10).attitude).all() and b.steps == a.steps


def advance(system):
    return system.run(steps=10)
