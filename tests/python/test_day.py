"""The examples of docs/attitude.md: the tool gives the numbers of the page, and so does SciPy, with the
orbit, the field, the Sun and the torques written once more here."""

import datetime
import pathlib
import re

import numpy as np
import pytest

solve_ivp = pytest.importorskip("scipy.integrate", reason="SciPy is not installed").solve_ivp
PAGE = (pathlib.Path(__file__).resolve().parents[2] / "docs" / "attitude.md").read_text()
DEGREE = np.pi / 180
MU, AXIS, INCLINATION = 3.986004418e14, 6.9e6, 97.4 * DEGREE
J = np.array([0.05, 0.06, 0.02])


def scenario(name):
    """The scenario of that name on the page, and the numbers below it."""
    found = re.search(rf"\n    # {name}\n((?:    .*\n|\n)*?)    \$ .*\n((?:    .*\n)+)", PAGE)
    text, result = (re.sub("^    ", "", part, flags=re.M) for part in found.groups())
    numbers = {line.split()[0]: np.array([float(x) for x in line.split(None, 1)[1].split(",")])
               for line in result.splitlines() if line.startswith(("attitude", "momentum"))}
    return text, numbers["attitude"], numbers["momentum"]


def lines_of(name):
    """The lines of output below a scenario of the page."""
    below = re.search(rf"\n    # {name}\n(?:    .*\n|\n)*?    \$ .*\n((?:    .*\n)+)", PAGE)[1]
    return [line[4:] for line in below.splitlines()]


def orbit(t, node=0.0, dipole=(0, 0, -7.8e22), turn=0.0):
    """Place and field in space."""
    angle = np.sqrt(MU / AXIS**3) * t
    co, so, ci, si = np.cos(node), np.sin(node), np.cos(INCLINATION), np.sin(INCLINATION)
    u = (np.cos(angle) * np.array([co, so, 0]) + np.sin(angle) * np.array([-so * ci, co * ci, si]))
    c, s = np.cos(turn), np.sin(turn)
    D = np.array([c * dipole[0] - s * dipole[1], s * dipole[0] + c * dipole[1], dipole[2]])
    return AXIS * u, 1e-7 * (3 * D.dot(u) * u - D) / AXIS**3


def sun(days):
    """The Sun (Meeus), and its distance in astronomical units."""
    T = days / 36525
    M = (357.52911 + 35999.05029 * T) * DEGREE
    centre = ((1.914602 - 0.004817 * T) * np.sin(M) + (0.019993 - 0.000101 * T) * np.sin(2 * M)
              + 0.000289 * np.sin(3 * M))
    planets = (0.00134 * np.cos((351.98 + 22518.7541 * T) * DEGREE)
               + 0.00154 * np.cos((254.08 + 45037.5082 * T) * DEGREE)
               + 0.002 * np.cos((157.05 + 32964.3577 * T) * DEGREE)
               + 0.00179 * np.sin((297.85 + 445267.1142 * T) * DEGREE)
               + 0.00178 * np.sin((251.39 + 20.2 * T) * DEGREE))
    longitude = (280.46077 + 35999.372859 * T + centre + planets) * DEGREE
    latitude = 0.0130564 * T * DEGREE * np.sin(longitude - 174.876 * DEGREE)
    e = 23.4392794 * DEGREE
    return (np.array([np.cos(longitude), np.sin(longitude) * np.cos(e) - latitude * np.sin(e),
                      np.sin(longitude) * np.sin(e) + latitude * np.cos(e)]),
            1.00014 - 0.01671 * np.cos(M) - 0.00014 * np.cos(2 * M))


def light(r, s, distance):
    """The part of the Sun that is seen (Montenbruck, Gill, 3.4.2)."""
    d = s * distance * 149597870700.0 - r
    a = np.arcsin(6.957e8 / np.linalg.norm(d))
    b = np.arcsin(6378137.0 / np.linalg.norm(r))
    c = np.arccos(np.clip(-r.dot(d) / np.linalg.norm(r) / np.linalg.norm(d), -1, 1))
    if c >= a + b or c <= b - a:
        return float(c >= a + b)
    x = (c * c + a * a - b * b) / (2 * c)
    y = np.sqrt(max(0, a * a - x * x))
    area = a * a * np.arctan2(y, x) + b * b * np.arctan2(y, c - x) - c * y
    return 1 - area / (np.pi * a * a)


def matrix(q):
    w, x, y, z = q / np.linalg.norm(q)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def cross(a, b):
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def moved(y, begin, end, torque, wheels=np.zeros(3), **more):
    def rate(t, y):
        q, m = y[:4], y[4:]
        w, R = (m - wheels) / J, matrix(q)
        return np.concatenate([[-0.5 * q[1:].dot(w)], 0.5 * (q[0] * w + cross(q[1:], w)),
                               cross(m, w) + torque(t, R, w)])
    y = solve_ivp(rate, (begin, end), y, method="DOP853", rtol=1e-11, atol=1e-14, **more).y[:, -1]
    return np.concatenate([y[:4] / np.linalg.norm(y[:4]), y[4:]])


def gravity(r, R):
    u = R.T @ r / AXIS
    return 3 * MU / AXIS**3 * cross(u, J * u)


def check(tool, tmp_path, name, y):
    text, attitude, momentum = scenario(name)
    (tmp_path / name).write_text(text)
    printed = tool("run", str(tmp_path / name)).splitlines()
    size = np.linalg.norm(momentum)
    for line in lines_of(name):  # Polhode alone computes it: the same digits on every machine
        assert line in printed
    assert np.abs(y[:4] * np.sign(y[:4].dot(attitude)) - attitude).max() < 1e-6
    assert np.abs(y[4:] - momentum).max() < 1e-6 * size


