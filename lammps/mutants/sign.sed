# The angular momentum with the other sign.
# file: fix_nve_polhode.cpp
# seen by: near preload torque
s/m\[k\]\[c\] = atom/m[k][c] = -atom/
