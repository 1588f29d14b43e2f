# Noise along axes of space instead of the axes of the body.
# file: fix_rigid_polhode_small.cpp
# seen by: molecules
s/^\( *\)b\.q, b\.J, b\.L);/\1std::vector<double>{1.0, 0.0, 0.0, 0.0}.data(), b.J, b.L);/
