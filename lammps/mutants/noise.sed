# Noise of the rotations that is too large.
# file: fix_nve_polhode.cpp
# seen by: langevin
s/spread \* sqrt(J)/1.1 * spread * sqrt(J)/
