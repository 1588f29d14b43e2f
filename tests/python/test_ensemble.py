"""polhode.Ensemble: many bodies in one problem."""

import pickle
import re
import warnings

import numpy as np
import pytest

import polhode

N = 11


def spins(scale=1e-3):
    return np.random.default_rng(3).normal(0, scale, (N, 3))


@pytest.mark.parametrize("method", ["dop853", "gbs"])
@pytest.mark.parametrize("problem", [p["name"] for p in polhode.problems()
                                     if p["space"] == "body"])
def test_bits_of_systems(problem, method):
    w = polhode.System(problem, method).velocity * (1 + 0.01 * np.arange(N)[:, None])
    end = 5 / np.linalg.norm(w[0])
    times = np.array([0, 0.3, 0.7, 1]) * end
    many = polhode.Ensemble(problem, method, velocity=w, tolerance=1e-8)
    rows = many.sample(times)
    for i in (0, 4, N - 1):
        one = polhode.System(problem, method, velocity=w[i], tolerance=1e-8).sample(times)
        assert (rows.attitude[:, i] == one["attitude"]).all()
        assert (rows.momentum[:, i] == one["momentum"]).all()
        assert (rows.velocity[:, i] == one["velocity"]).all()


def test_run_and_state():
    w = spins()
    many = polhode.Ensemble("spacecraft", "srkn6_14a+exact", velocity=w, step=10)
    assert (many.velocity - w < 1e-16).all() and len(many) == N
    many.run(until=600)
    assert many.time == 600 and not many.status.any()
    one = polhode.System("spacecraft", "srkn6_14a+exact", step=10, velocity=w[3]).run(until=600)
    assert (many.attitude[3] == one.attitude).all() and (many.momentum[3] == one.momentum).all()
    assert "11 bodies by srkn6_14a+exact at t = 600" in repr(many)


def test_parameters_and_tensors():
    damping = np.linspace(0, 0.1, N)
    J = np.array([[100, 1, 0], [1, 90, 2], [0, 2, 80.0]])
    tensor = J * (1 + 0.01 * np.arange(N))[:, None, None]
    wheels = np.outer(np.arange(N), (0.1, 0, 0.2))
    many = polhode.Ensemble("spacecraft", tensor=tensor, velocity=(0.001, 0.002, -0.001),
                            parameters={"damping": damping, "wheels": wheels,
                                        "eccentricity": 0.05, "dipole": (0, 0, 1)})
    assert many.method == "dop853"
    rows = many.sample([500])
    for i in range(N):
        one = polhode.System("spacecraft", "dop853", tensor=tensor[i], velocity=(0.001, 0.002, -0.001),
                             parameters={"damping": damping[i], "wheels": wheels[i],
                                         "eccentricity": 0.05, "dipole": (0, 0, 1)})
        assert (one.sample([500])["attitude"][0] == rows.attitude[0, i]).all()


def test_strides_are_taken_as_they_are():
    w = np.asfortranarray(spins())
    rows = polhode.Ensemble("heavy_top", "dop853", velocity=w).sample([1.0])
    same = polhode.Ensemble("heavy_top", "dop853", velocity=w.copy()).sample([1.0])
    assert (rows.attitude == same.attitude).all()


def test_own_torques():
    w = spins(1.0)
    text = polhode.Problem(inertia=(1, 2, 3), potential="k*R33", parameters={"k": 1})
    k = np.linspace(0, 2, N)
    rows = polhode.Ensemble(text, "dop853", velocity=w, parameters={"k": k}).sample([2.0])
    one = polhode.System(text, "dop853", velocity=w[7], parameters={"k": k[7]}).sample([2.0])
    assert (rows.attitude[0, 7] == one["attitude"][0]).all()
    own = polhode.Problem(inertia=(1, 2, 3), torque=lambda t, R: (0, R[0, 2], 0))
    rows = polhode.Ensemble(own, "dop853", velocity=w).sample([2.0])
    one = polhode.System(own, "dop853", velocity=w[7]).sample([2.0])
    assert (rows.attitude[0, 7] == one["attitude"][0]).all()

    def wrong(t, R):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        polhode.Ensemble(polhode.Problem(inertia=(1, 2, 3), torque=wrong), "dop853",
                         velocity=w).run(until=1)


