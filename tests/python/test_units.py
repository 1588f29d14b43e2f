"""Numbers with units, as texts: "3rpm", "7000km", "2h"."""

import math

import numpy as np
import polhode
import pytest


def test_velocities():
    motion = polhode.Body((1, 2, 3)).motion(velocity=["3rpm", 0, "-36 deg/h"])
    right = polhode.Body((1, 2, 3)).motion(velocity=(math.pi / 10, 0, -math.pi / 18000))
    assert np.abs(motion(7.0).attitude - right(7.0).attitude).max() < 1e-14
    window = polhode.Body((1, 2, 3)).motion(velocity=["10deg/h", 0, 0]).events("R22 < 0", until="2d")
    assert np.abs(window.enter / 3600 - (9, 45)).max() < 1e-9


def test_a_system():
    units = polhode.System("spacecraft", "gbs", tolerance=1e-10, velocity=["1deg/s", 0, 0],
                           parameters={"semi_major_axis": "7000km", "inclination": "81.3deg"})
    plain = polhode.System("spacecraft", "gbs", tolerance=1e-10, velocity=(math.radians(1), 0, 0),
                           parameters={"semi_major_axis": 7e6, "inclination": math.radians(81.3)})
    assert np.abs(units.run(until="2h").attitude - plain.run(until=7200).attitude).max() < 1e-12
    assert units.time == 7200
    units.set(velocity=("60deg/min", 0, 0))
    assert units.velocity[0] == pytest.approx(math.radians(1), rel=1e-15)


def test_steps():
    assert polhode.System("heavy_top", "vlv", "10ms").step == 0.01
    assert polhode.System("water", "verlet+exact", "2fs").step == pytest.approx(0.002)  # of a ps


def test_an_ensemble():
    many = polhode.Ensemble("spacecraft", velocity=[["1deg/s", 0, 0], [0, "2rpm", 0]], tolerance=1e-8,
                            parameters={"semi_major_axis": ["7000km", "8000km"]})
    assert many.run("10min").time == 600


@pytest.mark.parametrize("given, kind, said", [
    ({"semi_major_axis": "7000kg"}, ValueError, "cannot be in kg: write one of m, km"),
    ({"semi_major_axis": "7000"}, TypeError, "with a unit such as '2m', not '7000'"),
    ({"semi_major_axis": "infkm"}, TypeError, "texts with a unit"),
    ({"semi_major_axis": "1e400km"}, ValueError, "finite"),
    ({"eccentricity": "0.1deg"}, TypeError, "eccentricity must be numbers, not text"),
    ({"nothing": "1m"}, TypeError, "must be numbers, not text")])
def test_refusals(given, kind, said):
    with pytest.raises(kind, match=said):
        polhode.System("spacecraft", "gbs", tolerance=1e-10, parameters=given)
