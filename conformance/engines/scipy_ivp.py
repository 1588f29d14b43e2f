"""scipy_ivp.py CASES METHOD RTOL - SciPy's solve_ivp on all cases of the folder CASES, torques too.

The equations are those of conformance/cases.md, written out."""
import json
import math
import pathlib
import sys

import numpy as np
from scipy.integrate import solve_ivp


def matrix(q):
    w, x, y, z = q / np.linalg.norm(q)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def cross(a, b):
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def equations(case):
    if "tensor" in case:
        a, b, c, d, e, f = case["tensor"]
        J = np.array([[a, d, e], [d, b, f], [e, f, c]])
    else:
        J = np.diag(case["inertia"])
    inverse = np.linalg.inv(J)
    p = (case["torque"] or {"parameters": {}})["parameters"]
    wheels, constant, amplitude = (np.array(p.get(k, [0, 0, 0])) for k in ("wheels", "torque", "amplitude"))

    def torque(t, q, w):
        total = constant + amplitude * math.sin(p.get("frequency", 0) * t) - p.get("damping", 0) * w
        if "strength" in p:
            total = total + p["strength"] * cross(matrix(q).T @ p["up"], p["centre"])
        if "rate" in p:
            u = matrix(q).T @ np.array([math.cos(p["rate"] * t), math.sin(p["rate"] * t), 0])
            total = total + 3 * p["rate"] ** 2 * cross(u, J @ u)
        return total

    def slope(t, y):
        q, w = y[:4], y[4:]
        turn = 0.5 * np.array([-q[1] * w[0] - q[2] * w[1] - q[3] * w[2], q[0] * w[0] + q[2] * w[2] - q[3] * w[1],
                               q[0] * w[1] + q[3] * w[0] - q[1] * w[2], q[0] * w[2] + q[1] * w[1] - q[2] * w[0]])
        return np.concatenate([turn, inverse @ (cross(J @ w + wheels, w) + torque(t, q, w))])

    return slope


def main(folder, method, rtol):
    print("case,t,q0,q1,q2,q3,w1,w2,w3")
    for path in sorted(pathlib.Path(folder).glob("*.json")):
        case = json.loads(path.read_text())
        q = np.array(case["attitude"])
        times = case["times"]
        y = solve_ivp(equations(case), (0, times[-1]), [*(q / np.linalg.norm(q)), *case["velocity"]], method,
                      times, rtol=rtol, atol=rtol * 1e-3)
        for t, row in zip(y.t, y.y.T):
            print(case["name"], repr(float(t)), *(repr(float(x)) for x in row), sep=",")


main(sys.argv[1], sys.argv[2], float(sys.argv[3]))
