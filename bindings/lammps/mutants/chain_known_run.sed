# Kinetic energies of the last step, though it was that of another run.
# file: common.cpp
# seen by: chain
s/summed > update->firststep/true/
