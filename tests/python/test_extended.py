"""Problems that extend others: torques of texts and of functions, wheels, facets and controls, against
a Runge-Kutta method of NumPy."""

import numpy as np
import pytest

import polhode

INERTIA, VELOCITY = (12.0, 10.0, 8.0), (0.01, -0.02, 0.03)
MU, AXIS, INCLINATION = 3.986004418e14, 7e6, 1.2


def surroundings(t):
    """Place and magnetic field on a circular orbit, in space."""
    angle = np.sqrt(MU / AXIS**3) * t
    u = np.array([np.cos(angle), np.sin(angle) * np.cos(INCLINATION),
                  np.sin(angle) * np.sin(INCLINATION)])
    dipole = np.array([0, 0, -7.8e22])
    return u, 1e-7 * (3 * dipole.dot(u) * u - dipole) / AXIS**3


def matrix(q):
    w, x, y, z = q / np.linalg.norm(q)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def rate(y, t, torque, wheels):
    q, m = y[:4], y[4:]
    J = np.array(INERTIA)
    w, R = (m - wheels) / J, matrix(q)
    u, B = surroundings(t)
    u, B = R.T @ u, R.T @ B
    tau = 3 * MU / AXIS**3 * np.cross(u, J * u) + torque(t, R, w, B)
    spin = 0.5 * np.array([-q[1:] @ w, *(q[0] * w + np.cross(q[1:], w))])
    return np.concatenate([spin, np.cross(m, w) + tau])


def runge_kutta(y, t, end, steps, torque, wheels):
    h = (end - t) / steps
    for i in range(steps):
        s = t + i * h
        a = rate(y, s, torque, wheels)
        b = rate(y + h / 2 * a, s + h / 2, torque, wheels)
        c = rate(y + h / 2 * b, s + h / 2, torque, wheels)
        d = rate(y + h * c, s + h, torque, wheels)
        y = y + h / 6 * (a + 2 * b + 2 * c + d)
    return y


def start(wheels):
    return np.concatenate([[1, 0, 0, 0], np.array(INERTIA) * VELOCITY + wheels])


def off(system, y):
    q = y[:4] / np.linalg.norm(y[:4])
    return max(np.abs(system.attitude * np.sign(system.attitude @ q) - q).max(),
               np.abs(system.momentum - y[4:]).max() / np.linalg.norm(y[4:]))


def run(problem, until, **more):
    return polhode.System(problem, "gbs", tolerance=1e-12, velocity=VELOCITY).run(until=until, **more)


def test_torques_are_added():
    wheels = np.array([0, 0, 1e-3 * 250])
    given = {"inertia": INERTIA, "wheel": {"axis": (0, 0, 3), "inertia": 1e-3, "speed": 250}}
    texts = polhode.Problem(extends="spacecraft", torque=["-d*w1 + 20*B2", "-d*w2", "-d*w3"],
                            parameters={"d": 2e-3, "inclination": INCLINATION}, **given)

    def damped(t, R, w):
        B = R.T @ surroundings(t)[1]
        return -2e-3 * w[0] + 20 * B[1], -2e-3 * w[1], -2e-3 * w[2]

    function = polhode.Problem(extends="spacecraft", torque=damped, velocity=True,
                               parameters={"inclination": INCLINATION}, **given)
    y = runge_kutta(start(wheels), 0, 200, 2000,
                    lambda t, R, w, B: -2e-3 * w + np.array([20 * B[1], 0, 0]), wheels)
    for problem in (texts, function):
        assert off(run(problem, 200), y) < 1e-9
    assert "extends: spacecraft" in repr(texts)


@pytest.mark.parametrize("held", ["torque", "dipole"])
def test_controls_are_held(held):
    """A PD law and B-dot, as functions and as texts."""
    seen = []

    def law(s):
        seen.append(s.t)
        assert s.field.shape == s.up.shape == s.position.shape == (3,) and s.sun is None
        if held == "torque":
            return -0.2 * s.attitude[0] * s.attitude[1:] - 0.8 * s.velocity
        return -4e5 * np.cross(s.field, s.velocity)

    texts = (["-0.2*q0*q1 - 0.8*w1", "-0.2*q0*q2 - 0.8*w2", "-0.2*q0*q3 - 0.8*w3"]
             if held == "torque" else
             ["-4e5*(B2*w3 - B3*w2)", "-4e5*(B3*w1 - B1*w3)", "-4e5*(B1*w2 - B2*w1)"])
    y, zero = start(0), np.zeros(3)
    for k in range(20):
        q, w = y[:4] / np.linalg.norm(y[:4]), y[4:] / INERTIA
        B = matrix(q).T @ surroundings(2.0 * k)[1]
        u = -0.2 * q[0] * q[1:] - 0.8 * w if held == "torque" else -4e5 * np.cross(B, w)
        y = runge_kutta(y, 2.0 * k, 2.0 * k + (2 if k < 19 else 1), 100,
                        lambda t, R, w, B: u if held == "torque" else np.cross(u, B), zero)
    for one in (law, texts):
        problem = polhode.Problem(extends="spacecraft", inertia=INERTIA,
                                  control={"period": 2, held: one},
                                  parameters={"inclination": INCLINATION})
        system = run(problem, 39)
        assert off(system, y) < 1e-9
        assert system.view("control_samples") == 20
    assert list(dict.fromkeys(seen)) == [2.0 * k for k in range(20)]  # some were asked again


