# Noise of the rotations that is too large.
# file: common.cpp
# seen by: langevin molecules
s/spread \* sqrt(J\[a\])/1.1 * spread * sqrt(J[a])/
