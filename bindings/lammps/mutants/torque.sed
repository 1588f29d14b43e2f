# A torque that is 0.1 % too large.
# file: fix_nve_polhode.cpp
# seen by: torque
s/half_kick \* torque/1.001 * half_kick * torque/
