# Kinetic energies in the middle of the step without the work of the kick.
# file: common.cpp
# seen by: chain
s/2.0 \* all\[CROSS_[A-Z]*\]/0.0/
