"""Attacks on every argument, found by the signatures: whole numbers of every size, numbers that are
none, arrays of every kind and layout. Each is refused in one line, or done as if it were plain."""

import decimal
import inspect
import json
import os
import re
import tempfile

import numpy as np
import polhode
import pytest
from polhode import plots

J, Q, M = np.array([1.0, 2.0, 3.0]), np.array([0.6, 0.8, 0.0, 0.0]), np.array([0.5, -1.0, 2.0])
EULER = np.array([0.3, 0.2, 0.1])
TIMES = np.array([0.5, 0.25, 1.0])
BODY = polhode.Body(J)
BODIES = polhode.Body(np.stack([J, 2 * J]))
MOTION = BODY.motion(momentum=M)
REFUSED = (TypeError, ValueError)


def columns(x, n=4):
    """n bodies that differ."""
    return x[:, None] * np.linspace(1, 2, n)


def attitudes(n=4):
    return np.repeat(Q[:, None], n, axis=1)


def free(**more):
    return polhode.System("free", "exact", 0.1, **more)


def numbers_of(system):
    return np.concatenate([system.attitude, system.momentum])


def batch_after(J, q, m, h=0.1, **more):
    batch = polhode.Batch(J, q, m)
    batch.step("verlet+exact" if more else "exact", h, **more)
    return np.vstack([batch.q, batch.m]) if batch.q.shape[0] == 4 else np.hstack([batch.q, batch.m]).T


def many(method="exact", **more):
    return polhode.Ensemble("free", method, **{"momentum": np.stack([M, 2 * M]), **more})


def many_after(**more):
    e = many(step=0.1, **more).run(until=0.2)
    return np.hstack([e.attitude, e.momentum])


SEEN_AT = np.linspace(0, 6, 20)
SEEN = MOTION(SEEN_AT)
LIGHT = {"brightness": 1 + 0.1 * np.sin(SEEN_AT), "sun": np.tile([1.0, 0.0, 0.0], (20, 1)),
         "observer": np.tile([0.0, 1.0, 0.5], (20, 1))}


def fitted(**more):
    found = polhode.fit(**{"times": SEEN_AT, "attitude": SEEN.attitude, "sigma": 1e-3, **more})
    return np.append(found.fit["tensor"], found.chi2)


def molecules(**more):
    return polhode.System("dipolar_spheres", "verlet+exact", 0.01, **more).run(steps=1).positions


def drawn(draw, *args, **more):
    """The points of all lines of a picture."""
    from matplotlib import pyplot

    figure = pyplot.figure()
    try:
        lines = draw(MOTION, *args, **more, ax=figure.add_subplot(projection="3d")).lines
        return np.concatenate([np.ravel(line.get_data_3d()) for line in lines])
    finally:
        pyplot.close(figure)


def annotated(word):
    """The arguments of all that is public whose types have a word, as "Class.method.argument"."""
    found = set()
    functions = {}
    for module in (polhode, plots):
        for name, thing in vars(module).items():
            home = getattr(thing, "__module__", "")
            if name.startswith("_") or not home.startswith(
                    "polhode." if module is polhode else plots.__name__):
                continue
            if inspect.isfunction(thing):
                functions[name] = thing
            elif inspect.isclass(thing):
                functions |= {f"{name}.{f}": x for f, x in vars(thing).items()
                              if inspect.isfunction(x) and (f in ("__init__", "__call__") or f[0] != "_")}
    for name, function in functions.items():
        for argument in inspect.signature(function).parameters.values():
            if re.search(word, re.sub(r"Callable\[.*\]", "", str(argument.annotation))):
                found.add(f"{name}.{argument.name}")
    return found


def is_refused(call, *args):
    """Refused, in one line."""
    with pytest.raises(REFUSED) as caught:
        call(*args)
    assert str(caught.value) and "\n" not in str(caught.value)


# ---- whole numbers ------------------------------------------------------------------

class Index:
    def __index__(self):
        return 5