def test_events_and_quantiles():
    w = np.zeros((N, 3))
    w[:, 0] = np.arange(N)
    many = polhode.Ensemble("free", "dop853", velocity=w)
    first, count = many.events("R33 < 0", until=10)
    assert np.isnan(first[0]) and np.allclose(first[1:] * w[1:, 0], np.pi / 2)
    assert (count == np.floor(np.maximum(w[:, 0] * 10 / (2 * np.pi) + 0.75, 0))).all()
    with pytest.raises(ValueError, match="condition, column"):
        many.events("R33 <", until=10)
    q = many.quantiles([0, 1], of=lambda s: s.velocity[..., 0])
    assert q.shape == (3, 2) and np.allclose(q[1], 5)


@pytest.mark.parametrize("how", [{"method": "verlet+exact", "step": 0.1}, {"method": "vlv", "step": 0.1},
                                 {"tolerance": 1e-9}])
def test_wrong_times_leave_the_ensemble(how):
    """A time that cannot be reached raises, and no body fails by it."""
    w = np.random.default_rng(1).normal(1, 0.1, (5, 3))
    many, fresh = (polhode.Ensemble("heavy_top", velocity=w, **how) for _ in range(2))
    wrong = [float("nan"), float("inf"), -float("inf")]
    if "step" in how:
        wrong += [0.123, -0.1, 1e300]
    for time in wrong:
        for call in (lambda: many.run(time), lambda: many.events("R33 < -5", time), lambda: many.sample([time]),
                     lambda: many.sample([0, time]), lambda: many.reduce([time], ["w1"]),
                     lambda: many.quantiles([time])):
            with pytest.raises(ValueError, match="until|times"):
                call()
        assert not many.status.any() and many.time == 0
    assert np.array_equal(many.run(0.5).attitude, fresh.run(0.5).attitude)
    assert np.array_equal(many.sample([0.3]).attitude, fresh.sample([0.3]).attitude)
    if "step" in how:
        with pytest.raises(ValueError, match="ahead"):
            many.run(0.2)
    assert not many.run(0.5).status.any()


def test_events_of_fixed_steps():
    """They are those of System, one after the other, and the bodies come to the end."""
    w = np.random.default_rng(2).normal(1, 0.3, (4, 3))
    many = polhode.Ensemble("heavy_top", "s6_10+exact", velocity=w, step=0.01)
    first, count = many.events("R12 > 0", until=20)
    assert count.sum() > 8
    for i in range(4):
        one = polhode.System("heavy_top", "s6_10+exact", 0.01, velocity=w[i]).run(until=20, event="R12 > 0")
        assert one.time == first[i] if one.met else np.isnan(first[i])


def test_what_an_ensemble_cannot_be():
    for problem, method, more, words in (
            ("pendulum", None, {"step": 0.1}, "of spheres"), ("dipolar_spheres", None, {"step": 0.1}, "of molecules"),
            ("free", "exact", {"step": 0.0}, "zero"), ("free", "gbs", {"tolerance": 0.0}, "zero"),
            ("free", "exact", {}, "step= is missing"), ("free", "gbs", {"step": 0.1}, "chooses its steps"),
            ("free", "exact", {"step": 0.1, "velocity": [1, 2, 3], "parameters": {"velocity": [1, 2, 3]}}, "twice")):
        with pytest.raises((TypeError, ValueError), match=words):
            polhode.Ensemble(problem, method, bodies=2, **more)


def test_a_body_that_fails():
    text = polhode.Problem(torque=["0.5*sqrt(a - t)", "0", "0"], parameters={"a": 1})
    many = polhode.Ensemble(text, "dop853", parameters={"a": np.array([100.0, 2, 100, 100])})
    rows = many.sample([1, 3])
    assert np.isnan(rows.attitude[1, 1]).all() and np.isfinite(rows.attitude[:, [0, 2, 3]]).all()
    assert np.isfinite(rows.attitude[0]).all()
    assert (many.run(until=3).status != 0).tolist() == [False, True, False, False]


