# A chain that slows rotations down twice.
# file: common.cpp
# seen by: chain molecules
/^Thermostat::Factors Thermostat::scale(/,/^}/s/^    return by;/    by.of_L *= by.of_L;\
    return by;/
