"""lammps.py - LAMMPS, fix nve/asphere: an ellipsoid with the moments of the body, mass 1. Reads the lines of
harness.hpp. A flat body has no such ellipsoid, and is left out."""
import math
import subprocess
import sys

HEAD = """clear
units lj
atom_style ellipsoid
atom_modify map array
region all block -1 1 -1 1 -1 1
create_box 1 all
create_atoms 1 single 0 0 0
set type 1 mass 1
set type 1 shape {shape}
set type 1 density {density}
set type 1 quat {quat}
set atom 1 angmom {momentum}
pair_style none
comm_modify cutoff 1
fix move all nve/asphere
compute q all property/atom quatw quati quatj quatk angmomx angmomy angmomz
timestep {h!r}
thermo 1000000000
run 0 post no
"""
VALUES = " ".join(f"$(c_q[1][{i}]:%.17g)" for i in range(1, 8))


def turn(q, v, sign):
    u = [sign * x for x in q[1:]]
    cross = lambda a, b: [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    t = [2 * x for x in cross(u, v)]
    return [x + q[0] * y + z for x, y, z in zip(v, t, cross(u, t))]


def script(name, x):
    J, q, w, h, rows, steps = x[:3], x[3:7], x[7:10], x[10], int(x[11]), int(x[12])
    square = [2.5 * (sum(J) - 2 * j) for j in J]  # of the semi-axes
    if min(square) <= 0:
        return ""
    axes = [math.sqrt(s) for s in square]
    unit = math.sqrt(sum(c * c for c in q))
    q = [c / unit for c in q]
    sine = math.sqrt(sum(c * c for c in q[1:]))
    axis = [c / sine for c in q[1:]] if sine > 0 else [1, 0, 0]
    angle = math.degrees(2 * math.atan2(sine, q[0]))
    momentum = turn(q, [j * c for j, c in zip(J, w)], 1)
    text = HEAD.format(shape=" ".join(repr(2 * a) for a in axes), density=repr(1 / (4 / 3 * math.pi * math.prod(axes))),
                       quat=" ".join(map(repr, (*axis, angle))),
                       momentum=" ".join(map(repr, momentum)), h=h)
    return text + f'run {rows * steps} every {steps} "print \'ROW {name} {h!r} $(step) {VALUES}\'"\n'


def main():
    moments, text = {}, ""
    for line in sys.stdin:
        name, *numbers = line.split()
        moments[name] = [float(n) for n in numbers[:3]]
        text += script(name, [float(n) for n in numbers])
    log = subprocess.run(["lmp", "-log", "none", "-in", "/dev/stdin"], input=text, text=True, check=False,
                         stdout=subprocess.PIPE)
    if log.returncode != 0:
        sys.exit(log.stdout[-500:])
    print("case,t,q0,q1,q2,q3,w1,w2,w3,h")
    for line in log.stdout.splitlines():
        if line.startswith("ROW "):
            _, name, h, step, *x = line.split()
            q, L = [float(v) for v in x[:4]], [float(v) for v in x[4:]]
            w = [m / j for m, j in zip(turn(q, L, -1), moments[name])]
            print(name, repr(int(step) * float(h)), *map(repr, q + w), h, sep=",")


main()
