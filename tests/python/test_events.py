"""Windows in which conditions hold: against times found in states at many times, and against each
other."""

import math

import numpy as np
import pytest

import polhode

TENSOR = [[12000, 300, -500], [300, 60000, 200], [-500, 200, 61000]]
SPIN = np.radians([2, 0.5, -1])
SUN = np.array([-0.52052622892433398, -0.38158833040976015, -0.76383426939153765])
CONE = f"angle([1,0,0], [{SUN[0]},{SUN[1]},{SUN[2]}]) < "


def motion():
    return polhode.Body(tensor=TENSOR).motion(velocity=SPIN)


def seen(degrees, end):
    """The windows that states each 0.05 s show, by halving."""
    def holds(t):
        w, x, y, z = motion()(t).attitude.T
        axis = np.stack([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)], 1)
        return axis @ SUN > math.cos(math.radians(degrees))

    t = np.arange(0, end, 0.05)
    g = holds(t)
    at = np.flatnonzero(g[1:] != g[:-1])
    low, high = t[at], t[at + 1]
    for _ in range(40):
        middle = (low + high) / 2
        same = holds(middle) == g[at]
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    return high[::2], high[1::2]


@pytest.mark.parametrize("degrees", [5, 2, 1])
def test_all_windows_of_a_narrow_cone(degrees):
    enter, leave = seen(degrees, 7200)
    condition = f"{CONE}{degrees}deg"
    system = polhode.System("free", "exact", 60.0, tensor=TENSOR, velocity=SPIN)
    rows = system.events({"cone": condition}, until=7200)
    assert system.time == 7200 and set(rows.event) == {"cone"}
    for found in (rows, motion().events(condition, until=7200)):
        assert len(found) == len(enter) > 10
        assert np.abs(found.enter - enter).max() < 1e-6
        assert np.abs(found["leave"] - leave).max() < 1e-6
        assert all(r.enter < r.extremum_time < r.leave and r.extremum < 0 for r in found)
    first = motion().events(condition, until=7200)
    assert np.abs(first.enter - rows.enter).max() < 1e-8
    event = polhode.System("free", "exact", 60.0, tensor=TENSOR, velocity=SPIN)
    event.run(until=7200, event=condition)
    assert event.met and event.time == rows.enter[0]


def test_ensembles_have_the_windows_of_single_runs():
    rng = np.random.default_rng(4)
    spins = SPIN * (1 + 0.1 * rng.standard_normal((24, 3)))
    condition = f"{CONE}6deg"
    for method, with_ in (("exact", {"step": 60.0}), ("dop853", {"tolerance": 1e-10})):
        many = polhode.Ensemble("free", method, tensor=[TENSOR] * 24, velocity=spins, **with_)
        rows = many.events(condition, until=7200, all=True)
        first, count = many.events(condition, until=7200)
        for i, spin in enumerate(spins):
            one = polhode.System("free", method, tensor=TENSOR, velocity=spin, **with_)
            alone, mine = one.events(condition, until=7200), rows[rows.body == i]
            assert count[i] == len(mine) == len(alone)
            for name in ("enter", "leave", "extremum_time", "extremum"):
                assert (mine[name] == alone[name]).all()
            assert first[i] == mine.enter[0] if len(mine) else math.isnan(first[i])
        assert count.sum() > 20


def test_several_conditions_and_functions():
    top = polhode.System("heavy_top", "gbs", tolerance=1e-11)
    plain = polhode.System("heavy_top", "gbs", tolerance=1e-11)

    def low(t, q, m):
        w, x, y, z = q
        return 2 * (x * x + y * y) - 1

    rows = top.events(["R33 < 0", low, "t > 3"], until=20)
    plain.run(until=20)
    assert (top.attitude == plain.attitude).all() and top.steps == plain.steps
    text, function = rows[rows.event == "R33 < 0"], rows[rows.event == "low"]
    assert len(text) == len(function) > 3
    assert np.abs(text.enter - function.enter).max() < 1e-9
    assert np.abs(text.extremum + function.extremum).max() < 1e-9
    late = rows[rows.event == "t > 3"]
    assert late.enter == pytest.approx([3]) and late.leave == [20] and late.extremum == [17]


