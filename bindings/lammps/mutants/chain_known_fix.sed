# Kinetic energies of the last step, though another fix acted since.
# file: common.cpp
# seen by: chain
s/modify->n_end_of_step == 0/true/