WHOLE = {
    "System.run.steps": lambda x: numbers_of(free().run(steps=x)),
    "Batch.step.steps": lambda x: (b := polhode.Batch(J, attitudes(), columns(M)),
                                   b.step("exact", 0.1, x), b.m)[2],
    "Batch.__init__.threads": lambda x: polhode.Batch(J, attitudes(), columns(M), threads=x).threads,
    "Scheme.__init__.order": lambda x: polhode.Scheme(kick=(0.5, 0.5), drift=(1,), order=x).order,
    "Ensemble.__init__.bodies": lambda x: many_after(bodies=x, momentum=M),
    "Ensemble.reduce.bins": lambda x: many(step=0.1).reduce([0.1], ["w1"], bins=x, ranges=(0, 1)).histogram,
    "Motion.animate.frames": lambda x: len(MOTION.animate(1.0, frames=x)._rows),
    "System.animate.frames": lambda x: len(free().animate(1.0, frames=x)._rows),
    "Animation.__init__.size": lambda x: polhode.Animation([], [1, 1, 1], "t", 1.0, (x, 5)).size[0],
    "bits.steps": lambda x: int(polhode.bits(x), 16) % 2**53,
    "ellipsoid.others": lambda x: drawn(plots.ellipsoid, others=x),
}
NOT_WHOLE = [True, np.True_, 5.0, np.float64(5), "5", b"5", 5j, decimal.Decimal(5), [5], np.array([1, 2]),
             float("nan"), -1, np.int8(-1)]
NOT_WHOLE += [s * x + d for x in (2**63, 2**64, 2**65, 2**128, 10**30, 10**5000)
              for s in (1, -1) for d in (0, 1, 5)]


def test_every_whole_number_is_attacked():
    assert annotated(r"\bint\b") == set(WHOLE)


@pytest.mark.parametrize("name", WHOLE)
def test_whole_numbers(name):
    for x in NOT_WHOLE:
        is_refused(WHOLE[name], x)
    for x in (np.int64(5), np.uint8(5), np.array(5), Index()):
        assert np.array_equal(WHOLE[name](x), WHOLE[name](5), equal_nan=True)


def test_steps_that_do_not_fit_leave_the_system():
    system = free()
    for steps in (2**64 + 5, 2**63, -1):
        for call in (lambda: system.run(steps=steps), lambda: system._core.run(steps, None),
                     lambda: system._core.sample(np.zeros(0), np.zeros(0), steps, None)):
            with pytest.raises((ValueError, OverflowError)):
                call()
    assert system.steps == 0 and system.time == 0
    for time in (1e300, -1e300, 1e18):
        is_refused(lambda: system.run(until=time))
        is_refused(system.sample, [time])
    polhode.System("free", "gbs")._core.sample(np.zeros(0), np.zeros(0), 0, None)


# ---- numbers ------------------------------------------------------------------------

NUMBERS = {
    "System.__init__.step": lambda x: polhode.System("free", "exact", x),
    "System.__init__.tolerance": lambda x: polhode.System("free", "gbs", tolerance=x),
    "System.__init__.longest_step": lambda x: polhode.System("free", "gbs", longest_step=x),
    "System.run.until": lambda x: free().run(until=x),
    "Batch.step.h": lambda x: polhode.Batch(J, attitudes(), columns(M)).step("exact", x),
    "Ensemble.__init__.step": lambda x: many(step=x),
    "Ensemble.__init__.tolerance": lambda x: many("gbs", tolerance=x),
    "Ensemble.__init__.longest_step": lambda x: many("gbs", tolerance=1e-6, longest_step=x),
    "Ensemble.run.until": lambda x: many(step=0.1).run(x),
    "Ensemble.events.until": lambda x: many(step=0.1).events("R33 < 0", x),
    "Motion.events.until": lambda x: MOTION.events("R33 < 0", x),
    "System.events.until": lambda x: free().events("R33 < 0", x),
    "fit.sigma": lambda x: fitted(sigma=x),
    "Motion.animate.until": MOTION.animate,
    "System.animate.until": lambda x: free().animate(x),
    "Animation.__init__.seconds": lambda x: polhode.Animation([], [1, 1, 1], "t", x),
    "Motion.phase_digits.time": MOTION.phase_digits,
    "compare.time": lambda x: polhode.compare("free", ["exact"], [0.1], x),
    "compare.steps": lambda x: polhode.compare("free", ["exact"], [x], 1.0),
}
NOT_FINITE = [float("nan"), float("inf"), -float("inf"), 10**400, -10**5000, "x", b"x", "0.1", b"0.1", 1j, {}, [1, [2]],
              np.ones((40, 40))]


