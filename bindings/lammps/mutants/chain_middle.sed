# The free motion after the chains acted in its middle, as if they had not.
# file: fix_nve_polhode.cpp
# seen by: chain
s/turn(n, 0.5 \* step \* (1.0 + middle.of_L))/turn(n, step)/
