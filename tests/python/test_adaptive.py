"""Methods that choose their steps: any time, samples to full order, events, snapshots."""

import numpy as np
import polhode
import pytest

METHODS = [m["name"] for m in polhode.methods() if m.get("adaptive") and m["space"] == "body"]
assert METHODS
TIMES = np.array([0.3, 7.77, -1.5, 2.0, 11.1])


def top(method, tolerance=1e-12):
    return polhode.System("heavy_top", method, tolerance=tolerance)


@pytest.mark.parametrize("method", METHODS)
def test_times(method):
    right = top("gauss16", 1e-15).sample(TIMES)
    system = top(method).run(until=9.87654)
    assert system.time == 9.87654 and system.steps > 3 and system.evaluations > 100
    rows = system.sample(TIMES)
    assert np.abs(rows["attitude"] - right["attitude"]).max() < 1e-9
    assert system.time == 9.87654
    back = system.run(until=0.0)
    assert np.abs(back.attitude - polhode.System("heavy_top", "vlv", 0.1).attitude).max() < 1e-9


@pytest.mark.parametrize("method", METHODS)
def test_steps_and_copies(method):
    whole, part = top(method).run(steps=20), top(method).run(steps=9)
    assert np.array_equal(part.copy().run(steps=11).attitude, whole.attitude)
    assert np.array_equal(part.run(steps=11).attitude, whole.attitude)


@pytest.mark.parametrize("method", [*METHODS, "srkn6_14a+exact"])
def test_events(method):
    def new():
        return top(method) if method in METHODS else polhode.System("heavy_top", method, 0.01)

    falls = new().run(until=10.0, event="R33 < 0")
    assert falls.met and abs(falls.time - 1.19505675516815) < 1e-9
    late = new().run(until=10.0, event=lambda t, q, m: t - 0.123456)
    assert late.met and abs(late.time - 0.123456) < 1e-11
    never = new().run(until=2.0, event="R33 < -2")
    assert not never.met and never.time == 2.0
    with pytest.raises(ZeroDivisionError):
        new().run(until=1.0, event=lambda t, q, m: 1 / 0)


def test_longest_step(tmp_path):
    pulse = polhode.Problem(inertia=(1, 2, 3), torque=("0", "0", "exp(-((t - 500)/2)^2)"))
    for method in METHODS:
        system = polhode.System(pulse, method, velocity=(0, 0, 0.001))
        assert abs(system.run(until=1000.0).momentum[2] - 3.5479077) < 1e-6
        assert system.longest_step == 0
        limited = polhode.System(pulse, method, velocity=(0, 0, 0.001), longest_step=0.5)
        limited.run(until=50.0).save(tmp_path / "pulse")
        other = polhode.load(tmp_path / "pulse")
        assert other.longest_step == 0.5 and limited.steps >= 100
        assert np.array_equal(other.run(until=60.0).attitude, limited.run(until=60.0).attitude)
    for wrong in (0, -1, float("nan")):
        with pytest.raises(ValueError, match="longest_step"):
            polhode.System(pulse, "gbs", longest_step=wrong)
    with pytest.raises(ValueError, match="longest_step"):
        polhode.System("heavy_top", "vlv", 0.1, longest_step=1.0)


def test_snapshots(tmp_path):
    system = top("gbs").run(until=3.0)
    system.save(tmp_path / "top")
    other = polhode.load(tmp_path / "top")
    assert other.tolerance == 1e-12
    assert np.array_equal(other.run(until=8.0).attitude, system.run(until=8.0).attitude)


def test_own_torque():
    own = polhode.Problem(inertia=(1, 2, 3), torque=lambda t, R, w: (-0.1 * w[0], 0, 0),
                          velocity=True)
    start = {"velocity": (1, 1, 1)}
    right = polhode.System(own, "mkrk_gl6", 0.01, **start).run(until=2.0)
    system = polhode.System(own, "gbs", tolerance=1e-12, **start).run(until=2.0)
    assert np.abs(system.attitude - right.attitude).max() < 1e-11