def test_every_number_is_attacked():
    scalars = annotated(r"(^|\W)(float|Quantity)($| )") | annotated(r"Iterable\[float\]")
    assert scalars == set(NUMBERS)


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers(name):
    for x in NOT_FINITE:
        is_refused(NUMBERS[name], x)


def written(what, times):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "rows.npy")
        what.write(path, times)
        return np.load(path)


# ---- arrays -------------------------------------------------------------------------

ROWS = np.stack([Q, Q])
FITTED = polhode.fit(times=SEEN_AT, attitude=SEEN.attitude, sigma=1e-3)
FLUID = 2.0 * np.stack(np.meshgrid(*[np.arange(2.0)] * 3)).reshape(3, -1).T.copy()
# The call, a good array, and whether any array of such rows is good as well.
ARRAYS = {
    "Body.__init__.inertia": (lambda x: polhode.Body(x).moments, J, False),
    "Body.__init__.tensor": (lambda x: polhode.Body(tensor=x).tensor, np.diag(J) + 0.1, False),
    "Body.velocity.momentum": (BODY.velocity, np.stack([M, M]), True),
    "Body.momentum.velocity": (BODY.momentum, np.stack([M, M]), True),
    "Body.motion.attitude": (lambda x: BODY.motion(x, momentum=M)(1.0).attitude, Q, False),
    "Body.motion.velocity": (lambda x: BODY.motion(velocity=x)(1.0).attitude, M, False),
    "Body.motion.momentum": (lambda x: BODY.motion(momentum=x)(1.0).attitude, M, False),
    "Motion.__init__.attitude": (lambda x: polhode.Motion(BODY, x, M)(1.0).attitude, Q, False),
    "Motion.__init__.momentum": (lambda x: polhode.Motion(BODY, Q, x)(1.0).attitude, M, False),
    "Motion.__call__.times": (lambda x: MOTION(x).attitude, TIMES, True),
    "Bodies.velocity.momentum": (lambda x: BODIES.velocity(x), np.stack([M, 2 * M]), True),
    "Bodies.momentum.velocity": (lambda x: BODIES.momentum(x), np.stack([M, 2 * M]), True),
    "Bodies.motion.attitude": (lambda x: BODIES.motion(x, momentum=M)(1.0).attitude, ROWS, False),
    "Bodies.motion.velocity": (lambda x: BODIES.motion(velocity=x)(1.0).attitude, np.stack([M, 2 * M]), False),
    "Bodies.motion.momentum": (lambda x: BODIES.motion(momentum=x)(1.0).attitude, np.stack([M, 2 * M]), False),
    "Motions.__init__.attitude": (lambda x: polhode.bodies.Motions(BODIES, x, np.stack([M, M]))(1.0).attitude,
                                  ROWS, False),
    "Motions.__call__.times": (lambda x: BODIES.motion(momentum=M)(x).attitude, TIMES, True),
    "Batch.__init__.J": (lambda x: batch_after(x, attitudes(), columns(M)), columns(J), False),
    "Batch.__init__.q": (lambda x: batch_after(columns(J), x, columns(M)), attitudes(), False),
    "Batch.__init__.m": (lambda x: batch_after(columns(J), attitudes(), x), columns(M), False),
    "Batch.step.h": (lambda x: batch_after(J, attitudes(), columns(M), x), np.linspace(0, 1, 4), False),
    "Batch.step.torque": (lambda x: batch_after(J, attitudes(), columns(M), torque=x), columns(M), False),
    "Problem.__init__.inertia": (lambda x: polhode.Problem(x, potential="R33").body.moments, J, False),
    "Problem.__init__.tensor": (lambda x: polhode.Problem(tensor=x, potential="R33").body.tensor,
                                np.diag(J) + 0.1, False),
    "Scheme.__init__.kick": (lambda x: polhode.Scheme(kick=x, drift=(0.5, 0.5)).kick,
                             np.array([0.25, 0.5, 0.25]), False),
    "Scheme.__init__.drift": (lambda x: polhode.Scheme(kick=(0.5, 0.5), drift=x).drift,
                              np.array([0.25, 0.5, 0.25]), False),
    "System.__init__.inertia": (lambda x: numbers_of(free(inertia=x).run(1)), J, False),
    "System.__init__.tensor": (lambda x: numbers_of(free(tensor=x).run(1)), np.diag(J) + 0.1, False),
    "System.__init__.attitude": (lambda x: numbers_of(free(attitude=x).run(1)), Q, False),
    "System.__init__.velocity": (lambda x: numbers_of(free(velocity=x).run(1)), M, False),
    "System.__init__.momentum": (lambda x: numbers_of(free(momentum=x).run(1)), M, False),
    "System.__init__.start": (lambda x: molecules(positions=x), FLUID, False),
    "System.sample.times": (lambda x: free().sample(x)["attitude"], TIMES, True),
    "System.write.times": (lambda x: written(free(), x), TIMES, True),
    "Motion.write.times": (lambda x: written(MOTION, x), TIMES, True),
    "System.set.values": (lambda x: (s := free(), s.set(momentum=x), numbers_of(s))[2], M, False),
    "Ensemble.__init__.inertia": (lambda x: many_after(inertia=x), np.stack([J, 2 * J]), False),
    "Ensemble.__init__.tensor": (lambda x: many_after(tensor=x), np.stack([np.diag(J) + 0.1, np.diag(J)]), False),
    "Ensemble.__init__.attitude": (lambda x: many_after(attitude=x), ROWS, False),
    "Ensemble.__init__.velocity": (lambda x: many_after(momentum=None, velocity=x), np.stack([M, 2 * M]), False),
    "Ensemble.__init__.momentum": (lambda x: many_after(momentum=x), np.stack([M, 2 * M]), False),
    "Ensemble.sample.times": (lambda x: many(step=0.1).sample(x).attitude, np.sort(TIMES), True),
    "Ensemble.quantiles.times": (lambda x: many(step=0.1).quantiles(x), np.sort(TIMES), True),
    "Ensemble.quantiles.q": (lambda x: many(step=0.1).quantiles([0.1], x), TIMES, True),
    "Ensemble.reduce.times": (lambda x: many(step=0.1).reduce(x, ["w1"]).mean, np.sort(TIMES), True),
    "Ensemble.reduce.ranges": (lambda x: many(step=0.1).reduce([0.1], ["w1"], bins=3, ranges=x).histogram,
                               np.array([0.0, 4.0]), False),
    "Motion.derivatives.times": (lambda x: MOTION.derivatives(x).attitude, TIMES, True),
    "fit.times": (lambda x: fitted(times=x), SEEN_AT, False),
    "fit.attitude": (lambda x: fitted(attitude=x), SEEN.attitude, False),
    "fit.velocity": (lambda x: fitted(velocity=x), SEEN.velocity, False),
    "fit.axis": (lambda x: fitted(axis=x, body_axis=(0, 0, 1)), polhode.matrix(SEEN.attitude)[..., 2].copy(), False),
    "fit.body_axis": (lambda x: fitted(axis=polhode.matrix(SEEN.attitude)[..., 2], body_axis=x),
                      np.array([0.0, 0.0, 1.0]), False),
    "fit.vector": (lambda x: fitted(vector=x, space=(0, 0, 1)), polhode.matrix(SEEN.attitude)[..., 2, :].copy(), False),
    "fit.space": (lambda x: fitted(vector=polhode.matrix(SEEN.attitude)[..., 2, :], space=x),
                  np.tile([0.0, 0.0, 1.0], (20, 1)), False),
    "Fit.__call__.times": (lambda x: FITTED(x).attitude, TIMES, True),
    **{f"fit.{k}": (lambda x, k=k: fitted(**{**LIGHT, k: x}), LIGHT[k], False) for k in LIGHT},
    "fit.sigma": (lambda x: fitted(sigma={"attitude": x}), np.full(20, 1e-3), False),
    "axes.times": (lambda x: drawn(plots.axes, x), TIMES, False),
    "euler.q": (polhode.euler, ROWS, True),
    "from_euler.angles": (polhode.from_euler, np.stack([EULER, EULER]), True),
    "from_scipy.q": (polhode.from_scipy, ROWS, True),
    "matrix.q": (polhode.matrix, ROWS, True),
    "rotation.q": (lambda x: polhode.rotation(x).as_quat(), ROWS, True),
    "to_scipy.q": (polhode.to_scipy, ROWS, True),
}
WRITTEN = {"Batch.__init__.q", "Batch.__init__.m"}
ANY_SHAPE = {"Motion.__call__.times", "Fit.__call__.times", "System.sample.times", "System.write.times",
             "Motion.write.times", "axes.times", "Ensemble.sample.times", "Ensemble.quantiles.times",
             "Ensemble.quantiles.q", "Ensemble.reduce.times", "Motion.derivatives.times",
             "Motions.__call__.times"}
