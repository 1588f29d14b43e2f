"""A drift that one method shows and another does not: the energy of a body in a well.

python3 drift.py draws drift.png."""

import matplotlib.pyplot as plt
import numpy as np
import polhode
from polhode import plots

METHODS = ("akw", "mkrk_rk4", "vlv")
times = np.arange(0, 5000.1, 5.0)
runs = {}
for method in METHODS:
    system = polhode.System("well", method, 0.25, watch=True)
    runs[method] = system.sample(times, advance=True)
    record = system.energy_record
    print(f"{method:9s} slope of the energy {record['slope']:9.1e}, largest error "
          f"{record['max_error']:.1e}")

# Symplectic vlv, of order 2, stays within its bounds; mkrk_rk4, of order 4, leaves them.
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
plots.energy_error(runs, ax=left)
left.set_title("the well of Ortolan, h = 1/4")
table = polhode.compare("well", ["vlv", "mkrk_rk4", "s4_6+exact", "s6_10+exact"],
                        [0.5, 0.25, 0.125, 0.0625, 0.03125], 10.0)
plots.work_precision(table, ax=right)
right.set_title("work and precision at t = 10")
figure.savefig("drift.png", dpi=120)

ends = {m: abs(r["energy"][-200:].mean() - r["energy"][0]) for m, r in runs.items()}
assert ends["mkrk_rk4"] > 10 * ends["vlv"], ends
