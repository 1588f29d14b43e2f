# A chain that slows rotations down twice.
# file: fix_nve_polhode.cpp
# seen by: chain
s/angmom\[i\]\[a\] \*= of_L/angmom[i][a] *= of_L * of_L/