ONE_FOR_ALL = {"Batch.step.h", "System.set.values", "fit.sun", "fit.observer", "fit.sigma", "fit.space"}  # a number does for an array


def wrong_types(x):
    record = np.zeros(x.shape, [("a", "f8")])
    objects = x.astype(object)
    objects.flat[0] = "x"
    return [x.astype(complex), x.astype("U8"), x.astype("S8"), objects, x.astype("M8[s]"), record,
            {}, "text", b"12345678" * x.size]


def wrong_shapes(x, name, rows):
    if name in ANY_SHAPE:
        return
    yield x[..., :-1].copy()
    yield np.concatenate([x, x], axis=-1)
    if name not in ONE_FOR_ALL:
        yield np.float64(1.0)
    if not rows:
        yield x[None, None].copy()
        yield x[:0].copy()


def layouts(x):
    """The same numbers, laid out otherwise."""
    wide = np.full([2 * n for n in x.shape], 7.0)
    strided = wide[tuple(slice(None, None, 2) for _ in x.shape)]
    strided[...] = x
    backwards = np.ascontiguousarray(np.flip(x))
    memory = np.zeros(x.nbytes + 1, np.uint8)
    unaligned = memory[1:].view(np.float64).reshape(x.shape)
    unaligned[...] = x
    return {"Fortran": np.asfortranarray(x), "strided": strided, "reversed": np.flip(backwards),
            "big-endian": x.astype(">f8"), "unaligned": unaligned, "list": x.tolist(),
            "longdouble": x.astype(np.longdouble)}


