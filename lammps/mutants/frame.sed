# The attitude taken from space to body, there and back.
# file: fix_nve_polhode.cpp
# seen by: near preload torque drift
s/^        turn(n, time);/for (int s = 0; s < 2; s++) { for (int k = 0; k < 4 * n; k++) if (k % 4) ellipsoid[k \/ 4].q[k % 4] *= -1; if (s == 0) turn(n, time); }/
