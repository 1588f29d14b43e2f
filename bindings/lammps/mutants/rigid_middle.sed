# The free motion after the chains acted in its middle, as if they had not.
# file: fix_rigid_polhode_small.cpp
# seen by: rigid
s/half \* (1.0 + middle.of_L)/h/