def test_every_array_is_attacked():
    assert annotated(r"ArrayLike|Sequence\[(float|Quantity)\]") == set(ARRAYS)


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays(name):
    call, good, rows = ARRAYS[name]
    expected = np.array(call(good.copy()))
    for bad in wrong_types(good):
        is_refused(call, bad)
    for bad in wrong_shapes(good, name, rows):
        is_refused(call, bad)
    if not rows:
        for value in (np.nan, np.inf):
            bad = good.copy()
            bad.flat[-1] = value
            if "torque" not in name and "axes" not in name:
                is_refused(call, bad)
    for layout, x in layouts(good).items():
        before = np.array(x)
        assert np.array_equal(np.array(call(x)), expected, equal_nan=True), layout
        assert name in WRITTEN or np.array_equal(np.array(x), before), layout
    frozen = good.copy()
    frozen.flags.writeable = False
    if name in WRITTEN:
        is_refused(call, frozen)
        assert np.array_equal(frozen, good)
    else:
        assert np.array_equal(np.array(call(frozen)), expected, equal_nan=True)


# ---- memory that is shared ----------------------------------------------------------

def fails(*given):
    """Whether a step fails, as it may for attitudes that are not of unit length."""
    try:
        batch_after(*given)
    except polhode.RunError:
        return True
    return False


def test_arrays_of_one_memory():
    """Views of one buffer with random strides: refused, or with the result of copies, and nothing
    beside them is written."""
    random = np.random.default_rng(7)
    done = refused = 0
    for _ in range(3000):
        n, size = int(random.integers(1, 5)), int(random.integers(20, 120))
        buffer = random.uniform(0.5, 1.5, size)
        views = []
        for rows in (3, 4, 3):
            across, along = (int(x) for x in random.integers(-12, 13, 2))
            reach = [0, (rows - 1) * across, (n - 1) * along, (rows - 1) * across + (n - 1) * along]
            if max(reach) - min(reach) >= size:
                break
            first = int(random.integers(-min(reach), size - max(reach)))
            views.append(np.lib.stride_tricks.as_strided(
                buffer[first:], (rows, n), (8 * across, 8 * along)))
        if len(views) < 3:
            continue
        before = buffer.copy()
        copies = [x.copy() for x in views]
        try:
            failed = fails(*views)
        except ValueError as error:
            assert "overlap" in str(error) and (buffer == before).all()
            refused += 1
            continue
        done += 1
        assert fails(*copies) == failed
        for x, y in zip(views, copies):
            assert (x == y).all()
            x[...] = 0
        before[buffer == 0] = 0
        assert (buffer == before).all()
    assert done > 100 and refused > 100


