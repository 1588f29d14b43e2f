"""water_schemes.py - how well schemes keep the energy of liquid water at equal cost.

64 molecules of SPC/E are brought to 300 K. From there each scheme runs 2 ps without a thermostat, with as many
evaluations of the forces in a ps. The table has the standard deviation of the energy over that of the potential
energy, in per cent: mean and standard error over several starts. docs/molecules.md has its results.

    PYTHONPATH=... python3 bench/water_schemes.py [STARTS]
"""

import sys

import numpy as np

import polhode

MOLECULES, TIME = 64, 2.0
SCHEMES = {"verlet": 1, "hoa": 2, "nystrom4": 3, "srkn4_6b": 6}  # evaluations of the forces in a step
INTERVALS = (0.001, 0.0015, 0.002, 0.003, 0.004)  # ps for each evaluation


def liquid(seed):
    """The state of a liquid at 300 K."""
    s = polhode.System("water", "baoab+exact", step=0.004, temperature=300.0, seed=seed, molecules=MOLECULES)
    s.run(5000)
    return {name: np.array(getattr(s, name)) for name in ("positions", "momenta", "attitudes", "angular_momenta")}


def fluctuation(scheme, step, state):
    """The standard deviation of the energy over that of the potential, in per cent; NaN if it explodes."""
    s = polhode.System("water", scheme + "+exact", step=step, molecules=MOLECULES, **state)
    rows = []
    try:
        for _ in range(round(TIME / step)):
            s.run(1)
            seen = s.observables
            rows.append((seen["energy"].value, seen["potential"].value))
    except polhode.Error:
        return np.nan
    energy, potential = np.std(rows, axis=0)
    return 100 * energy / potential


def main():
    """Prints a row for each cost."""
    starts = int(sys.argv[1]) if len(sys.argv) > 1 else 4
    states = [liquid(seed) for seed in range(1, starts + 1)]
    print("fs for each evaluation |", " | ".join(SCHEMES))
    for interval in INTERVALS:
        cells = []
        for scheme, cost in SCHEMES.items():
            found = [fluctuation(scheme, interval * cost, state) for state in states]
            cells.append(f"{np.mean(found):.3g} +- {np.std(found, ddof=1) / np.sqrt(starts):.1g}")
        print(f"{1e3 * interval:g} | " + " | ".join(cells), flush=True)


main()
