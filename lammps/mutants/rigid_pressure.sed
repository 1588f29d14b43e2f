# Noise that counts as a force which keeps molecules rigid.
# file: fix_rigid_polhode_small.cpp
# seen by: molecules
s/bath.kind != Thermostat::NONE && evflag/false/