def test_what_is_wrong():
    top = polhode.System("heavy_top", "verlet+exact", 0.1)
    for wrong in ("R33 <", "R34 < 0", "angle([1,0,0]) < 5deg", "5degrees > t", "R33"):
        with pytest.raises(ValueError, match="column"):
            top.events(wrong, until=1)
    for wrong in (None, 3, [None]):
        with pytest.raises(TypeError):
            top.events(wrong, until=1)
    with pytest.raises(ValueError):
        top.events("R33 < 0", until=0.123)
    with pytest.raises(ZeroDivisionError):
        top.events(lambda t, q, m: 1 / 0, until=1)
    assert len(top.events([], until=1)) == 0 and top.time == 1
    with pytest.raises(TypeError, match="one body"):
        polhode.System("pendulum", step=0.1).events("R33 < 0", until=1)
    with pytest.raises(ValueError, match="column"):
        polhode.Ensemble("free", "exact", step=1.0, velocity=[[1, 0, 0]]).events("R33", 1, all=True)


@pytest.mark.parametrize("date, longitude", [
    ("2026-03-20T14:46:00", 0), ("2026-06-21T08:25:00", 90), ("2026-09-23T00:05:00", 180),
    ("2026-12-21T20:50:00", 270), ("2012-06-20T23:09:00", 90), ("2044-03-19T23:20:00", 0)])
def test_the_sun_stands_at_equinoxes_and_solstices(date, longitude):
    """A body at rest: its axis b is within 0.011 degrees of the Sun, whose longitude is that of the
    date less the precession since J2000."""
    import datetime

    years = (datetime.datetime.fromisoformat(date) - datetime.datetime(2000, 1, 1, 12)
             ).total_seconds() / (365.25 * 86400)
    lam, tilt = math.radians(longitude - 0.013972 * years), math.radians(23.4393)
    b = math.cos(lam), math.sin(lam) * math.cos(tilt), math.sin(lam) * math.sin(tilt)
    system = polhode.System("free", "exact", 60.0, velocity=(0, 0, 0))
    rows = system.events("angle([{!r},{!r},{!r}], sun) < 1deg".format(*b), until=60, epoch=date)
    assert len(rows) == 1 and abs(rows.extremum[0] + math.radians(1)) < math.radians(0.011)


def test_the_sun_moves_and_needs_a_date():
    system = polhode.System("free", "exact", 86400.0, velocity=(0, 0, 0))
    rows = system.events("angle([1,0,0], sun) < 10deg", until=86400.0 * 365,
                         epoch="2026-01-01T00:00:00")
    assert len(rows) == 1 and 19 < (rows.leave[0] - rows.enter[0]) / 86400 < 21
    with pytest.raises(ValueError, match="date of t = 0"):
        polhode.System("free", "exact", 60.0).events("angle([1,0,0], sun) < 10deg", until=60)
    with pytest.raises(ValueError, match="not a date"):
        system.events("angle([1,0,0], sun) < 10deg", until=86400.0 * 366, epoch="yesterday")
    spin = [[0, 0, 0], [0, 0, 1e-9]]
    many = polhode.Ensemble("free", "exact", step=86400.0, velocity=spin)
    alone = polhode.System("free", "exact", 86400.0, velocity=spin[1]).events(
        "angle([1,0,0], sun) < 10deg", until=86400.0 * 100, epoch="2026-01-01T00:00:00")
    rows = many.events("angle([1,0,0], sun) < 10deg", until=86400.0 * 100, all=True,
                       epoch="2026-01-01T00:00:00")
    assert (rows[rows.body == 1].enter == alone.enter).all() and len(alone) == 1


def test_an_angle_in_radians_that_is_meant_in_degrees():
    """One body and many, a run that ends at the event and a list of windows."""
    text = "angle([0,0,1], [1,0,0]) < 20"
    many = polhode.Ensemble("free", "exact", step=1.0, velocity=[SPIN, 2 * SPIN])
    with pytest.warns(UserWarning, match="20 rad, which is more than a turn: .* write 20deg"):
        motion().events(text, until=10)
    with pytest.warns(UserWarning, match="20 rad, which is more than a turn"):
        polhode.System("heavy_top", "gbs").run(until=1, event=text)
    with pytest.warns(UserWarning, match="20 rad, which is more than a turn"):
        many.events(text, until=10)
    with pytest.warns(UserWarning, match="20 rad, which is more than a turn"):
        many.events(text, until=20, all=True)


@pytest.mark.filterwarnings("error")
def test_undefined_on_both_sides():
    """The window of a root is that of what is below it."""
    rows = motion().events("R11 > 0.5", until=3600)
    roots = motion().events("sqrt(R11 - 0.5) > 0", until=3600)
    assert len(rows) == len(roots) > 0
    assert np.allclose(rows.enter, roots.enter, atol=1e-7)
    assert np.allclose(rows.leave, roots.leave, atol=1e-7)
