"""polhode.fit: motions and systems from observations, as the tool finds them."""

import pickle

import numpy as np
import polhode
import pytest

NOISE = 1e-3


@pytest.fixture
def seen():
    rng = np.random.default_rng(2)
    t = np.linspace(3, 33, 80)
    body = polhode.Body(tensor=[[0.4, 0.1, 0.05], [0.1, 1.1, -0.1], [0.05, -0.1, 0.9]])
    states = body.motion(velocity=(0.3, 0.8, -0.5))(t - t[0])
    turn = NOISE * rng.standard_normal((80, 3)) / 2
    a, b = states.attitude, np.column_stack([np.ones(80), turn])
    q = np.column_stack([
        a[:, 0] * b[:, 0] - (a[:, 1:] * b[:, 1:]).sum(1),
        a[:, :1] * b[:, 1:] + b[:, :1] * a[:, 1:] + np.cross(a[:, 1:], b[:, 1:])])
    return t, q * rng.choice([-1, 1], 80)[:, None], body


def test_a_motion_with_its_covariance(seen):
    t, q, body = seen
    motion = polhode.fit(t, attitude=q, sigma=NOISE)
    assert isinstance(motion, polhode.Fit) and motion.covariance.shape == (12, 12)
    largest = max(body.moments)
    sigma = np.sqrt(np.diag(motion.covariance))
    right = body.tensor / largest
    found = motion.body.tensor
    errors = [found[i, j] - right[i, j] for i, j in
              ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
    assert np.all(np.abs(errors) < 4 * sigma[6:])
    assert motion.fit["scale_unobservable"] and motion.unobservable == ()
    assert motion.not_determined == () and motion.rivals == () and motion.minima == 1
    assert np.isclose(sum(motion.fit["inertia_over_trace"]), 1)
    assert np.allclose(motion.fit["inertia_over_trace_covariance"].sum(axis=0), 0, atol=1e-12)
    assert motion.residuals.shape == (80, 3)
    assert np.isclose(motion.chi2, np.sum((motion.residuals / NOISE) ** 2))
    assert 0.7 < motion.chi2 / motion.degrees_of_freedom < 1.3
    again = pickle.loads(pickle.dumps(motion))
    assert np.array_equal(again.covariance, motion.covariance)
    assert np.array_equal(again(5.0).attitude, motion(5.0).attitude)


def test_is_that_of_the_tool(seen, tool, tmp_path):
    t, q, _ = seen
    path = tmp_path / "seen.csv"
    np.savetxt(path, np.column_stack([t, q]), "%.17g", ",", header="t,q0,q1,q2,q3", comments="")
    told = tool("fit", path, "--sigma", NOISE, "--json")
    motion = polhode.fit(t, attitude=q, sigma={"attitude": NOISE})
    assert told["covariance"]["columns"] == list(motion.columns)
    assert np.array_equal(told["covariance"]["matrix"], motion.covariance)
    assert told["tensor"] == list(motion.fit["tensor"]) and told["chi2"] == motion.chi2
    assert np.array_equal(told["residuals"], motion.residuals)


def test_a_system_in_a_field():
    system = polhode.System("heavy_top", "gbs", tolerance=1e-12, parameters={"strength": 2.0})
    t = np.arange(0, 4, 0.1)
    q = system.sample(t)["attitude"]
    found = polhode.fit(t, attitude=q, problem="heavy_top",
                        free=("attitude", "velocity", "strength"))
    assert isinstance(found, polhode.Fit) and found.columns[-1] == "strength"
    assert abs(found.parameters["strength"][0] - 2) < 1e-6
    system = found.system()
    system.run(until=2.0)
    assert np.allclose(system.attitude, q[20], atol=1e-6)
    with pytest.raises(ValueError, match="use system"):
        found(1.0)


def test_axes_and_velocities(seen):
    t, _, body = seen
    states = body.motion(velocity=(0.3, 0.8, -0.5))(t - t[0])
    by_axis = polhode.fit(t, axis=states.matrix[..., 2], body_axis=(0, 0, 1))
    by_rate = polhode.fit(t, velocity=states.velocity)
    for motion in (by_axis, by_rate):
        ratio = np.sort(motion.body.moments) / np.sort(body.moments)
        assert np.ptp(ratio) < 1e-6
    assert "observed axis" in by_axis.unobservable[0]
    assert by_rate.unobservable == ("the attitude",)


def test_twins_of_an_axis():
    t = np.linspace(0, 600, 121)
    states = polhode.Body((1, 2, 2.5)).motion(velocity=(0.03, 0.05, 0.02))(t)
    seen = {"axis": states.matrix[..., 0], "body_axis": (1, 0, 0), "sigma": 1e-6}
    found = polhode.fit(t, **seen)
    right = [np.allclose(sorted(x.inertia), (0.4, 0.8, 1), atol=1e-5)
             for x in (found, *found.rivals)]
    assert sum(right) == 1 and len(right) == 3
    for x in (found, *found.rivals):
        assert isinstance(x, polhode.Fit) and np.allclose(
            x(t).matrix[..., 0], states.matrix[..., 0], atol=1e-6)
    known = polhode.fit(t, principal=True, **seen)
    assert known.rivals == () and np.allclose(sorted(known.inertia), [0.4, 0.8, 1], atol=1e-5)
    assert np.isclose(known.tensor[0, 0], 0.4, atol=1e-5)


def test_vectors_in_the_body():
    t = np.repeat(np.linspace(0, 30, 60), 2)
    body = polhode.Body((0.5, 0.8, 1))
    R = body.motion(velocity=(0.3, 1, 0.2))(t).matrix
    space = np.tile([[1.0, 0, 0], [0, 0.6, 0.8]], (60, 1))
    found = polhode.fit(t, vector=np.einsum("nji,nj->ni", R, space), space=space, sigma=1e-6)
    assert np.allclose(found.tensor, body.tensor, atol=1e-5) and found.not_determined == ()


def test_a_bias_of_velocities(seen):
    t, q, body = seen
    bias = np.array([0.01, -0.02, 0.03])
    w = body.motion(velocity=(0.3, 0.8, -0.5))(t - t[0]).velocity + bias
    found = polhode.fit(t, attitude=q, velocity=w, sigma={"attitude": NOISE, "velocity": 1e-4},
                        free=("inertia", "attitude", "velocity", "bias"))
    at = found.columns.index("bias1")
    sigma = np.sqrt(np.diag(found.covariance))[at:at + 3]
    assert np.all(np.abs(np.array(found.bias) - bias) < 5 * sigma)


def test_a_large_chi2_is_a_warning(seen):
    t, q, _ = seen
    with pytest.warns(UserWarning, match="chi2 is .* per degree of freedom"):
        polhode.fit(t, attitude=q, sigma=1e-5)


def test_uniform_rotations_show_no_moments():
    t = np.linspace(0, 600, 81)
    q = polhode.Body((1, 2, 2.5)).motion(velocity=(0, 0, 0.05))(t).attitude
    found = polhode.fit(t, attitude=q, sigma=0.002)
    assert {"inertia1", "inertia2", "J11", "J22", "J33", "J12"} <= set(found.not_determined)
    assert not {"w1", "w2", "w3", "theta1", "theta2", "theta3"} & set(found.not_determined)
    assert np.all(np.linalg.eigvalsh(found.covariance) > 0)


@pytest.mark.parametrize("change, words", [
    ({"attitude": np.full((80, 4), np.nan)}, "observation 1: the attitude is not finite"),
    ({"attitude": np.ones((3, 4))}, "shape"), ({"sigma": 0.0}, "sigma of the attitude is 0"),
    ({"loss": "hubr"}, "loss must be"), ({"free": ("damping",)}, "no parameter `damping`"),
    ({"free": "velocity"}, "must be known"), ({"sigma": {"q": 1}}, "sigma has no"),
    ({"axis": np.ones((80, 3))}, "the observed axis"),
    ({"vector": np.ones((80, 3))}, "directions in space"),
    ({"free": ("attitude", "velocity", "inertia", "bias")}, "no observed velocities")])
def test_bad_observations(seen, change, words):
    t, q, _ = seen
    with pytest.raises(ValueError, match=words):
        polhode.fit(t, **{"attitude": q, **change})
