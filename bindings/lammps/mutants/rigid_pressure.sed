# The pressure of molecules with the kinetic part of their rotation.
# file: fix_rigid_polhode_small.cpp
# seen by: molecules rigid
s/^        tally_velocities();//
