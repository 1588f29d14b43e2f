# Centres that the piston does not move in the drift.
# file: barostat.cpp
# seen by: pressure
s/by.grow = expm1(rate \* time);/by.grow = 0.0;/
