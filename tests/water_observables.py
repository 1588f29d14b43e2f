"""water_observables.py TOOL - pressure, diffusion and distribution functions of water, computed anew.

The rows of a run are read, and everything is computed from them with NumPy by formulas that are written
down here: the pressure as a sum over pairs of molecules, whose forces are numerical derivatives of their
energy; the histograms by brute force. Two ideal limits follow: the law of the ideal gas, and D = kT/(m
friction). Exit status 77 without NumPy.
"""

import csv
import json
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("SKIPPED: NumPy is not installed")
    sys.exit(77)

TOOL = sys.argv[1]
BOLTZMANN, COULOMB, BAR, BLOCKS = 0.00831446261815324, 138.93545764, 16.6053906717, 16


def run(*words):
    """Runs water by baoab+exact and returns the JSON."""
    line = [TOOL, "run", "--problem", "water", "--method", "baoab+exact", "--json", *words]
    return json.loads(subprocess.run(line, check=True, capture_output=True).stdout)


def close(what, found, expected, tolerance):
    """Fails unless two numbers agree."""
    if not np.all(np.abs(np.asarray(found) - expected) <= tolerance):
        sys.exit(f"{what}: {found} is not {expected} within {tolerance}")


def mean_and_error(blocks):
    """The mean of 16 blocks and its standard error."""
    return np.mean(blocks, axis=0), np.std(blocks, axis=0, ddof=1) / np.sqrt(BLOCKS)


