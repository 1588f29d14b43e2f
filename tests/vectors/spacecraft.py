#!/usr/bin/env python3
"""Reference solutions of the problem spacecraft, written to spacecraft.json beside this file.

An integration that shares nothing with the library: the state is the rotation matrix and the
angular momentum in space, the orbit is integrated as Newton's equations of a point, which
Kepler's equation only starts, and everything is advanced by Gragg's extrapolation of order 20
(Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.9) in 25 digits. Each
case is run with two step sizes, whose difference is printed. Needs mpmath; takes minutes.
"""
import json
import pathlib

from mpmath import mp, mpf, matrix, cos, sin, sqrt, lu_solve

mp.dps = 25
LEVELS = 10


def vec(x):
    return [mpf(c) for c in x]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def dot(a, b):
    return sum((x * y for x, y in zip(a, b)), mpf(0))


def scaled(c, a):
    return [c * x for x in a]


def plus(*vectors):
    return [sum(parts, mpf(0)) for parts in zip(*vectors)]


def times(M, v):
    return [dot(row, v) for row in M]


def inverse(M):
    m = matrix(M)
    columns = [lu_solve(m, matrix([1 if i == k else 0 for i in range(3)])) for k in range(3)]
    return [[columns[k][i] for k in range(3)] for i in range(3)]


def orbit_start(p):
    """Place and velocity at the time 0, in space."""
    a, e = mpf(p["semi_major_axis"]), mpf(p["eccentricity"])
    M, E = mpf(p["anomaly"]), mpf(p["anomaly"])
    for _ in range(200):
        E -= (E - e * sin(E) - M) / (1 - e * cos(E))
    n = sqrt(mpf(p["mu"]) / a**3)
    b = a * sqrt(1 - e * e)
    rate = n / (1 - e * cos(E))
    place = [a * (cos(E) - e), b * sin(E), mpf(0)]
    speed = [-a * sin(E) * rate, b * cos(E) * rate, mpf(0)]
    for angle, axis in ((p["perigee"], 2), (p["inclination"], 0), (p["node"], 2)):
        c, s = cos(mpf(angle)), sin(mpf(angle))
        i, j = (axis + 1) % 3, (axis + 2) % 3
        for v in (place, speed):
            v[i], v[j] = c * v[i] - s * v[j], s * v[i] + c * v[j]
    return place, speed


def table_at(rows, t):
    rows = [vec(r) for r in rows]
    if not rows or t <= rows[0][0]:
        return rows[0][1:] if rows else vec([0, 0, 0])
    for a, b in zip(rows, rows[1:]):
        if t <= b[0]:
            part = (t - a[0]) / (b[0] - a[0])
            return [x + part * (y - x) for x, y in zip(a[1:], b[1:])]
    return rows[-1][1:]


def wheels_of(case):
    """The momentum of the wheels, as a function of time."""
    constant = vec(case["parameters"]["wheels"])
    return lambda t: plus(constant, table_at(case["wheels_table"], t))


def derivative_of(case):
    p, J = case["parameters"], [vec(row) for row in case["tensor"]]
    inverse_J = inverse(J)
    mu, damping = mpf(p["mu"]), mpf(p["damping"])
    D, d = vec(p["earth_dipole"]), vec(p["dipole"])
    body, space = vec(p["torque"]), vec(p["torque_space"])
    wheels = wheels_of(case)

    def derivative(t, y):
        place, speed, R, L = y[0:3], y[3:6], [y[6:9], y[9:12], y[12:15]], y[15:18]
        r = sqrt(dot(place, place))
        u_space = scaled(1 / r, place)
        to_body = [[R[i][k] for i in range(3)] for k in range(3)]
        u = times(to_body, u_space)
        w = times(inverse_J, plus(times(to_body, L), scaled(-1, wheels(t))))
        B = times(to_body, scaled(mpf("1e-7") / r**3,
                                  plus(scaled(3 * dot(D, u_space), u_space), scaled(-1, D))))
        more = table_at(case["torque_table"], t)
        torque = plus(scaled(p["gravity_gradient"] * 3 * mu / r**3, cross(u, times(J, u))),
                      cross(d, B), body, times(to_body, space), more, scaled(-damping, w))
        R_change = [[row[1] * w[2] - row[2] * w[1], row[2] * w[0] - row[0] * w[2],
                     row[0] * w[1] - row[1] * w[0]] for row in R]  # R hat(w)
        return (speed + scaled(-mu / r**3, place) + R_change[0] + R_change[1] + R_change[2]
                + times(R, torque))

    return derivative


