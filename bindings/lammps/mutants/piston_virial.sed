# The virial of the barostat is 1 % too small.
# file: barostat.cpp
# seen by: pressure
s/virial = 3.0 \* product(pressure/virial = 2.97 * product(pressure/
