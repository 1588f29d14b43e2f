"""Bodies and the exact motion: shapes, frames, invariants, conversions."""

import math
import pickle
import subprocess
import sys

import numpy as np
import polhode
import pytest

TENSOR = np.array([[12, 1, -0.5], [1, 10, 0.2], [-0.5, 0.2, 9]])


def test_shapes():
    motion = polhode.Body(inertia=(1, 2, 3)).motion(velocity=(0, 2, 1e-8))
    s = motion(np.linspace(0, 60, 13))
    assert s.attitude.shape == (13, 4) and s.momentum.shape == s.velocity.shape == (13, 3)
    for one in (motion(1.5), motion(2), motion(np.float64(1.5)), motion(np.array(1.5))):
        assert one.attitude.shape == (4,) and one.momentum.shape == one.velocity.shape == (3,)
    assert motion(np.zeros((2, 5))).attitude.shape == (2, 5, 4)
    assert motion([]).attitude.shape == (0, 4)
    assert all(x.dtype == np.float64 for x in (s.attitude, s.momentum, s.velocity))


def moved(name, by, t):
    """Attitude, momentum and velocity of a motion with one number of it changed."""
    tensor, momentum, q = TENSOR.copy(), np.array([3.0, -8.0, 11.0]), np.array([0.5, 0.5, 0.5, 0.5])
    index = [int(c) - 1 for c in name if c.isdigit()]
    if name.startswith("J"):
        tensor[index[0], index[1]] += by
        tensor[index[1], index[0]] = tensor[index[0], index[1]]
    elif name.startswith("m"):
        momentum[index[0]] += by
    elif name.startswith("theta"):
        w, v = math.cos(by / 2), math.sin(by / 2) * np.eye(3)[index[0]]
        q = np.array([q[0] * w - q[1:] @ v, *(q[0] * v + w * q[1:] + np.cross(q[1:], v))])
    else:
        t = t + by
    s = polhode.Body(tensor=tensor).motion(momentum=momentum, attitude=q)(t)
    return s.matrix, s.momentum, s.velocity


def test_derivatives():
    motion = polhode.Body(tensor=TENSOR).motion(momentum=(3, -8, 11), attitude=(0.5, 0.5, 0.5, 0.5))
    t = np.array([[0.0, 1.5, 20.0]])
    d = motion.derivatives(t)
    assert d.attitude.shape == d.momentum.shape == d.velocity.shape == (1, 3, 3, 13)
    assert d.columns == ("theta1", "theta2", "theta3", "m1", "m2", "m3", "J11", "J22", "J33",
                         "J12", "J13", "J23", "t")
    assert "J12" in repr(d)
    for k, name in enumerate(d.columns):
        plus, minus = moved(name, 1e-5, t), moved(name, -1e-5, t)
        hat = np.einsum("...ji,...jk->...ik", (plus[0] + minus[0]) / 2, (plus[0] - minus[0]) / 2e-5)
        theta = np.stack([hat[..., 2, 1], hat[..., 0, 2], hat[..., 1, 0]], -1)
        assert np.allclose(d.attitude[..., k], theta, rtol=1e-6, atol=1e-6), name
        assert np.allclose(d.momentum[..., k], (plus[1] - minus[1]) / 2e-5, rtol=1e-6, atol=1e-6), name
        assert np.allclose(d.velocity[..., k], (plus[2] - minus[2]) / 2e-5, rtol=1e-6, atol=1e-6), name
    one = motion.derivatives(20.0)
    assert one.attitude.shape == (3, 13) and np.array_equal(one.momentum, d.momentum[0, 2])
    assert np.isnan(motion.derivatives(math.inf).velocity).all()
    assert motion.derivatives([]).attitude.shape == (0, 3, 13)
    with pytest.raises(TypeError, match="times"):
        motion.derivatives("soon")


def test_one_time_is_one_of_many():
    motion = polhode.Body((1, 2, 3)).motion(momentum=(0.3, -2, 1))
    t = np.linspace(-50, 50, 333)
    many = motion(t)
    for k in range(0, 333, 37):
        one = motion(float(t[k]))
        assert np.allclose(one.attitude, many.attitude[k], rtol=0, atol=4e-15)
        assert np.allclose(one.momentum, many.momentum[k], rtol=0, atol=1e-14)


