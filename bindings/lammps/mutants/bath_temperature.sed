# What a chain takes, with that which another temperature makes of its energy.
# file: common.cpp
# seen by: baths
s/(after - before);/(after - chain_energy[which]);\n    chain_energy[which] = after;/
s/^double Thermostat::chain_scale/static double chain_energy[2];\n&/
