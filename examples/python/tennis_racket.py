"""The tennis racket: thrown about its middle axis it flips, again and again, and at once.

python3 tennis_racket.py draws tennis_racket.png."""

import matplotlib.pyplot as plt
import numpy as np
import polhode
from polhode import plots

racket = polhode.Body(inertia=(1, 2, 3))
motion = racket.motion(velocity=(0, 2, 1e-4))
t = np.linspace(0, 2 * motion.period, 4000)
w = motion(t).velocity

figure = plt.figure(figsize=(10, 4.4), layout="constrained")
left = figure.add_subplot(1, 2, 1)
for k, colour in enumerate(plots.COLOURS):
    left.plot(t, w[:, k], color=colour, linewidth=1.2, label=f"ω{'₁₂₃'[k]}")
left.set(xlabel="time", ylabel="angular velocity in the body",
         title=f"two periods of {motion.period:.2f}", ylim=(-2.3, 2.9))
left.legend(frameon=False, loc="upper center", ncols=3)
right = figure.add_subplot(1, 2, 2, projection="3d")
plots.ellipsoid(motion, view=(25, 60), ax=right)
right.set_title("its polhode, next to the separatrix")
figure.savefig("tennis_racket.png", dpi=120)

flips = np.count_nonzero(np.diff(np.sign(w[:, 1])))
print(f"{flips} flips in two periods; energy kept to "
      f"{np.ptp((w**2) @ racket.moments) / (2 * motion.energy):.0e}")
assert flips == 4
