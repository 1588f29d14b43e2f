"""Batches: in place, any layout, threads, splitting steps."""

import numpy as np
import polhode
import pytest

FLOWS = [f["name"] for f in polhode.flows()]


def bodies(n=50, seed=1):
    random = np.random.default_rng(seed)
    J = np.exp(random.uniform(-1, 1, (3, n)))
    q = random.normal(size=(4, n))
    return J, q / np.linalg.norm(q, axis=0), random.normal(size=(3, n))


@pytest.mark.parametrize("flow", FLOWS)
def test_every_flow_moves_as_a_system(flow):
    J, q, m = bodies(5)
    start = q.copy(), m.copy()
    polhode.Batch(J, q, m).step(flow, 0.1)
    for i in range(5):
        one = polhode.System("free", flow, 0.1, inertia=J[:, i], attitude=start[0][:, i],
                             momentum=start[1][:, i], plain=True).run(steps=1)
        assert np.allclose(one.attitude, q[:, i], rtol=0, atol=1e-14)
        assert np.allclose(one.momentum, m[:, i], rtol=0, atol=1e-14)


def test_in_place_and_many_steps():
    J, q, m = bodies()
    a, b = (q.copy(), m.copy()), (q.copy(), m.copy())
    batch = polhode.Batch(J, *a)
    assert batch.q is a[0] and batch.m is a[1] and batch.n == 50
    batch.step("exact", 0.1, steps=7)
    other = polhode.Batch(J, *b)
    for _ in range(7):
        other.step("exact", 0.1)
    assert (a[0] == b[0]).all() and (a[1] == b[1]).all() and not (a[0] == q).all()
    assert abs(batch.time - 0.7) < 1e-15
    assert np.allclose(batch.energy, polhode.Batch(J, q, m).energy, rtol=1e-13)


def test_layouts():
    J, q, m = bodies()
    expected = q.copy(), m.copy()
    polhode.Batch(J, *expected).step("exact", 0.1)
    # rows
    rows = q.T.copy(), m.T.copy()
    polhode.Batch(J.T.copy(), *rows).step("exact", 0.1)
    assert (rows[0].T == expected[0]).all() and (rows[1].T == expected[1]).all()
    # columns in the memory of rows
    rows = q.T.copy(), m.T.copy()
    polhode.Batch(J, rows[0].T, rows[1].T).step("exact", 0.1)
    assert (rows[0].T == expected[0]).all()
    # every second body
    wide = np.repeat(q, 2, axis=1), np.repeat(m, 2, axis=1)
    polhode.Batch(J, wide[0][:, ::2], wide[1][:, ::2]).step("exact", 0.1)
    assert (wide[0][:, ::2] == expected[0]).all() and (wide[0][:, 1::2] == q).all()
    # a part of longer columns, in place
    long = np.hstack([q, q]), np.hstack([m, m])
    polhode.Batch(J, long[0][:, 50:], long[1][:, 50:]).step("exact", 0.1)
    assert (long[0][:, 50:] == expected[0]).all() and (long[0][:, :50] == q).all()
    # Fortran order, and lists
    f = np.asfortranarray(q), np.asfortranarray(m)
    polhode.Batch(J, *f).step("exact", 0.1)
    assert (f[0] == expected[0]).all()
    listed = polhode.Batch(J.tolist(), q.tolist(), m.tolist())
    listed.step("exact", 0.1)
    assert (listed.q == expected[0]).all()
    # three and four bodies, where shapes could be taken for each other
    for n in (3, 4):
        J, q, m = bodies(n)
        a, b = (q.copy(), m.copy()), (q.T.copy(), m.T.copy())
        polhode.Batch(J, *a).step("exact", 0.1)
        polhode.Batch(J.T.copy(), *b).step("exact", 0.1)
        assert (a[0] == b[0].T).all() and (a[1] == b[1].T).all()


def test_float32_is_stepped_in_place():
    J, q, m = (x.astype(np.float32) for x in bodies(5000))
    for flow, error in (("mr", 1e-6), ("sr2", 1e-6), ("exact", 2e-7)):
        double = polhode.Batch(*(x.astype(np.float64) for x in (J, q, m)))
        double.step(flow, float(np.float32(0.1)))
        one, two = (q.copy(), m.copy()), (q.copy(), m.copy())
        batch = polhode.Batch(J, *one)
        batch.step(flow, 0.1)
        assert batch.q is one[0] and batch.m is one[1] and batch.q.dtype == np.float32
        assert np.abs(one[0] - double.q).max() < error
        assert np.abs(one[1] - double.m).max() < error * np.abs(double.m).max()
        assert batch.energy.dtype == np.float64
        polhode.Batch(J, *two, threads=3).step(flow, 0.1)
        assert (one[0] == two[0]).all() and (one[1] == two[1]).all()


def test_float32_rows_and_steps():
    J, q, m = (x.astype(np.float32) for x in bodies())
    a, b, c = (q.copy(), m.copy()), (q.T.copy(), m.T.copy()), (q.copy(), m.copy())
    polhode.Batch(J, *a).step("mr", 0.05, steps=3)
    polhode.Batch(J.T.copy(), *b).step("mr", 0.05, steps=3)
    for _ in range(3):
        polhode.Batch(J.astype(np.float64), *c).step("mr", 0.05)
    assert (a[0] == b[0].T).all() and (a[1] == b[1].T).all() and (a[0] == c[0]).all()


