"""A tumbling rocket stage: attitudes and brightness as a tracking station may see them, and the
motion that they show.

python3 fit_stage.py draws fit_stage.png, and writes stage_attitudes.csv and stage_light.csv for
`polhode fit`."""

import matplotlib.pyplot as plt
import numpy as np
import polhode

rng = np.random.default_rng(11)
axes = np.array([5.5, 1.9, 1.6])  # semi-axes in m of an ellipsoid as heavy as long
inertia = (np.sum(axes**2) - axes**2) / 5
motion = polhode.Body(inertia=inertia).motion(attitude=(0.8, 0.1, -0.5, 0.3),
                                              velocity=(0.06, 0.03, 0.09))


def turned(q, v):
    """Attitudes followed by small rotations."""
    return np.column_stack([q[:, 0] - (q[:, 1:] * v).sum(1) / 2,
                            q[:, 1:] + (q[:, :1] * v + np.cross(q[:, 1:], v)) / 2])


def brightness(sun, observer):
    """Of an ellipsoid that scatters as Lommel and Seeliger say: Muinonen, Lumme 2015, (15);
    directions in its principal axes."""
    s, e = sun / axes, observer / axes
    a, b = np.linalg.norm(s, axis=1), np.linalg.norm(e, axis=1)
    phase = np.arccos(np.clip((s * e).sum(1) / (a * b), -1, 1))
    both = np.sqrt(a**2 + b**2 + 2 * a * b * np.cos(phase))
    x = np.arctan2(b * np.sin(phase), a + b * np.cos(phase))
    y = x - phase
    logarithm = -np.log(np.tan(x / 2) * np.tan(-y / 2))
    return axes.prod() * a * b / both * (np.cos(y) + np.cos(x) + np.sin(x) * np.sin(y) * logarithm)


# Sixty attitudes in five minutes, each with an error of a degree.
sigma = np.radians(1)
t = np.linspace(0, 300, 61)
q = turned(motion(t).attitude, sigma * rng.standard_normal((len(t), 3)))
np.savetxt("stage_attitudes.csv", np.column_stack([t, q]), "%.9g", ",", comments="",
           header="t,q0,q1,q2,q3")

# Four hundred brightnesses in twelve minutes, with errors of 2 %.
t2 = np.unique(rng.uniform(0, 720, 400).round(3))
angle = 0.3 + 0.15 * t2 / 720  # the station moves below the stage
observer = np.column_stack([np.cos(angle), np.sin(angle), 0.2 + 0 * angle])
observer /= np.linalg.norm(observer, axis=1)[:, None]
sun = np.broadcast_to((0.6, -0.36, 0.7142828571), observer.shape)
R = motion(t2).matrix
light = brightness(np.einsum("nij,ni->nj", R, sun), np.einsum("nij,ni->nj", R, observer))
light *= 100 / light.mean() * (1 + 0.02 * rng.standard_normal(len(t2)))
np.savetxt("stage_light.csv", np.column_stack([t2, light, sun, observer]), "%.9g", ",", comments="",
           header="t,brightness,sun1,sun2,sun3,observer1,observer2,observer3")

found = polhode.fit(t, attitude=q)
print("moments over the largest:", (inertia / inertia.max()).round(4))
print("found:", np.round(found.fit["inertia"], 4), "+-",
      np.round(found.fit["inertia_sigma"], 4))
print("periods, s: precession", round(2 * np.pi / motion.precession, 3), "polhode",
      round(motion.period, 3))
print("found: precession", round(2 * np.pi / found.motion.precession, 3), "polhode",
      round(found.motion.period, 3))

# The light curve from there on: a first guess, which is not needed, saves the search.
first = found(t2[0])
start = {"inertia": found.fit["inertia"], "attitude": first.attitude, "velocity": first.velocity}
seen = polhode.fit(t2, brightness=light, sun=sun, observer=observer, start=start)
print("by brightness:", np.round(seen.fit["inertia"], 4), "+-",
      np.round(seen.fit["inertia_sigma"], 4))

figure, (above, below) = plt.subplots(2, 1, figsize=(8, 6), layout="constrained")
above.plot(t, np.degrees(found.residuals), ".", label=["axis 1", "axis 2", "axis 3"])
above.set(title="attitudes: observed less computed", ylabel="degrees")
above.legend(ncols=3)
below.plot(t2, light, ".", ms=3, label="observed")
below.plot(t2, light - seen.residuals[:, 0], lw=1, label="computed")
below.set(title="light curve", xlabel="t in s", ylabel="brightness")
below.legend(ncols=2)
figure.savefig("fit_stage.png", dpi=120)

assert abs(found.motion.period / motion.period - 1) < 0.01
assert abs(seen.motion.period / motion.period - 1) < 0.01
