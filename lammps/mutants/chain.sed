# A chain that slows rotations down twice.
# file: fix_nve_polhode.cpp
# seen by: chain
s/angmom\[i\]\[a\] \*= by.of_L/angmom[i][a] *= by.of_L * by.of_L/