def test_wrong_input():
    w = spins()
    with pytest.raises(ValueError, match="body 3: parameter damping"):
        polhode.Ensemble("spacecraft", velocity=w, parameters={"damping": 0.1 - 0.05 * np.arange(N)})
    with pytest.raises(ValueError, match="different numbers"):
        polhode.Ensemble("free", velocity=w, attitude=np.ones((4, 4)))
    with pytest.raises(ValueError, match=r"shape \(N, 3\)"):
        polhode.Ensemble("free", velocity=np.ones((4, 4)))
    with pytest.raises(ValueError, match="number of bodies is unknown"):
        polhode.Ensemble("free", velocity=(1, 2, 3))
    with pytest.raises(ValueError, match="times must increase"):
        polhode.Ensemble("free", velocity=w).sample([2, 1])
    with pytest.raises(ValueError, match="NaN|finite"):
        polhode.Ensemble("free", velocity=np.full((3, 3), np.nan))


def test_reduce():
    w = np.random.default_rng(5).normal(0, 1, (40, 3))
    many = polhode.Ensemble("heavy_top", velocity=w)
    times = [0, 0.5, 1]
    found = many.reduce(times, ["w1", "w2", "R33"], bins=4, ranges=(-1, 1))
    rows = many.sample(times)
    x = np.concatenate([rows.velocity[..., :2],
                        1 - 2 * (rows.attitude[..., 1:2]**2 + rows.attitude[..., 2:3]**2)], axis=2)
    assert (found.bodies == 40).all() and found.edges.shape == (3, 5)
    assert np.allclose(found.mean, x.mean(axis=1), atol=1e-12)
    for k in range(3):
        assert np.allclose(found.covariance[k], np.cov(x[k].T), atol=1e-12)
    inside = np.clip(x, -0.999999, 0.999999)
    for k in range(3):
        assert (found.histogram[0, k] == np.histogram(inside[0, :, k], found.edges[k])[0]).all()
    with pytest.raises(ValueError, match="w9, column 1"):
        many.reduce([1], ["w9"])
    with pytest.raises(ValueError, match="ranges="):
        many.reduce([1], ["w1"], bins=3)
    with pytest.raises(ValueError):
        many.reduce([1], ["w1"], bins=3, ranges=(1, 1))


def test_from_fit():
    t = np.linspace(0, 20, 60)
    motion = polhode.Body((1, 1.6, 2)).motion(velocity=(0.1, 0.8, 0.4))
    noise = np.random.default_rng(1).normal(0, 1e-4, (60, 3))
    fit = polhode.fit(t, velocity=motion(t).velocity + noise, attitude=motion(t).attitude,
                      sigma={"velocity": 1e-4, "attitude": 1e-4})
    many = polhode.Ensemble.from_fit(fit, 4000, seed=2)
    w = many.velocity
    k = fit.columns.index("w1")
    assert np.allclose(np.cov(w.T), fit.covariance[k:k + 3, k:k + 3], rtol=0.15,
                       atol=0.1 * fit.covariance[k, k])
    assert np.allclose(w.mean(axis=0), fit.fit["velocity"], atol=1e-4)
    few = polhode.Ensemble.from_fit(fit, 10, seed=2)
    assert (few.velocity == w[:10]).all() and (few.attitude == many.attitude[:10]).all()
    spread = np.linalg.norm(many.attitude - np.array(fit.fit["attitude"]), axis=1)
    assert 0 < spread.max() < 1e-3
    assert not many.run(until=5).status.any()


def test_from_fit_of_what_is_not_determined():
    """Velocities alone do not determine the attitude: it is drawn with a spread of one's own."""
    t = np.linspace(0, 20, 60)
    seen = polhode.Body((1, 1.6, 2)).motion(velocity=(0.1, 0.8, 0.4))(t).velocity
    fit = polhode.fit(t, velocity=seen, sigma=1e-3)
    assert {"theta1", "theta2", "theta3"} <= set(fit.not_determined)
    with pytest.raises(ValueError, match="does not determine theta1, theta2, theta3"):
        polhode.Ensemble.from_fit(fit, 10)
    with pytest.raises(ValueError, match="determines velocity"):
        polhode.Ensemble.from_fit(fit, 10, spread={"attitude": 0.1, "velocity": 1})
    with pytest.raises(ValueError, match="deviation of attitude"):
        polhode.Ensemble.from_fit(fit, 10, spread={"attitude": -1})
    many = polhode.Ensemble.from_fit(fit, 4000, seed=1, spread={"attitude": 0.01})
    half = np.abs(many.attitude[:, 1:]).std(axis=0) / np.sqrt(1 - 2 / np.pi)
    assert np.allclose(half, 0.005, rtol=0.1)
    w = [fit.columns.index(c) for c in ("w1", "w2", "w3")]
    assert np.allclose(np.cov(many.velocity.T), fit.covariance[np.ix_(w, w)], rtol=0.15, atol=1e-8)