def test_float32_refuses_what_it_cannot():
    J, q, m = (x.astype(np.float32) for x in bodies())
    before = q.copy()
    batch = polhode.Batch(J, q, m)
    for method, h, given in (("sr2:suzuki4", 0.1, {}), ("exact", np.full(50, 0.1), {}),
                             ("verlet+exact", 0.1, {"torque": np.zeros((3, 50))})):
        with pytest.raises(ValueError, match="float64"):
            batch.step(method, h, **given)
    with pytest.raises(ValueError, match="positive in float32"):
        polhode.Batch((1e-300, 1, 1), q, m)
    m[:, 7] = np.nan
    with pytest.raises(ValueError, match="body 7"):
        batch.step("mr", 0.1, steps=2)
    assert (q[:, 7] == before[:, 7]).all() and (q[:, 8] != before[:, 8]).any()


def test_other_types_are_converted():
    J, q, m = bodies()
    single = q.astype(np.float32)
    for given in (single, q.astype(">f4"), q.astype(np.longdouble)):
        before = given.copy()
        batch = polhode.Batch(J, given, m.copy())
        batch.step("exact", 0.1)
        assert batch.q.dtype == np.float64 and (given == before).all()


def test_times_of_their_own():
    J, q, m = bodies()
    h = np.linspace(-1, 1, 50)
    a = q.copy(), m.copy()
    polhode.Batch(J, *a).step("exact", h)
    for i in (0, 17, 49):
        b = q[:, i:i + 1].copy(), m[:, i:i + 1].copy()
        polhode.Batch(J[:, i:i + 1], *b).step("exact", float(h[i]))
        assert np.allclose(a[0][:, i], b[0][:, 0], rtol=0, atol=1e-14)


def test_threads_change_no_bit():
    J, q, m = bodies(5000)
    a, b = (q.copy(), m.copy()), (q.copy(), m.copy())
    polhode.Batch(J, *a).step("exact", 0.1, steps=5)
    polhode.Batch(J, *b, threads=3).step("exact", 0.1, steps=5)
    assert (a[0] == b[0]).all() and (a[1] == b[1]).all()
    h = np.linspace(-1, 1, 5000)
    polhode.Batch(J, *a).step("exact", h)
    polhode.Batch(J, *b, threads=4).step("exact", h)
    assert (a[0] == b[0]).all()


@pytest.mark.filterwarnings("ignore:no rigid body")
@pytest.mark.parametrize("scheme", [s["name"] for s in polhode.schemes() if not s["gradient"]])
def test_splitting_step(scheme):
    J, q, m = bodies(4)
    start = q.copy(), m.copy()

    def torque(t, q, m):
        R = polhode.matrix(q.T)
        return np.stack([R[:, 2, 1], -R[:, 2, 0], np.zeros(len(R))])

    polhode.Batch(J, q, m).step(f"{scheme}+exact", 0.1, steps=3, torque=torque)
    for i in range(4):
        one = polhode.System("heavy_top", f"{scheme}+exact", 0.1, inertia=J[:, i],
                             attitude=start[0][:, i], momentum=start[1][:, i]).run(steps=3)
        assert np.allclose(one.attitude, q[:, i], rtol=0, atol=1e-13)
    constant = np.ones((3, 4))
    batch = polhode.Batch(J, q, m)
    batch.step(f"{scheme}+exact", 0.1, torque=constant)
    assert np.isfinite(m).all()


def test_refused():
    J, q, m = bodies()
    frozen = q.copy()
    frozen.flags.writeable = False
    nan = m.copy()
    nan[0, 3] = np.nan
    for args, error, words in [
            ((J, frozen, m), ValueError, "read-only"), ((J, q, nan), ValueError, "finite"),
            ((J, q[:3], m), ValueError, "shapes"), ((J[:2], q, m), ValueError, "J must have"),
            ((-J, q, m), ValueError, "positive"), ((J, q[0], m), ValueError, "shape"),
            ((J, q, "abc"), ValueError, "shape"), ((J, q.astype(complex), m), TypeError, "real"),
            ((J, q, q[:3]), ValueError, "overlap")]:
        with pytest.raises(error, match=words):
            polhode.Batch(*args)
    batch = polhode.Batch(J, q, m)
    for args, error, words in [
            (("exactly", 0.1), ValueError, "exact"), (("vlv", 0.1), ValueError, "flow"),
            (("exact", np.nan), ValueError, "finite"), (("exact", "abc"), TypeError, "number"),
            (("exact", [0.1]), ValueError, "shape"), (("exact", 0.1, -1), ValueError, "negative"),
            (("verlet+exact", 0.1), ValueError, "torque"), ((3, 0.1), TypeError, "name")]:
        with pytest.raises(error, match=words):
            batch.step(*args)
    with pytest.raises(ValueError, match="the torque must have the shape"):
        batch.step("verlet+exact", 0.1, torque=np.ones(3))
    with pytest.raises(ZeroDivisionError):
        batch.step("verlet+exact", 0.1, torque=lambda t, q, m: 1 / 0)
    huge = m.copy()
    huge[:, 7] = 1e300
    with pytest.raises((polhode.RunError, ValueError), match="body 7"):
        polhode.Batch(J, q, huge).step("imr2", 1.0)
