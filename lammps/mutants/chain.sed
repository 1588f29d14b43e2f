# A chain that slows rotations down twice.
# file: common.cpp
# seen by: chain molecules
s/^    return by;/    by.of_L *= by.of_L;\
    return by;/