class WithMemory:
    """Laws that remember: an integrator, a difference to the last call, and a switch."""

    def __init__(self, kind):
        self.kind, self.sum, self.last, self.on = kind, np.zeros(3), None, False

    def __call__(self, s):
        if self.kind == "integrator":
            self.sum = self.sum + 0.5 * s.velocity
            return -0.1 * s.velocity - 0.01 * self.sum
        if self.kind == "difference":
            before, self.last = self.last, s.velocity.copy()
            return np.zeros(3) if before is None else -0.1 * (s.velocity - before)
        self.on = self.on or s.t >= 8
        return np.full(3, 1e-3) if self.on else np.zeros(3)


@pytest.mark.parametrize("kind", ["integrator", "difference", "switch"])
@pytest.mark.parametrize("by", [{"method": "gbs", "tolerance": 1e-9},
                                {"method": "mkrk_rk4", "step": 0.5}])
def test_a_law_that_remembers_is_refused(kind, by):
    def problem():
        return polhode.Problem(extends="spacecraft", inertia=INERTIA,
                               control={"period": 0.5, "torque": WithMemory(kind)})

    system = polhode.System(problem(), velocity=(0.1, -0.2, 0.3), **by)
    with pytest.raises(polhode.RunError, match="two results for the same argument"):
        system.run(until=60)
    assert system.time <= (0.5 if kind != "switch" else 16)
    spins = [(0.1, -0.2, 0.3)] * 3
    many = polhode.Ensemble(problem(), velocity=spins, **by)
    with pytest.raises(polhode.RunError, match="two results for the same argument"):
        many.run(until=60)
    many = polhode.Ensemble(problem(), velocity=spins, **by)
    with pytest.raises(polhode.RunError, match="two results for the same argument"):
        many.sample([30, 60])


def test_a_law_without_memory_is_the_same_for_all():
    def law(s):
        return -0.1 * s.velocity

    problem = polhode.Problem(extends="spacecraft", inertia=INERTIA,
                              control={"period": 2, "torque": law})
    system = polhode.System(problem, "gbs", tolerance=1e-9, velocity=(0.1, -0.2, 0.3))
    direct = polhode.System(problem, "gbs", tolerance=1e-9, velocity=(0.1, -0.2, 0.3))
    system.run(until=60)
    direct.run(until=30)
    assert np.abs(system.sample([30])["momentum"][0] - direct.momentum).max() < 1e-12
    many = polhode.Ensemble(problem, "gbs", tolerance=1e-9, velocity=[(0.1, -0.2, 0.3)] * 3)
    assert (many.run(until=60).attitude == system.attitude).all()


def test_an_exception_of_a_law_ends_the_run():
    def law(s):
        raise RuntimeError("no fuel" if s.t > 3 else "never")

    control = {"period": 2.0, "torque": lambda s: law(s) if s.t > 3 else (0, 0, 0)}
    system = polhode.System(polhode.Problem(extends="spacecraft", control=control), "gbs",
                            tolerance=1e-9)
    with pytest.raises(RuntimeError, match="no fuel"):
        system.run(until=10)
    assert system.time == 4


def test_sunlight_and_the_date():
    facet = {"area": 2, "normal": (0, 0, 1), "centre": (0.5, 0, 0), "specular": 0.4}
    lit = polhode.Problem(extends="spacecraft", facets=[facet], epoch="2026-03-20T12:00:00",
                          inertia=INERTIA, field="tilted_dipole")
    dark = polhode.Problem(extends="spacecraft", inertia=INERTIA)
    a, b = (run(p, 600).momentum for p in (lit, dark))
    assert 1e-5 < np.abs(a - b).max() < 600 * 4.6e-6 * 2 * 0.5 * 2
    system = polhode.System("spacecraft", "gbs", tolerance=1e-10)
    system.run(until=20000, event="eclipse > 0.5", epoch="2026-03-20T12:00:00")
    first = polhode.System("spacecraft", "gbs", tolerance=1e-10).events(
        "eclipse > 0.5", until=20000, epoch="2026-03-20T12:00:00").enter[0]
    assert system.met and abs(system.time - first) < 1e-6


@pytest.mark.parametrize("given, text", [
    ({"extends": "heavy_top", "torque": ["B1", "0", "0"]}, "extend spacecraft"),
    ({"extends": "top", "torque": ["0", "0", "0"]}, "not a problem of one body"),
    ({"extends": "spacecraft", "parameters": {"dipole": 1}}, "3 numbers"),
    ({"extends": "spacecraft", "torque": lambda t, R: (0, 0, 0), "parameters": {"d": 1}},
     "no parameter d"),
    ({"extends": "spacecraft", "torque": ["0", "0", "0"], "parameters": {"dd": 1}},
     "dd does not occur in a text"),
    ({"extends": "spacecraft", "field": "igrf"}, "tilted_dipole"),
    ({"extends": "spacecraft", "control": {"period": 1}}, "a torque or a dipole"),
    ({"extends": "spacecraft", "wheel": {"axis": (0, 0, 0), "inertia": 1, "speed": 1}}, "length 0"),
])
def test_wrong_ones(given, text):
    with pytest.raises(ValueError, match=text):
        polhode.System(polhode.Problem(**given), "gbs", tolerance=1e-9)


@pytest.mark.parametrize("given", [
    {"wheel": {"axis": (0, 0, 1), "inertia": 1, "speed": 1}, "torque": ["0", "0", "0"]},
    {"extends": "spacecraft", "wheel": {"axis": (0, 0, 1)}},
    {"extends": "spacecraft", "facets": [{"area": 1}]},
    {"extends": 3, "torque": ["0", "0", "0"]},
    {"extends": "spacecraft", "control": {"period": 1, "torque": "w1"}},
    {"extends": "spacecraft", "torque": lambda t, R: (0, 0, 0), "epoch": "2026-01-01T00:00:00"},
])
def test_wrong_types(given):
    with pytest.raises(TypeError):
        polhode.Problem(**given)
