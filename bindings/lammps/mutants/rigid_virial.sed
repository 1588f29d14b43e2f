# Forces inside molecules that are 1 % off in the pressure.
# file: fix_rigid_polhode_small.cpp
# seen by: rigid
s/tally(i, -1.0, d/tally(i, -1.01, d/