def test_any_input_gives_the_same():
    motion = polhode.Body((1, 2, 3)).motion(momentum=(0.3, -2, 1))
    t = np.arange(8, dtype=np.float64)
    expected = motion(t).attitude
    wide = np.arange(16, dtype=np.float64)
    wide[::2] = t
    frozen = t.copy()
    frozen.flags.writeable = False
    for given in (list(range(8)), tuple(t), t.astype(np.float32), t.astype(np.int32),
                  wide[::2], t[::-1][::-1], t.astype(">f8"), frozen):
        assert (motion(given).attitude == expected).all()


def test_start_and_invariants():
    body = polhode.Body(tensor=TENSOR)
    q0 = np.array([0.5, 0.5, -0.5, 0.5])
    motion = body.motion(q0, momentum=(3, -1, 2))
    s = motion(np.linspace(-100, 100, 2001))
    assert np.allclose(motion(0.0).attitude, q0, atol=1e-15)
    assert np.abs(s.space_momentum - motion(0.0).space_momentum).max() < 1e-13
    energy = 0.5 * (s.momentum * s.velocity).sum(axis=1)
    assert np.abs(energy - motion.energy).max() < 1e-13 * motion.energy
    assert np.abs(np.linalg.norm(s.attitude, axis=1) - 1).max() < 1e-14


def test_tensor_is_not_confused_with_principal_axes():
    body = polhode.Body(tensor=TENSOR)
    assert np.allclose(body.tensor, TENSOR, atol=1e-13)
    m = np.array([3.0, -1, 2])
    assert np.allclose(body.velocity(m), np.linalg.solve(TENSOR, m), atol=1e-15)
    assert np.allclose(body.momentum(body.velocity(m)), m, atol=1e-14)
    principal = polhode.Body(body.moments)
    a = body.motion(momentum=m)(7.0)
    b = principal.motion(momentum=body.axes.T @ m)(7.0)
    assert np.allclose(a.momentum, body.axes @ b.momentum, atol=1e-13)
    assert np.allclose(a.matrix, body.axes @ b.matrix @ body.axes.T, atol=1e-13)


def test_period_and_precession():
    motion = polhode.Body((1, 2, 3)).motion(momentum=(0.3, 1, 2))
    T = motion.period
    assert np.allclose(motion(T).momentum, (0.3, 1, 2), atol=1e-13)
    assert not np.allclose(motion(T / 2).momentum, (0.3, 1, 2), atol=1e-3)
    # The axis 3, which m encircles, goes about m in space.
    s = motion(np.linspace(0, T, 2001))
    e = s.space_momentum[0] / np.linalg.norm(s.space_momentum[0])
    a = np.cross(e, (1, 0, 0))
    b = np.cross(e, a / np.linalg.norm(a)) * np.linalg.norm(a)
    axis = s.matrix[:, :, 2]
    angle = np.unwrap(np.arctan2(axis @ b, axis @ a))
    assert math.isclose((angle[-1] - angle[0]) / T, motion.precession, rel_tol=1e-12)
    symmetric = polhode.Body((2, 2, 1)).motion(momentum=(0.6, 0, 0.8))
    assert math.isclose(symmetric.precession, 0.5, rel_tol=1e-15)
    assert polhode.Body((1, 2, 3)).motion(momentum=(0, 0, 1)).period == math.inf


def test_not_finite_times_are_nan():
    s = polhode.Body((1, 2, 3)).motion(momentum=(1, 1, 1))([0.0, math.nan, math.inf])
    assert np.isnan(s.attitude[1:]).all() and np.isfinite(s.attitude[0]).all()


def test_euler_angles_are_those_of_scipy():
    transform = pytest.importorskip("scipy.spatial.transform", reason="SciPy is not installed")
    motion = polhode.Body((1, 2, 3)).motion(momentum=(0.3, -2, 1))
    q = motion(np.linspace(0.1, 30, 57)).attitude  # away from gimbal lock
    rotation = transform.Rotation.from_quat(polhode.to_scipy(q))
    assert np.allclose(rotation.as_matrix(), polhode.matrix(q), atol=1e-14)
    for sequence in ("xyz", "xzy", "yxz", "yzx", "zxy", "zyx", "xyx", "xzx", "yxy", "yzy",
                     "zxz", "zyz"):
        expected = rotation.as_euler(sequence.upper(), degrees=True)
        assert np.allclose(polhode.euler(q, sequence, degrees=True), expected, atol=1e-9), sequence
        back = polhode.from_euler(expected, sequence, degrees=True)
        assert np.allclose(polhode.matrix(back), polhode.matrix(q), atol=1e-12)
    assert np.allclose(polhode.from_scipy(rotation.as_quat()) * np.sign(q[:, :1]),
                       q * np.sign(polhode.from_scipy(rotation.as_quat())[:, :1]), atol=1e-14)
    assert np.allclose(polhode.rotation(q).as_matrix(), rotation.as_matrix())
    lock = polhode.from_euler((20, 90, 0), "zyx", degrees=True)
    assert np.allclose(polhode.matrix(polhode.from_euler(polhode.euler(lock, "zyx"), "zyx")),
                       polhode.matrix(lock), atol=1e-12)


