"""A book thrown into the air (Vilmart 2013, Figure 1): where its axes point, and its polhode.

python3 book.py draws book.png."""

import matplotlib.pyplot as plt
import numpy as np
import polhode
from polhode import plots

motion = polhode.Body(inertia=(0.376, 0.627, 1.0)).motion(momentum=(0, 0.6, -0.8))
figure = plt.figure(figsize=(10, 5), layout="constrained")
left = figure.add_subplot(1, 2, 1, projection="3d")
plots.axes(motion, np.linspace(0, 40, 4001), view=(25, -60), ax=left)
left.set_title("its axes in space, 0 to 40")
right = figure.add_subplot(1, 2, 2, projection="3d")
plots.ellipsoid(motion, view=(-25, 60), ax=right)
right.set_title("its angular velocity on the energy ellipsoid")
figure.savefig("book.png", dpi=120)
print(f"period {motion.period:.6f}, precession {motion.precession:.6f} rad per time")