def test_from_fit_of_a_system():
    t = np.linspace(0, 8, 50)
    top = polhode.System("heavy_top", "gbs", tolerance=1e-12, parameters={"strength": 2.0})
    fit = polhode.fit(t, attitude=top.sample(t)["attitude"], sigma=1e-5, problem="heavy_top",
                      free=("attitude", "velocity", "strength"), parameters={"strength": 1.9},
                      start={"attitude": top.attitude, "velocity": top.velocity})
    many = polhode.Ensemble.from_fit(fit, 50, seed=1, tolerance=1e-8)
    assert len(many) == 50 and not many.run(until=1).status.any()


def test_from_fit_draws_again():
    """A parameter that is drawn out of its range, or a plate whose largest moment is the sum of the
    others, is no error: as in the tool."""
    t = np.linspace(0, 8, 50)
    top = polhode.System("spacecraft", "gbs", tolerance=1e-12, inertia=(1, 1.6, 2),
                         velocity=(0.1, 0.8, 0.4), parameters={"damping": 0.01})
    fit = polhode.fit(t, attitude=top.sample(t)["attitude"], sigma=1e-4, problem="spacecraft",
                      free=("velocity", "damping"), parameters={"damping": 0.01},
                      start={"attitude": top.attitude, "velocity": top.velocity,
                             "inertia": (1, 1.6, 2)})
    k = fit.columns.index("damping")
    fit.fit["covariance"][k, k] = max(fit.fit["covariance"][k, k], 1.0)
    with pytest.warns(UserWarning, match="of 200 samples were drawn again"):
        many = polhode.Ensemble.from_fit(fit, 200, seed=1, tolerance=1e-6)
    assert many.reduce([0], ["damping"]).mean[0, 0] > 0.5


def test_torque_of_many():
    calls = []

    def block(t, R, w):
        calls.append(len(t))
        return np.stack([-R[:, 2, 1], R[:, 2, 0] + 0.1 * np.sin(t), -0.2 * w[:, 2]], axis=1)

    def one(t, R, w):
        return -R[2, 1], R[2, 0] + 0.1 * np.sin(t), -0.2 * w[2]

    w = np.random.default_rng(5).normal(0, 1, (12, 3))
    results = []
    for torque, many in ((block, True), (one, False)):
        problem = polhode.Problem(inertia=(1, 2, 2.5), torque=torque, velocity=True, many=many)
        results.append(polhode.Ensemble(problem, velocity=w, tolerance=1e-8).sample([0, 2]))
        alone = polhode.System(problem, "dop853", velocity=w[4], tolerance=1e-8).sample([0, 2])
        assert (results[-1].attitude[:, 4] == alone["attitude"]).all()
    assert np.allclose(results[0].attitude, results[1].attitude, atol=1e-12)
    assert max(calls) == 8

    def wrong(t, R):
        return np.zeros((len(t), 2))

    with pytest.raises(ValueError, match="shape"):
        polhode.Ensemble(polhode.Problem(inertia=(1, 2, 2.5), torque=wrong, many=True),
                         velocity=w).run(until=1)
    with pytest.raises(TypeError):
        polhode.Problem(potential="R33", many=True)


def test_device():
    w = spins()
    try:
        there = polhode.Ensemble("spacecraft", velocity=w, tolerance=1e-9, device="any")
    except ValueError as error:
        pytest.skip(str(error))
    times = np.linspace(0, 3000, 4)
    here = polhode.Ensemble("spacecraft", velocity=w, tolerance=1e-9).sample(times)
    assert (there.sample(times).attitude == here.attitude).all()
    with pytest.raises(ValueError, match="devices cannot run gbs"):
        polhode.Ensemble("spacecraft", "gbs", velocity=w, tolerance=1e-9, device="any")
    with pytest.raises(ValueError, match="no such"):
        polhode.Ensemble("spacecraft", velocity=w, device="no such")


