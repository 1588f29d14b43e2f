"""Weak torques averaged over the free motion."""

import numpy as np
import polhode
import pytest

LIGHT = ("e*R12^2*(c2*R13-c3*R12)-e*d*w1", "e*R12^2*(c3*R11-c1*R13)-e*d*w2", "e*R12^2*(c1*R12-c2*R11)-e*d*w3")


def light(e, method, tolerance, **more):
    problem = polhode.Problem(inertia=(1.1, 1.6, 2.3), torque=LIGHT, parameters={"e": e, "d": 0.4, "c": [0.2, 0.3, -0.4]})
    return polhode.System(problem, method, tolerance=tolerance, momentum=(0.3, 0.4, 1.2), **more)


def slow(system):
    q, m, w = (np.ravel(system.view(name)) for name in ("attitude", "momentum", "velocity"))
    H = polhode.rotations.matrix(q[None])[0] @ m
    return np.array([*H, 0.5 * m @ w])


def test_against_direct_integration():
    e = 1e-4
    a, d = light(e, "averaged", 1e-10), light(e, "gbs", 1e-12)
    start = slow(d)
    for system in (a, d):
        system.run(until=1 / e)
    assert np.abs(slow(a) - slow(d)).max() < 10 * e < 0.01 * np.abs(slow(d) - start).max()
    assert np.allclose(slow(a), [*np.ravel(a.view("momentum_space")), *np.ravel(a.view("kinetic_energy"))], rtol=1e-12)
    assert a.kind == "averaged" and a.steps < 20


def test_snapshots_and_events(tmp_path):
    one = light(1e-6, "averaged", 1e-10).run(until=3e5)
    one.save(tmp_path / "one.snapshot")
    other = polhode.load(tmp_path / "one.snapshot").run(until=1e6)
    assert np.array_equal(slow(one.run(until=1e6)), slow(other))
    met = light(1e-6, "averaged", 1e-10).run(until=1e7, event="m1^2 + m2^2 + m3^2 < 1")
    assert met.met and abs(np.linalg.norm(slow(met)[:3]) - 1) < 1e-9


def test_separatrix():
    system = polhode.System("free", "averaged", inertia=(1, 1.7, 2.2), momentum=(1.5, 0.2, 0.1), quality=1000)
    with pytest.raises(polhode.RunError, match="separatrix"):
        system.run(until=1e9)
    assert system.time > 1000


def test_refusals():
    with pytest.raises(ValueError, match="wheels"):
        polhode.System("gyrostat", "averaged")


def test_ensembles():
    starts = np.array([[0.3, 0.4, 1.2], [0.2, -0.3, 1.4], [1.5, 0.2, 0.1]])
    many = polhode.Ensemble("free", "averaged", inertia=(1, 1.7, 2.2), momentum=starts, parameters={"quality": 1000})
    many.run(until=2e4)
    assert list(many.status[:2]) == [0, 0] and many.status[2] != 0  # the last comes to the separatrix
    for k in range(2):
        one = polhode.System("free", "averaged", inertia=(1, 1.7, 2.2), momentum=starts[k], quality=1000).run(until=2e4)
        assert np.array_equal(np.ravel(one.view("momentum")), many.momentum[k])


def test_short_period_part():
    plain, mean = light(1e-4, "averaged", 1e-10), light(1e-4, "averaged", 1e-10, mean_start=1)
    assert 1e-6 < np.abs(slow(plain) - slow(mean)).max() < 1e-3
    with pytest.raises(ValueError, match="1 or 0"):
        light(1e-4, "averaged", 1e-10, mean_start=2)