def extrapolated(f, t, y, H):
    """Gragg's midpoint rule with 2, 4, ... 2 LEVELS steps, extrapolated to order 2 LEVELS."""
    rows = []
    for level in range(1, LEVELS + 1):
        n = 2 * level
        h = H / n
        before, now = y, plus(y, scaled(h, f(t, y)))
        for i in range(1, n):
            before, now = now, plus(before, scaled(2 * h, f(t + i * h, now)))
        row = [now]
        for k, old in enumerate(rows[-1] if rows else []):
            factor = mpf(level) ** 2 / mpf(level - 1 - k) ** 2 - 1
            row.append([a + (a - b) / factor for a, b in zip(row[k], old)])
        rows.append(row)
    return rows[-1][-1]


def matrix_of(q):
    w, x, y, z = scaled(1 / sqrt(dot(q, q)), q)
    return [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
            2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
            2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]


def solve(case, interval):
    """The states at the times of the case: a whole number of intervals apart."""
    f = derivative_of(case)
    place, speed = orbit_start(case["parameters"])
    R, J = matrix_of(vec(case["attitude"])), [vec(row) for row in case["tensor"]]
    m = plus(times(J, vec(case["velocity"])), wheels_of(case)(mpf(0)))
    y = place + speed + R + times([R[0:3], R[3:6], R[6:9]], m)
    t, states = mpf(0), []
    for end in case["times"]:
        for _ in range(int((end - t) / interval)):
            y = extrapolated(f, t, y, mpf(interval))
            t += interval
        assert t == end
        states.append(y)
    return states


DEFAULTS = {"mu": 3.986004418e14, "semi_major_axis": 7e6, "eccentricity": 0.0, "inclination": 0.0,
            "node": 0.0, "perigee": 0.0, "anomaly": 0.0, "gravity_gradient": 1.0,
            "dipole": [0, 0, 0], "earth_dipole": [0, 0, -7.8e22], "torque": [0, 0, 0],
            "torque_space": [0, 0, 0], "damping": 0.0, "wheels": [0, 0, 0]}
DAY = 86400
CASES = [
    {"name": "defaults"},
    {"name": "eccentric", "parameters": {
        "semi_major_axis": 1.1e7, "eccentricity": 0.3, "inclination": 0.9, "node": 0.4,
        "perigee": -1.1, "anomaly": 2.0, "dipole": [0.5, -1.0, 2.0],
        "torque_space": [1e-7, -2e-7, 3e-7], "torque": [2e-7, 1e-7, -1e-7]},
     "tensor": [[110.0, 4.0, -3.0], [4.0, 90.0, 2.0], [-3.0, 2.0, 70.0]],
     "attitude": [0.8, 0.4, -0.4, 0.2],
     "velocity": [0.0008, -0.005, 0.0012]},  # a slow one tumbles, and round-off grows by 10^7
    {"name": "gyrostat", "parameters": {
        "eccentricity": 0.05, "inclination": 1.7, "anomaly": -0.5, "dipole": [1.0, 0.0, -0.5],
        "damping": 1e-4, "wheels": [0.1, -0.5, 0.2]},
     "wheels_table": [[3600, 0, 0, 0], [7200, 0.05, -0.1, 0], [43200, 0, 0.2, 0.1]],
     "torque_table": [[0, 1e-6, 0, 0], [21600, 0, -1e-6, 1e-6], [36000, 0, 0, 0]],
     "attitude": [0.5, -0.5, 0.5, 0.5]},
]


def solved(given):
    """A case with its states."""
    case = {"inertia": [120.5, 98.3, 75.2], "attitude": [1.0, 0.0, 0.0, 0.0],
            "velocity": [0.0001, -0.0012, 0.0003], "wheels_table": [], "torque_table": [],
            "times": [DAY / 4, DAY]}
    case.update(given)
    case["parameters"] = {**DEFAULTS, **given.get("parameters", {})}
    a = case.pop("inertia")
    case.setdefault("tensor", [[a[0], 0, 0], [0, a[1], 0], [0, 0, a[2]]])
    coarse, fine = (180, 120) if case["name"] == "eccentric" else (360, 240)
    states, finer = solve(case, coarse), solve(case, fine)
    off = max(abs(x - y) for a, b in zip(states, finer) for x, y in zip(a[6:], b[6:]))
    print(case["name"], "steps of", coarse, "s and", fine, "s differ by", mp.nstr(off, 3))
    case["states"] = [
        {"time": t, "place": [float(x) for x in y[0:3]], "matrix": [float(x) for x in y[6:15]],
         "momentum": [float(dot(y[6 + k:15:3], y[15:18])) for k in range(3)]}
        for t, y in zip(case["times"], finer)]
    return case


def main():
    path = pathlib.Path(__file__).with_suffix(".json")
    path.write_text(json.dumps([solved(case) for case in CASES], indent=1) + "\n")


if __name__ == "__main__":
    main()
