# A mesh of long-range forces for the box of the beginning.
# file: barostat.cpp
# seen by: long_range
s/force->kspace->setup();/(void)force->kspace;/
