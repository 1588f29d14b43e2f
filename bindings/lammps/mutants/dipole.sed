# Dipoles that are not turned.
# file: fix_nve_polhode.cpp
# seen by: dipole drift
s/dipole ? mu\[0\] : nullptr/nullptr/
