# Energy of thermostats before a restart that is lost without a thermostat.
# file: common.cpp
# seen by: baths
s/    taken = state.energy;/    if (kind != NONE)\n    &/