def test_overlaps_are_refused():
    both = np.repeat(columns(M + 2), 2, axis=0)
    cases = [(both[:3], attitudes(), both[:3]), (both[2:5], attitudes(), both[:3]),
             (J, q := attitudes(), q[1:]), (q[:3] + 1, q, q[:3])]
    for given in cases:
        with pytest.raises(ValueError, match="overlap"):
            polhode.Batch(*given)
    q, m = attitudes(), columns(M)
    batch = polhode.Batch(J, q, m)
    before = q.copy(), m.copy()
    for h in (m[0], q[3]):
        with pytest.raises(ValueError, match="overlap"):
            batch.step("exact", h)
    for torque in (m, lambda t, q, m: m, lambda t, q, m: q[1:]):
        with pytest.raises(ValueError, match="overlap"):
            batch.step("verlet+exact", 0.1, torque=torque)
    assert (q == before[0]).all() and (m == before[1]).all() and batch.time == 0
    state = np.hstack([attitudes().T, columns(M).T])  # of one record for each body: no overlap
    polhode.Batch(J, state[:, :4], state[:, 4:]).step("exact", 0.1)
    assert np.array_equal(state.T, batch_after(J, attitudes(), columns(M)))


def test_what_was_given_may_change_later():
    positions, tensor = FLUID.copy(), np.diag(J) + 0.1
    inertias = np.ones((8, 3))
    system = polhode.System("dipolar_spheres", "verlet+exact", 0.01, positions=positions,
                            inertias=inertias)
    body = polhode.Body(tensor=tensor)
    expected = system.copy().run(steps=3).positions
    again = np.array(body.__reduce__()[1][1])
    positions += 1
    inertias *= 5
    tensor *= 2
    assert np.array_equal(system.copy().run(steps=3).positions, expected)
    assert np.array_equal(body.__reduce__()[1][1], again)
    iterator = polhode.Body(iter((1, 2, 3)))
    assert iterator.__reduce__()[1][0] == (1.0, 2.0, 3.0)
    a, b = system.momenta, system.angular_momenta + 1
    system.set(momenta=a, angular_momenta=b)
    system.set(momenta=system.view("angular_momenta"), angular_momenta=system.view("momenta"))
    assert np.array_equal(system.momenta, b) and np.array_equal(system.angular_momenta, a)


def test_functions_without_an_address():
    import ctypes

    null = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.POINTER(ctypes.c_double))()
    for address in (0, -1, True, 2**64):
        is_refused(lambda: polhode.Problem(J, torque=type("cfunc", (), {"address": address})))
    is_refused(lambda: polhode.Problem(J, potential=null))


# ---- notes --------------------------------------------------------------------------

NOTES = [
    "[]", "3", "null", "{", "[" * 100_000, '{"options": 4294967297}', '{"options": -1}', '{"options": true}',
    '{"parameters": [1]}', '{"parameters": "x"}', '{"tolerance": "x"}', '{"tolerance": 1e999}',
    '{"inertia": [1]}', '{"inertia": "x"}', '{"inertia": [1, 2, -3]}', '{"tensor": [[1]]}',
    '{"inertia": [1, 2, 3], "tensor": [[1]]}']


@pytest.mark.parametrize("number", range(len(NOTES)))
def test_notes_that_are_none(tmp_path, number):
    problem = polhode.Problem(J, potential=lambda t, R: R[2, 2])
    system = polhode.System(problem, "verlet+exact", 0.1)
    path = tmp_path / "own.snapshot"
    path.write_bytes(system._core.save(NOTES[number]))
    with pytest.raises(polhode.SnapshotError) as caught:
        polhode.load(path, problem=problem)
    assert "\n" not in str(caught.value)
    system.save(path)
    assert polhode.load(path, problem=problem).time == 0
    assert json.loads(system._note())["options"] == 0