def test_pickle():
    motion = polhode.Body(tensor=TENSOR).motion((0.5, 0.5, 0.5, 0.5), velocity=(0.1, 0.2, 0.3))
    again = pickle.loads(pickle.dumps(motion))
    t = np.linspace(0, 9, 10)
    assert (again(t).attitude == motion(t).attitude).all()


def test_import_needs_no_numpy():
    code = ("import sys, polhode; m = polhode.Body((1, 2, 3)).motion(momentum=(1, 2, 3)); "
            "m(1.0); s = polhode.System('heavy_top', 'vlv', step=0.1).run(steps=3); s.energy; "
            "assert 'numpy' not in sys.modules and 'scipy' not in sys.modules")
    subprocess.run([sys.executable, "-c", code], check=True)


# -- many bodies


def _many(n=7):
    rng = np.random.default_rng(3)
    second = rng.uniform(0.1, 1, (n, 3))
    J = second[:, [1, 0, 0]] + second[:, [2, 2, 1]]
    q = rng.normal(size=(n, 4))
    return J, q / np.linalg.norm(q, axis=1, keepdims=True), rng.normal(size=(n, 3))


def _same(many, one, size):
    assert abs(many.matrix - one.matrix).max() < size
    assert abs(many.momentum - one.momentum).max() < size
    assert abs(many.velocity - one.velocity).max() < size


def test_motions_of_many_bodies():
    """Each is that of a single body, at any time, up to the round-off of the phase."""
    J, q, w = _many()
    times = np.array([0.0, 1.3, -7.0, 1000.0, 12345.6])
    states = polhode.Body(inertia=J).motion(q, velocity=w)(times)
    assert states.attitude.shape == (5, 7, 4) and states.euler("zyx").shape == (5, 7, 3)
    turn = polhode.matrix(q[::-1])
    tensors = turn @ (J[:, :, None] * turn.transpose(0, 2, 1))
    tensors = (tensors + tensors.transpose(0, 2, 1)) / 2
    turned = polhode.Body(tensor=tensors).motion(q, momentum=w)(times)
    for i in range(7):
        for all_of, body, start in ((states, polhode.Body(J[i]), {"velocity": w[i]}),
                                    (turned, polhode.Body(tensor=tensors[i]), {"momentum": w[i]})):
            mine = polhode.States(body, times, all_of.attitude[:, i].copy(),
                                  all_of.momentum[:, i].copy())
            _same(mine, body.motion(q[i], **start)(times), 1e-10)
            assert abs(all_of.velocity[:, i] - mine.velocity).max() < 1e-12
    motions = polhode.Body(J).motion(velocity=(0, 1, 2))
    assert motions(2.0).attitude.shape == (7, 4)
    assert motions(np.zeros((2, 3))).momentum.shape == (2, 3, 7, 3)
    assert "7" in repr(motions) and "5 times" in repr(states) and "5 times" in states._repr_html_()
    assert len(polhode.Body(J)) == 7


def test_many_bodies_refuse():
    J, q, w = _many()
    for wrong in (lambda: polhode.Body(J[:, :2]), lambda: polhode.Body(-J),
                  lambda: polhode.Body(J).motion(velocity=w[:3]),
                  lambda: polhode.Body(J).motion(q[:3], velocity=w),
                  lambda: polhode.Body(J).motion(0 * q, velocity=w),
                  lambda: polhode.Body(J).motion(velocity=w)(np.nan)):
        with pytest.raises(ValueError):
            wrong()
    with pytest.raises(TypeError):
        polhode.Body(J).motion()


def test_equal_bodies():
    one, same = polhode.Body((1, 2, 3)), polhode.Body(inertia=np.array([1.0, 2.0, 3.0]))
    assert one == same and hash(one) == hash(same)
    assert one != polhode.Body((1, 2, 2.5)) and one != (1, 2, 3)
    tensor = [[2, 0.1, 0], [0.1, 2, 0], [0, 0, 3]]
    assert polhode.Body(tensor=tensor) == polhode.Body(tensor=tensor) != one
