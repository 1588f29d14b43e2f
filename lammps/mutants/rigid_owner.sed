# Noise by the number of the atom that owns a molecule, which is another on another number of ranks.
# file: fix_rigid_polhode_small.cpp
# seen by: rigid
s/bath.noise(atom->molecule\[i\], xi)/bath.noise(i + 1, xi)/
