"""Derivatives of systems, and functions of PyTorch that are made of them."""

import numpy as np
import pytest

import polhode


@pytest.mark.parametrize("method, step", [("srkn6_14a+exact", 0.05), ("gbs", None)])
def test_columns_and_values(method, step):
    def end(strength=1.0):
        tolerance = {} if step else {"tolerance": 1e-13}
        system = polhode.System("heavy_top", method, step, parameters={"strength": strength},
                                derivatives=("parameters", "start"), **tolerance)
        return system.run(until=2.0)

    system = end()
    d = system.derivatives
    assert d.columns[:7] == ("theta1", "theta2", "theta3", "m1", "m2", "m3", "strength")
    assert d.attitude.shape == d.momentum.shape == d.velocity.shape == (3, len(d.columns))
    difference = (end(1 + 1e-5).momentum - end(1 - 1e-5).momentum) / 2e-5
    assert np.allclose(d.momentum[:, 6], difference, rtol=1e-7, atol=1e-8)
    moments = system.view("moments")
    assert np.allclose(d.velocity * np.reshape(moments, (3, 1)), d.momentum)


@pytest.mark.parametrize("method, step", [("srkn6_14a+exact", 0.05), ("gbs", None)])
@pytest.mark.parametrize("event", ["R33 < 0", lambda t, q, m: 0.3 - m[0]])
def test_time_of_an_event(method, step, event):
    tolerance = {} if step else {"tolerance": 1e-13}
    start = polhode.System("heavy_top", method, step, **tolerance).momentum

    def end(strength=1.0, m=start):
        system = polhode.System("heavy_top", method, step, parameters={"strength": strength},
                                momentum=m, derivatives=("parameters", "start"), **tolerance)
        return system.run(until=20.0, event=event)

    system = end()
    assert system.met
    state = system.momentum.copy()
    by = dict(zip(system.derivatives.columns, system.event_derivatives(event)))
    assert np.array_equal(system.momentum, state) and system.derivatives.attitude.any()
    d = 1e-5
    assert by["strength"] == pytest.approx((end(1 + d).time - end(1 - d).time) / (2 * d), 1e-5)
    x = np.array([d, 0, 0])
    assert by["m1"] == pytest.approx((end(m=start + x).time - end(m=start - x).time) / (2 * d), 1e-5)
    with pytest.raises(ValueError, match="no run has ended"):
        polhode.System("free", "exact", 0.1, derivatives="start").event_derivatives(event)


def test_snapshot_keeps_them(tmp_path):
    system = polhode.System("heavy_top", "s6_10+exact", 0.1, derivatives=("start", "inertia"))
    system.run(steps=5).save(tmp_path / "a.snapshot")
    again = polhode.load(tmp_path / "a.snapshot")
    assert np.array_equal(again.run(steps=5).derivatives.attitude,
                          system.run(steps=5).derivatives.attitude)


def test_refused():
    with pytest.raises(ValueError, match="derivatives must be among start, inertia, parameters"):
        polhode.System("free", "exact", 0.1, derivatives=("time",))
    with pytest.raises(ValueError, match="cannot be computed"):
        polhode.System("heavy_top", "vlv", 0.1, derivatives=("start",))
    with pytest.raises(TypeError, match="without derivatives"):
        polhode.System("free", "exact", 0.1).derivatives


def test_tolerance_of_a_splitting():
    system = polhode.System("satellite", "aba10_6_4+exact", tolerance=1e-9)
    right = polhode.System("satellite", "gauss16", tolerance=1e-15).run(until=10.0)
    system.run(until=10.0)
    assert abs(system.time - 10.0) < 1e-13 and system.tolerance == 1e-9
    assert np.abs(system.attitude - right.attitude).max() < 1e-7
    steps = system.steps
    system.run(until=10.0 + 0.3 * system.step)
    assert system.steps == steps + 1
    with pytest.raises(ValueError, match="tolerance can be used only with splittings"):
        polhode.System("satellite", "vlv", tolerance=1e-9)
    whole = polhode.System("satellite", "aba10_6_4+exact", 0.5, tolerance=1e-9)
    assert (0.5 / whole.step) == pytest.approx(round(0.5 / whole.step))


def test_torch():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    from polhode.torch import motion, run

    def tensor(*x):
        return torch.tensor(x, dtype=torch.float64, requires_grad=True)

    q, m = tensor(0.8, 0.3, -0.4, 0.5), tensor(0.5, -0.8, 1.1)
    for inertia in tensor(1.0, 1.6, 2.2), tensor(1.0, 1.6, 2.2, 0.1, -0.2, 0.05):
        assert torch.autograd.gradcheck(motion, (inertia, q, m, tensor(1.5, 40.0)))
        for method in "srkn6_14a+exact", "verlet+exact@yoshida4":
            assert torch.autograd.gradcheck(
                lambda J, q, m, s, up: run("heavy_top", method, step=0.05, steps=20, inertia=J,
                                           attitude=q, momentum=m,
                                           parameters={"strength": s, "up": up}),
                (inertia, q, m, tensor(1.3)[0], tensor(0.1, -0.2, 1.0)))
    a, b = run("well", "verlet+exact", step=0.1, steps=10)
    assert not a.requires_grad and b.shape == (3,)
