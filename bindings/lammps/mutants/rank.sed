# A kick that depends on the rank, by a millionth.
# file: fix_nve_polhode.cpp
# seen by: liquid
s/half_kick \* torque/(1 + 1e-6 * comm->me) * half_kick * torque/