def test_free_bodies_move_exactly():
    rng = np.random.default_rng(2)
    inertia, spin = rng.uniform(1, 1.9, (5, 3)), rng.normal(0, 1, (5, 3))
    for with_ in ({}, {"tolerance": 1e-6}):
        many = polhode.Ensemble("free", inertia=inertia, velocity=spin, **with_)
        assert many.method == "exact"
        rows = many.sample([0, 0.3, 77.7, 1000.1])
        many.run(until=1000.1)
        for i in range(5):
            right = polhode.Body(inertia[i]).motion(velocity=spin[i])([0, 0.3, 77.7, 1000.1])
            assert np.abs(rows.attitude[:, i] - right.attitude).max() < 1e-12
            assert (many.attitude[i] == rows.attitude[-1, i]).all()
    assert polhode.Ensemble("heavy_top", velocity=spin).method == "dop853"
    system = polhode.System("free", "exact", tolerance=1e-9, velocity=spin[0])
    assert system.run(until=12.345).time == 12.345 and system.steps == 1


def test_pickle():
    """An ensemble that was pickled goes on with the same bits."""
    import pickle

    spin = np.random.default_rng(2).normal(0.5, 0.1, (5, 3))
    many = polhode.Ensemble("heavy_top", velocity=spin, tolerance=1e-9)
    for _ in range(2):
        again = pickle.loads(pickle.dumps(many))
        assert again.time == many.time and (again.attitude == many.attitude).all()
        assert (again.run(until=7).momentum == many.run(until=7).momentum).all()
        many = polhode.Ensemble("heavy_top", velocity=spin, tolerance=1e-9).run(3).run(until=5.5)


def test_matrices_and_angles():
    many = polhode.Ensemble("free", velocity=np.eye(3)).run(until=0.5)
    rows = many.sample([0.0, 0.5])
    assert (rows.matrix[1] == many.matrix).all() and rows.matrix.shape == (2, 3, 3, 3)
    assert (rows.euler("zyx", degrees=True)[1] == many.euler("zyx", degrees=True)).all()
    pytest.importorskip("scipy", reason="SciPy is not installed")
    assert np.allclose(rows.rotation().as_matrix()[3:], many.rotation().as_matrix())


def test_digits_of_each_body():
    """Bodies that tumble in chaos lose their digits, and are named once; a System says the same."""
    spins = np.random.default_rng(3).normal(0, 1.2e-3, (12, 3))
    spins[0] = (0.0, 0.0, 0.05)
    until = 86400.0
    many = polhode.Ensemble("spacecraft", inertia=[[10, 12, 8]] * 12, velocity=spins, tolerance=1e-9)
    assert np.isnan(many.digits_hold_until).all()
    with pytest.warns(UserWarning, match=r"of 12 bodies do not hold") as told:
        many.run(until, companion=True)
    assert len(told) == 1
    held = many.digits_hold_until
    plain = polhode.Ensemble("spacecraft", inertia=[[10, 12, 8]] * 12, velocity=spins, tolerance=1e-9)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        plain.run(until)
    assert (plain.attitude == many.attitude).all()  # the companion changes no bit
    for i in range(12):
        one = polhode.System("spacecraft", "dop853", inertia=(10, 12, 8), velocity=spins[i],
                             tolerance=1e-9)
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            one.run(until=until)
        found = [re.search(r"until t = ([\d.e+]+):", str(x.message)) for x in seen]
        assert (held[i] < until) == bool(found)
        if found:
            assert abs(float(found[0][1]) - held[i]) < 0.05 * until
    assert 0 < (held < until).sum() < 12
    again = pickle.loads(pickle.dumps(many))
    assert (again.digits_hold_until == held).all()


def test_companions_begin_at_the_start():
    many = polhode.Ensemble("spacecraft", velocity=[[0.001, 0, 0]], tolerance=1e-9).run(10)
    with pytest.raises(ValueError):
        many.run(20, companion=True)
    fixed = polhode.Ensemble("spacecraft", "mkrk_gl6", step=1, velocity=[[0.001, 0, 0]])
    with pytest.raises(ValueError):
        fixed.run(20, companion=True)


def test_problems_that_extend_are_pickled():
    problem = polhode.Problem(extends="spacecraft", torque=["0", "0", "1e-4*sin(t)"],
                              tensor=[[12, 1, 0], [1, 11, 0.5], [0, 0.5, 9]])
    many = polhode.Ensemble(problem, velocity=[[0.01, 0, 0], [0, 0.02, 0.01]], tolerance=1e-9)
    again = pickle.loads(pickle.dumps(many.run(50)))
    assert (again.attitude == many.attitude).all() and again.time == 50
    assert (again.run(100).attitude == many.run(100).attitude).all()
