# p V of the barostat in what others take over from a restart file.
# file: common.cpp
# seen by: baths
s/energy() - (barostat.on ? barostat.product(barostat.target) : 0.0),/energy(),/
