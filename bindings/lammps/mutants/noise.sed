# Noise that is too large.
# file: common.cpp
# seen by: langevin molecules
s/sqrt((1.0 - keep)/1.1 * &/
