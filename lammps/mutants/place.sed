# A body that depends on its place among others.
# file: fix_nve_polhode.cpp
# seen by: ranks
s/m\[k\]\[c\] = atom->angmom\[i\]\[c\]/m[k][c] = atom->angmom[i][c] * (1 + k * 1e-15)/
