# Noise by the number of the atom that owns a molecule, which is another on another number of ranks.
# file: fix_rigid_polhode_small.cpp
# seen by: rigid
s/atom->molecule\[i\];/i + 1;/
