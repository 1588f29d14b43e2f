# Torques on molecules that are 0.1 % off.
# file: fix_rigid_polhode_small.cpp
# seen by: long_range rigid beside
s/half \* b.torque/1.001 * &/
