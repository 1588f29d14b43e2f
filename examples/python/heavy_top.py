"""The heavy top: how far its axis leans, nodding, and a torque of one's own.

python3 heavy_top.py draws heavy_top.png."""

import matplotlib.pyplot as plt
import numpy as np
import polhode

START = {"inertia": (5, 5, 1), "attitude": polhode.from_euler((0, 30, 0), "zxz", degrees=True)}
WEIGHT = 12.0


def torque(t, R):
    """-dU/dxi of U = WEIGHT R33: in the body frame, R is body to space."""
    return WEIGHT * R[2, 1], -WEIGHT * R[2, 0], 0.0


top = polhode.Problem(inertia=(5, 5, 1), torque=torque, potential=lambda t, R: WEIGHT * R[2, 2])
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.6), layout="constrained")
times = np.linspace(0, 30, 1500)
for spin, colour in ((20, "#0072b2"), (40, "#c1272d")):
    system = polhode.System("heavy_top", "s6_10+exact", 0.02, velocity=(0, 0, spin),
                            parameters={"strength": WEIGHT}, **START)
    rows = system.sample(times)
    axis = polhode.matrix(rows["attitude"])[:, :, 2]
    lean = np.degrees(np.arccos(axis[:, 2]))
    left.plot(times, lean, color=colour, linewidth=1, label=f"spin {spin}")
    right.plot(axis[:, 0], axis[:, 1], color=colour, linewidth=0.8)
    own = polhode.System(top, "s6_10+exact", 0.02, velocity=(0, 0, spin),
                         attitude=START["attitude"]).run(until=2.0)
    same = polhode.System("heavy_top", "s6_10+exact", 0.02, velocity=(0, 0, spin),
                          parameters={"strength": WEIGHT}, **START).run(until=2.0)
    print(f"spin {spin}: energy kept to {np.ptp(rows['energy']) / rows['energy'][0]:.0e}, own "
          f"torque and the library's differ by {abs(own.attitude - same.attitude).max():.0e}")
    assert abs(own.attitude - same.attitude).max() < 1e-12
left.set(xlabel="time", ylabel="lean of the axis, degrees", title="nutation", ylim=(29, 46.5))
left.legend(frameon=False, loc="upper center", ncols=2)
right.set(xlabel="x", ylabel="y", title="the tip of the axis from above", aspect="equal")
figure.savefig("heavy_top.png", dpi=120)
