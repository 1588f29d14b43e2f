"""polhode.Ensemble: many bodies in one problem."""

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
    with pytest.raises(ValueError, match="how many bodies"):
        polhode.Ensemble("free", velocity=(1, 2, 3))
    with pytest.raises(ValueError, match="increases"):
        polhode.Ensemble("free", velocity=w).sample([2, 1])
    with pytest.raises(ValueError, match="NaN|finite"):
        polhode.Ensemble("free", velocity=np.full((3, 3), np.nan))