def matrices(q):
    """Rotation matrices of quaternions."""
    w, x, y, z = np.moveaxis(q, -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def spce():
    """Places of the sites O, H, H of SPC/E in its axes, and their charges."""
    half = np.radians(109.47 / 2)
    o = -0.1 * np.cos(half) * 2.016 / 18.0154
    h = o + 0.1 * np.cos(half)
    x = 0.1 * np.sin(half)
    return np.array([[0, 0, o], [x, 0, h], [-x, 0, h]]), np.array([-0.8476, 0.4238, 0.4238])


def pair_energy(d, arms_i, arms_j, charges, cutoff):
    """The energy of pairs of molecules whose centres are d apart, faded before the cut-off."""
    r = np.linalg.norm(d[:, None, None] + arms_i[:, :, None] - arms_j[:, None, :], axis=-1)
    k = 0.5 / cutoff**3
    energy = (COULOMB * np.outer(charges, charges) * (1 / r + k * r * r)).sum((1, 2))
    s6 = (0.316555789 / r[:, 0, 0]) ** 6
    energy += 4 * 0.65016958 * (s6 * s6 - s6)
    r2 = (d * d).sum(-1)
    y = np.clip((r2 - 0.81 * cutoff**2) / (0.19 * cutoff**2), 0, 1)
    return energy * (1 - y**3 * (10 - 15 * y + 6 * y * y))


def pressure(x, p, q, box, cutoff):
    """The molecular pressure of one instant, in bar."""
    sites, charges = spce()
    arms = np.einsum("nij,sj->nsi", matrices(q), sites)
    i, j = np.triu_indices(len(x), 1)
    d = x[i] - x[j]
    d -= box * np.round(d / box)
    near = (d * d).sum(-1) < cutoff**2
    i, j, d = i[near], j[near], d[near]
    # d . F = -dU/ds of distances s d, with the attitudes kept
    h = 1e-5
    ahead = pair_energy((1 + h) * d, arms[i], arms[j], charges, cutoff)
    behind = pair_energy((1 - h) * d, arms[i], arms[j], charges, cutoff)
    virial = -(ahead - behind).sum() / (2 * h)
    return BAR * ((p * p).sum() / 18.0154 + virial) / (3 * box**3)


def read_rows(path, n):
    """Positions, momenta and attitudes of all rows: arrays (time, body, component)."""
    with open(path, newline="", encoding="utf-8") as rows:
        table = list(csv.DictReader(rows))
    take = lambda names: np.array([[float(row[c]) for c in names] for row in table])
    shape = lambda a: a.reshape(-1, n, a.shape[1])
    return shape(take(["x", "y", "z"])), shape(take(["px", "py", "pz"])), shape(take(["q0", "q1", "q2", "q3"]))


def check_run(folder, n, steps, seed):
    """One run of n molecules, all of whose observables are computed anew."""
    rows, rdf = f"{folder}/rows.csv", f"{folder}/rdf.csv"
    h = 0.002
    found = run(
        "--set", f"molecules={n}", "--set", "density=950", "--temperature", "320", "--seed", str(seed),
        "--step", str(h), "--time", str(h * steps), "--out", rows, "--rdf", rdf,
    )["averages"]
    x, p, q = read_rows(rows, n)
    box = (n * 18.0154 * 1.6605390666 / 950) ** (1 / 3)
    cutoff = min(0.9, box / 2)
    length = (steps - steps // 2) // BLOCKS
    first = steps - BLOCKS * length

    values = [pressure(x[k], p[k], q[k], box, cutoff) for k in range(first + 1, steps + 1)]
    mean, error = mean_and_error(np.reshape(values, (BLOCKS, length)).mean(1))
    close("pressure", found["pressure"]["mean"], mean, 1e-6 * np.abs(values).max())
    close("error of the pressure", found["pressure"]["error"], error, 1e-6 * np.abs(values).max())

    blocks = []
    half = length // 2
    for k in range(BLOCKS):
        at = first + k * length
        squares = []
        for lag in (half, length):
            moved = x[at + lag] - x[at]
            moved -= moved.mean(0)
            squares.append((moved * moved).sum(1).mean())
        blocks.append((squares[1] - squares[0]) / (6 * (length - half) * h))
    mean, error = mean_and_error(blocks)
    close("diffusion", found["diffusion"]["mean"], mean, 1e-9)
    close("error of the diffusion", found["diffusion"]["error"], error, 1e-9)

    # The distributions, from all steps (fewer than 64 in a block).
    sites, _ = spce()
    edges = np.linspace(0, box / 2, 201)
    shell = 4 / 3 * np.pi * np.diff(edges**3) / box**3
    i, j = np.triu_indices(n, 1)
    kinds = {"g_OO": [(0, 0)], "g_OH": [(0, 1), (0, 2), (1, 0), (2, 0)],
             "g_HH": [(1, 1), (1, 2), (2, 1), (2, 2)]}
    counts = {name: np.zeros((BLOCKS, 200)) for name in kinds}
    cosines = np.zeros(200)
    for step in range(first + 1, steps + 1):
        turns = matrices(q[step])
        at = x[step][:, None] + np.einsum("nij,sj->nsi", turns, sites)
        dipole = turns[:, :, 2]
        for name, pairs in kinds.items():
            for a, b in pairs:
                d = at[i, a] - at[j, b]
                d -= box * np.round(d / box)
                r = np.linalg.norm(d, axis=-1)
                counts[name][(step - first - 1) // length] += np.histogram(r, edges)[0]
                if name == "g_OO":
                    cosines += np.histogram(r, edges, weights=(dipole[i] * dipole[j]).sum(1))[0]
    with open(rdf, newline="", encoding="utf-8") as file:
        table = {name: [] for name in next(csv.reader(file))}
        for row in csv.reader(file):
            for name, value in zip(table, row):
                table[name].append(float(value))
    close("r", table["r"], (edges[1:] + edges[:-1]) / 2, 1e-9)
    for name, pairs in kinds.items():
        g, error = mean_and_error(counts[name] / (length * len(pairs) * n * (n - 1) / 2 * shell))
        # a distance next to the edge of a bin may fall on either side
        wrong = np.abs(np.array(table[name]) - g) > 1e-8 * (1 + g)
        close(f"bins of {name} that differ", wrong.sum(), 0, 2)
        close(f"error of {name}", np.array(table[name + "_error"])[~wrong], error[~wrong], 0.006 * error.max())
    near = counts["g_OO"].sum(0)
    around, error = mean_and_error(2 * np.cumsum(counts["g_OO"], axis=1) / (length * n))
    close("neighbours", table["neighbours"], around, 2 / (length * n))
    close("error of the neighbours", table["neighbours_error"], error, 0.006 * error.max())
    met = near > 50
    close("cosine", np.array(table["cosine"])[met], cosines[met] / near[met], 0.03)


def main():
    """All checks."""
    with tempfile.TemporaryDirectory() as folder:
        check_run(folder, 27, 640, 3)
        check_run(folder, 64, 352, 5)
    gas = run("--set", "molecules=64", "--set", "density=1e-4", "--temperature", "300", "--friction", "10",
              "--seed", "2", "--step", "0.05", "--time", "200")["averages"]
    volume = 64 * 18.0154 * 1.6605390666 / 1e-4
    kinetic = gas["translation"]["mean"]
    close("ideal gas", gas["pressure"]["mean"], BAR * 2 * kinetic / (3 * volume), 1e-9 * BAR * kinetic / volume)
    expected = BOLTZMANN * 300 / 18.0154 / 10
    error = gas["diffusion"]["error"]
    close("diffusion of an ideal gas, error", error, 0, 0.1 * expected)
    close("diffusion of an ideal gas", gas["diffusion"]["mean"], expected, 4 * error)


main()