def test_a_torque_of_ones_own_and_a_wheel(tool, tmp_path):
    def torque(t, R, w):
        r, B = orbit(t)
        B = R.T @ B
        return (gravity(r, R) + cross(np.array([0, 0, 0.02]), B)
                + 1e4 * (B * w.dot(B) - w * B.dot(B)))

    wheels = np.array([0, 2e-5 * 3000 * np.pi / 30, 0])
    start = np.concatenate([[1, 0, 0, 0], J * np.array([1, -0.5, 2]) * DEGREE + wheels])
    check(tool, tmp_path, "torque.yaml", moved(start, 0, 14400, torque, wheels))


def test_a_control(tool, tmp_path):
    y = np.concatenate([[1, 0, 0, 0], J * np.array([5, -3, 8]) * DEGREE])
    for t in range(0, 3600, 2):
        R, w = matrix(y[:4]), y[4:] / J
        (_, B), (_, after), (_, before) = orbit(t), orbit(t + 0.01), orbit(t - 0.01)
        held = -5e4 * (R.T @ ((after - before) / 0.02) + cross(R.T @ B, w))

        def torque(t, R, w):
            r, B = orbit(t)
            return gravity(r, R) + cross(held, R.T @ B)
        y = moved(y, t, t + 2, torque)
    check(tool, tmp_path, "control.yaml", y)


def test_a_control_of_the_attitude(tool, tmp_path):
    turn = np.array([40, -20, 60]) * DEGREE
    angle = np.linalg.norm(turn)
    q = np.concatenate([[np.cos(angle / 2)], np.sin(angle / 2) * turn / angle])
    y = np.concatenate([q, J * np.array([1, -2, 3]) * DEGREE])
    for step in range(240):
        t, w = 0.5 * step, y[4:] / J
        held = -2e-4 * y[0] * y[1:4] - 3e-3 * w
        y = moved(y, t, t + 0.5, lambda t, R, w: gravity(orbit(t)[0], R) + held)
    check(tool, tmp_path, "pd.yaml", y)
    assert 2 * np.arccos(abs(y[0])) < 4 * DEGREE


def test_sunlight_and_a_field_that_rotates(tool, tmp_path):
    days = (datetime.datetime(2026, 3, 20, 12) - datetime.datetime(2000, 1, 1, 12)).days
    years = (days - 9131.5) / 365.25
    moment = 1e7 * 6371200.0**3 * 1e-9 * np.array(
        [-1410.3 + 10 * years, 4545.5 - 21.5 * years, -29350 + 12.6 * years])
    day = 360.98564736629
    facets = [(0.03, [1, 0, 0], [0.05, 0, 0], 0.3, 0.2), (0.03, [-1, 0, 0], [-0.05, 0, 0], 0.3, 0.2),
              (0.1, [0, 0, 1], [0, 0.2, 0.1], 0.1, 0.1), (0.1, [0, 0, -1], [0, 0.2, 0.1], 0.1, 0.1)]

    def torque(t, R, w):
        turn = (280.46061837 + day * days % 360 + day * t / 86400) * DEGREE
        r, B = orbit(t, 60 * DEGREE, moment, turn)
        s, distance = sun(days + t / 86400)
        total = gravity(r, R) + cross(np.array([0, 0, 0.002]), R.T @ B)
        pressure = 1361 / 299792458.0 / distance**2 * light(r, s, distance)
        s = R.T @ s
        for area, n, centre, specular, diffuse in facets:
            n = np.array(n)
            c = max(0.0, n.dot(s))
            force = -pressure * area * c * ((1 - specular) * s + 2 * (specular * c + diffuse / 3) * n)
            total = total + cross(np.array(centre), force)
        return total

    start = np.concatenate([[1, 0, 0, 0], J * np.array([0.2, -0.1, 0.3]) * DEGREE])
    check(tool, tmp_path, "sun.yaml", moved(start, 0, 10800, torque, max_step=3))


def test_windows_of_the_page(tool, tmp_path):
    (tmp_path / "sun.yaml").write_text(scenario("sun.yaml")[0])
    found = tool("run", str(tmp_path / "sun.yaml"), "--events", "shadow: eclipse > 0.5", "--events",
                 "camera: angle([0,0,1], nadir) < 20deg", "--json")["events"]
    printed = tool("run", str(tmp_path / "sun.yaml"), "--events", "shadow: eclipse > 0.5", "--events",
                   "camera: angle([0,0,1], nadir) < 20deg").splitlines()
    for line in re.findall(r"\n    (    t = .*)", PAGE):
        assert line in printed
    rows = re.findall(r"\n        t = ([\d.]+) to ([\d.]+), for", PAGE)
    assert len(rows) == len(found) == 4
    for row, window in zip(sorted(rows), sorted(found, key=lambda w: str(w["enter"]))):
        assert abs(float(row[0]) - window["enter"]) < 1e-4
        assert abs(float(row[1]) - window["leave"]) < 1e-4
    for window in found:  # the centre of the Sun is at the limb, or the axis 20 degrees from nadir
        for t in (window["enter"], window["leave"]):
            r, _ = orbit(t, 60 * DEGREE)
            s, distance = sun(9575 + t / 86400)
            if window["event"] == "shadow":
                assert abs(light(r, s, distance) - 0.5) < 0.01
